// SPDX-License-Identifier: GPL-2.0-or-later
#include "contest/contest.hpp"

#include "close_to.hpp"
#include "contest/estimate.hpp"
#include "invented_curve.hpp"
#include "launches/session_launches.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <doctest/doctest.h>
#include <functional>
#include <limits>
#include <random>
#include <string>
#include <utility>
#include <vector>

using namespace skampi;
using test::invented_curve;

namespace {

Subject with_curve(const std::string& label, Curve curve) {
    Subject subject;
    subject.label = label;
    subject.path = label + ".db";
    subject.run = test::invented_run(label);
    subject.curves.push_back(std::move(curve));
    return subject;
}

/// So many launches that scatter by 1 %, a day apart from one another.
Subject with_launches(const std::string& label, int launches, double factor, unsigned seed,
                      double noise = 0.01) {
    constexpr double day_s = 86400;
    const double first_s = seed % 2 == 0 ? 1000 * day_s : 0; // not in turns
    Subject subject =
        with_curve(label, invented_curve(launches, factor, noise, seed, {1, 2, 4, 8, 16, 32}, label));
    for (int launch = 0; launch < launches; ++launch)
        subject.launch_times[label + std::to_string(launch)] = {first_s + launch * day_s,
                                                                first_s + launch * day_s + 60};
    return subject;
}

/// How launches scatter in a simulation.
struct Simulation {
    enum class Tail { normal, heavy, bad_launches };
    std::size_t launches = 10;
    double launch = 0.02; ///< of a launch as a whole
    double point = 0.01;  ///< of each of its points beside that
    Tail tail = Tail::normal;
    double lacking = 0;    ///< share of the arguments that a launch lacks
    double alike = 0;      ///< correlation of a launch as a whole with the one before
    bool in_a_row = false; ///< each begins as the one before ends, else a day later
    double state = 1;      ///< times and probe are so many times as long in a state that lasts
    double changes = 0.25; ///< of the state from one launch to the next
    std::vector<std::int64_t> arguments = {64, 1024, 16384};
};

/// A database of several suites; what shifts a launch shifts all of them.
Subject simulated_database(const std::string& label, std::size_t suites, const Simulation& wanted,
                           double factor, unsigned seed) {
    std::mt19937 random(seed);
    std::normal_distribution<double> normal;
    std::student_t_distribution<double> heavy(3);
    std::uniform_real_distribution<double> uniform;
    const auto deviation = [&] {
        return wanted.tail == Simulation::Tail::heavy ? heavy(random) / std::sqrt(3.0) : normal(random);
    };
    Subject subject;
    subject.label = label;
    subject.run = test::invented_run(label);
    for (std::size_t i = 0; i < suites; ++i) {
        subject.curves.push_back(invented_curve(0, factor, 0, 0, wanted.arguments));
        subject.curves.back().stored.suite.name = "suite " + std::to_string(i);
    }
    double before = wanted.alike > 0 ? deviation() : 0;
    bool slow = uniform(random) < 0.5;
    for (std::size_t launch = 0; launch < wanted.launches; ++launch) {
        before = wanted.alike * before + std::sqrt(1 - wanted.alike * wanted.alike) * deviation();
        slow = uniform(random) < wanted.changes ? !slow : slow;
        const double in_state = wanted.state > 1 && slow ? std::log(wanted.state) : 0;
        double common = wanted.launch * before + in_state;
        if (wanted.tail == Simulation::Tail::bad_launches && uniform(random) < 0.1)
            common += 0.3;
        const std::string uuid = label + std::to_string(launch);
        constexpr double minute_s = 60;
        const double begin_s =
            (seed % 2 == 0 ? 7e6 : 0) + static_cast<double>(launch) * (wanted.in_a_row ? minute_s : 86400);
        subject.launch_times[uuid] = {begin_s, begin_s + minute_s};
        for (Curve& curve : subject.curves) {
            if (wanted.state > 1)
                curve.launches[uuid].probe_s = 3e-7 * std::exp(in_state + 0.01 * normal(random));
            LaunchValues& values = curve.launches[uuid].values;
            for (const StoredMeasurement& point : curve.points)
                if (uniform(random) >= wanted.lacking)
                    values[point.measurement.argument] =
                        point.measurement.value_s * std::exp(common + wanted.point * deviation());
        }
    }
    return subject;
}

bool any_different(const Contest& contest) {
    return std::ranges::any_of(contest.suites, [](const SuiteContest& suite) {
        return std::ranges::any_of(suite.statements, &Statement::different);
    });
}

std::vector<ContestDoubtKind> kinds(const Contest& contest) {
    std::vector<ContestDoubtKind> found;
    for (const ContestDoubt& each : contest.doubts)
        found.push_back(each.kind);
    return found;
}

using Kinds = std::vector<ContestDoubtKind>;

} // namespace

TEST_CASE("a difference clear of the noise between launches is found, with its direction and size") {
    const Subject slow = with_launches("slow", 6, 1.5, 1, 0.02);
    Subject fast = with_launches("fast", 6, 1, 2, 0.02);
    for (StoredMeasurement& point : fast.curves[0].points) // what is shown does not count
        point.measurement.value_s *= 5;
    const Contest contest = judge_databases(slow, fast);
    const SuiteContest& suite = contest.suites.at(0);
    CHECK(suite.verdict() == Verdict::faster);
    CHECK(suite.arguments == 6);
    for (const Statement& each : suite.statements) {
        CHECK(each.verdict == Verdict::faster);
        CHECK(each.ratio == close_to(1 / 1.5).epsilon(0.05));
        CHECK(each.low < each.ratio);
        CHECK(each.ratio < each.high);
    }
    CHECK(suite.point(8)->reference_s == close_to(1.5 * 1.08e-6).epsilon(0.05));
    const Contest swapped = judge_databases(fast, slow);
    CHECK(swapped.suites[0].verdict() == Verdict::slower);
    CHECK(swapped.suites[0].whole()->ratio == close_to(1 / suite.whole()->ratio));
    CHECK(swapped.suites[0].whole()->low == close_to(1 / suite.whole()->high));
    CHECK(contest.launches == 6);
    CHECK(contest.with(Verdict::faster) == std::vector{&suite});
    CHECK(contest.doubts.empty());
}

TEST_CASE("below five launches on a side ratios are told, and nothing is judged") {
    for (const auto& [of_reference, of_subject] : {std::pair(1, 1), std::pair(4, 4), std::pair(20, 4)}) {
        const Subject a = with_launches("a", of_reference, 1, 1, 0.001);
        const Subject b = with_launches("b", of_subject, 3, 2, 0.001);
        const Contest contest = judge_databases(a, b);
        CHECK_FALSE(contest.any_judged());
        CHECK(contest.launches == static_cast<std::size_t>(of_subject));
        for (const Statement& each : contest.suites[0].statements) {
            CHECK(each.verdict == Verdict::open);
            CHECK(each.why == Why::few_launches);
            CHECK(each.ratio == close_to(3).epsilon(0.01));
            CHECK(each.subject == static_cast<std::size_t>(of_subject));
        }
    }
}

TEST_CASE("of five launches one may be left out, for it was disturbed") {
    const Subject a = with_launches("a", 5, 1, 1);
    Subject b = with_launches("b", 5, 2, 2);
    Curve& curve = b.curves[0];
    for (int left_out = 0; left_out < 2; ++left_out) {
        const std::string uuid = "b" + std::to_string(left_out);
        for (const StoredMeasurement& point : curve.points)
            curve.launches[uuid].abstentions.insert(point.measurement.argument);
        curve.launches[uuid].values.clear();
        const Statement whole = *judge_databases(a, b).suites[0].whole();
        CHECK(whole.subject == 4 - static_cast<std::size_t>(left_out));
        CHECK(whole.verdict == (left_out == 0 ? Verdict::slower : Verdict::open));
    }
}

TEST_CASE("launches of which a rank had no core say nothing") {
    const Subject a = with_launches("a", 8, 1, 1);
    Subject b = with_launches("b", 8, 1, 2);
    for (auto& [uuid, launch] : b.curves[0].launches)
        b.curves[0].launches[uuid].probe_s = uuid == "b3" ? 5e-3 : 3e-7;
    for (auto& [argument, value] : b.curves[0].launches.at("b3").values)
        value *= 1.04; // not far enough for an outlier
    leave_out_without_core(b.curves[0]);
    CHECK(b.curves[0].launches.at("b3").without_core_s == 5e-3);
    const Statement whole = *judge_databases(a, b).suites[0].whole();
    CHECK(whole.subject + whole.outliers == 7);
}

TEST_CASE("of comparisons of equals at most 5 % find any difference, at points or of suites") {
    using Tail = Simulation::Tail;
    struct Scene {
        std::string name;
        Simulation first;
        Simulation second;
        unsigned trials = 100;
    };
    const Scene scenes[] = {
        {"5 and 5, points alone", {.launches = 5, .launch = 0}, {.launches = 5, .launch = 0}},
        {"unequal noise", {.launches = 5, .launch = 0.04}, {.launches = 10, .launch = 0.01}},
        {"heavy tails", {.launches = 6, .tail = Tail::heavy}, {.launches = 9, .tail = Tail::heavy}},
        {"bad launches",
         {.launches = 6, .tail = Tail::bad_launches},
         {.launches = 10, .tail = Tail::bad_launches}},
        {"lacking", {.launches = 10, .lacking = 0.3}, {.launches = 7, .lacking = 0.1}},
        {"5 and 40", {.launches = 5}, {.launches = 40}, 60},
        {"20 in a row, alike",
         {.launches = 20, .alike = 0.5, .in_a_row = true},
         {.launches = 20, .alike = 0.5, .in_a_row = true},
         100},
    };
    for (const Scene& scene : scenes) {
        unsigned wrong = 0;
        std::size_t judged = 0;
        for (unsigned trial = 0; trial < scene.trials; ++trial) {
            const Subject a = simulated_database("a", 2, scene.first, 1, 2 * trial + 1);
            const Subject b = simulated_database("b", 2, scene.second, 1, 2 * trial + 2);
            const Contest contest = judge_databases(a, b);
            wrong += any_different(contest) ? 1 : 0;
            for (const SuiteContest& suite : contest.suites)
                judged += suite.whole()->judged() ? 1 : 0;
        }
        CAPTURE(scene.name);
        CHECK(wrong <= scene.trials * 5 / 100);
        CHECK(judged > scene.trials * 9 / 5); // of two suites
    }
}

TEST_CASE("ten launches in a row beside ten in a row are open where they are alike, and it is said why") {
    const Simulation in_a_row{.launches = 10, .alike = 0.5, .in_a_row = true};
    constexpr unsigned trials = 200;
    unsigned wrong = 0;
    for (unsigned trial = 0; trial < trials; ++trial) {
        const Subject a = simulated_database("a", 2, in_a_row, 1, 2 * trial + 1);
        const Subject b = simulated_database("b", 2, in_a_row, 1, 2 * trial + 2);
        const Contest contest = judge_databases(a, b);
        wrong += any_different(contest) ? 1 : 0;
        for (const SuiteContest& suite : contest.suites)
            if (suite.whole()->verdict == Verdict::open)
                CHECK(suite.whole()->why == Why::launches_in_a_row);
        CHECK(kinds(contest) == Kinds{ContestDoubtKind::in_a_row});
        CHECK(contest.doubts[0].names == std::vector<std::string>{"a", "b"});
    }
    CHECK(wrong <= trials * 5 / 100);
    // A difference that no likeness explains is one.
    const Subject a = simulated_database("a", 1, in_a_row, 1, 1);
    const Subject b = simulated_database("b", 1, in_a_row, 1.5, 2);
    CHECK(judge_databases(a, b).suites[0].verdict() == Verdict::slower);
}

TEST_CASE("launches that were made in turns do not make equals differ because they are alike") {
    constexpr unsigned trials = 200;
    unsigned wrong = 0;
    for (unsigned trial = 0; trial < trials; ++trial) {
        Subject a =
            simulated_database("x", 1, {.launches = 20, .alike = 0.6, .in_a_row = true}, 1, trial + 1);
        Subject b = a;
        for (int launch = 0; launch < 20; ++launch) {
            Subject& other = launch % 2 == 0 ? b : a;
            other.curves[0].launches.erase("x" + std::to_string(launch));
            other.launch_times.erase("x" + std::to_string(launch));
        }
        const Contest contest = judge_databases(a, b);
        REQUIRE(contest.design.in_turns);
        REQUIRE(contest.suites[0].whole()->judged());
        wrong += any_different(contest) ? 1 : 0;
    }
    CHECK(wrong <= trials * 5 / 100);
}

TEST_CASE("what lasting states of the machine do, as the probe shows, is no difference and hides none") {
    for (const double state : {1.25, 1.6}) {
        CAPTURE(state);
        const Simulation lasting{.launches = 10, .state = state};
        constexpr unsigned trials = 50;
        unsigned wrong = 0;
        unsigned found = 0;
        for (unsigned trial = 0; trial < trials; ++trial) {
            const Subject a = simulated_database("a", 4, lasting, 1, 2 * trial + 1);
            const Subject b = simulated_database("b", 4, lasting, 1, 2 * trial + 2);
            wrong += any_different(judge_databases(a, b)) ? 1 : 0;
            const Subject slower = simulated_database("b", 4, lasting, 1.05, 2 * trial + 2);
            const Contest contest = judge_databases(a, slower);
            for (const SuiteContest& suite : contest.suites)
                found += suite.whole()->verdict == Verdict::slower ? 1 : 0;
        }
        CHECK(wrong <= trials * 5 / 100);
        CHECK(found >= trials * 4 * 75 / 100);
    }
}

TEST_CASE("a shift of 5 % that no point shows is found in at least 9 of 10 cases at 10 launches") {
    constexpr unsigned trials = 100;
    unsigned found = 0;
    unsigned at_points = 0;
    unsigned points = 0;
    unsigned covered = 0;
    for (unsigned trial = 0; trial < trials; ++trial) {
        Simulation wanted{.point = 0.03}; // more than of the launches
        wanted.arguments.clear();
        for (std::int64_t argument = 1; wanted.arguments.size() < 20; argument *= 2)
            wanted.arguments.push_back(argument);
        const Subject a = simulated_database("a", 1, wanted, 1, 2 * trial + 1);
        const Subject b = simulated_database("b", 1, wanted, 1.05, 2 * trial + 2);
        const Contest contest = judge_databases(a, b);
        const Statement& whole = *contest.suites[0].whole();
        CHECK(whole.verdict != Verdict::faster);
        found += whole.verdict == Verdict::slower ? 1 : 0;
        covered += whole.low < 1.05 && 1.05 < whole.high ? 1 : 0;
        for (const Statement* each : contest.suites[0].of_kind(Place::Kind::point)) {
            ++points;
            at_points += each->different() ? 1 : 0;
        }
    }
    CHECK(found >= trials * 9 / 10);
    CHECK(at_points <= points / 3);
    CHECK(covered >= trials * 93 / 100);
}

TEST_CASE("launches that lack an argument count where they have neighbours of it, and were not asked") {
    Subject a = with_launches("a", 6, 1, 1);
    Subject b = with_launches("b", 6, 1.5, 2);
    const Statement complete = *judge_databases(a, b).suites[0].point(4);
    a.curves[0].launches.at("a1").values.erase(4);
    b.curves[0].launches.at("b2").values.erase(8);
    b.curves[0].launches.at("b3").values.erase(8);
    b.curves[0].launches["b3"].abstentions.insert(8);
    const Contest contest = judge_databases(a, b);
    const SuiteContest& suite = contest.suites[0];
    CHECK(suite.point(4)->reference == 6);
    CHECK(suite.point(4)->ratio == close_to(complete.ratio)); // times are linear in the argument
    CHECK_FALSE(suite.point(4)->interpolated);
    CHECK(suite.point(8)->subject == 5);
    CHECK(suite.point(8)->judged());
    // Beyond a launch's last argument there is nothing to interpolate with; others have theirs.
    for (const char* uuid : {"b3", "b4", "b5"})
        b.curves[0].launches.at(uuid).values.erase(32);
    const Contest fewer = judge_databases(a, b);
    CHECK(fewer.suites[0].point(32)->why == Why::few_launches);
    CHECK(fewer.suites[0].point(32)->subject == 3);
    CHECK(fewer.suites[0].point(16)->verdict == Verdict::slower);
    CHECK(fewer.suites[0].whole()->subject == 6);
}

TEST_CASE("arguments only the reference has are interpolated, outside of the other's range left out") {
    const Subject a = with_curve("a", invented_curve(5, 1, 0.01, 1, {1, 2, 3, 8, 64}, "a"));
    const Subject b = with_curve("b", invented_curve(5, 2, 0.01, 2, {2, 4, 8, 16}, "b"));
    const Contest contest = judge_databases(a, b);
    std::vector<std::int64_t> arguments;
    for (const Statement* each : contest.suites[0].of_kind(Place::Kind::point)) {
        arguments.push_back(each->place.from);
        CHECK(each->interpolated == (each->place.from == 3));
        CHECK(each->ratio == close_to(2).epsilon(0.02));
    }
    CHECK(arguments == std::vector<std::int64_t>{2, 3, 8});
}

TEST_CASE("values that are not above zero, or not finite, have no ratio") {
    const Subject a = with_launches("a", 6, 1, 1);
    Subject b = with_launches("b", 6, 1.5, 2);
    Curve& curve = b.curves[0];
    curve.launches.at("b2").values.at(4) = -1e-9;
    curve.launches.at("b3").values.at(4) = 0;
    curve.launches.at("b5").values.at(4) = std::nan("");
    curve.launches.at("b4").values.at(8) = std::numeric_limits<double>::infinity();
    const Contest some = judge_databases(a, b);
    CHECK(some.suites[0].point(4)->why == Why::few_launches);
    CHECK(some.suites[0].point(8)->subject == 5);
    CHECK(some.suites[0].point(8)->ratio == close_to(1.5).epsilon(0.03));
    CHECK(some.suites[0].whole()->ratio == close_to(1.5).epsilon(0.03));
    for (auto& [uuid, launch] : curve.launches)
        for (auto& [argument, value] : launch.values)
            value = 0;
    const Contest none = judge_databases(a, b);
    CHECK(none.suites[0].why == Why::no_values);
    CHECK(none.suites[0].verdict() == Verdict::not_comparable);
}

TEST_CASE("one argument of many that can be judged is no verdict of its suite, but a difference there is") {
    const Subject a = simulated_database("a", 1, {.launches = 6}, 1, 1);
    Subject b = simulated_database("b", 1, {.launches = 6}, 1, 2);
    for (auto& [uuid, launch] : b.curves[0].launches)
        if (uuid != "b0") // one launch has all arguments, the others have the first one alone
            while (launch.values.size() > 1)
                launch.values.erase(std::prev(launch.values.end())->first);
    const Contest open = judge_databases(a, b);
    CHECK(open.suites[0].point(64)->judged());
    CHECK(open.suites[0].whole()->why == Why::few_launches);
    CHECK(open.suites[0].verdict() == Verdict::open);
    for (auto& [uuid, launch] : b.curves[0].launches)
        launch.values.begin()->second *= 2;
    const Contest slower = judge_databases(a, b);
    CHECK(slower.suites[0].point(64)->verdict == Verdict::slower);
    CHECK(slower.suites[0].verdict() == Verdict::slower);
}

TEST_CASE("times measured in windows and between barriers stand side by side, but are not judged") {
    const auto collective = [](const std::string& label, double factor, unsigned seed) {
        Subject subject = with_launches(label, 6, factor, seed);
        subject.curves[0].stored.suite.operation.pattern = Pattern::collective;
        subject.curves[0].stored.suite.synchronization = Synchronization::window;
        return subject;
    };
    Subject a = collective("a", 1, 1);
    Subject b = collective("b", 1.5, 2);
    CHECK(judge_databases(a, b).doubts.empty());
    // At one argument the other fell back to barriers, and is a hundred times as slow.
    set(b.curves[0].points[2].measurement.flags, Flag::unsynchronised);
    for (auto& [uuid, launch] : b.curves[0].launches)
        launch.values[4] *= 100;
    const Contest contest = judge_databases(a, b);
    const SuiteContest& suite = contest.suites[0];
    CHECK(suite.point(4)->why == Why::other_start);
    CHECK(suite.point(4)->verdict == Verdict::not_comparable);
    CHECK(suite.arguments == 5);
    CHECK(suite.whole()->ratio == close_to(1.5).epsilon(0.05)); // nor is it pooled
    CHECK(suite.whole()->verdict == Verdict::slower);
    CHECK(kinds(contest) == Kinds{ContestDoubtKind::other_start});
    CHECK(contest.doubts[0].points == 1);
    CHECK(contest.doubts[0].suites == 1);
    // Both fell back.
    set(a.curves[0].points[2].measurement.flags, Flag::unsynchronised);
    CHECK(judge_databases(a, b).suites[0].point(4)->judged());
    // Asked for differently: nothing of the suite can be judged.
    a = collective("a", 1, 1);
    b = collective("b", 1.5, 2);
    b.curves[0].stored.suite.synchronization = Synchronization::barrier;
    CHECK_FALSE(judge_databases(a, b).any_judged());
    CHECK(judge_databases(a, b).suites[0].verdict() == Verdict::not_comparable);
    CHECK(kinds(judge_databases(a, b)).at(0) == ContestDoubtKind::other_quantity);
    // Two ranks that only answer one another have no common start.
    for (Subject* subject : {&a, &b})
        subject->curves[0].stored.suite.operation.pattern = Pattern::ping_pong;
    CHECK(judge_databases(a, b).suites[0].verdict() == Verdict::slower);
}

TEST_CASE("of jobs on different numbers of ranks only what two ranks do is judged, or is by argument") {
    const auto job = [](const std::string& label, int ranks, double factor) {
        Subject subject;
        subject.label = label;
        subject.run = test::invented_run(label);
        subject.run->ranks = ranks;
        for (const char* name : {"ping-pong", "broadcast", "over ranks"}) {
            Curve curve = invented_curve(6, factor, 0.01, 1, {2, 3, 4}, label);
            Suite& suite = curve.stored.suite;
            suite.name = name;
            const bool is_ping_pong = suite.name == "ping-pong";
            suite.operation.pattern = is_ping_pong ? Pattern::ping_pong : Pattern::collective;
            suite.varied = suite.name == "over ranks" ? Varied::nodes : Varied::message_length;
            for (StoredMeasurement& point : curve.points)
                point.measurement.ranks = is_ping_pong ? 2
                                          : suite.varied == Varied::nodes
                                              ? static_cast<int>(point.measurement.argument)
                                              : ranks;
            subject.curves.push_back(std::move(curve));
        }
        return subject;
    };
    const Subject small = job("small", 4, 1);
    const Subject large = job("large", 16, 2);
    const Contest contest = judge_databases(small, large);
    CHECK(contest.suites[0].verdict() == Verdict::slower);
    CHECK(contest.suites[1].verdict() == Verdict::not_comparable);
    for (const Statement& each : contest.suites[1].statements)
        CHECK(each.why == Why::other_ranks);
    CHECK(contest.suites[2].verdict() == Verdict::slower); // at each number of ranks, which both have
    REQUIRE(kinds(contest).at(0) == ContestDoubtKind::ranks_differ);
    CHECK(contest.doubts[0].reference == 4);
    CHECK(contest.doubts[0].subject == 16);
    CHECK(std::ranges::count(kinds(contest), ContestDoubtKind::other_quantity) == 0);
}

TEST_CASE("suites that measure two quantities are told with their fields, and nothing is judged") {
    const auto differing = [](Pattern pattern, void (*ask)(Suite&)) {
        Subject a = with_launches("a", 6, 1, 1);
        Subject b = with_launches("b", 6, 2, 2);
        for (Subject* subject : {&a, &b})
            subject->curves[0].stored.suite.operation.pattern = pattern;
        ask(b.curves[0].stored.suite);
        const Contest contest = judge_databases(a, b);
        std::vector<std::string> fields;
        for (const ContestDoubt& doubt : contest.doubts)
            for (const FieldDifference& each : doubt.fields)
                fields.emplace_back(each.field);
        CHECK(contest.any_judged() == fields.empty());
        CHECK((contest.suites[0].why == Why::other_quantity) == !fields.empty());
        return fields;
    };
    using Texts = std::vector<std::string>;
    CHECK(differing(Pattern::ping_pong, [](Suite&) {}).empty());
    CHECK(differing(Pattern::ping_pong, [](Suite& suite) { suite.partner = "nearest"; }) == Texts{"partner"});
    CHECK(differing(Pattern::collective, [](Suite& suite) { suite.partner = "nearest"; }).empty());
    CHECK(differing(Pattern::collective, [](Suite& suite) { suite.join = "round-robin"; }) ==
          Texts{"join_order"});
    CHECK(differing(Pattern::collective, [](Suite& suite) { suite.datatype = "MPI_DOUBLE"; }) ==
          Texts{"datatype"});
}

TEST_CASE("launches on both sides are compared with themselves: nothing is judged, and that is said first") {
    const Subject whole = with_launches("x", 12, 1, 1);
    Subject part = with_launches("x", 6, 2, 2);
    using Sides = std::pair<const Subject*, const Subject*>;
    for (const auto& [a, b] : {Sides(&whole, &part), Sides(&part, &whole)}) {
        const Contest contest = judge_databases(*a, *b);
        CHECK_FALSE(contest.any_judged());
        CHECK(contest.suites[0].whole()->why == Why::shared_launches);
        CHECK(contest.shared_launches == 6);
        CHECK(kinds(contest).at(0) == ContestDoubtKind::shared_launches);
    }
    // One of many is enough, also where it is known of another mode only.
    part = with_launches("other", 6, 2, 2);
    CHECK(judge_databases(whole, part).suites[0].verdict() == Verdict::slower);
    part.curves[0].launches["x3"].others[8] = 1e-6;
    CHECK(judge_databases(whole, part).shared_launches == 1);
    CHECK_FALSE(judge_databases(whole, part).any_judged());
    // So are two suites of such.
    CHECK(judge_suites(whole.curves[0], part.curves[0], Pairing::independent, std::nullopt).whole()->why ==
          Why::shared_launches);
}

TEST_CASE("suites of the same launches are compared launch by launch") {
    // What a launch does to both suites cancels out; compared as if independent nothing could be seen.
    const Curve a = invented_curve(6, 1, 0.3, 1);
    Curve b = a;
    for (auto& [uuid, launch] : b.launches)
        for (auto& [argument, value] : launch.values)
            value *= 1.02 + 0.001 * static_cast<double>(uuid.back() - '0');
    const auto paired = [&] { return judge_suites(a, b, Pairing::same_launches, std::nullopt); };
    CHECK(paired().verdict() == Verdict::slower);
    CHECK(paired().point(8)->verdict == Verdict::slower);
    const Subject first = with_curve("first", a);
    Subject second = with_curve("second", b);
    std::map<std::string, SuiteLaunch> others;
    for (const auto& [uuid, launch] : b.launches)
        others["other " + uuid] = launch;
    second.curves[0].launches = others;
    CHECK(judge_databases(first, second).suites[0].verdict() == Verdict::open);
    // Paired launches are those that both have.
    b.launches.erase("run0");
    CHECK(paired().whole()->reference == 5);
    CHECK(paired().whole()->ratio == close_to(1.023).epsilon(1e-4));
    CHECK(paired().verdict() == Verdict::slower);
    b.launches.erase("run1");
    CHECK(paired().whole()->why == Why::few_launches);
    CHECK(paired().whole()->reference == 4);
}

TEST_CASE("of other software, probes of two states make library and machine one: nothing is judged") {
    Subject a = with_launches("a", 6, 1, 1);
    Subject b = with_launches("b", 6, 1.5, 2);
    const auto in_state = [](Subject& subject, double probe_s) {
        for (auto& [uuid, launch] : subject.curves[0].launches)
            launch.probe_s = probe_s;
        for (StoredMeasurement& point : subject.curves[0].points)
            point.measurement.probe_s = probe_s;
    };
    b.run->mpi_library = "another library";
    in_state(a, 1e-6);
    in_state(b, 1.2e-6);
    CHECK(judge_databases(a, b).suites[0].verdict() == Verdict::slower);
    in_state(b, 2e-6);
    const Contest contest = judge_databases(a, b);
    CHECK(contest.suites[0].whole()->why == Why::machine_states);
    CHECK_FALSE(contest.any_judged());
    REQUIRE(kinds(contest).at(0) == ContestDoubtKind::states_apart);
    CHECK(contest.doubts[0].subject == close_to(2e-6));
    // Two machines are no two states of one, and launches in turns met the same.
    b.run->machine = "another machine";
    CHECK(judge_databases(a, b).any_judged());
    b.run->machine = a.run->machine;
    for (int launch = 0; launch < 6; ++launch) {
        a.launch_times["a" + std::to_string(launch)] = {100.0 * launch, 100.0 * launch + 50};
        b.launch_times["b" + std::to_string(launch)] = {100.0 * launch + 50, 100.0 * launch + 100};
    }
    CHECK(judge_databases(a, b).any_judged());
}

TEST_CASE("a difference as measured that is none at an equal state of the machine is told as that") {
    const auto in_state = [](const std::string& label, double slower, unsigned seed) {
        Subject subject = with_launches(label, 10, slower, seed, 0.005);
        int number = 0;
        for (auto& [uuid, launch] : subject.curves[0].launches) {
            const double state = 1 + 0.02 * (number++ % 4);
            launch.probe_s = 1e-6 * slower * state;
            for (auto& [argument, value] : launch.values)
                value *= state;
        }
        return subject;
    };
    const Subject a = in_state("a", 1, 1);
    const Subject b = in_state("b", 1.1, 2);
    const Contest contest = judge_databases(a, b);
    const Statement& whole = *contest.suites[0].whole();
    CHECK_FALSE(whole.different());
    CHECK(whole.as_measured == close_to(1.1).epsilon(0.01));
    REQUIRE(kinds(contest).at(0) == ContestDoubtKind::state_counts);
    CHECK(contest.doubts[0].subject == close_to(whole.as_measured));
}

TEST_CASE("what narrows a contest is told with its figures, the gravest first") {
    Subject a = with_launches("a", 6, 1, 1);
    Subject b = with_launches("b", 6, 1, 2);
    const auto in_state = [](Subject& subject, double probe_s, double core_clock_hz, double throughput) {
        for (StoredMeasurement& point : subject.curves[0].points) {
            point.measurement.probe_s = probe_s;
            point.measurement.core_clock_hz = core_clock_hz;
            point.measurement.core_throughput = throughput;
        }
    };
    in_state(a, 1e-6, 3e9, 3);
    in_state(b, 1.04e-6, 3.1e9, 3.1);
    CHECK(judge_databases(a, b).doubts.empty());
    in_state(b, 1.06e-6, 3.2e9, 2.3);
    b.run->plan_hash = "another plan";
    b.curves[0].stored.suite.repetition.cut_quantile = 0.1;
    Curve renamed = b.curves[0];
    renamed.stored.suite.name = "renamed";
    renamed.stored.suite.operation.name = "MPI_Bcast";
    b.curves.push_back(renamed);
    renamed.stored.suite.name = "old";
    renamed.stored.suite.operation.name = "MPI_Scan";
    a.curves.push_back(renamed);
    a.curves[1].launches = a.curves[0].launches;
    const Contest contest = judge_databases(a, b);
    using Kind = ContestDoubtKind;
    CHECK(kinds(contest) == Kinds{Kind::plans_differ, Kind::only_in_reference, Kind::only_in_subject,
                                  Kind::computed_differently, Kind::clocks_differ, Kind::throughputs_differ,
                                  Kind::probes_differ});
    CHECK(contest.doubts[1].names == std::vector<std::string>{"old"});
    CHECK(contest.doubts[2].names == std::vector<std::string>{"renamed"});
    CHECK(contest.doubts.back().reference == close_to(1e-6));
    CHECK(contest.doubts.back().subject == close_to(1.06e-6));
    CHECK(contest.suites[1].why == Why::only_in_reference);
    CHECK(contest.only_in_subject == std::vector<const Curve*>{&b.curves[1]});
}

TEST_CASE(
    "effects are of suites in the answer, the largest certain ones first, of which local ones are none") {
    Subject a = simulated_database("a", 5, {.launches = 8, .launch = 0.005}, 1, 1);
    Subject b = simulated_database("b", 5, {.launches = 8, .launch = 0.005}, 1, 2);
    const auto times = [&](std::size_t suite, const std::function<double(std::int64_t)>& factor) {
        for (auto& [uuid, launch] : b.curves[suite].launches)
            for (auto& [argument, value] : launch.values)
                value *= factor(argument);
    };
    times(1, [](std::int64_t) { return 1.2; });
    times(2, [](std::int64_t argument) { return argument > 1024 ? 0.4 : 1; });
    times(3, [](std::int64_t) { return 3; });
    for (Subject* subject : {&a, &b})
        subject->curves[3].stored.suite.operation =
            test::operation(23, "memcpy", "", Pattern::simple, Varied::message_length);
    const Contest contest = judge_databases(a, b);
    const auto effects = contest.effects();
    REQUIRE(effects.size() == 2);
    CHECK(effects[0].first == &contest.suites[2]);
    CHECK(effects[0].second->place.from == 16384);
    CHECK(effects[0].second->ratio == close_to(0.4).epsilon(0.02));
    CHECK(effects[1].first == &contest.suites[1]);
    CHECK(contest.suites[2].verdict() == Verdict::faster); // at some lengths, and slower at none
    CHECK(contest.with(Verdict::slower) == std::vector{&contest.suites[1]});
    CHECK(contest.suites[3].verdict() == Verdict::slower);
    CHECK_FALSE(contest.suites[3].in_answer);
    // Where there is nothing else local operations are what is compared.
    a.curves = {a.curves[3]};
    CHECK(judge_databases(a, b).with(Verdict::slower).size() == 1);
}

TEST_CASE("each rival of the reference is compared with it, jobs of other sizes in one file are not") {
    const auto job = [](const std::string& label, const std::string& path, int ranks) {
        Subject subject = with_launches(label, 5, 1, 1);
        subject.path = path;
        subject.run->ranks = ranks;
        return subject;
    };
    const std::vector<Subject> three{job("a", "a.db", 4), job("b", "b.db", 4), job("c", "c.db", 4)};
    const std::vector<Contest> contests = judge_subjects(three, false);
    REQUIRE(contests.size() == 2);
    CHECK(contests[0].reference == &three[0]);
    CHECK(contests[1].subject == &three[2]);
    const std::vector<Contest> with_baseline = judge_subjects(three, true);
    REQUIRE(with_baseline.size() == 2);
    CHECK(with_baseline[0].reference == &three[2]);
    CHECK(judge_subjects({job("a", "a.db", 4), job("b", "a.db", 8)}, false).empty());
    CHECK(judge_subjects({job("a", "a.db", 4)}, false).empty());
    CHECK(judge_subjects({}, false).empty());
}
