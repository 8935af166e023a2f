#include "words/suite_answer.hpp"

#include "analysis/models/suite_findings.hpp"
#include "analysis/trust/headline.hpp"
#include "analysis/trust/value_error.hpp"
#include "model/measured_value.hpp"
#include "model/quantity.hpp"
#include "words/doubt_words.hpp"
#include "words/error_statement.hpp"
#include "words/suite_facts.hpp"
#include "words/suite_words.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <functional>
#include <vector>

namespace skampi {

namespace {

constexpr int short_digits = 3;

struct FlagRow {
    Flag flag;
    const char* letter;
    const char* meaning;
};
constexpr FlagRow flag_rows[] = {{Flag::wrong_result, "W", "wrong data"},
                                 {Flag::disturbed, "D", "disturbed by other work on the cores"},
                                 {Flag::unreliable, "R", "unreliable: close to the cost of measuring"},
                                 {Flag::not_repeatable, "N", "not repeatable: too few repetitions"},
                                 {Flag::timed_out, "T", "timed out"},
                                 {Flag::several_modes, "M", "several machine states"},
                                 {Flag::unsynchronised, "B", "ranks missed their common start"},
                                 {Flag::interpolated, "I", "interpolated between arguments"},
                                 {Flag::one_run, "1", "one launch only"},
                                 {Flag::scattered, "S", "scattered: launches far apart"}};

/// The largest jump; none = nullptr.
const CostJump* largest_jump(const CostModel& model) {
    const auto found = std::ranges::max_element(
        model.jumps, {}, [](const CostJump& jump) { return std::fabs(std::log1p(jump.share)); });
    return found == model.jumps.end() ? nullptr : &*found;
}

} // namespace

std::string flag_letters(Flags flags) {
    std::string text;
    for (const FlagRow& row : flag_rows)
        if (has(flags, row.flag))
            text += (text.empty() ? "" : " ") + std::string(row.letter);
    return text;
}

std::string flag_legend(Flags flags) {
    std::vector<std::string> letters;
    for (const FlagRow& row : flag_rows)
        if (has(flags, row.flag))
            letters.push_back(fmt::format("{} {}", row.letter, row.meaning));
    if ((flags & doubtful_alone) != 0)
        letters.emplace_back("? doubtful value");
    return letters.empty() ? "" : fmt::format("Flags: {}.", fmt::join(letters, ", "));
}

std::string value_in_table(const Curve& curve, const StoredMeasurement& point, int digits) {
    return value_text(point.measurement, curve.units.time, 1, digits) +
           ((point.measurement.flags & doubtful_alone) != 0 && above_zero(point.measurement) ? "?" : "");
}

std::vector<std::string> values_notes(const std::vector<const Curve*>& curves,
                                      const std::vector<std::string>& columns) {
    const auto shows = [&](const char* column) {
        return std::ranges::find(columns, column) != columns.end();
    };
    std::vector<std::string> errors; // each once, in the order of the curves
    bool some_empty = false;
    std::vector<std::string> references;
    const auto add = [](std::vector<std::string>& texts, std::string text) {
        if (!text.empty() && std::ranges::find(texts, text) == texts.end())
            texts.push_back(std::move(text));
    };
    for (const Curve* curve : curves) {
        const CurveError error = curve_error(*curve);
        add(errors, error_kind(error));
        if (const double probe_s = curve->stored.merge.reference.probe_s; probe_s > 0)
            add(references, format_time(probe_s));
        some_empty = some_empty || std::ranges::any_of(curve->points, std::not_fn(has_adjusted));
    }
    std::vector<std::string> notes;
    for (std::string& each : errors)
        notes.push_back(as_sentence(std::move(each)));
    if (shows("other state"))
        notes.emplace_back(
            "Other state: the time in the state of the machine that most launches met beside the one "
            "shown.");
    if (shows("adjusted"))
        notes.push_back(
            (references.empty()
                 ? std::string("Adjusted: the time at the core speed of one machine state")
                 : fmt::format("Adjusted: the time in one machine state, in which a round trip of "
                               "one byte takes {}",
                               fmt::join(references, " or "))) +
            (some_empty ? "; empty where the state does not explain how launches differ." : "."));
    if (std::string legend = flag_legend(flags_of(curves)); !legend.empty())
        notes.push_back(std::move(legend));
    return notes;
}

Flags flags_of(const std::vector<const Curve*>& curves) {
    Flags all = 0;
    for (const Curve* curve : curves)
        for (const StoredMeasurement& point : curve->points)
            all |= point.measurement.flags;
    return all;
}

std::string flagged_text(const Curve& curve) {
    const auto flagged = std::ranges::count_if(
        curve.points, [](const StoredMeasurement& point) { return point.measurement.flags != 0; });
    return flagged == 0 ? std::string() : fmt::format("{} ({})", flagged, flag_letters(flags_of({&curve})));
}

std::string ends_text(const Curve& curve) {
    const auto value_at = [&](const StoredMeasurement& point) {
        const std::string value = value_text(point.measurement, curve.units.time, 1, short_digits);
        return curve.suite().varied == Varied::none
                   ? value
                   : fmt::format("{} at {}", value, argument_text(curve, point.measurement.argument));
    };
    return value_at(curve.points.front()) +
           (curve.points.size() > 1 ? ", " + value_at(curve.points.back()) : "");
}

std::string time_at(const Curve& curve, const StoredMeasurement& point) {
    const std::string time = value_in_table(curve, point, short_digits);
    return curve.suite().varied == Varied::none
               ? time
               : fmt::format("{}: {}", argument_text(curve, point.measurement.argument), time);
}

std::string time_at_last(const Curve& curve, const StoredMeasurement& point) {
    return curve.suite().varied == Varied::nodes || curve.suite().varied == Varied::chunks
               ? fmt::format("{}: {}", point.measurement.argument, value_in_table(curve, point, short_digits))
               : time_at(curve, point);
}

std::string bandwidth_at(const Curve& curve, const StoredMeasurement& point) {
    const double bytes = bytes_moved(curve, point.measurement);
    return bytes > 0 && above_zero(point.measurement) && curve.suite().varied == Varied::message_length
               ? format_bandwidth(bytes / point.measurement.value_s, short_digits, curve.units.bandwidth)
               : "";
}

std::string suite_answer(const Curve& curve, const CostModel& model) {
    if (curve.points.empty())
        return without_points_text(curve.stored);
    std::vector<std::string> parts;
    parts.push_back(ends_text(curve));
    if (const StoredMeasurement* peak = peak_bandwidth(curve))
        if (const std::string bandwidth = bandwidth_at(curve, *peak); !bandwidth.empty())
            parts.push_back(
                fmt::format("{} at {}", bandwidth, argument_text(curve, peak->measurement.argument)));
    if (const CostJump* jump = largest_jump(model))
        parts.push_back(fmt::format("jump of {}{} behind {}", jump->time_s > 0 ? "+" : "",
                                    format_percent(jump->share), argument_text(curve, jump->after)) +
                        (model.jumps.size() > 1
                             ? fmt::format(" and {} more", count_of(model.jumps.size() - 1, "jump"))
                             : ""));
    if (std::string part = part_text(curve.stored, true); !part.empty())
        parts.push_back(std::move(part));
    if (std::string missing = without_time_text(points_without_time(curve)); !missing.empty())
        parts.push_back(std::move(missing));
    if (const auto flagged = std::ranges::count_if(
            curve.points, [](const StoredMeasurement& point) { return point.measurement.flags != 0; });
        flagged > 0)
        parts.push_back(fmt::format("{} of {} flagged: {}", flagged, count_of(curve.points.size(), "point"),
                                    flag_text(flags_of({&curve}))));
    return fmt::format("{}", fmt::join(parts, "; "));
}

} // namespace skampi
