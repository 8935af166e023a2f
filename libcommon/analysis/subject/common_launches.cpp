#include "analysis/subject/common_launches.hpp"

#include "analysis/subject/curve_pair.hpp"
#include "model/machine_states.hpp"
#include "skalib/merge.hpp"
#include "skalib/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace skampi {

namespace {

/// What a launch measured at an argument.
struct Value {
    std::string launch; ///< uuid
    double value_s = 0;
    LaunchState met = {};
    bool doubtful = false;
    bool shown = false;
    std::size_t state = 0;
    bool raised = false; ///< its probe took longer than is usual in the state
};

/// The same as in merging (merge/run_modes.cpp).
constexpr double raised_probe = 1.08;

/// A side's values at an argument.
using Values = std::vector<Value>;

std::map<std::int64_t, Values> values_of(const Curve& curve) {
    std::map<std::int64_t, Values> found;
    for (const auto& [uuid, values] : curve.launches) {
        const auto state = curve.launch_states.find(uuid);
        const auto doubtful = curve.doubtful.find(uuid);
        for (const auto& [argument, value_s] : values)
            found[argument].push_back(
                {.launch = uuid,
                 .value_s = value_s,
                 .met = state == curve.launch_states.end() ? LaunchState() : state->second,
                 .doubtful = doubtful != curve.doubtful.end() && doubtful->second.contains(argument),
                 .shown = true});
    }
    for (const auto& [uuid, values] : curve.not_shown)
        for (const NotShown& each : values)
            found[each.argument].push_back(
                {.launch = uuid, .value_s = each.value_s, .met = each.state, .doubtful = each.doubtful});
    return found;
}

/// Both sides, judged by one rule.
struct Sides {
    std::map<std::int64_t, Values> first;
    std::map<std::int64_t, Values> second;
    std::size_t states = 1;

    void each(const std::function<void(const std::string& launch, Value&)>& take) {
        for (const auto& [side, name] : {std::pair(&first, "1"), std::pair(&second, "2")})
            for (auto& [argument, values] : *side)
                for (Value& value : values)
                    take(name + value.launch, value);
    }
};

/// Bounds between the states that the probes of all launches show; those of doubtful values count where
/// others are few.
std::vector<double> bounds_of(Sides& sides) {
    struct Launch {
        std::size_t number = 0;
        std::size_t values = 0;
        std::size_t doubtful = 0;
    };
    std::map<std::string, Launch> launches;
    sides.each([&](const std::string& launch, const Value& value) {
        Launch& own = launches.try_emplace(launch, Launch{launches.size()}).first->second;
        ++own.values;
        own.doubtful += value.doubtful ? 1 : 0;
    });
    const auto doubtful = static_cast<std::size_t>(std::ranges::count_if(
        launches, [](const auto& launch) { return 2 * launch.second.doubtful > launch.second.values; }));
    const bool sound_alone = sound_probes_tell(launches.size() - doubtful, doubtful);
    std::vector<Observation> observations;
    sides.each([&](const std::string& launch, const Value& value) {
        const Launch& own = launches.at(launch);
        if (!sound_alone || !(value.doubtful || 2 * own.doubtful > own.values))
            observations.push_back({own.number, value.met.probe_s});
    });
    return state_bounds(std::move(observations), {});
}

/// Gives each value its state; those of ranks that lost their core, and of probes far from their state's, go.
void judge(Sides& sides) {
    std::vector<Observation> all;
    std::map<std::string, std::size_t> numbers;
    sides.each([&](const std::string& launch, const Value& value) {
        all.push_back({numbers.try_emplace(launch, numbers.size()).first->second, value.met.probe_s});
    });
    const double fastest_s = fastest_signal(std::move(all));
    const auto leave_out = [&](const std::function<bool(const Value&)>& which) {
        for (auto* side : {&sides.first, &sides.second})
            for (auto& [argument, values] : *side)
                std::erase_if(values, which);
    };
    leave_out([&](const Value& value) { return lost_core(value.met.probe_s, fastest_s); });
    const std::vector<double> bounds = bounds_of(sides);
    sides.states = bounds.size() + 1;
    std::vector<std::vector<double>> probes(sides.states);
    sides.each([&](const std::string&, Value& value) {
        value.state = state_of(value.met.probe_s, bounds);
        probes[value.state].push_back(value.met.probe_s);
    });
    for (std::vector<double>& own : probes)
        std::ranges::sort(own);
    const auto quartile = [&](const Value& value, double share) {
        return skalib::quantile(probes[value.state], share);
    };
    leave_out([&](const Value& value) {
        return value.met.probe_s >= mode_ratio * quartile(value, 0.75) ||
               mode_ratio * value.met.probe_s <= quartile(value, 0.25);
    });
    sides.each([&](const std::string&, Value& value) {
        value.raised = value.met.probe_s > raised_probe * quartile(value, 0.25);
    });
}

/// Of each launch one value in a state, that shown before others. @param left_out which do not count
std::vector<const Value*> in_state(const Values& values, std::size_t state, bool (*left_out)(const Value&)) {
    std::map<std::string_view, const Value*> found;
    for (const Value& each : values)
        if (each.state == state && !left_out(each))
            found.try_emplace(each.launch, &each);
    std::vector<const Value*> result;
    for (const auto& [launch, value] : found)
        result.push_back(value);
    return result;
}

/// The launches of both sides at an argument, of one state.
struct Chosen {
    std::size_t state = 0;
    std::vector<const Value*> own;
    std::vector<const Value*> left;
    std::vector<const Value*> right;
    [[nodiscard]] std::size_t launches() const { return std::min({own.size(), left.size(), right.size()}); }
};

struct ValuesOfOpposite {
    const Values* own = nullptr;
    const Values* left = nullptr;
    const Values* right = nullptr;
};

/// In a state what is left out on all sides: doubtful values, else those of raised probes, if of either
/// enough others remain everywhere.
Chosen choose(const ValuesOfOpposite& values, std::size_t state) {
    using Rule = bool (*)(const Value&);
    const Rule none = [](const Value&) { return false; };
    const Rule doubtful = [](const Value& value) { return value.doubtful; };
    const Rule raised = [](const Value& value) { return value.doubtful && value.raised; };
    const auto chosen_by = [&](Rule rule) {
        return Chosen{state, in_state(*values.own, state, rule), in_state(*values.left, state, rule),
                      in_state(*values.right, state, rule)};
    };
    const Chosen all = chosen_by(none);
    for (const Rule rule : {doubtful, raised}) {
        Chosen left = chosen_by(rule);
        const auto enough = [](const std::vector<const Value*>& some, const std::vector<const Value*>& of) {
            return skalib::enough_without(some.size(), of.size() - some.size());
        };
        if (enough(left.own, all.own) && enough(left.left, all.left) && enough(left.right, all.right))
            return left;
    }
    return all;
}

/// Whether a choice is the one shown.
bool as_shown(const Curve& curve, std::int64_t argument, const std::vector<const Value*>& chosen) {
    return std::ranges::all_of(chosen, &Value::shown) &&
           launch_values(curve, argument).size() == chosen.size();
}

/// A side to be changed.
struct Changed {
    Curve& curve;
    StatesTaken states = {};

    /// @param disturbed whether the value is disturbed
    void take(std::size_t place, const std::vector<const Value*>& chosen, bool disturbed) {
        StoredMeasurement& point = curve.points[place];
        InMode taken;
        std::vector<double> values;
        std::vector<double> probes;
        for (const Value* each : chosen) {
            taken.launches[each->launch] = each->value_s;
            taken.states[each->launch] = each->met;
            values.push_back(each->value_s);
            probes.push_back(each->met.probe_s);
        }
        std::ranges::sort(values);
        constexpr double confidence = 0.95;
        const skalib::Interval interval =
            skalib::interpolated_median_interval(values, confidence, curve.correlation);
        taken.mode.mode = point.measurement.mode;
        taken.mode.value_s = skalib::median(values);
        taken.mode.probe_s = skalib::median(std::move(probes));
        taken.mode.interval_low_s = interval.low;
        taken.mode.interval_high_s = interval.high;
        taken.mode.interval_confidence = interval.confidence;
        states.add(taken);
        take_launches(curve, point, taken);
        point.measurement.flags &= ~static_cast<Flags>(Flag::disturbed);
        if (disturbed)
            set(point.measurement.flags, Flag::disturbed);
    }
};

double share_of_doubtful(const std::vector<const Value*>& values) {
    return static_cast<double>(std::ranges::count_if(values, &Value::doubtful)) /
           static_cast<double>(std::max<std::size_t>(1, values.size()));
}

bool all_have_probes(Sides& sides) {
    bool all = true;
    sides.each([&](const std::string&, const Value& value) { all = all && value.met.probe_s > 0; });
    return all;
}

} // namespace

InCommonModes in_common_launches(const Curve& first, const Curve& second) {
    if (first.not_shown.empty() && second.not_shown.empty())
        return {};
    Sides sides{values_of(first), values_of(second)};
    if (!all_have_probes(sides))
        return in_common_modes(first, second);
    judge(sides);
    const auto argument_of = [](const Curve& curve, std::size_t place) {
        return curve.points[place].measurement.argument;
    };
    std::vector<std::pair<Opposite, ValuesOfOpposite>> open;
    for (const Opposite& each : opposite_points(first, second))
        open.push_back(
            {each,
             {&sides.first[argument_of(first, each.own)], &sides.second[argument_of(second, each.left)],
              &sides.second[argument_of(second, each.right)]}});
    InCommonModes common;
    std::optional<Changed> of_first;
    std::optional<Changed> of_second;
    while (!open.empty()) {
        std::size_t state = 0;
        std::size_t most = 0;
        for (std::size_t candidate = 0; candidate < sides.states; ++candidate) {
            std::size_t launches = 0;
            for (const auto& [place, values] : open)
                launches += choose(values, candidate).launches();
            if (launches > most) {
                most = launches;
                state = candidate;
            }
        }
        if (most == 0)
            break;
        const std::size_t before = common.points;
        std::erase_if(open, [&](const auto& each) {
            const auto& [place, values] = each;
            const Chosen chosen = choose(values, state);
            if (chosen.launches() == 0)
                return false;
            if (as_shown(first, argument_of(first, place.own), chosen.own) &&
                as_shown(second, argument_of(second, place.left), chosen.left) &&
                as_shown(second, argument_of(second, place.right), chosen.right))
                return true;
            const double own_s = first.points[place.own].measurement.probe_s;
            common.apart += in_one_mode(own_s, second.points[place.left].measurement.probe_s) &&
                                    in_one_mode(own_s, second.points[place.right].measurement.probe_s)
                                ? 0
                                : 1;
            if (common.points++ == 0) {
                common.first = first;
                common.second = second;
                of_first.emplace(Changed{common.first});
                of_second.emplace(Changed{common.second});
            }
            // Shares that chance may make differ say nothing; a side disturbed as the other is not does.
            constexpr double unlike = 0.4;
            const double own = share_of_doubtful(chosen.own);
            const double other = std::max(share_of_doubtful(chosen.left), share_of_doubtful(chosen.right));
            const bool alike = std::fabs(own - other) <= unlike;
            of_first->take(place.own, chosen.own, alike ? own + other >= 1 : own > other);
            of_second->take(place.left, chosen.left, alike ? own + other >= 1 : other > own);
            if (place.right != place.left)
                of_second->take(place.right, chosen.right, alike ? own + other >= 1 : other > own);
            return true;
        });
        common.states += common.points > before ? 1 : 0;
    }
    if (common.points > 0) {
        of_first->states.give_to(common.first);
        of_second->states.give_to(common.second);
    }
    return common;
}

} // namespace skampi
