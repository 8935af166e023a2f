#include "words/text_and_command.hpp"

#include <cassert>

namespace skampi {

TextAndCommand joined(const std::vector<TextAndCommand>& parts) {
    TextAndCommand all;
    for (const TextAndCommand& part : parts) {
        if (part.empty())
            continue;
        assert(all.command.empty());
        all.text += (all.text.empty() ? "" : " ") + part.text;
        all.command = part.command;
    }
    return all;
}

} // namespace skampi
