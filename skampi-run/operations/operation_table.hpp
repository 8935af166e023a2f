// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "operations/operation.hpp"

namespace skampi {

/// The operations as a table in Markdown, a line each: that of docs/operations.md.
[[nodiscard]] std::string operation_table(const std::vector<Operation>& operations);

} // namespace skampi
