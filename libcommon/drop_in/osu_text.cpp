// SPDX-License-Identifier: LGPL-2.1-or-later
#include "drop_in/osu_text.hpp"

#include "base/text.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>

namespace skampi {
namespace {

using enum OsuTable;

constexpr auto all_osu_programs = std::to_array<OsuProgram>({
    {"osu_latency", "OSU MPI Latency Test", "MPI_Send-MPI_Recv", latency},
    {"osu_multi_lat", "OSU MPI Multi Latency Test", "Multi_pair_latency", latency, false,
     "MPI_Send-MPI_Recv"},
    {"osu_bw", "OSU MPI Bandwidth Test", "Bandwidth", bandwidth},
    {"osu_bibw", "OSU MPI Bi-Directional Bandwidth Test", "Bidirectional_bandwidth", bandwidth},
    {"osu_mbw_mr", "OSU MPI Multiple Bandwidth / Message Rate Test", "Multi_pair_bandwidth", pairs, false,
     "Bandwidth"},

    {"osu_allgather", "OSU MPI Allgather Latency Test", "MPI_Allgather"},
    {"osu_allgatherv", "OSU MPI Allgatherv Latency Test", "MPI_Allgatherv"},
    {"osu_allreduce", "OSU MPI Allreduce Latency Test", "MPI_Allreduce"},
    {"osu_alltoall", "OSU MPI All-to-All Personalized Exchange Latency Test", "MPI_Alltoall"},
    {"osu_alltoallv", "OSU MPI All-to-Allv Personalized Exchange Latency Test", "MPI_Alltoallv"},
    {"osu_alltoallw", "OSU MPI All-to-Allw Personalized Exchange Latency Test", "MPI_Alltoallw"},
    {"osu_barrier", "OSU MPI Barrier Latency Test", "MPI_Barrier"},
    {"osu_bcast", "OSU MPI Broadcast Latency Test", "MPI_Bcast"},
    {"osu_gather", "OSU MPI Gather Latency Test", "MPI_Gather"},
    {"osu_gatherv", "OSU MPI Gatherv Latency Test", "MPI_Gatherv"},
    {"osu_reduce", "OSU MPI Reduce Latency Test", "MPI_Reduce"},
    {"osu_reduce_scatter", "OSU MPI Reduce_scatter Latency Test", "MPI_Reduce_scatter", collective, true},
    {"osu_reduce_scatter_block", "OSU MPI Reduce_scatter_block Latency Test", "MPI_Reduce_scatter_block",
     collective, true},
    {"osu_scatter", "OSU MPI Scatter Latency Test", "MPI_Scatter"},
    {"osu_scatterv", "OSU MPI Scatterv Latency Test", "MPI_Scatterv"},

    {"osu_iallgather", "OSU MPI Non-blocking Allgather Latency Test", "MPI_Iallgather-computation",
     nonblocking},
    {"osu_iallgatherv", "OSU MPI Non-blocking Allgatherv Latency Test", "MPI_Iallgatherv-computation",
     nonblocking},
    {"osu_iallreduce", "OSU MPI Non-blocking Allreduce Latency Test", "MPI_Iallreduce-computation",
     nonblocking},
    {"osu_ialltoall", "OSU MPI Non-blocking All-to-All Latency Test", "MPI_Ialltoall-computation",
     nonblocking},
    {"osu_ialltoallv", "OSU MPI Non-blocking All-to-Allv Personalized Exchange Latency Test",
     "MPI_Ialltoallv-computation", nonblocking},
    {"osu_ibarrier", "OSU MPI Non-blocking Barrier Latency Test", "MPI_Ibarrier-computation", nonblocking},
    {"osu_ibcast", "OSU MPI Non-Blocking Broadcast Latency Test", "MPI_Ibcast-computation", nonblocking},
    {"osu_igather", "OSU MPI Non-blocking Gather Latency Test", "MPI_Igather-computation", nonblocking},
    {"osu_igatherv", "OSU MPI Non-blocking Gatherv Latency Test", "MPI_Igatherv-computation", nonblocking},
    {"osu_ireduce", "OSU MPI Non-blocking Reduce Latency Test", "MPI_Ireduce-computation", nonblocking},
    {"osu_ireduce_scatter", "OSU MPI Non-blocking Reduce_scatter Latency Test",
     "MPI_Ireduce_scatter-computation", nonblocking, true},
    {"osu_ireduce_scatter_block", "OSU MPI Non-blocking Reduce_scatter_block Latency Test",
     "MPI_Ireduce_scatter_block-computation", nonblocking, true},
    {"osu_iscatter", "OSU MPI Non-blocking Scatter Latency Test", "MPI_Iscatter-computation", nonblocking},
    {"osu_iscatterv", "OSU MPI Non-blocking Scatterv Latency Test", "MPI_Iscatterv-computation", nonblocking},

    {"osu_put_latency", "OSU MPI_Put Latency Test", "MPI_Put-flush", one_sided},
    {"osu_get_latency", "OSU MPI_Get latency Test", "MPI_Get-flush", one_sided},
    {"osu_acc_latency", "OSU MPI_Accumulate latency Test", "MPI_Accumulate-flush", one_sided},
    {"osu_get_acc_latency", "OSU MPI_Get_accumulate latency Test", "MPI_Get_accumulate-flush", one_sided},
    {"osu_fop_latency", "OSU MPI_Fetch_and_op latency Test", "MPI_Fetch_and_op-flush", one_sided},
    {"osu_cas_latency", "OSU MPI_Compare_and_swap latency Test", "MPI_Compare_and_swap-flush", one_sided},
    {"osu_put_bw", "OSU MPI_Put Bandwidth Test", "MPI_Put_window-flush", one_sided},
    {"osu_get_bw", "OSU MPI_Get Bandwidth Test", "MPI_Get_window-flush", one_sided},
});

constexpr int field_width = 18;
constexpr double microseconds_of_s = 1e6;

std::string heading(std::string_view word) {
    return fmt::format("{:>{}}", word, field_width);
}
/// At least three digits, where OSU has two behind the point.
std::string number(double value, int width = field_width) {
    return fmt::format("{:>{}.{}f}", value, width, value < 10 ? 4 : value < 100 ? 3 : 2);
}
std::string microseconds(double seconds, int width = field_width) {
    return number(seconds * microseconds_of_s, width);
}

bool is_bandwidth(const OsuProgram& program) {
    return program.table == bandwidth || program.table == pairs || program.name.ends_with("_bw");
}

/// Pairs of ranks that exchange messages at once.
int pairs_among(const OsuProgram& program, const Measurement& m) {
    return program.table == pairs ? std::max(m.ranks / 2, 1) : 1;
}

double megabytes_per_s(const OsuProgram& program, const Measurement& m, double time_s) {
    return m.messages * static_cast<double>(osu_bytes(program, m)) / time_s / 1e6;
}

std::string first_words(const OsuProgram& program) {
    constexpr auto words = std::to_array<const char*>(
        {"Avg Latency(us)", "Bandwidth (MB/s)", "MB/s", "Avg Latency(us)", "Overall(us)", "Latency (us)"});
    const bool one_sided_rate = program.table == one_sided && is_bandwidth(program);
    const OsuTable table = one_sided_rate ? bandwidth : program.table;
    return heading(words.at(static_cast<std::size_t>(table))) +
           (table == pairs ? heading("Messages/s") : std::string());
}

std::string heading_line(const OsuProgram& program, const OsuColumns& columns) {
    std::string line = first_words(program);
    if (program.has_lengths())
        line = "# Size    " + line;
    else
        line = "# " + line.substr(line.find_first_not_of(' '));
    if (program.table == nonblocking) {
        line += heading("Compute(us)");
        if (columns.full)
            line += heading("Coll. Init(us)") + heading("MPI_Test(us)") + heading("MPI_Wait(us)");
        line += heading("Pure Comm.(us)");
        if (columns.full)
            line += heading("Min Comm.(us)") + heading("Max Comm.(us)");
        line += heading("Overlap(%)");
    } else if (columns.full) {
        line += heading("Min Latency(us)") + heading("Max Latency(us)") + fmt::format("{:>12}", "Iterations");
    }
    if (columns.validation)
        line += heading("Validation");
    for (const int percentile : columns.percentiles)
        line +=
            heading(fmt::format("P{} Tail {}", percentile, is_bandwidth(program) ? "BW(MB/s)" : "Lat(us)"));
    return line + "\n";
}

/// The smallest and the largest of the ranks' times; of a value without them itself.
std::pair<double, double> extremes(const Measurement& m) {
    if (m.node_times.empty())
        return {m.value_s, m.value_s};
    const auto [low, high] = std::ranges::minmax_element(m.node_times, {}, &NodeTime::value_s);
    return {low->value_s, high->value_s};
}

std::string overlap_cells(const OsuPoint& point, bool full) {
    const Measurement& m = point.measurement;
    const double alone_s = full ? point.alone.value_s : m.alone_s;
    const double hidden = alone_s > 0 ? 100 - 100 * (m.value_s - m.computation_s) / alone_s : 0;
    std::string cells = microseconds(m.computation_s);
    if (full)
        cells += microseconds(point.begin_s) + microseconds(0) +
                 microseconds(std::max(m.value_s - m.computation_s - point.begin_s, 0.0));
    cells += microseconds(alone_s);
    if (full) {
        const auto [low_s, high_s] = extremes(point.alone);
        cells += microseconds(low_s) + microseconds(high_s);
    }
    return cells + fmt::format("{:>{}.2f}", std::max(hidden, 0.0), field_width);
}

/// The value below which so many percent lie, as OSU counts: of ranked values the one of this number.
double percentile_of(std::vector<double> values, int percent) {
    if (values.empty())
        return 0;
    std::ranges::sort(values);
    const double place = std::round(static_cast<double>(values.size()) * percent / 100);
    return values[static_cast<std::size_t>(std::max(place, 1.0)) - 1];
}

std::string row(const OsuProgram& program, const OsuPoint& point, const OsuColumns& columns) {
    const Measurement& m = point.measurement;
    const bool rates = is_bandwidth(program);
    const auto shown = [&](double time_s) {
        return rates ? megabytes_per_s(program, m, time_s)
                     : time_s / (program.table == latency ? 2 : 1) * microseconds_of_s;
    };
    // Without a length the value stands below the middle of its heading.
    const int width = program.has_lengths() ? field_width : program.table == nonblocking ? 13 : 17;
    // Wrong data have a time, but no value.
    const double value_s = std::isfinite(m.value_s) ? m.value_s : m.summary.mean_all;
    std::string line = program.has_lengths() ? fmt::format("{:<10}", osu_bytes(program, m)) : std::string();
    line += number(shown(value_s), width);
    if (program.table == pairs)
        line += fmt::format("{:>{}.2f}", m.messages / value_s, field_width);
    if (program.table == nonblocking) {
        line += overlap_cells(point, columns.full);
    } else if (columns.full) {
        const auto [low_s, high_s] = extremes(m);
        line += microseconds(low_s) + microseconds(high_s) + fmt::format("{:>12}", m.summary.count);
    }
    if (columns.validation)
        line += heading(has(m.flags, Flag::wrong_result) ? "Fail" : "Pass");
    std::vector<double> values;
    for (const double single_s : point.singles_s)
        values.push_back(shown(single_s));
    for (const int percentile : columns.percentiles)
        line += number(percentile_of(values, percentile));
    return line + "\n";
}

} // namespace

std::string_view OsuProgram::folder() const {
    return table == one_sided ? "one-sided" : is_point_to_point() ? "pt2pt" : "collective";
}

std::span<const OsuProgram> osu_programs() {
    return all_osu_programs;
}

const OsuProgram* osu_program(std::string_view name) {
    const auto* const found = std::ranges::find(all_osu_programs, name, &OsuProgram::name);
    return found == all_osu_programs.end() ? nullptr : found;
}

const OsuProgram* osu_program_of(const std::string& operation) {
    std::string usual = operation;
    if (usual.ends_with("-lock"))
        usual.replace(usual.rfind('-'), std::string::npos, "-flush");
    if (usual.ends_with("-one_buffer"))
        usual.erase(usual.rfind('-'));
    const auto* const found = std::ranges::find(all_osu_programs, usual, &OsuProgram::operation);
    return found == all_osu_programs.end() ? nullptr : found;
}

std::string osu_title_line(const OsuProgram& program) {
    return fmt::format("# {} v7.4\n", program.title);
}

std::int64_t osu_bytes(const OsuProgram& program, const Measurement& measurement) {
    return measurement.message_bytes * (program.lengths_of_all ? measurement.ranks : 1);
}

std::string osu_text(const OsuProgram& program, const Suite& suite, const std::vector<OsuPoint>& points,
                     const OsuColumns& columns, const std::vector<std::string>& remarks) {
    const bool begins_blank = program.table != one_sided && program.table != pairs;
    std::string text = (begins_blank ? "\n" : "") + osu_title_line(program);
    if (program.table == nonblocking)
        text += "# Overall = Coll. Init + Compute + MPI_Test + MPI_Wait\n\n";
    if (program.table == pairs)
        text += fmt::format("# [ pairs: {} ] [ window size: 64 ]\n",
                            points.empty() ? 1 : pairs_among(program, points.front().measurement));
    if (program.table == one_sided)
        text +=
            fmt::format("# Window creation: MPI_Win_allocate\n# Synchronization: {}\n",
                        suite.operation.name.ends_with("-lock") ? "MPI_Win_lock/unlock" : "MPI_Win_flush");
    for (const std::string& remark : remarks)
        text += "# " + remark + "\n";
    // OSU has one type of a byte for all, which MPI has no reduction for.
    const bool is_usual = suite.datatype == "MPI_BYTE" || suite.datatype == "MPI_INT8_T";
    if (program.has_lengths())
        text += fmt::format("# Datatype: {}.\n", is_usual ? "MPI_CHAR" : printable(suite.datatype));
    text += heading_line(program, columns);
    for (const OsuPoint& point : points)
        text += row(program, point, columns);
    return text;
}

} // namespace skampi
