#pragma once

#include "analysis/inference/mean_difference.hpp"

#include <cstddef>

namespace skampi {

/// Whether a side has launches enough to be judged: launches_needed, or one fewer where the others that were
/// made are left out, because they were disturbed or in another state of the machine.
/// @param made with those that are left out
[[nodiscard]] constexpr bool enough_launches(std::size_t usable, std::size_t made) {
    return usable >= launches_needed || (usable + 1 >= launches_needed && made >= launches_needed);
}

} // namespace skampi
