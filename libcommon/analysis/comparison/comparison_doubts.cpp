#include "analysis/comparison/comparison_doubts.hpp"

#include "analysis/models/rank_study.hpp"
#include "model/machine_state.hpp"

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

namespace skampi {

namespace {

using ComparisonDoubts = std::vector<ComparisonDoubt>;

/// How the launches of the sides lie in time, where anything is judged.
void doubt_times(const DatabaseComparison& comparison, ComparisonDoubts& doubts) {
    const LaunchDesign& design = comparison.design;
    const bool any_judged =
        comparison.judged > 0 ||
        std::ranges::any_of(comparison.suites, [](const auto& suite) { return suite.whole.judged(); });
    if (!any_judged)
        return;
    if (!design.in_a_row.empty())
        doubts.push_back({.doubt = ComparisonDoubtKind::launches_in_a_row, .in_a_row = design.in_a_row});
    ComparisonDoubt unknown{.doubt = ComparisonDoubtKind::times_unknown};
    for (const auto& [is_unknown, side] : {std::pair(design.reference_times_unknown, comparison.reference),
                                           std::pair(design.other_times_unknown, comparison.other)})
        if (is_unknown)
            unknown.names.push_back(side->label);
    if (!unknown.names.empty())
        doubts.push_back(std::move(unknown));
}

void doubt_runs(const DatabaseComparison& comparison, ComparisonDoubts& doubts) {
    if (!comparison.reference->run || !comparison.other->run)
        return;
    const Run& a = *comparison.reference->run;
    const Run& b = *comparison.other->run;
    const auto add = [&](ComparisonDoubtKind doubt, double reference, double other) {
        doubts.push_back({.doubt = doubt, .reference = reference, .other = other});
    };
    if (a.ranks != b.ranks && !ranks_differ(a.ranks, b.ranks)) // else it is said first
        add(ComparisonDoubtKind::unknown_ranks, a.ranks, b.ranks);
    using Pair = DatabaseComparison::Suite;
    const auto [probe_a_s, probe_b_s] = median_probes(comparison);
    if (differs_by_5_percent(probe_a_s, probe_b_s) && in_one_mode(probe_a_s, probe_b_s))
        add(ComparisonDoubtKind::probes_differ, probe_a_s, probe_b_s);
    const double clock_a_hz = median_state(comparison, &Pair::reference, &Measurement::core_clock_hz);
    const double clock_b_hz = median_state(comparison, &Pair::other, &Measurement::core_clock_hz);
    if (differs_by_5_percent(clock_a_hz, clock_b_hz))
        add(ComparisonDoubtKind::clocks_differ, clock_a_hz, clock_b_hz);
    const double throughput_a = median_state(comparison, &Pair::reference, &Measurement::core_throughput);
    const double throughput_b = median_state(comparison, &Pair::other, &Measurement::core_throughput);
    if (differs_by_5_percent(throughput_a, throughput_b))
        add(ComparisonDoubtKind::throughputs_differ, throughput_a, throughput_b);
    if (!a.plan_hash.empty() && !b.plan_hash.empty() && a.plan_hash != b.plan_hash)
        add(ComparisonDoubtKind::plans_differ, 0, 0);
}

void doubt_lonely_suites(const DatabaseComparison& comparison, ComparisonDoubts& doubts,
                         ComparisonDoubtKind doubt, const Subject& subject,
                         const Curve* DatabaseComparison::Suite::*side) {
    ComparisonDoubt found{.doubt = doubt};
    for (const Curve& curve : subject.curves)
        if (!curve.points.empty() &&
            std::ranges::find(comparison.suites, &curve, side) == comparison.suites.end())
            found.names.push_back(title_of(curve));
    found.suites = found.names.size();
    if (found.suites > 0)
        doubts.push_back(std::move(found));
}

/// One doubt for all suites that differ in the same fields.
class DoubtsByFields {
public:
    void add(ComparisonDoubtKind doubt, const std::vector<FieldDifference>& fields, std::size_t points) {
        if (fields.empty())
            return;
        auto found = std::ranges::find_if(doubts_, [&](const ComparisonDoubt& each) {
            return each.doubt == doubt && each.fields == fields;
        });
        if (found == doubts_.end())
            found = doubts_.insert(doubts_.end(), ComparisonDoubt{.doubt = doubt, .fields = fields});
        ++found->suites;
        found->points += points;
    }

    void move_into(std::vector<ComparisonDoubt>& doubts, ComparisonDoubtKind doubt) {
        for (ComparisonDoubt& each : doubts_)
            if (each.doubt == doubt)
                doubts.push_back(std::move(each));
    }

private:
    std::vector<ComparisonDoubt> doubts_;
};

void doubt_fields(const DatabaseComparison& comparison, ComparisonDoubts& doubts) {
    DoubtsByFields by_fields;
    ComparisonDoubt given_up{.doubt = ComparisonDoubtKind::windows_given_up};
    std::map<std::vector<std::string_view>, std::size_t> unknown; // suites
    for (const DatabaseComparison::Suite& suite : comparison.suites) {
        const Comparability& comparability = suite.curves.comparability;
        std::vector<FieldDifference> other = comparability.other_quantity;
        // Other numbers of ranks are said first.
        std::erase_if(other, [](const FieldDifference& each) { return each.field == "ranks"; });
        by_fields.add(ComparisonDoubtKind::other_quantity, other, suite.curves.points.size());
        by_fields.add(ComparisonDoubtKind::computed_differently, comparability.computed_differently,
                      suite.curves.points.size());
        if (!comparability.unknown.empty())
            ++unknown[comparability.unknown];
        const UnjudgedCounts unjudged = suite.curves.unjudged();
        if (const auto place = unjudged.find(Unjudged::started_differently);
            place != unjudged.end() && other.empty()) {
            given_up.points += place->second;
            ++given_up.suites;
        }
    }
    by_fields.move_into(doubts, ComparisonDoubtKind::other_quantity);
    by_fields.move_into(doubts, ComparisonDoubtKind::computed_differently);
    for (const auto& [fields, suites] : unknown)
        doubts.push_back({.doubt = ComparisonDoubtKind::unknown_fields,
                          .suites = suites,
                          .names = {fields.begin(), fields.end()}});
    if (given_up.suites > 0)
        doubts.push_back(std::move(given_up));
}

} // namespace

std::vector<ComparisonDoubt> doubts_of(const DatabaseComparison& comparison) {
    ComparisonDoubts doubts;
    doubt_runs(comparison, doubts);
    using Pair = DatabaseComparison::Suite;
    doubt_lonely_suites(comparison, doubts, ComparisonDoubtKind::only_in_reference, *comparison.reference,
                        &Pair::reference);
    doubt_lonely_suites(comparison, doubts, ComparisonDoubtKind::only_in_other, *comparison.other,
                        &Pair::other);
    doubt_fields(comparison, doubts);
    doubt_times(comparison, doubts);
    return doubts;
}

} // namespace skampi
