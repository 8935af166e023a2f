// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "model/suite.hpp"

#include <string>
#include <vector>

namespace skampi {

/// What `skampi-run list` prints, with its line ends.
/// @param lacking names of operations that this MPI library does not offer
[[nodiscard]] std::string operation_list_text(const std::vector<OperationInfo>& operations,
                                              const std::vector<std::string>& lacking);
/// The same for programs: {"lacking": [...], "operations": [{"type": ..., "name": ..., ...}, ...]}
[[nodiscard]] std::string operation_list_json(const std::vector<OperationInfo>& operations,
                                              const std::vector<std::string>& lacking);

} // namespace skampi
