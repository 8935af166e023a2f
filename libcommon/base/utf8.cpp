// SPDX-License-Identifier: LGPL-2.1-or-later
#include "base/utf8.hpp"

#include <algorithm>

namespace skampi {

Utf8Character first_character(std::string_view text) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const auto continues = [&](std::size_t i) { return i < text.size() && !begins_character(text[i]); };
    const unsigned char first = byte(0);
    const Utf8Character invalid{first, 1, false};
    if (first < 0x80)
        return {first, 1, true};
    std::size_t length = 0;
    char32_t code = 0;
    if (first >= 0xC2 && first <= 0xDF) {
        length = 2;
        code = first & 0x1Fu;
    } else if (first >= 0xE0 && first <= 0xEF) {
        length = 3;
        code = first & 0x0Fu;
    } else if (first >= 0xF0 && first <= 0xF4) {
        length = 4;
        code = first & 0x07u;
    } else {
        return invalid;
    }
    for (std::size_t i = 1; i < length; ++i) {
        if (!continues(i))
            return invalid;
        code = (code << 6) | (byte(i) & 0x3Fu);
    }
    const bool overlong = (length == 3 && code < 0x800) || (length == 4 && code < 0x10000);
    const bool surrogate = code >= 0xD800 && code <= 0xDFFF;
    if (overlong || surrogate || code > 0x10FFFF)
        return invalid;
    return {code, length, true};
}

std::size_t first_not_utf8(std::string_view text) {
    for (std::size_t at = 0; at < text.size();) {
        const Utf8Character character = first_character(text.substr(at));
        if (!character.valid)
            return at;
        at += character.bytes;
    }
    return std::string_view::npos;
}

std::size_t character_count(std::string_view text) {
    std::size_t count = 0;
    for_each_character(text, [&](Utf8Character, std::string_view) { ++count; });
    return count;
}

std::string_view first_characters(std::string_view text, std::size_t most) {
    std::size_t end = 0;
    for (std::size_t count = 0; count < most && end < text.size(); ++count)
        end += first_character(text.substr(end)).bytes;
    return text.substr(0, end);
}

std::vector<std::string> wrapped(std::string_view text, std::size_t most, std::size_t first_most) {
    std::vector<std::string> lines(1);
    std::size_t room = first_most;
    std::size_t column = 0;
    while (true) {
        text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
        if (text.empty())
            return lines;
        const std::string_view word = text.substr(0, text.find(' '));
        const std::size_t width = character_count(word);
        if (column > 0 && column + 1 + width > room) {
            lines.emplace_back();
            room = most;
            column = 0;
        } else if (column > 0) {
            lines.back() += ' ';
            ++column;
        }
        lines.back() += word;
        column += width;
        text.remove_prefix(word.size());
    }
}

std::string_view first_bytes(std::string_view text, std::size_t most_bytes) {
    std::size_t end = 0;
    while (end < text.size()) {
        const std::size_t next = end + first_character(text.substr(end)).bytes;
        if (next > most_bytes)
            break;
        end = next;
    }
    return text.substr(0, end);
}

} // namespace skampi
