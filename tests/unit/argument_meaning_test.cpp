// SPDX-License-Identifier: GPL-2.0-or-later
#include "plan/argument_meaning.hpp"

#include <doctest/doctest.h>

using namespace skampi;

TEST_CASE("the argument takes the place of what the suite varies, all else is the suite's") {
    Suite suite;
    suite.operation.pattern = Pattern::collective;
    suite.message_bytes = 256;
    suite.chunks = 7;
    suite.ranks = 3;
    suite.varied = Varied::message_length;
    CHECK(meaning_of(suite, 32, 8).message_bytes == 32);
    CHECK(meaning_of(suite, 32, 8).ranks == 3);
    CHECK(meaning_of(suite, 32, 8).chunks == 7);
    suite.varied = Varied::nodes;
    CHECK(meaning_of(suite, 5, 8).ranks == 5);
    CHECK(meaning_of(suite, 5, 8).message_bytes == 256);
    suite.varied = Varied::chunks;
    CHECK(meaning_of(suite, 64, 8).chunks == 64);
    suite.varied = Varied::none;
    CHECK(meaning_of(suite, 64, 8).message_bytes == 256);
}

TEST_CASE("all ranks of the run take part unless suite or pattern say otherwise") {
    Suite suite;
    suite.varied = Varied::message_length;
    suite.operation.pattern = Pattern::collective;
    CHECK(meaning_of(suite, 1, 8).ranks == 8);
    suite.operation.pattern = Pattern::ping_pong;
    CHECK(meaning_of(suite, 1, 8).ranks == 2);
    suite.operation.pattern = Pattern::simple;
    CHECK(meaning_of(suite, 1, 8).ranks == 1);
}
