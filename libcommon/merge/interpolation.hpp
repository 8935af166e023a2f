// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "model/measurement.hpp"

#include <cstdint>

namespace skampi {

/// The measurement between two others. Values, errors, statistics and counts are interpolated linearly;
/// probe, way there and core clock too, where both sides have them (0 = unknown). Flags are those of both.
/// The mode and its share are those of the nearer side. Node times are empty where the two sides have
/// different ranks.
/// @param share distance from `left`, 0..1
[[nodiscard]] Measurement interpolate(const Measurement& left, const Measurement& right, double share,
                                      std::int64_t argument);

} // namespace skampi
