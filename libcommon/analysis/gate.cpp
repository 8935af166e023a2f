#include "analysis/gate.hpp"

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

/// Whether an interval lies whole on the side that fails. @pre judged()
template <typename Comparison>
bool fails_significantly(const Gate& gate, const Comparison& comparison) {
    return gate.above ? *comparison.ratio_low > gate.limit : *comparison.ratio_high < gate.limit;
}

/// @pre knows()
bool fails(const Gate& gate, const PointComparison& point) {
    if (!gate.significantly)
        return gate.above ? point.ratio > gate.limit : point.ratio < gate.limit;
    return fails_significantly(gate, point);
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

/// Launches that are compared with themselves pass a gate on significance, and all gates where there are no
/// others.
/// @throws InputError
void refuse_shared_launches(const Gate& gate, const DatabaseComparison& comparison) {
    const SharedLaunches& launches = comparison.launches_of_both;
    if (launches.shared == 0 || (!gate.significantly && !launches.same()))
        return;
    throw InputError(fmt::format(
        "--fail-if '{}': {} and {} hold {}, of {} and {}, in common and so are compared with "
        "themselves, expected databases of different launches",
        printable(gate.text), printable(comparison.reference->path), printable(comparison.other->path),
        count_of(static_cast<std::int64_t>(launches.shared), "launch", "launches"), launches.of_first,
        launches.of_second));
}

} // namespace

bool knows(const Gate& gate, const PointComparison& point) {
    return gate.significantly ? point.judged() : point.comparable;
}

GateOutcome GateResult::outcome() const {
    return failed_as_a_whole || !failed.empty() ? GateOutcome::failed
           : open()                             ? GateOutcome::open
                                                : GateOutcome::passed;
}

UnjudgedCounts GateResult::unknown() const {
    UnjudgedCounts counts;
    if (suite != nullptr)
        for (const PointComparison& point : suite->curves.points)
            if (!knows(*gate, point) && point.unjudged)
                ++counts[*point.unjudged];
    return counts;
}

Gate parse_gate(const std::string& text) {
    Gate gate;
    gate.text = text;
    std::string_view rest = trimmed(text);
    const auto wrong = [&] {
        return InputError(
            fmt::format("--fail-if '{}': expected [SUITES] > RATIO, [SUITES] significantly > RATIO or "
                        "[SUITES] significantly slower (or <, faster)",
                        printable(text)));
    };
    const bool slower = take_word(rest, "slower");
    if (slower || take_word(rest, "faster")) {
        gate.above = slower;
        // A direction without an interval would be noise half of the time.
        if (!take_word(rest, "significantly"))
            throw wrong();
        gate.significantly = true;
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
    gate.limit = *limit;
    rest = trimmed(rest.substr(0, sign));
    gate.significantly = take_word(rest, "significantly");
    gate.suites = rest;
    return gate;
}

std::vector<GateResult> check_gates(const std::vector<Gate>& gates,
                                    const std::vector<DatabaseComparison>& comparisons) {
    for (const Gate& gate : gates)
        for (const DatabaseComparison& comparison : comparisons)
            refuse_shared_launches(gate, comparison);
    std::vector<GateResult> results;
    for (const Gate& gate : gates) {
        const std::size_t before = results.size();
        for (const DatabaseComparison& comparison : comparisons)
            for (const Curve& reference : comparison.reference->curves) {
                const auto wanted =
                    std::ranges::count_if(reference.points, [](const StoredMeasurement& point) {
                        return above_zero(point.measurement);
                    });
                if (wanted == 0 ||
                    (!gate.suites.empty() && !suite_selected(reference.suite().name, {gate.suites})))
                    continue;
                const auto place =
                    std::ranges::find(comparison.suites, &reference, &DatabaseComparison::Suite::reference);
                if (gate.suites.empty() && !in_verdict(comparison, reference))
                    continue;
                GateResult result;
                result.gate = &gate;
                result.comparison = &comparison;
                result.reference = &reference;
                result.wanted = static_cast<std::size_t>(wanted);
                if (place != comparison.suites.end()) {
                    result.suite = &*place;
                    for (const PointComparison& point : place->curves.points) {
                        if (!knows(gate, point))
                            continue;
                        ++result.checked;
                        if (fails(gate, point))
                            result.failed.push_back(&point);
                    }
                    result.failed_as_a_whole = gate.significantly && place->whole.judged() &&
                                               fails_significantly(gate, place->whole);
                }
                results.push_back(std::move(result));
            }
        if (results.size() == before)
            throw InputError(
                fmt::format("--fail-if '{}': the baseline has no time of such a suite, expected one of {}",
                            printable(gate.text), suites_with_time(comparisons)));
    }
    return results;
}

} // namespace skampi
