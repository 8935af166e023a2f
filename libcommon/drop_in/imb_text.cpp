// SPDX-License-Identifier: LGPL-2.1-or-later
#include "drop_in/imb_text.hpp"

#include "base/text.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <fmt/format.h>

namespace skampi {
namespace {

using enum ImbTable;

constexpr auto all_imb_benchmarks = std::to_array<ImbBenchmark>({
    {.name = "PingPong", .operation = "MPI_Send-MPI_Recv", .table = time, .of_two = true},
    {.name = "PingPing", .operation = "MPI_Sendrecv", .table = time, .of_two = true},
    {.name = "Sendrecv",
     .operation = "Ring-shift",
     .table = times_and_rate,
     .messages = 2,
     .between_two = "MPI_Sendrecv"},
    {.name = "Exchange", .operation = "Halo_1D-Isend", .table = times_and_rate, .messages = 4},
    {.name = "Uniband", .operation = "Multi_pair_bandwidth", .table = rates, .between_two = "Bandwidth"},
    {.name = "Biband", .operation = "Bidirectional_bandwidth", .table = rates, .of_two = true},
    {.name = "Allreduce", .operation = "MPI_Allreduce", .reduces = true},
    {.name = "Reduce", .operation = "MPI_Reduce", .reduces = true},
    {.name = "Reduce_scatter", .operation = "MPI_Reduce_scatter", .reduces = true},
    {.name = "Reduce_scatter_block", .operation = "MPI_Reduce_scatter_block", .reduces = true},
    {.name = "Allgather", .operation = "MPI_Allgather"},
    {.name = "Allgatherv", .operation = "MPI_Allgatherv"},
    {.name = "Gather", .operation = "MPI_Gather"},
    {.name = "Gatherv", .operation = "MPI_Gatherv"},
    {.name = "Scatter", .operation = "MPI_Scatter"},
    {.name = "Scatterv", .operation = "MPI_Scatterv"},
    {.name = "Alltoall", .operation = "MPI_Alltoall"},
    {.name = "Alltoallv", .operation = "MPI_Alltoallv"},
    {.name = "Bcast", .operation = "MPI_Bcast"},
    {.name = "Barrier", .operation = "MPI_Barrier"},
});

constexpr std::size_t column_width = 13;

std::string column(std::string_view word) {
    return fmt::format("{:>{}}", word, column_width);
}
std::string cell(double value) {
    return fmt::format("{:>{}.2f}", value, column_width);
}

std::string words_of(const ImbBenchmark& benchmark) {
    std::string line = (benchmark.has_lengths() ? column("#bytes") : std::string()) + column("#repetitions");
    if (benchmark.table == times || benchmark.table == times_and_rate)
        line += column("t_min[usec]") + column("t_max[usec]") + column("t_avg[usec]");
    if (benchmark.table == time)
        line += column("t[usec]");
    if (benchmark.table != times)
        line += column("Mbytes/sec");
    return benchmark.table == rates ? line + column("Msg/sec") : line;
}

std::string row(const ImbBenchmark& benchmark, const Suite& suite, const Measurement& m) {
    const double us = 1e6 / (suite.operation.meaning == Meaning::round_trip ? 2 : 1);
    const auto bytes = static_cast<double>(m.message_bytes);
    double least_s = m.value_s;
    double largest_s = m.value_s;
    double sum_s = 0;
    for (const NodeTime& rank : m.node_times) {
        least_s = std::min(least_s, rank.value_s);
        largest_s = std::max(largest_s, rank.value_s);
        sum_s += rank.value_s;
    }
    const bool is_mean = m.node_times.empty() || suite.reported_time == ReportedTime::mean;
    const double mean_s = is_mean ? m.value_s : sum_s / static_cast<double>(m.node_times.size());
    std::string line = benchmark.has_lengths() ? fmt::format("{:>{}}", m.message_bytes, column_width) : "";
    line += fmt::format("{:>{}}", m.summary.count, column_width);
    if (benchmark.table == rates)
        return line + cell(m.messages * bytes / m.value_s / 1e6) +
               fmt::format("{:>{}.0f}", m.messages / m.value_s, column_width);
    const std::string rate = cell(benchmark.messages * bytes / (largest_s * us));
    if (benchmark.table == time)
        return line + cell(largest_s * us) + rate;
    line += cell(least_s * us) + cell(largest_s * us) + cell(mean_s * us);
    return benchmark.table == times ? line : line + rate;
}

std::string head_of(const Run& run) {
    constexpr const char* rule = "#----------------------------------------------------------------\n";
    return fmt::format("{0}#    SKaMPI {1}, in the form of IMB-MPI1\n{0}"
                       "# Date                  : {2}\n"
                       "# MPI Library           : {3}\n\n\n"
                       "# MPI_Datatype                   :   MPI_BYTE \n"
                       "# MPI_Datatype for reductions    :   MPI_FLOAT \n"
                       "# MPI_Op                         :   MPI_SUM  \n# \n# \n\n"
                       "# List of Benchmarks to run:\n\n",
                       rule, printable(run.tool_version), printable(run.started_utc),
                       printable(run.mpi_library));
}

std::string table_of(const ImbResult& result, int ranks_there) {
    const std::string heading = words_of(result.benchmark);
    const std::string rule = "#" + std::string(heading.size() - 1, '-') + "\n";
    const int ranks = result.points.empty() ? ranks_there : result.points.front().ranks;
    std::string text =
        fmt::format("\n{}# Benchmarking {} \n# #processes = {} \n", rule, result.benchmark.name, ranks);
    if (const int idle = ranks_there - ranks; idle > 0)
        text +=
            fmt::format("# ( {} additional process{} waiting in MPI_Barrier)\n", idle, idle == 1 ? "" : "es");
    text += rule + heading + "\n";
    for (const Measurement& point : result.points)
        text += row(result.benchmark, result.suite, point) + "\n";
    return text;
}

} // namespace

std::span<const ImbBenchmark> imb_benchmarks() {
    return all_imb_benchmarks;
}

const ImbBenchmark* imb_benchmark(std::string_view name) {
    const auto equal = [](unsigned char a, unsigned char b) { return std::tolower(a) == std::tolower(b); };
    const auto* const found = std::ranges::find_if(all_imb_benchmarks, [&](const ImbBenchmark& each) {
        return std::ranges::equal(each.name, name, equal);
    });
    return found == all_imb_benchmarks.end() ? nullptr : found;
}

const ImbBenchmark* imb_benchmark_of(std::string_view operation) {
    const std::string_view usual = operation.substr(0, operation.find("-one_buffer"));
    for (const auto called : {&ImbBenchmark::operation, &ImbBenchmark::between_two})
        if (const auto* const found = std::ranges::find(all_imb_benchmarks, usual, called);
            found != all_imb_benchmarks.end())
            return found;
    return nullptr;
}

std::string imb_text(const Run& run, const std::vector<ImbResult>& results) {
    std::string text = head_of(run);
    for (const ImbResult& each : results)
        text += fmt::format("# {}\n", each.benchmark.name);
    for (const ImbResult& each : results)
        text += table_of(each, run.ranks);
    return text + "\n\n# All processes entering MPI_Finalize\n\n";
}

} // namespace skampi
