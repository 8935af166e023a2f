// SPDX-License-Identifier: LGPL-2.1-or-later
#include "launches/launches_left_out.hpp"

#include "skalib/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <utility>

namespace skampi {

namespace {

/// How many launches have a value in a mode, including values left out, such as disturbed ones.
/// @param measured launches with a value at the point
std::size_t launches_of(const ModeValue& mode, int measured) {
    return static_cast<std::size_t>(std::max<std::int64_t>(mode.runs, std::llround(mode.share * measured)));
}

} // namespace

std::vector<StateOfLaunches> states_of_launches(const Curve& curve) {
    struct State {
        std::vector<double> probes_s;
        std::size_t launches = 0;
        std::size_t points_shown = 0;
    };
    std::map<int, State> states;
    for (const StoredMeasurement& point : curve.points) {
        if (!point.merge || point.measurement.modes.size() < 2)
            continue;
        ++states[point.measurement.mode].points_shown;
        for (const ModeValue& mode : point.measurement.modes) {
            State& state = states[mode.mode];
            state.launches = std::max(state.launches, launches_of(mode, point.merge->measured_runs));
            if (mode.probe_s > 0)
                state.probes_s.push_back(mode.probe_s);
        }
    }
    const auto shown =
        std::ranges::max_element(states, {}, [](const auto& state) { return state.second.points_shown; });
    std::vector<StateOfLaunches> found;
    for (auto state = states.begin(); state != states.end(); ++state)
        found.push_back(
            {skalib::median(std::move(state->second.probes_s)), state->second.launches, state == shown});
    return found;
}

const ModeValue* most_common_other_mode(const Measurement& shown) {
    const ModeValue* most = nullptr;
    for (const ModeValue& mode : shown.modes)
        if (mode.mode != shown.mode && mode.value_s > 0 &&
            (!most || std::pair(mode.runs, mode.share) > std::pair(most->runs, most->share)))
            most = &mode;
    return most;
}

Curve curve_in_another_state(const Curve& curve) {
    Curve other;
    other.stored = curve.stored;
    other.clock_resolution_s = curve.clock_resolution_s;
    other.title = curve.title;
    other.halved = curve.halved;
    other.units = curve.units;
    for (const StoredMeasurement& shown : curve.points) {
        if (!shown.merge)
            continue;
        const ModeValue* const most = most_common_other_mode(shown.measurement);
        if (!most)
            continue;
        StoredMeasurement& point = other.points.emplace_back();
        point.finished = true;
        Measurement& measurement = point.measurement;
        measurement.argument = shown.measurement.argument;
        measurement.message_bytes = shown.measurement.message_bytes;
        measurement.messages = shown.measurement.messages;
        measurement.ranks = shown.measurement.ranks;
        measurement.chunks = shown.measurement.chunks;
        measurement.value_s = most->value_s;
        measurement.mode = most->mode;
        measurement.probe_s = most->probe_s;
    }
    return other;
}

namespace {

std::size_t launches_of_all(const std::vector<StateOfLaunches>& states) {
    std::size_t all = 0;
    for (const StateOfLaunches& state : states)
        all += state.launches;
    return all;
}

std::size_t measured_launches(const Curve& curve) {
    int most = 0;
    for (const StoredMeasurement& point : curve.points)
        most = std::max(most, point.merge ? point.merge->measured_runs : 0);
    return static_cast<std::size_t>(most);
}

} // namespace

std::size_t LaunchesInStates::launches() const {
    return changed_within_launches() ? measured : launches_of_all(states);
}

bool LaunchesInStates::changed_within_launches() const {
    return measured > 0 && launches_of_all(states) > measured;
}

std::size_t LaunchesInStates::left_out() const {
    std::size_t others = 0;
    for (const StateOfLaunches& state : states)
        others += state.shown ? 0 : state.launches;
    return measured > 0 ? std::min(others, measured) : others; // one launch may have met several others
}

std::size_t LaunchesInStates::met_shown() const {
    const auto shown = std::ranges::find(states, true, &StateOfLaunches::shown);
    return shown == states.end() ? 0 : shown->launches;
}

LaunchesInStates launches_in_states(const Subject& subject) {
    LaunchesInStates worst;
    std::size_t curves = 0;
    for (const Curve& curve : subject.curves) {
        LaunchesInStates here{&curve, states_of_launches(curve), 0, measured_launches(curve)};
        if (here.left_out() == 0)
            continue;
        ++curves;
        if (here.left_out() > worst.left_out())
            worst = std::move(here);
    }
    worst.curves = curves;
    return worst;
}

LaunchesOfOtherStart launches_of_other_start(const Subject& subject) {
    LaunchesOfOtherStart worst;
    for (const Curve& curve : subject.curves) {
        std::size_t left_out = 0;
        std::size_t launches = 0;
        for (const auto& [uuid, launch] : curve.launches) {
            left_out += launch.other_start ? 1 : 0;
            launches += launch.other_start || !launch.values.empty() ? 1 : 0;
        }
        if (left_out > worst.left_out)
            worst = {&curve, left_out, launches};
    }
    return worst;
}

LaunchesWithoutCore launches_without_core(const Subject& subject) {
    LaunchesWithoutCore found;
    std::set<std::string> all = subject.launch_uuids();
    for (const Curve& curve : subject.curves)
        for (const auto& [uuid, launch] : curve.launches) {
            if (!(launch.without_core_s > 0))
                continue;
            found.uuids.insert(uuid);
            all.insert(uuid);
            if (launch.without_core_s > found.probe_s) {
                found.probe_s = launch.without_core_s;
                found.with_core_s = curve.probe_with_core_s;
            }
        }
    found.launches = all.size();
    return found;
}

} // namespace skampi
