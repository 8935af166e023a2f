#include "comparison_section.hpp"

#include "meaning.hpp"
#include "model/quantity.hpp"

#include "model/adjusted.hpp"
#include "skalib/statistics.hpp"
#include "suite_section.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <functional>

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

std::string ratio_interval_text(const PointComparison& point) {
    if (!point.ratio_low)
        return "-";
    return fmt::format("{} - {}", format_ratio(*point.ratio_low), format_ratio(*point.ratio_high));
}

Table points_table(const Curve& curve, const CurveComparison& comparison, const std::string& first,
                   const std::string& second) {
    Table table;
    constexpr std::size_t most = 8;
    if (comparison.points.size() > most)
        table.title = fmt::format("{} of {} arguments", most, comparison.points.size());
    if (comparison.judged() > 0)
        table.title +=
            table.title.empty() ? "Geometric means over the launches" : ", geometric means over the launches";
    table.header = {"at", shortened(first, 28), shortened(second, 28), "ratio", "its interval", "difference"};
    table.columns = {Column::number, Column::number, Column::number,
                     Column::number, Column::number, Column::text};
    for (const PointComparison* point : spread(comparison.points, most))
        table.rows.push_back({argument_text(curve, point->argument), format_time(point->first_s),
                              format_time(point->second_s) + (point->interpolated ? " *" : ""),
                              format_ratio(point->ratio), ratio_interval_text(*point),
                              point->unjudged == Unjudged::started_differently ? "other start"
                              : !point->judged()                               ? "not known"
                              : point->significant()                           ? "significant"
                                                                               : "within noise"});
    return table;
}

std::string comparison_sentence(const CurveComparison& comparison, const std::string& first,
                                const std::string& second) {
    if (comparison.points.empty())
        return fmt::format("{} and {} have no arguments in common.", first, second);
    double least = comparison.points.front().ratio;
    double most = least;
    bool interpolated = false;
    for (const PointComparison& point : comparison.points) {
        least = std::min(least, point.ratio);
        most = std::max(most, point.ratio);
        interpolated = interpolated || point.interpolated;
    }
    const std::string from = format_ratio(least);
    const std::string to = format_ratio(most);
    return fmt::format(
        "{} takes {} times as long as {} ({}{}). {}{}.{}", second, from == to ? from : from + " to " + to,
        first, from == to ? "" : fmt::format("geometric mean {}, ", format_ratio(comparison.mean_ratio)),
        count_of(static_cast<std::int64_t>(comparison.points.size()), "argument"),
        static_cast<char>(std::toupper(static_cast<unsigned char>(comparison.significance.front()))),
        comparison.significance.substr(1),
        interpolated ? " Values with * are interpolated between neighbours." : "");
}

std::string curve_label(const Curve& curve) {
    const OperationInfo& operation = curve.suite().operation;
    return operation.title.empty() ? operation.name : operation.title;
}

void warn_of_difference(const std::string& name, const std::string& a, const std::string& b,
                        std::vector<std::string>& warnings) {
    if (a != b)
        warnings.push_back(fmt::format("{} differs: {} against {}.", name,
                                       a.empty() ? "unknown" : shortened(b, 80),
                                       b.empty() ? "unknown" : shortened(a, 80)));
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

std::vector<std::string> differences(const DatabaseComparison& comparison) {
    std::vector<std::string> warnings;
    if (comparison.reference->run && comparison.other->run) {
        const Run& a = *comparison.reference->run;
        const Run& b = *comparison.other->run;
        if (a.ranks != b.ranks)
            warn_of_difference("The number of ranks", std::to_string(a.ranks), std::to_string(b.ranks),
                               warnings);
        using Pair = DatabaseComparison::Suite;
        const double probe_a_s = median_state(comparison, &Pair::reference, &Measurement::probe_s);
        const double probe_b_s = median_state(comparison, &Pair::other, &Measurement::probe_s);
        if (differs_by_5_percent(probe_a_s, probe_b_s))
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
                "The measurement plans differ; only suites that measure the same are compared.");
    }
    std::size_t buffers = 0;
    std::size_t starts = 0;
    std::size_t fallbacks = 0;
    std::size_t suites_with_fallbacks = 0;
    std::size_t values = 0;
    for (const DatabaseComparison::Suite& suite : comparison.suites) {
        const Suite& a = suite.reference->suite();
        const Suite& b = suite.other->suite();
        buffers += a.buffers != b.buffers ? 1 : 0;
        starts += a.operation.pattern == Pattern::collective &&
                          (a.synchronization != b.synchronization || a.reported_time != b.reported_time)
                      ? 1
                      : 0;
        const UnjudgedCounts unjudged = suite.curves.unjudged();
        if (const auto place = unjudged.find(Unjudged::started_differently);
            place != unjudged.end() && a.synchronization == b.synchronization) {
            fallbacks += place->second;
            ++suites_with_fallbacks;
        }
        values += a.value != b.value || a.absolute != b.absolute ? 1 : 0;
    }
    const auto add = [&](std::size_t count, const char* what) {
        if (count > 0)
            warnings.push_back(fmt::format("In {} {}: part of their difference is that.",
                                           count_of(static_cast<std::int64_t>(count), "suite"), what));
    };
    add(buffers, "message buffers were used differently (warm, cycled, cold)");
    add(starts, "the start of the ranks or the time reported is another one");
    add(values, "the value is formed differently");
    if (fallbacks > 0)
        warnings.push_back(fmt::format(
            "At {} of {} one side was measured in windows and the other between barriers, because windows could "
            "not be kept there: these are not judged.",
            count_of(static_cast<std::int64_t>(fallbacks), "argument"),
            count_of(static_cast<std::int64_t>(suites_with_fallbacks), "suite")));
    return warnings;
}

} // namespace

std::string FigureNames::next() {
    return fmt::format("f{:03}", ++count_);
}

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
        family += compare(*pair.first, *pair.second, Pairing::same_launches).points.size();
    for (const StandardPair& pair : pairs) {
        Section part;
        part.title = shortened(pair.title, 100);
        std::string first = curve_label(*pair.first);
        std::string second = curve_label(*pair.second);
        if (first == second) {
            first += ", " + format_bytes(pair.first->suite().message_bytes);
            second += ", " + format_bytes(pair.second->suite().message_bytes);
        }
        const CurveComparison comparison = compare(*pair.first, *pair.second, Pairing::same_launches, family);
        part.blocks.push_back(Paragraph{comparison_sentence(comparison, first, second), Tone::plain});
        const Meaning first_meaning = meaning_of(*pair.first);
        const Meaning second_meaning = meaning_of(*pair.second);
        if (first_meaning != second_meaning)
            part.blocks.push_back(Paragraph{
                fmt::format("The times are not of the same kind: those of {} are {}, those of {} {}.", first,
                            meaning_noun(first_meaning), second, meaning_noun(second_meaning)),
                Tone::warning});
        if (drawable(*pair.first) && drawable(*pair.second))
            part.blocks.push_back(FigureBlock{
                overlay_figure(names.next(), {pair.first, pair.second},
                               {shortened(first, 28), shortened(second, 28)}),
                fmt::format("Time, and time of {} divided by time of {}.{}", shortened(second, 60),
                            shortened(first, 60),
                            first_meaning == second_meaning && first_meaning == Meaning::round_trip
                                ? " Round trips."
                                : "")});
        if (!comparison.points.empty())
            part.blocks.push_back(points_table(*pair.first, comparison, first, second));
        section.subsections.push_back(std::move(part));
    }
    return section;
}

DatabaseComparison compare_databases(const Subject& reference, const Subject& other) {
    DatabaseComparison comparison;
    comparison.reference = &reference;
    comparison.other = &other;
    for (const Curve& curve : reference.curves) {
        const Curve* twin = matching_curve(other, curve);
        if (!twin || curve.points.empty() || twin->points.empty())
            continue;
        comparison.suites.push_back({&curve, twin, compare(curve, *twin, Pairing::independent)});
        comparison.points += comparison.suites.back().curves.points.size();
    }
    double log_sum = 0;
    for (DatabaseComparison::Suite& suite : comparison.suites) {
        // Once more, now that it is known how many points are looked at in all.
        suite.curves = compare(*suite.reference, *suite.other, Pairing::independent, comparison.points);
        if (suite.curves.points.empty())
            continue;
        comparison.faster += suite.curves.faster();
        comparison.slower += suite.curves.slower();
        comparison.judged += suite.curves.judged();
        for (const auto& [reason, count] : suite.curves.unjudged())
            comparison.unjudged[reason] += count;
        comparison.launches = std::max(comparison.launches, suite.curves.launches);
        log_sum += std::log(suite.curves.mean_ratio) * static_cast<double>(suite.curves.points.size());
    }
    if (comparison.points > 0)
        comparison.mean_ratio = std::exp(log_sum / static_cast<double>(comparison.points));
    comparison.warnings = differences(comparison);
    return comparison;
}

std::string other_state(const DatabaseComparison& comparison) {
    using Pair = DatabaseComparison::Suite;
    const double reference_s = median_state(comparison, &Pair::reference, &Measurement::probe_s);
    const double other_s = median_state(comparison, &Pair::other, &Measurement::probe_s);
    if (!(reference_s > 0) || !(other_s > 0) || in_one_mode(reference_s, other_s))
        return {};
    return fmt::format(
        "The machine was in another state: its probes took {} times as long in {} as in {}, so the "
        "times cannot be told apart from that.",
        format_ratio(other_s / reference_s), comparison.other->label, comparison.reference->label);
}

std::string verdict(const DatabaseComparison& comparison) {
    const std::string& other = comparison.other->label;
    const std::string& reference = comparison.reference->label;
    if (comparison.points == 0)
        return fmt::format("{} and {} have no measurements in common: nothing can be compared.", other,
                           reference);
    const std::string mean =
        fmt::format("it takes {} times as long on average over {} of {}", format_ratio(comparison.mean_ratio),
                    count_of(static_cast<std::int64_t>(comparison.points), "point"),
                    count_of(static_cast<std::int64_t>(comparison.suites.size()), "suite"));
    if (comparison.judged == 0)
        return fmt::format(
            "No verdict on {} against {} ({}); {}.", other, reference,
            comparison.launches < launches_needed
                ? fmt::format("{}; {} needed on each side",
                              count_of(static_cast<std::int64_t>(comparison.launches), "launch", "launches"),
                              launches_needed)
                : "no point could be judged, " + unjudged_text(comparison.unjudged),
            mean);
    const std::size_t rest = comparison.points - comparison.judged;
    const std::string not_judged = rest == 0 ? ""
                                             : fmt::format(" ({} more could not be judged, {})",
                                                           count_of(static_cast<std::int64_t>(rest), "point"),
                                                           unjudged_text(comparison.unjudged));
    const std::string judged = count_of(static_cast<std::int64_t>(comparison.judged), "point");
    const Outcome result = outcome(comparison.faster, comparison.slower, comparison.judged);
    if (result == Outcome::none)
        return fmt::format("{} does not differ from {} beyond the noise between launches at {}{}; {}.", other,
                           reference, judged, not_judged, mean);
    const bool faster = comparison.slower == 0;
    const bool slower = comparison.faster == 0;
    // The mean is that of all points, and those that are not significant may have it on the other side.
    const bool contradicted = (faster && comparison.mean_ratio > 1) || (slower && comparison.mean_ratio < 1);
    const char* link = contradicted ? "; but" : ";";
    if (result == Outcome::few_faster || result == Outcome::few_slower)
        return fmt::format(
            "{} is {} than {} at {} of {}, at the others the difference is not beyond the noise "
            "between launches{}{} {}.",
            other, faster ? "faster" : "slower", reference, comparison.faster + comparison.slower, judged,
            not_judged, link, mean);
    return fmt::format("{} {} {}: significantly faster at {}, slower at {} of {}{}{} {}.", other,
                       faster   ? "is faster than"
                       : slower ? "is slower than"
                                : "differs from",
                       reference, comparison.faster, comparison.slower, judged, not_judged, link, mean);
}

namespace {

std::string winner(const CurveComparison& curves, const std::string& reference, const std::string& other) {
    if (curves.judged() == 0)
        return "open, " + unjudged_text(curves.unjudged());
    const auto at = [&](const std::string& name, std::size_t points) {
        return fmt::format("{} at {} of {}", name, points, curves.judged());
    };
    switch (outcome(curves.faster(), curves.slower(), curves.judged())) {
    case Outcome::none:
        return "nobody";
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

/// Some points of a comparison: "0.871*", with a star where one side is significantly faster.
struct Share {
    double log_sum = 0;
    std::size_t points = 0;
    std::size_t judged = 0;
    std::size_t faster = 0;
    std::size_t slower = 0;

    void add(const PointComparison& point) {
        log_sum += std::log(point.ratio);
        ++points;
        judged += point.judged() ? 1 : 0;
        faster += point.faster() ? 1 : 0;
        slower += point.slower() ? 1 : 0;
    }
    [[nodiscard]] std::string text() const {
        if (points == 0)
            return "";
        const Outcome result = outcome(faster, slower, judged);
        return format_ratio(std::exp(log_sum / static_cast<double>(points))) +
               (result == Outcome::faster || result == Outcome::slower ? "*" : "");
    }
};

} // namespace

Table winners_table(const DatabaseComparison& comparison, std::size_t most_rows) {
    constexpr std::int64_t longest_short = 1024;
    constexpr std::int64_t longest_medium = 64 * 1024;
    std::vector<const DatabaseComparison::Suite*> suites;
    for (const DatabaseComparison::Suite& suite : comparison.suites)
        if (!suite.curves.points.empty())
            suites.push_back(&suite);
    Table table;
    table.title =
        fmt::format("Time of {} / time of {} (* significantly different)",
                    shortened(comparison.other->label, 30), shortened(comparison.reference->label, 30));
    if (suites.size() > most_rows) {
        const auto share = [](const DatabaseComparison::Suite* suite) {
            const CurveComparison& curves = suite->curves;
            return static_cast<double>(curves.faster() + curves.slower()) /
                   static_cast<double>(curves.points.size());
        };
        std::vector<const DatabaseComparison::Suite*> chosen = suites;
        std::ranges::stable_sort(chosen, std::greater{}, share);
        chosen.resize(most_rows);
        table.title += fmt::format(", {} of {} suites", most_rows, suites.size());
        std::erase_if(suites,
                      [&](const auto* suite) { return std::ranges::find(chosen, suite) == chosen.end(); });
    }
    table.header = {"suite", "to 1 KiB", "to 64 KiB", "longer", "all", "faster"};
    table.columns = {Column::text,   Column::number, Column::number,
                     Column::number, Column::number, Column::prose};
    for (const DatabaseComparison::Suite* suite : suites) {
        Share all;
        Share ranges[3];
        for (const PointComparison& point : suite->curves.points) {
            all.add(point);
            if (suite->reference->suite().varied == Varied::message_length)
                ranges[point.argument <= longest_short    ? 0
                       : point.argument <= longest_medium ? 1
                                                          : 2]
                    .add(point);
        }
        table.rows.push_back({shortened(suite->reference->suite().name, 36), ranges[0].text(),
                              ranges[1].text(), ranges[2].text(), all.text(),
                              winner(suite->curves, comparison.reference->label, comparison.other->label)});
    }
    return table;
}

Section databases_compared(const Subject& reference, const std::vector<const Subject*>& others,
                           const std::vector<DatabaseComparison>& comparisons, FigureNames& names) {
    Section section;
    section.title = "Comparison of databases";
    section.blocks.push_back(Paragraph{
        fmt::format(
            "Ratios are times of the other database divided by times of {}: below 1 the other is faster. "
            "A difference counts as significant when the interval of the ratio over launches, "
            "corrected for the number of points compared, is clear of 1; "
            "that takes at least {} launches on both sides.",
            reference.label, launches_needed),
        Tone::plain});
    for (const DatabaseComparison& comparison : comparisons) {
        Section part;
        part.title = fmt::format("{} against {}", shortened(comparison.other->label, 40),
                                 shortened(reference.label, 40));
        part.blocks.push_back(Paragraph{verdict(comparison), Tone::plain});
        for (const std::string& warning : comparison.warnings)
            part.blocks.push_back(Paragraph{warning, Tone::warning});
        Table table;
        table.header = {"suite",   "arguments", "mean ratio", "smallest",
                        "largest", "faster",    "slower",     "who wins"};
        table.columns = {Column::prose,  Column::number, Column::number, Column::number,
                         Column::number, Column::number, Column::number, Column::prose};
        for (const DatabaseComparison::Suite& suite : comparison.suites) {
            const CurveComparison& curves = suite.curves;
            if (curves.points.empty())
                continue;
            const auto [least, most] = std::minmax_element(
                curves.points.begin(), curves.points.end(),
                [](const PointComparison& a, const PointComparison& b) { return a.ratio < b.ratio; });
            table.rows.push_back({shortened(suite.reference->suite().name, 50),
                                  std::to_string(curves.points.size()), format_ratio(curves.mean_ratio),
                                  format_ratio(least->ratio), format_ratio(most->ratio),
                                  std::to_string(curves.faster()), std::to_string(curves.slower()),
                                  winner(curves, reference.label, comparison.other->label)});
        }
        if (!table.rows.empty())
            part.blocks.push_back(std::move(table));
        section.subsections.push_back(std::move(part));
    }
    for (const Curve& curve : reference.curves) {
        std::vector<const Curve*> curves{&curve};
        std::vector<std::string> labels{reference.label};
        for (const Subject* other : others) {
            const Curve* twin = matching_curve(*other, curve);
            if (twin && drawable(*twin)) {
                curves.push_back(twin);
                labels.push_back(other->label);
            }
        }
        if (curves.size() < 2 || !drawable(curve))
            continue;
        Section part;
        part.title = shortened(curve.suite().name, 90);
        part.blocks.push_back(FigureBlock{
            overlay_figure(names.next(), curves, labels),
            fmt::format("Time in {}, and its ratio to that in {}.", enumeration(labels), labels.front())});
        for (const DatabaseComparison& comparison : comparisons)
            for (const DatabaseComparison::Suite& suite : comparison.suites)
                if (suite.reference == &curve && !suite.curves.points.empty()) {
                    part.blocks.push_back(
                        Paragraph{comparison_sentence(suite.curves, reference.label, comparison.other->label),
                                  Tone::plain});
                    part.blocks.push_back(
                        points_table(curve, suite.curves, reference.label, comparison.other->label));
                }
        section.subsections.push_back(std::move(part));
    }
    return section;
}

} // namespace skampi
