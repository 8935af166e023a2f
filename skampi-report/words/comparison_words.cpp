#include "words/comparison_words.hpp"

#include "analysis/inference/launch_design.hpp"

#include "model/quantity.hpp"
#include "words/suite_words.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <fmt/format.h>

namespace skampi {

namespace {

double geometric_mean(const std::vector<double>& ratios) {
    double log_sum = 0;
    for (const double ratio : ratios)
        log_sum += std::log(ratio);
    return std::exp(log_sum / static_cast<double>(ratios.size()));
}

/// "B takes 1.2 to 1.4 times as long as A (geometric mean 1.3, 5 arguments)"
/// @param ratios of their points, at least one
std::string ratios_text(const std::vector<double>& ratios, const std::string& first,
                        const std::string& second) {
    const auto [least, most] = std::ranges::minmax(ratios);
    const double mean = geometric_mean(ratios);
    const std::string range = format_time_ratio(least, most);
    return fmt::format("{} {} as {} ({}{})", second, range, first,
                       range == format_time_ratio(mean)
                           ? ""
                           : fmt::format("geometric mean {}, ", format_ratio(most < 1 ? 1 / mean : mean)),
                       count_of(ratios.size(), "argument"));
}

} // namespace

std::string reason_text(Unjudged reason) {
    switch (reason) {
    case Unjudged::shared_launches:
        return "both sides hold the same launches";
    case Unjudged::other_quantity:
        return "the suites measure different quantities";
    case Unjudged::other_ranks:
        return "the numbers of ranks differ";
    case Unjudged::started_differently:
        return "the ranks were started differently";
    case Unjudged::few_launches:
        return "too few usable launches";
    case Unjudged::launches_in_a_row:
        return fmt::format("fewer than {} launches in a row, and the machine's state is not known",
                           launches_in_a_row_needed);
    case Unjudged::not_above_zero:
        return "a launch has no value above zero";
    case Unjudged::several_modes:
        return "the machine was in several states";
    case Unjudged::disturbed_on_one_side:
        return "other work disturbed one side only";
    case Unjudged::no_scatter:
        return "neither the scatter nor the clock's step is known";
    }
    return {};
}

std::string reasons_text(const UnjudgedCounts& counts) {
    std::vector<std::string> reasons;
    for (const auto& [reason, count] : counts)
        reasons.push_back(reason_text(reason) + (counts.size() == 1 ? "" : fmt::format(" ({})", count)));
    return enumeration(reasons);
}

std::string key_in_words(std::string_view field) {
    std::string text(field);
    std::ranges::replace(text, '_', ' ');
    return text;
}

std::string fields_text(const std::vector<FieldDifference>& differences) {
    const auto shown = [](const std::string& text) { return text.empty() ? std::string("none") : text; };
    std::vector<std::string> texts;
    for (const FieldDifference& each : differences)
        texts.push_back(
            fmt::format("{} ({} and {})", key_in_words(each.field), shown(each.first), shown(each.second)));
    return enumeration(texts);
}

std::string change_text(double ratio) {
    constexpr double twice = 2;
    if (!std::isfinite(ratio) || ratio >= twice)
        return format_ratio(ratio) + " times";
    if (ratio <= 1 / twice)
        return format_times(1 / ratio) + " as fast";
    return (ratio < 1 ? "-" : "+") + format_percent(std::fabs(ratio - 1));
}

std::string detectable_text(double ratio) {
    constexpr double twice = 2;
    return ratio >= twice ? format_ratio(ratio) + " times" : format_percent(ratio - 1);
}

std::string interval_text(std::optional<double> low, std::optional<double> high) {
    return low && high ? fmt::format("{} - {}", format_ratio(*low), format_ratio(*high)) : "-";
}

namespace {

/// The ratios of a comparison, those at which the machine's probes agree apart from the others.
struct RatiosByState {
    std::vector<double> alike;
    std::vector<double> apart;
    std::size_t comparable = 0; ///< points, judged or not

    /// In one state wherever there is such a one.
    [[nodiscard]] const std::vector<double>& shown() const { return alike.empty() ? apart : alike; }
};
RatiosByState ratios_by_state(const CurveComparison& comparison) {
    RatiosByState ratios;
    for (const PointComparison* point : comparison.counting())
        if (!point->in_other_state())
            ratios.alike.push_back(point->ratio);
    for (const PointComparison& point : comparison.points) {
        ratios.comparable += point.comparable ? 1 : 0;
        if (point.comparable && point.in_other_state())
            ratios.apart.push_back(point.ratio);
    }
    return ratios;
}

/// Why there is no ratio; empty where there is one.
std::string not_compared_text(const CurveComparison& comparison) {
    if (comparison.points.empty())
        return "no arguments in common";
    if (!comparison.counting().empty())
        return {};
    return reasons_text(comparison.unjudged()) +
           (comparison.comparability.other_at_every_point()
                ? ": " + fields_text(comparison.comparability.other_quantity)
                : "");
}

/// By how much they differ, or why they cannot be compared.
std::string ratios_sentence(const CurveComparison& comparison, const std::string& first,
                            const std::string& second) {
    if (comparison.points.empty())
        return fmt::format("{} and {} have {}.", first, second, not_compared_text(comparison));
    if (const std::string reason = not_compared_text(comparison); !reason.empty())
        return fmt::format("{} and {} cannot be compared: {}.", first, second, reason);
    const RatiosByState ratios = ratios_by_state(comparison);
    const std::string where =
        ratios.apart.empty()   ? ""
        : ratios.alike.empty() ? ", but the machine's probes differ"
                               : fmt::format(" at those of the {} arguments where the machine's probes agree",
                                             ratios.comparable);
    return fmt::format("{}{}.", ratios_text(ratios.shown(), first, second), where);
}

/// How many differences are significant, or why that is not known.
std::string significance_sentence(const CurveComparison& comparison) {
    const std::size_t judged = comparison.judged();
    const UnjudgedCounts unjudged = comparison.unjudged();
    if (judged == 0 && unjudged.size() == 1 && unjudged.contains(Unjudged::few_launches))
        return few_launches_sentence(comparison.launches, comparison.launches);
    if (judged == 0)
        return fmt::format("Significance is not judged: {}.", reasons_text(unjudged));
    const std::size_t rest = comparison.points.size() - judged;
    const std::size_t faster = comparison.faster();
    const std::size_t slower = comparison.slower();
    const std::string which =
        faster + slower == 0 ? "" : fmt::format(" ({} faster, {} slower)", faster, slower);
    return fmt::format("{} at {} of {}{}{}.",
                       comparison.simulated ? "Both are simulated; the difference exceeds the clock's step"
                                            : fmt::format("Over {} launches the difference is significant",
                                                          comparison.launches),
                       faster + slower, count_of(judged, "argument"), which,
                       rest > 0 ? fmt::format("; {} more {} not judged: {}", rest, rest == 1 ? "is" : "are",
                                              reasons_text(unjudged))
                                : "");
}

} // namespace

std::string few_launches_sentence(std::size_t least, std::size_t most) {
    return fmt::format("Significance needs {} launches with values of both; there {} {}{}.", launches_needed,
                       most == 1 ? "is" : "are", least, least == most ? "" : fmt::format(" to {}", most));
}

ComparisonCells comparison_cells(const CurveComparison& comparison) {
    if (std::string reason = not_compared_text(comparison); !reason.empty())
        return {"not compared: " + reason, "", "", ""};
    const RatiosByState ratios = ratios_by_state(comparison);
    const auto [least, most] = std::ranges::minmax(ratios.shown());
    const std::string low = format_ratio(least);
    const std::string high = format_ratio(most);
    const std::size_t judged = comparison.judged();
    const std::size_t faster = comparison.faster();
    const std::size_t slower = comparison.slower();
    return {low == high ? low : fmt::format("{} - {}", low, high),
            format_ratio(geometric_mean(ratios.shown())),
            ratios.shown().size() == ratios.comparable
                ? fmt::format("{}", ratios.comparable)
                : fmt::format("{} of {}", ratios.shown().size(), ratios.comparable),
            judged == 0            ? "-"
            : faster + slower == 0 ? fmt::format("none of {}", judged)
                                   : fmt::format("{} faster, {} slower of {}", faster, slower, judged)};
}

std::string comparison_sentence(const CurveComparison& comparison, const std::string& first,
                                const std::string& second) {
    const bool interpolated = std::ranges::any_of(comparison.points, &PointComparison::interpolated);
    return ratios_sentence(comparison, first, second) +
           (comparison.counting().empty() ? "" : " " + significance_sentence(comparison)) +
           (interpolated && !comparison.counting().empty()
                ? " Values with * are interpolated between neighbours."
                : "");
}

namespace {

std::string ratios_from(double low, double high) {
    return fmt::format("{} to {}", format_ratio(low), format_ratio(high));
}

/// ", 1 and 0 of them excluded as outliers"; empty where none is.
std::string excluded_text(const PooledComparison& pooled) {
    return pooled.first_excluded + pooled.second_excluded == 0
               ? ""
               : fmt::format(", {} and {} of them excluded as outliers", pooled.first_excluded,
                             pooled.second_excluded);
}

/// What was measured, where the ratio said is that at an equal state of the machine.
std::string as_measured_sentence(const PooledComparison& pooled) {
    if (!pooled.as_measured)
        return {};
    const AsMeasured& measured = *pooled.as_measured;
    const std::string ratio =
        fmt::format("{} ({})", format_ratio(measured.ratio), ratios_from(measured.low, measured.high));
    return measured.bounded
               ? fmt::format(
                     " As measured the ratio is {}; the probes of the machine differ, and the interval "
                     "covers all that this may explain.",
                     ratio)
               : fmt::format(" These are at an equal state of the machine; as measured the ratio is {}.",
                             ratio);
}

} // namespace

std::string pooled_sentence(const PooledComparison& pooled, const std::string& second) {
    if (!pooled.judged())
        return fmt::format("All arguments together are not judged: {}{}.",
                           reason_text(pooled.unjudged.value_or(Unjudged::few_launches)),
                           pooled.least && pooled.greatest &&
                                   pooled.first_launches + pooled.second_launches > 2
                               ? fmt::format("; between two launches the ratio is {}",
                                             ratios_from(*pooled.least, *pooled.greatest))
                               : "");
    const std::string from = fmt::format("{} and {} launches{}", pooled.first_launches,
                                         pooled.second_launches, excluded_text(pooled));
    const std::string measured = as_measured_sentence(pooled);
    if (pooled.faster() || pooled.slower())
        return fmt::format("Over {} {} {} ({}; {}).{}",
                           pooled.arguments == 1 ? "its launches"
                                                 : fmt::format("all {} arguments", pooled.arguments),
                           second, format_time_ratio(pooled.ratio),
                           pooled.faster() ? ratios_from(1 / *pooled.ratio_high, 1 / *pooled.ratio_low)
                                           : ratios_from(*pooled.ratio_low, *pooled.ratio_high),
                           from, measured);
    return fmt::format(
        "No shift shared by {} was found ({}; {}); a shift of {} would have been detected{}.{}",
        count_of(pooled.arguments, "argument"), ratios_from(*pooled.ratio_low, *pooled.ratio_high), from,
        detectable_text(*pooled.detectable), pooled.simulated ? "" : " with 90 % power", measured);
}

std::string common_state_sentence(std::size_t in_common_mode, std::size_t states, const std::string& points,
                                  const std::string& first, const std::string& second) {
    return in_common_mode == 0
               ? ""
               : fmt::format("At {} of {} the values of {} and {} come from different machine states; the "
                             "comparison uses {} that launches of both saw.",
                             in_common_mode, points, first, second, states > 1 ? "states" : "a state");
}

std::string other_states_sentence(const CurveComparison& comparison) {
    const auto apart = std::ranges::count_if(comparison.points, &PointComparison::in_other_state);
    return apart == 0 ? ""
                      : fmt::format("At {} of {} the two sides share no machine state; those ratios are "
                                    "unreliable.",
                                    apart, count_of(comparison.points.size(), "argument"));
}

std::string other_meaning_sentence(const Curve& first, const std::string& first_label, const Curve& second,
                                   const std::string& second_label) {
    return meaning_of(first) == meaning_of(second)
               ? ""
               : fmt::format("The times have different meanings: a time of {} is {}, a time of {} is {}.",
                             first_label, meaning_noun(first), second_label, meaning_noun(second));
}

std::string other_fields_sentence(const Comparability& comparability, const std::string& first,
                                  const std::string& second) {
    std::vector<FieldDifference> all = comparability.other_quantity;
    all.insert(all.end(), comparability.computed_differently.begin(),
               comparability.computed_differently.end());
    return all.empty()
               ? ""
               : fmt::format("{} and {} also differ in {}: part of any difference may come from that.", first,
                             second, fields_text(all));
}

} // namespace skampi
