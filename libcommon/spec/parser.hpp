// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "spec/parameter_file.hpp"

#include <span>
#include <string>

namespace skampi {

/// Parses a parameter file (docs/parameter-file.md).
/// @param name for messages
/// @param operations all operations that Type may name
/// @throws ParameterError `name:line:column: what was found, what was expected (did you mean "...")`
/// @throws SourceError when the file is no UTF-8 text
[[nodiscard]] ParameterFile parse_parameter_file(const std::string& name, const std::string& text,
                                                 std::span<const OperationInfo> operations);

} // namespace skampi
