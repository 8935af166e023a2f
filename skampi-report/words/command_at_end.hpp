#pragma once

#include <string>

namespace skampi {

/// A text and the command that it ends with: "To have 5 launches: skampi-run -n 2 --launches 5 x.skampi".
struct TextAndCommand {
    std::string text;    ///< as far as the colon
    std::string command; ///< empty = it does not end with one
};

/// A command is what stands behind a colon at the end of a text and calls one of our programs, perhaps with
/// variables before it. Formats show it as what can be copied: in its own line, unbroken.
[[nodiscard]] TextAndCommand command_at_end(const std::string& text);

} // namespace skampi
