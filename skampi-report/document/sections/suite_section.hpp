// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "analysis/models/jump_cause.hpp"
#include "document/sections/material.hpp"

namespace skampi {

/// One suite in full: answer, plot, the facts of the paper's appendix B, cost model, jumps, its values and,
/// where asked for, its single measurements. @pre it can be drawn
[[nodiscard]] Section suite_section(const Material& material, const Curve& curve, const JumpCauses& causes);

} // namespace skampi
