// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "tuning/library_version.hpp"
#include "tuning/rule.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace skampi {

/// As TuningFile::format.
[[nodiscard]] std::string_view to_text(TuningFormat value);

/// Whose file it is, by its text. @return none = it is of no format that is known
[[nodiscard]] std::optional<TuningFormat> format_of_text(std::string_view text);

/// The format that an output file's name asks for: *.conf, *.json, *.env, *.cfg. @return none = another name
[[nodiscard]] std::optional<TuningFormat> format_of_path(std::string_view path);

/// Which library reads a format; unknown = more than one.
[[nodiscard]] LibraryKind library_of(TuningFormat format);

} // namespace skampi
