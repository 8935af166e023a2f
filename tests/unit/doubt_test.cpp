// SPDX-License-Identifier: GPL-2.0-or-later
#include "analysis/trust/doubt.hpp"

#include "close_to.hpp"
#include "invented_subject.hpp"
#include "launches/launches_left_out.hpp"
#include "model/run.hpp"

#include <cmath>
#include <doctest/doctest.h>
#include <vector>

using namespace skampi;
using test::invented_subject;

namespace {

std::vector<Doubt> all_doubts(const Subject& subject) {
    return doubts(subject, assess(subject), true);
}

} // namespace

TEST_CASE("one launch, or too few, is a doubt, and five are none") {
    Subject subject = invented_subject({test::full_plan({}).front()});
    CHECK(all_doubts(subject) == std::vector<Doubt>{{DoubtKind::only_one_launch, 1}});
    CHECK(doubts(subject, assess(subject), false).empty());
    auto& launches = subject.curves[0].launches;
    launches["b"] = launches["c"] = launches["uuid-1"];
    CHECK(all_doubts(subject) == std::vector<Doubt>{{DoubtKind::no_interval, 3}});
    launches["d"] = launches["e"] = launches["uuid-1"];
    CHECK(all_doubts(subject).empty());
    launches.clear();
    subject.run->facts[fact_simulation] = "a cluster";
    CHECK(all_doubts(subject).empty()); // simulated launches do not differ
}

TEST_CASE("every kind of doubt is counted, the gravest first") {
    Subject subject = invented_subject({test::full_plan({}).front()});
    std::vector<StoredMeasurement>& points = subject.curves[0].points;
    for (std::size_t i = 0; i < points.size(); ++i) {
        points[i].merge = MergeFacts{};
        points[i].merge->runs = i < 12 ? 1 : 3;
    }
    auto& launches = subject.curves[0].launches;
    launches["b"] = launches["c"] = launches["uuid-1"];
    subject.run->merged_runs = 3;
    set(points[0].measurement.flags, Flag::several_modes);
    set(points[1].measurement.flags, Flag::disturbed);
    set(points[2].measurement.flags, Flag::not_repeatable);
    set(points[3].measurement.flags, Flag::unreliable);
    points[4].measurement.value_s = std::nan("");
    points[5].measurement.value_s = 0;
    set(points[5].measurement.flags, Flag::unreliable); // counts as below what can be measured
    set(points[6].measurement.flags, Flag::wrong_result);
    set(points[7].measurement.flags, Flag::unsynchronised);
    set(points[20].measurement.flags, Flag::scattered);
    subject.curves[0].stored.state = SuiteState::open;
    subject.ended = false;
    CHECK(all_doubts(subject) == std::vector<Doubt>{{DoubtKind::interrupted},
                                                    {DoubtKind::suites_open, 1, 1},
                                                    {DoubtKind::wrong_result, 1, 27},
                                                    {DoubtKind::no_value, 1, 27},
                                                    {DoubtKind::not_above_zero, 1, 27},
                                                    {DoubtKind::unreliable, 1, 27},
                                                    {DoubtKind::disturbed, 1, 27},
                                                    {DoubtKind::several_states, 1, 27},
                                                    {DoubtKind::between_barriers, 1, 27},
                                                    {DoubtKind::not_repeatable, 1, 26},
                                                    {DoubtKind::one_launch, 12, 27},
                                                    {DoubtKind::launches_apart, 1, 27},
                                                    {DoubtKind::no_interval, 3}});
    CHECK(run_doubts(subject) ==
          std::vector<Doubt>{{DoubtKind::interrupted}, {DoubtKind::suites_open, 1, 1}});
}

TEST_CASE("launches in another state and of another start are left out, and are doubts with their number") {
    Subject subject = invented_subject({test::full_plan({}).front()});
    Curve& curve = subject.curves[0];
    for (const char* uuid : {"a", "b", "c", "d"})
        curve.launches[uuid] = curve.launches["uuid-1"];
    REQUIRE(all_doubts(subject).empty());
    for (StoredMeasurement& point : curve.points) {
        point.merge = MergeFacts{};
        point.merge->runs = 5;
    }
    Measurement& m = curve.points[0].measurement;
    m.mode = 1;
    m.modes = {{.mode = 0, .value_s = 1, .probe_s = 0.34, .runs = 1},
               {.mode = 1, .value_s = 3, .probe_s = 1.29, .runs = 5}};
    set(m.flags, Flag::several_modes); // its value is of one state all the same
    CHECK(launches_in_states(subject).states ==
          std::vector<StateOfLaunches>{{0.34, 1, false}, {1.29, 5, true}});
    CHECK(launches_in_states(subject).curves == 1);
    CHECK(all_doubts(subject) == std::vector<Doubt>{{DoubtKind::other_state, 1, 6}});
    m.modes.clear();
    CHECK(all_doubts(subject) == std::vector<Doubt>{{DoubtKind::several_states, 1, 27}});
    m.flags = 0;
    curve.launches["e"].other_start = curve.launches["f"].other_start = true;
    CHECK(all_doubts(subject) == std::vector<Doubt>{{DoubtKind::other_start, 2, 7}});
    CHECK(launches_of_other_start(subject).curve == &curve);
    curve.launches["e"].other_start = curve.launches["f"].other_start = false;
    // Where no launch was in the state shown, there is no value: it could be measured all the same.
    m.value_s = std::nan("");
    m.modes = {{.mode = 0, .value_s = 1, .probe_s = 0.34, .runs = 1}};
    set(m.flags, Flag::several_modes);
    CHECK(all_doubts(subject).front() == Doubt{DoubtKind::not_in_state, 1, 27});
    CHECK(assess(subject).no_value == 0);
}

TEST_CASE("a launch that met two states is counted once") {
    Subject subject = invented_subject({test::full_plan({}).front()});
    StoredMeasurement& point = subject.curves[0].points[0];
    point.merge = MergeFacts{};
    point.merge->measured_runs = 5;
    point.measurement.mode = 1;
    point.measurement.modes = {{.mode = 0, .value_s = 1, .probe_s = 0.34, .runs = 3},
                               {.mode = 1, .value_s = 3, .probe_s = 1.29, .runs = 4}};
    LaunchesInStates found = launches_in_states(subject);
    CHECK(found.changed_within_launches());
    CHECK(found.launches() == 5);
    CHECK(found.left_out() == 3);
    CHECK(found.met_shown() == 4);
    CHECK(most_common_other_mode(point.measurement)->mode == 0);
    // Of two states that are not shown, each may have been met by the same launches.
    point.measurement.modes.push_back({.mode = 2, .value_s = 4, .probe_s = 2, .runs = 4});
    CHECK(launches_in_states(subject).left_out() == 5);
    CHECK(most_common_other_mode(point.measurement)->mode == 2);
    point.measurement.modes.pop_back();
    point.measurement.modes[0].runs = 1;
    found = launches_in_states(subject);
    CHECK_FALSE(found.changed_within_launches());
    CHECK(found.launches() == 5);
}

TEST_CASE("of five launches or more a value that rests on two to four is a doubt") {
    Subject subject = invented_subject({test::full_plan({}).front()});
    for (StoredMeasurement& point : subject.curves[0].points) {
        point.merge = MergeFacts{};
        point.merge->runs = 4;
    }
    for (const char* uuid : {"a", "b", "c", "d"})
        subject.curves[0].launches[uuid] = subject.curves[0].launches["uuid-1"];
    subject.run->merged_runs = 5;
    CHECK(all_doubts(subject) == std::vector<Doubt>{{DoubtKind::few_launches, 27, 27}});
}

TEST_CASE("a value that could not be measured is not counted as one that is not repeatable") {
    Subject subject = invented_subject({test::full_plan({}).front()});
    std::vector<StoredMeasurement>& points = subject.curves[0].points;
    set(points[0].measurement.flags, Flag::timed_out);
    set(points[1].measurement.flags, Flag::timed_out);
    points[1].measurement.value_s = std::nan("");
    CHECK(all_doubts(subject) == std::vector<Doubt>{{DoubtKind::no_value, 1, 27},
                                                    {DoubtKind::not_repeatable, 1, 26},
                                                    {DoubtKind::only_one_launch, 1}});
    for (StoredMeasurement& point : points) {
        set(point.measurement.flags, Flag::timed_out);
        point.measurement.value_s = std::nan("");
    }
    CHECK(all_doubts(subject).front() == Doubt{DoubtKind::no_value, 27, 27});
    for (const Doubt& doubt : all_doubts(subject))
        CHECK(doubt.kind != DoubtKind::not_repeatable);
}

TEST_CASE("suites that failed, were put off or are open are doubts about the run") {
    Subject subject = invented_subject(test::full_plan({}));
    subject.curves[0].stored.state = SuiteState::failed;
    subject.curves[1].stored.state = subject.curves[2].stored.state = SuiteState::put_off;
    const std::int64_t suites = std::ssize(subject.curves);
    CHECK(run_doubts(subject) ==
          std::vector<Doubt>{{DoubtKind::suites_failed, 1, suites}, {DoubtKind::suites_put_off, 2, suites}});
}

TEST_CASE(
    "an error between launches above what was asked for is a doubt, and repeatability says nothing of it") {
    Subject subject = invented_subject({test::full_plan({}).front()});
    Curve& curve = subject.curves[0];
    for (const char* uuid : {"a", "b", "c", "d"})
        curve.launches[uuid] = curve.launches["uuid-1"];
    subject.run->merged_runs = 5;
    const double asked = curve.suite().repetition.max_relative_error;
    for (std::size_t i = 0; i < curve.points.size(); ++i) {
        StoredMeasurement& point = curve.points[i];
        MergeFacts& facts = point.merge.emplace();
        facts.runs = facts.measured_runs = 5;
        facts.interval_confidence = 0.95;
        const double half_s = (i < 7 ? 2.1 : 1.9) * asked * point.measurement.value_s;
        facts.interval_low_s = point.measurement.value_s - half_s;
        facts.interval_high_s = point.measurement.value_s + half_s;
        point.measurement.standard_error_s = i < 7 ? 0 : 10 * half_s; // in a launch it is the other way round
    }
    const Trust trust = assess(subject);
    CHECK(trust.settled == 20);
    CHECK(trust.unsettled == 7);
    CHECK(trust.settled_unknown == 0);
    CHECK(trust.error_asked_for == asked);
    CHECK(trust.launches_to_settle == 6); // 5 (2.1 / 1.96)^2
    CHECK(all_doubts(subject) == std::vector<Doubt>{{DoubtKind::unsettled, 7, 27}});
    CHECK(doubts(subject, trust, false).empty()); // a comparison has its own intervals
}

TEST_CASE("neighbours are on most batches' cores, and take none away") {
    Run run;
    CHECK(neighbours_of(run) == Neighbours::none);
    run.facts = {
        {fact_batches, "25158"}, {fact_batches_interrupted, "18"}, {fact_batches_on_shared_cores, "24016"}};
    CHECK(neighbours_of(run) == Neighbours::processes);
    run.facts[fact_hypervisor] = "KVM";
    CHECK(neighbours_of(run) == Neighbours::machines);
    run.facts[fact_batches_interrupted] = "2000"; // something on this host takes the cores, too
    CHECK(neighbours_of(run) == Neighbours::none);
    run.facts[fact_batches_interrupted] = "18";
    run.facts[fact_batches_on_shared_cores] = "9000";
    CHECK(neighbours_of(run) == Neighbours::none);
}

TEST_CASE("more ranks than cores is the first doubt, wherever the cores are too few") {
    Subject subject = invented_subject({test::full_plan({}).front()});
    const auto rank = [](int number, const char* host, const char* cores) {
        RankFacts facts;
        facts.rank = number;
        facts.processor = host;
        facts.cpus_allowed = cores;
        return facts;
    };
    std::vector<RankFacts>& ranks = subject.run->rank_facts;
    ranks = {rank(0, "a", "0-1"), rank(1, "a", "0-1")};
    CHECK_FALSE(shared_cores(*subject.run));
    for (const int number : {2, 3})
        ranks.push_back(rank(number, "a", "0-1"));
    subject.run->host_sizes.hardware_threads = 2;
    std::optional<SharedCores> shared = shared_cores(*subject.run);
    REQUIRE(shared);
    CHECK(shared->ranks == 4);
    CHECK(shared->cores == 2);
    CHECK_FALSE(shared->by_binding());
    CHECK(run_doubts(subject).front() == Doubt{DoubtKind::shared_cores, 4, 2});

    SUBCASE("bound to one core though the host has others") {
        ranks = {rank(0, "a", "0"), rank(1, "a", "0"), rank(2, "a", "1"), rank(3, "a", "2")};
        subject.run->host_sizes.hardware_threads = 64;
        shared = shared_cores(*subject.run);
        REQUIRE(shared);
        CHECK(shared->ranks == 2);
        CHECK(shared->cores == 1);
        CHECK(shared->by_binding());
    }
    SUBCASE("a merged run holds each rank at every place that it had") {
        ranks = {rank(0, "a", "0"), rank(0, "a", "1"), rank(1, "a", "1"), rank(1, "a", "0")};
        for (std::size_t i = 0; i < ranks.size(); ++i)
            ranks[i].runs = i % 2 == 0 ? 3 : 2;
        CHECK_FALSE(shared_cores(*subject.run));
    }
    SUBCASE("a hardware thread for each, but not a core") {
        ranks = {rank(0, "a", "0"), rank(1, "a", "4"), rank(2, "b", "0"), rank(3, "b", "1")};
        for (RankFacts& facts : ranks)
            facts.seat.core = facts.cpus_allowed == "1" ? 1 : 0;
        subject.run->host_sizes.hardware_threads = 8;
        subject.run->host_sizes.cores = 4;
        CHECK_FALSE(shared_cores(*subject.run));
        const std::optional<SharedCores> threads = shared_threads(*subject.run);
        REQUIRE(threads);
        CHECK(threads->host == "a");
        CHECK(threads->ranks == 2);
        CHECK(threads->cores == 1);
        CHECK(threads->by_binding());
        CHECK(run_doubts(subject) == std::vector<Doubt>{{DoubtKind::shared_threads, 2, 1}});
        CHECK(gravest({{DoubtKind::disturbed, 27, 27}, {DoubtKind::shared_threads, 2, 1}})->kind ==
              DoubtKind::shared_threads);
        ranks[1].seat.core = 1;
        CHECK_FALSE(shared_threads(*subject.run));
        for (RankFacts& facts : ranks) {
            facts.cpus_allowed = "0-7";
            facts.seat.core = -1;
        }
        CHECK_FALSE(shared_threads(*subject.run));
        subject.run->host_sizes.cores = 1; // wherever they are
        CHECK(shared_threads(*subject.run)->ranks == 2);
    }
    SUBCASE("nothing is known of cores, or there are none to share") {
        for (RankFacts& facts : ranks)
            facts.cpus_allowed.clear();
        CHECK_FALSE(shared_cores(*subject.run));
        subject.run->facts[fact_simulation] = "a cluster";
        CHECK_FALSE(shared_cores(*subject.run));
    }
}

TEST_CASE("the gravest doubt is the one that concerns most of what matters most") {
    CHECK_FALSE(gravest({}));
    CHECK(gravest({{DoubtKind::unreliable, 1, 566}, {DoubtKind::disturbed, 556, 566}})->kind ==
          DoubtKind::disturbed);
    CHECK(gravest({{DoubtKind::not_repeatable, 27, 27}, {DoubtKind::wrong_result, 27, 27}})->kind ==
          DoubtKind::wrong_result);
    CHECK(gravest({{DoubtKind::interrupted}, {DoubtKind::disturbed, 20, 27}})->kind ==
          DoubtKind::interrupted);
    CHECK(gravest({{DoubtKind::disturbed, 3, 27}, {DoubtKind::only_one_launch, 1}})->kind ==
          DoubtKind::only_one_launch);
    CHECK(gravest({{DoubtKind::disturbed, 27, 27}, {DoubtKind::shared_cores, 4, 2}})->kind ==
          DoubtKind::shared_cores);
}

TEST_CASE(
    "a curve in another state has that state's values where launches met it, and no points where none did") {
    Subject subject = invented_subject({test::full_plan({}).front()});
    Curve& curve = subject.curves[0];
    CHECK(curve_in_another_state(curve).points.empty());
    for (std::size_t i = 1; i < 4; ++i) {
        StoredMeasurement& point = curve.points[i];
        point.merge = MergeFacts{};
        const double value_s = point.measurement.value_s;
        point.measurement.mode = 1;
        point.measurement.modes = {{.mode = 0, .value_s = value_s / 4, .probe_s = 1e-7, .runs = 1},
                                   {.mode = 1, .value_s = value_s, .probe_s = 4e-7, .runs = 4},
                                   {.mode = 2, .value_s = 2 * value_s, .probe_s = 8e-7, .runs = 2}};
    }
    const Curve other = curve_in_another_state(curve);
    REQUIRE(other.points.size() == 3);
    for (std::size_t i = 0; i < 3; ++i) {
        CHECK(other.points[i].measurement.argument == curve.points[i + 1].measurement.argument);
        CHECK(other.points[i].measurement.value_s == 2 * curve.points[i + 1].measurement.value_s);
    }
}

TEST_CASE("one rank that measures messages is a doubt of the run, one that measures local calls is none") {
    Subject subject = invented_subject({test::full_plan({}).front()});
    REQUIRE(subject.curves[0].suite().operation.pattern != Pattern::simple);
    const auto has_doubt = [&] {
        const std::vector<Doubt> found = run_doubts(subject);
        return std::ranges::find(found, DoubtKind::one_rank, &Doubt::kind) != found.end();
    };
    CHECK_FALSE(has_doubt());
    subject.run->ranks = 1;
    CHECK(has_doubt());
    CHECK(gravest(all_doubts(subject))->kind == DoubtKind::one_rank);
    subject.curves[0].stored.suite.operation.pattern = Pattern::simple;
    CHECK_FALSE(has_doubt());
}
