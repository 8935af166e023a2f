// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "model/measurement.hpp"
#include "tuning/algorithm_effect.hpp"

#include <map>
#include <vector>

namespace skampi {

/// What a launch measured at an argument that it stayed at several times, in each stay by itself. The members
/// of a group of algorithms are measured in turns in each stay, so that what the machine was like in it falls
/// out of their ratio.
struct Stays {
    /// By pass, seconds: median of the single measurements less their overhead, without what was disturbed.
    /// None where single measurements are not kept.
    std::map<int, double> median_s;
    double value_s = 0; ///< of all stays
    double relative_error = 0;
};

/// @param measured with a value above 0   @param batches its own
[[nodiscard]] Stays stays_at(const Measurement& measured, const std::vector<Batch>& batches);

/// Median of the ratios in the stays that both were measured in, and the error of that, which is at least the
/// one of the values. With fewer than three such stays the ratio of the values.
[[nodiscard]] AgainstDefault in_same_stays(const Stays& one, const Stays& usual);

} // namespace skampi
