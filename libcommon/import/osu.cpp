// SPDX-License-Identifier: LGPL-2.1-or-later
#include "import/table_reader.hpp"

namespace skampi {

namespace {

constexpr auto osu_marks = std::to_array<std::string_view>({"# OSU ", "# OMB"});

constexpr auto osu_tests = std::to_array<Test>({
    {"", "MPI_Send-MPI_Recv", Pattern::ping_pong, Meaning::round_trip, 2, 2},
    {"latency persistent", "MPI_Send_init-MPI_Recv_init", Pattern::ping_pong, Meaning::round_trip, 2, 2},
    {"multi", "osu_multi_lat", Pattern::ping_pong, Meaning::round_trip, 2},
    {"multi-threaded", "osu_latency_mt", Pattern::ping_pong, Meaning::round_trip, 2, 2},
    {"multi-process", "osu_latency_mp", Pattern::ping_pong, Meaning::round_trip, 2, 2},
    {"bandwidth", "osu_bw", Pattern::ping_pong, Meaning::window, 1, 2},
    {"bi-directional bandwidth", "osu_bibw", Pattern::ping_pong, Meaning::window, 1, 2},
    {"bandwidth persistent", "osu_bw_persistent", Pattern::ping_pong, Meaning::window, 1, 2},
    {"bi-directional bandwidth persistent", "osu_bibw_persistent", Pattern::ping_pong, Meaning::window, 1, 2},
    {"multiple bandwidth / message rate", "osu_mbw_mr", Pattern::ping_pong, Meaning::window},
    {"MPI_put", "MPI_Put", Pattern::ping_pong, Meaning::one_sided, 1, 2},
    {"MPI_get", "MPI_Get", Pattern::ping_pong, Meaning::one_sided, 1, 2},
    {"MPI_accumulate", "MPI_Accumulate", Pattern::ping_pong, Meaning::one_sided, 1, 2},
    {"MPI_get_accumulate", "MPI_Get_accumulate", Pattern::ping_pong, Meaning::one_sided, 1, 2},
    {"MPI_compare_and_swap", "MPI_Compare_and_swap", Pattern::ping_pong, Meaning::one_sided, 1, 2},
    {"MPI_fetch_and_op", "MPI_Fetch_and_op", Pattern::ping_pong, Meaning::one_sided, 1, 2},
    {"MPI_put bandwidth", "osu MPI_Put bandwidth", Pattern::ping_pong, Meaning::window, 1, 2},
    {"MPI_get bandwidth", "osu MPI_Get bandwidth", Pattern::ping_pong, Meaning::window, 1, 2},
    {"MPI_put bi-directional bandwidth", "osu MPI_Put bi-directional bandwidth", Pattern::ping_pong,
     Meaning::window, 1, 2},
});

constexpr auto osu_columns = std::to_array<Column>({
    {"size", Cell::bytes},
    {"latency(us)", Cell::time, microseconds},
    {"avglatency(us)", Cell::time, microseconds, ReportedTime::mean},
    {"overall(us)", Cell::time, microseconds},
    {"compute(us)", Cell::computation, microseconds},
    {"purecomm.(us)", Cell::alone, microseconds},
    {"bandwidth(mb/s)", Cell::bandwidth, megabyte},
    {"bi-bandwidth(mb/s)", Cell::bandwidth, megabyte},
    {"mb/s", Cell::bandwidth, megabyte},
    {"messages/s", Cell::message_rate},
    {"iterations", Cell::count},
    {"validation", Cell::valid},
    {"minlatency(us)", Cell::not_kept}, // of the ranks' means, not of single measurements
    {"maxlatency(us)", Cell::not_kept},
    {"mincomm.(us)", Cell::not_kept},
    {"maxcomm.(us)", Cell::not_kept},
    {"coll.init(us)", Cell::not_kept},
    {"mpi_test(us)", Cell::not_kept},
    {"mpi_wait(us)", Cell::not_kept},
    {"overlap(%)", Cell::not_kept},
    {"p*taillat(us)", Cell::not_kept}, // percentiles
    {"p*tailbw(mb/s)", Cell::not_kept},
    {"transmitsize", Cell::not_kept},
});

constexpr auto osu_header = std::to_array<HeaderLine>({
    {"Send Buffer on ", "operation", "from ", "HOST"},
    {"Receive Buffer on ", "operation", "to ", "HOST"},
    {"Datatype: ", "datatype", "", "MPI_CHAR"},
    {"pairs: ", "", "pairs "},
    {"window size: ", "", "window ", "64"},
    {"Window creation: ", ""},
    {"Synchronization: ", ""},
    {"Number of Sender threads: ", "", "sender threads "},
    {"Number of Receiver threads: ", "", "receiver threads "},
    {"Number of forks in sender: ", "", "sender forks "},
    {"Number of forks in receiver: ", "", "receiver forks "},
});

bool take_out(std::string& text, std::string_view part) {
    const std::size_t at = text.find(part);
    if (at != std::string::npos)
        text.erase(at, part.size());
    return at != std::string::npos;
}

/// "# OSU MPI-CUDA Broadcast Latency Test v5.6.2": "broadcast", "CUDA"; "# OSU MPI_Put Bandwidth Test".
std::optional<Title> osu_title(std::string_view line) {
    if (!line.starts_with("# OSU ") && !line.starts_with("# OMB"))
        return std::nullopt;
    Title found;
    std::string text = lower(line.substr(6));
    const std::size_t test = std::min(text.rfind("test"), text.size());
    if (test < text.size())
        found.version = std::string(trimmed(text.substr(test + 4)));
    text.erase(test);
    if (found.version.starts_with('v'))
        found.version.erase(0, 1);
    (void)take_out(text, "one sided ");
    found.is_read = line[3] == 'S' && text.starts_with("mpi");
    text.erase(0, std::min<std::size_t>(3, text.size()));
    for (const char* const kind : {"-cuda managed", "-managed", "-cuda", "-rocm", "-openacc", "-cxl"})
        if (found.qualifier.empty() && take_out(text, kind))
            for (const char c : std::string_view(kind + 1))
                found.qualifier += static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    text = trimmed(text);
    if (const std::size_t call = text.find('_'); call == 0 || text.starts_with("mpi_")) // MPI_Put
        text = "MPI" + text.substr(call);
    if (text.ends_with("latency"))
        text.erase(text.size() - 7);
    found.name = found.test = trimmed(text);
    if (found.name.empty())
        found.name = "latency";
    if (found.name.starts_with("MPI_") && found.name.size() > 4)
        found.name[4] = static_cast<char>(std::toupper(static_cast<unsigned char>(found.name[4])));
    return found;
}

constexpr Tool osu_tool{"OSU", osu_title, osu_tests, osu_columns, osu_header};

} // namespace

extern const Importer osu_importer = table_importer<osu_tool>("OSU micro-benchmarks output", osu_marks);

} // namespace skampi
