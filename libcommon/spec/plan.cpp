#include "spec/plan.hpp"

#include "base/hash.hpp"
#include "base/text.hpp"
#include "base/utf8.hpp"
#include "model/field_text.hpp"
#include "model/placement.hpp"
#include "model/quantity.hpp"
#include "spec/datatypes.hpp"
#include "spec/parameter_file.hpp"
#include "spec/suite_draft.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <iterator>
#include <limits>
#include <map>
#include <stdexcept>
#include <type_traits>

namespace skampi {

namespace {

constexpr std::int64_t chunks_per_worker_at_most = 16;

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

/// "20 ms", "1.4 s", "12 s", "3 min", "2.1 h"
std::string time_text(double time_s) {
    if (time_s < 0.0995)
        return fmt::format("{:.0f} ms", time_s * 1e3);
    if (time_s < 99.5)
        return fmt::format("{:.{}f} s", time_s, time_s < 9.95 ? 1 : 0);
    if (time_s < 99.5 * 60)
        return fmt::format("{:.0f} min", time_s / 60);
    return fmt::format("{:.1f} h", time_s / 3600);
}

std::string limit_text(const std::optional<double>& time_s) {
    return time_s ? time_text(*time_s) : "none";
}

int ranks_of(const Suite& suite, int ranks) {
    return suite.ranks == 0 ? ranks : std::min(suite.ranks, ranks);
}

/// Whether the suite can be measured at all with so many ranks.
bool has_ranks(const Suite& suite, int ranks) {
    const std::int64_t wanted = suite.varied == Varied::nodes ? suite.arguments.start : suite.ranks;
    return ranks >= std::max<std::int64_t>(wanted, fewest_ranks(suite.operation.pattern));
}

/// How many single measurements an argument needs as a rule, between its limits.
double usual_count(const skalib::RepetitionLimits& limits) {
    const auto fewest = static_cast<double>(limits.min_count);
    const double several = 8 * fewest;
    return limits.max_count ? std::min(several, static_cast<double>(*limits.max_count)) : several;
}

/// Time of one call by a rule of thumb: a network of 1 us and 5 GB/s, a tree of messages for collectives.
double usual_call_s(const Suite& suite, std::int64_t argument, int ranks) {
    constexpr double latency_s = 1e-6;
    constexpr double bytes_per_s = 5e9;
    const auto bytes =
        static_cast<double>(suite.varied == Varied::message_length ? argument : suite.message_bytes);
    const double participants =
        suite.varied == Varied::nodes ? static_cast<double>(argument) : ranks_of(suite, ranks);
    const double message_s = latency_s + bytes / bytes_per_s;
    switch (suite.operation.pattern) {
    case Pattern::ping_pong:
        return 2 * message_s;
    case Pattern::collective:
        return message_s * std::max(1.0, std::log2(participants));
    case Pattern::master_worker: {
        const auto given = static_cast<double>(suite.varied == Varied::chunks ? argument : suite.chunks);
        return 2 * message_s * (given > 0 ? given : std::max(1.0, participants - 1));
    }
    case Pattern::simple:
        break;
    }
    return suite.varied == Varied::message_length ? bytes / bytes_per_s : latency_s;
}

/// Estimated time of one argument: warm-up and repetition of blocks that are never shorter than 4 us, and
/// never less than a stay of several milliseconds in every pass; caches are emptied by writing 256 MiB.
double usual_argument_s(const Suite& suite, std::int64_t argument, int ranks) {
    constexpr double shortest_stay_s = 6e-3;
    constexpr double emptying_s = 40e-3;
    const double call_s =
        usual_call_s(suite, argument, ranks) + (suite.buffers == BufferPolicy::cold ? emptying_s : 0);
    const double warm_up_calls = call_s < 10e-6 ? 256 : 4;
    const double time_s = std::max(suite.passes * shortest_stay_s,
                                   suite.passes * warm_up_calls * call_s +
                                       usual_count(suite.repetition) * std::max(call_s, usual_block_s));
    return suite.repetition.max_time_s ? std::min(time_s, *suite.repetition.max_time_s) : time_s;
}

/// Most arguments that refinement can reach: Max_Steps, or as many as fit between the first and the last. The
/// first pass is made whatever Max_Steps says.
std::int64_t most_points(const skalib::RefinementLimits& arguments, std::int64_t first_pass) {
    const std::int64_t distance = std::max({arguments.multiple_of, arguments.min_distance, std::int64_t{1}});
    const std::int64_t between = (arguments.end - arguments.start) / distance; // and both ends
    const std::int64_t most = arguments.max_steps.value_or(std::numeric_limits<std::int64_t>::max());
    return std::max(first_pass, between >= most ? most : std::min(most, between + 1));
}

/// What `check` says of one suite.
struct SuitePlan {
    std::string range;
    std::string points;
    std::optional<double> longest_s; ///< none = no limit
    double usual_s = 0;
    bool possible = true;
};

/// Whether the suite's partner is a rank that a run with so many ranks does not have.
bool lacks_partner(const Suite& suite, int ranks) {
    const PartnerChoice choice = partner_choice(suite);
    return suite.operation.pattern == Pattern::ping_pong && choice.rule == PartnerChoice::Rule::rank &&
           choice.rank >= ranks;
}

/// Whether it depends on where the launcher puts the ranks that the suite's partner is there.
bool partner_depends_on_placement(const Suite& suite) {
    const PartnerChoice::Rule rule = partner_choice(suite).rule;
    return suite.operation.pattern == Pattern::ping_pong &&
           (rule == PartnerChoice::Rule::same_socket || rule == PartnerChoice::Rule::other_socket ||
            rule == PartnerChoice::Rule::other_node);
}

SuitePlan plan_of(const Suite& suite, int ranks, std::int64_t memory_bytes) {
    SuitePlan plan;
    const auto arguments = resolved_arguments(suite, ranks, memory_bytes);
    const bool no_partner = has_ranks(suite, ranks) && lacks_partner(suite, ranks);
    if (!arguments || no_partner) {
        plan.possible = false;
        const bool few_ranks = !has_ranks(suite, ranks) || suite.varied == Varied::nodes;
        plan.range = no_partner  ? fmt::format("has no {}", partner_text(partner_choice(suite)))
                     : few_ranks ? "needs more ranks"
                     : suite.varied == Varied::message_length ? "needs more memory"
                                                              : "no multiple among its arguments";
        plan.points = "0";
        plan.longest_s = 0;
        return plan;
    }
    const std::vector<std::int64_t> first_pass = skalib::Refinement(*arguments).first_pass();
    const auto first = static_cast<std::int64_t>(first_pass.size());
    const std::int64_t most = most_points(*arguments, first);
    const bool refined = skalib::is_dynamic(arguments->scale) && most > first;
    if (suite.varied == Varied::none) {
        plan.range = "-";
        plan.points = "1";
    } else {
        const bool memory_decides = suite.end_is_max && suite.varied == Varied::message_length;
        plan.range = fmt::format("{} .. {}{}", size_text(arguments->start), memory_decides ? "at most " : "",
                                 size_text(arguments->end));
        plan.points = refined ? fmt::format("{} .. {}", first, most) : fmt::format("{}", first);
    }

    for (const std::int64_t argument : first_pass)
        plan.usual_s += usual_argument_s(suite, argument, ranks);
    if (refined)
        plan.usual_s *= std::min(1.5, static_cast<double>(most) / static_cast<double>(first));
    if (suite.repetition.max_time_s)
        plan.longest_s = static_cast<double>(refined ? most : first) * *suite.repetition.max_time_s;
    if (suite.max_suite_time_s) {
        plan.longest_s = std::min(plan.longest_s.value_or(*suite.max_suite_time_s), *suite.max_suite_time_s);
        plan.usual_s = std::min(plan.usual_s, *suite.max_suite_time_s);
    }
    return plan;
}

/// Columns as wide as their widest cell, two blanks between them, nothing behind the last.
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

} // namespace

std::optional<skalib::RefinementLimits> resolved_arguments(const Suite& suite, int ranks,
                                                           std::int64_t max_message_bytes) {
    if (!has_ranks(suite, ranks))
        return std::nullopt;
    skalib::RefinementLimits arguments = suite.arguments;
    const std::int64_t participants = ranks_of(suite, ranks);
    switch (suite.varied) {
    case Varied::none:
        break;
    case Varied::message_length: {
        const DatatypeInfo* const datatype = find_datatype(suite.datatype);
        const auto element = datatype == nullptr ? 1 : static_cast<std::int64_t>(datatype->bytes);
        const std::int64_t longest = max_message_bytes / element * element;
        arguments.end = suite.end_is_max ? longest : std::min(arguments.end, longest);
        break;
    }
    case Varied::nodes:
        arguments.end = suite.end_is_max ? ranks : std::min<std::int64_t>(arguments.end, ranks);
        break;
    case Varied::chunks: {
        const std::int64_t workers = std::max<std::int64_t>(participants - 1, 1);
        if (arguments.start == 0)
            arguments.start = suite.end_is_max ? workers : std::min(workers, arguments.end);
        if (suite.end_is_max)
            arguments.end = std::max(arguments.start, workers * chunks_per_worker_at_most);
        break;
    }
    }
    arguments = skalib::within_multiples(arguments);
    return arguments.start <= arguments.end ? std::optional(arguments) : std::nullopt;
}

std::string suite_text(const Suite& suite) {
    Suite decisive = suite;
    // What is varied, or decided by the machine, means nothing here.
    switch (suite.varied) {
    case Varied::message_length:
        decisive.message_bytes = 0;
        break;
    case Varied::chunks:
        decisive.chunks = 0;
        break;
    case Varied::nodes:
        decisive.ranks = 0;
        break;
    case Varied::none:
        break;
    }
    if (suite.end_is_max)
        decisive.arguments.end = 0;
    std::string text;
    for_each_field(decisive, [&](const Field& field, const auto& value) {
        if (field.is(in_plan))
            text += fmt::format("{}={}\n", field.name, field_text(value));
    });
    return text;
}

std::string plan_hash(const ParameterFile& file) {
    std::vector<std::string> texts;
    bool memory_decides = false;
    for (const Suite& suite : file.suites) {
        texts.push_back(fmt::format("suite={}\nfamily={}\n{}", suite.name, suite.family, suite_text(suite)));
        memory_decides = memory_decides || (suite.end_is_max && suite.varied == Varied::message_length);
    }
    // Each launch of a series has its own order of suites.
    std::sort(texts.begin(), texts.end());
    Fnv1a hash;
    for (const std::string& text : texts)
        hash.add(text);
    if (memory_decides)
        hash.add(fmt::format("memory_bytes={}\n", file.memory_bytes));
    if (file.resolution != skalib::usual_resolution)
        hash.add(fmt::format("resolution={}\n", file.resolution));
    return fmt::format("{:016x}", hash.value());
}

std::string describe_plan(const ParameterFile& file, int ranks) {
    std::vector<std::vector<std::string>> rows{{"suite", "operation", "pattern", "varied", "arguments",
                                                "points", "repetitions", "error", "per argument", "at most",
                                                "about"}};
    double usual_s = 0;
    double longest_s = 0;
    std::size_t without_limit = 0;
    std::size_t impossible = 0;
    std::map<std::string, std::vector<std::string>> by_placement; // Partner -> suites
    for (const Suite& suite : file.suites) {
        if (partner_depends_on_placement(suite))
            by_placement[partner_text(partner_choice(suite))].push_back(printable(suite.name));
        const SuitePlan plan = plan_of(suite, ranks, file.memory_bytes);
        const std::string max_count =
            suite.repetition.max_count ? fmt::format("{}", *suite.repetition.max_count) : "no limit";
        rows.push_back(
            {printable(suite.name), suite.operation.name, std::string(to_text(suite.operation.pattern)),
             std::string(to_text(suite.varied)), plan.range, plan.points,
             fmt::format("{} .. {}", suite.repetition.min_count, max_count),
             fmt::format("{:.3g} %", 100 * suite.repetition.max_relative_error),
             limit_text(suite.repetition.max_time_s), limit_text(plan.longest_s), time_text(plan.usual_s)});
        usual_s += plan.usual_s;
        longest_s += plan.longest_s.value_or(0);
        without_limit += plan.longest_s ? 0 : 1;
        impossible += plan.possible ? 0 : 1;
    }
    std::string text = aligned(rows);
    text += fmt::format("\n{} suite{} with {} rank{}, {} of message buffers per rank\n", file.suites.size(),
                        file.suites.size() == 1 ? "" : "s", ranks, ranks == 1 ? "" : "s",
                        size_text(file.memory_bytes));
    text += without_limit == 0
                ? fmt::format("time: at most {} of measuring", time_text(longest_s))
                : fmt::format("time: {} no limit", without_limit == 1
                                                       ? std::string("1 suite has")
                                                       : fmt::format("{} suites have", without_limit));
    text += fmt::format(", about {} by a rule of thumb (1 us latency, 5 GB/s)\n", time_text(usual_s));
    // Nobody can tell them before: they are the machine's, its disk's, and one call's own.
    text +=
        "beside it: starting MPI, the calls that are running when a time is over, and forming and storing "
        "each value\n";
    for (const auto& [partner, names] : by_placement)
        text += fmt::format("{}: measured only where the launcher puts a rank that fits Partner = {}\n",
                            enumeration(names), partner);
    if (impossible > 0)
        text +=
            fmt::format("{} cannot be measured with {} and this memory\n",
                        count_of(static_cast<std::int64_t>(impossible), "suite"), count_of(ranks, "rank"));
    return text;
}

} // namespace skampi
