// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/suggestion.hpp"
#include "base/text.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <doctest/doctest.h>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <vector>

using namespace skampi;

namespace {

std::string every_byte() {
    std::string text;
    for (int byte = 0; byte < 256; ++byte)
        text += static_cast<char>(byte);
    return text;
}

/// Texts that have been trouble at one border or another, and random bytes.
std::vector<std::string> nasty_texts() {
    std::vector<std::string> texts = {
        "",
        " ",
        "\\input{/etc/passwd}",
        "`touch x`",
        "$(touch x)",
        "'; touch x; '",
        "100 % of $5 #1 & _under_ {brace} ~tilde ^caret \\",
        "\"quoted\" 'single' ``double''",
        "line\nanother\r\nthird\ttab",
        std::string("nul\0inside", 10),
        "\x1b[31mred\x1b[0m \x07",
        "-rf",
        "--option",
        "../../etc/passwd",
        "Größe in µs ± 5 °C × 3 – “quoted” … naïve Ångström, Dvořák, Łódź",
        "中文 \xF0\x9F\x9A\x80 \xE2\x80\xAE reversed \xEF\xBB\xBF",
        "\xC0\xAF overlong \xED\xA0\x80 surrogate \xF5\x80\x80\x80 \xE2\x82",
        std::string(300'000, 'x'),
        std::string(50'000, '_'),
        std::string(1'000, '\\'),
        "DROP TABLE run; --",
        "=1+1",
        every_byte(),
    };
    std::mt19937 random(4711);
    for (int i = 0; i < 200; ++i) {
        std::string text(random() % 40, ' ');
        for (char& c : text)
            c = static_cast<char>(random());
        texts.push_back(text);
    }
    return texts;
}

/// What a POSIX shell makes of a command line.
std::string output_of_shell(const std::string& command) {
    const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(command.c_str(), "r"), pclose);
    REQUIRE(pipe);
    std::string output;
    std::array<char, 4096> piece{};
    while (const std::size_t size = std::fread(piece.data(), 1, piece.size(), pipe.get()))
        output.append(piece.data(), size);
    return output;
}

} // namespace

TEST_CASE("valid UTF-8 stays as it is") {
    for (const char* text :
         {"", "plain", "µ ± ×", "中文", "\xF0\x9F\x9A\x80", "\xF4\x8F\xBF\xBF", "\xED\x9F\xBF"})
        CHECK(to_valid_utf8(text) == text);
}

TEST_CASE("every byte that is no UTF-8 becomes one replacement character") {
    const std::string r = "\xEF\xBF\xBD";
    CHECK(to_valid_utf8("a\xFFz") == "a" + r + "z");
    CHECK(to_valid_utf8("\xC0\xAF") == r + r);                 // overlong
    CHECK(to_valid_utf8("\xE0\x80\xAF") == r + r + r);         // overlong
    CHECK(to_valid_utf8("\xED\xA0\x80") == r + r + r);         // surrogate
    CHECK(to_valid_utf8("\xF4\x90\x80\x80") == r + r + r + r); // beyond Unicode
    CHECK(to_valid_utf8("\xE2\x82") == r + r);                 // cut off
    CHECK(to_valid_utf8("\xE2\x82z") == r + r + "z");
    for (const std::string& text : nasty_texts())
        CHECK(to_valid_utf8(to_valid_utf8(text)) == to_valid_utf8(text));
}

TEST_CASE("a printable text is one line without anything invisible") {
    CHECK(printable("plain µ 中") == "plain µ 中");
    CHECK(printable("a\nb\tc\r") == "a\\nb\\tc\\r");
    CHECK(printable("\x1b[31m\x7f") == "\\x1b[31m\\x7f");
    CHECK(printable(std::string_view("\0", 1)) == "\\x00");
    CHECK(printable_lines("a\nb\tc\r\x1b\xC2\x9B\n") == "a\nb\tc\\r\\x1b\\u{9b}\n");
    CHECK(printable("\xFF") == "\\xff");
    CHECK(printable("\xC2\x9B") == "\\u{9b}");
    CHECK(printable("\xE2\x80\xAE") == "\\u{202e}");
    CHECK(printable("\xEF\xBB\xBF") == "\\u{feff}");
    for (const std::string& text : nasty_texts()) {
        const std::string shown = printable(text);
        CHECK(std::none_of(shown.begin(), shown.end(),
                           [](char c) { return (c >= 0 && c < 0x20) || c == 0x7F; }));
        CHECK(to_valid_utf8(shown) == shown);
    }
}

TEST_CASE("CSV fields are quoted only where RFC 4180 asks for it") {
    CHECK(for_csv("") == "");
    CHECK(for_csv("plain text") == "plain text");
    CHECK(for_csv("a,b") == "\"a,b\"");
    CHECK(for_csv("say \"a\"") == "\"say \"\"a\"\"\"");
    CHECK(for_csv("a\nb") == "\"a\nb\"");
    CHECK(for_csv("a\rb") == "\"a\rb\"");
    CHECK(for_csv(" a") == "\" a\"");
}

TEST_CASE("no text in a CSV field is a formula to a spreadsheet, a number stays one") {
    CHECK(for_csv("=1+1") == "'=1+1");
    CHECK(for_csv("+4") == "'+4");
    CHECK(for_csv("-n 4") == "'-n 4");
    CHECK(for_csv("@SUM(A1)") == "'@SUM(A1)");
    CHECK(for_csv("\t=1") == "'\t=1");
    CHECK(for_csv(" =1") == "\"' =1\"");
    CHECK(for_csv("\r\n=HYPERLINK(\"x\",\"y\")") == "\"'\r\n=HYPERLINK(\"\"x\"\",\"\"y\"\")\"");
    CHECK(for_csv("＝1") == "'＝1"); // full width
    CHECK(for_csv("'=1") == "''=1");
    for (const char* harmless : {"a=1", "1+1", "'quoted'", "", "'", "(=1)"})
        CHECK(for_csv(harmless) == harmless);
}

TEST_CASE("a text comes back out of its CSV field") {
    CHECK(from_csv("'=1") == "=1");
    CHECK(from_csv("''=1") == "'=1");
    CHECK(from_csv("=1") == "=1");
    CHECK(from_csv("'quoted'") == "'quoted'");
    std::vector<std::string> texts = nasty_texts();
    for (const char* start : {"", "'", "''", " ", "' ", "' ' "})
        for (const char* sign : {"=", "+", "-", "@", "'", "＝", "x", ""})
            texts.push_back(std::string(start) + sign + "1");
    for (const std::string& text : texts) {
        std::string field = for_csv(text);
        if (field.starts_with('"')) { // the letter of RFC 4180 is the reader's
            field = field.substr(1, field.size() - 2);
            for (std::size_t at = 0; (at = field.find("\"\"", at)) != std::string::npos; ++at)
                field.erase(at, 1);
        }
        CHECK(from_csv(field) == text);
    }
}

TEST_CASE("a label of a metric has the three escapes of its format, and Extra-P finds no path in a name") {
    CHECK(for_metric_label("a\\b \"c\"\nd") == "a\\\\b \\\"c\\\"\\nd");
    CHECK(for_metric_label("\xFF µ") == "\uFFFD µ");
    CHECK(for_extra_p("a->b --> c") == "a- >b -- > c");
    CHECK(for_extra_p("a\nb") == "a\\nb");
}

TEST_CASE("XML gets the five named entities and no character it forbids") {
    CHECK(for_xml("<a b=\"c\">'&amp;") == "&lt;a b=&quot;c&quot;&gt;&apos;&amp;amp;");
    CHECK(for_xml("a\nb\tc\rd") == "a b c d");
    CHECK(for_xml(std::string("\0\x01\xFF", 3)) == "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD");
    CHECK(for_xml("\xEF\xBF\xBE") == "\xEF\xBF\xBD"); // U+FFFE
    CHECK(for_xml("Caf\xC3\xA9") == "Caf\xC3\xA9");
}

TEST_CASE("HTML text cannot open a tag, an entity or end an attribute") {
    CHECK(for_html("<script>alert('x')</script> & \"q\"") ==
          "&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt; &amp; &quot;q&quot;");
    CHECK(for_html("a\nb") == "a\nb");
    CHECK(for_html("\x01\xFF") == "\xEF\xBF\xBD\xEF\xBF\xBD");
    CHECK(for_html("\xE2\x80\xAE"
                   "a") == "\xEF\xBF\xBD"
                           "a"); // what stands behind is not turned around
    CHECK(for_html("\xE2\x80\x8F\xD7\xA9") == "\xE2\x80\x8F\xD7\xA9"); // nor is a language refused
    for (const std::string& text : nasty_texts()) {
        const std::string html = for_html(text);
        CHECK(html.find_first_of("<>\"'") == std::string::npos);
        CHECK(to_valid_utf8(html) == html);
    }
}

TEST_CASE("nothing in a LaTeX text is a command, a comment or mathematics of the input's") {
    CHECK(for_latex("") == "");
    CHECK(for_latex("plain words 123") == "plain words 123");
    CHECK(for_latex("\\input{/etc/passwd}") == "\\textbackslash{}input\\{/etc/\\allowbreak{}passwd\\}");
    CHECK(for_latex("`touch x`") == "\\textasciigrave{}touch x\\textasciigrave{}");
    CHECK(for_latex("% _ $ # & { } ~ ^") ==
          "\\% \\_ \\$ \\# \\& \\{ \\} \\textasciitilde{} \\textasciicircum{}");
    CHECK(for_latex("\"'") == "\\textquotedbl{}\\textquotesingle{}");
    CHECK(for_latex("--n ?` !` << ,,") == "-{}-{}n ?\\textasciigrave{} !\\textasciigrave{} "
                                          "\\textless{}\\textless{} ,{},{}");
    CHECK(for_latex("[*]") == "{[}{*}{]}");
}

TEST_CASE("a LaTeX text keeps the letters of European names and the symbols of measurements") {
    for (const char* text : {"5 µs ± 1 °", "3 × 4 → 5", "“a”", "äöüß", "é à ñ ç å ï", "Dvořák", "Łódź"})
        CHECK(for_latex(text) == text);
}

TEST_CASE("a LaTeX text shows a placeholder for every character it cannot show") {
    CHECK(for_latex("中") == "{[}U+4E2D{]}");
    CHECK(for_latex("Ħ") == "{[}U+0126{]}"); // T1 has no such letter
    CHECK(for_latex("\xF0\x9F\x9A\x80") == "{[}U+1F680{]}");
    CHECK(for_latex("\xFF") == "{[}0xFF{]}");
    CHECK(for_latex("\x1b") == "{[}U+001B{]}");
    CHECK(for_latex("\xE2\x80\xAE") == "{[}U+202E{]}");
}

TEST_CASE("line ends in a LaTeX text end no paragraph") {
    CHECK(for_latex("a\n\n\nb\r\nc\t d") == "a b c d");
}

TEST_CASE(
    "any LaTeX text is UTF-8 with balanced braces, and no line is too long for TeX or begins a comment") {
    for (const std::string& text : nasty_texts()) {
        const std::string latex = for_latex(text);
        CHECK(to_valid_utf8(latex) == latex);
        int depth = 0;
        bool escaped = false;
        std::size_t line = 0;
        std::size_t longest_line = 0;
        bool bare = false; // a character with a meaning of its own that is not escaped
        bool empty_line = false;
        for (std::size_t i = 0; i < latex.size(); ++i) {
            const char c = latex[i];
            line = c == '\n' ? 0 : line + 1;
            empty_line = empty_line || (c == '\n' && i > 0 && latex[i - 1] == '\n');
            longest_line = std::max(longest_line, line);
            if (escaped) {
                escaped = false;
                continue;
            }
            if (c == '\\') {
                escaped = true;
            } else if (c == '{') {
                ++depth;
            } else if (c == '}') {
                --depth;
            } else if (std::string_view("%#$&_^`\"").find(c) != std::string_view::npos) {
                bare = true;
            }
            if (depth < 0)
                bare = true;
        }
        CHECK(depth == 0);
        CHECK_FALSE(escaped);
        CHECK_FALSE(bare);
        CHECK_FALSE(empty_line);
        CHECK(longest_line < 5'000);
    }
}

TEST_CASE("a long word of a LaTeX text can be broken, a short one cannot") {
    CHECK(for_latex("MPI_Reduce").find("allowbreak") == std::string::npos);
    CHECK(for_latex(std::string(100, 'x')).find("\\allowbreak{}") != std::string::npos);
    CHECK(for_latex("a_name_with_many_parts_in_it").find("\\_\\allowbreak{}") != std::string::npos);
}

TEST_CASE("a gnuplot string is one literal on one line in which nothing is expanded") {
    CHECK(for_gnuplot_string("") == "''");
    CHECK(for_gnuplot_string("its `date` \\n @x") == "'its `date` \\n @x'");
    CHECK(for_gnuplot_string("a\n!touch x\n") == "'a !touch x '");
    // gnuplot 5.4 misreads '' at the beginning of a literal and twice in a row
    CHECK(for_gnuplot_string("''; `x` \"é\\n") == "\"\\047\\047\\073 \\140x\\140 \\042é\\134n\"");
    // gnuplot reads on where a digit follows the three of a code
    CHECK(for_gnuplot_string("'1 x2+345'") == "\"\\047\\061 x2\\053\\063\\064\\065\\047\"");
    for (const std::string& text : nasty_texts()) {
        const std::string literal = for_gnuplot_string(text);
        REQUIRE(literal.size() >= 2);
        CHECK(std::none_of(literal.begin(), literal.end(),
                           [](char c) { return (c >= 0 && c < 0x20) || c == 0x7F; }));
        const std::string inside = literal.substr(1, literal.size() - 2);
        CHECK(literal.front() == literal.back());
        if (literal.front() == '\'')
            CHECK(inside.find('\'') == std::string::npos);
        else
            CHECK(inside.find_first_of("\"'`@$!#;") == std::string::npos);
    }
}

TEST_CASE("a shell hands a quoted word to the program unchanged") {
    CHECK(for_shell("it's") == "'it'\\''s'");
    std::string command = "printf '%s\\n'";
    std::string expected;
    for (const std::string& text : nasty_texts()) {
        if (text.size() > 1000)
            continue;
        std::string without_nul = text;
        std::erase(without_nul, '\0');
        command += " " + for_shell(text);
        expected += without_nul + "\n";
    }
    CHECK(output_of_shell(command) == expected);
}

TEST_CASE("a file name is harmless, and different names give different file names") {
    CHECK(for_file_name("MPI_Bcast-2.nodes") == "MPI_Bcast-2.nodes");
    std::set<std::string> names;
    std::set<std::string> texts;
    for (const std::string& text : nasty_texts()) {
        if (!texts.insert(text).second)
            continue;
        const std::string name = for_file_name(text);
        CAPTURE(name);
        CHECK_FALSE(name.empty());
        CHECK(name.size() <= 80);
        CHECK(name.front() != '.');
        CHECK(name.front() != '-');
        CHECK(name.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-") ==
              std::string::npos);
        CHECK(names.insert(name).second);
    }
}

TEST_CASE("a near miss of known names, or of a part of them, gives the nearest, anything else none") {
    const std::vector<std::string_view> names{"MPI_Bcast-length", "MPI_Bcast-nodes", "Max_Steps", "list"};
    const auto suggests = [&](const char* written, const std::string& name) {
        return did_you_mean(written, names).find('"' + name + '"') != std::string::npos;
    };
    CHECK(suggests("max_step", "Max_Steps"));
    CHECK_FALSE(suggests("max_step", "list"));
    CHECK(suggests("MPI_Bcats*", "MPI_Bcast-length"));
    CHECK(suggests("MPI_Bcats*", "MPI_Bcast-nodes"));
    CHECK(suggests("lsit", "list"));
    for (const char* none : {"", "*", "s", "Colour", "MPI_Alltoall"})
        CHECK(did_you_mean(none, names).empty());
}
