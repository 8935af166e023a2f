// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "algorithms/choice.hpp"

#include <string>
#include <vector>

namespace skampi {

/// Those whose operations match one of the globs: "MPI_Bcast", "bcast", "*reduce*"; without any all.
/// @throws InputError where one matches nothing
[[nodiscard]] AlgorithmList of_operations(AlgorithmList list, const std::vector<std::string>& globs);

/// What `skampi-run algorithms` prints, with its line ends.
[[nodiscard]] std::string algorithm_list_text(const AlgorithmList& list);
/// The same for programs (docs/data-formats.md).
[[nodiscard]] std::string algorithm_list_json(const AlgorithmList& list);

} // namespace skampi
