// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/hash.hpp"

#include <doctest/doctest.h>
#include <string>

using namespace skampi;

TEST_CASE("texts have the hashes that the function's authors publish") {
    CHECK(Fnv1a().value() == 0xcbf29ce484222325u);
    CHECK(Fnv1a().add("a").value() == 0xaf63dc4c8601ec8cu);
    CHECK(Fnv1a().add("foobar").value() == 0x85944171f73967e8u);
    CHECK(Fnv1a().add("foo").add("bar").value() == Fnv1a().add("foobar").value());
}

TEST_CASE("a number is its bytes, the lowest first") {
    CHECK(Fnv1a().add(std::uint64_t{0x0807060504030201}).value() ==
          Fnv1a().add("\x01\x02\x03\x04\x05\x06\x07\x08").value());
}

TEST_CASE("whichever bit of a word changes, the lower half of the hash changes with it") {
    const std::uint32_t before = Fnv1a().add_word(0).add_word(1).folded();
    for (int bit = 0; bit < 64; ++bit) {
        CAPTURE(bit);
        CHECK(Fnv1a().add_word(std::uint64_t{1} << bit).add_word(1).folded() != before);
    }
}

TEST_CASE("another basis is another function") {
    CHECK(Fnv1a(1).add("a").value() != Fnv1a().add("a").value());
}
