// SPDX-License-Identifier: GPL-2.0-or-later
// Groups of algorithms against a laboratory with invented times: no MPI call is made, no clock is read.
#include "capture_binding.hpp"
#include "close_to.hpp"
#include "interruption/crash_protocol.hpp"
#include "ping_pong_suite.hpp"
#include "scratch_folder.hpp"
#include "suite/group_run.hpp"

#include <algorithm>
#include <cmath>
#include <doctest/doctest.h>
#include <functional>
#include <limits>
#include <map>
#include <random>
#include <set>

using namespace skampi;

namespace {

constexpr double alpha_s = 2e-6;
double linear_s(std::int64_t m, double alpha_factor = 1, double beta_factor = 1) {
    return alpha_factor * alpha_s + beta_factor * 1e-9 * static_cast<double>(m);
}

struct Visit {
    int suite = 0;
    std::int64_t argument = 0;
    auto operator<=>(const Visit&) const = default;
};

/// Times are a function of suite and argument; the clock moves only by what is measured.
class GroupLaboratory : public Laboratory {
public:
    std::vector<std::function<double(std::int64_t)>> time_s; ///< by suite of the plan
    double noise = 0.01;
    std::set<Visit> refused;
    std::set<int> disturbed;     ///< suites whose ranks lose their cores
    std::map<int, double> calls; ///< made of each suite
    std::vector<Visit> visits;   ///< in the order prepared
    std::ptrdiff_t stop_after = std::numeric_limits<std::ptrdiff_t>::max();
    bool stop = false;
    /// Before each series; may throw what is no LaboratoryError: the job is gone.
    std::function<void(const Visit&)> on_series;
    double clock_s = 0;
    std::function<double(double)> slowness = [](double) { return 1.0; };

    double now() override { return clock_s; }
    std::string prepare(int suite, std::int64_t argument) override {
        visits.push_back({suite, argument});
        return {};
    }
    std::set<Visit> wrong; ///< what delivers wrong data
    bool delivered_right() const override { return !wrong.contains(visits.back()); }
    double messages() const override { return 2; }
    bool computes() const override { return false; }
    std::map<std::string, std::string> suite_facts() override { return {}; }
    std::vector<RankFacts> end_suite() override { return {}; }
    bool stop_wanted() override { return stop || std::ssize(visits) > stop_after; }

    SeriesResult series(const SeriesOrder& order) override {
        const Visit& here = visits.back();
        if (on_series)
            on_series(here);
        if (refused.contains(here) && !order.empty)
            throw LaboratoryError("rank 0: MPI_Bcast returned MPI_ERR_OTHER");
        SeriesResult result;
        const double begin_s = clock_s;
        const auto call = [&] {
            const double call_s = order.empty
                                      ? 1e-9
                                      : slowness(clock_s) * (1 + noise * normal_(random_)) *
                                            time_s[static_cast<std::size_t>(here.suite)](here.argument);
            clock_s += std::max(call_s, order.window_s);
            calls[here.suite] += order.empty ? 0 : 1;
            return call_s;
        };
        for (; result.warm_up_calls < order.warm_up; ++result.warm_up_calls)
            result.warm_up_call_s =
                result.warm_up_calls == 0 ? call() : std::min(result.warm_up_call_s, call());
        for (std::int64_t b = 0; b < order.batches && !time_is_over(order, b, clock_s); ++b) {
            Batch batch;
            batch.block = order.block;
            batch.dirty = disturbed.contains(here.suite);
            batch.start_s = clock_s;
            for (std::int64_t i = 0; i < order.per_batch; ++i)
                batch.duration_s.push_back(call());
            result.batches.push_back(batch);
        }
        result.inside_s = clock_s - begin_s;
        return result;
    }

private:
    std::mt19937_64 random_{7};
    std::normal_distribution<double> normal_;
};

Suite member(const std::string& algorithm) {
    Suite suite = ping_pong_suite();
    suite.operation = {17, "MPI_Bcast", "MPI_Bcast", Pattern::collective, {Varied::message_length}};
    suite.arguments = {.scale = skalib::Scale::dynamic_log,
                       .start = 1,
                       .end = 32768,
                       .stepwidth = 2,
                       .multiple_of = 1,
                       .min_distance = 1,
                       .max_steps = 40,
                       .max_relative_error = 0.02};
    suite.passes = 4;
    suite.max_suite_time_s = 120;
    suite.family = "Bcast";
    suite.algorithm = algorithm;
    suite.name = "Bcast (Algorithm = " + (algorithm.empty() ? "default" : algorithm) + ")";
    return suite;
}

/// A database with one run of a group.
struct GroupWorld {
    explicit GroupWorld(const std::vector<std::string>& algorithms,
                        skalib::Scale scale = skalib::Scale::dynamic_log)
        : database(Database::open_for_writing(scratch / "r.db")) {
        for (const std::string& algorithm : algorithms) {
            plan.push_back(member(algorithm));
            plan.back().arguments.scale = scale;
        }
        Run facts;
        facts.uuid = "u";
        facts.plan_hash = "h";
        facts.ranks = 2;
        facts.host = "here";
        run = database.begin_run(facts, plan);
        suites = database.suites(run);
    }
    std::vector<SuiteOutcome> simulate(GroupLaboratory& laboratory) {
        return measure(laboratory, 1, {.warm_up_s = 0});
    }
    std::vector<SuiteOutcome> measure(GroupLaboratory& laboratory, std::uint64_t seed = 1,
                                      const Tempo& tempo = Tempo{}) {
        RunState state;
        std::vector<SuiteOfRun> group;
        for (const StoredSuite& suite : suites)
            group.push_back({suite.suite, suite.ordinal, 2, suite.id, false});
        GroupRun group_run(group, laboratory, tempo, database, state, seed);
        return group_run.measure({.on_point = on_point, .on_visit = on_visit, .on_ready = {}});
    }
    std::function<void(std::int64_t, double)> on_visit; ///< after it
    std::function<void(std::size_t, const Measurement&)> on_point;
    [[nodiscard]] std::map<std::int64_t, Measurement> results(std::size_t place) const {
        std::map<std::int64_t, Measurement> all;
        for (const StoredMeasurement& m : database.measurements(suites[place].id))
            if (m.finished)
                all[m.measurement.argument] = m.measurement;
        return all;
    }
    ScratchFolder scratch;
    Database database;
    std::vector<Suite> plan;
    RunId run = 0;
    std::vector<StoredSuite> suites;
};

/// default = the first; ring is the fastest of long messages, brucks of short ones, tree never near.
GroupLaboratory four_algorithms() {
    GroupLaboratory laboratory;
    laboratory.time_s = {
        [](std::int64_t m) { return linear_s(m); }, [](std::int64_t m) { return linear_s(m, 2, 0.5); },
        [](std::int64_t m) { return linear_s(m, 0.7, 2); }, [](std::int64_t m) { return linear_s(m, 3, 3); }};
    return laboratory;
}
const std::vector<std::string> four = {"", "ring", "brucks", "tree"};

/// The first pass of a member.
const std::vector<std::int64_t> coarse_first{1, 16, 256, 4096, 4,   64,   1024, 16384,
                                             2, 8,  32,  128,  512, 2048, 8192, 32768};

} // namespace

TEST_CASE("suites of a group differ in their algorithm and their names alone") {
    CHECK(differ_in_algorithm(member(""), member("ring")));
    CHECK_FALSE(differ_in_algorithm(member("ring"), member("ring")));
    Suite other = member("ring");
    other.ranks = 4;
    CHECK_FALSE(differ_in_algorithm(member(""), other));
    other = member("ring");
    other.family = "Another block";
    CHECK_FALSE(differ_in_algorithm(member(""), other));
}

TEST_CASE("at each stay of the first pass each member has one turn, in an order drawn for the stay") {
    GroupWorld world(four);
    GroupLaboratory laboratory;
    laboratory.time_s.assign(four.size(), [](std::int64_t m) { return linear_s(m); });
    (void)world.measure(laboratory);
    std::set<std::vector<int>> orders;
    std::size_t at = 0;
    for (const std::int64_t m : coarse_first) {
        std::vector<int> order;
        for (; at < laboratory.visits.size() && laboratory.visits[at].argument == m; ++at) {
            if (order.size() == 4 && order.back() != laboratory.visits[at].suite)
                break;                                                        // a later pass
            if (order.empty() || order.back() != laboratory.visits[at].suite) // overheads prepare again
                order.push_back(laboratory.visits[at].suite);
        }
        CAPTURE(m);
        CHECK(order.size() == 4);
        orders.insert(order);
        std::ranges::sort(order);
        CHECK(order == std::vector{0, 1, 2, 3});
    }
    CHECK(orders.size() > 4);
}

TEST_CASE("each member gets its own times") {
    GroupWorld world(four);
    GroupLaboratory laboratory = four_algorithms();
    for (const SuiteOutcome& outcome : world.measure(laboratory)) {
        CHECK(outcome.error.empty());
        CHECK(outcome.refused.empty());
    }
    for (std::size_t i = 0; i < 4; ++i) {
        const auto results = world.results(i);
        CHECK(results.size() >= 9);
        for (const auto& [m, result] : results) {
            CAPTURE_BINDING(m);
            CHECK(result.value_s == close_to(laboratory.time_s[i](m)).epsilon(0.03));
            CHECK(result.flags == 0);
        }
    }
}

TEST_CASE("the machine that slows down for a while meets all members alike") {
    GroupWorld world({"", "same"});
    GroupLaboratory laboratory;
    laboratory.time_s = {[](std::int64_t m) { return linear_s(m); },
                         [](std::int64_t m) { return linear_s(m); }};
    laboratory.slowness = [](double now_s) { return now_s < 0.05 ? 1.3 : 1.0; };
    (void)world.measure(laboratory);
    const auto first = world.results(0);
    const auto second = world.results(1);
    std::ptrdiff_t apart = 0; // but for the stay in which it ends
    for (const auto& [m, result] : first)
        apart += std::abs(second.at(m).value_s / result.value_s - 1) > 0.05 ? 1 : 0;
    CHECK(std::ssize(first) >= 16);
    CHECK(apart <= 1);
}

TEST_CASE("in a stay that another member repeats because of other work the default has a turn, too") {
    GroupWorld world({"", "near"}, skalib::Scale::fixed_log);
    GroupLaboratory laboratory;
    laboratory.time_s = {[](std::int64_t m) { return linear_s(m); },
                         [](std::int64_t m) { return linear_s(m, 1.05, 1.05); }};
    laboratory.disturbed = {1};
    std::map<Visit, int> told;
    world.on_point = [&](std::size_t place, const Measurement& m) {
        ++told[{static_cast<int>(place), m.argument}];
    };
    (void)world.measure(laboratory);
    CHECK(told.size() == 32);
    for (const auto& each : told)
        CHECK_MESSAGE(each.second == 1, each.first.suite, " ", each.first.argument);
    std::vector<std::set<int>> passes(2);
    for (std::size_t place = 0; place < 2; ++place)
        for (const StoredMeasurement& m : world.database.measurements(world.suites[place].id))
            if (m.measurement.argument == 256)
                for (const Batch& batch : world.database.batches(m.id))
                    passes[place].insert(batch.pass);
    CHECK(*passes[1].rbegin() >= member("").passes);
    for (const int pass : passes[1])
        if (pass >= member("").passes)
            CHECK_MESSAGE(passes[0].contains(pass), pass);
}

TEST_CASE("a member that is far from the fastest keeps the values of its first pass") {
    GroupWorld world(four);
    GroupLaboratory laboratory = four_algorithms();
    (void)world.measure(laboratory);
    const auto passes_of = [&](std::size_t place, std::int64_t argument) {
        std::set<int> passes;
        for (const StoredMeasurement& m : world.database.measurements(world.suites[place].id))
            if (m.measurement.argument == argument)
                for (const Batch& batch : world.database.batches(m.id))
                    passes.insert(batch.pass);
        return passes.size();
    };
    const auto planned = static_cast<std::size_t>(member("").passes);
    CHECK(passes_of(3, 1) == 1); // tree
    CHECK(passes_of(3, 32768) == 1);
    CHECK(passes_of(1, 1) == 1); // ring: slow for short messages
    CHECK(passes_of(1, 32768) == planned);
    CHECK(passes_of(2, 1) == planned); // brucks
    CHECK(passes_of(2, 32768) == 1);
    CHECK(passes_of(0, 1) == 2); // the default is what all are compared with
    CHECK(passes_of(0, 32768) == 2);
}

TEST_CASE("between two lengths at which it takes twice as long as the fastest a member is not visited") {
    GroupWorld world(four);
    GroupLaboratory laboratory = four_algorithms();
    (void)world.measure(laboratory);
    CHECK(world.results(0).size() >= 16);
    std::vector<std::int64_t> of_tree;
    for (const auto& [argument, result] : world.results(3))
        of_tree.push_back(argument);
    // The coarse ones, and the last one, which is between no others.
    CHECK(of_tree == std::vector<std::int64_t>{1, 4, 16, 64, 256, 1024, 4096, 16384, 32768});
    // Slow for short messages, the fastest for long ones.
    const auto of_ring = world.results(1);
    CHECK_FALSE(of_ring.contains(2));
    for (const std::int64_t argument : {2048, 8192, 32768})
        CHECK(of_ring.contains(argument));
}

TEST_CASE("on a fixed scale each member is visited at each argument, ascending") {
    GroupWorld world(four, skalib::Scale::fixed_log);
    GroupLaboratory laboratory = four_algorithms();
    (void)world.measure(laboratory);
    for (std::size_t i = 0; i < 4; ++i)
        CHECK(world.results(i).size() == 16);
}

TEST_CASE("a jump of the lowest curve is found, one of a member far above it is not looked for") {
    GroupWorld world({"", "near", "far"});
    GroupLaboratory laboratory;
    laboratory.noise = 0.001;
    laboratory.time_s = {[](std::int64_t m) { return 4 * linear_s(m); },
                         [](std::int64_t m) { return (m < 1000 ? 0.5 : 1.5) * linear_s(m); },
                         [](std::int64_t m) { return (m < 300 ? 10 : 20) * linear_s(m); }};
    (void)world.measure(laboratory);
    CHECK(world.results(1).contains(999));
    CHECK(world.results(1).contains(1000));
    CHECK(world.results(2).size() < 16);
}

TEST_CASE("in a simulation two names of one algorithm are measured once between two lengths") {
    GroupWorld world({"", "one", "other", "alike to 1000"});
    GroupLaboratory laboratory;
    laboratory.noise = 0;
    const auto jumps = [](std::int64_t m) { return (m < 300 ? 0.5 : 0.8) * linear_s(m); };
    laboratory.time_s = {[](std::int64_t m) { return linear_s(m); }, jumps, jumps,
                         [&](std::int64_t m) { return m < 1000 ? jumps(m) : 0.6 * linear_s(m); }};
    (void)world.simulate(laboratory);
    CHECK(world.results(1).contains(300));
    CHECK(world.results(2).contains(1));
    CHECK(world.results(2).contains(32768));
    CHECK(2 * world.results(2).size() < world.results(1).size());
    CHECK(world.results(3).contains(999));
    CHECK(world.results(3).contains(1000));
}

TEST_CASE("in a simulation a step of a slower member between two powers of two is found") {
    const auto is_found = [](bool simulated) {
        GroupWorld world({"", "steady", "in segments"});
        GroupLaboratory laboratory;
        laboratory.noise = 0;
        laboratory.time_s = {[](std::int64_t m) { return 3 * linear_s(m); },
                             [](std::int64_t m) { return linear_s(m); },
                             [](std::int64_t m) { return (m > 1024 && m < 1900 ? 0.7 : 1.3) * linear_s(m); }};
        (void)(simulated ? world.simulate(laboratory) : world.measure(laboratory));
        return world.results(2).contains(1448); // between 1,024 and 2,048
    };
    CHECK(is_found(true));
    CHECK_FALSE(is_found(false)); // it would cost too much
}

TEST_CASE("a member that delivers wrong data does not keep others from being measured") {
    const auto measured_of_right = [](bool one_is_wrong) {
        GroupWorld world({"", "fast and wrong", "right"});
        GroupLaboratory laboratory;
        laboratory.time_s = {[](std::int64_t m) { return 3 * linear_s(m); },
                             [](std::int64_t m) { return 0.5 * linear_s(m); },
                             [](std::int64_t m) { return (m < 3000 ? 2 : 1.6) * linear_s(m); }};
        if (one_is_wrong)
            laboratory.wrong.insert({1, 1});
        (void)world.measure(laboratory);
        return world.results(2).size();
    };
    CHECK(measured_of_right(true) > 16); // its jump was looked for
    CHECK(measured_of_right(false) < 16);
}

TEST_CASE("six algorithms over sixteen lengths cost at most 2.5 times what one costs") {
    for (const double noise : {0.002, 0.02}) {
        CAPTURE(noise);
        const auto time_of = [&](std::size_t count) {
            std::vector<std::string> names{""};
            GroupLaboratory laboratory;
            laboratory.noise = noise;
            for (std::size_t i = 0; i < count; ++i) {
                if (i > 0)
                    names.push_back("a" + std::to_string(i));
                const double factor = i == 0 ? 1 : 0.6 + 0.2 * static_cast<double>(i); // 0.8, 1, 1.2, ...
                laboratory.time_s.emplace_back([factor](std::int64_t m) { return factor * linear_s(m); });
            }
            GroupWorld world(names);
            if (count == 1) { // as it is without a group
                RunState state;
                world.database.begin_suite(world.suites[0].id);
                SuiteRun suite({world.plan[0], 0, 2, world.suites[0].id}, laboratory, Tempo{}, world.database,
                               state);
                (void)suite.measure();
            } else {
                (void)world.measure(laboratory);
            }
            std::size_t points = 0;
            for (std::size_t i = 0; i < count; ++i)
                points += world.results(i).size();
            INFO(count, " members: ", points, " points, ", laboratory.visits.size(), " visits");
            return laboratory.clock_s;
        };
        const double one_s = time_of(1);
        CHECK(time_of(6) <= 2.5 * one_s);
    }
}

TEST_CASE("what the library refuses is refused at that argument, for that member") {
    GroupWorld world(four);
    GroupLaboratory laboratory = four_algorithms();
    for (std::int64_t m = 1; m <= 32768; ++m) {
        laboratory.refused.insert({3, m});
        if (m > 1000)
            laboratory.refused.insert({1, m});
    }
    const std::vector<SuiteOutcome> outcomes = world.measure(laboratory);
    for (const SuiteOutcome& outcome : outcomes) {
        CHECK(outcome.error.empty());
        CHECK(outcome.impossible.empty());
    }
    CHECK(outcomes[0].refused.empty());
    CHECK(outcomes[1].refused.begin()->first > 900);
    CHECK(outcomes[3].refused.size() == 16);
    CHECK(world.results(0).size() >= 16);
    CHECK(world.results(1).contains(512));
    CHECK_FALSE(world.results(1).contains(2048));
    CHECK(world.results(3).empty());
}

TEST_CASE("an MPI error of the library's own choice ends that member alone") {
    GroupWorld world(four);
    GroupLaboratory laboratory = four_algorithms();
    laboratory.refused.insert({0, 64});
    const std::vector<SuiteOutcome> outcomes = world.measure(laboratory);
    CHECK(outcomes[0].mpi_error);
    CHECK(outcomes[1].error.empty());
    CHECK(world.results(1).size() >= 16);
}

TEST_CASE("stopped in the middle, a group goes on where it was and repeats no visit") {
    GroupWorld world(four);
    GroupLaboratory first = four_algorithms();
    first.stop_after = 30;
    for (const SuiteOutcome& outcome : world.measure(first))
        CHECK(outcome.stopped);
    const auto batches_of = [&] {
        std::map<Visit, std::set<int>> passes;
        for (std::size_t i = 0; i < 4; ++i)
            for (const StoredMeasurement& m : world.database.measurements(world.suites[i].id))
                for (const Batch& batch : world.database.batches(m.id))
                    passes[{static_cast<int>(i), m.measurement.argument}].insert(batch.pass);
        return passes;
    };
    const auto before = batches_of();
    CHECK(before.size() > 10);
    GroupLaboratory second = four_algorithms();
    for (const SuiteOutcome& outcome : world.measure(second)) {
        CHECK(outcome.error.empty());
        CHECK_FALSE(outcome.stopped);
    }
    // In the first pass, which comes first, nobody was visited again where it had been.
    std::set<Visit> seen;
    for (const Visit& visit : second.visits) {
        if (visit.argument == 32768)
            break;
        if (before.contains(visit))
            seen.insert(visit);
    }
    CHECK(seen.empty());
    CHECK(world.results(0).size() >= 16);
    CHECK(world.results(3).size() <= 10); // the stop may leave one in doubt
}

TEST_CASE("a stop between two visits ends a group, too, and all members go on later") {
    int most = 0; // visits of a whole run
    {
        GroupWorld world(four);
        GroupLaboratory laboratory = four_algorithms();
        world.on_visit = [&](std::int64_t, double) { ++most; };
        (void)world.measure(laboratory);
    }
    REQUIRE(most > 60);
    for (int after = 1; after < most; after += most / 12) { // in each of the passes
        CAPTURE(after);
        GroupWorld world(four);
        GroupLaboratory laboratory = four_algorithms();
        int visits = 0;
        world.on_visit = [&](std::int64_t, double) {
            laboratory.stop = laboratory.stop || ++visits == after;
        };
        for (const SuiteOutcome& outcome : world.measure(laboratory))
            CHECK(outcome.stopped);
        CHECK(visits == after);
        laboratory.stop = false;
        world.on_visit = {};
        for (const SuiteOutcome& outcome : world.measure(laboratory))
            CHECK_FALSE(outcome.stopped);
        CHECK(world.results(0).size() >= 16);
    }
}

TEST_CASE("where the job ends in a member's turn, that member is put off and no other") {
    GroupWorld world(four);
    GroupLaboratory laboratory = four_algorithms();
    struct Gone {};
    laboratory.on_series = [](const Visit& visit) {
        if (visit.suite == 2 && visit.argument == 256)
            throw Gone();
    };
    CHECK_THROWS_AS((void)world.measure(laboratory), Gone);
    const std::vector<StoredSuite> culprits =
        note_interrupted(world.database, world.run, "crash", "signal 11", 1, "2026-11-24T10:00:00Z");
    REQUIRE(culprits.size() == 1);
    CHECK(culprits[0].suite.algorithm == "brucks");
    CHECK(culprits[0].state == SuiteState::put_off);
    for (const StoredSuite& suite : world.database.suites(world.run))
        CHECK(suite.attempts == (suite.suite.algorithm == "brucks" ? 1 : 0));
}

TEST_CASE("a suite's time counts its own turns only") {
    GroupWorld world(four);
    for (StoredSuite& suite : world.suites)
        suite.suite.max_suite_time_s = 2;
    GroupLaboratory laboratory = four_algorithms();
    (void)world.measure(laboratory);
    for (std::size_t i = 0; i < 4; ++i)
        for (const auto& [m, result] : world.results(i))
            CHECK_FALSE(has(result.flags, Flag::timed_out));
}
