// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "document/sections/material.hpp"

#include <optional>

namespace skampi {

/// What the first page does not say of a session: all its tables, and how it was decided.
[[nodiscard]] std::optional<Section> session_section(const Material& material);
/// Times over all launches of each variant, a plot for each suite.
[[nodiscard]] std::optional<Section> variants_section(const Material& material);

} // namespace skampi
