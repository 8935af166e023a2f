// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "document/cut.hpp"
#include "document/sections/material.hpp"

#include <vector>

namespace skampi {

/// Builds the report from what was read, as much of it as there is room for. The first subject is shown
/// in full; further ones are compared with it (or all with the baseline). Chapters that a content file names
/// are also on a few pages.
/// @param subjects at least one
[[nodiscard]] Document build_document(const std::vector<Subject>& subjects, const DocumentOptions& options,
                                      Room room = Room::everything);

} // namespace skampi
