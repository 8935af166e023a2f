#include "analysis/subject/common_launches.hpp"

#include "analysis/subject/curve_pair.hpp"
#include "model/machine_states.hpp"
#include "skalib/merge.hpp"
#include "skalib/statistics.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace skampi {

namespace {

/// What a launch measured at an argument.
struct LaunchValue {
    const std::string* launch = nullptr; ///< uuid
    std::size_t number = 0;              ///< of the launch, among those of both sides
    double value_s = 0;
    LaunchState met = {}; ///< core speed and way of shown values are the launch's medians
    ValueDoubts doubts = {};
    bool shown = false;
    std::size_t state = 0;
    bool raised = false; ///< its probe took longer than is usual in the state
};

using ValuesAt = std::vector<LaunchValue>; ///< of a side at an argument

/// @param begin number of the side's first launch  @return the number behind its last one
std::size_t take_values(const Curve& curve, std::size_t begin, std::map<std::int64_t, ValuesAt>& into) {
    std::map<std::string_view, std::size_t> numbers;
    const auto number_of = [&](const std::string& uuid) {
        return begin + numbers.try_emplace(uuid, numbers.size()).first->second;
    };
    for (const auto& [uuid, values] : curve.launches) {
        const auto state = curve.launch_states.find(uuid);
        const auto met = curve.met.find(uuid);
        for (const auto& [argument, value_s] : values) {
            LaunchValue& value = into[argument].emplace_back(
                LaunchValue{.launch = &uuid, .number = number_of(uuid), .value_s = value_s, .shown = true});
            if (state != curve.launch_states.end())
                value.met = state->second;
            if (met == curve.met.end())
                continue;
            if (const auto here = met->second.find(argument); here != met->second.end()) {
                value.met.probe_s = here->second.probe_s;
                value.doubts = here->second.doubts;
            }
        }
    }
    for (const auto& [uuid, values] : curve.not_shown)
        for (const NotShown& each : values)
            into[each.argument].push_back({.launch = &uuid,
                                           .number = number_of(uuid),
                                           .value_s = each.value_s,
                                           .met = each.state,
                                           .doubts = each.doubts});
    return begin + numbers.size();
}

/// What both sides measured.
struct BothMeasured {
    std::array<std::map<std::int64_t, ValuesAt>, 2> sides;
    std::size_t launches = 0;
    std::size_t states = 1;

    template <typename Take>
    void each(const Take& take) {
        for (std::map<std::int64_t, ValuesAt>& side : sides)
            for (auto& [argument, values] : side)
                for (LaunchValue& value : values)
                    take(value);
    }
    template <typename Which>
    void leave_out(const Which& which) {
        for (std::map<std::int64_t, ValuesAt>& side : sides)
            for (auto& [argument, values] : side)
                std::erase_if(values, which);
    }
};

/// Bounds between the states that the probes of all launches show; those in doubt count where others
/// are few.
std::vector<double> bounds_of(BothMeasured& measured) {
    std::vector<std::size_t> values(measured.launches, 0);
    std::vector<std::size_t> doubtful(measured.launches, 0);
    measured.each([&](const LaunchValue& value) {
        ++values[value.number];
        doubtful[value.number] += value.doubts.probe ? 1 : 0;
    });
    const auto in_doubt = [&](std::size_t launch) { return 2 * doubtful[launch] > values[launch]; };
    std::size_t launches_in_doubt = 0;
    for (std::size_t launch = 0; launch < measured.launches; ++launch)
        launches_in_doubt += in_doubt(launch) ? 1 : 0;
    const bool sound_alone = sound_probes_tell(measured.launches - launches_in_doubt, launches_in_doubt);
    std::vector<Observation> observations;
    measured.each([&](const LaunchValue& value) {
        if (!sound_alone || !(value.doubts.probe || in_doubt(value.number)))
            observations.push_back({value.number, value.met.probe_s});
    });
    return state_bounds(std::move(observations), {});
}

/// Gives each value its state; those of ranks that lost their core, and of probes far from their state's, go.
void give_states(BothMeasured& measured) {
    std::vector<Observation> all;
    measured.each([&](const LaunchValue& value) { all.push_back({value.number, value.met.probe_s}); });
    const double fastest_s = fastest_signal(std::move(all));
    measured.leave_out([&](const LaunchValue& value) { return lost_core(value.met.probe_s, fastest_s); });
    const std::vector<double> bounds = bounds_of(measured);
    measured.states = bounds.size() + 1;
    std::vector<std::vector<double>> probes(measured.states);
    measured.each([&](LaunchValue& value) {
        value.state = state_of(value.met.probe_s, bounds);
        probes[value.state].push_back(value.met.probe_s);
    });
    std::vector<std::pair<double, double>> quartiles;
    for (std::vector<double>& own : probes) {
        std::ranges::sort(own);
        quartiles.push_back(own.empty()
                                ? std::pair(0.0, 0.0)
                                : std::pair(skalib::quantile(own, 0.25), skalib::quantile(own, 0.75)));
    }
    measured.leave_out([&](const LaunchValue& value) {
        const auto [low_s, high_s] = quartiles[value.state];
        return value.met.probe_s >= mode_ratio * high_s || mode_ratio * value.met.probe_s <= low_s;
    });
    measured.each([&](LaunchValue& value) {
        value.raised = value.met.probe_s > raised_probe * quartiles[value.state].first;
    });
    // Of each launch one value in a state, that shown before others.
    for (std::map<std::int64_t, ValuesAt>& side : measured.sides)
        for (auto& [argument, values] : side) {
            std::ranges::stable_sort(values, {}, [](const LaunchValue& value) {
                return std::tuple(value.state, value.number, !value.shown);
            });
            const auto [end, last] = std::ranges::unique(
                values, {}, [](const LaunchValue& value) { return std::pair(value.state, value.number); });
            values.erase(end, last);
        }
}

/// Which values of a state do not count.
enum class LeftOutRule {
    doubtful,
    raised, ///< doubtful ones beside a raised probe
    none,
};

using ChosenValues = std::vector<const LaunchValue*>;

ChosenValues chosen_of(const ValuesAt& values, std::size_t state, LeftOutRule rule) {
    ChosenValues chosen;
    for (const LaunchValue& each : values)
        if (each.state == state && !(each.doubts.value && (rule == LeftOutRule::doubtful ||
                                                           (rule == LeftOutRule::raised && each.raised))))
            chosen.push_back(&each);
    return chosen;
}

/// A state, and what is left out in it.
struct LaunchSelection {
    std::size_t state = 0;
    LeftOutRule rule = LeftOutRule::none;
    bool operator==(const LaunchSelection&) const = default;
};

/// A point of the first curve and those of the second that it is compared with.
struct PairOfPoints {
    Opposite places;
    std::array<const ValuesAt*, 3> values{}; ///< own, left, right

    /// Of the side with fewer.
    [[nodiscard]] std::size_t launches(const LaunchSelection& selection) const {
        std::size_t fewest = chosen_of(*values[0], selection.state, selection.rule).size();
        for (const std::size_t other : {1, 2})
            if (other == 1 || values[2] != values[1])
                fewest = std::min(fewest, chosen_of(*values[other], selection.state, selection.rule).size());
        return fewest;
    }
    /// What is left out on all sides alike, because enough others remain everywhere.
    [[nodiscard]] LaunchSelection selection(std::size_t state) const {
        for (const LeftOutRule rule : {LeftOutRule::doubtful, LeftOutRule::raised})
            if (std::ranges::all_of(values, [&](const ValuesAt* side) {
                    const std::size_t all = chosen_of(*side, state, LeftOutRule::none).size();
                    const std::size_t left = chosen_of(*side, state, rule).size();
                    return skalib::enough_without(left, all - left);
                }))
                return {state, rule};
        return {state, LeftOutRule::none};
    }
};

/// Whether the shares of disturbed values differ by more than chance may make them.
bool shares_differ(double a, std::size_t of_a, double b, std::size_t of_b) {
    constexpr double errors = 2;
    const auto n = static_cast<double>(of_a);
    const auto m = static_cast<double>(of_b);
    const double both = (a * n + b * m) / (n + m);
    return std::fabs(a - b) > errors * std::sqrt(both * (1 - both) * (1 / n + 1 / m));
}

double disturbed_share(const ChosenValues& chosen) {
    return static_cast<double>(std::ranges::count_if(
               chosen, [](const LaunchValue* each) { return each->doubts.disturbed; })) /
           static_cast<double>(chosen.size());
}

/// One of the two curves.
class SideOfLaunches {
public:
    /// @param curve, values outlive this
    SideOfLaunches(const Curve& curve, const std::map<std::int64_t, ValuesAt>& values)
        : curve_(curve)
        , values_(values) {}

    [[nodiscard]] const ValuesAt& values(std::size_t place) const {
        static const ValuesAt none;
        const auto found = values_.find(curve_.points[place].measurement.argument);
        return found == values_.end() ? none : found->second;
    }
    /// None where nothing is decided yet.
    [[nodiscard]] std::optional<LaunchSelection> decided(std::size_t place) const {
        const auto found = decided_.find(place);
        return found == decided_.end() ? std::nullopt : std::optional(found->second);
    }
    void decide(std::size_t place, const LaunchSelection& selection) { decided_.emplace(place, selection); }
    [[nodiscard]] bool as_shown(std::size_t place, const LaunchSelection& selection) const {
        const ChosenValues chosen = chosen_of(values(place), selection.state, selection.rule);
        return std::ranges::all_of(chosen, &LaunchValue::shown) &&
               launch_values(curve_, curve_.points[place].measurement.argument).size() == chosen.size();
    }
    [[nodiscard]] bool changed() const {
        return std::ranges::any_of(decided_,
                                   [&](const auto& each) { return !as_shown(each.first, each.second); });
    }
    [[nodiscard]] ChosenValues chosen(std::size_t place) const {
        const LaunchSelection& selection = decided_.at(place);
        return chosen_of(values(place), selection.state, selection.rule);
    }

    /// The curve with what is decided. @param disturbed the places whose values are
    [[nodiscard]] Curve taken(const std::set<std::size_t>& disturbed) const {
        Curve curve = curve_;
        curve.not_shown.clear();
        curve.met.clear();
        for (const auto& [place, selection] : decided_) {
            if (!as_shown(place, selection))
                take(place, curve);
            Flags& flags = curve.points[place].measurement.flags;
            flags &= ~static_cast<Flags>(Flag::disturbed);
            if (disturbed.contains(place))
                set(flags, Flag::disturbed);
        }
        set_states(curve);
        return curve;
    }

private:
    void take(std::size_t place, Curve& into) const {
        StoredMeasurement& point = into.points[place];
        InMode taken;
        taken.left_out.emplace();
        for (const LaunchValue& each : values(place))
            taken.left_out->insert(*each.launch);
        std::vector<double> times;
        std::vector<double> probes;
        for (const LaunchValue* each : chosen(place)) {
            taken.launches[*each->launch] = each->value_s;
            taken.left_out->erase(*each->launch);
            times.push_back(each->value_s);
            probes.push_back(each->met.probe_s);
        }
        std::ranges::sort(times);
        constexpr double confidence = 0.95;
        const skalib::Interval interval =
            skalib::interpolated_median_interval(times, confidence, curve_.correlation);
        taken.mode.mode = point.measurement.mode;
        taken.mode.value_s = skalib::median(times);
        taken.mode.probe_s = skalib::median(std::move(probes));
        taken.mode.interval_low_s = interval.low;
        taken.mode.interval_high_s = interval.high;
        taken.mode.interval_confidence = interval.confidence;
        take_launches(into, point, taken);
    }

    /// What the launches met at the arguments at which they count now.
    void set_states(Curve& curve) const {
        std::map<std::string, std::vector<LaunchState>> met;
        const auto add = [&](const LaunchValue& value) { met[*value.launch].push_back(value.met); };
        for (std::size_t place = 0; place < curve_.points.size(); ++place)
            if (decided_.contains(place)) {
                for (const LaunchValue* each : chosen(place))
                    add(*each);
            } else {
                for (const LaunchValue& each : values(place))
                    if (each.shown)
                        add(each);
            }
        for (const auto& [uuid, states] : met)
            curve.launch_states[uuid] = median_state(states);
    }

    const Curve& curve_;
    const std::map<std::int64_t, ValuesAt>& values_;
    std::map<std::size_t, LaunchSelection> decided_; ///< by place
};

/// Decides point after point what is compared.
class LaunchChooser {
public:
    LaunchChooser(const Curve& first, const Curve& second, const BothMeasured& measured)
        : first_(first, measured.sides[0])
        , second_(second, measured.sides[1]) {
        for (const Opposite& each : opposite_points(first, second))
            open_.push_back(
                {each, {&first_.values(each.own), &second_.values(each.left), &second_.values(each.right)}});
        // Arguments that both measured decide for those between them.
        std::ranges::stable_partition(
            open_, [](const PairOfPoints& pair) { return pair.places.left == pair.places.right; });
        while (!open_.empty() && decide_one_state(measured.states)) {
        }
    }

    [[nodiscard]] InCommonModes chosen(const Curve& first, const Curve& second) const {
        InCommonModes common;
        if (!first_.changed() && !second_.changed())
            return common;
        std::set<std::size_t> first_disturbed;
        std::set<std::size_t> second_disturbed;
        std::set<std::size_t> states;
        for (const Opposite& each : decided_) {
            mark_disturbed(each, first_disturbed, second_disturbed);
            const auto unchanged = [](const SideOfLaunches& side, std::size_t place) {
                return side.as_shown(place, *side.decided(place));
            };
            if (unchanged(first_, each.own) && unchanged(second_, each.left) &&
                unchanged(second_, each.right))
                continue;
            ++common.points;
            const double own_s = first.points[each.own].measurement.probe_s;
            if (in_one_mode(own_s, second.points[each.left].measurement.probe_s) &&
                in_one_mode(own_s, second.points[each.right].measurement.probe_s))
                continue;
            ++common.apart;
            states.insert(first_.decided(each.own)->state);
        }
        common.states = states.size();
        common.by_one_rule = true;
        common.first = first_.taken(first_disturbed);
        common.second = second_.taken(second_disturbed);
        return common;
    }

private:
    /// None where what is decided of its points does not agree.
    [[nodiscard]] std::optional<LaunchSelection> selection_in(const PairOfPoints& pair,
                                                              std::size_t state) const {
        const LaunchSelection free = pair.selection(state);
        std::optional<LaunchSelection> bound;
        for (const std::optional<LaunchSelection>& each :
             {first_.decided(pair.places.own), second_.decided(pair.places.left),
              second_.decided(pair.places.right)}) {
            if (each && (each->state != state || (bound && *bound != *each)))
                return std::nullopt;
            bound = each ? each : bound;
        }
        return bound ? bound : free;
    }
    [[nodiscard]] std::size_t launches_in(const PairOfPoints& pair, std::size_t state) const {
        const std::optional<LaunchSelection> selection = selection_in(pair, state);
        return selection ? pair.launches(*selection) : 0;
    }

    /// In the state in which the sides with fewer launches have most of them; a point with much fewer there
    /// than in another waits for that. @return whether anything was decided
    bool decide_one_state(std::size_t states) {
        constexpr std::size_t enough = 5; // for an interval
        std::vector<std::vector<std::size_t>> launches(open_.size());
        std::vector<std::size_t> of_state(states, 0);
        for (std::size_t i = 0; i < open_.size(); ++i) {
            for (std::size_t state = 0; state < states; ++state)
                launches[i].push_back(launches_in(open_[i], state));
            const std::size_t most = std::ranges::max(launches[i]);
            for (std::size_t state = 0; state < states; ++state) {
                if (launches[i][state] < enough && 2 * launches[i][state] < most)
                    launches[i][state] = 0;
                of_state[state] += launches[i][state];
            }
        }
        const auto state = static_cast<std::size_t>(std::ranges::max_element(of_state) - of_state.begin());
        if (of_state[state] == 0)
            return false;
        std::vector<PairOfPoints> later;
        for (std::size_t i = 0; i < open_.size(); ++i) {
            const PairOfPoints& pair = open_[i];
            const std::optional<LaunchSelection> selection = selection_in(pair, state);
            if (launches[i][state] == 0 || !selection || pair.launches(*selection) == 0) {
                later.push_back(pair);
                continue;
            }
            first_.decide(pair.places.own, *selection);
            second_.decide(pair.places.left, *selection);
            second_.decide(pair.places.right, *selection);
            decided_.push_back(pair.places);
        }
        const bool any = later.size() < open_.size();
        open_ = std::move(later);
        return any;
    }

    void mark_disturbed(const Opposite& each, std::set<std::size_t>& first,
                        std::set<std::size_t>& second) const {
        const ChosenValues own = first_.chosen(each.own);
        const double own_share = disturbed_share(own);
        for (const std::size_t place : {each.left, each.right}) {
            const ChosenValues other = second_.chosen(place);
            const double share = disturbed_share(other);
            const bool differ = shares_differ(own_share, own.size(), share, other.size());
            if (differ ? own_share > share : own_share + share >= 1)
                first.insert(each.own);
            if (differ ? share > own_share : own_share + share >= 1)
                second.insert(place);
        }
    }

    SideOfLaunches first_;
    SideOfLaunches second_;
    std::vector<PairOfPoints> open_;
    std::vector<Opposite> decided_;
};

} // namespace

InCommonModes in_common_launches(const Curve& first, const Curve& second) {
    if (first.not_shown.empty() && second.not_shown.empty())
        return {};
    BothMeasured measured;
    measured.launches = take_values(first, 0, measured.sides[0]);
    measured.launches = take_values(second, measured.launches, measured.sides[1]);
    bool all_have_probes = true;
    measured.each(
        [&](const LaunchValue& value) { all_have_probes = all_have_probes && value.met.probe_s > 0; });
    if (!all_have_probes)
        return in_common_modes(first, second);
    give_states(measured);
    return LaunchChooser(first, second, measured).chosen(first, second);
}

} // namespace skampi
