#pragma once

#include "document/sections/material.hpp"

#include <optional>

namespace skampi {

/// What the rounds of a session say: answer, tables, what happened, how it was decided, what to do next.
[[nodiscard]] std::optional<Section> session_section(const Material& material);
/// On paper what the first page does not have.
[[nodiscard]] std::optional<Section> session_on_paper(const Material& material);
/// Times over all launches of each variant, a plot for each suite.
[[nodiscard]] std::optional<Section> variants_section(const Material& material);

} // namespace skampi
