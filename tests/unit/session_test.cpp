// SPDX-License-Identifier: GPL-2.0-or-later
#include "../golden.hpp"
#include "model/launch_command.hpp"
#include "model/session.hpp"
#include "model/session_place.hpp"

#include <algorithm>
#include <doctest/doctest.h>
#include <limits>
#include <map>
#include <set>

using namespace skampi;

TEST_CASE("a place in a session is written and read back, and nothing else is one") {
    const SessionPlace place{.session = "0f-a", .round = 12, .place = 3};
    CHECK(parse_session_place(session_place_text(place)) == place);
    for (const char* const text :
         {"", "0f", " round 1 place 0", "0f round place 0", "0f round 0 place 0", "0f round 1 place -1",
          "0f round 1 place 0x", "0f round 99999999999 place 0", "0f place 1 round 2", "0f round 1"}) {
        CAPTURE(text);
        CHECK_FALSE(parse_session_place(text));
    }
}

TEST_CASE("the command of a session can be typed again, as a golden file shows it") {
    Golden golden("session_command");
    Run launch;
    launch.ranks = 2;
    launch.facts[fact_command] = "skampi-run\ncompare\nmy plan.skampi\n--variant\nold:\n--rounds\n3..7";
    Session session;
    session.ranks = 2;
    session.margin = 0.025;
    session.first_look = 5;
    session.most_rounds = 40;
    session.time_limit_s = 3600;
    const auto add = [&](const char* name, std::vector<Variant> variants) {
        session.variants = std::move(variants);
        golden.add(name, session_command(session, launch, "new.db"));
    };
    add("settings and a launcher of a variant",
        {{"old", {}, {}, {}, {}}, {"new", {}, "mpiexec -n {n}", {}, {{"A", "1"}, {"B", std::nullopt}}}});
    session.time_limit_s = 90;
    add("a name that is no setting", {{"default", {}, {}, {}, {}}, {"A=x y", {}, {}, {}, {{"A", "x y"}}}});
    add("the default against one setting", {{"default", {}, {}, {}, {}}, {"A=1", {}, {}, {}, {{"A", "1"}}}});
    launch.settings = {{"A", "1"}, {"UCX_TLS", "tcp"}};
    add("a setting of the shell", session.variants);
    launch.settings.clear();
    add("variants that are the same", {{"old", {}, {}, {}, {}}, {"new", {}, {}, {}, {}}});
    launch.facts[fact_command] = "./ring\ncompare\n--suite\nBcast*\n--against=A=1\n--time\n1h";
    session.race = true;
    session.launch = "srun -n {n}";
    session.most_rounds = 5;
    session.time_limit_s = 0;
    add("a race of a user's own program", {{"old", {}, {}, {}, {}}});
    golden.check();
    session.variants.back().settings[tuning_content_variable] = "0";
    CHECK(session_command(session, launch, "new.db").empty());
}

TEST_CASE("the order of a round depends on seed and round alone, and all orders come") {
    std::map<std::vector<std::size_t>, int> counts;
    for (int round = 1; round <= 6000; ++round)
        ++counts[order_of_round(7, round, 3)];
    REQUIRE(counts.size() == 6);
    for (const auto& [order, count] : counts) {
        CHECK(std::set(order.begin(), order.end()).size() == 3);
        CHECK(count > 850); // 1,000 are expected, their standard deviation is 29
        CHECK(count < 1150);
    }
    CHECK(order_of_round(7, 3, 5) == order_of_round(7, 3, 5));
    int same = 0;
    for (int round = 1; round <= 100; ++round)
        same += order_of_round(7, round, 5) == order_of_round(8, round, 5) ? 1 : 0;
    CHECK(same < 10);
    CHECK(order_of_round(7, 1, 1) == std::vector<std::size_t>{0});
}

TEST_CASE("looks come after ever more rounds and the last round") {
    Session session;
    session.first_look = 5;
    session.most_rounds = 40;
    CHECK(rounds_of_looks(session) == std::vector<int>{5, 7, 10, 14, 20, 28, 40});
    session.most_rounds = 5;
    CHECK(rounds_of_looks(session) == std::vector<int>{5});
    session.first_look = 1;
    session.most_rounds = 3;
    CHECK(rounds_of_looks(session) == std::vector<int>{1, 2, 3});
    session.most_rounds = std::numeric_limits<int>::max();
    const std::vector<int> endless = rounds_of_looks(session);
    CHECK(std::ranges::is_sorted(endless));
    CHECK(endless.size() < 80);
}

TEST_CASE("runs that differ in variables or launcher alone are launched in turns by a command") {
    Golden golden("compare_command");
    Run a;
    a.ranks = 2;
    a.mpi_library = "MPICH Version: 4.0.2";
    a.facts[fact_command] = "skampi-run\nmy plan.skampi";
    a.plan_hash = "h";
    a.host = "node1";
    Run b = a;
    CHECK(compare_command(a, b, "new.db").empty()); // they differ in nothing
    b.settings = {{"UCX_TLS", "posix,self"}};
    golden.add("a variable", compare_command(a, b, "new.db"));
    a.settings = {{"UCX_TLS", "tcp"}, {"UCX_RNDV_THRESH", "8k"}};
    b.settings["UCX_RNDV_THRESH"] = "8k"; // both have it, as has whoever types the command
    golden.add("one variable of two", compare_command(a, b, "new.db"));
    b.facts[fact_command] += "\n--launch\nmpiexec -bind-to core -n {n}";
    CHECK(compare_command(a, b, "new.db").empty()); // the other's launcher has no name
    a.facts[fact_command] += "\n--launch=mpiexec -n {n}";
    golden.add("launchers", compare_command(a, b, "new.db"));
    a.facts[fact_command] = b.facts[fact_command];
    golden.add("one launcher of both", compare_command(a, b, "new.db"));
    golden.check();
    a.facts.erase(fact_command); // of several commands
    CHECK(compare_command(a, b, "new.db").empty());
    a.facts[fact_command] = b.facts[fact_command];
    b.forced_differences = {{"the setting UCX_TLS differs: unset and \"tcp\""}};
    CHECK(compare_command(a, b, "new.db").empty());
    b.forced_differences.clear();
    for (const auto& change : std::vector<void (*)(Run&)>{
             [](Run& run) { run.mpi_library = "Open MPI"; }, [](Run& run) { run.plan_hash = "other"; },
             [](Run& run) { run.ranks = 4; }, [](Run& run) { run.host = "node2"; },
             [](Run& run) { run.facts[fact_read_from] = "osu.txt"; }}) {
        Run other = b;
        change(other);
        CHECK(compare_command(a, other, "new.db").empty());
    }
    a.settings = {{program_setting, "ring, build 1"}}; // programs with functions of one's own
    b.settings = {{program_setting, "ring, build 2"}};
    a.facts[fact_command] = b.facts[fact_command] = "./ring\nmy.skampi";
    CHECK(compare_command(a, b, "new.db").empty()); // the file of one was overwritten
    b.facts[fact_command] = "new/ring\nmy.skampi";
    CHECK(
        compare_command(a, b, "new.db") ==
        "./ring compare my.skampi -n 2 --variant 'a: program=./ring' --variant 'b: program=new/ring' -d new.db");
}
