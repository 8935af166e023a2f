// SPDX-License-Identifier: LGPL-2.1-or-later
#include "merge/run_modes.hpp"

#include "merge/evident_jumps.hpp"
#include "merge/interpolation.hpp"
#include "model/machine_state.hpp"
#include "model/machine_states.hpp"
#include "skalib/curve.hpp"
#include "skalib/merge.hpp"
#include "skalib/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <set>

namespace skampi {

namespace {

bool enough_others(std::size_t launches, std::size_t doubtful, const MergeWay& way) {
    return way.weights != skalib::Weights::count && skalib::enough_without(launches - doubtful, doubtful);
}

} // namespace

Measurement secondary_measurement(const Measurement& reported, const ModeValue& mode) {
    Measurement m = reported;
    m.value_s = m.adjusted_s = mode.value_s;
    m.standard_error_s =
        reported.standard_error_s / reported.value_s * mode.value_s *
        std::sqrt(static_cast<double>(reported.summary.count) / static_cast<double>(mode.count));
    m.summary = skalib::Summary::unknown();
    m.summary.count = mode.count;
    m.mode = mode.mode;
    m.probe_s = mode.probe_s;
    m.modes.clear();
    m.node_times.clear();
    m.discarded = 0;
    m.time_used_s = 0;
    return m;
}

RunModes::RunModes(const LazyCurve& curve, std::span<const double> bounds)
    : curve_(curve)
    , bounds_(bounds) {
    std::vector<double> probes_s;
    for (const PointHeader& m : curve.headers)
        if (m.measured)
            probes_s.push_back(m.probe_s);
    probe_s_ = skalib::lower_median(std::move(probes_s));
    mode_ = state_of(probe_s_, bounds);
    for (std::uint32_t place = 0; place < curve.headers.size(); ++place)
        if (const PointHeader& m = curve.headers[place]; m.measured && mode_of_probe(m.probe_s) == mode_)
            places_.push_back(place);
}

std::size_t RunModes::mode_of_probe(double probe_s) const {
    return in_one_mode(probe_s, probe_s_) ? mode_ : state_of(probe_s, bounds_);
}

void RunModes::append_values(std::int64_t argument, std::size_t run, std::vector<RunValue>& values,
                             const EvidentJumps* jumps) {
    while (next_ < curve_.headers.size() && curve_.headers[next_].argument < argument)
        ++next_;
    if (next_ < curve_.headers.size() && curve_.headers[next_].argument == argument) {
        append_measured(run, values);
        return;
    }
    const auto place =
        skalib::place_on_curve(places_.begin(), places_.end(), argument,
                               [this](std::uint32_t header) { return curve_.headers[header].argument; });
    if (!place || (jumps && jumps->between(curve_.headers[*place->left].argument,
                                           curve_.headers[*place->right].argument)))
        return;
    const Measurement left = curve_.load(*place->left);
    const Measurement right = curve_.load(*place->right);
    values.push_back({run, interpolate(left, right, place->share, argument), true, false, mode_});
    values.back().interpolated_count = std::lerp(static_cast<double>(left.summary.count),
                                                 static_cast<double>(right.summary.count), place->share);
}

void RunModes::append_measured(std::size_t run, std::vector<RunValue>& values) const {
    const PointHeader& own = curve_.headers[next_];
    if (!own.measured && !own.lost_core)
        return; // a failed measurement is not replaced by interpolation
    const std::size_t reported = mode_of_probe(own.probe_s);
    const std::size_t at = values.size();
    values.push_back({run, curve_.load(next_), false, false, reported});
    if (own.lost_core)
        values[at].left_out = LeftOut::no_core;
    if (values[at].measurement.modes.empty())
        return;
    const std::vector<ModeValue> modes = values[at].measurement.modes; // values[at] moves when values grows
    std::set<std::size_t> seen;
    if (!own.lost_core)
        seen.insert(reported);
    for (const ModeValue& mode : modes) {
        if (!is_secondary(values[at].measurement, mode))
            continue;
        const std::size_t in_mode = mode_of_probe(mode.probe_s);
        if (!lost_core(mode.probe_s, curve_.fastest_probe_s) && seen.insert(in_mode).second)
            values.push_back(
                {run, secondary_measurement(values[at].measurement, mode), false, true, in_mode});
        else
            values[at].duplicates.push_back(mode);
    }
}

bool excludes_doubtful(std::span<const LazyCurve> runs, const MergeWay& way) {
    std::size_t launches = 0;
    std::size_t doubtful = 0;
    for (const LazyCurve& run : runs) {
        if (std::ranges::none_of(run.headers, &PointHeader::measured))
            continue;
        ++launches;
        doubtful += probes_in_doubt(run) ? 1 : 0;
    }
    return enough_others(launches, doubtful, way);
}

bool excludes_doubtful(std::span<const RunValue> values, const MergeWay& way) {
    std::size_t launches = 0;
    std::size_t doubtful = 0;
    for (const RunValue& each : values) {
        const bool counts = !each.secondary && each.left_out != LeftOut::no_core;
        launches += counts ? 1 : 0;
        doubtful += counts && is_doubtful(each.measurement) ? 1 : 0;
    }
    return enough_others(launches, doubtful, way);
}

bool all_have_probes(std::span<const LazyCurve> runs) {
    return std::ranges::all_of(runs, [](const LazyCurve& run) {
        return std::ranges::all_of(run.headers,
                                   [](const PointHeader& m) { return !m.measured || m.probe_s > 0; });
    });
}

std::vector<double> probe_bounds(std::span<const LazyCurve> runs, bool exclude_doubtful) {
    const auto doubtful = static_cast<std::size_t>(std::ranges::count_if(runs, probes_in_doubt));
    exclude_doubtful = exclude_doubtful && sound_probes_tell(runs.size() - doubtful, doubtful);
    std::vector<Observation> observations;
    for (std::size_t run = 0; run < runs.size(); ++run) {
        const LazyCurve& curve = runs[run];
        if (exclude_doubtful && probes_in_doubt(curve))
            continue;
        const auto counts = [&](const PointHeader& m) {
            return m.measured && !(exclude_doubtful && m.probe_in_doubt());
        };
        for (const PointHeader& m : curve.headers)
            if (counts(m))
                observations.push_back({run, m.probe_s});
        for (const LazyCurve::SecondaryProbe& probe : curve.secondary_probes)
            if (counts(curve.headers[probe.place]) && probe.probe_s > 0)
                observations.push_back({run, probe.probe_s});
    }
    return state_bounds(std::move(observations), {});
}

namespace {

bool began_between_barriers(const LazyCurve& run) {
    const auto measured = std::ranges::count_if(run.headers, &PointHeader::measured);
    const auto fallen = std::ranges::count_if(
        run.headers, [](const PointHeader& m) { return m.measured && has(m.flags, Flag::unsynchronised); });
    return 2 * fallen > measured;
}

} // namespace

std::size_t most_common_mode(std::span<const LazyCurve> runs, std::span<const RunModes> run_modes,
                             std::size_t modes, bool exclude_doubtful, bool between_barriers) {
    // Those of the other start are counted only where all are.
    struct Runs {
        std::size_t of_start = 0;
        std::size_t all = 0;
        auto operator<=>(const Runs&) const = default;
    };
    std::vector<Runs> runs_in(modes);
    for (std::size_t run = 0; run < runs.size(); ++run) {
        if (!run_modes[run].has_any() || (exclude_doubtful && probes_in_doubt(runs[run])))
            continue;
        Runs& here = runs_in[run_modes[run].mode()];
        ++here.all;
        here.of_start += began_between_barriers(runs[run]) == between_barriers ? 1 : 0;
    }
    return static_cast<std::size_t>(std::ranges::max_element(runs_in) - runs_in.begin());
}

std::vector<MetState> suite_states(std::span<const LazyCurve> runs, std::span<const RunModes> run_modes,
                                   std::size_t modes, bool exclude_doubtful, bool between_barriers) {
    std::vector<std::vector<double>> probes_s(modes);
    for (std::size_t run = 0; run < runs.size(); ++run)
        if (run_modes[run].has_any() && !(exclude_doubtful && probes_in_doubt(runs[run])) &&
            began_between_barriers(runs[run]) == between_barriers)
            probes_s[run_modes[run].mode()].push_back(run_modes[run].probe_s());
    std::vector<MetState> states(modes);
    for (std::size_t mode = 0; mode < modes; ++mode)
        if (!probes_s[mode].empty())
            states[mode] = {skalib::median(probes_s[mode]), probes_s[mode].size()};
    return states;
}

std::size_t shown_mode(std::span<const MetState> states, std::size_t most_common, double probe_s) {
    constexpr std::size_t for_a_level = 5;
    if (most_common >= states.size())
        return most_common;
    const std::size_t most = states[most_common].launches;
    std::size_t best = most_common;
    std::size_t launches = 0;
    for (std::size_t mode = 0; mode < states.size(); ++mode)
        if (states[mode].launches > launches && in_one_mode(states[mode].probe_s, probe_s)) {
            best = mode;
            launches = states[mode].launches;
        }
    const bool enough = 2 * launches >= most && (launches >= for_a_level || most < for_a_level);
    return enough ? best : most_common;
}

double common_state_s(std::span<const std::vector<MetState>> suites) {
    std::vector<MetState> all;
    std::size_t with_probes = 0;
    for (const std::vector<MetState>& states : suites) {
        const std::size_t before = all.size();
        std::ranges::copy_if(states, std::back_inserter(all),
                             [](const MetState& state) { return state.launches > 0 && state.probe_s > 0; });
        with_probes += all.size() > before ? 1 : 0;
    }
    if (with_probes < 2)
        return 0;
    std::ranges::sort(all, {}, &MetState::probe_s);
    MetState common;
    for (auto begin = all.begin(); begin != all.end();) {
        const auto end = std::find_if(begin, all.end(), [&](const MetState& state) {
            return !in_one_mode(begin->probe_s, state.probe_s);
        });
        std::size_t launches = 0;
        for (auto state = begin; state != end; ++state)
            launches += state->launches;
        if (launches > common.launches)
            common = {begin[(end - begin) / 2].probe_s, launches};
        begin = end;
    }
    return common.probe_s;
}

std::vector<double> sound_launches(std::span<const LazyCurve> runs, std::span<const RunModes> run_modes,
                                   std::size_t modes) {
    std::vector<double> launches(modes);
    for (std::size_t run = 0; run < runs.size(); ++run) {
        const auto values = std::ranges::count_if(runs[run].headers, &PointHeader::measured);
        for (const PointHeader& m : runs[run].headers)
            if (m.measured && !m.doubtful)
                launches[run_modes[run].mode_of_probe(m.probe_s)] += 1.0 / static_cast<double>(values);
    }
    return launches;
}

std::vector<UsualProbes> usual_probes(std::span<const LazyCurve> runs, std::span<const RunModes> run_modes,
                                      std::size_t modes) {
    std::vector<std::vector<double>> probes(modes);
    for (std::size_t run = 0; run < runs.size(); ++run)
        for (const PointHeader& m : runs[run].headers)
            if (m.measured)
                probes[run_modes[run].mode_of_probe(m.probe_s)].push_back(m.probe_s);
    std::vector<UsualProbes> usual(probes.size());
    for (std::size_t mode = 0; mode < probes.size(); ++mode) {
        if (probes[mode].empty())
            continue;
        std::ranges::sort(probes[mode]);
        usual[mode] = {skalib::quantile(probes[mode], 0.25), skalib::quantile(probes[mode], 0.75)};
    }
    return usual;
}

void compare_probes(std::span<RunValue> values, std::span<const UsualProbes> usual) {
    struct InMode {
        std::size_t within = 0; ///< values with a probe of the mode
        bool any = false;       ///< a value that stays
    };
    std::map<std::size_t, InMode> modes;
    const auto is_suspicious = [](const RunValue& each) {
        return is_doubtful(each.measurement) || has(each.measurement.flags, Flag::timed_out);
    };
    for (RunValue& each : values) {
        if (each.left_out != LeftOut::no)
            continue;
        const double probe_s = each.measurement.probe_s;
        const UsualProbes& here = usual[each.mode];
        each.slowed = probe_s > raised_probe * here.low_s;
        const bool far =
            probe_s > 0 && (probe_s >= mode_ratio * here.high_s || mode_ratio * probe_s <= here.low_s);
        if (far)
            each.left_out = LeftOut::outlier;
        modes[each.mode].within += far ? 0 : 1;
        modes[each.mode].any = modes[each.mode].any || !far || !is_suspicious(each);
    }
    for (RunValue& each : values) {
        const InMode& mode = modes[each.mode];
        if (each.left_out == LeftOut::outlier && mode.within < launches_that_agree &&
            !(is_suspicious(each) && mode.any))
            each.left_out = LeftOut::no;
    }
}

bool most_between_barriers(std::span<const LazyCurve> runs) {
    std::ptrdiff_t between_barriers = 0;
    std::ptrdiff_t all = 0;
    for (const LazyCurve& run : runs) {
        all += std::ranges::any_of(run.headers, &PointHeader::measured) ? 1 : 0;
        between_barriers += began_between_barriers(run) ? 1 : 0;
    }
    return 2 * between_barriers > all;
}

void exclude_other_start(std::span<RunValue> values, bool between_barriers) {
    const auto is_other = [&](const RunValue& each) {
        return has(each.measurement.flags, Flag::unsynchronised) != between_barriers;
    };
    if (std::ranges::any_of(
            values, [&](const RunValue& each) { return each.left_out == LeftOut::no && !is_other(each); }))
        for (RunValue& each : values)
            if (each.left_out == LeftOut::no && is_other(each))
                each.left_out = LeftOut::other_start;
}

} // namespace skampi
