// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "operations/operation.hpp"
#include "skampi/mpi.hpp"

#include <vector>

namespace skampi {

/// The built-in operations and a user's. The functions must outlive what is returned.
/// @throws InputError where a function lacks something or has the name or number of another
[[nodiscard]] std::vector<Operation> operations_with(const std::vector<MpiFunction>& functions);

} // namespace skampi
