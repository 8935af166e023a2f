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
            .places = {{"a", 0}, {"b", 5}, {"c", 7}},
            .arguments = {{"b", {1, 4}}}};
}

} // namespace

TEST_CASE("what is due is passed on as a text and read back") {
    const DueSuites due{{0, {.error = 0.0125, .arguments = {8, 1048576}}}, {12, {.error = 0}}};
    CHECK(parse_due(due_text(due)) == due);
    for (const char* wrong :
         {"", "0", "0:", "a:0.1", "-2:0.1", "0:-1", "0:0.1:8,4", "0:0.1:x", "0:0.1:8:9"}) {
        INFO(wrong);
        CHECK_FALSE(parse_due(wrong));
    }
}

TEST_CASE("the first launch measures every suite, the second the same arguments") {
    const DueSuites first = due_next({}, to_two_percent);
    REQUIRE(due_at(first, 7) != nullptr);
    CHECK(*due_at(first, 7) == DueSuite{.error = 0.01});
    CHECK(due_next(after(1), to_two_percent) ==
          DueSuites{{0, {.error = 0.01}}, {5, {.error = 0.01, .arguments = {1, 4}}}, {7, {.error = 0.01}}});
}

TEST_CASE("later launches measure what is not settled, to a third of its scatter, and each fourth one all") {
    const DueSuites open = due_next(after(8), to_two_percent);
    CHECK(due_at(open, 5) == nullptr);
    CHECK(due_at(open, 0)->arguments == std::vector<std::int64_t>{2, 4, 8});
    CHECK(due_at(open, 7)->arguments == std::vector<std::int64_t>{1, 2, 4, 8});
    CHECK(due_at(open, 0)->error == doctest::Approx(0.02));
    CHECK(due_at(open, 7)->error == doctest::Approx(0.03));
    CHECK(due_next(after(8), {.half_width = 0.02, .share = 0}).size() == 3); // all are settled
    const DueSuites all = due_next(after(7), to_two_percent);
    CHECK(all.size() == 3);
    CHECK(due_at(all, 0)->arguments.empty());
    CHECK(due_at(all, 5)->arguments == std::vector<std::int64_t>{1, 4});
    CHECK(due_at(all, 5)->error == doctest::Approx(0.01));
}
