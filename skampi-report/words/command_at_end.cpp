#include "words/command_at_end.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>

namespace skampi {

namespace {

/// Without the words NAME=VALUE that it begins with; a value may stand in quotes.
std::string_view without_variables(std::string_view text) {
    for (;;) {
        const auto is_of_name = [](char c) {
            return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
        };
        const auto name_end =
            static_cast<std::size_t>(std::ranges::find_if_not(text, is_of_name) - text.begin());
        if (name_end == 0 || name_end == text.size() || text[name_end] != '=')
            return text;
        bool quoted = false;
        std::size_t end = name_end + 1;
        for (; end < text.size() && (quoted || text[end] != ' '); ++end)
            quoted = quoted != (text[end] == '\'');
        text.remove_prefix(std::min(end + 1, text.size()));
    }
}

/// Not so if a sentence follows.
bool is_command(std::string_view text) {
    constexpr std::array<std::string_view, 3> programs{"skampi-run ", "skampi-report ", "skampi-merge "};
    const std::string_view rest = without_variables(text);
    return std::ranges::any_of(programs,
                               [&](std::string_view program) { return rest.starts_with(program); }) &&
           text.find(". ") == std::string_view::npos && !text.ends_with('.');
}

} // namespace

TextAndCommand command_at_end(const std::string& text) {
    for (std::size_t colon = text.find(": "); colon != std::string::npos; colon = text.find(": ", colon + 1))
        if (const std::string_view rest = std::string_view(text).substr(colon + 2); is_command(rest))
            return {text.substr(0, colon + 1), std::string(rest)};
    return {text, {}};
}

} // namespace skampi
