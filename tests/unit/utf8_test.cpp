// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/utf8.hpp"

#include <doctest/doctest.h>
#include <string>

using namespace skampi;

TEST_CASE("the first byte that is no UTF-8 is found") {
    CHECK(first_not_utf8("") == std::string_view::npos);
    CHECK(first_not_utf8("plain µ 中 \xF0\x9F\x9A\x80 \xF4\x8F\xBF\xBF \xED\x9F\xBF") ==
          std::string_view::npos);
    CHECK(first_not_utf8("a\xFFz") == 1);
    CHECK(first_not_utf8("µ\xC0\xAF") == 2);          // overlong
    CHECK(first_not_utf8("\xE0\x80\xAF") == 0);       // overlong
    CHECK(first_not_utf8("中\xED\xA0\x80") == 3);     // surrogate
    CHECK(first_not_utf8("ab\xF4\x90\x80\x80") == 2); // beyond Unicode
    CHECK(first_not_utf8("abc\xE2\x82") == 3);        // cut off
}

TEST_CASE("characters are counted, not bytes") {
    CHECK(character_count("") == 0);
    CHECK(character_count("Grüße") == 5);
    CHECK(character_count("中\xF0\x9F\x9A\x80") == 2);
    CHECK(character_count("\xFF\xFE\x80") == 3);
    CHECK(character_count("a\xE2\x82") == 3);
}

TEST_CASE("a text is cut between characters") {
    CHECK(first_characters("Grüße", 3) == "Grü");
    CHECK(first_characters("Grüße", 5) == "Grüße");
    CHECK(first_characters("Grüße", 9) == "Grüße");
    CHECK(first_characters("Grüße", 0).empty());
    CHECK(first_characters("\xFF\xFF\xFF", 2) == "\xFF\xFF");
    CHECK(first_bytes("Grüße", 3) == "Gr");
    CHECK(first_bytes("Grüße", 4) == "Grü");
    CHECK(first_bytes("Grüße", 7) == "Grüße");
    CHECK(first_bytes("Grüße", 99) == "Grüße");
    CHECK(first_bytes("中", 2).empty());
    CHECK(first_bytes("\xFF\xFF\xFF", 2) == "\xFF\xFF");
}

TEST_CASE("only bytes that continue a character do not begin one") {
    std::size_t begun = 0;
    for (const char byte : std::string("aµ中\xF0\x9F\x9A\x80"))
        begun += begins_character(byte) ? 1 : 0;
    CHECK(begun == 4);
}

TEST_CASE("words are put on lines of a width, longer ones on their own") {
    using Lines = std::vector<std::string>;
    CHECK(wrapped("", 10) == Lines{""});
    CHECK(wrapped("  one  two three ", 7) == Lines{"one two", "three"});
    CHECK(wrapped("äöü äöü", 7) == Lines{"äöü äöü"});
    CHECK(wrapped("a abcdefgh b", 4) == Lines{"a", "abcdefgh", "b"});
    CHECK(wrapped("a b c", 1) == Lines{"a", "b", "c"});
    CHECK(wrapped("a b c d", 5, 3) == Lines{"a b", "c d"});
    CHECK(wrapped("a b", 0) == Lines{"a", "b"});
}
