// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <cstddef>
#include <optional>
#include <span>

namespace skampi {

/// A lasting gradual change.
struct Drift {
    std::size_t from = 0;     ///< the first value of it: the one behind the last step, or the first of all
    double per_100_runs = 0;  ///< by which the values change: 0.1 = they grow by 10 %
    double low = 0, high = 0; ///< its 95 % interval
};

/// Of fewer values since a step no drift is stated: noise that lasts for days looks like one.
inline constexpr std::size_t least_for_a_drift = 64;

/// The drift of a line since its last step, where its slope is significant: a straight line through the
/// logarithms by generalised least squares, with what neighbouring values share.
/// @param values above 0, in the order of time; those behind the last step begin at `from`
/// @param lines how many are looked at together: the chance of any false drift is 1 %
[[nodiscard]] std::optional<Drift> find_drift(std::span<const double> values, std::size_t from,
                                              std::size_t lines);

} // namespace skampi
