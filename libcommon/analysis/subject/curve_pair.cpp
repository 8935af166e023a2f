#include "analysis/subject/curve_pair.hpp"

#include "skalib/curve.hpp"

#include <algorithm>
#include <limits>

namespace skampi {

std::vector<Opposite> opposite_points(const Curve& first, const Curve& second) {
    std::vector<std::size_t> timed;
    std::set<std::int64_t> without_time;
    for (std::size_t i = 0; i < second.points.size(); ++i) {
        const Measurement& other = second.points[i].measurement;
        if (above_zero(other))
            timed.push_back(i);
        else
            without_time.insert(other.argument);
    }
    const auto argument_of = [&](std::size_t place) { return second.points[place].measurement.argument; };
    const auto has_probe = [](const Curve& curve, std::size_t place) {
        return curve.points[place].measurement.probe_s > 0;
    };
    std::vector<Opposite> found;
    for (std::size_t i = 0; i < first.points.size(); ++i) {
        const Measurement& own = first.points[i].measurement;
        if (!above_zero(own) || !has_probe(first, i) || without_time.contains(own.argument))
            continue;
        const auto place = skalib::place_on_curve(timed.begin(), timed.end(), own.argument, argument_of);
        if (place && has_probe(second, *place->left) && has_probe(second, *place->right))
            found.push_back({i, *place->left, *place->right});
    }
    return found;
}

void take_launches(Curve& curve, StoredMeasurement& point, const InMode& taken) {
    Measurement& shown = point.measurement;
    const bool others = taken.launches != launch_values(curve, shown.argument);
    if (others) { // errors, interval and range are those of the launches shown
        shown.standard_error_s = std::numeric_limits<double>::quiet_NaN();
        if (point.merge) {
            MergeFacts& merge = *point.merge;
            merge.runs = static_cast<int>(taken.launches.size());
            merge.interval_low_s = taken.mode.interval_low_s;
            merge.interval_high_s = taken.mode.interval_high_s;
            merge.interval_confidence = taken.mode.interval_confidence;
            const auto [least, most] = std::ranges::minmax_element(
                taken.launches, {}, [](const auto& launch) { return launch.second; });
            merge.minimum_s = least->second;
            merge.maximum_s = most->second;
        }
    }
    shown.value_s = taken.mode.value_s;
    shown.probe_s = taken.mode.probe_s;
    shown.mode = taken.mode.mode;
    shown.modes.clear();
    for (auto& [uuid, values] : curve.launches) {
        values.erase(shown.argument);
        if (!taken.left_out && !taken.launches.contains(uuid)) // nor is it interpolated between other modes
            curve.abstentions[uuid].insert(shown.argument);
    }
    if (taken.left_out)
        for (const std::string& uuid : *taken.left_out)
            curve.abstentions[uuid].insert(shown.argument);
    for (const auto& [uuid, value] : taken.launches) {
        curve.launches[uuid][shown.argument] = value;
        if (const auto abstained = curve.abstentions.find(uuid); abstained != curve.abstentions.end())
            abstained->second.erase(shown.argument);
    }
}

void StatesTaken::add(const InMode& taken) {
    for (const auto& [uuid, state] : taken.states)
        met_[uuid].push_back(state);
}

void StatesTaken::give_to(Curve& curve) const {
    for (const auto& [uuid, met] : met_)
        curve.launch_states[uuid] = median_state(met);
}

} // namespace skampi
