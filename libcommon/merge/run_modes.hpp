// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "merge/merge_way.hpp"
#include "merge/suite_curve.hpp"
#include "model/measurement.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace skampi {

// Which mode of the machine each value of each run belongs to. Modes are numbered by bounds between their
// probes, or between their values where there are no probes (model/machine_states.hpp).

/// Why a value weighs nothing in its mode.
enum class LeftOut {
    no,
    no_core,     ///< a rank had none: always left out
    outlier,     ///< its probe is of no mode, and there are enough others
    other_start, ///< another start than most launches
    doubtful,    ///< is_doubtful(), and there are enough others
};

/// The value of one run at one argument in one mode.
struct RunValue {
    std::size_t run = 0;
    Measurement measurement;
    bool interpolated = false;
    bool secondary = false; ///< of a mode that the run saw, but did not report
    std::size_t mode = 0;
    bool slowed = false; ///< its probe took longer than is usual in its mode
    LeftOut left_out = LeftOut::no;
    /// Secondary modes of the measurement that lie in the same mode of the suite as another value of the run.
    std::vector<ModeValue> duplicates = {};
    double interpolated_count = 0; ///< single measurements of an interpolated value, not rounded

    [[nodiscard]] double count() const {
        return interpolated ? interpolated_count : static_cast<double>(measurement.summary.count);
    }
};

/// A secondary mode as a measurement. Its error is unknown: it is scaled from the error of the reported value
/// by the number of single measurements.
[[nodiscard]] Measurement secondary_measurement(const Measurement& reported, const ModeValue& mode);

class EvidentJumps;

/// The values of one run, by mode.
class RunModes {
    using Places = std::vector<std::uint32_t>;

public:
    /// @param curve, bounds outlive this; no bounds = one mode
    RunModes(const LazyCurve& curve, std::span<const double> bounds);

    [[nodiscard]] bool has_any() const { return !places_.empty(); }
    /// The mode of the run: that of the median of its probes.
    [[nodiscard]] std::size_t mode() const { return mode_; }
    [[nodiscard]] double probe_s() const { return probe_s_; } ///< that median; 0 = it has none
    /// The mode of one of its probes: that of the run, unless the probe is mode_ratio away from the run's.
    /// Modes may lie closer together than the probes of one run scatter.
    [[nodiscard]] std::size_t mode_of_probe(double probe_s) const;
    /// Indices of the headers of its values in that mode.
    [[nodiscard]] const Places& places() const { return places_; }

    /// Appends the run's values at an argument, one per mode. Between its arguments it interpolates within
    /// its most frequent mode. Where it measured without a value, outside its range, and where its neighbours
    /// lie on both sides of a jump, it has none.
    /// @param run stored in the values
    /// @param jumps of the suite; null = none is known
    /// @pre arguments ascend from call to call
    void append_values(std::int64_t argument, std::size_t run, std::vector<RunValue>& values,
                       const EvidentJumps* jumps = nullptr);

private:
    void append_measured(std::size_t run, std::vector<RunValue>& values) const;

    const LazyCurve& curve_;
    std::span<const double> bounds_;
    double probe_s_ = 0; ///< median of its probes; 0 = it has none
    std::size_t mode_ = 0;
    std::size_t next_ = 0; ///< first header that is not before the last argument asked for
    Places places_;
};

/// Whether doubtful launches are excluded when the modes of a suite are determined: enough others exist.
[[nodiscard]] bool excludes_doubtful(std::span<const LazyCurve> runs, const MergeWay& way);
/// The same at one argument.
[[nodiscard]] bool excludes_doubtful(std::span<const RunValue> values, const MergeWay& way);

[[nodiscard]] bool all_have_probes(std::span<const LazyCurve> runs);

/// Bounds between the modes of a suite, from all probes.
/// @param exclude_doubtful whether doubtful launches are left out; not where the others are fewer than ten
/// and fewer than an eighth of them, for among a few of a hundred no states are found
/// @pre all_have_probes()
[[nodiscard]] std::vector<double> probe_bounds(std::span<const LazyCurve> runs, bool exclude_doubtful);

/// The mode of most runs among those with the usual start, for the others are left out; the fastest of
/// equally frequent ones.
/// @param modes how many there are  @param between_barriers most_between_barriers()
[[nodiscard]] std::size_t most_common_mode(std::span<const LazyCurve> runs,
                                           std::span<const RunModes> run_modes, std::size_t modes,
                                           bool exclude_doubtful, bool between_barriers);

/// A state of the machine as the runs of a suite met it: a mode of the suite.
struct MetState {
    double probe_s = 0;       ///< median of the runs'
    std::size_t launches = 0; ///< that most_common_mode() counts
};
/// By mode.
[[nodiscard]] std::vector<MetState> suite_states(std::span<const LazyCurve> runs,
                                                 std::span<const RunModes> run_modes, std::size_t modes,
                                                 bool exclude_doubtful, bool between_barriers);
/// The mode that a suite is shown in where its others are shown in the state of a probe: a mode of that
/// state, unless it has fewer than half of the launches of the most common one, or too few for a level where
/// that has enough.
/// @param most_common most_common_mode()  @param probe_s 0 = of no state
[[nodiscard]] std::size_t shown_mode(std::span<const MetState> states, std::size_t most_common,
                                     double probe_s);
/// The probe of the state that the launches of several suites met most, all together, the faster one of
/// equally common ones; 0 = fewer than two suites know states.
[[nodiscard]] double common_state_s(std::span<const std::vector<MetState>> suites);

/// The average number of launches without doubt that a value of a suite rests on: the sum over the runs of
/// the share of such values. By mode.
[[nodiscard]] std::vector<double> sound_launches(std::span<const LazyCurve> runs,
                                                 std::span<const RunModes> run_modes, std::size_t modes);

/// The quartiles of the probes of a mode; 0 where it has none.
struct UsualProbes {
    double low_s = 0;
    double high_s = 0;
};
/// By mode.
[[nodiscard]] std::vector<UsualProbes> usual_probes(std::span<const LazyCurve> runs,
                                                    std::span<const RunModes> run_modes, std::size_t modes);
/// Sets `slowed` of all values at an argument, and leaves outliers out. An outlier has a probe 1.4 times
/// beyond the quartiles of its mode, and launches_that_agree others have not; if it is doubtful or timed out,
/// one other is enough.
void compare_probes(std::span<RunValue> values, std::span<const UsualProbes> usual);

/// Whether most runs measured between barriers, because windows could not be kept, at most of their
/// arguments.
[[nodiscard]] bool most_between_barriers(std::span<const LazyCurve> runs);
/// Leaves values out that began in windows where most began after a barrier, or the other way round, as
/// long as one of the others is there: a value of both would be no quantity.
void exclude_other_start(std::span<RunValue> values, bool between_barriers);

} // namespace skampi
