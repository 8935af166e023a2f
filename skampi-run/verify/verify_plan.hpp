#pragma once

#include "verify/tuning_use.hpp"

#include <cstdint>
#include <string>

namespace skampi {

/// A parameter file that measures the operations of a tuning file around the lengths that it concerns, on
/// lengths that a tuner hardly used: a dense grid with an offset drawn from the seed.
[[nodiscard]] std::string verify_plan(const TuningUse& use, std::int64_t seed);

/// For a file a seed of its own, so that the same command makes the same plan and goes on.
[[nodiscard]] std::int64_t seed_of(const TuningUse& use);

} // namespace skampi
