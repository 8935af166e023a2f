// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "document/sections/material.hpp"

namespace skampi {

/// What was measured and where, on the first page: of a session its variants, else the first subject and how
/// the others differ from it.
[[nodiscard]] FactList system_box(const Material& material);

} // namespace skampi
