// SPDX-License-Identifier: GPL-2.0-or-later
#include "plan/due_suites.hpp"

#include <doctest/doctest.h>

using namespace skampi;

namespace {

constexpr Precision to_two_percent{.half_width = 0.02, .share = 0.75};

/// Four arguments; open are those that are not settled.
SettledSuite suite(const std::string& name, std::set<std::int64_t> open, double scatter) {
    return {.name = name, .arguments = {1, 2, 4, 8}, .open = std::move(open), .scatter = scatter};
}

LaunchesSoFar after(std::size_t launches) {
    return {.launches = launches,
            .suites = {suite("a", {2, 8}, 0.06), suite("b", {1}, 0.03), suite("c", {1, 2, 4, 8}, 0.09)},
            .arguments = {{"b", {1, 4}}}};
}

} // namespace

TEST_CASE("what is due is passed on as a text and read back") {
    const DueSuites due{{due_key("a b"), {.error = 0.0125, .arguments = {8, 1048576}}},
                        {every_suite, {.error = 0}}};
    CHECK(parse_due(due_text(due)) == due);
    CHECK(due_text(due).find(' ') == std::string::npos);
    for (const char* wrong : {"", "a", "a:", ":0.1", "a:-1", "a:0.1:8,4", "a:0.1:x", "a:0.1:8:9"}) {
        INFO(wrong);
        CHECK_FALSE(parse_due(wrong));
    }
}

TEST_CASE("the first launch measures every suite, the second the same arguments") {
    const DueSuites first = due_next({}, to_two_percent);
    REQUIRE(due_of(first, "a") != nullptr);
    CHECK(*due_of(first, "a") == DueSuite{.error = 0.01});
    const DueSuites second = due_next(after(1), to_two_percent);
    CHECK(due_of(second, "a")->arguments.empty());
    CHECK(due_of(second, "b")->arguments == std::vector<std::int64_t>{1, 4});
    CHECK(due_of(second, "one without values") != nullptr);
    CHECK(due_of(due_next({.launches = 3}, to_two_percent), "a") != nullptr); // none has a value
}

TEST_CASE("later launches measure what is not settled, to a third of its scatter, and each fourth one all") {
    const DueSuites open = due_next(after(8), to_two_percent);
    CHECK(due_of(open, "b") == nullptr);
    CHECK(due_of(open, "a")->arguments == std::vector<std::int64_t>{2, 4, 8});
    CHECK(due_of(open, "c")->arguments == std::vector<std::int64_t>{1, 2, 4, 8});
    CHECK(due_of(open, "a")->error == doctest::Approx(0.02));
    CHECK(due_of(open, "c")->error == doctest::Approx(0.03));
    const DueSuites settled = due_next(after(8), {.half_width = 0.02, .share = 0});
    CHECK(due_of(settled, "b") != nullptr);
    const DueSuites all = due_next(after(7), to_two_percent);
    CHECK(due_of(all, "a")->arguments.empty());
    CHECK(due_of(all, "b")->arguments == std::vector<std::int64_t>{1, 4});
    CHECK(due_of(all, "b")->error == doctest::Approx(0.01));
}
