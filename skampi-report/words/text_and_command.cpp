#include "words/text_and_command.hpp"

namespace skampi {

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
