#pragma once

#include "document/sections/material.hpp"

#include <optional>

namespace skampi {

/// "Machine": the machine, its hosts and network, as far as they are known.
/// @pre the subject has a run
[[nodiscard]] std::optional<Section> machine_section(const Material& material);

} // namespace skampi
