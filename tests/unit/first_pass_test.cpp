// SPDX-License-Identifier: GPL-2.0-or-later
#include "close_to.hpp"
#include "suite/first_pass.hpp"

#include <doctest/doctest.h>
#include <limits>

using namespace skampi;

namespace {

std::vector<std::int64_t> powers() {
    std::vector<std::int64_t> arguments;
    for (std::int64_t m = 1; m <= 4096; m *= 2)
        arguments.push_back(m);
    return arguments;
}

/// The arguments in the order visited, when each visit takes so long.
std::vector<std::int64_t> visited(FirstPass pass, double suite_s, double visit_s) {
    std::vector<std::int64_t> order;
    while (const auto next = pass.next(0.4 * suite_s, suite_s)) {
        order.push_back(next->argument);
        pass.visited(next->argument, visit_s);
        suite_s -= visit_s;
    }
    return order;
}

} // namespace

TEST_CASE("with time enough the arguments are visited from the smallest, and later passes follow") {
    FirstPass pass(powers());
    CHECK(visited(pass, 10, 0.01) == powers());
    const auto first = pass.next(2.6, 10);
    REQUIRE(first);
    CHECK(first->budget_s == close_to(0.2));
    CHECK_FALSE(first->finishes);
    CHECK(visited(pass, std::numeric_limits<double>::infinity(), 1e6) == powers());
}

TEST_CASE("coarse arguments are visited first") {
    FirstPass pass(powers(), FirstPass::Order::coarse_first);
    CHECK(visited(pass, 10, 0.01) ==
          std::vector<std::int64_t>{1, 16, 256, 4096, 4, 64, 1024, 2, 8, 32, 128, 512, 2048});
}

TEST_CASE("a starved pass visits the ends, the middle, then between, and ends in time") {
    const std::vector<std::int64_t> order = visited(FirstPass(powers()), 1, 0.15);
    CHECK(order == std::vector<std::int64_t>{1, 4096, 64, 8, 512, 2});
}

TEST_CASE("the time left is divided among the arguments that there is time for") {
    FirstPass pass(powers());
    pass.visited(1, 0.1);
    const auto next = pass.next(0.3, 0.9);
    REQUIRE(next);
    CHECK(next->argument == 4096);
    CHECK(next->finishes);
    CHECK(next->budget_s == close_to(0.9 / 7)); // a quarter of room each
    pass.visited(4096, 0.1);
    CHECK_FALSE(pass.next(0, 0.1));
    CHECK(pass.open() == 11);
}

TEST_CASE("what a former start visited is left out, what it crashed at comes last") {
    FirstPass pass({1, 2, 4, 8});
    pass.leave(1);
    pass.put_off(2);
    CHECK(visited(pass, 10, 0.01) == std::vector<std::int64_t>{4, 8, 2});
    pass.visited(8, 3); // starved
    CHECK(visited(pass, 10, 3) == std::vector<std::int64_t>{4, 2});
}
