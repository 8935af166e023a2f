// SPDX-License-Identifier: GPL-2.0-or-later
#include "words/text_and_command.hpp"

#include <doctest/doctest.h>

using namespace skampi;

TEST_CASE("texts are joined, and a command stays apart only at the end") {
    const TextAndCommand all = joined({{"It is open."}, {}, {"Next:", "skampi-run a: b"}});
    CHECK(all.text == "It is open. Next:");
    CHECK(all.command == "skampi-run a: b");
    CHECK(all.line() == "It is open. Next: skampi-run a: b");
    CHECK(joined({{"Next:", "skampi-run a"}, {"Then wait."}}) ==
          TextAndCommand{"Next: skampi-run a Then wait."});
    CHECK(joined({}).empty());
}
