#include "document/sections/comparison_tables.hpp"

#include "analysis/trust/trust.hpp"
#include "merge/run_group.hpp"
#include "model/quantity.hpp"
#include "model/series.hpp"
#include "skalib/statistics.hpp"
#include "words/comparison_words.hpp"
#include "words/verdict_words.hpp"

#include "words/suite_words.hpp"

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

/// At most `most` rows: as many of the significant ones as there are, spread over these, then others.
std::vector<const PointComparison*> most_telling(const std::vector<PointComparison>& points,
                                                 std::size_t most) {
    std::vector<PointComparison> significant;
    std::vector<PointComparison> others;
    for (const PointComparison& point : points)
        (point.significant() ? significant : others).push_back(point);
    std::set<std::int64_t> chosen;
    for (const std::vector<PointComparison>* part : {&significant, &others})
        if (const std::size_t room = most - chosen.size(); room > 0)
            for (const PointComparison* point : spread(*part, room))
                chosen.insert(point->argument);
    std::vector<const PointComparison*> rows;
    for (const PointComparison& point : points)
        if (chosen.contains(point.argument))
            rows.push_back(&point);
    return rows;
}

/// What the table says of a point's difference.
std::string difference_word(const PointComparison& point) {
    if (point.judged())
        return point.significant()                                 ? "significant"
               : point.as_measured && point.as_measured->explained ? "explained"
                                                                   : "within noise";
    switch (point.unjudged.value_or(Unjudged::few_launches)) {
    case Unjudged::other_quantity:
        return "other quantity";
    case Unjudged::other_ranks:
        return "other ranks";
    case Unjudged::started_differently:
        return "other start";
    default:
        return "not known";
    }
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

/// "8 of 10"
std::string launches_used(const Subject& subject) {
    const Trust trust = assess(subject);
    const std::string used = std::to_string(trust.launches);
    return trust.launches < trust.launches_merged ? fmt::format("{} of {}", used, trust.launches_merged)
                                                  : used;
}

/// A fact that every launch has another value of, or that is told elsewhere.
bool tells_of_one_launch(const std::string& name) {
    constexpr auto names = std::to_array<std::string_view>(
        {"load before", "steal ticks", "CPU share of other processes", "CPU 0 frequency, kHz",
         "mpi library, full text", fact_file_size, fact_expected_series, fact_samples});
    constexpr auto begins =
        std::to_array<std::string_view>({"ledger: ", "merged by", "env ", "slurm", "ended"});
    return std::ranges::find(names, name) != names.end() ||
           std::ranges::any_of(begins, [&](std::string_view begin) { return name.starts_with(begin); });
}

std::optional<Tint> tint_of(bool judged, bool faster, bool slower) {
    if (!judged)
        return std::nullopt;
    return faster ? Tint::better : slower ? Tint::worse : Tint::same;
}

/// Of the last row.
void tint(Table& table, std::size_t column, std::optional<Tint> tint) {
    if (tint)
        table.tints.push_back({table.rows.size() - 1, column, *tint});
}

} // namespace

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
    const bool equal_state = std::ranges::any_of(
        comparison.points, [](const PointComparison& point) { return point.as_measured.has_value(); });
    table.header = {"at", shortened(first, 28), shortened(second, 28),
                    equal_state ? "ratio as measured" : "ratio"};
    table.columns.assign(table.header.size(), ColumnKind::number);
    if (equal_state) {
        table.header.push_back("at an equal machine state");
        table.columns.push_back(ColumnKind::number);
    }
    table.header.insert(table.header.end(), {"its interval", "difference"});
    table.columns.insert(table.columns.end(), {ColumnKind::number, ColumnKind::text});
    for (const PointComparison* point : most_telling(comparison.points, most)) {
        const auto& raw = point->as_measured;
        std::vector<std::string>& row = table.rows.emplace_back();
        row = {argument_text(curve, point->argument), format_time(point->first_s, 4, curve.units.time),
               format_time(point->second_s, 4, curve.units.time) + (point->interpolated ? " *" : ""),
               point->comparable ? format_ratio(raw ? raw->ratio : point->ratio) : "-"};
        if (equal_state)
            row.push_back(!raw ? "-" : raw->bounded ? "not known" : format_ratio(point->ratio));
        row.push_back(interval_text(point->ratio_low, point->ratio_high));
        row.push_back(difference_word(*point));
        const std::size_t decides = raw ? 4 : 3;
        for (const std::size_t column : {decides, row.size() - 1})
            tint(table, column, tint_of(point->judged(), point->faster(), point->slower()));
    }
    return table;
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

Table winners_table(const DatabaseComparison& comparison, std::size_t most_rows) {
    std::vector<const DatabaseComparison::Suite*> suites;
    for (const DatabaseComparison::Suite& suite : comparison.suites)
        if (suite.in_verdict && !suite.curves.points.empty())
            suites.push_back(&suite);
    Table table;
    table.title = winners_title(comparison);
    if (std::string note = winners_note(comparison); !note.empty())
        table.notes.push_back(std::move(note));
    const bool several_reasons = comparison.verdict.reasons.size() > 1;
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
    table.details = 1; // where it is faster is said by the columns before, and by the answer
    for (const DatabaseComparison::Suite* suite : suites) {
        const auto cell = [&](MessageSize size) {
            const auto place = suite->by_size.find(size);
            return place == suite->by_size.end() ? std::string("-") : cell_text(place->second);
        };
        table.rows.push_back({shortened_name(title_of(*suite->reference), 36), ranks_text(*suite),
                              cell(MessageSize::small), cell(MessageSize::medium), cell(MessageSize::large),
                              whole_text(comparison, *suite),
                              winner_text(comparison, *suite, several_reasons)});
        const auto tint_pooled = [&](std::size_t column, const PooledComparison& pooled) {
            tint(table, column, tint_of(pooled.judged(), pooled.faster(), pooled.slower()));
        };
        for (const auto& [column, size] :
             {std::pair{2, MessageSize::small}, {3, MessageSize::medium}, {4, MessageSize::large}})
            if (const auto place = suite->by_size.find(size); place != suite->by_size.end())
                tint_pooled(static_cast<std::size_t>(column), place->second);
        tint_pooled(5, suite->whole);
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
    const auto add_number = [&](const char* name, int left, int right) {
        if (left > 0 && right > 0)
            add(name, std::to_string(left), std::to_string(right));
    };
    add_number("hardware threads of the host", a.host_sizes.hardware_threads, b.host_sizes.hardware_threads);
    add_number("cores of the host", a.host_sizes.cores, b.host_sizes.cores);
    both(a.facts, b.facts, [&](const std::string& name, const std::string&) {
        return a.facts.contains(name) && b.facts.contains(name) && !tells_of_one_launch(name);
    });
    add("launches with values shown", launches_used(*comparison.reference), launches_used(*comparison.other));
    using Pair = DatabaseComparison::Suite;
    const auto [probe_a_s, probe_b_s] = median_probes(comparison);
    if (differs_by_5_percent(probe_a_s, probe_b_s))
        add("probe of the machine's state", format_time(probe_a_s), format_time(probe_b_s));
    const double clock_a_hz = median_state(comparison, &Pair::reference, &Measurement::core_clock_hz);
    const double clock_b_hz = median_state(comparison, &Pair::other, &Measurement::core_clock_hz);
    if (differs_by_5_percent(clock_a_hz, clock_b_hz))
        add("core clock", fmt::format("{:.2f} GHz", clock_a_hz / 1e9),
            fmt::format("{:.2f} GHz", clock_b_hz / 1e9));
    return table;
}

Table suites_table(const DatabaseComparison& comparison) {
    Table table;
    table.title = "The arguments, each by itself and together";
    std::vector<const DatabaseComparison::Suite*> suites;
    for (const DatabaseComparison::Suite& suite : comparison.suites)
        if (!suite.curves.counting().empty())
            suites.push_back(&suite);
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
    return table;
}

} // namespace skampi
