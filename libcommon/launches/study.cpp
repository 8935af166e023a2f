// SPDX-License-Identifier: LGPL-2.1-or-later
#include "launches/study.hpp"

#include "launches/comparable.hpp"
#include "model/measured_value.hpp"
#include "model/series.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace skampi {

namespace {

bool differs_but_in_ranks(const Curve& a, const Curve& b) {
    return std::ranges::any_of(comparability(a, b).other_quantity,
                               [](const FieldDifference& each) { return each.field != "ranks"; });
}

/// The points that were measured on the curve's own number of ranks, by their arguments.
std::map<std::int64_t, const StoredMeasurement*> own_points(const RankTwin& twin) {
    std::map<std::int64_t, const StoredMeasurement*> points;
    const int ranks = ranks_of(*twin.curve);
    for (const StoredMeasurement& point : twin.curve->points)
        if (above_zero(point.measurement) && !ranks_differ(point.measurement.ranks, ranks))
            points.emplace(point.measurement.argument, &point);
    return points;
}

/// An empty curve over ranks like that of a twin at an argument.
Curve curve_over_ranks(const Curve& like, std::int64_t argument) {
    Curve curve;
    curve.stored = like.stored;
    curve.stored.state = SuiteState::finished;
    Suite& suite = curve.stored.suite;
    if (suite.varied == Varied::message_length)
        suite.message_bytes = argument;
    suite.varied = Varied::nodes;
    curve.clock_resolution_s = like.clock_resolution_s;
    curve.clock_cost_s = like.clock_cost_s;
    curve.simulated = like.simulated;
    curve.title = like.title;
    curve.halved = like.halved;
    curve.units = like.units;
    return curve;
}

void add_curves(const std::vector<RankTwin>& twins, std::vector<Curve>& curves) {
    std::map<int, std::map<std::int64_t, const StoredMeasurement*>> by_ranks; // of several machines the first
    for (const RankTwin& twin : twins)
        by_ranks.try_emplace(ranks_of(*twin.curve), own_points(twin));
    for (const auto& [argument, first] : by_ranks.begin()->second) {
        Curve curve = curve_over_ranks(*twins.front().curve, argument);
        for (const auto& [ranks, points] : by_ranks)
            if (const auto own = points.find(argument); own != points.end()) {
                StoredMeasurement& point = curve.points.emplace_back(*own->second);
                point.measurement.argument = ranks;
                point.measurement.ranks = ranks;
            }
        if (curve.points.size() == by_ranks.size())
            curves.push_back(std::move(curve));
    }
}

} // namespace

Series series_of_study(const Run& run) {
    Series series(run);
    // The plan of a suite over the number of ranks ends with the ranks there are.
    for (const char* field : {"ranks", "placement", "binding", "launcher", "plan_hash"})
        series.forget(field);
    return series;
}

bool is_other_size(const Subject& reference, const Subject& other) {
    if (&other == &reference || !reference.run || !other.run ||
        !ranks_differ(reference.run->ranks, other.run->ranks))
        return false;
    if (other.path == reference.path)
        return true;
    return series_of_study(*reference.run) == series_of_study(*other.run);
}

bool is_study(const std::vector<Subject>& subjects) {
    return subjects.size() > 1 && std::all_of(subjects.begin() + 1, subjects.end(), [&](const Subject& each) {
               return is_other_size(subjects.front(), each);
           });
}

std::vector<std::vector<RankTwin>> twins_over_ranks(const std::vector<const Subject*>& subjects) {
    std::vector<std::vector<RankTwin>> groups;
    std::set<const Curve*> taken;
    for (const Subject* from : subjects)
        for (const Curve& curve : from->curves) {
            if (curve.suite().varied == Varied::nodes || curve.points.empty() || taken.contains(&curve))
                continue;
            std::vector<RankTwin> twins;
            std::set<int> ranks;
            for (const Subject* subject : subjects) {
                const Curve* twin = subject == from ? &curve : matching_curve(*subject, curve);
                if (!twin || differs_but_in_ranks(curve, *twin) || twin->points.empty() ||
                    ranks_of(*twin) <= 0 || !taken.insert(twin).second)
                    continue;
                twins.push_back({subject, twin});
                ranks.insert(ranks_of(*twin));
            }
            if (ranks.size() < 2)
                continue;
            std::ranges::stable_sort(twins, {}, [](const RankTwin& twin) { return ranks_of(*twin.curve); });
            groups.push_back(std::move(twins));
        }
    return groups;
}

Subject over_ranks(const std::vector<const Subject*>& subjects) {
    Subject study;
    study.label = subjects.front()->label;
    study.path = subjects.front()->path;
    study.run = subjects.front()->run;
    for (const Subject* subject : subjects)
        for (const Curve& curve : subject->curves)
            if (curve.suite().varied == Varied::nodes)
                study.curves.push_back(curve);
    for (const std::vector<RankTwin>& twins : twins_over_ranks(subjects))
        add_curves(twins, study.curves);
    return study;
}

} // namespace skampi
