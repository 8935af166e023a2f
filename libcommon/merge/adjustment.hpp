#pragma once

#include "merge/run_modes.hpp"
#include "merge/suite_curve.hpp"
#include "model/adjusted.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

namespace skampi {

/// How values are adjusted at an argument.
struct Adjustment {
    ProbeShares shares;
    bool by_core_clock = true; ///< false = the core clock is ignored: with it launches scatter more
};

/// How the values of a suite are adjusted.
struct SuiteAdjustment {
    ReferenceState reference;                     ///< P0 and G0; 0 = a run has no probe or core clock
    std::map<std::int64_t, Adjustment> arguments; ///< not empty once chosen

    /// That of the next argument that has one, else of the last.
    [[nodiscard]] const Adjustment& at(std::int64_t argument) const;
};

/// An adjusted value. The probe counts only where it and the reference are of one mode.
/// @param m a Measurement or a PointHeader
template <typename Point>
[[nodiscard]] double adjusted_by(const Adjustment& adjustment, const Point& m, ReferenceState reference) {
    if (!in_one_mode(m.probe_s, reference.probe_s))
        reference.probe_s = 0;
    if (!adjustment.by_core_clock)
        reference.core_clock_hz = 0;
    return adjusted_value(m, adjustment.shares, reference);
}

/// The usable launches at each argument, in their order: values of one mode that are not doubtful.
using UsableLaunches = std::map<std::int64_t, std::vector<const PointHeader*>>;
/// @param runs outlive the result
[[nodiscard]] UsableLaunches usable_launches(std::span<const LazyCurve> runs,
                                             std::span<const RunModes> run_modes, std::size_t mode);

/// The serial correlation of launches (skalib::serial_correlation()), over all arguments.
[[nodiscard]] double correlation_of(const UsableLaunches& launches);

/// Chooses at each argument with at least five launches the adjustment with which they scatter least, there
/// and at up to four arguments on either side: short and long messages take different paths through the
/// machine. Candidates are shares of the probe of 0, 1/4, 1/2, 3/4 and 1, with and without the core clock.
/// Different shares for the probe's two ways must reduce the scatter clearly: among more candidates a good
/// one is found by chance more easily. With 20 launches or more shares below 0 are candidates too: a late
/// rank waits less.
/// @param usual_share the share where too few launches decide; 0 = the operation sends no message, and the
/// probe does not count
/// @return at least one
[[nodiscard]] std::map<std::int64_t, Adjustment>
choose_adjustments(const UsableLaunches& launches, double usual_share, const ReferenceState& reference);

} // namespace skampi
