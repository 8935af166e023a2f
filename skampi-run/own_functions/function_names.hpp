// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "model/suite.hpp"

#include <span>

namespace skampi {

/// Refuses a function of a user's that a parameter file could not name, or not tell from the others.
/// @param has_call whether it has something to measure   @param others known already
/// @throws InputError
void refuse_unfit(const OperationInfo& function, bool has_call, std::span<const OperationInfo> others);

} // namespace skampi
