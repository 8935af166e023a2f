// SPDX-License-Identifier: LGPL-2.1-or-later
#include "spec/plan_text.hpp"

#include "base/text.hpp"
#include "base/utf8.hpp"
#include "model/placement.hpp"
#include "model/quantity.hpp"
#include "spec/plan_size.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <fmt/format.h>
#include <map>
#include <optional>
#include <string_view>
#include <vector>

namespace skampi {

namespace {

/// "256", "64 KiB", "4 MiB": whole units only.
std::string size_text(std::int64_t bytes) {
    constexpr std::array<std::string_view, 4> units{"", " KiB", " MiB", " GiB"};
    std::size_t unit = 0;
    while (unit + 1 < units.size() && bytes >= 1024 && bytes % 1024 == 0) {
        bytes /= 1024;
        ++unit;
    }
    return fmt::format("{}{}", bytes, units[unit]);
}

std::string limit_text(const std::optional<double>& time_s) {
    return time_s ? rough_time(*time_s) : "none";
}

/// A table with columns as wide as their widest cell and two blanks between them.
std::string aligned(const std::vector<std::vector<std::string>>& rows) {
    std::vector<std::size_t> widths(rows.front().size());
    for (const auto& row : rows)
        for (std::size_t i = 0; i < row.size(); ++i)
            widths[i] = std::max(widths[i], character_count(row[i]));
    std::string text;
    for (const auto& row : rows) {
        for (std::size_t i = 0; i < row.size(); ++i) {
            text += row[i];
            if (i + 1 < row.size())
                text.append(widths[i] - character_count(row[i]) + 2, ' ');
        }
        text += '\n';
    }
    return text;
}

std::string obstacle_text(Obstacle obstacle, const Suite& suite) {
    switch (obstacle) {
    case Obstacle::few_ranks:
        return "needs more ranks";
    case Obstacle::little_memory:
        return "needs more memory";
    case Obstacle::no_multiple:
        return "no multiple among its arguments";
    case Obstacle::no_partner:
        return fmt::format("has no {}", partner_text(partner_choice(suite)));
    }
    return {};
}

std::string range_text(const Suite& suite, const SuiteSize& size) {
    if (size.obstacle)
        return obstacle_text(*size.obstacle, suite);
    if (suite.varied == Varied::none)
        return "-";
    return fmt::format("{} .. {}{}", size_text(size.start), size.end_by_memory ? "at most " : "",
                       size_text(size.end));
}

std::string points_text(const SuiteSize& size) {
    return size.most_points > size.first_points ? fmt::format("{} .. {}", size.first_points, size.most_points)
                                                : fmt::format("{}", size.first_points);
}

/// "MPI_Reduce (MPI_DOUBLE, MPI_SUM)"
std::string operation_text(const Suite& suite) {
    return suite.reduction.empty()
               ? suite.operation.name
               : fmt::format("{} ({}, {})", suite.operation.name, suite.datatype, suite.reduction);
}

std::string varied_word(const Suite& suite) {
    return suite.varied == Varied::message_length && suite.operation.meaning == Meaning::local
               ? "length"
               : std::string(to_text(suite.varied));
}

std::vector<std::string> row_of(const Suite& suite, const SuiteSize& size) {
    const std::string max_count =
        suite.repetition.max_count ? fmt::format("{}", *suite.repetition.max_count) : "no limit";
    return {printable(suite.name),
            operation_text(suite),
            std::string(to_text(suite.operation.pattern)),
            varied_word(suite),
            range_text(suite, size),
            points_text(size),
            fmt::format("{} .. {}", suite.repetition.min_count, max_count),
            fmt::format("{:.3g} %", 100 * suite.repetition.max_relative_error),
            limit_text(size.longest_s && !size.obstacle
                           ? std::min(suite.repetition.max_time_s.value_or(*size.longest_s), *size.longest_s)
                           : suite.repetition.max_time_s),
            limit_text(size.longest_s),
            rough_time(size.estimate_s)};
}

/// "Bcast: 3 algorithms, measured in turns"; nothing of a plan without any.
std::string algorithms_text(const ParameterFile& file) {
    std::map<std::string, std::pair<std::int64_t, bool>> blocks; // how many, and whether one of them is all
    for (const Suite& suite : file.suites) {
        if (suite.algorithm.empty() && !suite.name.ends_with("Algorithm = default)"))
            continue;
        auto& [count, all] = blocks[suite.family];
        ++count;
        all = all || suite.algorithm == every_algorithm;
    }
    std::string text;
    for (const auto& [family, block] : blocks)
        text += block.second
                    ? fmt::format(
                          "{}: a suite of each algorithm that the MPI library has (skampi-run algorithms), "
                          "measured in turns; the time is that of one\n",
                          printable(family))
                    : fmt::format("{}: {}, measured in turns\n", printable(family),
                                  count_of(block.first, "suite"));
    return text;
}

} // namespace

std::string host_warning(const HostLimits& host, int ranks, std::int64_t buffer_bytes) {
    std::string text;
    if (host.cores > 0 && ranks > host.cores)
        text = fmt::format(
            "{} for {} of this host: unless they run on other hosts, too, they share cores, and times "
            "are mostly those of the scheduler",
            count_of(ranks, "rank"), count_of(host.cores, "core"));
    const double wanted = static_cast<double>(ranks) * static_cast<double>(buffer_bytes);
    if (host.memory_bytes > 0 && wanted > static_cast<double>(host.memory_bytes)) {
        constexpr double gibibyte = 1 << 30;
        text += fmt::format(
            "{}their message buffers may take {:.3g} GiB (@MEMORY of each rank), and this host has "
            "{:.3g} GiB",
            text.empty() ? "" : "; ", wanted / gibibyte, static_cast<double>(host.memory_bytes) / gibibyte);
    }
    return text;
}

namespace {

/// What a launch takes.
struct LaunchTime {
    double estimate_s = 0;
    std::optional<double> longest_s = 0; ///< none = without limit
};

LaunchTime launch_time(const ParameterFile& file, int ranks) {
    LaunchTime launch;
    for (const Suite& suite : file.suites) {
        const SuiteSize size = size_of(suite, ranks, file.memory_bytes);
        launch.estimate_s += size.estimate_s;
        launch.longest_s = launch.longest_s && size.longest_s
                               ? std::optional(*launch.longest_s + *size.longest_s)
                               : std::nullopt;
    }
    return launch;
}

/// "3.0 s to 20 s", with the start of each.
std::string span_text(const LaunchTime& launch, double launches) {
    constexpr double start_s = 0.3; // of MPI, and of the program, on one host
    const std::string least = rough_time(launches * (launch.estimate_s + start_s));
    if (!launch.longest_s)
        return least + " or more";
    const std::string most = rough_time(launches * (*launch.longest_s + start_s));
    return least == most ? least : least + " to " + most;
}

} // namespace

std::string describe_launches(const ParameterFile& file, const ParameterFile& in_turns, int ranks) {
    const LaunchTime launch = launch_time(file, ranks);
    if (launch.estimate_s <= 0)
        return {};
    const LaunchTime of_turns = launch_time(in_turns, ranks);
    const std::size_t variants = std::max<std::size_t>(2, file.variants.size());
    constexpr double first_look = 5;
    constexpr double last_look = 40;
    const auto per_round = static_cast<double>(variants);
    return fmt::format(
        "several launches: --launches 5 takes {}; compare with {} variants {} for 5 rounds, {} for 40 (no "
        "round begins that would end after its --time [1h])\n",
        span_text(launch, 5), variants, span_text(of_turns, first_look * per_round),
        span_text(of_turns, last_look * per_round));
}

std::string describe_plan(const ParameterFile& file, int ranks) {
    std::vector<std::vector<std::string>> rows{{"suite", "operation", "pattern", "varied", "arguments",
                                                "points", "repetitions", "error", "per argument", "at most",
                                                "estimate"}};
    double estimate_s = 0;
    double longest_s = 0;
    std::int64_t without_limit = 0;
    double bytes = 0;
    std::int64_t impossible = 0;
    std::map<std::string, std::vector<std::string>> by_placement; // Partner -> suites
    std::string beyond_limit;
    for (const Suite& suite : file.suites) {
        const SuiteSize size = size_of(suite, std::max(ranks, 1), file.memory_bytes);
        if (size.partner_by_placement)
            by_placement[partner_text(partner_choice(suite))].push_back(printable(suite.name));
        rows.push_back(row_of(suite, size));
        estimate_s += size.estimate_s;
        longest_s += size.longest_s.value_or(0);
        bytes += size.bytes;
        if (size.longest_s && size.longest_call_s > *size.longest_s && !size.obstacle)
            beyond_limit +=
                fmt::format("{}: one call at {} takes about {}, more than its time limit of {}; calls "
                            "are not interrupted\n",
                            printable(suite.name), size_text(size.end), rough_time(size.longest_call_s),
                            rough_time(*size.longest_s));
        without_limit += size.longest_s ? 0 : 1;
        impossible += size.obstacle ? 1 : 0;
    }
    std::string text = aligned(rows);
    const std::string suites = count_of(std::ssize(file.suites), "suite");
    const std::string memory = size_text(file.memory_bytes);
    text += ranks > 0 ? fmt::format("\n{} with {}, {} of message buffers per rank\n", suites,
                                    count_of(ranks, "rank"), memory)
                      : fmt::format("\n{}, {} of buffers\n", suites, memory);
    text +=
        without_limit == 0
            ? fmt::format("time: at most {} of measuring in each launch", rough_time(longest_s))
            : fmt::format("time: {} no limit",
                          without_limit == 1 ? "1 suite has" : fmt::format("{} suites have", without_limit));
    if (ranks == 0)
        return text + "\n";
    text += fmt::format(", about {} with 1 us latency and 5 GB/s if nothing else uses the cores\n",
                        rough_time(estimate_s));
    if (bytes > 0)
        text += fmt::format("database: about {:.2g} MB for each launch\n", bytes / 1e6);
    text +=
        "not included: the start of MPI, calls that still run when a time limit is reached, and computing "
        "and storing each value\n";
    text += beyond_limit + algorithms_text(file);
    for (const auto& [partner, names] : by_placement)
        text += fmt::format("{}: measured only if the launcher places a rank that matches Partner = {}\n",
                            enumeration(names), partner);
    if (impossible > 0)
        text += fmt::format("{} cannot be measured with {} and this memory\n", count_of(impossible, "suite"),
                            count_of(ranks, "rank"));
    return text;
}

} // namespace skampi
