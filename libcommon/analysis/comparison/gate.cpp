#include "analysis/comparison/gate.hpp"

#include "model/quantity.hpp"

#include "base/error.hpp"
#include "base/text.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <optional>
#include <string_view>

namespace skampi {

namespace {

std::string_view trimmed(std::string_view text) {
    constexpr const char* blanks = " \t";
    const std::size_t begin = text.find_first_not_of(blanks);
    return begin == std::string_view::npos ? std::string_view()
                                           : text.substr(begin, text.find_last_not_of(blanks) + 1 - begin);
}

/// Takes a word off the end of a text.
bool take_word(std::string_view& text, std::string_view word) {
    if (!text.ends_with(word))
        return false;
    const std::string_view before = text.substr(0, text.size() - word.size());
    if (!before.empty() && before.back() != ' ' && before.back() != '\t')
        return false;
    text = trimmed(before);
    return true;
}

std::optional<double> ratio_of(std::string_view text) {
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value) || !(value > 0))
        return std::nullopt;
    return value;
}

/// An interval of a ratio.
struct Bounds {
    double low = 1;
    double high = 1;
};

/// All that the ratio may be: as measured and at an equal state of the machine. @pre judged()
struct BothRatios {
    Bounds counted;
    Bounds measured;
};

BothRatios ratios_of(const PooledComparison& pooled) {
    const Bounds counted{*pooled.ratio_low, *pooled.ratio_high};
    return {counted,
            pooled.as_measured ? Bounds{pooled.as_measured->low, pooled.as_measured->high} : counted};
}

/// @param launches that the side with fewer of them made
GateFinding judge(const Gate& gate, const PooledComparison& pooled, const RatioRange* range,
                  std::size_t launches) {
    GateFinding finding{.range = range, .pooled = &pooled};
    if (!pooled.judged()) {
        // Launches of too few are what a gate can be open for. Of many of which few count nobody knows how
        // many.
        if ((pooled.unjudged == Unjudged::few_launches || pooled.unjudged == Unjudged::launches_in_a_row) &&
            launches < launches_in_a_row_needed)
            finding.launches = launches_in_a_row_needed;
        return finding;
    }
    const auto [counted, measured] = ratios_of(pooled);
    const double low = std::min(counted.low, measured.low);
    const double high = std::max(counted.high, measured.high);
    finding.not_excluded = gate.above ? high : low;
    if (gate.above ? low > gate.limit : high < gate.limit)
        finding.outcome = GateOutcome::failed;
    else if (gate.above ? high < gate.margin : low > gate.margin)
        finding.outcome = GateOutcome::passed;
    else if (const bool bounded = pooled.as_measured && pooled.as_measured->bounded; !bounded) {
        const double from_limit = std::fabs(std::log(pooled.ratio / gate.limit));
        const double from_margin = std::fabs(std::log(pooled.ratio / gate.margin));
        const bool beyond = gate.above ? pooled.ratio > gate.limit : pooled.ratio < gate.limit;
        const bool within = gate.above ? pooled.ratio < gate.margin : pooled.ratio > gate.margin;
        const double distance = beyond && within ? std::max(from_limit, from_margin)
                                : beyond         ? from_limit
                                                 : from_margin;
        finding.launches =
            launches_to_decide(distance, pooled.first_spread, pooled.second_spread, pooled.error);
    }
    return finding;
}

/// Names for a message, at most a few.
std::string suites_with_time(const std::vector<DatabaseComparison>& comparisons) {
    std::vector<std::string> names;
    for (const DatabaseComparison& comparison : comparisons)
        for (const Curve& curve : comparison.reference->curves)
            if (std::ranges::any_of(curve.points, [](const StoredMeasurement& point) {
                    return above_zero(point.measurement);
                }))
                if (const std::string name = printable(shortened(curve.suite().name, 40));
                    std::ranges::find(names, name) == names.end())
                    names.push_back(name);
    constexpr std::size_t most = 12;
    const std::size_t more = names.size() - std::min(names.size(), most);
    names.resize(names.size() - more);
    return names.empty() ? "none: the baseline has no time at all"
                         : fmt::format("{}{}", fmt::join(names, ", "),
                                       more == 0 ? "" : fmt::format(" and {} more", more));
}

/// Launches that are compared with themselves pass every gate.
/// @throws InputError
void refuse_shared_launches(const Gate& gate, const DatabaseComparison& comparison) {
    const SharedLaunches& launches = comparison.launches_of_both;
    if (launches.shared == 0)
        return;
    throw InputError(fmt::format(
        "--fail-if '{}': {} and {} hold {}, of {} and {}, in common and so are compared with "
        "themselves, expected databases of different launches",
        printable(gate.text), printable(comparison.reference->path), printable(comparison.other->path),
        count_of(launches.shared, "launch", "launches"), launches.of_first, launches.of_second));
}

} // namespace

GateOutcome GateResult::outcome() const {
    const auto is = [](GateOutcome outcome) {
        return [outcome](const GateFinding& each) { return each.outcome == outcome; };
    };
    if (std::ranges::any_of(findings, is(GateOutcome::failed)))
        return GateOutcome::failed;
    const bool all = !findings.empty() && std::ranges::all_of(findings, is(GateOutcome::passed));
    return all && there == wanted ? GateOutcome::passed : GateOutcome::open;
}

const GateFinding* GateResult::decisive() const {
    const GateOutcome wanted_outcome = outcome();
    const auto weight = [&](const GateFinding& each) {
        constexpr double unknown = 1e9;
        if (wanted_outcome == GateOutcome::failed)
            return std::fabs(std::log(each.pooled->ratio));
        if (wanted_outcome == GateOutcome::open)
            return each.launches ? static_cast<double>(*each.launches) : unknown;
        const double nearest = each.not_excluded.value_or(1);
        return gate->above ? nearest : -nearest;
    };
    const GateFinding* found = nullptr;
    for (const GateFinding& each : findings)
        if (each.outcome == wanted_outcome && (!found || weight(each) > weight(*found)))
            found = &each;
    return found;
}

UnjudgedCounts GateResult::unknown() const {
    UnjudgedCounts counts;
    if (suite != nullptr)
        for (const PointComparison& point : suite->curves.points)
            if (!point.judged() && point.unjudged)
                ++counts[*point.unjudged];
    return counts;
}

Gate parse_gate(const std::string& text) {
    Gate gate;
    gate.text = text;
    std::string_view rest = trimmed(text);
    const auto wrong = [&] {
        return InputError(
            fmt::format("--fail-if '{}': expected [SUITES] > RATIO or [SUITES] significantly slower (or <, "
                        "faster)",
                        printable(text)));
    };
    const bool slower = take_word(rest, "slower");
    if (slower || take_word(rest, "faster")) {
        gate.above = slower;
        // A direction without an interval would be noise half of the time.
        if (!take_word(rest, "significantly"))
            throw wrong();
        gate.margin = slower ? default_margin : 1 / default_margin;
        gate.suites = rest;
        return gate;
    }
    const std::size_t sign = rest.find_last_of("<>");
    if (sign == std::string_view::npos)
        throw wrong();
    gate.above = rest[sign] == '>';
    const std::optional<double> limit = ratio_of(trimmed(rest.substr(sign + 1)));
    if (!limit)
        throw wrong();
    gate.limit = gate.margin = *limit;
    if (gate.limit == 1)
        gate.margin = gate.above ? default_margin : 1 / default_margin;
    rest = trimmed(rest.substr(0, sign));
    (void)take_word(rest, "significantly"); // it is what every condition means
    gate.suites = rest;
    return gate;
}

namespace {

/// What a gate says of a suite of the reference; none where it does not mean it.
std::optional<GateResult> check_suite(const Gate& gate, const DatabaseComparison& comparison,
                                      const Curve& reference) {
    const auto wanted = std::ranges::count_if(
        reference.points, [](const StoredMeasurement& point) { return above_zero(point.measurement); });
    const bool meant = gate.suites.empty() ? in_verdict(comparison, reference)
                                           : suite_selected(reference.suite().name, {gate.suites});
    if (wanted == 0 || !meant)
        return std::nullopt;
    GateResult result;
    result.gate = &gate;
    result.comparison = &comparison;
    result.reference = &reference;
    result.wanted = static_cast<std::size_t>(wanted);
    const auto place =
        std::ranges::find(comparison.suites, &reference, &DatabaseComparison::Suite::reference);
    if (place == comparison.suites.end())
        return result;
    result.suite = &*place;
    result.there =
        static_cast<std::size_t>(std::ranges::count_if(place->curves.points, &PointComparison::comparable));
    const std::size_t launches =
        std::min(comparison.reference->launches_with_values(), comparison.other->launches_with_values());
    if (place->whole.arguments > 0)
        result.findings.push_back(judge(gate, place->whole, nullptr, launches));
    if (place->ranges.size() > 1)
        for (const RatioRange& range : place->ranges)
            result.findings.push_back(judge(gate, range.pooled, &range, launches));
    return result;
}

} // namespace

std::vector<GateResult> check_gates(const std::vector<Gate>& gates,
                                    const std::vector<DatabaseComparison>& comparisons) {
    for (const Gate& gate : gates)
        for (const DatabaseComparison& comparison : comparisons)
            refuse_shared_launches(gate, comparison);
    std::vector<GateResult> results;
    for (const Gate& gate : gates) {
        const std::size_t before = results.size();
        for (const DatabaseComparison& comparison : comparisons)
            for (const Curve& reference : comparison.reference->curves)
                if (std::optional<GateResult> result = check_suite(gate, comparison, reference))
                    results.push_back(std::move(*result));
        if (results.size() == before)
            throw InputError(
                fmt::format("--fail-if '{}': the baseline has no time of such a suite, expected one of {}",
                            printable(gate.text), suites_with_time(comparisons)));
    }
    return results;
}

} // namespace skampi
