// SPDX-License-Identifier: GPL-2.0-or-later
#include "words/suite_facts.hpp"

#include "analysis/trust/headline.hpp"
#include "analysis/trust/value_error.hpp"
#include "contest/estimate.hpp"
#include "model/measured_value.hpp"
#include "model/placement.hpp"
#include "model/quantity.hpp"
#include "words/suite_words.hpp"
#include "words/value_words.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <fmt/format.h>
#include <set>

namespace skampi {

namespace {

std::string joined_arguments(const Curve& curve, const std::vector<std::int64_t>& arguments) {
    constexpr std::size_t most = 6;
    std::vector<std::string> texts;
    for (std::size_t i = 0; i < arguments.size() && i < most; ++i)
        texts.push_back(argument_text(curve, arguments[i]));
    if (arguments.size() > most)
        return fmt::format("{}, ...", fmt::join(texts, ", "));
    return enumeration(texts);
}

void add_end_facts(const Curve& curve, const StoredMeasurement& point, std::vector<Fact>& facts) {
    const Measurement& measurement = point.measurement;
    const bool varied = curve.suite().varied != Varied::none;
    const std::string at = varied ? " at " + argument_text(curve, measurement.argument) : "";
    const double moved = messages(curve, measurement);
    const std::string error = error_numbers(value_error(point), curve.units.time);
    facts.push_back({time_word(curve) + at,
                     value_in_table(curve, measurement) + (error.empty() ? "" : " (" + error + ")")});
    const double bytes = bytes_moved(curve, measurement);
    if (bytes > 0 && measurement.value_s > 0 && curve.suite().varied == Varied::message_length)
        facts.push_back(
            {"Bandwidth" + at, format_bandwidth(bytes / measurement.value_s, 4, curve.units.bandwidth)});
    // Worth saying where more are under way than one in each direction.
    if (moved > 2 && measurement.value_s > 0)
        facts.push_back({"Message rate" + at, format_rate(moved / measurement.value_s)});
}

std::string interpolation_text(const Curve& curve, const InterpolationError& error) {
    if (error.relative == 0)
        return "within the errors of the values";
    return fmt::format("up to {} ({} to {})", format_percent(error.relative),
                       argument_text(curve, error.begin), argument_text(curve, error.end));
}

std::string unaligned_text(const Curve& curve, const UnalignedLengths& lengths) {
    return fmt::format("lengths that are no multiple of 8 bytes take {:.3g} times as long as those on both "
                       "sides that are ({} of {}, {} to {})",
                       lengths.ratio, lengths.slower, lengths.count, argument_text(curve, lengths.first),
                       argument_text(curve, lengths.last));
}

void add_flag_facts(const Curve& curve, std::vector<Fact>& facts) {
    for (const Flag flag : all_flags()) {
        std::vector<std::int64_t> arguments;
        for (const StoredMeasurement& point : curve.points)
            if (has(point.measurement.flags, flag))
                arguments.push_back(point.measurement.argument);
        if (arguments.empty())
            continue;
        std::string name = flag_text(static_cast<Flags>(flag));
        name.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(name.front())));
        // Of nearly all it says nothing where they are.
        const bool most = 2 * arguments.size() > curve.points.size() && curve.points.size() > 6;
        facts.push_back(
            {name, fmt::format("{} of {}{}", arguments.size(), count_of(curve.points.size(), "point"),
                               most ? "" : ": " + joined_arguments(curve, arguments))});
    }
}

/// As the suite asks, and at how many points that could not be kept.
std::string start_in_fact(const Curve& curve) {
    const auto missed = std::ranges::count_if(curve.points, [](const StoredMeasurement& point) {
        return has(point.measurement.flags, Flag::unsynchronised);
    });
    const std::string asked = start_text(curve.suite().synchronization);
    return missed == 0 ? asked
                       : fmt::format("between barriers at {} of {}, where ranks missed their windows{}",
                                     missed, count_of(curve.points.size(), "point"),
                                     missed == std::ssize(curve.points) ? "" : "; else " + asked);
}

/// States of the machine: times and shares.
void add_mode_facts(const Curve& curve, std::vector<Fact>& facts) {
    const PointsInStates found = points_in_states(curve);
    constexpr std::size_t most = 2;
    std::vector<std::string> points;
    for (const StoredMeasurement* point : found.with_values) {
        if (points.size() == most) {
            points.push_back(fmt::format("and at {} more", found.with_values.size() - most));
            break;
        }
        std::vector<std::string> modes;
        for (const ModeValue& mode : point->measurement.modes)
            modes.push_back(fmt::format("{} ({:.0f} %{}{})",
                                        format_measured(mode.value_s, 3, curve.units.time), 100 * mode.share,
                                        point->merge ? " of the launches" : "",
                                        mode.mode == point->measurement.mode ? ", shown" : ""));
        points.push_back(fmt::format("at {}: {}", argument_text(curve, point->measurement.argument),
                                     fmt::join(modes, ", ")));
    }
    if (!points.empty())
        facts.push_back({"Modes", fmt::format("{}", fmt::join(points, "; "))});
    if (found.without_values > 0)
        facts.push_back(
            {points.empty() ? "Modes" : "Other modes",
             fmt::format("{} without a value of each: {}", count_of(found.without_values, "point"),
                         found.merged ? "some launches ran in another mode, or it changed while they "
                                        "measured"
                                      : "the mode changed during the measurement")});
}

/// The text of a setting, or that it is unknown.
std::string or_unknown(const Suite& suite, std::string_view field, std::string text) {
    return knows(suite, field) ? std::move(text) : std::string("unknown");
}

/// "failed: in 2 of 5 launches: MPI error"
std::string state_text(const StoredSuite& suite) {
    const std::string reason = shortened(reason_of(suite), 200);
    return std::string(to_text(suite.state)) + (reason.empty() ? "" : ": " + reason);
}

/// What adjusted values refer to, and what merging left out.
std::vector<std::string> merging_texts(const SuiteMerge& merge) {
    std::vector<std::string> texts;
    if (merge.reference.probe_s > 0)
        texts.push_back(
            fmt::format("adjusted values refer to a probe of {} (share of the probe removed from them: {:g})",
                        format_time(merge.reference.probe_s), merge.adjustment.share));
    if (merge.reference.core_speed > 0)
        texts.push_back(fmt::format(
            "adjusted values {} core speed of {:.3g} billion additions per second{}",
            merge.adjustment.by_core_speed ? "refer to a" : "ignore the", merge.reference.core_speed / 1e9,
            merge.adjustment.by_core_speed ? "" : ", because launches scatter more with it"));
    constexpr double shown_from = 0.005; // with two decimals
    if (merge.launch_correlation && *merge.launch_correlation >= shown_from)
        texts.push_back(
            fmt::format("launches in a row have a rank autocorrelation of {:.2f}, which widens the intervals",
                        *merge.launch_correlation));
    if (merge.wrong_results > 0)
        texts.push_back(
            fmt::format("{} with wrong data left out", count_of(merge.wrong_results, "measurement")));
    return texts;
}

} // namespace

std::vector<Fact> suite_setup(const Curve& curve) {
    const Suite& suite = curve.suite();
    std::vector<Fact> facts;
    facts.push_back(
        {"Pattern", fmt::format("{}, {}", pattern_name(suite.operation.pattern), varied_text(suite))});
    const Measurement& first = curve.points.front().measurement;
    const Measurement& last = curve.points.back().measurement;
    if (curve.points.size() > 1) {
        facts.push_back({"x axis scale", or_unknown(suite, "scale", scale_text(suite.arguments.scale))});
        facts.push_back({"Argument range", fmt::format("{} - {}", argument_text(curve, first.argument),
                                                       argument_text(curve, last.argument))});
    }
    std::vector<std::string> defaults;
    if (const int ranks = first.ranks > 0 ? first.ranks : suite.ranks;
        suite.varied != Varied::nodes && suite.operation.meaning != Meaning::local)
        defaults.push_back(ranks > 0 ? count_of(ranks, "node") + " (ranks)"
                                     : std::string("unknown number of ranks"));
    if (suite.varied != Varied::message_length && first.message_bytes > 0)
        defaults.push_back(std::string(length_word(suite)) + " " + format_bytes(first.message_bytes));
    if (suite.operation.pattern == Pattern::master_worker && suite.varied != Varied::chunks &&
        first.chunks > 0)
        defaults.push_back(count_of(first.chunks, "chunk"));
    if (!defaults.empty())
        facts.push_back({"Default values", enumeration(defaults)});
    if (const std::string parameters = parameters_text(curve); !parameters.empty())
        facts.push_back({"Called with", parameters});
    facts.push_back(
        {"Max. allowed standard error",
         or_unknown(suite, "max_relative_error", format_percent(suite.repetition.max_relative_error))});
    const bool overhead = std::ranges::any_of(
        curve.points, [](const StoredMeasurement& point) { return point.measurement.overhead_s > 0; });
    const bool absolute = suite.absolute && knows(suite, "absolute");
    facts.push_back(
        {"Value", or_unknown(suite, "value_kind", value_formed(suite)) + (absolute   ? ", overhead kept in"
                                                                          : overhead ? ", overhead subtracted"
                                                                                     : "")});
    if (suite.operation.pattern == Pattern::collective)
        facts.push_back({"Start of the ranks", or_unknown(suite, "synchronization", start_in_fact(curve))});
    if (const std::string text = partner_text(curve); !text.empty())
        facts.push_back({"Partner", text});
    if (const std::string text = joining_text(curve); !text.empty())
        facts.push_back({"Ranks join", text});
    if (first.message_bytes > 0 || last.message_bytes > 0)
        facts.push_back({"Buffers", or_unknown(suite, "buffers", buffers_text(suite.buffers))});
    return facts;
}

std::vector<Fact> suite_results(const Curve& curve) {
    std::vector<Fact> facts;
    add_end_facts(curve, curve.points.front(), facts);
    if (curve.points.size() > 1)
        add_end_facts(curve, curve.points.back(), facts);
    facts.push_back({"Error", error_kind(curve_error(curve))});
    if (const std::optional<InterpolationError> error = interpolation_error(curve))
        facts.push_back({"Interpolation error", interpolation_text(curve, *error)});
    if (const std::optional<UnalignedLengths> unaligned = slow_unaligned_lengths(curve))
        facts.push_back({"Alignment", unaligned_text(curve, *unaligned)});
    const std::int64_t single = curve.single_measurements();
    facts.push_back(
        {"Measurements",
         fmt::format("{} from {} single measurement{}{}", curve.points.size(), format_count(single),
                     single == 1 ? "" : "s",
                     curve.unfinished > 0 ? fmt::format("; {} more not finished", curve.unfinished) : "")});
    if (curve.stored.state != SuiteState::finished)
        facts.push_back({"State", state_text(curve.stored)});
    add_flag_facts(curve, facts);
    add_mode_facts(curve, facts);
    return facts;
}

std::optional<std::string> node_times_sentence(const Curve& curve) {
    const StoredMeasurement* last = last_node_times(curve);
    if (!last)
        return std::nullopt;
    std::vector<NodeTime> times = last->measurement.node_times;
    constexpr std::size_t most = 8;
    std::vector<std::string> texts;
    const auto say = [&](const char* word, const NodeTime& time) {
        // Of one single measurement there is no error, not one of 0 s.
        texts.push_back(
            fmt::format("{}rank {} {}{}", word, time.rank, format_measured(time.value_s, 4, curve.units.time),
                        time.value_s > 0 && time.standard_error_s > 0
                            ? " (± " + format_time(time.standard_error_s, 2, curve.units.time) + ")"
                            : ""));
    };
    if (times.size() <= most) {
        for (const NodeTime& time : times)
            say("", time);
    } else {
        const auto without = static_cast<std::int64_t>(
            std::erase_if(times, [](const NodeTime& time) { return !std::isfinite(time.value_s); }));
        std::ranges::stable_sort(times, {}, &NodeTime::value_s);
        if (!times.empty()) {
            say("fastest ", times.front());
            say("median ", times[times.size() / 2]);
            say("slowest ", times.back());
        }
        if (without > 0)
            texts.push_back(fmt::format("{} without a value", count_of(without, "rank")));
    }
    return fmt::format("Node times at {}: {}.", argument_text(curve, last->measurement.argument),
                       fmt::join(texts, ", "));
}

std::optional<std::string> recorded_sentence(const Curve& curve) {
    std::vector<std::string> recorded = merging_texts(curve.stored.merge);
    for (const auto& [name, value] : curve.stored.facts)
        if (name != fact_interpolation_error && name != fact_interpolation_worst) // said in better words
            recorded.push_back(shortened(name, 60) + " " + shortened(value, 600));
    if (recorded.empty())
        return std::nullopt;
    return fmt::format("Recorded: {}.", fmt::join(recorded, "; "));
}

std::string without_time_text(const PointsWithoutTime& points) {
    if (points.count == 0)
        return {};
    const std::string flags = flag_text(points.flags);
    return fmt::format("no value at {}{}{}", count_of(points.count, "argument"),
                       points.below > 0 ? fmt::format(", {} below what can be measured", points.below) : "",
                       flags.empty() ? "" : ": " + flags);
}

std::string without_points_text(const StoredSuite& suite) {
    if (suite.state == SuiteState::finished)
        return "finished without a point";
    return state_text(suite);
}

std::string part_text(const StoredSuite& suite, bool with_reason) {
    if (suite.state == SuiteState::finished)
        return {};
    return with_reason ? "a part only: " + without_points_text(suite)
                       : "part: " + std::string(to_text(suite.state));
}

namespace {

/// The largest jump; none = nullptr.
const CostJump* largest_jump(const CostModel& model) {
    const auto found = std::ranges::max_element(
        model.jumps, {}, [](const CostJump& jump) { return std::fabs(std::log1p(jump.share)); });
    return found == model.jumps.end() ? nullptr : &*found;
}

} // namespace

std::string suite_answer(const Curve& curve, const CostModel& model) {
    if (curve.points.empty())
        return without_points_text(curve.stored);
    std::vector<std::string> parts;
    parts.push_back(ends_text(curve));
    const StoredMeasurement* const peak = peak_bandwidth(curve);
    std::set<const StoredMeasurement*> said;
    for (const StoredMeasurement* point : {peak, peak ? &curve.points.back() : nullptr})
        if (point && said.insert(point).second)
            if (const std::string bandwidth = bandwidth_at(curve, *point); !bandwidth.empty())
                parts.push_back(
                    fmt::format("{} at {}", bandwidth, argument_text(curve, point->measurement.argument)));
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

std::string suite_caption(const Curve& curve, bool with_bandwidth) {
    std::string caption = time_caption(curve);
    if (with_bandwidth)
        caption += " and " + bandwidth_caption(curve);
    caption += ". " + error_bars_text(error_bars_of(curve));
    if (const std::int64_t hidden = points_without_time(curve).count; hidden > 0)
        caption += fmt::format(" {} not drawn: no value above zero.", count_of(hidden, "point"));
    return caption;
}

} // namespace skampi
