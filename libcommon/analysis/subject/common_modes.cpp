#include "analysis/subject/common_modes.hpp"

#include "analysis/subject/curve_pair.hpp"
#include "model/machine_state.hpp"

#include <algorithm>
#include <iterator>
#include <map>

namespace skampi {

namespace {

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
    for (const auto& [uuid, values] : curve.not_shown)
        for (auto value = std::ranges::lower_bound(values, shown.argument, {}, &NotShown::argument);
             value != values.end() && value->argument == shown.argument; ++value)
            for (InMode& mode : modes)
                if (mode.mode.mode == value->mode && value->mode != shown.mode && !value->in_doubt) {
                    mode.launches[uuid] = value->value_s;
                    mode.states[uuid] = value->state;
                }
    return modes;
}

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
                take_launches(into, into.points[place], mode);
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
    common.apart = common.points;
    of_first.states().give_to(common.first);
    of_second.states().give_to(common.second);
    return common;
}

} // namespace skampi
