#pragma once

#include "document/sections/material.hpp"

namespace skampi {

/// The first page: title, answer, the machine, how far the values can be trusted, headlines and small plots.
[[nodiscard]] Cover first_page(const Material& material);
/// The same without the plots.
[[nodiscard]] Cover first_page_in_short(const Material& material);

} // namespace skampi
