// SPDX-License-Identifier: LGPL-2.1-or-later
#include "base/text.hpp"

#include "base/hash.hpp"
#include "base/utf8.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstddef>
#include <cstdio>
#include <optional>
#include <utility>

namespace skampi {

namespace {

constexpr std::string_view replacement = "\xEF\xBF\xBD"; // U+FFFD

bool is_control(char32_t code) {
    return code < 0x20 || (code >= 0x7F && code < 0xA0);
}

/// Characters that show nothing or change the direction of their neighbours, so that a text could look like
/// another.
bool is_deceptive(char32_t code) {
    return code == 0xAD || code == 0x61C || code == 0x180E || (code >= 0x200B && code <= 0x200F) ||
           (code >= 0x2028 && code <= 0x202E) || (code >= 0x2060 && code <= 0x206F) || code == 0xFEFF ||
           (code >= 0xFFF9 && code <= 0xFFFB) || (code >= 0xE0000 && code <= 0xE0FFF);
}

/// Embeddings, overrides and isolates: without their end they turn around what stands behind the text, too.
bool turns_direction(char32_t code) {
    return (code >= 0x202A && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069);
}

template <typename Value>
std::string formatted(const char* format, Value value) {
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), format, value);
    return text.data();
}

constexpr auto latex_commands = std::to_array<std::pair<char, std::string_view>>({
    {'"', "\\textquotedbl{}"},
    {'#', "\\#"},
    {'$', "\\$"},
    {'%', "\\%"},
    {'&', "\\&"},
    {'\'', "\\textquotesingle{}"},
    {'*', "{*}"},
    {',', ",{}"}, // the braces here and below part ligatures: ,, -- --- << >> ?` !`
    {'-', "-{}"},
    {'<', "\\textless{}"},
    {'>', "\\textgreater{}"},
    {'[', "{[}"}, // no optional argument begins or ends
    {'\\', "\\textbackslash{}"},
    {']', "{]}"},
    {'^', "\\textasciicircum{}"},
    {'_', "\\_"},
    {'`', "\\textasciigrave{}"},
    {'{', "\\{"},
    {'|', "\\textbar{}"},
    {'}', "\\}"},
    {'~', "\\textasciitilde{}"},
});

/// What LaTeX since 2018 sets as it stands, with the T1 encoding and textcomp: European letters, and signs of
/// typography and measurements.
bool is_set_by_latex(char32_t code) {
    constexpr std::u32string_view without_glyph =
        U"\u00B8\u0126\u0127\u0138\u013F\u0140\u0149\u0166\u0167\u017F";
    constexpr std::u32string_view signs =
        U"\u2013\u2014\u2018\u2019\u201A\u201C\u201D\u201E\u2020\u2021\u2022\u2030\u2039\u203A\u20AC\u2122\u2192";
    return (code >= 0xA0 && code <= 0x17F && without_glyph.find(code) == std::u32string_view::npos) ||
           signs.find(code) != std::u32string_view::npos;
}

std::string latex_of(Utf8Character character, std::string_view bytes) {
    if (!character.valid)
        return formatted("{[}0x%02X{]}", static_cast<unsigned>(character.code));
    for (const auto& [special, command] : latex_commands)
        if (bytes.size() == 1 && bytes.front() == special)
            return std::string(command);
    if ((character.code >= 0x20 && character.code < 0x7F) || is_set_by_latex(character.code))
        return std::string(bytes);
    return formatted("{[}U+%04X{]}", static_cast<unsigned>(character.code));
}

} // namespace

std::string to_valid_utf8(std::string_view text) {
    std::string valid;
    valid.reserve(text.size());
    for_each_character(text, [&](Utf8Character character, std::string_view bytes) {
        valid += character.valid ? bytes : replacement;
    });
    return valid;
}

namespace {

std::string shown_character(Utf8Character character, std::string_view bytes) {
    switch (character.code) {
    case U'\n':
        return "\\n";
    case U'\t':
        return "\\t";
    case U'\r':
        return "\\r";
    default:
        break;
    }
    if (!character.valid || character.code < 0x20 || character.code == 0x7F)
        return formatted("\\x%02x", static_cast<unsigned>(character.code));
    if (is_control(character.code) || is_deceptive(character.code))
        return formatted("\\u{%x}", static_cast<unsigned>(character.code));
    return std::string(bytes);
}

} // namespace

std::string printable(std::string_view text) {
    std::string shown;
    shown.reserve(text.size());
    for_each_character(text, [&](Utf8Character character, std::string_view bytes) {
        shown += shown_character(character, bytes);
    });
    return shown;
}

std::string printable_lines(std::string_view text) {
    std::string shown;
    shown.reserve(text.size());
    for_each_character(text, [&](Utf8Character character, std::string_view bytes) {
        if (bytes == "\n" || bytes == "\t")
            shown += bytes;
        else
            shown += shown_character(character, bytes);
    });
    return shown;
}

namespace {

/// How many apostrophes precede a text that a spreadsheet would read as a formula; none if it would not.
/// Spreadsheets drop white space before they look, and some take the wide forms of East Asian keyboards.
std::optional<std::size_t> apostrophes_before_formula(std::string_view text) {
    const std::size_t apostrophes = std::min(text.find_first_not_of('\''), text.size());
    const std::size_t sign = text.find_first_not_of(" \t\r\n\v\f", apostrophes);
    if (sign == std::string_view::npos)
        return std::nullopt;
    constexpr std::u32string_view signs = U"=+-@\uFF1D\uFF0B\uFF0D\uFF20";
    const Utf8Character character = first_character(text.substr(sign));
    return character.valid && signs.find(character.code) != std::u32string_view::npos
               ? std::optional(apostrophes)
               : std::nullopt;
}

} // namespace

std::string for_csv(std::string_view text) {
    const std::string_view protection = apostrophes_before_formula(text) ? "'" : "";
    const bool at_border_of_spaces = !text.empty() && (text.front() == ' ' || text.back() == ' ');
    if (text.find_first_of("\",\r\n") == std::string_view::npos && !at_border_of_spaces)
        return std::string(protection) + std::string(text);
    std::string quoted = "\"";
    quoted += protection;
    for (const char c : text) {
        if (c == '"')
            quoted += '"';
        quoted += c;
    }
    quoted += '"';
    return quoted;
}

std::string_view from_csv(std::string_view field) {
    if (apostrophes_before_formula(field).value_or(0) > 0)
        field.remove_prefix(1);
    return field;
}

std::string for_metric_label(std::string_view text) {
    std::string label;
    for (const char c : to_valid_utf8(text)) {
        if (c == '\\' || c == '"')
            label += '\\';
        label += c == '\n' ? std::string("\\n") : std::string(1, c);
    }
    return label;
}

std::string for_extra_p(std::string_view text) {
    std::string name = printable(text);
    for (std::size_t at = 0; (at = name.find("->", at)) != std::string::npos;)
        name.insert(at + 1, " ");
    return name;
}

std::string for_xml(std::string_view text) {
    std::string xml;
    xml.reserve(text.size());
    for_each_character(text, [&](Utf8Character character, std::string_view bytes) {
        switch (character.code) {
        case U'&':
            xml += "&amp;";
            return;
        case U'<':
            xml += "&lt;";
            return;
        case U'>':
            xml += "&gt;";
            return;
        case U'"':
            xml += "&quot;";
            return;
        case U'\'':
            xml += "&apos;";
            return;
        case U'\n':
        case U'\r':
        case U'\t':
            xml += ' ';
            return;
        default: {
            const bool allowed = character.valid && !is_control(character.code) && character.code != 0xFFFE &&
                                 character.code != 0xFFFF;
            xml += allowed ? bytes : replacement;
        }
        }
    });
    return xml;
}

std::string for_html(std::string_view text) {
    std::string html;
    html.reserve(text.size());
    for_each_character(text, [&](Utf8Character character, std::string_view bytes) {
        switch (character.code) {
        case U'&':
            html += "&amp;";
            return;
        case U'<':
            html += "&lt;";
            return;
        case U'>':
            html += "&gt;";
            return;
        case U'"':
            html += "&quot;";
            return;
        case U'\'':
            html += "&#39;";
            return;
        case U'\n':
        case U'\t':
            html += bytes;
            return;
        default:
            html += !character.valid || is_control(character.code) || turns_direction(character.code)
                        ? replacement
                        : bytes;
        }
    });
    return html;
}

std::string for_latex(std::string_view text) {
    // A word with this many characters in one piece may be broken, first where a reader would do it.
    constexpr std::size_t long_piece = 20;
    // TeX reads a file line by line into a buffer of limited size.
    constexpr std::size_t long_line = 1000;

    std::string latex;
    std::size_t piece = 0;      // characters since the last place where TeX may break
    std::size_t line_begin = 0; // of the output
    for_each_character(text, [&](Utf8Character character, std::string_view bytes) {
        const char32_t code = character.code;
        if (character.valid && (code == ' ' || code == '\n' || code == '\t' || code == '\r')) {
            const bool new_line = latex.size() - line_begin > long_line;
            if (latex.empty() || latex.back() == ' ' || latex.back() == '\n')
                return; // two line ends would end the paragraph
            latex += new_line ? '\n' : ' ';
            if (new_line)
                line_begin = latex.size();
            piece = 0;
            return;
        }
        const bool joint = code == '_' || code == '/' || code == '.' || code == ':' || code == ';' ||
                           code == ',' || code == '=' || code == '-' || code == '\\';
        latex += latex_of(character, bytes);
        ++piece;
        if (piece >= long_piece || (joint && piece >= long_piece / 2)) {
            latex += "\\allowbreak{}";
            piece = 0;
            if (latex.size() - line_begin > long_line) {
                latex += "\\ignorespaces\n"; // a line end that leaves no space
                line_begin = latex.size();
            }
        }
    });
    return latex;
}

namespace {

/// An ASCII character as gnuplot's double-quoted strings spell it: \140
std::string octal_code(char32_t code) {
    std::string text = "\\000";
    for (std::size_t digit = 3; digit > 0; --digit, code >>= 3)
        text[digit] = static_cast<char>('0' + (code & 7));
    return text;
}

} // namespace

std::string for_gnuplot_string(std::string_view text) {
    // Two single quotes should mean one, but gnuplot 5.4 takes them for the end of the literal
    // where they come first or twice in a row. A text with such a quote is written with octal codes instead.
    const bool octal = text.find('\'') != std::string_view::npos;
    const char quote = octal ? '"' : '\'';
    std::string literal(1, quote);
    bool behind_code = false;
    for_each_character(text, [&](Utf8Character character, std::string_view bytes) {
        const bool digit = character.code >= U'0' && character.code <= U'9';
        const bool harmless = character.code >= 0x80 || character.code == U' ' ||
                              std::isalnum(static_cast<unsigned char>(bytes.front()));
        // gnuplot reads on where a digit stands behind the three of a code: "\0534" is no + and 4.
        const bool as_code =
            octal && character.valid && !is_control(character.code) && (!harmless || (digit && behind_code));
        if (!character.valid)
            literal += replacement;
        else if (is_control(character.code))
            literal += ' ';
        else if (as_code)
            literal += octal_code(character.code);
        else
            literal += bytes;
        behind_code = as_code;
    });
    literal += quote;
    return literal;
}

std::string for_shell(std::string_view text) {
    std::string word = "'";
    for (const char c : text) {
        if (c == '\'')
            word += "'\\''";
        else if (c != '\0')
            word += c;
    }
    word += '\'';
    return word;
}

std::string for_file_name(std::string_view text) {
    constexpr std::size_t longest = 80;
    const auto harmless = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' ||
               c == '_' || c == '-';
    };
    std::string name;
    for (const char c : text.substr(0, longest))
        name += harmless(c) ? c : '_';
    if (!name.empty() && (name.front() == '.' || name.front() == '-'))
        name.front() = '_';
    if (name.empty())
        name += '_';
    if (name == text)
        return name;
    const std::string suffix = formatted("-%08x", Fnv1a().add(text).folded());
    name.resize(std::min(name.size(), longest - suffix.size()));
    return name + suffix;
}

} // namespace skampi
