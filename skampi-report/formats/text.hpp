#pragma once

#include "document.hpp"

#include <string>

namespace skampi {

/// The document as plain text in UTF-8, to be read in a terminal or an editor: tables with columns, box plots
/// in characters, of other figures their captions. Control characters are spelled out.
[[nodiscard]] std::string text_document(const Document& document);

} // namespace skampi
