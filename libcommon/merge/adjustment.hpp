// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "merge/run_modes.hpp"
#include "merge/suite_curve.hpp"
#include "model/machine_state.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

namespace skampi {

/// How the values of a suite are adjusted (docs/decisions/one-reference.md).
struct SuiteAdjustment {
    MachineState reference; ///< that the values are reduced to; unknown = there are no adjusted values
    Adjustment chosen;
    /// All that launches drawn from these choose, the chosen one first. The interval of an adjusted value
    /// holds for any of them.
    std::vector<Adjustment> possible;
    std::vector<MachineState> launches; ///< the state of each run: the medians over its arguments
    double correlation = 0;             ///< of the adjusted values of launches in a row

    /// Whether values are adjusted.
    [[nodiscard]] bool adjusts() const;
    /// The adjusted value of one run; not a number where it has none.
    /// @param own the state at this argument: it counts where the run was in another mode than usually
    [[nodiscard]] double adjusted(double value_s, std::size_t run, const MachineState& own,
                                  const Adjustment& adjustment) const;
};

/// A value that is not doubtful, of the mode that is merged.
struct UsableLaunch {
    const PointHeader* header = nullptr;
    std::size_t run = 0;
};
/// By argument, in the order of the runs.
using UsableLaunches = std::map<std::int64_t, std::vector<UsableLaunch>>;
/// @param runs outlive the result
[[nodiscard]] UsableLaunches usable_launches(std::span<const LazyCurve> runs,
                                             std::span<const RunModes> run_modes, std::size_t mode);

/// The serial correlation of launches (skalib::serial_correlation()), over all arguments.
[[nodiscard]] double correlation_of(const UsableLaunches& launches);

/// The state of each run: the median over its usable arguments of what it recorded there; 0 where an argument
/// lacks it.
[[nodiscard]] std::vector<MachineState> states_of(const UsableLaunches& launches, std::size_t runs);

/// The first reference that is clearly of the launches' state, by probe and core speed; else their median.
/// @param states of the launches; unknown ones do not count
/// @param known in the order of preference
[[nodiscard]] MachineState reference_of(std::span<const MachineState> states,
                                        std::span<const MachineState> known);

/// Decides how values are adjusted. With fewer than ten launches, as theory says: they choose worse than it.
/// With more, one adjustment for all arguments; another one than that of theory must reduce the scatter of
/// each launch about the median of the others by twice the standard error of the reduction, and one that
/// increases it is not chosen. What launches drawn from these choose is found by a bootstrap with a fixed
/// seed.
/// @param usual_share the share of theory; 0 = the operation sends no message, and the probe does not count
/// @param adjustment has reference and launches; gets the rest
void choose_adjustment(const UsableLaunches& launches, double usual_share, SuiteAdjustment& adjustment);

} // namespace skampi
