// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "operations/operation.hpp"

namespace skampi {

/// Every operation this build can measure, in the order of `skampi-run list`. Constant.
[[nodiscard]] const std::vector<Operation>& all_operations();
[[nodiscard]] std::vector<OperationInfo>
operation_infos(const std::vector<Operation>& operations = all_operations());
/// Names of the operations left out because the MPI library of this build lacks their functions.
[[nodiscard]] std::vector<std::string> lacking_operations();
/// The row of an operation's name. @throws InputError for an operation that is not among them
[[nodiscard]] const Operation& find_operation(const std::string& name,
                                              const std::vector<Operation>& operations = all_operations());

} // namespace skampi
