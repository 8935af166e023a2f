#include "document/gate.hpp"

#include "model/quantity.hpp"
#include "words/suite_words.hpp"

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

/// Whether the gate can say something of a point.
bool is_known(const Gate& gate, const PointComparison& point) {
    return gate.significantly ? point.judged() : point.comparable;
}

/// @pre is_known()
bool fails(const Gate& gate, const PointComparison& point) {
    if (!gate.significantly)
        return gate.above ? point.ratio > gate.limit : point.ratio < gate.limit;
    return fails_significantly(gate, point);
}

std::string row_text(const GateResult& result, const PointComparison& point) {
    const std::string interval = point.judged()
                                     ? fmt::format(", interval {} to {}", format_ratio(*point.ratio_low),
                                                   format_ratio(*point.ratio_high))
                                     : "";
    // Whoever looks for the reason should not look in the library.
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

std::string who(const DatabaseComparison& comparison) {
    return fmt::format("{} against {}", comparison.other->label, comparison.reference->label);
}

std::string open_text(const GateResult& result) {
    if (result.suite == nullptr || result.suite->curves.points.empty())
        return "has no time on the other side";
    const std::size_t there = result.suite->curves.points.size();
    UnjudgedCounts unknown;
    for (const PointComparison& point : result.suite->curves.points)
        if (!is_known(*result.gate, point) && point.unjudged)
            ++unknown[*point.unjudged];
    std::vector<std::string> why;
    if (there < result.wanted)
        why.push_back(fmt::format("the other side has no time at {}",
                                  count_of(static_cast<std::int64_t>(result.wanted - there), "argument")));
    if (!unknown.empty())
        why.push_back(unjudged_text(unknown));
    if (unknown.contains(Unjudged::other_ranks))
        why.back() +=
            fmt::format(" ({} against {})", ranks_of(*result.suite->other), ranks_of(*result.reference));
    return result.checked == 0 ? fmt::format("cannot be judged at any argument: {}", fmt::join(why, ", "))
                               : fmt::format("can be judged at only {} of {}: {}", result.checked,
                                             count_of(static_cast<std::int64_t>(result.wanted), "argument"),
                                             fmt::join(why, ", "));
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
                        if (!is_known(gate, point))
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

std::vector<std::string> failing_lines(const std::vector<GateResult>& results) {
    std::vector<std::string> lines;
    for (const GateResult& result : results) {
        const std::string begin =
            fmt::format("--fail-if '{}': {}: {} ", printable(result.gate->text),
                        printable(who(*result.comparison)), printable(result.reference->suite().name));
        if (result.open())
            lines.push_back(begin + open_text(result));
        if (result.failed_as_a_whole)
            lines.push_back(begin + whole_text(result.suite->whole));
        for (const PointComparison* point : result.failed)
            lines.push_back(begin + row_text(result, *point));
    }
    return lines;
}

std::string junit_report(const std::vector<GateResult>& results) {
    std::string cases;
    std::string suites;
    const DatabaseComparison* comparison = nullptr;
    std::size_t tests = 0;
    std::size_t failures = 0;
    const auto finish_suite = [&] {
        if (comparison)
            suites += fmt::format(
                          "<testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"0\" skipped=\"0\">\n",
                          for_html(who(*comparison)), tests, failures) +
                      cases + "</testsuite>\n";
        cases.clear();
        tests = failures = 0;
    };
    // By comparison, whatever order the gates have.
    std::vector<const GateResult*> ordered;
    for (const GateResult& result : results)
        ordered.push_back(&result);
    std::ranges::stable_sort(ordered, {}, [](const GateResult* result) { return result->comparison; });
    for (const GateResult* result : ordered) {
        if (result->comparison != comparison) {
            finish_suite();
            comparison = result->comparison;
        }
        ++tests;
        cases += fmt::format("<testcase classname=\"{}\" name=\"{}: {}\"", for_html(who(*comparison)),
                             for_html(result->reference->suite().name), for_html(result->gate->text));
        if (result->passed()) {
            cases += "/>\n";
            continue;
        }
        ++failures;
        std::string rows;
        if (result->failed_as_a_whole)
            rows += whole_text(result->suite->whole) + "\n";
        for (const PointComparison* point : result->failed)
            rows += row_text(*result, *point) + "\n";
        const std::string message =
            result->open() ? open_text(*result)
            : result->failed.empty()
                ? std::string("fails over all arguments together")
                : fmt::format("fails at {} of {}", result->failed.size(),
                              count_of(static_cast<std::int64_t>(result->checked), "argument"));
        cases += fmt::format("><failure message=\"{}\">{}</failure></testcase>\n", for_html(message),
                             for_html(rows));
    }
    finish_suite();
    return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"skampi-report\">\n" + suites +
           "</testsuites>\n";
}

} // namespace skampi
