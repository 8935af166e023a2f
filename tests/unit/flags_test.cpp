// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/error.hpp"
#include "model/measurement.hpp"

#include <doctest/doctest.h>
#include <set>

using namespace skampi;

TEST_CASE("every set of flags comes back from its words") {
    Flags all = 0;
    for (const Flag flag : all_flags())
        set(all, flag);
    CHECK(all == (1u << all_flags().size()) - 1);
    for (Flags flags = 0; flags <= all; ++flags) {
        const Flags back = flags_from_words(flag_words(flags));
        if (back != flags)
            FAIL("flags " << flags << " came back as " << back);
    }
}

TEST_CASE("words stand in one order, whatever the order they are read in") {
    CHECK(flag_words(0).empty());
    CHECK(flag_words(Flag::disturbed | Flag::not_repeatable) == "not_repeatable,disturbed");
    CHECK(flags_from_words("disturbed,not_repeatable") == (Flag::disturbed | Flag::not_repeatable));
    CHECK(flag_words(Flag::timed_out | Flag::several_modes) == "timed_out,several_modes");
}

TEST_CASE("an unknown word is named, and what could have stood there") {
    for (const char* words :
         {"not_repeatable,settled", "settled", "not_repeatable,", ",", "Not_repeatable", " not_repeatable"}) {
        CAPTURE(words);
        CHECK_THROWS_AS((void)flags_from_words(words), InputError);
    }
    CHECK_THROWS_WITH_AS((void)flags_from_words("not_repeatable,se\x1bttled"),
                         doctest::Contains("\"se\\x1bttled\""), InputError);
    CHECK_THROWS_WITH_AS((void)flags_from_words("x"), doctest::Contains("several_modes"), InputError);
}

TEST_CASE("every flag has a sentence of its own for the reader") {
    std::set<std::string> sentences;
    for (const Flag flag : all_flags()) {
        const std::string sentence = flag_sentence(flag);
        CAPTURE(sentence);
        CHECK(sentence.size() > 20);
        CHECK(sentence.back() == '.');
        CHECK(sentences.insert(sentence).second);
    }
}
