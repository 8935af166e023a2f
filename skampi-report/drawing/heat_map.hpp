// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "drawing/panel.hpp"
#include "links/link_findings.hpp"

#include <string>

namespace skampi {

/// The pairs of members as a square, coloured by their ratio to what is expected: dark = slow, in grey, too.
/// White is what was not measured. Of many members a cell shows the slowest of several pairs.
[[nodiscard]] Figure heat_map(const std::string& id, const LinkInput& input, const LengthFinding& finding);

} // namespace skampi
