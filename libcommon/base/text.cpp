#include "base/text.hpp"

#include "base/hash.hpp"
#include "base/utf8.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstddef>
#include <cstdio>
#include <optional>

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

struct LatexCharacter {
    char32_t code;
    std::string_view command;
};

/// Ascending codes. Everything stands in T1 or in the text companion fonts, or is mathematics that LaTeX has
/// itself.
constexpr auto latex_characters = std::to_array<LatexCharacter>({
    {U'"', "\\textquotedbl{}"},
    {U'#', "\\#"},
    {U'$', "\\$"},
    {U'%', "\\%"},
    {U'&', "\\&"},
    {U'\'', "\\textquotesingle{}"},
    {U'*', "{*}"},
    {U',', ",{}"}, // the braces here and below part ligatures: ,, -- --- << >> ?` !`
    {U'-', "-{}"},
    {U'<', "\\textless{}"},
    {U'>', "\\textgreater{}"},
    {U'[', "{[}"}, // no optional argument begins or ends
    {U'\\', "\\textbackslash{}"},
    {U']', "{]}"},
    {U'^', "\\textasciicircum{}"},
    {U'_', "\\_"},
    {U'`', "\\textasciigrave{}"},
    {U'{', "\\{"},
    {U'|', "\\textbar{}"},
    {U'}', "\\}"},
    {U'~', "\\textasciitilde{}"},
    {0x00A0, "~"},
    {0x00A1, "\\textexclamdown{}"},
    {0x00A2, "\\textcent{}"},
    {0x00A3, "\\textsterling{}"},
    {0x00A4, "\\textcurrency{}"},
    {0x00A5, "\\textyen{}"},
    {0x00A6, "\\textbrokenbar{}"},
    {0x00A7, "\\textsection{}"},
    {0x00A8, "\\textasciidieresis{}"},
    {0x00A9, "\\textcopyright{}"},
    {0x00AA, "\\textordfeminine{}"},
    {0x00AB, "\\guillemotleft{}"},
    {0x00AC, "\\textlnot{}"},
    {0x00AD, "\\-"},
    {0x00AE, "\\textregistered{}"},
    {0x00AF, "\\textasciimacron{}"},
    {0x00B0, "\\textdegree{}"},
    {0x00B1, "\\textpm{}"},
    {0x00B2, "\\texttwosuperior{}"},
    {0x00B3, "\\textthreesuperior{}"},
    {0x00B4, "\\textasciiacute{}"},
    {0x00B5, "\\textmu{}"},
    {0x00B6, "\\textparagraph{}"},
    {0x00B7, "\\textperiodcentered{}"},
    {0x00B8, "\\c{}"},
    {0x00B9, "\\textonesuperior{}"},
    {0x00BA, "\\textordmasculine{}"},
    {0x00BB, "\\guillemotright{}"},
    {0x00BC, "\\textonequarter{}"},
    {0x00BD, "\\textonehalf{}"},
    {0x00BE, "\\textthreequarters{}"},
    {0x00BF, "\\textquestiondown{}"},
    {0x00C0, "\\`{A}"},
    {0x00C1, "\\'{A}"},
    {0x00C2, "\\^{A}"},
    {0x00C3, "\\~{A}"},
    {0x00C4, "\\\"{A}"},
    {0x00C5, "\\r{A}"},
    {0x00C6, "\\AE{}"},
    {0x00C7, "\\c{C}"},
    {0x00C8, "\\`{E}"},
    {0x00C9, "\\'{E}"},
    {0x00CA, "\\^{E}"},
    {0x00CB, "\\\"{E}"},
    {0x00CC, "\\`{I}"},
    {0x00CD, "\\'{I}"},
    {0x00CE, "\\^{I}"},
    {0x00CF, "\\\"{I}"},
    {0x00D0, "\\DH{}"},
    {0x00D1, "\\~{N}"},
    {0x00D2, "\\`{O}"},
    {0x00D3, "\\'{O}"},
    {0x00D4, "\\^{O}"},
    {0x00D5, "\\~{O}"},
    {0x00D6, "\\\"{O}"},
    {0x00D7, "\\texttimes{}"},
    {0x00D8, "\\O{}"},
    {0x00D9, "\\`{U}"},
    {0x00DA, "\\'{U}"},
    {0x00DB, "\\^{U}"},
    {0x00DC, "\\\"{U}"},
    {0x00DD, "\\'{Y}"},
    {0x00DE, "\\TH{}"},
    {0x00DF, "\\ss{}"},
    {0x00E0, "\\`{a}"},
    {0x00E1, "\\'{a}"},
    {0x00E2, "\\^{a}"},
    {0x00E3, "\\~{a}"},
    {0x00E4, "\\\"{a}"},
    {0x00E5, "\\r{a}"},
    {0x00E6, "\\ae{}"},
    {0x00E7, "\\c{c}"},
    {0x00E8, "\\`{e}"},
    {0x00E9, "\\'{e}"},
    {0x00EA, "\\^{e}"},
    {0x00EB, "\\\"{e}"},
    {0x00EC, "\\`{\\i}"},
    {0x00ED, "\\'{\\i}"},
    {0x00EE, "\\^{\\i}"},
    {0x00EF, "\\\"{\\i}"},
    {0x00F0, "\\dh{}"},
    {0x00F1, "\\~{n}"},
    {0x00F2, "\\`{o}"},
    {0x00F3, "\\'{o}"},
    {0x00F4, "\\^{o}"},
    {0x00F5, "\\~{o}"},
    {0x00F6, "\\\"{o}"},
    {0x00F7, "\\textdiv{}"},
    {0x00F8, "\\o{}"},
    {0x00F9, "\\`{u}"},
    {0x00FA, "\\'{u}"},
    {0x00FB, "\\^{u}"},
    {0x00FC, "\\\"{u}"},
    {0x00FD, "\\'{y}"},
    {0x00FE, "\\th{}"},
    {0x00FF, "\\\"{y}"},
    {0x0102, "\\u{A}"},
    {0x0103, "\\u{a}"},
    {0x0104, "\\k{A}"},
    {0x0105, "\\k{a}"},
    {0x0106, "\\'{C}"},
    {0x0107, "\\'{c}"},
    {0x010C, "\\v{C}"},
    {0x010D, "\\v{c}"},
    {0x010E, "\\v{D}"},
    {0x010F, "\\v{d}"},
    {0x0110, "\\DJ{}"},
    {0x0111, "\\dj{}"},
    {0x0118, "\\k{E}"},
    {0x0119, "\\k{e}"},
    {0x011A, "\\v{E}"},
    {0x011B, "\\v{e}"},
    {0x011E, "\\u{G}"},
    {0x011F, "\\u{g}"},
    {0x0130, "\\.{I}"},
    {0x0131, "\\i{}"},
    {0x0139, "\\'{L}"},
    {0x013A, "\\'{l}"},
    {0x013D, "\\v{L}"},
    {0x013E, "\\v{l}"},
    {0x0141, "\\L{}"},
    {0x0142, "\\l{}"},
    {0x0143, "\\'{N}"},
    {0x0144, "\\'{n}"},
    {0x0147, "\\v{N}"},
    {0x0148, "\\v{n}"},
    {0x0150, "\\H{O}"},
    {0x0151, "\\H{o}"},
    {0x0152, "\\OE{}"},
    {0x0153, "\\oe{}"},
    {0x0154, "\\'{R}"},
    {0x0155, "\\'{r}"},
    {0x0158, "\\v{R}"},
    {0x0159, "\\v{r}"},
    {0x015A, "\\'{S}"},
    {0x015B, "\\'{s}"},
    {0x015E, "\\c{S}"},
    {0x015F, "\\c{s}"},
    {0x0160, "\\v{S}"},
    {0x0161, "\\v{s}"},
    {0x0162, "\\c{T}"},
    {0x0163, "\\c{t}"},
    {0x0164, "\\v{T}"},
    {0x0165, "\\v{t}"},
    {0x016E, "\\r{U}"},
    {0x016F, "\\r{u}"},
    {0x0170, "\\H{U}"},
    {0x0171, "\\H{u}"},
    {0x0178, "\\\"{Y}"},
    {0x0179, "\\'{Z}"},
    {0x017A, "\\'{z}"},
    {0x017B, "\\.{Z}"},
    {0x017C, "\\.{z}"},
    {0x017D, "\\v{Z}"},
    {0x017E, "\\v{z}"},
    {0x0394, "\\ensuremath{\\Delta}"},
    {0x03A3, "\\ensuremath{\\Sigma}"},
    {0x03A9, "\\textohm{}"},
    {0x03B1, "\\ensuremath{\\alpha}"},
    {0x03B2, "\\ensuremath{\\beta}"},
    {0x03B3, "\\ensuremath{\\gamma}"},
    {0x03B4, "\\ensuremath{\\delta}"},
    {0x03B5, "\\ensuremath{\\varepsilon}"},
    {0x03BB, "\\ensuremath{\\lambda}"},
    {0x03BC, "\\textmu{}"},
    {0x03C0, "\\ensuremath{\\pi}"},
    {0x03C3, "\\ensuremath{\\sigma}"},
    {0x2002, " "},
    {0x2003, " "},
    {0x2007, "~"},
    {0x2009, "\\,"},
    {0x2010, "-{}"},
    {0x2011, "-{}"},
    {0x2012, "\\textendash{}"},
    {0x2013, "\\textendash{}"},
    {0x2014, "\\textemdash{}"},
    {0x2018, "\\textquoteleft{}"},
    {0x2019, "\\textquoteright{}"},
    {0x201A, "\\quotesinglbase{}"},
    {0x201C, "\\textquotedblleft{}"},
    {0x201D, "\\textquotedblright{}"},
    {0x201E, "\\quotedblbase{}"},
    {0x2020, "\\textdagger{}"},
    {0x2021, "\\textdaggerdbl{}"},
    {0x2022, "\\textbullet{}"},
    {0x2026, "\\textellipsis{}"},
    {0x202F, "\\,"},
    {0x2030, "\\textperthousand{}"},
    {0x2039, "\\guilsinglleft{}"},
    {0x203A, "\\guilsinglright{}"},
    {0x20AC, "\\texteuro{}"},
    {0x2116, "\\textnumero{}"},
    {0x2122, "\\texttrademark{}"},
    {0x2126, "\\textohm{}"},
    {0x2190, "\\textleftarrow{}"},
    {0x2192, "\\textrightarrow{}"},
    {0x2212, "\\textminus{}"},
    {0x221E, "\\ensuremath{\\infty}"},
    {0x2248, "\\ensuremath{\\approx}"},
    {0x2260, "\\ensuremath{\\neq}"},
    {0x2264, "\\ensuremath{\\leq}"},
    {0x2265, "\\ensuremath{\\geq}"},
});
static_assert(std::is_sorted(latex_characters.begin(), latex_characters.end(),
                             [](const LatexCharacter& a, const LatexCharacter& b) {
                                 return a.code < b.code;
                             }));

std::string latex_of(Utf8Character character) {
    if (!character.valid)
        return formatted("{[}0x%02X{]}", static_cast<unsigned>(character.code));
    const auto found = std::lower_bound(
        latex_characters.begin(), latex_characters.end(), character.code,
        [](const LatexCharacter& candidate, char32_t code) { return candidate.code < code; });
    if (found != latex_characters.end() && found->code == character.code)
        return std::string(found->command);
    if (character.code >= 0x20 && character.code < 0x7F)
        return std::string(1, static_cast<char>(character.code));
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

/// How many apostrophes stand before what a spreadsheet would take for a formula; none where it would not.
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
    for_each_character(text, [&](Utf8Character character, std::string_view) {
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
        latex += latex_of(character);
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
    // Two single quotes are meant to stand for one, but gnuplot 5.4 takes them for the end of the literal
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
