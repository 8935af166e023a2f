#pragma once

#include "document/sections/material.hpp"

#include <optional>

namespace skampi {

/// "Parameter file and run facts": what is known of the run, the runs it was merged from, its ranks, events
/// and parameter file.
/// @pre the subject has a run
[[nodiscard]] std::optional<Section> facts_section(const Material& material);

} // namespace skampi
