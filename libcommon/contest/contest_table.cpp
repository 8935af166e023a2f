// SPDX-License-Identifier: LGPL-2.1-or-later
#include "contest/contest_table.hpp"

#include "contest/weighted_median.hpp"
#include "model/measured_value.hpp"
#include "skalib/curve.hpp"
#include "skalib/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

namespace skampi {

namespace {

constexpr double unknown = no_number;

/// Above zero, or none: what lies below the measurable has no ratio.
double log_of(std::optional<double> value) {
    return value && std::isfinite(*value) && *value > 0 ? std::log(*value) : unknown;
}

double median_known(const std::vector<double>& values) {
    std::vector<double> known;
    std::ranges::copy_if(values, std::back_inserter(known), [](double each) { return !std::isnan(each); });
    return known.empty() ? unknown : skalib::median(std::move(known));
}

std::set<std::int64_t> arguments_of(const SideLaunches& side) {
    std::set<std::int64_t> all;
    for (const LaunchValues& values : side.values)
        for (const auto& [argument, value] : values)
            if (!std::isnan(log_of(value)))
                all.insert(argument);
    return all;
}

} // namespace

double rounding_variance(const Curve& curve, double value_s) {
    const double step_s =
        value_step_s(curve.suite(), {curve.clock_resolution_s, curve.clock_cost_s}, value_s);
    return step_s * step_s / 4 / (value_s * value_s);
}

SideLaunches side_launches(const Curve& curve, const std::map<std::string, LaunchTime>& times) {
    SideLaunches side{.curve = &curve};
    for (const auto& [uuid, launch] : curve.launches)
        side.uuids.push_back(uuid); // also of a launch without a value: it was made
    std::ranges::stable_sort(side.uuids, {}, [&](const std::string& uuid) {
        const auto time = times.find(uuid);
        return time == times.end() ? 0.0 : time->second.begin_s;
    });
    for (const std::string& uuid : side.uuids) {
        const SuiteLaunch& launch = curve.launches.at(uuid);
        LaunchValues& values = side.values.emplace_back(launch.values);
        for (const auto& [argument, value_s] : launch.others)
            if (!values.contains(argument))
                values[argument] = value_s;
        side.log_speeds.push_back(launch.core_speed > 0 ? std::log(launch.core_speed) : unknown);
        side.log_probes.push_back(launch.probe_s > 0 ? std::log(launch.probe_s) : unknown);
    }
    return side;
}

std::vector<double> argument_weights(const std::vector<std::int64_t>& arguments) {
    const auto place = [](std::int64_t argument) {
        return argument > 0 ? std::log2(static_cast<double>(argument)) : -1.0; // 0 stands a step before 1
    };
    std::vector<double> weights(arguments.size(), 1.0);
    if (arguments.size() < 2)
        return weights;
    std::vector<double> gaps;
    for (std::size_t i = 1; i < arguments.size(); ++i)
        gaps.push_back(place(arguments[i]) - place(arguments[i - 1]));
    for (std::size_t i = 0; i < arguments.size(); ++i)
        weights[i] = (gaps[i == 0 ? 0 : i - 1] + gaps[i == gaps.size() ? i - 1 : i]) / 2;
    const double mean =
        std::accumulate(weights.begin(), weights.end(), 0.0) / static_cast<double>(weights.size());
    for (double& weight : weights)
        weight = mean > 0 ? weight / mean : 1;
    return weights;
}

ContestTable::ContestTable(SideLaunches reference, SideLaunches subject, Pairing pairing, LaunchPairs pairs)
    : sides_{std::move(reference), std::move(subject)}
    , pairing_(pairing)
    , pairs_(std::move(pairs)) {
    std::set<std::int64_t> arguments = arguments_of(sides_[0]);
    const std::set<std::int64_t> others = arguments_of(sides_[1]);
    if (arguments.empty() || others.empty())
        return;
    if (pairing == Pairing::in_turns)
        arguments.insert(others.begin(), others.end());
    for (const std::int64_t argument : arguments)
        if (argument >= *others.begin() && argument <= *others.rbegin())
            add_row(argument);
}

/// The ranks and the start of the measurements shown.
Why ContestTable::compare_values_shown(std::int64_t argument) const {
    const auto find = [&](const Curve& curve) {
        const auto found =
            std::ranges::lower_bound(curve.points, argument, {}, [](const StoredMeasurement& point) {
                return point.measurement.argument;
            });
        return found == curve.points.end() || found->measurement.argument != argument ? nullptr
                                                                                      : &found->measurement;
    };
    const Curve& first = *sides_[0].curve;
    const Curve& second = *sides_[1].curve;
    const Measurement* const own = find(first);
    const Measurement* const other = find(second);
    if (!own || !other)
        return Why::none;
    const std::string_view differs = compare_points(first, *own, second, *other);
    return differs.empty() ? Why::none : differs == "ranks" ? Why::other_ranks : Why::other_start;
}

void ContestTable::add_row(std::int64_t argument) {
    Row row{.argument = argument, .why = compare_values_shown(argument)};
    std::array<std::size_t, 2> measured{};
    for (std::size_t side = 0; side < 2; ++side) {
        const SideLaunches& launches = sides_[side];
        for (std::size_t i = 0; i < launches.uuids.size(); ++i) {
            const LaunchValues& values = launches.values[i];
            const bool own = values.contains(argument);
            measured[side] += own ? 1 : 0;
            const bool has_none = !own && launches.curve->launches.at(launches.uuids[i])
                                              .abstentions.contains(argument); // not to be interpolated
            row.log_times[side].push_back(has_none ? unknown : log_of(values.interpolated(argument)));
        }
    }
    const double first = median_known(row.log_times[0]);
    const double second = median_known(row.log_times[1]);
    if (std::isnan(first) || std::isnan(second))
        return;
    // The middle of both sides; a side with more launches does not weigh more.
    row.middle = std::midpoint(first, second);
    row.rounding = {rounding_variance(*sides_[0].curve, std::exp(first)),
                    rounding_variance(*sides_[1].curve, std::exp(second))};
    row.interpolated = std::min(measured[0], measured[1]) == 0;
    rows_.push_back(std::move(row));
}

std::vector<Place> ContestTable::sizes() const {
    std::vector<Place> places;
    if (sides_[0].curve->suite().varied != Varied::message_length)
        return places;
    for (const Row& row : rows_) {
        if (places.empty() || size_of_message(places.back().from) != size_of_message(row.argument))
            places.push_back({Place::Kind::size, row.argument, row.argument});
        places.back().to = row.argument;
    }
    return places.size() > 1 ? places : std::vector<Place>();
}

ContestTable::Scores ContestTable::scores(const Place& place, const LaunchPairs& pairs) const {
    Scores scores;
    std::vector<const Row*> rows;
    std::vector<std::int64_t> arguments;
    std::array<std::vector<double>, 2> rounding;
    for (const Row& row : rows_) {
        if (!place.holds(row.argument))
            continue;
        if (row.why != Why::none) {
            scores.why = scores.why == Why::none ? row.why : scores.why;
            continue;
        }
        rows.push_back(&row);
        arguments.push_back(row.argument);
        rounding[0].push_back(row.rounding[0]);
        rounding[1].push_back(row.rounding[1]);
    }
    scores.arguments = rows.size();
    if (rows.empty())
        return scores;
    scores.why = Why::none;
    scores.rounding = {skalib::median(rounding[0]), skalib::median(rounding[1])};
    const std::vector<double> weights = argument_weights(arguments);
    const bool alone = place.kind == Place::Kind::point;
    const auto add = [&](LaunchScores& to, const std::array<double, 2>& state, auto&& difference_at) {
        std::vector<double> found;
        std::vector<double> own_weights;
        for (std::size_t i = 0; i < rows.size(); ++i)
            if (const double difference = difference_at(*rows[i]); !std::isnan(difference)) {
                found.push_back(difference);
                own_weights.push_back(weights[i]);
            }
        if (!found.empty() && 2 * found.size() >= rows.size())
            to.push_back({weighted_median(found, own_weights), state});
    };
    if (pairing_ == Pairing::independent) {
        for (std::size_t side = 0; side < 2; ++side)
            for (std::size_t i = 0; i < sides_[side].uuids.size(); ++i)
                add(scores.sides[side], {sides_[side].log_probes[i], sides_[side].log_speeds[i]},
                    [&](const Row& row) { return row.log_times[side][i] - row.middle; });
        return scores;
    }
    for (const auto& [i, j] : pairs)
        add(scores.sides[0],
            {sides_[1].log_probes[j] - sides_[0].log_probes[i],
             sides_[1].log_speeds[j] - sides_[0].log_speeds[i]},
            [&, i = i, j = j](const Row& row) {
                // A jump may lie between the neighbours of a single argument.
                const bool invented = alone && !(sides_[0].values[i].contains(row.argument) &&
                                                 sides_[1].values[j].contains(row.argument));
                return invented ? unknown : row.log_times[1][j] - row.log_times[0][i];
            });
    return scores;
}

double ContestTable::reference_s(const Row& row, const LaunchPairs& pairs) const {
    std::vector<double> known;
    if (pairing_ == Pairing::independent)
        known = row.log_times[0];
    for (const LaunchPair& pair : pairs)
        known.push_back(row.log_times[0][pair.first]);
    const double middle = median_known(known);
    return std::isnan(middle) ? unknown : std::exp(middle);
}

} // namespace skampi
