// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <string>
#include <vector>

namespace skampi {

/// A text and the command that it ends with: "To have 5 launches:" and "skampi-run -n 2 --launches 5
/// x.skampi". Formats show a command as what can be copied: in its own line, unbroken.
struct TextAndCommand {
    std::string text;
    std::string command = {}; ///< empty = it ends with none

    bool operator==(const TextAndCommand&) const = default;
    [[nodiscard]] bool empty() const { return text.empty(); }
    /// Both in one line.
    [[nodiscard]] std::string line() const { return command.empty() ? text : text + " " + command; }
};

/// With a capital and a full stop. @pre not empty
[[nodiscard]] std::string as_sentence(std::string text);

/// One behind the other, without empty ones. A command that another part follows stands in the text.
[[nodiscard]] TextAndCommand joined(const std::vector<TextAndCommand>& parts);

} // namespace skampi
