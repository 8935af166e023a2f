// SPDX-License-Identifier: LGPL-2.1-or-later
#include "import/table_reader.hpp"

namespace skampi {

namespace {

constexpr auto imb_marks = std::to_array<std::string_view>(
    {"# Benchmarking ", "#    Intel(R) MPI Bench", "#    Intel (R) MPI Bench", "#    PALLAS MPI Bench"});

/// Those that are no collective of MPI by their name.
constexpr auto imb_tests = std::to_array<Test>({
    {"pingpong", "MPI_Send-MPI_Recv", Pattern::ping_pong, Meaning::round_trip, 2},
    {"pingpong*source", "", Pattern::ping_pong, Meaning::round_trip, 2},
    {"pingping", "", Pattern::ping_pong, Meaning::exchange},
    {"pingping*source", "", Pattern::ping_pong, Meaning::exchange},
    {"sendrecv", "", Pattern::collective, Meaning::collective},
    {"exchange", "", Pattern::collective, Meaning::collective},
    {"exchange_*", "", Pattern::collective, Meaning::collective},
    {"uniband", "", Pattern::ping_pong, Meaning::window},
    {"biband", "", Pattern::ping_pong, Meaning::window},
    {"unidir_put", "MPI_Put", Pattern::ping_pong, Meaning::one_sided},
    {"unidir_get", "MPI_Get", Pattern::ping_pong, Meaning::one_sided},
    {"bidir_*", "", Pattern::ping_pong, Meaning::one_sided},
    {"*_all", "", Pattern::collective, Meaning::collective},
    {"*_all_local", "", Pattern::collective, Meaning::collective},
    {"put_local", "", Pattern::ping_pong, Meaning::one_sided},
    {"get_local", "", Pattern::ping_pong, Meaning::one_sided},
    {"accumulate", "MPI_Accumulate", Pattern::ping_pong, Meaning::one_sided},
    {"get_accumulate", "MPI_Get_accumulate", Pattern::ping_pong, Meaning::one_sided},
    {"fetch_and_op", "MPI_Fetch_and_op", Pattern::ping_pong, Meaning::one_sided},
    {"compare_and_swap", "MPI_Compare_and_swap", Pattern::ping_pong, Meaning::one_sided},
    {"truly_passive_put", "", Pattern::ping_pong, Meaning::one_sided},
});

constexpr auto imb_columns = std::to_array<Column>({
    {"group", Cell::part}, // of processes, that run at the same time (-multi 1)
    {"bytes", Cell::bytes},
    {"repetitions", Cell::count},
    {"t[usec]", Cell::time, microseconds},
    {"t_max[usec]", Cell::time, microseconds, ReportedTime::max},
    {"t_ovrl[usec]", Cell::time, microseconds},
    {"t_pure[usec]", Cell::alone, microseconds},
    {"mbytes/sec", Cell::bandwidth, megabyte},
    {"msg/sec", Cell::message_rate},
    {"defects", Cell::defects},
    {"t_min[usec]", Cell::not_kept},
    {"t_avg[usec]", Cell::not_kept},
    {"t_cpu[usec]", Cell::not_kept},
    {"overlap[%]", Cell::not_kept},
});

bool reduces_nothing(const Suite& suite) {
    return !may_reduce(suite);
}

constexpr auto imb_header = std::to_array<HeaderLine>({
    {"#processes = ", "ranks", " processes"},
    {"groups of ", "ranks", " processes"},
    {"threads: ", "", "threads "},
    {"rank order (", "", "ranks by "},
    {"MODE: ", ""},
    {"# MPI_Datatype : ", "datatype", "", "MPI_BYTE", reduces_nothing},
    {"# MPI_Datatype for reductions : ", "datatype", "", "MPI_FLOAT", may_reduce},
    {"# MPI_Op : ", "reduction", "", "MPI_SUM", may_reduce},
});

constexpr auto imb_given_up = std::to_array<std::string_view>({"time-out", "out-of-mem", "int-overflow"});

/// "#    Intel(R) MPI Benchmarks 2021.3, MPI-1 part (GPU)", "# Benchmarking Multi-Allreduce"
std::optional<Title> imb_title(std::string_view line) {
    constexpr std::string_view benchmark = "# Benchmarking ";
    if (line.starts_with('#') && line.find("MPI Benchmark") != std::string_view::npos)
        return Title{.of_output = true};
    if (!line.starts_with(benchmark))
        return std::nullopt;
    const std::string_view rest = trimmed(line.substr(benchmark.size()));
    const std::string name(rest.substr(0, rest.find_first_of(" \t")));
    return Title{name, lower(name.starts_with("Multi-") ? name.substr(6) : name)};
}

constexpr Tool imb_tool{"IMB", imb_title, imb_tests, imb_columns, imb_header, {}, imb_given_up};

} // namespace

extern const Importer imb_importer = table_importer<imb_tool>("Intel MPI Benchmarks output", imb_marks);

} // namespace skampi
