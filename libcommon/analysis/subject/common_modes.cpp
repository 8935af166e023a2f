#include "analysis/subject/common_modes.hpp"

#include "model/machine_state.hpp"
#include "skalib/curve.hpp"

#include <algorithm>
#include <iterator>
#include <limits>
#include <map>
#include <set>
#include <string>

namespace skampi {

namespace {

/// What the launches say at a point in one mode.
struct InMode {
    ModeValue mode;
    std::map<std::string, double> launches;
    std::map<std::string, LaunchState> states; ///< of those that are not shown
};

/// All modes of a curve at a point, the one shown first.
std::vector<InMode> modes_at(const Curve& curve, const Measurement& shown) {
    std::vector<InMode> modes(1);
    modes[0].mode.mode = shown.mode;
    modes[0].mode.value_s = shown.value_s;
    modes[0].mode.probe_s = shown.probe_s;
    modes[0].launches = launch_values(curve, shown.argument);
    for (const ModeValue& mode : shown.modes)
        if (mode.mode != shown.mode && mode.value_s > 0 && mode.probe_s > 0)
            modes.push_back({mode, {}, {}});
    for (const auto& [uuid, values] : curve.in_other_modes)
        for (auto value = std::ranges::lower_bound(values, shown.argument, {}, &InOtherMode::argument);
             value != values.end() && value->argument == shown.argument; ++value)
            for (InMode& mode : modes)
                if (mode.mode.mode == value->mode && value->mode != shown.mode) {
                    mode.launches[uuid] = value->value_s;
                    mode.states[uuid] = value->state;
                }
    return modes;
}

/// Makes a curve say at a point what it says in one of its modes.
void take_mode(Curve& curve, StoredMeasurement& point, const InMode& mode) {
    Measurement& shown = point.measurement;
    if (shown.mode != mode.mode.mode) { // errors, interval and range are those of the mode shown
        shown.standard_error_s = std::numeric_limits<double>::quiet_NaN();
        if (point.merge) {
            MergeFacts& merge = *point.merge;
            merge.runs = static_cast<int>(mode.launches.size());
            merge.interval_low_s = mode.mode.interval_low_s;
            merge.interval_high_s = mode.mode.interval_high_s;
            merge.interval_confidence = mode.mode.interval_confidence;
            const auto [least, most] = std::ranges::minmax_element(
                mode.launches, {}, [](const auto& launch) { return launch.second; });
            merge.minimum_s = least->second;
            merge.maximum_s = most->second;
        }
    }
    shown.value_s = mode.mode.value_s;
    shown.probe_s = mode.mode.probe_s;
    shown.mode = mode.mode.mode;
    shown.modes.clear();
    for (auto& [uuid, values] : curve.launches) {
        values.erase(shown.argument);
        if (!mode.launches.contains(uuid)) // nor is it interpolated between values of other modes
            curve.abstentions[uuid].insert(shown.argument);
    }
    for (const auto& [uuid, value] : mode.launches) {
        curve.launches[uuid][shown.argument] = value;
        if (const auto abstained = curve.abstentions.find(uuid); abstained != curve.abstentions.end())
            abstained->second.erase(shown.argument);
    }
}

/// What launches met at the arguments at which they are taken in another mode.
class StatesTaken {
public:
    void add(const InMode& mode) {
        for (const auto& [uuid, state] : mode.states)
            met_[uuid].push_back(state);
    }
    void give_to(Curve& curve) const {
        for (const auto& [uuid, met] : met_)
            curve.launch_states[uuid] = median_state(met);
    }

private:
    std::map<std::string, std::vector<LaunchState>> met_;
};

/// A mode that a point may be shown in.
struct Choice {
    int mode = 0;
    double probe_s = 0;
    std::size_t launches = 0;
};

/// Of those in the state that a probe tells the one that most launches know; null where there is none.
const Choice* choice_in(const std::vector<Choice>& choices, double probe_s) {
    const Choice* best = nullptr;
    for (const Choice& each : choices)
        if (in_one_mode(each.probe_s, probe_s) && (!best || each.launches > best->launches))
            best = &each;
    return best;
}

/// One of the two curves, and the states that its points may be shown in.
class SideOfStates {
public:
    /// @param curve outlives this
    explicit SideOfStates(const Curve& curve)
        : shown_(curve) {}

    void add_choices(std::size_t place) {
        if (choices_.contains(place))
            return;
        std::vector<Choice>& here = choices_[place];
        for (const InMode& mode : modes_at(shown_, measurement(place)))
            if (!mode.launches.empty())
                here.push_back({mode.mode.mode, mode.mode.probe_s, mode.launches.size()});
    }
    /// What is of one state already stays as it is shown.
    void stay(std::size_t place) {
        if (const auto found = choices_.find(place); found != choices_.end())
            std::erase_if(found->second,
                          [&](const Choice& choice) { return choice.mode != measurement(place).mode; });
    }
    /// Null where it does not know the state that a probe tells.
    [[nodiscard]] const Choice* choice(std::size_t place, double probe_s) const {
        return choice_in(choices_.at(place), probe_s);
    }
    [[nodiscard]] const std::vector<Choice>& choices(std::size_t place) const { return choices_.at(place); }
    /// Makes a curve say at a point what this one says in the state that a probe tells. @pre it knows it
    void take(std::size_t place, double probe_s, Curve& into) {
        std::vector<Choice>& here = choices_.at(place);
        here = {*choice_in(here, probe_s)}; // neighbours in another state cannot have it otherwise
        for (const InMode& mode : modes_at(shown_, measurement(place)))
            if (mode.mode.mode == here.front().mode) {
                states_.add(mode);
                take_mode(into, into.points[place], mode);
            }
    }
    [[nodiscard]] double probe_s(std::size_t place) const { return measurement(place).probe_s; }
    [[nodiscard]] const StatesTaken& states() const { return states_; }

private:
    [[nodiscard]] const Measurement& measurement(std::size_t place) const {
        return shown_.points[place].measurement;
    }

    const Curve& shown_;
    std::map<std::size_t, std::vector<Choice>> choices_; ///< by place of the point in its curve
    StatesTaken states_;
};

/// A point of the first curve and the two of the second that it is compared with, often the same.
struct Opposite {
    std::size_t own = 0;
    std::size_t left = 0;
    std::size_t right = 0;
};

/// Those with probes.
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

/// The probes of states, each the lowest of its own.
std::vector<double> states_of(const std::vector<Opposite>& apart, const SideOfStates& first) {
    std::vector<double> probes;
    for (const Opposite& each : apart)
        for (const Choice& choice : first.choices(each.own))
            probes.push_back(choice.probe_s);
    std::ranges::sort(probes);
    std::vector<double> states;
    for (const double probe_s : probes)
        if (states.empty() || !in_one_mode(states.back(), probe_s))
            states.push_back(probe_s);
    return states;
}

} // namespace

InCommonModes in_common_modes(const Curve& first, const Curve& second) {
    SideOfStates of_first(first);
    SideOfStates of_second(second);
    std::vector<Opposite> apart;
    const std::vector<Opposite> all = opposite_points(first, second);
    const auto in_one_state = [&](const Opposite& each) {
        const double own_s = of_first.probe_s(each.own);
        return in_one_mode(own_s, of_second.probe_s(each.left)) &&
               in_one_mode(own_s, of_second.probe_s(each.right));
    };
    std::ranges::remove_copy_if(all, std::back_inserter(apart), in_one_state);
    InCommonModes common;
    if (apart.empty())
        return common;
    for (const Opposite& each : apart) {
        of_first.add_choices(each.own);
        of_second.add_choices(each.left);
        of_second.add_choices(each.right);
    }
    for (const Opposite& each : all)
        if (in_one_state(each)) {
            of_second.stay(each.left);
            of_second.stay(each.right);
        }
    const auto launches_in = [&](const Opposite& each, double state_probe_s) {
        const Choice* own = of_first.choice(each.own, state_probe_s);
        const Choice* left = of_second.choice(each.left, state_probe_s);
        const Choice* right = of_second.choice(each.right, state_probe_s);
        return own && left && right ? std::min({own->launches, left->launches, right->launches})
                                    : std::size_t{0};
    };
    // One state for as many arguments as it can be, rather than for each that of most launches.
    while (!apart.empty()) {
        double state_probe_s = 0;
        std::size_t most = 0;
        for (const double probe_s : states_of(apart, of_first)) {
            std::size_t launches = 0;
            for (const Opposite& each : apart)
                launches += launches_in(each, probe_s);
            if (launches > most) {
                most = launches;
                state_probe_s = probe_s;
            }
        }
        if (most == 0)
            break;
        ++common.states;
        std::erase_if(apart, [&](const Opposite& each) {
            if (launches_in(each, state_probe_s) == 0)
                return false;
            if (common.points++ == 0) {
                common.first = first;
                common.second = second;
            }
            of_first.take(each.own, state_probe_s, common.first);
            of_second.take(each.left, state_probe_s, common.second);
            if (each.right != each.left)
                of_second.take(each.right, state_probe_s, common.second);
            return true;
        });
    }
    of_first.states().give_to(common.first);
    of_second.states().give_to(common.second);
    return common;
}

} // namespace skampi
