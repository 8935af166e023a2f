// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "document/sections/material.hpp"

namespace skampi {

/// The first page: title, answer, the machine, how far the values can be trusted, headlines and small plots.
[[nodiscard]] Cover first_page(const Material& material);

} // namespace skampi
