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

/// "above 64 KiB: ratio 2.57, 2.40 to 2.80" with what was measured where that is another ratio.
std::string finding_text(const GateResult& result, const GateFinding& finding) {
    const PooledComparison& pooled = *finding.pooled;
    std::string text = finding.range ? range_text(*result.suite, *finding.range).substr(1) + ": " : "";
    text += fmt::format("ratio {}", format_ratio(pooled.ratio));
    if (pooled.judged())
        text += fmt::format(", {} to {}", format_ratio(*pooled.ratio_low), format_ratio(*pooled.ratio_high));
    if (pooled.as_measured)
        text += fmt::format(" at an equal machine state; as measured {}, {} to {}",
                            format_ratio(pooled.as_measured->ratio), format_ratio(pooled.as_measured->low),
                            format_ratio(pooled.as_measured->high));
    return text;
}

/// Why an argument has nothing to compare, or cannot be judged.
std::string missing_text(const GateResult& result) {
    if (result.suite == nullptr || result.suite->curves.points.empty())
        return "the other side has no time of it";
    const std::size_t there = result.suite->curves.points.size();
    const UnjudgedCounts unknown = result.unknown();
    std::vector<std::string> why;
    if (there < result.wanted)
        why.push_back(
            fmt::format("the other side has no time at {}", count_of(result.wanted - there, "argument")));
    if (!unknown.empty())
        why.push_back(reasons_text(unknown));
    if (unknown.contains(Unjudged::other_quantity))
        why.back() += fmt::format(" ({})", fields_text(result.suite->curves.comparability.other_quantity));
    if (unknown.contains(Unjudged::other_ranks))
        why.back() +=
            fmt::format(" ({} against {})", ranks_of(*result.suite->other), ranks_of(*result.reference));
    return fmt::format("{}", fmt::join(why, ", "));
}

/// What would decide an open result.
std::string remedy_text(const GateFinding& finding) {
    if (finding.launches)
        return fmt::format("; {} launches of each side would decide it", *finding.launches);
    return finding.pooled->as_measured && finding.pooled->as_measured->bounded
               ? "; launches of both sides in turns would decide it"
               : "";
}

std::string limit_text(const GateResult& result) {
    const Gate& gate = *result.gate;
    return gate.limit == gate.margin ? fmt::format("limit {}", format_ratio(gate.limit))
                                     : fmt::format("limit {}, to be excluded {}", format_ratio(gate.limit),
                                                   format_ratio(gate.margin));
}

} // namespace

std::string comparison_name(const DatabaseComparison& comparison) {
    return fmt::format("{} against {}", comparison.other->label, comparison.reference->label);
}

std::string gate_message(const GateResult& result) {
    const GateFinding* decisive = result.decisive();
    const bool unjudged = decisive == nullptr || !decisive->pooled->judged();
    switch (result.outcome()) {
    case GateOutcome::failed:
        return fmt::format("fails: {} ({})", finding_text(result, *decisive), limit_text(result));
    case GateOutcome::passed:
        return fmt::format("passes: {} ({})", finding_text(result, *decisive), limit_text(result));
    case GateOutcome::open:
        break;
    }
    if (unjudged)
        return fmt::format("undecided: {}{}", missing_text(result), decisive ? remedy_text(*decisive) : "");
    return fmt::format("undecided: {} ({}){}", finding_text(result, *decisive), limit_text(result),
                       remedy_text(*decisive));
}

std::vector<std::string> gate_lines(const std::vector<GateResult>& results, GateOutcome outcome) {
    std::vector<std::string> lines;
    for (const GateResult& result : results)
        if (result.outcome() == outcome)
            lines.push_back(fmt::format("--fail-if '{}': {}: {} {}", printable(result.gate->text),
                                        printable(comparison_name(*result.comparison)),
                                        printable(result.reference->suite().name), gate_message(result)));
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
        const bool failed = std::ranges::any_of(results, [&](const GateResult& result) {
            return result.comparison == &comparison && result.outcome() == GateOutcome::failed;
        });
        for (const ComparisonDoubt& doubt : comparison.doubts)
            if (failed && (doubt.doubt == ComparisonDoubtKind::launches_in_a_row ||
                           doubt.doubt == ComparisonDoubtKind::times_unknown))
                doubts.push_back(printable(doubt_sentence(comparison, doubt)));
    }
    return doubts;
}

} // namespace skampi
