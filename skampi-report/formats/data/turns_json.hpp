#pragma once

#include "analysis/turns/turns.hpp"

#include <string>

namespace skampi {

/// What a look at a session found, as one JSON object (docs/data-formats.md). skampi-run reads it after a
/// round.
[[nodiscard]] std::string turns_json(const Turns& turns);

} // namespace skampi
