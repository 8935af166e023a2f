// SPDX-License-Identifier: GPL-2.0-or-later
#include "merge/merged_plan.hpp"

#include "base/error.hpp"
#include "invented_run.hpp"

#include <doctest/doctest.h>

using namespace skampi;
using invented::suite;

namespace {

StoredSuite stored(SuiteId id, const std::string& name, SuiteState state = SuiteState::finished,
                   const std::string& reason = {}) {
    StoredSuite made;
    made.id = id;
    made.suite = suite(name);
    made.state = state;
    made.reason = reason;
    return made;
}

std::string told(const StoredSuite& suite) {
    std::string text(to_text(suite.state));
    if (suite.merge.without_value)
        text += ", no value";
    if (suite.merge.unfinished > 0)
        text +=
            " in " + std::to_string(suite.merge.unfinished) + " of " + std::to_string(suite.merge.launches);
    return text + (suite.reason.empty() ? "" : ": " + suite.reason);
}

std::string told(const MergedPlan& plan) {
    std::string text;
    for (const MergedPlan::PlannedSuite& planned : plan.suites())
        text += planned.stored.suite.name + " " + told(planned.stored) + "; ";
    return text;
}

} // namespace

TEST_CASE("the plan of several runs has every suite once, and tells where each run has it") {
    MergedPlan plan;
    CHECK(plan.add({stored(1, "a"), stored(2, "b")}, "x.db") == std::vector<SuiteId>{1, 2});
    CHECK(plan.add({stored(7, "c"), stored(8, "b")}, "y.db") == std::vector<SuiteId>{0, 8, 7});
    CHECK(told(plan) == "a finished; b finished; c finished; ");
}

TEST_CASE("a suite is as unfinished as its launches are, whatever their order") {
    const std::string failed_in_two = "a failed in 2 of 3: signal 11; ";
    const std::vector<StoredSuite> good{stored(1, "a")};
    const std::vector<StoredSuite> open{stored(2, "a", SuiteState::open)};
    const std::vector<StoredSuite> crashed{stored(3, "a", SuiteState::failed, "signal 11")};
    std::vector<std::vector<StoredSuite>> runs{good, open, crashed};
    for (const auto& order : {std::vector{0, 1, 2}, {2, 1, 0}, {1, 0, 2}, {1, 2, 0}}) {
        MergedPlan plan;
        for (const int run : order)
            (void)plan.add(runs[static_cast<std::size_t>(run)], "x.db");
        CHECK(told(plan) == failed_in_two);
        CHECK(plan.suites()[0].stored.merge.unfinished == 2);
    }
    SUBCASE("and each launch counts once, be it in a merged run and in a file of its own") {
        MergedPlan three;
        for (const auto* run : {&good, &open, &crashed})
            (void)three.add(*run, "x.db");
        const std::vector<StoredSuite> merged{three.suites()[0].stored};
        MergedPlan with_crashed;
        (void)with_crashed.add(crashed, "crashed.db");
        (void)with_crashed.add(merged, "merged.db", 2, {{"a", 1}});
        CHECK(told(with_crashed) == failed_in_two);
        MergedPlan with_good;
        (void)with_good.add(merged, "merged.db", 2);
        (void)with_good.add(good, "good.db");
        CHECK(told(with_good) == failed_in_two);
        MergedPlan with_both;
        (void)with_both.add(merged, "merged.db", 1, {{"a", 2}});
        (void)with_both.add(open, "open.db");
        (void)with_both.add(crashed, "crashed.db");
        CHECK(told(with_both) == failed_in_two);
        MergedPlan without_reason;
        MergedPlan opened;
        (void)opened.add(open, "x.db");
        (void)opened.add(good, "y.db");
        (void)without_reason.add({opened.suites()[0].stored}, "merged.db", 1);
        CHECK(told(without_reason) == "a open in 1 of 1; ");
    }
    SUBCASE("and of merged runs no less") {
        MergedPlan two;
        (void)two.add(open, "x.db");
        (void)two.add(crashed, "y.db");
        MergedPlan all;
        (void)all.add({two.suites()[0].stored}, "merged.db", 2);
        (void)all.add(good, "z.db");
        CHECK(told(all) == failed_in_two);
    }
}

TEST_CASE("a suite that no run has a value of says so once, however often it is merged") {
    const auto planned = [](const std::vector<StoredSuite>& runs, const std::vector<std::size_t>& launches) {
        MergedPlan plan;
        for (std::size_t i = 0; i < runs.size(); ++i)
            (void)plan.add({runs[i]}, "x.db", launches[i]);
        return plan.suites()[0].stored;
    };
    const auto without_value = [](StoredSuite suite) {
        no_value(suite);
        return suite;
    };
    const StoredSuite empty = stored(1, "a");
    const StoredSuite open = stored(2, "a", SuiteState::open);
    const StoredSuite put_off = stored(3, "a", SuiteState::put_off, "hung");

    // All came to its end.
    const StoredSuite two_empty = without_value(planned({empty, empty}, {1, 1}));
    CHECK(told(two_empty) == "failed, no value");
    CHECK(told(planned({two_empty, empty}, {2, 1})) == "finished");
    CHECK(told(without_value(planned({two_empty}, {2}))) == told(two_empty));

    // Some did not: with those that have no values, and with one that has.
    for (const StoredSuite& other : {empty, open, put_off}) {
        const StoredSuite two = without_value(planned({put_off, other}, {1, 1}));
        const StoredSuite all = without_value(planned({put_off, other, open}, {1, 1, 1}));
        CHECK(all.merge.without_value);
        CHECK(told(all).ends_with(" of 3: hung"));
        CHECK(told(without_value(planned({two, open}, {2, 1}))) == told(all));
        CHECK(told(without_value(planned({without_value(planned({open}, {1})), two}, {1, 2}))) == told(all));
        CHECK(told(planned({two, empty}, {2, 1})) == told(planned({put_off, other, empty}, {1, 1, 1})));
    }
    CHECK(told(without_value(planned({open}, {1}))) == "open, no value in 1 of 1");
}

TEST_CASE("what the launches found out is a fact of the merged suite where they found the same") {
    MergedPlan plan;
    StoredSuite one = stored(1, "a");
    one.facts = {{"partner", "3"}, {"pages", "4k"}};
    StoredSuite two = stored(1, "a");
    two.facts = {{"partner", "3"}, {"pages", "huge"}};
    (void)plan.add({one}, "x.db");
    (void)plan.add({two}, "y.db");
    CHECK(plan.suites()[0].stored.facts == std::map<std::string, std::string>{{"partner", "3"}});
}

TEST_CASE("suites of one name that measure different things are refused with both files") {
    const auto refused = [](auto change, const char* what) {
        MergedPlan plan;
        (void)plan.add({stored(1, "a")}, "x.db");
        StoredSuite other = stored(2, "a");
        change(other.suite);
        CHECK_THROWS_WITH_AS((void)plan.add({other}, "y.db"), doctest::Contains(what), InputError);
    };
    refused([](Suite& s) { s.operation.name = "MPI_Ibcast"; },
            "x.db and y.db: suite \"a\" measures MPI_Bcast");
    refused([](Suite& s) { s.varied = Varied::nodes; }, "MPI_Bcast over nodes");
    refused([](Suite& s) { s.operation.pattern = Pattern::ping_pong; }, "ping-pong");
    refused([](Suite& s) { s.root = 3; }, "has root \"0\" in one and \"3\" in the other");
    refused([](Suite& s) { s.datatype = "MPI_DOUBLE"; }, "has datatype");
    {
        // What a file does not say does not contradict, nor does the length of what has none.
        MergedPlan plan;
        StoredSuite told = stored(1, "a");
        told.suite.varied = Varied::none;
        told.suite.operation.varied = {Varied::none};
        StoredSuite imported = told;
        imported.suite.operation.varied.clear();
        imported.suite.message_bytes = told.suite.message_bytes + 1;
        imported.suite.datatype = "";
        imported.suite.unknown_fields = "datatype";
        (void)plan.add({told}, "x.db");
        CHECK(plan.add({imported}, "y.csv").size() == 1);
    }
    MergedPlan plan;
    StoredSuite known = stored(1, "a");
    known.suite.operation.meaning = Meaning::collective;
    (void)plan.add({stored(1, "a")}, "old.csv");
    (void)plan.add({known}, "x.db");
    CHECK(plan.suites()[0].stored.suite.operation.meaning == Meaning::collective);
    known.suite.operation.meaning = Meaning::local;
    CHECK_THROWS_AS((void)plan.add({known}, "y.db"), InputError);
}

TEST_CASE("what happened is told once, and what only informs not at all") {
    MergedEvents merged;
    merged.add({{"2026", "crash", "a", "signal 11"}, {"2026", "info", "", "started"}});
    merged.add({{"2027", "crash", "a", "signal 11"}, {"2027", "crash", "b", "signal 11"}});
    REQUIRE(merged.events().size() == 2);
    CHECK(merged.events()[0].time_utc == "2026");
    CHECK(merged.events()[1].suite == "b");
}

TEST_CASE("imported runs with a suite in two stated forms do not belong together, those with more forms do") {
    const auto imported = [](SuiteId id, const std::string& form) {
        StoredSuite made = stored(id, "OSU latency" + form);
        made.suite.family = "OSU latency";
        forget_settings(made.suite);
        return made;
    };
    MergedPlan plan;
    (void)plan.add({imported(1, ""), imported(2, " (to DEVICE)")}, "x.txt");
    CHECK(plan.difference({imported(3, " (to DEVICE)"), imported(4, " (MPI_INT)")}).empty());
    CHECK_FALSE(plan.difference({imported(3, " (from DEVICE)")}).empty());
    CHECK_THROWS_AS(plan.add({imported(3, " (from DEVICE)")}, "y.txt"), InputError);
    CHECK(plan.difference({stored(3, "OSU bandwidth")}).empty());
}
