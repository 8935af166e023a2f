// SPDX-License-Identifier: LGPL-2.1-or-later
#include "contest/gate.hpp"

#include "contest/estimate.hpp"
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

GateFinding judge(const Gate& gate, const Statement& statement) {
    GateFinding finding{.statement = &statement};
    if (!statement.judged()) {
        if (statement.why == Why::few_launches)
            finding.launches = launches_needed;
        return finding;
    }
    finding.not_excluded = gate.above ? statement.high : statement.low;
    const double ratio = statement.ratio;
    if (gate.beyond(gate.above ? statement.low : statement.high)) {
        finding.outcome = GateOutcome::failed;
    } else if (gate.above ? statement.high < gate.margin : statement.low > gate.margin) {
        finding.outcome = GateOutcome::passed;
    } else {
        finding.launches =
            launches_to_decide(std::fabs(std::log(ratio / (gate.beyond(ratio) ? gate.limit : gate.margin))),
                               statement.spread, statement.error);
    }
    return finding;
}

/// Names for a message, at most a few.
std::string suites_with_time(const std::vector<Contest>& contests) {
    std::vector<std::string> names;
    for (const Contest& contest : contests)
        for (const Curve& curve : contest.reference->curves)
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
void refuse_shared_launches(const Gate& gate, const Contest& contest) {
    if (contest.shared_launches == 0)
        return;
    throw InputError(fmt::format(
        "--fail-if '{}': {} and {} hold {} in common, which are compared with themselves; "
        "expected databases of different launches",
        printable(gate.text), printable(contest.reference->path), printable(contest.subject->path),
        count_of(contest.shared_launches, "launch", "launches")));
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
            return std::fabs(std::log(each.statement->ratio));
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

Why GateResult::why() const {
    if (suite->why != Why::none || findings.empty())
        return suite->why;
    const GateFinding* const found = decisive();
    return found ? found->statement->why : Why::no_values;
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
    (void)take_word(rest, "significantly"); // every condition implies it
    gate.suites = rest;
    return gate;
}

namespace {

/// A gate's result for a suite; none where the gate does not select it.
std::optional<GateResult> check_suite(const Gate& gate, const Contest& contest, const SuiteContest& suite) {
    const auto wanted = std::ranges::count_if(suite.reference->points, [](const StoredMeasurement& point) {
        return above_zero(point.measurement);
    });
    const bool meant =
        gate.suites.empty() ? suite.in_answer : suite_selected(suite.reference->suite().name, {gate.suites});
    if (wanted == 0 || !meant)
        return std::nullopt;
    GateResult result{.gate = &gate, .contest = &contest, .suite = &suite};
    result.wanted = static_cast<std::size_t>(wanted);
    for (const Statement& each : suite.statements) {
        if (each.place.kind != Place::Kind::point)
            result.findings.push_back(judge(gate, each));
        else if (each.verdict != Verdict::not_comparable)
            ++result.there;
    }
    return result;
}

} // namespace

std::vector<GateResult> check_gates(const std::vector<Gate>& gates, const std::vector<Contest>& contests) {
    for (const Gate& gate : gates)
        for (const Contest& contest : contests)
            refuse_shared_launches(gate, contest);
    std::vector<GateResult> results;
    for (const Gate& gate : gates) {
        const std::size_t before = results.size();
        for (const Contest& contest : contests)
            for (const SuiteContest& suite : contest.suites)
                if (std::optional<GateResult> result = check_suite(gate, contest, suite))
                    results.push_back(std::move(*result));
        if (results.size() == before)
            throw InputError(
                fmt::format("--fail-if '{}': the baseline has no time of such a suite, expected one of {}",
                            printable(gate.text), suites_with_time(contests)));
    }
    return results;
}

} // namespace skampi
