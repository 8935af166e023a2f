// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <string>

namespace skampi {

/// Reads a file whole. @throws InputError when it does not exist or cannot be read
[[nodiscard]] std::string read_text_file(const std::string& path);

} // namespace skampi
