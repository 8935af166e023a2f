#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace skampi {

/// A place in a series at which its level changed for good.
struct ChangePoint {
    std::size_t at = 0;  ///< index of the first value behind it
    double before = 0;   ///< median of the values from the step before (at most change_window) to this one
    double after = 0;    ///< median of the values from here to the next step (at most change_window)
    double strength = 0; ///< in standard errors of the difference; above change_threshold
};

/// So many values on either side of a place are compared, at most: what changes more slowly is no step.
inline constexpr std::size_t change_window = 32;
/// So many have to be on either side, at least: less is no lasting step.
inline constexpr std::size_t least_between_changes = 5;
/// Of fewer values not even a step in their middle that is far above all noise is found in most cases: ranks
/// cannot say how large it is (change_point_test). To find nothing there says nothing.
inline constexpr std::size_t least_for_a_step = 24;
/// A difference of so many standard errors is a step. Calibrated by simulation (change_point_test): of 365
/// values without a step at most 1 % of the series have one reported, be their noise normal or of heavy
/// tails, alone or shared from launch to launch (autocorrelation up to 0.5), with a drift over the year or
/// with a machine that alternates between two states.
inline constexpr double change_threshold = 4.5;

/// The steps of a series of values in the order of time.
///
/// Works on ranks, so single values of any size move nothing: normal scores of the ranks, their means in
/// windows of several widths before and behind each place, in units of the standard error that the score's
/// variance and autocorrelation give; both are estimated from differences of neighbours, which a step hardly
/// touches. The most significant place is taken, both sides are searched again (binary segmentation), and in
/// the end every place is judged once more between its neighbours. Values that alternate between two states
/// are compared within their state: being now in one and now in the other is no step, a shift of both is.
/// @param values finite
/// @return ascending place
[[nodiscard]] std::vector<ChangePoint> find_changes(std::span<const double> values);

} // namespace skampi
