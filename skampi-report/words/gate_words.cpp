#include "words/gate_words.hpp"

#include "base/text.hpp"
#include "model/quantity.hpp"
#include "words/comparison_words.hpp"
#include "words/suite_words.hpp"
#include "words/verdict_words.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace skampi {

namespace {

std::string row_text(const GateResult& result, const PointComparison& point) {
    const std::string interval = point.judged()
                                     ? fmt::format(", interval {} to {}", format_ratio(*point.ratio_low),
                                                   format_ratio(*point.ratio_high))
                                     : "";
    // The reason may not be the library.
    const std::string state =
        point.in_other_state() ? fmt::format("; the machine was in another state: {} took {} as long",
                                             point.probe_ratio > 1 ? "its probe" : "the reference's probe",
                                             format_times(std::max(point.probe_ratio, 1 / point.probe_ratio)))
                               : "";
    return fmt::format("at {}: {} against {}, ratio {}{}{}", argument_text(*result.reference, point.argument),
                       format_time(point.second_s), format_time(point.first_s), format_ratio(point.ratio),
                       interval, state);
}

std::string whole_text(const PooledComparison& whole) {
    return fmt::format("over all arguments together ({}): ratio {}, interval {} to {}", whole.arguments,
                       format_ratio(whole.ratio), format_ratio(*whole.ratio_low),
                       format_ratio(*whole.ratio_high));
}

std::string open_text(const GateResult& result) {
    if (result.suite == nullptr || result.suite->curves.points.empty())
        return "has no time on the other side";
    const std::size_t there = result.suite->curves.points.size();
    const UnjudgedCounts unknown = result.unknown();
    std::vector<std::string> why;
    if (there < result.wanted)
        why.push_back(fmt::format("the other side has no time at {}",
                                  count_of(static_cast<std::int64_t>(result.wanted - there), "argument")));
    if (!unknown.empty())
        why.push_back(reasons_text(unknown));
    if (unknown.contains(Unjudged::other_quantity))
        why.back() += fmt::format(" ({})", fields_text(result.suite->curves.comparability.other_quantity));
    if (unknown.contains(Unjudged::other_ranks))
        why.back() +=
            fmt::format(" ({} against {})", ranks_of(*result.suite->other), ranks_of(*result.reference));
    return result.checked == 0 ? fmt::format("cannot be judged at any argument: {}", fmt::join(why, ", "))
                               : fmt::format("can be judged at only {} of {}: {}", result.checked,
                                             count_of(static_cast<std::int64_t>(result.wanted), "argument"),
                                             fmt::join(why, ", "));
}

} // namespace

std::string comparison_name(const DatabaseComparison& comparison) {
    return fmt::format("{} against {}", comparison.other->label, comparison.reference->label);
}

std::vector<std::string> gate_rows(const GateResult& result) {
    std::vector<std::string> rows;
    if (result.failed_as_a_whole)
        rows.push_back(whole_text(result.suite->whole));
    for (const PointComparison* point : result.failed)
        rows.push_back(row_text(result, *point));
    return rows;
}

std::string gate_message(const GateResult& result) {
    return result.open() ? open_text(result)
           : result.failed.empty()
               ? std::string("fails over all arguments together")
               : fmt::format("fails at {} of {}", result.failed.size(),
                             count_of(static_cast<std::int64_t>(result.checked), "argument"));
}

std::vector<std::string> failing_lines(const std::vector<GateResult>& results) {
    std::vector<std::string> lines;
    for (const GateResult& result : results) {
        const std::string begin = fmt::format("--fail-if '{}': {}: {} ", printable(result.gate->text),
                                              printable(comparison_name(*result.comparison)),
                                              printable(result.reference->suite().name));
        if (result.open())
            lines.push_back(begin + open_text(result));
        for (const std::string& row : gate_rows(result))
            lines.push_back(begin + row);
    }
    return lines;
}

std::vector<std::string> gate_doubts(const std::vector<DatabaseComparison>& comparisons,
                                     const std::vector<GateResult>& results) {
    std::vector<std::string> doubts;
    for (const DatabaseComparison& comparison : comparisons)
        for (const std::string& doubt : {other_ranks(comparison), launches_in_common(comparison)})
            if (!doubt.empty())
                doubts.push_back(printable(doubt));
    for (const DatabaseComparison& comparison : comparisons) {
        const bool significance_failed = std::ranges::any_of(results, [&](const GateResult& result) {
            return result.comparison == &comparison && result.gate->significantly &&
                   (result.failed_as_a_whole || !result.failed.empty());
        });
        for (const ComparisonDoubt& doubt : comparison.doubts)
            if (significance_failed && doubt.doubt == ComparisonDoubtKind::launches_in_a_row)
                doubts.push_back(printable(doubt_sentence(comparison, doubt)));
    }
    return doubts;
}

} // namespace skampi
