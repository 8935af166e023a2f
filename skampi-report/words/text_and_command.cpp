// SPDX-License-Identifier: GPL-2.0-or-later
#include "words/text_and_command.hpp"

#include <cctype>

namespace skampi {

std::string as_sentence(std::string text) {
    text.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(text.front())));
    return text + ".";
}

TextAndCommand joined(const std::vector<TextAndCommand>& parts) {
    TextAndCommand all;
    for (const TextAndCommand& part : parts) {
        if (part.empty())
            continue;
        all.text = all.line() + (all.empty() ? "" : " ") + part.text;
        all.command = part.command;
    }
    return all;
}

} // namespace skampi
