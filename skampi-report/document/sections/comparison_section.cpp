#include "document/sections/comparison_section.hpp"

#include "model/quantity.hpp"
#include "words/meaning.hpp"

#include "base/utc.hpp"
#include "merge/run_group.hpp"
#include "model/adjusted.hpp"
#include "model/placement.hpp"
#include "model/series.hpp"
#include "skalib/statistics.hpp"
#include "words/suite_words.hpp"
#include "words/system_facts.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <functional>
#include <set>
#include <string_view>

namespace skampi {

namespace {

/// At most `most` rows of a comparison, spread over its arguments, the ends always among them.
std::vector<const PointComparison*> spread(const std::vector<PointComparison>& points, std::size_t most) {
    std::vector<const PointComparison*> chosen;
    for (std::size_t i = 0; i < points.size(); ++i) {
        const std::size_t here = points.size() <= most ? i : i * (most - 1) / (points.size() - 1);
        const std::size_t before = i == 0 ? points.size() : (i - 1) * (most - 1) / (points.size() - 1);
        if (points.size() <= most || i == 0 || here != before)
            chosen.push_back(&points[i]);
    }
    return chosen;
}

std::string interval_text(std::optional<double> low, std::optional<double> high) {
    return low && high ? fmt::format("{} - {}", format_ratio(*low), format_ratio(*high)) : "-";
}

Table points_table(const Curve& curve, const CurveComparison& comparison, const std::string& first,
                   const std::string& second) {
    Table table;
    constexpr std::size_t most = 8;
    if (comparison.points.size() > most)
        table.title = fmt::format("{} of {} arguments", most, comparison.points.size());
    // Where nothing can be judged the merged values stand side by side.
    if (comparison.judged() > 0)
        table.title += fmt::format("{}eometric means over the launches{}", table.title.empty() ? "G" : ", g",
                                   comparison.judged() == comparison.points.size()
                                       ? ""
                                       : "; where the difference is not known, the values of the suites");
    table.header = {"at", shortened(first, 28), shortened(second, 28), "ratio", "its interval", "difference"};
    table.columns = {ColumnKind::number, ColumnKind::number, ColumnKind::number,
                     ColumnKind::number, ColumnKind::number, ColumnKind::text};
    for (const PointComparison* point : spread(comparison.points, most))
        table.rows.push_back(
            {argument_text(curve, point->argument), format_time(point->first_s, 4, curve.units.time),
             format_time(point->second_s, 4, curve.units.time) + (point->interpolated ? " *" : ""),
             point->comparable ? format_ratio(point->ratio) : "-",
             interval_text(point->ratio_low, point->ratio_high),
             point->unjudged == Unjudged::other_ranks           ? "other ranks"
             : point->unjudged == Unjudged::started_differently ? "other start"
             : !point->judged()                                 ? "not known"
             : point->significant()                             ? "significant"
                                                                : "within noise"});
    return table;
}

/// "B takes 1.2 to 1.4 times as long as A (geometric mean 1.3, 5 arguments)"
/// @param ratios of their points, at least one
std::string ratios_text(const std::vector<double>& ratios, const std::string& first,
                        const std::string& second) {
    const auto [least, most] = std::ranges::minmax(ratios);
    double log_sum = 0;
    for (const double ratio : ratios)
        log_sum += std::log(ratio);
    const double mean = std::exp(log_sum / static_cast<double>(ratios.size()));
    const std::string range = format_time_ratio(least, most);
    return fmt::format("{} {} as {} ({}{})", second, range, first,
                       range == format_time_ratio(mean)
                           ? ""
                           : fmt::format("geometric mean {}, ", format_ratio(most < 1 ? 1 / mean : mean)),
                       count_of(static_cast<std::int64_t>(ratios.size()), "argument"));
}

/// How the times compare where they are of one state of the machine, as far as probes tell; where they are so
/// nowhere, that they are not.
std::string comparison_sentence(const CurveComparison& comparison, const std::string& first,
                                const std::string& second) {
    if (comparison.points.empty())
        return fmt::format("{} and {} have no arguments in common.", first, second);
    std::vector<double> alike;
    std::vector<double> apart;
    const std::vector<const PointComparison*> counting = comparison.counting();
    if (counting.empty())
        return fmt::format("Of {} and {} nothing is said, {}.", first, second,
                           unjudged_text(comparison.unjudged()));
    for (const PointComparison* point : counting)
        if (!point->in_other_state())
            alike.push_back(point->ratio);
    std::size_t comparable = 0;
    for (const PointComparison& point : comparison.points) {
        comparable += point.comparable ? 1 : 0;
        if (point.comparable && point.in_other_state())
            apart.push_back(point.ratio);
    }
    const bool interpolated = std::ranges::any_of(comparison.points, &PointComparison::interpolated);
    const std::string where =
        apart.empty() ? ""
        : alike.empty()
            ? ", while the probes of the machine differ"
            : fmt::format(" at those of the {} arguments where the probes of the machine agree", comparable);
    return fmt::format(
        "{}{}. {}{}.{}", ratios_text(alike.empty() ? apart : alike, first, second), where,
        static_cast<char>(std::toupper(static_cast<unsigned char>(comparison.significance.front()))),
        comparison.significance.substr(1),
        interpolated ? " Values with * are interpolated between neighbours." : "");
}

/// What takes so many times as long: "+5.2 %", "-4.9 %", "2.30 times"; of 0.4 "2.50 times as fast".
std::string change_text(double ratio) {
    constexpr double twice = 2;
    if (!std::isfinite(ratio) || ratio >= twice)
        return format_ratio(ratio) + " times";
    if (ratio <= 1 / twice)
        return format_times(1 / ratio) + " as fast";
    return (ratio < 1 ? "-" : "+") + format_percent(std::fabs(ratio - 1));
}

/// The difference that would have been found, of a ratio or 1 by it.
std::string detectable_text(double ratio) {
    constexpr double twice = 2;
    return ratio >= twice ? format_ratio(ratio) + " times" : format_percent(ratio - 1);
}

/// That points are compared in a state of the machine that both sides saw; empty where none is.
/// @param points the compared ones, counted   @param states that the points in a common mode are of
std::string common_state_sentence(std::size_t in_common_mode, std::size_t states, const std::string& points,
                                  const std::string& first, const std::string& second) {
    return in_common_mode == 0
               ? ""
               : fmt::format(
                     "At {} of {} the values of {} and of {} are of different states of the machine, and "
                     "what launches of both found in one state is compared{}.",
                     in_common_mode, points, first, second,
                     states > 1 ? ", not in the same one everywhere" : "");
}

/// That two suites of a report are compared in a state of the machine that is not that of the values shown,
/// or in two states; nothing where neither is so.
std::vector<Block> states_compared(const InCommonModes& common, const CurveComparison& comparison,
                                   const std::string& first, const std::string& second) {
    const std::string points = count_of(static_cast<std::int64_t>(comparison.points.size()), "argument");
    std::vector<Block> blocks;
    if (common.points > 0)
        blocks.push_back(Paragraph{common_state_sentence(common.points, common.states, points, first, second),
                                   Tone::plain});
    const auto apart = std::ranges::count_if(comparison.points, &PointComparison::in_other_state);
    if (apart > 0)
        blocks.push_back(
            Paragraph{fmt::format("At {} of {} the times of {} and of {} are of different states of the "
                                  "machine, and both are known in one state nowhere there: the ratios there "
                                  "mean little.",
                                  apart, points, first, second),
                      Tone::warning});
    return blocks;
}

/// What all arguments say together.
std::string pooled_sentence(const PooledComparison& pooled, const std::string& second) {
    const std::string arguments = count_of(static_cast<std::int64_t>(pooled.arguments), "argument");
    if (!pooled.judged())
        return fmt::format("Of all arguments together nothing is said, {}.",
                           unjudged_text(pooled.unjudged.value_or(Unjudged::few_launches)));
    const std::string from =
        fmt::format("over {} and {} launches", pooled.first_launches, pooled.second_launches);
    const auto interval = [&](double low, double high) {
        return fmt::format("{} to {}", format_ratio(low), format_ratio(high));
    };
    if (pooled.faster() || pooled.slower())
        return fmt::format("{} together say that {} {} ({}; {}).",
                           pooled.arguments == 1 ? "Its launches" : arguments, second,
                           format_time_ratio(pooled.ratio),
                           pooled.faster() ? interval(1 / *pooled.ratio_high, 1 / *pooled.ratio_low)
                                           : interval(*pooled.ratio_low, *pooled.ratio_high),
                           from);
    return fmt::format("No shift shared by {} was found ({}; {}); one of {} would have been{}.", arguments,
                       interval(*pooled.ratio_low, *pooled.ratio_high), from,
                       detectable_text(*pooled.detectable), pooled.simulated ? "" : " in 9 of 10 cases");
}

/// Of two curves over something else than the number of ranks.
bool on_other_ranks(const Curve& a, const Curve& b) {
    return ranks_differ(ranks_of(a), ranks_of(b));
}

std::string curve_label(const Curve& curve) {
    const OperationInfo& operation = curve.suite().operation;
    return operation.title.empty() ? operation.name : operation.title;
}

/// That two curves' times are not of one kind.
Paragraph other_meaning(const Curve& first, const std::string& first_label, const Curve& second,
                        const std::string& second_label) {
    return {fmt::format("The times are not of the same kind: those of {} are {}, those of {} {}.",
                        first_label, meaning_noun(first), second_label, meaning_noun(second)),
            Tone::warning};
}

bool differs_by_5_percent(double a, double b) {
    return a > 0 && b > 0 && std::fabs(a - b) > 0.05 * std::min(a, b);
}

/// The middle of what a subject's measurements of the compared suites say of the machine's state; 0 =
/// nothing.
double median_state(const DatabaseComparison& comparison, const Curve* DatabaseComparison::Suite::*side,
                    double Measurement::*state) {
    std::vector<double> values;
    for (const DatabaseComparison::Suite& suite : comparison.suites)
        for (const StoredMeasurement& point : (suite.*side)->points)
            if (const double value = point.measurement.*state; value > 0)
                values.push_back(value);
    std::sort(values.begin(), values.end());
    return values.empty() ? 0 : skalib::quantile(values, 0.5);
}

/// "partner (rank 1 and rank 2), root (0 and 1)"
std::string fields_text(const std::vector<FieldDifference>& differences) {
    std::vector<std::string> texts;
    for (const FieldDifference& each : differences)
        texts.push_back(fmt::format("{} ({} and {})", each.field, each.first.empty() ? "none" : each.first,
                                    each.second.empty() ? "none" : each.second));
    return enumeration(texts);
}

std::vector<std::string> differences(const DatabaseComparison& comparison) {
    std::vector<std::string> warnings;
    if (comparison.reference->run && comparison.other->run) {
        const Run& a = *comparison.reference->run;
        const Run& b = *comparison.other->run;
        const auto ranks_text = [](const Run& run) {
            return run.ranks > 0 ? std::to_string(run.ranks) : "unknown";
        };
        if (a.ranks != b.ranks && !ranks_differ(a.ranks, b.ranks)) // else it is said first
            warnings.push_back(fmt::format("The number of ranks differs: {} in {}, {} in {}.", ranks_text(b),
                                           comparison.other->label, ranks_text(a),
                                           comparison.reference->label));
        using Pair = DatabaseComparison::Suite;
        const double probe_a_s = median_state(comparison, &Pair::reference, &Measurement::probe_s);
        const double probe_b_s = median_state(comparison, &Pair::other, &Measurement::probe_s);
        if (differs_by_5_percent(probe_a_s, probe_b_s) && in_one_mode(probe_a_s, probe_b_s))
            warnings.push_back(
                fmt::format("The probes of the machine's state differ by more than 5 %: {} in {}, {} in {}. "
                            "Part of any difference may be that.",
                            format_time(probe_b_s), comparison.other->label, format_time(probe_a_s),
                            comparison.reference->label));
        const double clock_a_hz = median_state(comparison, &Pair::reference, &Measurement::core_clock_hz);
        const double clock_b_hz = median_state(comparison, &Pair::other, &Measurement::core_clock_hz);
        if (differs_by_5_percent(clock_a_hz, clock_b_hz))
            warnings.push_back(fmt::format(
                "The core clocks differ by more than 5 %: {:.2f} GHz in {}, {:.2f} GHz in {}.",
                clock_b_hz / 1e9, comparison.other->label, clock_a_hz / 1e9, comparison.reference->label));
        if (!a.plan_hash.empty() && !b.plan_hash.empty() && a.plan_hash != b.plan_hash)
            warnings.push_back(
                "The measurement plans differ; only suites of the same operation are compared.");
    }
    std::size_t fallbacks = 0;
    std::size_t suites_with_fallbacks = 0;
    std::map<std::string, std::size_t> other_quantity;       // suites, by the fields in which they differ
    std::map<std::string, std::size_t> computed_differently; // likewise
    for (const DatabaseComparison::Suite& suite : comparison.suites) {
        const Comparability& comparability = suite.curves.comparability;
        const UnjudgedCounts unjudged = suite.curves.unjudged();
        if (const auto place = unjudged.find(Unjudged::started_differently);
            place != unjudged.end() && comparability.kind() != Comparable::other_quantity) {
            fallbacks += place->second;
            ++suites_with_fallbacks;
        }
        if (unjudged.contains(Unjudged::other_quantity) || unjudged.contains(Unjudged::started_differently))
            if (!comparability.other_quantity.empty())
                ++other_quantity[fields_text(comparability.other_quantity)];
        if (!comparability.computed_differently.empty())
            ++computed_differently[fields_text(comparability.computed_differently)];
    }
    const auto only_in = [&](const Subject& subject, const Subject& without,
                             const Curve* DatabaseComparison::Suite::*side) {
        std::vector<std::string> names;
        for (const Curve& curve : subject.curves)
            if (!curve.points.empty() &&
                std::ranges::find(comparison.suites, &curve, side) == comparison.suites.end())
                names.push_back(shortened(title_of(curve), 40));
        if (names.empty())
            return;
        constexpr std::size_t most = 4;
        const std::size_t count = names.size();
        if (count > most) {
            names.resize(most);
            names.push_back(fmt::format("{} more", count - most));
        }
        warnings.push_back(fmt::format("{} of {} {} nothing to compare with in {}: {}.",
                                       count_of(static_cast<std::int64_t>(count), "suite"), subject.label,
                                       count == 1 ? "has" : "have", without.label, enumeration(names)));
    };
    only_in(*comparison.reference, *comparison.other, &DatabaseComparison::Suite::reference);
    only_in(*comparison.other, *comparison.reference, &DatabaseComparison::Suite::other);
    for (const auto& [fields, count] : other_quantity)
        warnings.push_back(
            fmt::format("{} cannot be compared, because they measure different quantities: {}.",
                        count_of(static_cast<std::int64_t>(count), "suite"), fields));
    for (const auto& [fields, count] : computed_differently)
        warnings.push_back(fmt::format("{} compute the value differently, which explains part of the "
                                       "difference: {}.",
                                       count_of(static_cast<std::int64_t>(count), "suite"), fields));
    if (fallbacks > 0)
        warnings.push_back(fmt::format(
            "At {} of {} one side was measured in windows and the other between barriers, because windows could "
            "not be kept there: these are not judged.",
            count_of(static_cast<std::int64_t>(fallbacks), "argument"),
            count_of(static_cast<std::int64_t>(suites_with_fallbacks), "suite")));
    if (std::string in_a_row = made_in_a_row(comparison); !in_a_row.empty())
        warnings.push_back(std::move(in_a_row));
    return warnings;
}

} // namespace

Section operations_compared(const Subject& subject, FigureNames& names) {
    Section section;
    section.title = "Comparisons";
    section.blocks.push_back(
        Paragraph{"Comparisons of operations measured in the same run. Ratios are paired launch by launch; "
                  "whether a difference is more than noise can only be said over launches, "
                  "not from the single measurements of one.",
                  Tone::plain});
    const std::vector<StandardPair> pairs = standard_comparisons(subject);
    std::size_t family = 0;
    for (const StandardPair& pair : pairs)
        family += common_arguments(*pair.first, *pair.second);
    for (const StandardPair& pair : pairs) {
        Section part;
        part.title = shortened(pair.title, 100);
        std::string first = curve_label(*pair.first);
        std::string second = curve_label(*pair.second);
        if (first == second) {
            first += ", " + format_bytes(pair.first->suite().message_bytes);
            second += ", " + format_bytes(pair.second->suite().message_bytes);
        }
        const InCommonModes common = in_common_modes(*pair.first, *pair.second);
        const Curve& first_curve = common.first_or(*pair.first);
        const Curve& second_curve = common.second_or(*pair.second);
        const CurveComparison comparison =
            compare(first_curve, second_curve, Pairing::same_launches, family, pair.on_purpose);
        part.blocks.push_back(Paragraph{comparison_sentence(comparison, first, second), Tone::plain});
        std::ranges::move(states_compared(common, comparison, first, second),
                          std::back_inserter(part.blocks));
        const Meaning first_meaning = meaning_of(*pair.first);
        const Meaning second_meaning = meaning_of(*pair.second);
        if (first_meaning != second_meaning)
            part.blocks.push_back(other_meaning(*pair.first, first, *pair.second, second));
        if (drawable(first_curve) && drawable(second_curve))
            part.blocks.push_back(
                FigureBlock{overlay_figure(names.next(), {&first_curve, &second_curve},
                                           {shortened(first, 28), shortened(second, 28)}),
                            fmt::format("Time, and time of {} divided by time of {}.{}",
                                        shortened(second, 60), shortened(first, 60),
                                        first_meaning == second_meaning &&
                                                first_meaning == Meaning::round_trip && !pair.first->halved
                                            ? " Round trips."
                                            : "")});
        if (!comparison.points.empty())
            part.blocks.push_back(points_table(first_curve, comparison, first, second));
        section.subsections.push_back(std::move(part));
    }
    return section;
}

Section own_comparisons(const Content& content, const std::vector<Subject>& subjects, FigureNames& names) {
    Section section;
    section.title = "Further comparisons";
    const auto owner = [&](const Curve* curve) {
        return &*std::ranges::find_if(subjects, [&](const Subject& subject) {
            return std::ranges::any_of(subject.curves, [&](const Curve& each) { return &each == curve; });
        });
    };
    const auto pairing = [&](const Curve* a, const Curve* b) {
        return owner(a) == owner(b)                   ? Pairing::same_launches
               : shared_launches({a}, {b}).shared > 0 ? Pairing::overlapping
                                                      : Pairing::independent;
    };
    std::size_t family = 0;
    for (const Content::Comparison& wanted : content.comparisons) {
        const std::vector<const Curve*> curves = curves_of(wanted, subjects);
        for (std::size_t i = 1; i < curves.size(); ++i)
            family += common_arguments(*curves[0], *curves[i]);
    }
    for (const Content::Comparison& wanted : content.comparisons) {
        const std::vector<const Curve*> curves = curves_of(wanted, subjects);
        std::vector<std::string> labels;
        for (std::size_t i = 0; i < curves.size(); ++i)
            labels.push_back(shortened(!wanted.curves[i].label.empty() ? wanted.curves[i].label
                                       : subjects.size() == 1
                                           ? title_of(*curves[i])
                                           : owner(curves[i])->label + ": " + title_of(*curves[i]),
                                       40));
        Section part;
        part.title = shortened(wanted.title, 100);
        std::vector<InCommonModes> common(1); // of each curve with the first
        for (std::size_t i = 1; i < curves.size(); ++i)
            common.push_back(in_common_modes(*curves[0], *curves[i]));
        if (std::ranges::all_of(curves, [](const Curve* curve) { return drawable(*curve); })) {
            // Of more than two the first may share another state with each: they are drawn as they are shown.
            const bool aligned = curves.size() == 2 && common[1].points > 0;
            const bool as_shown = !aligned && std::ranges::any_of(common, [](const InCommonModes& each) {
                return each.points > 0;
            });
            part.blocks.push_back(FigureBlock{
                aligned ? overlay_figure(names.next(), {&common[1].first, &common[1].second}, labels)
                        : overlay_figure(names.next(), curves, labels),
                fmt::format("Time, and time divided by that of {}{}.", labels.front(),
                            as_shown ? ", of the states of the machine in which the suites are shown" : "")});
        }
        for (std::size_t i = 1; i < curves.size(); ++i) {
            const Curve& first = common[i].first_or(*curves[0]);
            const Curve& second = common[i].second_or(*curves[i]);
            const CurveComparison comparison = compare(first, second, pairing(curves[0], curves[i]), family);
            part.blocks.push_back(
                Paragraph{comparison_sentence(comparison, labels[0], labels[i]), Tone::plain});
            std::ranges::move(states_compared(common[i], comparison, labels[0], labels[i]),
                              std::back_inserter(part.blocks));
            if (on_other_ranks(*curves[0], *curves[i]))
                part.blocks.push_back(Paragraph{
                    fmt::format("{} was measured on {} and {} on {}: part of their difference is that.",
                                labels[0], count_of(ranks_of(*curves[0]), "rank"), labels[i],
                                count_of(ranks_of(*curves[i]), "rank")),
                    Tone::warning});
            if (meaning_of(*curves[0]) != meaning_of(*curves[i]))
                part.blocks.push_back(other_meaning(*curves[0], labels[0], *curves[i], labels[i]));
            if (!comparison.points.empty())
                part.blocks.push_back(points_table(first, comparison, labels[0], labels[i]));
        }
        section.subsections.push_back(std::move(part));
    }
    return section;
}

MessageSize size_of_message(std::int64_t bytes) {
    constexpr std::int64_t longest_small = 1024;
    constexpr std::int64_t longest_medium = std::int64_t{64} * 1024;
    return bytes <= longest_small    ? MessageSize::small
           : bytes <= longest_medium ? MessageSize::medium
                                     : MessageSize::large;
}

namespace {

bool is_local(const Curve& curve) {
    return meaning_of(curve) == Meaning::local || curve.suite().operation.pattern == Pattern::simple;
}

/// Arguments of each size that are compared; of a suite over something else than the length all belong to
/// the size of its messages, if it sends any.
std::map<MessageSize, std::pair<std::int64_t, std::int64_t>>
arguments_by_size(const Curve& curve, const std::vector<PointComparison>& points) {
    std::map<MessageSize, std::pair<std::int64_t, std::int64_t>> ranges;
    if (points.empty())
        return ranges;
    if (curve.suite().varied != Varied::message_length) {
        const bool sends = std::ranges::any_of(curve.points, [&](const StoredMeasurement& point) {
            return bytes_moved(curve, point.measurement) > 0;
        });
        if (sends)
            ranges[size_of_message(curve.suite().message_bytes)] = {points.front().argument,
                                                                    points.back().argument};
        return ranges;
    }
    for (const PointComparison& point : points) {
        const auto [range, is_new] =
            ranges.try_emplace(size_of_message(point.argument), point.argument, point.argument);
        range->second.second = point.argument;
    }
    return ranges;
}

} // namespace

bool DatabaseComparison::Suite::judged() const {
    const std::size_t points = curves.judged();
    return whole.judged() || curves.faster() + curves.slower() > 0 ||
           (points > 0 && 2 * points >= curves.points.size());
}

std::vector<MessageSize> DatabaseComparison::Suite::sizes_alone() const {
    std::vector<MessageSize> sizes;
    if (!judged() || outcome() == Outcome::none)
        for (const auto& [size, pooled] : by_size)
            if (pooled.faster() || pooled.slower())
                sizes.push_back(size);
    return sizes;
}

Outcome DatabaseComparison::Suite::outcome() const {
    const std::size_t faster = curves.faster();
    const std::size_t slower = curves.slower();
    if (whole.faster())
        return slower > 0 ? Outcome::both : Outcome::faster;
    if (whole.slower())
        return faster > 0 ? Outcome::both : Outcome::slower;
    // Of points that cannot be judged nothing is known: they are on nobody's side.
    return skampi::outcome(faster, slower, curves.points.size());
}

namespace {

/// Ratios of points in several suites.
struct Ratios {
    double log_sum = 0;
    std::size_t points = 0;
    std::size_t suites = 0; ///< with such points

    void add(const std::vector<double>& of_suite) {
        for (const double ratio : of_suite)
            log_sum += std::log(ratio);
        points += of_suite.size();
        suites += of_suite.empty() ? 0 : 1;
    }
};

void set_mean_ratio(DatabaseComparison& comparison) {
    Ratios comparable;
    Ratios judged;
    for (const DatabaseComparison::Suite& suite : comparison.suites) {
        if (!suite.in_verdict)
            continue;
        std::vector<double> of_comparable;
        std::vector<double> of_judged;
        for (const PointComparison& point : suite.curves.points) {
            if (point.comparable)
                of_comparable.push_back(point.ratio);
            if (suite.judged() && point.judged())
                of_judged.push_back(point.ratio);
        }
        comparable.add(of_comparable);
        judged.add(of_judged);
    }
    const Ratios& counting = judged.points > 0 ? judged : comparable;
    if (counting.points > 0)
        comparison.mean_ratio = std::exp(counting.log_sum / static_cast<double>(counting.points));
    comparison.mean_points = counting.points;
    comparison.mean_suites = counting.suites;
}

} // namespace

DatabaseComparison compare_databases(const Subject& reference, const Subject& other) {
    DatabaseComparison comparison;
    comparison.reference = &reference;
    comparison.other = &other;
    std::vector<InCommonModes> aligned; // one for each suite
    std::size_t wholes = 0;
    for (const Curve& curve : reference.curves) {
        const Curve* twin = matching_curve(other, curve);
        if (!twin || curve.points.empty() || twin->points.empty())
            continue;
        DatabaseComparison::Suite& suite = comparison.suites.emplace_back();
        suite.reference = &curve;
        suite.other = twin;
        suite.in_verdict = in_verdict(comparison, curve);
        InCommonModes common = in_common_modes(curve, *twin);
        suite.in_common_mode = common.points;
        suite.common_states = common.states;
        const std::size_t points = common_arguments(curve, *twin);
        comparison.points += points;
        wholes += points > 0 ? 1 : 0;
        aligned.push_back(std::move(common));
    }
    std::vector<const Curve*> of_reference;
    std::vector<const Curve*> of_other;
    for (const DatabaseComparison::Suite& suite : comparison.suites) {
        of_reference.push_back(suite.reference);
        of_other.push_back(suite.other);
    }
    comparison.launches_of_both = shared_launches(of_reference, of_other);
    const Pairing pairing =
        comparison.launches_of_both.shared > 0 ? Pairing::overlapping : Pairing::independent;
    std::size_t cells = 0;
    std::vector<LaunchScores> scores;
    for (std::size_t i = 0; i < comparison.suites.size(); ++i) {
        DatabaseComparison::Suite& suite = comparison.suites[i];
        const Curve& first = aligned[i].first_or(*suite.reference);
        const Curve& second = aligned[i].second_or(*suite.other);
        // Half of the error that is allowed is left for the suites as wholes.
        suite.curves = compare(first, second, pairing, 2 * comparison.points, OnPurpose());
        scores.emplace_back(first, second, suite.curves.points);
        aligned[i] = {}; // of many launches it is large
        if (suite.curves.points.empty())
            continue;
        suite.whole = scores.back().pooled(2 * wholes);
        if (suite.in_verdict)
            cells += arguments_by_size(*suite.reference, suite.curves.points).size();
        comparison.faster += suite.curves.faster();
        comparison.slower += suite.curves.slower();
        comparison.judged += suite.curves.judged();
        for (const auto& [reason, count] : suite.curves.unjudged())
            comparison.unjudged[reason] += count;
        comparison.launches = std::max(comparison.launches, suite.curves.launches);
    }
    for (std::size_t i = 0; i < comparison.suites.size(); ++i)
        if (DatabaseComparison::Suite& suite = comparison.suites[i]; suite.in_verdict)
            for (const auto& [size, range] : arguments_by_size(*suite.reference, suite.curves.points))
                suite.by_size[size] = scores[i].pooled(cells, range.first, range.second);
    set_mean_ratio(comparison);
    comparison.warnings = differences(comparison);
    return comparison;
}

bool in_verdict(const DatabaseComparison& comparison, const Curve& reference) {
    return !is_local(reference) || std::ranges::all_of(comparison.reference->curves, is_local);
}

std::string other_ranks(const DatabaseComparison& comparison) {
    std::vector<std::string> suites;
    std::size_t all = 0;
    for (const DatabaseComparison::Suite& suite : comparison.suites) {
        if (!suite.in_verdict)
            continue;
        ++all;
        if (on_other_ranks(*suite.reference, *suite.other))
            suites.push_back(shortened_name(title_of(*suite.reference), 40));
    }
    const std::string& reference = comparison.reference->label;
    const std::string& other = comparison.other->label;
    const std::string of_all =
        fmt::format("{} of {}", suites.size(), count_of(static_cast<std::int64_t>(all), "suite"));
    const auto& a = comparison.reference->run;
    const auto& b = comparison.other->run;
    if (a && b && ranks_differ(a->ranks, b->ranks))
        return fmt::format(
            "{} ran on {}, {} on {}{}.", other, count_of(b->ranks, "rank"), reference, a->ranks,
            suites.empty() ? "" : ": of " + of_all + ", whose times depend on that, nothing is said");
    if (suites.empty())
        return {};
    constexpr std::size_t most = 3;
    if (const std::size_t count = suites.size(); count > most) {
        suites.resize(most);
        suites.push_back(fmt::format("{} more", count - most));
    }
    return fmt::format("{} were measured on other numbers of ranks in {} than in {}, and nothing is said of "
                       "them: {}.",
                       of_all, other, reference, enumeration(suites));
}

std::string launches_in_common(const DatabaseComparison& comparison) {
    const SharedLaunches& launches = comparison.launches_of_both;
    if (launches.shared == 0)
        return {};
    const std::string& reference = comparison.reference->label;
    const std::string& other = comparison.other->label;
    const auto shared = static_cast<std::int64_t>(launches.shared);
    const std::string all = shared == 1 ? "the launch" : fmt::format("all {} launches", shared);
    std::string who;
    if (launches.same())
        who = fmt::format("{} and {} hold the same {}", reference, other,
                          shared == 1 ? "launch" : count_of(shared, "launch", "launches"));
    else if (launches.shared == launches.of_second)
        who = fmt::format("{} holds {} of {} among its {}", reference, all, other, launches.of_first);
    else if (launches.shared == launches.of_first)
        who = fmt::format("{} holds {} of {} among its {}", other, all, reference, launches.of_second);
    else
        who = fmt::format("{} of the {} launches of {} {} among the {} of {}", shared, launches.of_second,
                          other, shared == 1 ? "is" : "are", launches.of_first, reference);
    return who + ": they are compared with themselves, and nothing is said of significance.";
}

namespace {

/// From the first launch's start to the last one's end.
struct Session {
    double begin_s = 0;
    double end_s = 0;
    [[nodiscard]] double length_s() const { return end_s - begin_s; }
};

/// None where the run does not tell, or was not on a real machine.
std::optional<Session> session_of(const Subject& subject) {
    if (!subject.run || is_simulated(*subject.run))
        return std::nullopt;
    const std::optional<double> begin_s = utc_seconds(subject.run->started_utc);
    const std::optional<double> end_s = utc_seconds(subject.run->ended_utc);
    if (!begin_s || !end_s || *end_s < *begin_s)
        return std::nullopt;
    return Session{*begin_s, *end_s};
}

/// From the end of each launch, where that is not told from its start, to the start of the next; none where
/// not all launches are told of.
std::vector<double> gaps_between_launches(const Subject& subject) {
    std::vector<Session> launches;
    for (const auto& [uuid, source] : merged_sources(*subject.run))
        if (const std::optional<double> begin_s = utc_seconds(source.started_utc);
            begin_s && source.own_start)
            launches.push_back(
                {*begin_s, std::max(*begin_s, utc_seconds(source.ended_utc).value_or(*begin_s))});
    if (launches.size() < subject.launches())
        return {};
    std::ranges::sort(launches, {}, &Session::begin_s);
    std::vector<double> gaps_s;
    for (std::size_t i = 1; i < launches.size(); ++i)
        gaps_s.push_back(launches[i].begin_s - launches[i - 1].end_s);
    return gaps_s;
}

std::string minutes_text(double time_s) {
    constexpr double minute_s = 60;
    constexpr double hour_s = 3600;
    return time_s < 2 * minute_s ? fmt::format("{:.0f} s", time_s)
           : time_s < 2 * hour_s ? fmt::format("{:.0f} min", time_s / minute_s)
                                 : fmt::format("{:.1f} h", time_s / hour_s);
}

} // namespace

std::string made_in_a_row(const DatabaseComparison& comparison) {
    const std::optional<Session> a = session_of(*comparison.reference);
    const std::optional<Session> b = session_of(*comparison.other);
    const bool any_judged =
        comparison.judged > 0 ||
        std::ranges::any_of(comparison.suites, [](const auto& suite) { return suite.whole.judged(); });
    if (!a || !b || !any_judged)
        return {};
    const double both_s = std::min(a->end_s, b->end_s) - std::max(a->begin_s, b->begin_s);
    if (2 * both_s > std::min(a->length_s(), b->length_s()))
        return {}; // in turns: what changes the machine changes both
    std::vector<std::string> sides;
    const auto add = [&](const Session& session, const Subject& subject) {
        constexpr double apart_s = 3600;
        const std::size_t launches = subject.launches();
        if (launches < launches_needed || launches >= launches_to_tell_likeness)
            return;
        const std::vector<double> gaps_s = gaps_between_launches(subject);
        const auto close = static_cast<std::size_t>(
            std::ranges::count_if(gaps_s, [](double gap_s) { return gap_s < apart_s; }));
        if (2 * close > gaps_s.size())
            sides.push_back(fmt::format("{}the {} launches of {} within {}",
                                        close < gaps_s.size() ? "most of " : "", launches, subject.label,
                                        minutes_text(session.length_s())));
    };
    add(*a, *comparison.reference);
    add(*b, *comparison.other);
    if (sides.empty())
        return {};
    return fmt::format(
        "Made in a row, not in turns: {}. Launches of the same minutes are alike, and fewer than {} cannot tell how much: "
        "what was special to these minutes counts as a difference. Launches of both in turns, or spread over hours, tell "
        "the two apart.",
        enumeration(sides), launches_to_tell_likeness);
}

std::string other_state(const DatabaseComparison& comparison) {
    std::vector<double> slower; // probes of other by those of reference
    std::vector<double> faster; // the other way round
    std::size_t points = 0;
    std::size_t in_common_mode = 0;
    std::size_t states = 0; // of a suite
    for (const DatabaseComparison::Suite& suite : comparison.suites) {
        if (!suite.in_verdict)
            continue;
        points += suite.curves.points.size();
        in_common_mode += suite.in_common_mode;
        states = std::max(states, suite.common_states);
        for (const PointComparison& point : suite.curves.points)
            if (point.in_other_state())
                point.probe_ratio > 1 ? slower.push_back(point.probe_ratio)
                                      : faster.push_back(1 / point.probe_ratio);
    }
    const std::string common =
        common_state_sentence(in_common_mode, states, count_of(static_cast<std::int64_t>(points), "point"),
                              comparison.reference->label, comparison.other->label);
    if (slower.empty() && faster.empty())
        return common;
    const std::string before = common.empty() ? "" : common + " ";
    const auto middle = [](std::vector<double>& ratios) {
        std::sort(ratios.begin(), ratios.end());
        return format_times(skalib::quantile(ratios, 0.5));
    };
    const bool mostly_slower = slower.size() >= faster.size();
    std::vector<double>& more = mostly_slower ? slower : faster;
    std::vector<double>& less = mostly_slower ? faster : slower;
    const std::size_t apart = more.size() + less.size();
    const Subject* longer = comparison.other;
    const Subject* shorter = comparison.reference;
    if (!mostly_slower)
        std::swap(longer, shorter);
    const std::string probes =
        fmt::format("probes took {} as long in {} as in {}{}", middle(more), longer->label, shorter->label,
                    less.empty() ? ""
                                 : fmt::format(" (at {} of these {} as long in {})", less.size(),
                                               middle(less), shorter->label));
    const std::string at =
        apart == points
            ? ""
            : fmt::format("At {} of {} ", apart, count_of(static_cast<std::int64_t>(points), "point"));
    const auto cpu = [](const Run& run) {
        const auto fact = run.facts.find("cpu model");
        return fact == run.facts.end() ? std::string() : fact->second;
    };
    const auto differ = [](const std::string& a, const std::string& b) {
        return !a.empty() && !b.empty() && a != b;
    };
    const Subject& a = *comparison.reference;
    const Subject& b = *comparison.other;
    if (a.run && b.run && (differ(a.run->machine, b.run->machine) || differ(cpu(*a.run), cpu(*b.run))))
        return before +
               fmt::format(
                   "{} machines are of different speed: {}, so the times are not only those of the MPI library.",
                   at.empty() ? "The" : at + "the", probes);
    return before +
           fmt::format(
               "{} machine was in another state: its {}, so the times{} cannot be told apart from that.",
               at.empty() ? "The" : at + "the", probes, at.empty() ? "" : " there");
}

namespace {

std::string cell_text(const PooledComparison& pooled) {
    if (!pooled.judged())
        return "open";
    if (pooled.faster() || pooled.slower())
        return change_text(pooled.ratio);
    return fmt::format("none ({})", detectable_text(*pooled.detectable));
}

/// How much faster or slower a suite is: as a whole, else at the points that say so.
double ratio_found(const DatabaseComparison::Suite& suite) {
    if (suite.whole.faster() || suite.whole.slower())
        return suite.whole.ratio;
    double log_sum = 0;
    for (const PointComparison& point : suite.curves.points)
        log_sum += point.significant() ? std::log(point.ratio) : 0;
    return std::exp(log_sum / static_cast<double>(suite.curves.faster() + suite.curves.slower()));
}

/// "to 1 KiB"
std::string size_text(MessageSize size) {
    switch (size) {
    case MessageSize::small:
        return "to 1 KiB";
    case MessageSize::medium:
        return "to 64 KiB";
    case MessageSize::large:
        break;
    }
    return "longer";
}

/// A suite with what is said of it.
struct Named {
    const DatabaseComparison::Suite* suite = nullptr;
    std::string text;
};

/// "MPI_Bcast +5.2 %, MPI_Reduce +3.1 % and 2 more"
std::string first_few(const std::vector<Named>& suites) {
    constexpr std::size_t most = 3;
    std::vector<std::string> texts;
    for (std::size_t i = 0; i < std::min(most, suites.size()); ++i)
        texts.push_back(
            fmt::format("{} {}", shortened_name(title_of(*suites[i].suite->reference), 40), suites[i].text));
    if (suites.size() > most)
        texts.push_back(fmt::format("{} more", suites.size() - most));
    return enumeration(texts);
}

/// Suites of the verdict, by what is said of them.
struct Verdicts {
    std::vector<Named> faster;
    std::vector<Named> slower;
    std::vector<Named> partly_faster;
    std::vector<Named> partly_slower;
    std::vector<Named> both;
    std::vector<Named> at_sizes; ///< of those without a difference and of the open ones
    std::size_t none = 0;
    std::optional<double> detectable; ///< the worst of those without a difference
    std::size_t open = 0;
    UnjudgedCounts reasons;     ///< of the open ones
    bool partly_judged = false; ///< some of these are, at single points or sizes of messages
    std::size_t suites = 0;
    std::size_t points = 0;
};

Verdicts verdicts_of(const DatabaseComparison& comparison) {
    Verdicts all;
    for (const DatabaseComparison::Suite& suite : comparison.suites) {
        if (!suite.in_verdict || suite.curves.points.empty())
            continue;
        ++all.suites;
        all.points += suite.curves.points.size();
        std::vector<std::string> sizes;
        for (const MessageSize size : suite.sizes_alone())
            sizes.push_back(size_text(size) + " " + change_text(suite.by_size.at(size).ratio));
        if (!sizes.empty())
            all.at_sizes.push_back({&suite, enumeration(sizes)});
        if (!suite.judged()) {
            ++all.open;
            all.partly_judged =
                all.partly_judged || suite.curves.judged() > 0 ||
                std::ranges::any_of(suite.by_size, [](const auto& each) { return each.second.judged(); });
            ++all.reasons[suite.whole.unjudged.value_or(Unjudged::few_launches)];
            continue;
        }
        const auto at = [&](std::size_t points) {
            return fmt::format("at {} of {}", points, suite.curves.points.size());
        };
        switch (suite.outcome()) {
        case Outcome::none:
            ++all.none;
            if (suite.whole.detectable)
                all.detectable = std::max(all.detectable.value_or(1), *suite.whole.detectable);
            break;
        case Outcome::faster:
            all.faster.push_back({&suite, change_text(ratio_found(suite))});
            break;
        case Outcome::slower:
            all.slower.push_back({&suite, change_text(ratio_found(suite))});
            break;
        case Outcome::few_faster:
            all.partly_faster.push_back({&suite, at(suite.curves.faster())});
            break;
        case Outcome::few_slower:
            all.partly_slower.push_back({&suite, at(suite.curves.slower())});
            break;
        case Outcome::both:
            all.both.push_back({&suite, fmt::format("faster at {}, slower at {}", suite.curves.faster(),
                                                    suite.curves.slower())});
            break;
        }
    }
    const auto size = [](const Named& named) { return std::fabs(std::log(ratio_found(*named.suite))); };
    std::ranges::stable_sort(all.faster, std::greater{}, size);
    std::ranges::stable_sort(all.slower, std::greater{}, size);
    return all;
}

std::string suites_text(std::size_t count) {
    return count_of(static_cast<std::int64_t>(count), "suite");
}

} // namespace

std::string verdict(const DatabaseComparison& comparison) {
    const std::string& other = comparison.other->label;
    const std::string& reference = comparison.reference->label;
    const Verdicts all = verdicts_of(comparison);
    if (all.points == 0)
        return fmt::format("{} and {} have no measurements in common: nothing can be compared.", other,
                           reference);
    const std::string mean =
        comparison.mean_ratio
            ? fmt::format("it {} on average over {} of {}", format_time_ratio(*comparison.mean_ratio),
                          count_of(static_cast<std::int64_t>(comparison.mean_points), "point"),
                          suites_text(comparison.mean_suites))
            : std::string();
    const std::string at_sizes = all.at_sizes.empty()
                                     ? ""
                                     : fmt::format("; by length of the messages alone {} ({})",
                                                   count_of(static_cast<std::int64_t>(all.at_sizes.size()),
                                                            "suite differs", "suites differ"),
                                                   first_few(all.at_sizes));
    if (all.open == all.suites)
        return fmt::format(
            "No verdict on {} against {} ({}){}{}{}.", other, reference,
            comparison.launches < launches_needed && comparison.launches_of_both.shared == 0 &&
                    comparison.mean_ratio
                ? fmt::format("at most {} at an argument; {} needed on each side",
                              count_of(static_cast<std::int64_t>(comparison.launches), "launch", "launches"),
                              launches_needed)
                : (all.partly_judged ? "no suite could be judged as a whole, "
                                     : "nothing could be judged, ") +
                      unjudged_text(all.reasons),
            at_sizes, mean.empty() ? "" : "; ", mean);
    const std::string of_all = fmt::format(" of {}", suites_text(all.suites));
    // "slower in 2 of 5 suites (...)", of which only the first names all.
    std::vector<std::string> parts;
    const auto add = [&](const char* how, const std::vector<Named>& suites) {
        if (!suites.empty())
            parts.push_back(fmt::format("{} {}{} ({})", how, suites.size(), parts.empty() ? of_all : "",
                                        first_few(suites)));
    };
    const bool faster_first = all.faster.size() > all.slower.size();
    if (faster_first)
        add("faster in", all.faster);
    add("slower in", all.slower);
    if (!faster_first)
        add("faster in", all.faster);
    add("faster at some arguments of", all.partly_faster);
    add("slower at some arguments of", all.partly_slower);
    add("now faster, now slower in", all.both);
    const bool found = !parts.empty();
    const std::string seen =
        all.detectable ? fmt::format(" (one of {} would have been seen)", detectable_text(*all.detectable))
                       : "";
    std::string rest;
    if (found && all.none > 0)
        rest += fmt::format("; in {} no difference was found{}", all.none, seen);
    if (all.open > 0)
        rest += fmt::format("; {} could not be judged, {}", all.open, unjudged_text(all.reasons));
    rest += at_sizes;
    if (!found)
        return fmt::format("No difference between {} and {} was found in {}{}{}; {}.", other, reference,
                           suites_text(all.none), seen, rest, mean);
    const bool any_faster = !all.faster.empty() || !all.partly_faster.empty();
    const bool any_slower = !all.slower.empty() || !all.partly_slower.empty();
    const bool mixed = !all.both.empty() || (any_faster && any_slower);
    // The mean is that of all points, and those without a difference may have it on the other side.
    const bool contradicted = !mixed && ((any_faster && comparison.mean_ratio.value_or(1) > 1) ||
                                         (any_slower && comparison.mean_ratio.value_or(1) < 1));
    std::string text = mixed ? fmt::format("{} differs from {}: {}", other, reference, parts.front())
                             : fmt::format("{} is {} than {} {}", other, any_faster ? "faster" : "slower",
                                           reference, parts.front().substr(parts.front().find(' ') + 1));
    for (std::size_t i = 1; i < parts.size(); ++i)
        text += ", " + (mixed ? parts[i] : parts[i].substr(parts[i].find(' ') + 1));
    return fmt::format("{}{};{} {}.", text, rest, contradicted ? " but" : "", mean);
}

namespace {

/// @param with_reason of a suite that is not judged, why it is not
std::string winner(const DatabaseComparison::Suite& suite, const std::string& reference,
                   const std::string& other, bool with_reason) {
    const CurveComparison& curves = suite.curves;
    if (const std::vector<MessageSize> sizes = suite.sizes_alone(); !sizes.empty()) {
        std::vector<std::string> texts;
        for (const MessageSize size : sizes)
            texts.push_back(shortened(suite.by_size.at(size).faster() ? other : reference, 24) + " " +
                            size_text(size));
        return enumeration(texts);
    }
    if (!suite.judged())
        return "open" + (with_reason
                             ? ", " + unjudged_text(suite.whole.unjudged.value_or(Unjudged::few_launches))
                             : std::string());
    const auto at = [&](const std::string& name, std::size_t points) {
        return fmt::format("{} at {} of {}", name, points, curves.points.size());
    };
    switch (suite.outcome()) {
    case Outcome::none:
        return "no difference found";
    case Outcome::faster:
        return shortened(other, 24);
    case Outcome::slower:
        return shortened(reference, 24);
    case Outcome::few_faster:
        return at(shortened(other, 24), curves.faster());
    case Outcome::few_slower:
        return at(shortened(reference, 24), curves.slower());
    case Outcome::both:
        break;
    }
    return "depends on the argument";
}

/// Leaves the suites that differ, and of the others those whose ratios are farthest from 1, in their order.
void leave_most_remarkable(std::vector<const DatabaseComparison::Suite*>& suites, std::size_t most) {
    std::vector<const DatabaseComparison::Suite*> chosen = suites;
    std::ranges::stable_sort(chosen, std::greater{}, [](const DatabaseComparison::Suite* suite) {
        return std::pair(suite->differs(), std::fabs(std::log(suite->whole.ratio)));
    });
    chosen.resize(std::min(most, chosen.size()));
    std::erase_if(suites,
                  [&](const auto* suite) { return std::ranges::find(chosen, suite) == chosen.end(); });
}

/// On how many ranks: "4", "2 to 16" of a suite over them.
std::string ranks_text(const DatabaseComparison::Suite& suite) {
    const Curve& curve = *suite.reference;
    if (curve.suite().varied == Varied::nodes) {
        const std::int64_t least = suite.curves.points.front().argument;
        const std::int64_t most = suite.curves.points.back().argument;
        return least == most ? std::to_string(least) : fmt::format("{} to {}", least, most);
    }
    const int here = ranks_of(curve);
    const int there = ranks_of(*suite.other);
    const auto text = [](int ranks) { return ranks > 0 ? std::to_string(ranks) : std::string("-"); };
    return here == there ? text(here) : text(here) + ", " + text(there);
}

/// A fact that every launch has another value of, or that is told elsewhere.
bool tells_of_one_launch(const std::string& name, const std::string& value) {
    constexpr auto names = std::to_array<std::string_view>(
        {"load before", "steal ticks", "CPU share of other processes", "CPU 0 frequency, kHz",
         "mpi library, full text", fact_file_size, fact_expected_series, fact_samples});
    constexpr auto begins =
        std::to_array<std::string_view>({"ledger: ", "source ", "merged by", "env ", "slurm", "ended"});
    return value.starts_with(differs_between_runs) || std::ranges::find(names, name) != names.end() ||
           std::ranges::any_of(begins, [&](std::string_view begin) { return name.starts_with(begin); });
}

} // namespace

Table winners_table(const DatabaseComparison& comparison, std::size_t most_rows) {
    const std::string& reference = comparison.reference->label;
    const std::string& other = comparison.other->label;
    std::vector<const DatabaseComparison::Suite*> suites;
    for (const DatabaseComparison::Suite& suite : comparison.suites)
        if (suite.in_verdict && !suite.curves.points.empty())
            suites.push_back(&suite);
    Table table;
    table.title =
        fmt::format("Time of {} against that of {}, by length of the messages: none = no difference "
                    "found (so large a one would have been{})",
                    shortened(other, 30), shortened(reference, 30),
                    both_simulated(comparison) ? "" : ", in 9 of 10 cases");
    // One reason for all is said once; else each has its own.
    const UnjudgedCounts reasons = verdicts_of(comparison).reasons;
    if (reasons.size() == 1)
        table.title += "; open = not judged, " + unjudged_text(reasons.begin()->first);
    if (suites.size() > most_rows) {
        table.title += fmt::format("; {} of {} suites", most_rows, suites.size());
        leave_most_remarkable(suites, most_rows);
    }
    table.header = {"suite",
                    "ranks",
                    size_text(MessageSize::small),
                    size_text(MessageSize::medium),
                    size_text(MessageSize::large),
                    "all together",
                    "faster"};
    table.columns = {ColumnKind::text,   ColumnKind::number, ColumnKind::number, ColumnKind::number,
                     ColumnKind::number, ColumnKind::number, ColumnKind::prose};
    for (const DatabaseComparison::Suite* suite : suites) {
        const auto cell = [&](MessageSize size) {
            const auto place = suite->by_size.find(size);
            return place == suite->by_size.end() ? std::string("-") : cell_text(place->second);
        };
        table.rows.push_back({shortened_name(title_of(*suite->reference), 36), ranks_text(*suite),
                              cell(MessageSize::small), cell(MessageSize::medium), cell(MessageSize::large),
                              cell_text(suite->whole), winner(*suite, reference, other, reasons.size() > 1)});
    }
    return table;
}

Table differences_table(const DatabaseComparison& comparison) {
    Table table;
    table.title = "What differs";
    table.header = {"what", shortened(comparison.reference->label, 30),
                    shortened(comparison.other->label, 30)};
    table.columns = {ColumnKind::text, ColumnKind::prose, ColumnKind::prose};
    if (!comparison.reference->run || !comparison.other->run)
        return table;
    constexpr std::size_t most = 80;
    const auto add = [&](const std::string& what, const std::string& a, const std::string& b) {
        if (a != b)
            table.rows.push_back(
                {what, a.empty() ? "none" : shortened(a, most), b.empty() ? "none" : shortened(b, most)});
    };
    const Run& a = *comparison.reference->run;
    const Run& b = *comparison.other->run;
    const auto both = [&](const std::map<std::string, std::string>& first,
                          const std::map<std::string, std::string>& second, auto&& wanted) {
        std::set<std::string> names;
        for (const auto* each : {&first, &second})
            for (const auto& [name, value] : *each)
                names.insert(name);
        for (const std::string& name : names) {
            const auto left = first.find(name);
            const auto right = second.find(name);
            const std::string left_text = left == first.end() ? "" : left->second;
            const std::string right_text = right == second.end() ? "" : right->second;
            if (wanted(name, left_text) && wanted(name, right_text))
                add(name, left_text, right_text);
        }
    };
    // That the plans differ is said before; their hashes say no more.
    const Series first = Series(a).forget("plan_hash");
    const Series second = Series(b).forget("plan_hash");
    const auto known_first = first.known();
    const auto known_second = second.known();
    both(known_first, known_second, [&](const std::string& name, const std::string&) {
        // What is not known of one differs from nothing; a setting that is not set does.
        return name.starts_with("setting ") ? first.knows_settings() && second.knows_settings()
                                            : known_first.contains(name) && known_second.contains(name);
    });
    add("host", a.host, b.host);
    add("version of skampi-run", a.tool_version, b.tool_version);
    both(a.facts, b.facts, [&](const std::string& name, const std::string& value) {
        return a.facts.contains(name) && b.facts.contains(name) && !tells_of_one_launch(name, value);
    });
    add("launches", std::to_string(comparison.reference->launches()),
        std::to_string(comparison.other->launches()));
    using Pair = DatabaseComparison::Suite;
    const double probe_a_s = median_state(comparison, &Pair::reference, &Measurement::probe_s);
    const double probe_b_s = median_state(comparison, &Pair::other, &Measurement::probe_s);
    if (differs_by_5_percent(probe_a_s, probe_b_s))
        add("probe of the machine's state", format_time(probe_a_s), format_time(probe_b_s));
    const double clock_a_hz = median_state(comparison, &Pair::reference, &Measurement::core_clock_hz);
    const double clock_b_hz = median_state(comparison, &Pair::other, &Measurement::core_clock_hz);
    if (differs_by_5_percent(clock_a_hz, clock_b_hz))
        add("core clock", fmt::format("{:.2f} GHz", clock_a_hz / 1e9),
            fmt::format("{:.2f} GHz", clock_b_hz / 1e9));
    return table;
}

bool both_simulated(const DatabaseComparison& comparison) {
    const auto simulated = [](const Subject& subject) { return subject.run && is_simulated(*subject.run); };
    return simulated(*comparison.reference) && simulated(*comparison.other);
}

std::string judging_method(const Subject& subject, bool simulated) {
    const std::string& reference = subject.label;
    if (simulated)
        return fmt::format(
            "Ratios are times of the other database divided by times of {}: below 1 the other is faster. "
            "Simulated launches do not differ: a difference of two of them counts as significant when it "
            "is more than a step of the clock on either side.",
            reference);
    return fmt::format(
        "Ratios are times of the other database divided by times of {}: below 1 the other is faster. "
        "A difference counts as significant when the interval of the ratio over launches, "
        "corrected for the number of points and suites compared, is clear of 1; "
        "that takes at least {} launches on both sides that count there (in the state compared, and not in doubt). The typical ratio of a suite is that of the "
        "launches' medians over its arguments: it finds shifts that all arguments share and none shows.",
        reference, launches_needed);
}

Section comparison_statement(const DatabaseComparison& comparison, bool in_short) {
    Section part;
    part.title = fmt::format("{} against {}", shortened(comparison.other->label, 40),
                             shortened(comparison.reference->label, 40));
    if (!in_short) {
        std::string text;
        for (const std::string& first :
             {other_ranks(comparison), launches_in_common(comparison), other_state(comparison)})
            text += first + (first.empty() ? "" : " ");
        part.blocks.push_back(Paragraph{text + verdict(comparison), Tone::plain});
    }
    for (const std::string& warning : comparison.warnings)
        part.blocks.push_back(Paragraph{warning, Tone::warning});
    if (Table winners = winners_table(comparison); !in_short && !winners.rows.empty())
        part.blocks.push_back(std::move(winners));
    Table table;
    table.title = "What the arguments say, each by itself and together";
    std::vector<const DatabaseComparison::Suite*> suites;
    for (const DatabaseComparison::Suite& suite : comparison.suites)
        if (!suite.curves.counting().empty())
            suites.push_back(&suite);
    constexpr std::size_t most_in_short = 8;
    if (in_short && suites.size() > most_in_short) {
        table.title += fmt::format("; {} of {} suites", most_in_short, suites.size());
        leave_most_remarkable(suites, most_in_short);
    }
    table.header = {"suite",          "arguments",     "typical ratio", "its interval",
                    "smallest ratio", "largest ratio", "faster at",     "slower at"};
    table.columns = {ColumnKind::prose,  ColumnKind::number, ColumnKind::number, ColumnKind::number,
                     ColumnKind::number, ColumnKind::number, ColumnKind::number, ColumnKind::number};
    for (const DatabaseComparison::Suite* suite : suites) {
        const CurveComparison& curves = suite->curves;
        // The typical ratio and the range are those of the same arguments.
        std::vector<const PointComparison*> counting = curves.counting();
        double typical = suite->whole.ratio;
        if (suite->whole.judged()) {
            counting.clear();
            for (const PointComparison& point : curves.points)
                if (point.poolable)
                    counting.push_back(&point);
        } else {
            std::vector<double> ratios;
            for (const PointComparison* point : counting)
                ratios.push_back(point->ratio);
            std::ranges::sort(ratios);
            typical = skalib::quantile(ratios, 0.5);
        }
        const auto [least, most] =
            std::ranges::minmax(counting, {}, [](const PointComparison* point) { return point->ratio; });
        const auto at = [&](std::size_t points) {
            return curves.judged() == 0 ? std::string("-") : std::to_string(points);
        };
        table.rows.push_back(
            {shortened_name(title_of(*suite->reference), 50) +
                 (suite->in_verdict ? "" : " (local, not in the verdict)"),
             std::to_string(counting.size()) +
                 (counting.size() < curves.points.size() ? fmt::format(" of {}", curves.points.size()) : ""),
             format_ratio(typical), interval_text(suite->whole.ratio_low, suite->whole.ratio_high),
             format_ratio(least->ratio), format_ratio(most->ratio), at(curves.faster()),
             at(curves.slower())});
    }
    if (!table.rows.empty())
        part.blocks.push_back(std::move(table));
    if (Table different = differences_table(comparison); !different.rows.empty())
        part.blocks.push_back(std::move(different));
    return part;
}

std::vector<Block> suite_statement(const DatabaseComparison& comparison,
                                   const DatabaseComparison::Suite& suite) {
    if (suite.curves.points.empty())
        return {};
    const std::string& reference = comparison.reference->label;
    const std::string& other = comparison.other->label;
    if (suite.curves.counting().empty())
        return {Paragraph{comparison_sentence(suite.curves, reference, other), Tone::plain}};
    return {Paragraph{comparison_sentence(suite.curves, reference, other) + " " +
                          pooled_sentence(suite.whole, other),
                      Tone::plain},
            points_table(*suite.reference, suite.curves, reference, other)};
}

Section databases_compared(const Subject& reference, const std::vector<const Subject*>& others,
                           const std::vector<DatabaseComparison>& comparisons, FigureNames& names,
                           bool in_short) {
    Section section;
    section.title = "Comparison of databases";
    const bool simulated =
        std::ranges::all_of(comparisons, [](const DatabaseComparison& each) { return both_simulated(each); });
    section.blocks.push_back(Paragraph{judging_method(reference, simulated), Tone::plain});
    for (const DatabaseComparison& comparison : comparisons)
        section.subsections.push_back(comparison_statement(comparison, in_short));
    std::vector<const DatabaseComparison::Suite*> different;
    for (const DatabaseComparison& comparison : comparisons)
        for (const DatabaseComparison::Suite& suite : comparison.suites)
            if (suite.differs())
                different.push_back(&suite);
    constexpr std::size_t most_in_short = 4;
    leave_most_remarkable(different, most_in_short);
    const auto wanted = [&](const Curve& curve) {
        return !in_short ||
               std::ranges::find(different, &curve, &DatabaseComparison::Suite::reference) != different.end();
    };
    std::array<std::int64_t, 3> left_out{}; // with a smaller difference, with none, not judged
    for (const Curve& curve : reference.curves) {
        std::vector<const Curve*> curves{&curve};
        std::vector<std::string> labels{reference.label};
        for (const Subject* other : others) {
            // Those of other ranks are drawn as a family over these, other quantities not at all.
            const Curve* twin = matching_curve(*other, curve);
            if (twin && drawable(*twin) && comparability(curve, *twin).kind() != Comparable::other_quantity) {
                curves.push_back(twin);
                labels.push_back(other->label);
            }
        }
        if (curves.size() < 2 || !drawable(curve))
            continue;
        if (!wanted(curve)) {
            const auto any = [&](auto&& holds) {
                return std::ranges::any_of(comparisons, [&](const DatabaseComparison& comparison) {
                    return std::ranges::any_of(comparison.suites,
                                               [&](const DatabaseComparison::Suite& suite) {
                                                   return suite.reference == &curve && holds(suite);
                                               });
                });
            };
            ++left_out[any([](const auto& suite) { return suite.differs(); })  ? 0
                       : any([](const auto& suite) { return suite.judged(); }) ? 1
                                                                               : 2];
            continue;
        }
        Section part;
        part.title = shortened(title_of(curve), 90);
        part.blocks.push_back(FigureBlock{
            overlay_figure(names.next(), curves, labels),
            fmt::format("Time in {}, and its ratio to that in {}.", enumeration(labels), labels.front())});
        for (const DatabaseComparison& comparison : comparisons)
            for (const DatabaseComparison::Suite& suite : comparison.suites)
                if (suite.reference == &curve && !on_other_ranks(curve, *suite.other))
                    std::ranges::move(suite_statement(comparison, suite), std::back_inserter(part.blocks));
        section.subsections.push_back(std::move(part));
    }
    std::vector<std::string> reasons;
    for (const auto& [count, reason] : {std::pair(left_out[0], "with a smaller difference"),
                                        std::pair(left_out[1], "in which none was found"),
                                        std::pair(left_out[2], "that could not be judged")})
        if (count > 0)
            reasons.push_back(fmt::format("{} {}", count, reason));
    if (!reasons.empty())
        section.subsections.back().blocks.push_back(
            Paragraph{fmt::format("Suites not drawn here: {}. A file (-o) has all, --suite some.",
                                  enumeration(reasons)),
                      Tone::remark});
    return section;
}

} // namespace skampi
