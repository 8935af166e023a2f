// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "document/model.hpp"

#include <string>

namespace skampi {

struct TextStyle {
    std::size_t columns = 80; ///< prose is wrapped to, tables may be wider
    bool colours = false;     ///< ANSI escape sequences for titles and warnings
};

/// The document for a terminal or a text file. No other control sequences than these reach the terminal, for
/// any texts. Pure.
[[nodiscard]] std::string plain_text(const Document& document, const Drawings& drawings,
                                     const TextStyle& style);

/// The document in the Markdown that GitLab and GitHub show, its tables as theirs, figures as they are drawn
/// in characters. Texts can be neither markup nor HTML there. Pure.
[[nodiscard]] std::string markdown(const Document& document, const Drawings& drawings);

} // namespace skampi
