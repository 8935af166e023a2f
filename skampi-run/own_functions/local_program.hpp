// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "skampi/functions.hpp"

#include <string>
#include <vector>

namespace skampi {

/// measure_functions().
/// @param error what is wrong, as it was said on standard error; empty = nothing
[[nodiscard]] int measure_functions(int argc, const char* const* argv, const std::vector<Function>& functions,
                                    std::string& error) noexcept;

/// @throws InputError where functions lack something, or cannot be distinguished
void refuse_unfit(const std::vector<Function>& functions);

} // namespace skampi
