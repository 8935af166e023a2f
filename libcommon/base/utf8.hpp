// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace skampi {

// UTF-8 as untrusted bytes: every function takes any bytes and never throws because of them.

/// One step through a text that may be no UTF-8 at all.
struct Utf8Character {
    char32_t code = 0;
    std::size_t bytes = 1;
    bool valid = false; ///< false: code is the first byte, which starts no well-formed sequence
};

/// The character a text begins with (Unicode table 3-7). @pre the text is not empty
[[nodiscard]] Utf8Character first_character(std::string_view text);

/// Calls back with every character and its bytes.
template <typename Callback>
void for_each_character(std::string_view text, Callback&& callback) {
    while (!text.empty()) {
        const Utf8Character character = first_character(text);
        callback(character, text.substr(0, character.bytes));
        text.remove_prefix(character.bytes);
    }
}

/// Where the first byte stands that is not part of a well-formed sequence; npos = the text is UTF-8.
[[nodiscard]] std::size_t first_not_utf8(std::string_view text);

/// Whether a byte begins a character; false for those that continue one.
[[nodiscard]] constexpr bool begins_character(char byte) {
    return (static_cast<unsigned char>(byte) & 0xC0) != 0x80;
}

/// How many characters a text has, which is how wide a terminal shows it unless there are wide or combining
/// ones among them. A byte that is not UTF-8 counts as one.
[[nodiscard]] std::size_t character_count(std::string_view text);

/// The first so many characters; the whole text where it has no more.
[[nodiscard]] std::string_view first_characters(std::string_view text, std::size_t most);

/// The words of a text, one space between them, on lines of at most so many characters; a longer word has a
/// line of its own. At least one line, which may be empty.
/// @param first_most of the first line
[[nodiscard]] std::vector<std::string> wrapped(std::string_view text, std::size_t most,
                                               std::size_t first_most);
[[nodiscard]] inline std::vector<std::string> wrapped(std::string_view text, std::size_t most) {
    return wrapped(text, most, most);
}

/// As many whole characters from the beginning as fit into so many bytes.
[[nodiscard]] std::string_view first_bytes(std::string_view text, std::size_t most_bytes);

} // namespace skampi
