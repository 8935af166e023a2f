#include "words/suite_answer.hpp"

#include "analysis/models/suite_findings.hpp"
#include "analysis/trust/headline.hpp"
#include "analysis/trust/value_error.hpp"
#include "model/measured_value.hpp"
#include "model/quantity.hpp"
#include "skalib/statistics.hpp"
#include "words/doubt_words.hpp"
#include "words/error_statement.hpp"
#include "words/suite_facts.hpp"
#include "words/suite_words.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <functional>
#include <utility>
#include <vector>

namespace skampi {

namespace {

constexpr int short_digits = 3;

struct FlagRow {
    Flag flag;
    const char* letter;
    const char* meaning; ///< for the value
    const char* brief;   ///< behind a number of points
};
/// The gravest first: of flags that as many points have it is the one that is named.
constexpr FlagRow flag_rows[] = {
    {Flag::wrong_result, "W", "wrong data", "wrong data"},
    {Flag::disturbed, "D", "disturbed by other work on the cores", "disturbed"},
    {Flag::unreliable, "R", "unreliable: close to the cost of measuring", "unreliable"},
    {Flag::not_repeatable, "N", "not repeatable: too few repetitions", "not repeatable"},
    {Flag::timed_out, "T", "timed out", "timed out"},
    {Flag::several_modes, "M", "several machine states", "in several states"},
    {Flag::unsynchronised, "B", "ranks missed their common start", "missed start"},
    {Flag::interpolated, "I", "interpolated between arguments", "interpolated"},
    {Flag::one_run, "1", "one launch only", "one launch"},
    {Flag::scattered, "S", "scattered: launches far apart", "scattered"}};

std::string short_time(const Curve& curve, const StoredMeasurement& point) {
    return value_text(point.measurement, curve.units.time, 1, short_digits);
}

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
    return letters.empty() ? "" : "Flags: " + fmt::format("{}", fmt::join(letters, ", ")) + ".";
}

std::vector<std::string> values_notes(const std::vector<const Curve*>& curves,
                                      const std::vector<std::string>& columns) {
    const auto shows = [&](const char* column) {
        return std::ranges::find(columns, column) != columns.end();
    };
    std::vector<std::string> errors; // each once, in the order of the curves
    bool some_empty = false;
    std::vector<std::string> references;
    std::vector<double> probes_s;
    const auto add = [](std::vector<std::string>& texts, std::string text) {
        if (!text.empty() && std::ranges::find(texts, text) == texts.end())
            texts.push_back(std::move(text));
    };
    for (const Curve* curve : curves) {
        const CurveError error = curve_error(*curve);
        add(errors, error_kind(error));
        if (const double probe_s = curve->stored.merge.reference.probe_s; probe_s > 0)
            add(references, format_time(probe_s));
        for (const StoredMeasurement& point : curve->points)
            if (has_adjusted(point) && point.measurement.probe_s > 0)
                probes_s.push_back(point.measurement.probe_s);
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
                               "one byte takes {}{}",
                               fmt::join(references, " or "),
                               probes_s.empty()
                                   ? std::string()
                                   : " (beside the measured times it took " +
                                         format_time(skalib::median_in_place(probes_s), 4) + ")")) +
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

namespace {

std::ptrdiff_t points_with(const Curve& curve, Flag flag) {
    return std::ranges::count_if(
        curve.points, [&](const StoredMeasurement& point) { return has(point.measurement.flags, flag); });
}

} // namespace

std::string flagged_text(const Curve& curve) {
    const FlagRow* most = nullptr;
    std::ptrdiff_t points = 0;
    for (const FlagRow& row : flag_rows) {
        const std::ptrdiff_t flagged = points_with(curve, row.flag);
        const bool gravest = row.flag == Flag::wrong_result && flagged > 0;
        if (flagged > points || gravest) {
            points = flagged;
            most = &row;
        }
        if (gravest)
            break;
    }
    return most == nullptr ? "" : fmt::format("{} {}", points, most->brief);
}

std::string time_at(const Curve& curve, const StoredMeasurement& point) {
    const std::string time = short_time(curve, point);
    return curve.suite().varied == Varied::none
               ? time
               : fmt::format("{}: {}", argument_text(curve, point.measurement.argument), time);
}

std::string time_at_last(const Curve& curve, const StoredMeasurement& point) {
    return curve.suite().varied == Varied::nodes || curve.suite().varied == Varied::chunks
               ? fmt::format("{}: {}", point.measurement.argument, short_time(curve, point))
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
    const auto value_at = [&](const StoredMeasurement& point) {
        return curve.suite().varied == Varied::none
                   ? short_time(curve, point)
                   : fmt::format("{} at {}", short_time(curve, point),
                                 argument_text(curve, point.measurement.argument));
    };
    parts.push_back(value_at(curve.points.front()) +
                    (curve.points.size() > 1 ? ", " + value_at(curve.points.back()) : ""));
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
