// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "document/model.hpp"
#include "formats/text/plain_text.hpp"

#include <string>

namespace skampi {

/// How characters are written to `output`: on standard output as wide as the terminal, and in colours where
/// a terminal shows them and the user has not asked for none (no-color.org).
[[nodiscard]] TextStyle style_of_output(const std::string& output);

/// The figures of a document in characters. @param jobs programs at a time
[[nodiscard]] Drawings drawn_in_characters(const Document& document, const TextStyle& style, int jobs);

} // namespace skampi
