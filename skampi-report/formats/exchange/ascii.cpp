// SPDX-License-Identifier: GPL-2.0-or-later
#include "formats/exchange/ascii.hpp"

#include "analysis/trust/value_error.hpp"
#include "model/field_text.hpp"
#include "model/pattern.hpp"
#include "model/placement.hpp"
#include "model/quantity.hpp"
#include "words/suite_facts.hpp"
#include "words/suite_words.hpp"

#include "base/text.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <optional>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

namespace skampi {

namespace {

constexpr double microseconds = 1e6;
constexpr double not_known = std::numeric_limits<double>::quiet_NaN();

/// Text of several lines after a keyword: lines but the first are indented, so that none can be taken for a
/// keyword or for the name of a suite.
std::string header(const std::string& keyword, const std::string& text) {
    std::string result = "@" + keyword;
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        result += (begin == 0 ? " " : "\n ") + printable(text.substr(begin, end - begin));
        begin = end + 1;
    }
    return result + "\n";
}

/// A name that cannot end the comment it stands in.
std::string in_comment(const std::string& name) {
    std::string safe = printable(name);
    for (std::size_t at = safe.find("*/"); at != std::string::npos; at = safe.find("*/"))
        safe[at] = '_';
    return safe;
}

/// How far the run came, as its last line.
std::string ending(const Subject& subject) {
    const auto count = [&](SuiteState state) {
        return std::ranges::count(subject.curves, state,
                                  [](const Curve& curve) { return curve.stored.state; });
    };
    const auto done = fmt::format("{} of {} done", count(SuiteState::finished),
                                  count_of(static_cast<std::int64_t>(subject.curves.size()), "suite"));
    const auto failed = count(SuiteState::failed);
    const auto put_off = count(SuiteState::put_off);
    if (!subject.run)
        return "skampi: no run.\n";
    const std::string bad = (failed > 0 ? fmt::format(", {} failed", failed) : "") +
                            (put_off > 0 ? fmt::format(", {} put off", put_off) : "");
    if (!subject.ended || count(SuiteState::open) > 0)
        return "skampi interrupted, " + done + bad + ".\n";
    if (!bad.empty())
        return "skampi ended, " + done + bad + ".\n";
    return subject.run->kind == "merged" ? "skampi finished-postprocessed.\n" : "skampi finished.\n";
}

std::string fact(const Run& run, const std::string& name) {
    const auto found = run.facts.find(name);
    return found == run.facts.end() ? "" : found->second;
}

/// What lies below zero, by the overhead subtracted, could not be measured.
std::string in_microseconds(double seconds) {
    return std::isfinite(seconds) && seconds >= 0 ? fmt::format("{:.6f}", seconds * microseconds) : "nan";
}

/// Standard error of a merged value between its launches.
double between_launches_s(const StoredMeasurement& point) {
    if (const std::optional<double> error = error_between_launches(point))
        return *error * point.measurement.value_s;
    return point.merge->runs > 1 ? point.merge->between_runs_error_s : not_known;
}

/// The ranks whose node times have a column each.
struct NodeColumns {
    std::vector<int> ranks; ///< in their order
    int ranks_there = 0;
    /// Not all have a column: neither do files hold the times of so many ranks.
    [[nodiscard]] bool too_many() const {
        return std::max(static_cast<std::size_t>(ranks_there), ranks.size()) > most_node_times;
    }
};

NodeColumns node_columns(const Curve& curve) {
    std::set<int> ranks;
    NodeColumns columns;
    for (const StoredMeasurement& point : curve.points) {
        columns.ranks_there = std::max(columns.ranks_there, point.measurement.ranks);
        for (const NodeTime& node : point.measurement.node_times)
            ranks.insert(node.rank);
    }
    columns.ranks.assign(ranks.begin(), ranks.end());
    return columns;
}

/// A title for each column of node times: " node0 node1"; of very many nodes what stands for them.
std::string titles_of(const NodeColumns& columns) {
    if (columns.ranks.empty())
        return "";
    if (columns.too_many())
        return " node0 fastest median slowest";
    return fmt::format(" node{}", fmt::join(columns.ranks, " node"));
}

/// A time for each of these titles, in seconds.
std::vector<double> node_columns_s(const std::vector<NodeTime>& times, const NodeColumns& columns) {
    if (columns.ranks.empty())
        return {};
    if (!columns.too_many()) {
        std::vector<double> columns_s(columns.ranks.size(), not_known);
        for (const NodeTime& node : times)
            columns_s[static_cast<std::size_t>(std::ranges::lower_bound(columns.ranks, node.rank) -
                                               columns.ranks.begin())] = node.value_s;
        return columns_s;
    }
    double first_s = not_known;
    std::vector<double> known_s;
    for (const NodeTime& node : times) {
        if (node.rank == 0)
            first_s = node.value_s;
        if (std::isfinite(node.value_s))
            known_s.push_back(node.value_s);
    }
    if (known_s.empty())
        return {first_s, not_known, not_known, not_known};
    std::sort(known_s.begin(), known_s.end());
    return {first_s, known_s.front(), known_s[known_s.size() / 2], known_s.back()};
}

/// What is known of a suite besides its name, its pattern and its arguments, as it is read back: "# Settings:
/// synchronization = window; reported_time = max".
std::string settings_text(const Suite& suite) {
    static constexpr auto told_elsewhere = std::to_array<std::string_view>(
        {"name", "family", "pattern", "varied", "start_argument", "end_argument", "unknown_fields"});
    constexpr std::size_t longest_line = 110;
    std::string text;
    std::string line;
    const auto end_line = [&] {
        if (!line.empty())
            text += "# Settings: " + std::exchange(line, {}) + "\n";
    };
    for_each_field(suite, [&](const SuiteField& field, const auto& value) {
        if (is_unknown(suite, field.name) ||
            std::ranges::find(told_elsewhere, std::string_view(field.name)) != told_elsewhere.end())
            return;
        std::string told = printable(field_text(value));
        std::ranges::replace(told, ';', ',');
        if (told.empty() && !is_setting(field.name))
            return;
        if (line.size() + told.size() > longest_line)
            end_line();
        line += fmt::format("{}{} = {}", line.empty() ? "" : "; ", field.name, told);
    });
    end_line();
    return text;
}

std::string suite_text(const Curve& curve) {
    const Suite& suite = curve.suite();
    std::string text = "#------------------------------------------------------------------------------\n";
    text += fmt::format("/*@{}_{}.ski*/\n", row_of(suite.operation.pattern).prefix, in_comment(suite.name));
    text += "# " + printable(what_is_measured(curve)) + "\n";
    text += fmt::format("# Pattern: {} varied over {}.\n", to_text(suite.operation.pattern),
                        to_text(suite.varied));
    if (knows(suite, "scale"))
        text += fmt::format("# x axis scale: {}.\n", to_text(suite.arguments.scale));
    if (curve.points.empty()) {
        const std::string reason = reason_of(curve.stored);
        text += fmt::format("# No measurements ({}{}{}).\n", to_text(curve.stored.state),
                            reason.empty() ? "" : ": ", printable(reason));
        return text + "#eol\n";
    }
    const Measurement& first = curve.points.front().measurement;
    const Measurement& last = curve.points.back().measurement;
    text += fmt::format("# Argument range: {} - {}.\n", first.argument, last.argument);
    text += fmt::format("# Default values: {}{}.\n",
                        first.ranks > 0 ? count_of(first.ranks, "node") : "unknown number of nodes",
                        suite.varied == Varied::message_length
                            ? ""
                            : ", message length " + count_of(first.message_bytes, "byte"));
    if (knows(suite, "max_relative_error"))
        text += fmt::format("# Max. allowed standard error is {:.2f} %.\n",
                            100 * suite.repetition.max_relative_error);
    text += settings_text(suite);
    const NodeColumns nodes = node_columns(curve);
    if (nodes.too_many() && !nodes.ranks.empty())
        text += fmt::format("# Node times: of {} nodes, those of node 0, and the smallest, median and "
                            "largest stored.\n",
                            nodes.ranks_there);
    const bool merged = std::ranges::any_of(
        curve.points, [](const StoredMeasurement& point) { return point.merge.has_value(); });
    text +=
        "# arg time stderr count time stderr count" + titles_of(nodes) +
        (merged
             ? ", microseconds; first the merged value, its standard error between launches and the single "
               "measurements behind it, then the same value, its repeatability and how many the cuts left\n"
             : ", microseconds; first of all single measurements, then after the cut\n");
    for (const StoredMeasurement& point : curve.points) {
        const Measurement& m = point.measurement;
        const skalib::Summary& s = m.summary;
        // The mean of all single measurements of several launches is of another launch than their median.
        const double first_s = point.merge ? m.value_s : s.mean_all;
        const double first_error_s = point.merge ? between_launches_s(point) : s.standard_error_all;
        text += fmt::format("{} {} {} {} {} {} {}", m.argument, in_microseconds(first_s),
                            in_microseconds(first_error_s), s.count, in_microseconds(m.value_s),
                            in_microseconds(m.standard_error_s), s.cut_count);
        for (const double time_s : node_columns_s(m.node_times, nodes))
            text += " " + in_microseconds(time_s);
        text += "\n";
    }
    return text + "#eol\n";
}

} // namespace

std::string ascii_report(const Subject& subject) {
    std::string text;
    const bool merged = subject.run && subject.run->kind == "merged";
    if (subject.run) {
        const Run& run = *subject.run;
        text += header("MACHINE", run.machine);
        text += header("NODE", run.node);
        text += header("NETWORK", run.network);
        text += header("USER", run.user);
        text += header("MPILIB_NAME", run.mpi_library);
        text += header("SKAMPIVERSION", run.tool_version);
        // "Linux 6.1.0"
        const std::string kernel = fact(run, "kernel");
        const std::size_t space = kernel.find(' ');
        text += header("OSNAME", kernel.substr(0, space));
        text += header("OSRELEASE", space == std::string::npos ? "" : kernel.substr(space + 1));
        text += header("HOSTNAME", run.host);
        text += header("ARCHITECTURE", fact(run, "architecture"));
        text += header("ABSOLUTE", run.absolute ? "yes" : "no");
        text += header("TIME", run.started_utc);
        if (merged)
            text += header("POSTPROC", fmt::format("{} times", run.merged_runs));
    }
    for (const Curve& curve : subject.curves)
        text += suite_text(curve);
    text += "#------------------------------------------------------------------------------\n/*@no*/\n";
    return text + ending(subject);
}

} // namespace skampi
