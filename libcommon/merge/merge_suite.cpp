// SPDX-License-Identifier: LGPL-2.1-or-later
#include "merge/merge_suite.hpp"

#include "merge/evident_jumps.hpp"
#include "model/machine_states.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <set>

namespace skampi {

namespace {

/// The arguments of the runs' measurements, with a value or without.
std::vector<std::int64_t> arguments_of(std::span<const LazyCurve> runs, skalib::Grid grid) {
    std::set<std::int64_t> arguments;
    const auto all = grid == skalib::Grid::union_ ? runs : runs.first(std::min<std::size_t>(runs.size(), 1));
    for (const LazyCurve& run : all)
        for (const PointHeader& m : run.headers)
            arguments.insert(m.argument);
    if (grid == skalib::Grid::common)
        std::erase_if(arguments, [&](std::int64_t argument) {
            return !std::ranges::all_of(runs, [&](const LazyCurve& run) {
                return std::ranges::binary_search(run.headers, argument, {}, &PointHeader::argument);
            });
        });
    return {arguments.begin(), arguments.end()};
}

/// Merges one suite: first the states of its runs, then what all arguments have in common, then point by
/// point.
class SuiteMerger {
public:
    SuiteMerger(std::span<const LazyCurve> runs, const MergeWay& way, const MachineKnowledge& machine,
                MergedSuite& suite)
        : judged_(way.modes && way.weights != skalib::Weights::count ? judged_by_probes(runs)
                                                                     : std::vector<LazyCurve>())
        , runs_(judged_.empty() ? runs : std::span<const LazyCurve>(judged_))
        , way_(way)
        , machine_(machine)
        , suite_(suite)
        , have_probes_(all_have_probes(runs_))
        , between_barriers_(most_between_barriers(runs_)) {
        for (const LazyCurve& run : judged_)
            if (std::ranges::any_of(run.headers, &PointHeader::lost_core))
                suite.without_core.insert(run.run);
        const bool exclude_doubtful = excludes_doubtful(runs_, way);
        if (by_probe())
            bounds_ = probe_bounds(runs_, exclude_doubtful);
        for (const LazyCurve& run : runs_)
            run_modes_.emplace_back(run, bounds_);
        suite.most_common =
            most_common_mode(runs_, run_modes_, bounds_.size() + 1, exclude_doubtful, between_barriers_);
        if (by_probe() && machine.probe_share > 0)
            suite.states =
                suite_states(runs_, run_modes_, bounds_.size() + 1, exclude_doubtful, between_barriers_);
    }

    /// Loads a few arguments of each run before it turns to the next run: with many runs, a run's data has
    /// left the machine's caches when its turn comes again.
    void merge_all(const std::function<void(MergedMeasurement&&)>& take) {
        choose_state();
        const std::vector<std::int64_t> arguments = arguments_of(runs_, way_.grid);
        std::vector<ValuesInMode> in_mode;
        for (std::size_t run = 0; run < runs_.size(); ++run)
            in_mode.push_back({runs_[run].headers, run_modes_[run].places()});
        const EvidentJumps jumps(in_mode);
        std::array<std::vector<RunValue>, LazyCurve::loaded_in_a_row> values;
        for (std::size_t begin = 0; begin < arguments.size(); begin += values.size()) {
            const std::size_t count = std::min(values.size(), arguments.size() - begin);
            for (std::size_t run = 0; run < runs_.size(); ++run)
                for (std::size_t i = 0; i < count; ++i)
                    run_modes_[run].append_values(arguments[begin + i], run, values[i], &jumps);
            for (std::size_t i = 0; i < count; ++i) {
                take(merge_at(arguments[begin + i], values[i]));
                values[i].clear();
            }
        }
    }

private:
    [[nodiscard]] bool by_probe() const { return way_.modes && have_probes_; }

    /// The state that is merged, and what its launches have in common.
    void choose_state() {
        main_mode_ = shown_mode(suite_.states, suite_.most_common, machine_.state_probe_s);
        const UsableLaunches usable = usable_launches(runs_, run_modes_, main_mode_);
        suite_.adjustment.launches = states_of(usable, runs_.size());
        suite_.adjustment.reference = reference_of(suite_.adjustment.launches, machine_.references);
        choose_adjustment(usable, machine_.probe_share, suite_.adjustment);
        if (way_.weights != skalib::Weights::count)
            suite_.correlation = correlation_of(usable);
        if (by_probe() && way_.weights != skalib::Weights::count)
            usual_probes_ = usual_probes(runs_, run_modes_, bounds_.size() + 1);
        merger_.emplace(runs_, suite_.adjustment, way_,
                        PointMerger::Launches{suite_.correlation, machine_.in_a_row, machine_.step_s,
                                              by_probe()
                                                  ? sound_launches(runs_, run_modes_, bounds_.size() + 1)
                                                  : std::vector<double>()});
    }

    MergedMeasurement merge_at(std::int64_t argument, std::vector<RunValue>& values) {
        if (values.empty()) {
            suite_.abstained += runs_.size();
            return merger_->without_value(argument);
        }
        if (!usual_probes_.empty())
            compare_probes(values, usual_probes_);
        exclude_other_start(values, between_barriers_);
        std::optional<std::size_t> preferred = main_mode_;
        bool modes_merged_together = false;
        if (!have_probes_) {
            const std::vector<double> bounds = value_bounds(values);
            if (way_.modes) {
                for (RunValue& each : values)
                    each.mode = state_of(each.measurement.value_s, bounds);
                preferred.reset();
            }
            modes_merged_together = !way_.modes && !bounds.empty();
        }
        if (!any_reported(values, preferred)) {
            suite_.abstained += runs_.size();
            return merger_->without_value(argument, values, main_mode_);
        }
        MergedMeasurement point = merger_->merge(argument, values, preferred);
        if (modes_merged_together)
            set(point.measurement.flags, Flag::several_modes);
        suite_.abstained += runs_.size() - static_cast<std::size_t>(point.facts.measured_runs);
        return point;
    }

    /// Whether a launch reports a value that counts, in a mode. @param mode none = in any
    static bool any_reported(const std::vector<RunValue>& values, std::optional<std::size_t> mode) {
        return std::ranges::any_of(values, [&](const RunValue& each) {
            return !each.secondary && each.left_out == LeftOut::no && (!mode || each.mode == *mode);
        });
    }

    /// Bounds between the modes that the values themselves show.
    [[nodiscard]] std::vector<double> value_bounds(const std::vector<RunValue>& values) const {
        const bool exclude_doubtful = excludes_doubtful(values, way_);
        std::vector<Observation> observations;
        for (const RunValue& each : values)
            if (each.left_out == LeftOut::no && each.measurement.value_s > 0 &&
                !(exclude_doubtful && is_doubtful(each.measurement)))
                observations.push_back({each.run, each.measurement.value_s});
        return state_bounds(std::move(observations), values_alone);
    }

    std::vector<LazyCurve> judged_; ///< empty = `runs` as they are
    std::span<const LazyCurve> runs_;
    const MergeWay& way_;
    const MachineKnowledge& machine_;
    MergedSuite& suite_;
    bool have_probes_;
    bool between_barriers_;
    std::vector<double> bounds_; ///< between the modes' probes
    std::vector<RunModes> run_modes_;
    std::size_t main_mode_ = 0;
    std::vector<UsualProbes> usual_probes_; ///< by mode; empty = probes are not compared
    std::optional<PointMerger> merger_;
};

} // namespace

std::vector<MetState> states_of_suite(std::span<const LazyCurve> runs, const MergeWay& way,
                                      double probe_share) {
    MergedSuite suite;
    const MachineKnowledge machine{.probe_share = probe_share};
    const SuiteMerger made(runs, way, machine, suite); // which finds them before it merges
    return suite.states;
}

void keep_findings(const MergedSuite& merged, SuiteMerge& kept) {
    kept.launch_correlation = merged.correlation;
    kept.reference = merged.adjustment.reference;
    if (kept.reference.known())
        kept.adjustment = merged.adjustment.chosen;
    kept.wrong_results = static_cast<std::int64_t>(merged.wrong_results);
}

MergedSuite merge_suite(std::span<const SuiteCurve> runs, const MergeWay& way,
                        const MachineKnowledge& machine) {
    std::vector<MergedMeasurement> points;
    MergedSuite suite = merge_suite(lazy_curves(runs), way, machine,
                                    [&](MergedMeasurement&& point) { points.push_back(std::move(point)); });
    suite.points = std::move(points);
    return suite;
}

MergedSuite merge_suite(std::span<const LazyCurve> runs, const MergeWay& way, const MachineKnowledge& machine,
                        const std::function<void(MergedMeasurement&&)>& take) {
    MergedSuite suite;
    SuiteMerger(runs, way, machine, suite).merge_all(take);
    for (const LazyCurve& run : runs)
        suite.wrong_results += static_cast<std::size_t>(std::ranges::count_if(
            run.headers, [](const PointHeader& m) { return has(m.flags, Flag::wrong_result); }));
    return suite;
}

} // namespace skampi
