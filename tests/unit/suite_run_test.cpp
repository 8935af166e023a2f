// SPDX-License-Identifier: GPL-2.0-or-later
// The measuring core against a laboratory with invented times: no MPI call is made, no clock is read.
#include "capture_binding.hpp"
#include "close_to.hpp"
#include "ping_pong_suite.hpp"
#include "runs/earlier_launches.hpp"
#include "scratch_folder.hpp"
#include "suite/suite_run.hpp"

#include <algorithm>
#include <cmath>
#include <doctest/doctest.h>
#include <filesystem>
#include <functional>
#include <limits>
#include <memory>
#include <numeric>
#include <random>
#include <set>

using namespace skampi;

namespace {

/// Times are a function of the argument; the clock moves only by what is measured.
class InventedLaboratory : public Laboratory {
public:
    std::function<double(std::int64_t)> time_s = [](std::int64_t m) {
        return 1e-6 + 1e-9 * static_cast<double>(m);
    };
    std::optional<double> hidden;             ///< share of a nonblocking operation hidden behind computation
    double noise = 0;                         ///< relative standard deviation
    std::function<double(double)> probe_s;    ///< of the time; empty = no probes
    std::function<double(double)> throughput; ///< of the slowest core, of the time; empty = not measured
    double shared_factor = 1;                 ///< calls take so much longer while it is below 3
    double far_factor = 1;                    ///< calls take so much longer while the probe is above 1 us
    std::set<std::int64_t> wrong;             ///< arguments whose data arrive wrong
    std::set<std::int64_t> wrong_later;       ///< those that arrive wrong after the first call
    std::set<std::int64_t> impossible;        ///< arguments that cannot be prepared
    std::int64_t fail_at_series = -1;         ///< this series ends with an MPI error
    bool shared_cores = false;
    std::function<void()> before_empty; ///< series
    std::function<void()> after_empty;
    std::function<void(const SeriesOrder&)> on_order; ///< before each series
    std::function<double()> next_probe_s;             ///< in place of probe_s
    bool fail_empty = false;                          ///< as does each of empty calls
    /// What the loop itself takes, of the way its ranks start and the time; in every single measurement.
    std::function<double(Synchronization, double)> loop_s = [](Synchronization, double) { return 1e-9; };
    std::function<bool(double)> interrupted; ///< batches, of the time; empty = none
    double between_s = 0;                    ///< what is done to the buffers before each call
    double late_from_s = 0;                  ///< from when on windows are missed
    std::int64_t stop_at_series = -1;        ///< a stop is wanted from this series on
    double stop_at_s = std::numeric_limits<double>::infinity();
    std::ptrdiff_t stop_after_visits = std::numeric_limits<std::ptrdiff_t>::max();
    double late_share = 0;         ///< of the windows
    std::int64_t slow_at_head = 0; ///< calls of a batch that take a quarter longer
    double agreement_s = 0;        ///< of ranks on the start of a batch
    std::vector<int> node_ranks;   ///< whose times are told, all alike
    /// Until the last rank has ended, where that is not rank 0; empty = it is.
    std::function<double(std::int64_t)> span_s;
    std::int64_t series_count = 0;
    std::vector<std::int64_t> look_every; ///< of all series with batches
    double longest_empty_s = 0;           ///< series of empty calls
    std::vector<std::int64_t> visited;    ///< arguments in the order prepared
    double clock_s = 0;
    /// Everything takes so many times as long at a time.
    std::function<double(double)> slowness = [](double) { return 1.0; };

    double now() override { return clock_s; }
    std::string prepare(int, std::int64_t argument) override {
        argument_ = argument;
        visited.push_back(argument);
        return impossible.count(argument) != 0 ? "no memory" : "";
    }
    bool delivered_right() const override { return wrong.count(argument_) == 0; }
    bool still_right() override { return delivered_right() && wrong_later.count(argument_) == 0; }
    double messages() const override { return 64; }
    bool computes() const override { return hidden.has_value(); }
    bool cores_are_shared() const override { return shared_cores; }
    std::map<std::string, std::string> suite_facts() override { return {}; }
    std::vector<RankFacts> end_suite() override { return {}; }
    bool stop_wanted() override {
        return (stop_at_series >= 0 && series_count >= stop_at_series) || clock_s >= stop_at_s ||
               std::ssize(visited) > stop_after_visits;
    }

    SeriesResult series(const SeriesOrder& order) override {
        SeriesResult result;
        if (on_order)
            on_order(order);
        if ((order.empty && fail_empty) || (!order.empty && series_count++ == fail_at_series)) {
            throw LaboratoryError("rank 1: MPI_Send returned an error");
        }
        if (order.empty && before_empty)
            before_empty();
        const double begin_s = clock_s;
        double probing_s = 0;
        const auto over = [&] {
            return stop_wanted() || time_is_over(order, std::ssize(result.batches), clock_s);
        };
        for (std::int64_t& calls = result.warm_up_calls; calls < order.warm_up;) {
            if (over() || warm_up_is_over(order, calls, clock_s - begin_s))
                break;
            const std::int64_t next = next_warm_up_calls(order, calls);
            for (std::int64_t i = 0; i < next; ++i) {
                const double call_s = order.empty
                                          ? 1e-9
                                          : slowness(clock_s) * (between_s + time_s(argument_) +
                                                                 loop_s(order.synchronization, clock_s));
                result.warm_up_call_s = calls + i == 0 ? call_s : std::min(result.warm_up_call_s, call_s);
                clock_s += call_s;
            }
            calls += next;
        }
        const auto probe = [&] {
            if (!probe_s || order.probe_every == 0)
                return 0.0;
            const double p = next_probe_s ? next_probe_s() : probe_s(clock_s);
            clock_s += 20 * p;
            probing_s += 20 * p;
            result.probe_cost_s = 20 * p;
            return p;
        };
        const auto throughput_now = [&] { return throughput ? throughput(clock_s) : 0.0; };
        double before_s = order.batches > 0 && !over() ? probe() : 0;
        std::int64_t windows = 0;
        std::int64_t late = 0;
        for (std::int64_t b = 0; b < order.batches && !over(); ++b) {
            if (windows_are_hopeless(windows, late))
                break;
            Batch batch;
            batch.block = order.block;
            batch.start_s = clock_s;
            batch.probe_before_s = before_s;
            batch.core_clock_hz = 3e9;
            batch.core_throughput = throughput_now();
            batch.dirty = interrupted && interrupted(clock_s);
            result.warm_up_calls += order.lead_in * order.block;
            for (std::int64_t i = -order.lead_in; i < order.per_batch; ++i) {
                const double factor = (i + order.lead_in < slow_at_head ? 1.25 : 1) *
                                      (probe_s && probe_s(clock_s) > 1e-6 ? far_factor : 1) *
                                      (throughput && throughput(clock_s) < 3 ? shared_factor : 1);
                const double alone_s =
                    order.empty ? 0 : factor * time_s(argument_) * (1 + noise * normal_(random_));
                const double operation_s = order.empty ? 0
                                           : hidden    ? alone_s + order.computation_s -
                                                          *hidden * std::min(alone_s, order.computation_s)
                                                    : alone_s;
                const double t = slowness(clock_s) * (operation_s + loop_s(order.synchronization, clock_s));
                clock_s += order.empty ? 0 : slowness(clock_s) * between_s;
                clock_s += std::max(t * static_cast<double>(order.block), order.window_s);
                if (i < 0)
                    continue;
                ++windows;
                if (late_share > 0 && clock_s >= late_from_s &&
                    order.synchronization == Synchronization::window && uniform_(random_) < late_share) {
                    ++batch.late;
                    ++late;
                    continue;
                }
                batch.duration_s.push_back(t);
            }
            before_s = probe();
            batch.probe_after_s = before_s;
            batch.core_throughput = std::min(batch.core_throughput, throughput_now());
            for (const int rank : node_ranks)
                batch.node_durations.push_back({rank, batch.duration_s});
            result.batches.push_back(batch);
        }
        result.agreement_s = agreement_s;
        if (span_s && !order.empty && result.batches.empty() && order.batches == 0)
            result.warm_up_span_s = span_s(argument_);
        if (span_s && !order.empty)
            result.span_s.assign(result.batches.size(), span_s(argument_));
        result.inside_s = clock_s - begin_s - probing_s;
        if (order.empty && after_empty)
            after_empty();
        if (order.batches > 0)
            look_every.push_back(order.look_every);
        if (order.empty)
            longest_empty_s = std::max(longest_empty_s, clock_s - begin_s);
        return result;
    }

private:
    std::int64_t argument_ = 0;
    std::mt19937_64 random_{42};
    std::normal_distribution<double> normal_;
    std::uniform_real_distribution<double> uniform_;
};

Suite broadcast_suite() {
    Suite suite = ping_pong_suite();
    suite.operation = {17, "MPI_Bcast", "MPI_Bcast", Pattern::collective, {Varied::message_length}};
    suite.arguments.scale = skalib::Scale::fixed_log;
    return suite;
}

/// A database with one run of one suite, and what a start of the program does with it.
struct InventedWorld {
    explicit InventedWorld(Suite planned)
        : suite(std::move(planned))
        , database(Database::open_for_writing(scratch / "r.db")) {
        Run facts;
        facts.uuid = "u";
        facts.plan_hash = "h";
        facts.ranks = 2;
        facts.host = "here";
        run = database.begin_run(facts, {suite});
        id = database.suites(run).front().id;
    }
    SuiteOutcome measure(InventedLaboratory& laboratory) {
        RunState state;
        return measure(laboratory, state);
    }
    SuiteOutcome measure(InventedLaboratory& laboratory, RunState& state) {
        database.begin_suite(id);
        Tempo tempo;
        SuiteRun suite_run({.suite = suite,
                            .index = 0,
                            .ranks_there = 2,
                            .id = id,
                            .without_windows = without_windows,
                            .looked_at = looked_at},
                           laboratory, tempo, database, state);
        return suite_run.measure({.on_point = [&](const Measurement&) { ++finished; }});
    }
    std::map<std::int64_t, Measurement> results() {
        std::map<std::int64_t, Measurement> all;
        for (const StoredMeasurement& m : database.measurements(id))
            if (m.finished)
                all[m.measurement.argument] = m.measurement;
        return all;
    }
    [[nodiscard]] std::vector<Batch> batches() const {
        std::vector<Batch> all;
        for (const StoredMeasurement& m : database.measurements(id))
            for (const Batch& batch : database.batches(m.id))
                all.push_back(batch);
        return all;
    }
    ScratchFolder scratch;
    Suite suite;
    Database database;
    RunId run = 0;
    SuiteId id = 0;
    int finished = 0;
    bool without_windows = false;
    std::vector<std::int64_t> looked_at;
};

} // namespace

TEST_CASE("a straight line is measured at the first pass only and to its true values") {
    InventedWorld world(ping_pong_suite());
    InventedLaboratory laboratory;
    laboratory.noise = 0.002;
    const SuiteOutcome outcome = world.measure(laboratory);
    CHECK(outcome.error.empty());
    const auto results = world.results();
    CHECK(results.size() == 13); // 1, 2, 4, ... 4096
    CHECK(world.finished == 13);
    for (const auto& [m, result] : results) {
        CHECK(result.value_s == close_to(laboratory.time_s(m)).epsilon(0.01));
        CHECK(result.summary.count >= 8);
        CHECK(result.flags == 0);
        CHECK(result.messages == 64);
    }
}

TEST_CASE("who takes part can be stored before anything that was measured") {
    for (const bool possible : {true, false}) {
        InventedWorld world(ping_pong_suite());
        InventedLaboratory laboratory;
        if (!possible)
            laboratory.impossible = {1};
        int calls = 0;
        world.database.begin_suite(world.id);
        RunState state;
        SuiteRun suite_run({world.suite, 0, 2, world.id}, laboratory, Tempo{}, world.database, state);
        (void)suite_run.measure({.on_ready = [&] {
            ++calls;
            CHECK(world.batches().empty());
            CHECK_FALSE(laboratory.visited.empty());
        }});
        CHECK(calls == (possible ? 1 : 0));
    }
}

TEST_CASE("a jump is found between two neighbouring arguments") {
    InventedWorld world(ping_pong_suite());
    InventedLaboratory laboratory;
    laboratory.time_s = [](std::int64_t m) {
        return (m < 1000 ? 1e-6 : 3e-6) + 1e-9 * static_cast<double>(m);
    };
    world.measure(laboratory);
    const auto results = world.results();
    CHECK(results.count(999) == 1);
    CHECK(results.count(1000) == 1);
    CHECK(results.size() <= 13 + 20);
}

TEST_CASE("in the end it is known where straight lines are worst, after a stop as without one") {
    Suite suite = ping_pong_suite();
    suite.arguments.min_distance = 64;
    InventedLaboratory jumping;
    jumping.time_s = [](std::int64_t m) { return m < 1000 ? 1e-6 : 3e-6; };
    InventedWorld uninterrupted(suite);
    InventedLaboratory whole = jumping;
    const SuiteOutcome outcome = uninterrupted.measure(whole);
    REQUIRE(outcome.worst_segment);
    CHECK(outcome.worst_segment->begin < 1000);
    CHECK(outcome.worst_segment->end >= 1000);
    CHECK(outcome.worst_segment->end - outcome.worst_segment->begin < 128);
    // It cannot be told from a ramp over the segment, whose end misses the other neighbour's line by its
    // width.
    CHECK(outcome.worst_segment->key > 0.05);
    CHECK(outcome.worst_segment->key <= 0.13);

    InventedWorld world(suite);
    InventedLaboratory first = jumping;
    first.stop_at_series = 60;
    const SuiteOutcome stopped = world.measure(first);
    CHECK(stopped.stopped);
    CHECK_FALSE(stopped.worst_segment);
    InventedLaboratory second = jumping;
    const SuiteOutcome ended = world.measure(second);
    REQUIRE(ended.worst_segment);
    CHECK(ended.worst_segment->begin == outcome.worst_segment->begin);
    CHECK(ended.worst_segment->key == close_to(outcome.worst_segment->key).epsilon(1e-6));
}

TEST_CASE("the block follows the clock") {
    InventedLaboratory laboratory;
    for (const auto& [block_s, calls] : {std::pair{4e-6, 4}, {103e-6, 128}}) {
        InventedWorld world(ping_pong_suite());
        Tempo tempo;
        tempo.block_s = block_s;
        RunState state;
        world.database.begin_suite(world.id);
        laboratory.time_s = [](std::int64_t) { return 1e-6; };
        SuiteRun suite_run({world.suite, 0, 2, world.id}, laboratory, tempo, world.database, state);
        (void)suite_run.measure();
        for (const Batch& batch : world.batches())
            CHECK(batch.block == calls);
    }
}

TEST_CASE("passes over the arguments alternate in direction") {
    Suite suite = ping_pong_suite();
    suite.arguments.scale = skalib::Scale::fixed_log;
    suite.arguments.end = 8;
    suite.passes = 4;
    InventedWorld world(suite);
    InventedLaboratory laboratory;
    laboratory.noise = 0.01;
    world.measure(laboratory);
    std::vector<std::int64_t> expected;
    for (int pass = 0; pass < 4; ++pass)
        for (const std::int64_t m :
             pass % 2 == 0 ? std::vector<std::int64_t>{1, 2, 4, 8} : std::vector<std::int64_t>{8, 4, 2, 1})
            expected.push_back(m);
    CHECK(laboratory.visited == expected);
}

TEST_CASE("every stay at an argument is told, with a share that grows to the whole") {
    for (const bool limited : {false, true}) {
        CAPTURE(limited);
        Suite suite = ping_pong_suite();
        suite.arguments.scale = skalib::Scale::fixed_log;
        suite.arguments.end = 8;
        suite.passes = 4;
        if (limited)
            suite.max_suite_time_s = 0.05;
        InventedWorld world(suite);
        InventedLaboratory laboratory;
        laboratory.noise = 0.01;
        const Tempo tempo;
        RunState state;
        world.database.begin_suite(world.id);
        SuiteRun suite_run({world.suite, 0, 2, world.id}, laboratory, tempo, world.database, state);
        std::vector<std::int64_t> told;
        std::vector<double> shares;
        (void)suite_run.measure({.on_visit = [&](std::int64_t argument, double share) {
            told.push_back(argument);
            shares.push_back(share);
        }});
        if (!limited)
            CHECK(told == laboratory.visited);
        CHECK(std::ranges::is_sorted(shares));
        CHECK(shares.front() < 0.3);
        CHECK(shares.back() > 0.9);
    }
}

TEST_CASE("orders grow with the logarithm of the repetitions") {
    std::vector<std::int64_t> series;
    for (const double noise : {0.05, 0.2, 0.8}) {
        Suite suite = ping_pong_suite();
        suite.arguments.end = 1;
        suite.passes = 1;
        suite.repetition.max_count = std::nullopt;
        suite.repetition.max_relative_error = 0.002;
        InventedWorld world(suite);
        InventedLaboratory laboratory;
        laboratory.noise = noise;
        world.measure(laboratory);
        series.push_back(laboratory.series_count);
        const std::int64_t n = world.results().at(1).summary.count;
        CHECK(laboratory.series_count <= 4 + std::log2(static_cast<double>(n)));
    }
    CHECK(series.back() > series.front());
}

TEST_CASE("values that never become repeatable are flagged at the maximum count") {
    Suite suite = ping_pong_suite();
    suite.arguments.end = 1;
    suite.repetition.max_relative_error = 1e-9;
    InventedWorld world(suite);
    InventedLaboratory laboratory;
    laboratory.noise = 0.1;
    CHECK(world.measure(laboratory).error.empty());
    CHECK(has(world.results().at(1).flags, Flag::not_repeatable));
}

TEST_CASE("a value that stopped at a limit has the flag of one of them") {
    Suite suite = ping_pong_suite();
    suite.arguments.end = 1;
    suite.repetition.max_relative_error = 1e-9;
    suite.repetition.max_count = 20;
    suite.max_suite_time_s = 0.5;
    InventedWorld world(suite);
    InventedLaboratory laboratory;
    laboratory.noise = 0.1;
    laboratory.interrupted = [](double) { return true; }; // replacing them takes until the time is over
    laboratory.time_s = [](std::int64_t) { return 1e-3; };
    CHECK(world.measure(laboratory).error.empty());
    const Flags flags = world.results().at(1).flags;
    CHECK(has(flags, Flag::not_repeatable) != has(flags, Flag::timed_out));
}

TEST_CASE("the time of a suite ends it with every argument of the first pass measured") {
    Suite suite = ping_pong_suite();
    suite.max_suite_time_s = 0.05;
    suite.repetition.max_relative_error = 1e-9;
    suite.repetition.max_count = std::nullopt;
    InventedWorld world(suite);
    InventedLaboratory laboratory;
    laboratory.noise = 0.1;
    world.measure(laboratory);
    const auto results = world.results();
    CHECK(results.size() >= 13);
    CHECK(laboratory.clock_s < 0.08);
    for (const auto& [m, result] : results) {
        CHECK(has(result.flags, Flag::timed_out));
        CHECK(result.summary.count >= 4);
    }
}

TEST_CASE("the value comes from the machine's majority mode, the other is stored with its share") {
    Suite suite = ping_pong_suite();
    suite.arguments.scale = skalib::Scale::fixed_log;
    suite.repetition.min_count = 64;
    InventedWorld world(suite);
    InventedLaboratory laboratory;
    laboratory.noise = 0.005;
    // Mostly near; far, and three times slower, during part of the time.
    laboratory.probe_s = [](double t) { return std::fmod(t, 0.02) > 0.014 ? 1.3e-6 : 0.3e-6; };
    laboratory.far_factor = 3;
    world.measure(laboratory);
    int mixed = 0;
    for (const auto& [m, result] : world.results()) {
        CHECK(result.mode == 0);
        CHECK(result.value_s == close_to(laboratory.time_s(m)).epsilon(0.02));
        if (result.modes.size() > 1) {
            ++mixed;
            CHECK(has(result.flags, Flag::several_modes));
            CHECK(result.modes[1].value_s == close_to(3 * laboratory.time_s(m)).epsilon(0.05));
            CHECK(result.modes[0].share + result.modes[1].share == close_to(1));
        }
    }
    CHECK(mixed > 0);
}

TEST_CASE("a nonblocking operation is measured alone, then with computation of equal length") {
    Suite suite = ping_pong_suite();
    suite.operation = {0, "MPI_Ibcast-computation", "", Pattern::collective, {Varied::message_length}};
    suite.synchronization = Synchronization::barrier;
    for (const double hidden : {0.0, 0.4, 1.0}) {
        CAPTURE(hidden);
        InventedWorld world(suite);
        InventedLaboratory laboratory;
        laboratory.noise = 0.005;
        laboratory.hidden = hidden;
        world.measure(laboratory);
        REQUIRE(world.results().size() > 4);
        for (const auto& [m, result] : world.results()) {
            CHECK(result.alone_s == close_to(laboratory.time_s(m)).epsilon(0.02));
            CHECK(result.computation_s == close_to(result.alone_s).epsilon(0.02));
            CHECK(result.value_s == close_to((2 - hidden) * laboratory.time_s(m)).epsilon(0.02));
            CHECK(std::abs(overlap(result) - hidden) < 0.03);
        }
    }
}

TEST_CASE("a call of the warm-up is no value of the operation alone") {
    Suite suite = broadcast_suite();
    suite.operation.name = "MPI_Ibcast-computation";
    InventedWorld world(suite);
    InventedLaboratory laboratory;
    laboratory.hidden = 0.4;
    laboratory.late_share = 1; // no window is kept: the ranks are started in another way soon
    CHECK(world.measure(laboratory).error.empty());
    for (const auto& [argument, m] : world.results()) {
        CAPTURE_BINDING(argument);
        CHECK(m.alone_s == close_to(laboratory.time_s(argument)).epsilon(0.001));
        CHECK(overlap(m) == close_to(0.4).epsilon(0.01));
    }
    // Where there is no time for it, nothing is known of it.
    suite.max_suite_time_s = 0.25;
    suite.synchronization = Synchronization::barrier;
    InventedWorld short_of_time(suite);
    InventedLaboratory slow;
    slow.hidden = 0.4;
    slow.time_s = [](std::int64_t) { return 0.3; };
    CHECK(short_of_time.measure(slow).error.empty());
    int without = 0;
    for (const auto& [argument, m] : short_of_time.results()) {
        without += m.alone_s == 0 ? 1 : 0;
        CHECK((m.alone_s == 0 || m.alone_s == close_to(0.3)));
    }
    CHECK(without == 1);
}

TEST_CASE("what disturbs the operation measured alone is not taken for overlap") {
    Suite suite = ping_pong_suite();
    suite.operation = {0, "MPI_Ibcast-computation", "", Pattern::collective, {Varied::message_length}};
    suite.synchronization = Synchronization::barrier;
    InventedWorld world(suite);
    InventedLaboratory laboratory;
    laboratory.noise = 0.005;
    laboratory.hidden = 0;
    laboratory.probe_s = [](double) { return 5e-7; };
    // A neighbour while the first arguments are measured for the first time.
    laboratory.throughput = [](double t) { return t < 0.002 ? 2.5 : 3.8; };
    laboratory.shared_factor = 1.6;
    CHECK(world.measure(laboratory).error.empty());
    const auto results = world.results();
    CHECK(results.at(1).computation_s > 1.5 * laboratory.time_s(1)); // which stays what it was then
    for (const auto& [argument, m] : results) {
        CAPTURE_BINDING(argument);
        CHECK(m.alone_s == close_to(laboratory.time_s(argument)).epsilon(0.02));
        CHECK(overlap(m) < 0.05);
    }
}

TEST_CASE("a value is made of no more single measurements than were asked for") {
    Suite suite = ping_pong_suite();
    suite.repetition.min_count = suite.repetition.max_count.emplace(10);
    InventedWorld world(suite);
    InventedLaboratory laboratory;
    laboratory.noise = 0.2;
    laboratory.throughput = [](double t) { return std::fmod(t, 0.02) < 0.01 ? 3.8 : 2.5; };
    laboratory.probe_s = [](double) { return 5e-7; };
    CHECK(world.measure(laboratory).error.empty());
    for (const auto& [argument, m] : world.results())
        CHECK(m.summary.count <= 10);
}

TEST_CASE("a neighbour on a core that comes and goes leaves no trace in the values") {
    Suite suite = ping_pong_suite();
    suite.arguments = {skalib::Scale::fixed_log, 1, 1024, 2, 1, 1, 64, 0.01};
    InventedLaboratory laboratory;
    laboratory.probe_s = [](double) { return 0.3e-6; };
    laboratory.throughput = [](double now_s) { return std::fmod(now_s, 0.03) < 0.015 ? 2.2 : 3.8; };
    laboratory.shared_factor = 1.5;
    laboratory.noise = 0.01;
    InventedWorld world(suite);
    RunState state;
    CHECK(world.measure(laboratory, state).error.empty());
    const auto results = world.results();
    REQUIRE(results.size() == 11);
    for (const auto& [argument, m] : results) {
        CAPTURE_BINDING(argument);
        CHECK(m.value_s == close_to(laboratory.time_s(argument)).epsilon(0.01));
        CHECK_FALSE(has(m.flags, Flag::disturbed));
        CHECK(m.discarded > 0);
    }
    CHECK(state.ledger.shared > 0);
    CHECK(state.ledger.shared < state.ledger.batches);
}

TEST_CASE("a neighbour that stays is accepted after a while, and the values say so") {
    Suite suite = ping_pong_suite();
    suite.arguments = {skalib::Scale::fixed_log, 1, 64, 2, 1, 1, 64, 0.01};
    InventedLaboratory laboratory;
    laboratory.probe_s = [](double) { return 0.3e-6; };
    laboratory.throughput = [](double) { return 2.2; };
    laboratory.shared_factor = 1.5;
    laboratory.noise = 0.05;
    InventedWorld world(suite);
    RunState state;
    state.modes.know(0.3e-6, 0.3e-6, 0.3e-6, 3.8); // an earlier run had the cores for itself
    CHECK(world.measure(laboratory, state).error.empty());
    for (const auto& [argument, m] : world.results()) {
        CAPTURE_BINDING(argument);
        CHECK(m.value_s == close_to(1.5 * laboratory.time_s(argument)).epsilon(0.02));
        CHECK(has(m.flags, Flag::disturbed));
        CHECK(m.summary.count <= 4 * *suite.repetition.max_count);
    }
}

TEST_CASE("beside a neighbour that stays, too, repetition ends by error, count or time") {
    Suite suite = ping_pong_suite();
    suite.arguments = {skalib::Scale::fixed_log, 1, 4, 2, 1, 1, 64, 0.01};
    suite.repetition.max_count.reset();
    suite.repetition.max_relative_error = 1e-9;
    suite.max_suite_time_s = 20;
    InventedLaboratory laboratory;
    laboratory.probe_s = [](double) { return 0.3e-6; };
    laboratory.throughput = [](double) { return 2.2; };
    laboratory.time_s = [](std::int64_t) { return 100e-6; };
    laboratory.noise = 0.05;
    InventedWorld world(suite);
    RunState state;
    state.modes.know(0.3e-6, 0.3e-6, 0.3e-6, 3.8);
    CHECK(world.measure(laboratory, state).error.empty());
    CHECK(laboratory.clock_s > 19);
    for (const auto& [argument, m] : world.results())
        CHECK((has(m.flags, Flag::disturbed) && has(m.flags, Flag::timed_out)));
}

TEST_CASE("what the cores can do may be learnt late: the values before are formed anew") {
    Suite suite = ping_pong_suite();
    suite.arguments = {skalib::Scale::fixed_log, 1, 64, 2, 1, 1, 64, 0.01};
    InventedLaboratory laboratory;
    laboratory.probe_s = [](double) { return 0.3e-6; };
    laboratory.throughput = [](double now_s) { return now_s < 0.014 ? 2.2 : 3.8; }; // the first pass and more
    laboratory.shared_factor = 1.5;
    InventedWorld world(suite);
    CHECK(world.measure(laboratory).error.empty());
    for (const auto& [argument, m] : world.results()) {
        CAPTURE_BINDING(argument);
        CHECK(m.value_s == close_to(laboratory.time_s(argument)).epsilon(0.01));
        CHECK_FALSE(has(m.flags, Flag::disturbed));
    }
}

TEST_CASE("wrong data are reported as such and never as a time") {
    InventedWorld world(ping_pong_suite());
    InventedLaboratory laboratory;
    laboratory.wrong = {64};
    world.measure(laboratory);
    const auto results = world.results();
    CHECK(has(results.at(64).flags, Flag::wrong_result));
    CHECK(std::isnan(results.at(64).value_s));
    CHECK_FALSE(std::isnan(results.at(32).value_s));
}

TEST_CASE("data that go wrong after many calls are seen, also where time is over before the last visit") {
    for (const bool starves : {false, true}) {
        CAPTURE(starves);
        Suite suite = ping_pong_suite();
        if (starves) {
            suite.max_suite_time_s = 0.05;
            suite.repetition.max_relative_error = 1e-9;
            suite.repetition.max_count = std::nullopt;
        }
        InventedWorld world(suite);
        InventedLaboratory laboratory;
        laboratory.noise = 0.1;
        for (std::int64_t argument = 0; argument <= suite.arguments.end; ++argument)
            laboratory.wrong_later.insert(argument);
        world.measure(laboratory);
        CHECK(world.results().size() >= 13);
        for (const auto& [argument, m] : world.results()) {
            CAPTURE_BINDING(argument);
            CHECK(has(m.flags, Flag::wrong_result));
            CHECK(std::isnan(m.value_s));
        }
    }
}

TEST_CASE("an argument that cannot be prepared is left out, the first one fails the suite") {
    InventedWorld world(ping_pong_suite());
    InventedLaboratory laboratory;
    laboratory.impossible = {4096};
    const SuiteOutcome outcome = world.measure(laboratory);
    CHECK(outcome.error.empty());
    CHECK(outcome.impossible == std::map<std::int64_t, std::string>{{4096, "no memory"}});
    CHECK(world.results().count(4096) == 0);

    InventedWorld none(ping_pong_suite());
    laboratory.impossible = {1};
    CHECK(none.measure(laboratory).error == "no memory");
}

TEST_CASE("an MPI error ends the suite with its text, what was measured is kept") {
    InventedWorld world(ping_pong_suite());
    InventedLaboratory laboratory;
    laboratory.fail_at_series = 30;
    const SuiteOutcome outcome = world.measure(laboratory);
    CHECK(outcome.mpi_error);
    CHECK(outcome.error.find("rank 1") != std::string::npos);
    CHECK(world.database.measurements(world.id).size() > 3);
}

TEST_CASE("the overhead of calls that take seconds is known soon") {
    Suite suite = ping_pong_suite();
    suite.operation = {17, "MPI_Bcast", "MPI_Bcast", Pattern::collective, {Varied::message_length}};
    InventedWorld world(suite);
    InventedLaboratory laboratory;
    laboratory.time_s = [](std::int64_t) { return 1.0; };
    CHECK(world.measure(laboratory).error.empty());
    CHECK(laboratory.longest_empty_s > 0);
    CHECK(laboratory.longest_empty_s < 5); // a few warm-up calls, not hundreds of windows
}

TEST_CASE("stopped at any series and started again, a suite ends as if never stopped") {
    Suite suite = ping_pong_suite();
    suite.arguments.end = 256;
    InventedWorld uninterrupted(suite);
    InventedLaboratory calm;
    calm.time_s = [](std::int64_t m) { return m < 100 ? 2e-6 : 5e-6; };
    uninterrupted.measure(calm);
    const auto expected = uninterrupted.results();

    for (std::int64_t stop = 0; stop < calm.series_count; stop += 7) {
        InventedWorld world(suite);
        InventedLaboratory first = calm;
        first.series_count = 0;
        first.stop_at_series = stop;
        const bool stopped = world.measure(first).stopped;
        CHECK(stopped);
        InventedLaboratory second = calm;
        CHECK_FALSE(world.measure(second).stopped);
        const auto results = world.results();
        REQUIRE(results.size() == expected.size());
        for (const auto& [m, result] : expected) {
            REQUIRE(results.count(m) == 1);
            CHECK(results.at(m).value_s == close_to(result.value_s).epsilon(1e-9));
        }
    }
}

TEST_CASE("the values' standard errors steer the refinement, after a stop as before it") {
    Suite suite = ping_pong_suite();
    suite.arguments.max_steps.reset();
    suite.repetition.max_count = 16;
    InventedLaboratory noisy;
    noisy.time_s = [](std::int64_t m) { return m < 100 ? 2e-6 : 5e-6; };
    noisy.noise = 0.1; // standard errors around 3 %, three times the error allowed
    InventedWorld uninterrupted(suite);
    InventedLaboratory whole = noisy;
    uninterrupted.measure(whole);
    const auto expected = uninterrupted.results();
    const std::size_t first_pass = skalib::Refinement(suite.arguments).first_pass().size();
    CHECK(expected.size() > first_pass);
    CHECK(expected.size() < 3 * first_pass); // hundreds if every value passed for exact

    for (std::ptrdiff_t stop = 0; stop < std::ssize(whole.visited); stop += 3) {
        InventedWorld world(suite);
        RunState state;
        InventedLaboratory laboratory = noisy;
        laboratory.stop_after_visits = stop;
        CHECK(world.measure(laboratory, state).stopped);
        laboratory.stop_after_visits = noisy.stop_after_visits;
        CHECK_FALSE(world.measure(laboratory, state).stopped);
        INFO("stopped after visit ", stop);
        const auto results = world.results();
        REQUIRE(results.size() == expected.size());
        for (const auto& [m, result] : expected) {
            REQUIRE(results.count(m) == 1);
            CHECK(results.at(m).value_s == result.value_s);
        }
    }
}

TEST_CASE("empty calls that took longer than calls are measured again, though nothing says what kept them") {
    Suite suite = broadcast_suite();
    suite.arguments.end = 64;
    InventedWorld world(suite);
    InventedLaboratory laboratory;
    int empty_series = 0;
    bool kept = false;
    laboratory.before_empty = [&] { kept = ++empty_series == 1; };
    laboratory.after_empty = [&] { kept = false; };
    laboratory.loop_s = [&](Synchronization, double) { return kept ? 8e-3 : 1e-7; };
    CHECK(world.measure(laboratory).error.empty());
    CHECK(empty_series > 1);
    CHECK(world.results().size() > 3);
    for (const auto& [argument, m] : world.results()) {
        CAPTURE_BINDING(argument);
        CHECK(m.overhead_s == close_to(1e-7));
        CHECK(m.value_s == close_to(1e-6 + 1e-9 * static_cast<double>(argument)).epsilon(1e-4));
        CHECK_FALSE(has(m.flags, Flag::unreliable));
    }
}

TEST_CASE("windows are as long as the last rank needs, however soon the one that keeps time has ended") {
    Suite suite = broadcast_suite();
    suite.reported_time = ReportedTime::root;
    InventedWorld world(suite);
    InventedLaboratory laboratory;
    laboratory.span_s = [](std::int64_t m) { return 40e-6 + 10e-9 * static_cast<double>(m); };
    double shortest_window_s = 1;
    laboratory.on_order = [&](const SeriesOrder& order) {
        if (order.window_s > 0 && !order.empty)
            shortest_window_s = std::min(shortest_window_s, order.window_s);
    };
    CHECK(world.measure(laboratory).error.empty());
    CHECK(shortest_window_s >= 1.3 * 40e-6);
    CHECK(shortest_window_s < 3 * 40e-6);
    for (const auto& [argument, m] : world.results())
        CHECK(m.value_s < 10e-6); // the root's
}

TEST_CASE("no time below zero is a result: what the overhead leaves nothing of has no value and a flag") {
    Suite suite = broadcast_suite();
    suite.arguments.end = 64;
    InventedWorld world(suite);
    InventedLaboratory laboratory;
    bool empty = false;
    laboratory.before_empty = [&] { empty = true; };
    laboratory.after_empty = [&] { empty = false; };
    laboratory.loop_s = [&](Synchronization, double) { return empty ? 2e-6 : 0; };
    CHECK(world.measure(laboratory).error.empty());
    REQUIRE(world.results().size() == 7);
    for (const auto& [argument, m] : world.results()) {
        CHECK(std::isnan(m.value_s));
        CHECK(std::isnan(m.adjusted_s));
        for (const ModeValue& mode : m.modes)
            CHECK(std::isnan(mode.value_s));
        CHECK(m.summary.count >= 8);
        CHECK(has(m.flags, Flag::unreliable));
    }
}

TEST_CASE("an overhead that is an interruption is not subtracted, whatever tells that it is one") {
    bool empty = false;
    InventedLaboratory invented;
    invented.before_empty = [&] { empty = true; };
    invented.after_empty = [&] { empty = false; };
    InventedLaboratory by_calls = invented; // they take less with the loop around them
    by_calls.loop_s = [&](Synchronization, double) { return empty ? 8e-3 : 1e-7; };
    InventedLaboratory by_agreement =
        invented; // all calls are interrupted, too, but their ranks agreed at once
    by_agreement.loop_s = [](Synchronization, double) { return 8e-3; };
    by_agreement.agreement_s = 1e-6;
    for (InventedLaboratory* laboratory : {&by_calls, &by_agreement}) {
        InventedWorld world(broadcast_suite());
        CHECK(world.measure(*laboratory).error.empty());
        REQUIRE(world.results().size() == 13);
        const double around_s = laboratory == &by_calls ? 1e-7 : 8e-3;
        for (const auto& [argument, m] : world.results()) {
            CAPTURE_BINDING(argument);
            CHECK(m.overhead_s == 0);
            CHECK(m.value_s == close_to(laboratory->time_s(argument) + around_s));
            CHECK(m.summary.minimum > around_s);
            CHECK(has(m.flags, Flag::unreliable));
        }
    }
}

TEST_CASE("windows given up on a busy machine leave no difference of two interruptions as a value") {
    InventedWorld world(broadcast_suite());
    InventedLaboratory laboratory;
    laboratory.late_share = 1;
    laboratory.agreement_s = 1e-6;
    std::mt19937_64 random(1);
    std::uniform_real_distribution<double> waits_s(7.9e-3, 8.1e-3);
    laboratory.loop_s = [&](Synchronization synchronization, double) {
        return synchronization == Synchronization::window ? 1e-7 : waits_s(random);
    };
    CHECK(world.measure(laboratory).error.empty());
    REQUIRE(world.results().size() == 13);
    for (const auto& [argument, m] : world.results()) {
        CAPTURE_BINDING(argument);
        CHECK(m.overhead_s == 0);
        CHECK(m.value_s > 7e-3);
        CHECK(m.summary.minimum > 7e-3);
        CHECK(has(m.flags, Flag::unreliable));
    }
}

TEST_CASE("an overhead unlike those of the run's other suites flags the values it matters to") {
    InventedWorld first(broadcast_suite());
    RunState state;
    InventedLaboratory laboratory;
    laboratory.loop_s = [](Synchronization, double) { return 1e-7; };
    first.measure(laboratory, state);
    for (const auto& [argument, m] : first.results())
        CHECK(m.flags == 0);
    InventedWorld second(broadcast_suite());
    laboratory.loop_s = [](Synchronization, double) { return 6e-7; };
    second.measure(laboratory, state);
    for (const auto& [argument, m] : second.results()) {
        CAPTURE_BINDING(argument);
        CHECK(m.value_s == close_to(laboratory.time_s(argument)).epsilon(0.001));
        CHECK(has(m.flags, Flag::unreliable));
    }
    InventedWorld slow(broadcast_suite());
    laboratory.time_s = [](std::int64_t) { return 1e-4; };
    slow.measure(laboratory, state);
    for (const auto& [argument, m] : slow.results())
        CHECK(m.flags == 0);
}

TEST_CASE("an MPI error in the series of empty calls ends the suite, too") {
    InventedWorld world(ping_pong_suite());
    InventedLaboratory laboratory;
    laboratory.fail_empty = true;
    const SuiteOutcome outcome = world.measure(laboratory);
    CHECK(outcome.mpi_error);
    CHECK(outcome.error.find("rank 1") != std::string::npos);
}

TEST_CASE("when windows are given up in mid-suite each value is formed of one kind with its own overhead") {
    const auto loop_s = [](Synchronization synchronization, double) {
        return synchronization == Synchronization::window ? 1e-7 : 3e-6;
    };
    InventedWorld never(broadcast_suite());
    InventedLaboratory calm;
    calm.loop_s = loop_s;
    CHECK(never.measure(calm).error.empty());
    // Early enough for barriers to be the suite's majority, late enough for windows to be.
    int majorities = 0;
    for (const double late_from : {0.1, 0.3, 0.5, 0.7, 0.95}) {
        CAPTURE(late_from);
        InventedWorld world(broadcast_suite());
        InventedLaboratory laboratory;
        laboratory.loop_s = loop_s;
        laboratory.late_share = 1;
        laboratory.late_from_s = late_from * calm.clock_s;
        CHECK(world.measure(laboratory).error.empty());
        const auto results = world.results();
        REQUIRE(results.size() == 13);
        std::size_t barriers = 0;
        for (const auto& [argument, m] : results) {
            CAPTURE_BINDING(argument);
            CHECK(m.value_s == close_to(laboratory.time_s(argument)).epsilon(0.001));
            CHECK(m.summary.count >= 8);
            const bool between_barriers = m.overhead_s > 2e-6;
            CHECK(has(m.flags, Flag::unsynchronised) == between_barriers);
            barriers += between_barriers ? 1 : 0;
        }
        majorities |= barriers == 0 ? 1 : barriers == results.size() ? 2 : 4;
    }
    CHECK((majorities & 3) == 3);
}

TEST_CASE("a run resumed after windows were given up goes on between barriers") {
    const auto loop_s = [](Synchronization synchronization, double) {
        return synchronization == Synchronization::window ? 1e-7 : 3e-6;
    };
    InventedWorld uninterrupted(broadcast_suite());
    InventedLaboratory whole;
    whole.loop_s = loop_s;
    whole.late_share = 1;
    whole.late_from_s = 0.02;
    CHECK(uninterrupted.measure(whole).error.empty());
    for (const double stop_at : {0.6, 0.75, 0.95}) {
        CAPTURE(stop_at);
        InventedWorld world(broadcast_suite());
        InventedLaboratory laboratory;
        laboratory.loop_s = loop_s;
        laboratory.late_share = 1;
        laboratory.late_from_s = 0.02;
        laboratory.stop_at_s = stop_at * whole.clock_s;
        CHECK(world.measure(laboratory).stopped);
        CHECK(std::ranges::any_of(world.batches(), [](const Batch& batch) {
            return batch.synchronization == Synchronization::dissemination;
        }));
        InventedLaboratory second;
        second.loop_s = laboratory.loop_s;
        const std::size_t before = world.batches().size();
        CHECK_FALSE(world.measure(second).stopped);
        CHECK(world.batches().size() > before);
        for (const auto& [argument, m] : world.results()) {
            CAPTURE_BINDING(argument);
            CHECK(m.value_s == close_to(second.time_s(argument)).epsilon(0.001));
            CHECK(m.overhead_s == close_to(3e-6).epsilon(0.001));
            CHECK(has(m.flags, Flag::unsynchronised));
        }
    }
}

TEST_CASE("where every window is missed every argument still gets its value, flagged") {
    InventedWorld world(broadcast_suite());
    InventedLaboratory laboratory;
    laboratory.late_share = 1;
    CHECK(world.measure(laboratory).error.empty());
    const auto results = world.results();
    REQUIRE(results.size() == 13);
    for (const auto& [argument, m] : results) {
        CHECK(m.value_s == close_to(laboratory.time_s(argument)).epsilon(0.001));
        CHECK(has(m.flags, Flag::unsynchronised));
    }
    std::int64_t late = 0;
    for (const Batch& batch : world.batches())
        late += batch.late;
    CHECK(late < 1000); // of some 10,000 single measurements
}

TEST_CASE("the time of a suite holds whatever calls become in mid-series") {
    for (const bool collective : {false, true})
        for (const double limit_s : {0.05, 1.0})
            for (const double slow_from : {0.0, 0.001, 0.1, 0.5, 0.97}) {
                CAPTURE(collective);
                CAPTURE(limit_s);
                CAPTURE(slow_from);
                Suite suite = collective ? broadcast_suite() : ping_pong_suite();
                suite.max_suite_time_s = limit_s;
                suite.repetition.max_relative_error = 1e-9;
                suite.repetition.max_count.reset();
                InventedWorld world(suite);
                InventedLaboratory laboratory;
                laboratory.time_s = [](std::int64_t m) { return 1e-5 + 1e-8 * static_cast<double>(m); };
                laboratory.noise = 0.1;
                laboratory.slowness = [&](double now_s) {
                    return now_s >= slow_from * limit_s ? 100.0 : 1.0;
                };
                CHECK(world.measure(laboratory).error.empty());
                const double single_s = 100 * 1.3 * laboratory.time_s(4096);
                const double batch_under_way_s = 100 * std::min(Tempo{}.batch_s, limit_s / 100);
                CHECK(laboratory.clock_s <= 1.05 * limit_s + batch_under_way_s + single_s);
                CHECK(laboratory.clock_s > 0.9 * limit_s);
                for (const auto& [argument, m] : world.results()) {
                    CHECK(has(m.flags, Flag::timed_out));
                    CHECK((limit_s != 1.0 || m.summary.count > 0));
                }
            }
}

TEST_CASE("warm-up, buffers that are emptied and overhead count against the time of a suite") {
    Suite suite = ping_pong_suite();
    suite.buffers = BufferPolicy::cold;
    suite.max_suite_time_s = 2;
    InventedWorld world(suite);
    InventedLaboratory laboratory;
    laboratory.between_s = 0.07;
    CHECK(world.measure(laboratory).error.empty());
    CHECK(laboratory.clock_s <= 2.2 + 0.07);
    int with_value = 0;
    for (const auto& [argument, m] : world.results())
        with_value += m.summary.count > 0 ? 1 : 0;
    CHECK(with_value >= 10); // 2 calls each: 1.8 s

    Suite seconds = broadcast_suite();
    seconds.max_suite_time_s = 5;
    InventedWorld long_calls(seconds);
    InventedLaboratory slow;
    slow.time_s = [](std::int64_t) { return 1.0; };
    long_calls.measure(slow);
    CHECK(slow.clock_s <= 5.5 + 1);

    InventedWorld empty_calls(broadcast_suite());
    empty_calls.suite.max_suite_time_s = 1;
    InventedLaboratory waiting;
    waiting.loop_s = [](Synchronization, double) { return 0.02; };
    empty_calls.measure(waiting);
    CHECK(waiting.clock_s <= 1.1 + 0.02);
    for (const auto& [argument, m] : empty_calls.results())
        CHECK((m.summary.count == 0 || has(m.flags, Flag::unreliable)));
}

TEST_CASE("the time of a measurement holds, too, and ends no other one's") {
    for (const double limit_s : {0.01, 0.3}) {
        CAPTURE(limit_s);
        Suite suite = ping_pong_suite();
        suite.arguments = {skalib::Scale::fixed_log, 1, 64, 2, 1, 1, 64, 0.01};
        suite.repetition.max_time_s = limit_s;
        suite.repetition.max_relative_error = 1e-9;
        suite.repetition.max_count.reset();
        InventedWorld world(suite);
        InventedLaboratory laboratory;
        laboratory.time_s = [](std::int64_t m) { return 1e-5 + 1e-7 * static_cast<double>(m); };
        laboratory.noise = 0.1;
        laboratory.slowness = [&](double now_s) {
            return std::fmod(now_s, limit_s) > 0.8 * limit_s ? 100.0 : 1.0;
        };
        CHECK(world.measure(laboratory).error.empty());
        REQUIRE(world.results().size() == 7);
        for (const auto& [argument, m] : world.results()) {
            CAPTURE_BINDING(argument);
            CHECK(m.time_used_s <= 1.1 * limit_s + 100 * 1.3 * laboratory.time_s(argument));
            CHECK(m.time_used_s > 0.9 * limit_s);
            CHECK(has(m.flags, Flag::timed_out));
        }
    }
}

TEST_CASE("a run looks first for jumps where the run before it located them") {
    const auto with_jump = [](std::int64_t m) { return m > 3000 ? 4e-5 : 1e-5; };
    const auto measured = [&](const std::vector<std::int64_t>& looked_at) {
        auto world = std::make_unique<InventedWorld>(ping_pong_suite());
        world->looked_at = looked_at;
        InventedLaboratory laboratory;
        laboratory.time_s = with_jump;
        CHECK(world->measure(laboratory).error.empty());
        return world;
    };
    const auto first = measured({});
    const std::vector<std::int64_t> sides = sides_of_jumps(first->database, first->run, first->suite);
    CHECK(sides == std::vector<std::int64_t>{3000, 3001});
    const auto again = measured(sides);
    CHECK(sides_of_jumps(again->database, again->run, again->suite) == sides);
    CHECK(again->results().size() + 5 < first->results().size());
    Suite other = first->suite;
    other.arguments.end /= 2;
    CHECK(sides_of_jumps(first->database, first->run, other).empty());
}

TEST_CASE("a time that the warm-up uses up leaves one value, behind a call at least, with a flag") {
    for (const Suite& planned : {ping_pong_suite(), broadcast_suite()})
        for (const double limit_s : {0.0, 1e-6, 1e-3}) {
            CAPTURE(limit_s);
            Suite suite = planned;
            suite.arguments = {skalib::Scale::fixed_log, 1, 64, 2, 1, 1, 64, 0.01};
            suite.repetition.max_time_s = limit_s;
            InventedWorld world(suite);
            InventedLaboratory laboratory;
            laboratory.time_s = [](std::int64_t m) { return 1e-3 * static_cast<double>(m); };
            CHECK(world.measure(laboratory).error.empty());
            REQUIRE(world.results().size() == 7);
            for (const auto& [argument, m] : world.results()) {
                CAPTURE_BINDING(argument);
                CHECK(m.summary.count >= 1);
                CHECK(m.time_used_s >= 1.9 * laboratory.time_s(argument));
                CHECK(has(m.flags, Flag::timed_out));
            }
        }
}

TEST_CASE("a stop is heard within a batch, and what was measured is kept") {
    Suite suite = ping_pong_suite();
    suite.repetition.max_relative_error = 1e-9;
    suite.repetition.max_count.reset();
    suite.max_suite_time_s = 100;
    InventedWorld world(suite);
    InventedLaboratory laboratory;
    laboratory.noise = 0.1;
    laboratory.stop_at_s = 0.1;
    CHECK(world.measure(laboratory).stopped);
    CHECK(laboratory.clock_s < 0.1 + 2 * Tempo{}.batch_s);
    std::int64_t kept = 0;
    for (const Batch& batch : world.batches())
        kept += std::ssize(batch.duration_s) * batch.block;
    CHECK(kept > 5'000);
    for (const StoredMeasurement& m : world.database.measurements(world.id))
        CHECK_FALSE(m.finished);
}

TEST_CASE("a starved suite measures fewer arguments, from coarse to fine, each of them to its end") {
    Suite suite = ping_pong_suite();
    suite.max_suite_time_s = 1;
    InventedWorld world(suite);
    InventedLaboratory laboratory;
    laboratory.time_s = [](std::int64_t) { return 0.04; };
    const SuiteOutcome outcome = world.measure(laboratory);
    CHECK(outcome.error.empty());
    const auto results = world.results();
    CHECK(results.size() >= 7);
    CHECK(results.size() + outcome.left_out == 13); // 1, 2, 4, ... 4096
    for (const auto& [argument, m] : results) {
        CAPTURE_BINDING(argument);
        CHECK(has(m.flags, Flag::timed_out));
        CHECK_FALSE(has(m.flags, Flag::unsynchronised));
        CHECK(m.value_s == close_to(0.04).epsilon(0.001));
    }
    REQUIRE(laboratory.visited.size() > 4);
    const std::vector<std::int64_t> first(laboratory.visited.begin(), laboratory.visited.begin() + 3);
    CHECK(first == std::vector<std::int64_t>{1, 4096, 64});
    CHECK(laboratory.clock_s < 1.1);
}

TEST_CASE("a suite without time for a second argument has one value, and says how many are left out") {
    Suite suite = ping_pong_suite();
    suite.max_suite_time_s = 1;
    InventedWorld world(suite);
    InventedLaboratory laboratory;
    laboratory.time_s = [](std::int64_t) { return 0.3; };
    const SuiteOutcome outcome = world.measure(laboratory);
    CHECK(outcome.left_out == 12);
    const auto results = world.results();
    REQUIRE(results.size() == 1);
    CHECK(results.at(1).value_s == close_to(0.3).epsilon(0.001));
    CHECK(laboratory.clock_s < 1.4);
}

TEST_CASE("where ranks share cores no time is lost on windows that nobody can keep") {
    InventedWorld world(broadcast_suite());
    InventedLaboratory laboratory;
    laboratory.shared_cores = true;
    laboratory.late_share = 1;
    CHECK(world.measure(laboratory).error.empty());
    for (const Batch& batch : world.batches())
        CHECK(batch.synchronization == Synchronization::dissemination);
    for (const auto& [argument, m] : world.results()) {
        CHECK(has(m.flags, Flag::unsynchronised));
        CHECK_FALSE(std::isnan(m.value_s));
    }
}

TEST_CASE("a suite whose session does without windows begins every batch behind a barrier") {
    InventedWorld world(broadcast_suite());
    world.without_windows = true;
    InventedLaboratory laboratory;
    CHECK(world.measure(laboratory).error.empty());
    CHECK_FALSE(world.batches().empty());
    for (const Batch& batch : world.batches())
        CHECK(batch.synchronization == Synchronization::dissemination);
    for (const auto& [argument, m] : world.results())
        CHECK(has(m.flags, Flag::unsynchronised));
}

TEST_CASE("the argument at which a suite crashed is the last of its next start") {
    InventedWorld world(ping_pong_suite());
    InventedLaboratory crashing;
    crashing.fail_at_series = 9;
    (void)world.measure(crashing);
    const std::int64_t crashed_at = crashing.visited.back();
    InventedLaboratory laboratory;
    RunState state;
    SuiteRun again({world.suite, 0, 2, world.id, true}, laboratory, Tempo{}, world.database, state);
    CHECK(again.measure({}).error.empty());
    const auto first = std::ranges::find(laboratory.visited, crashed_at);
    for (const std::int64_t other : {std::int64_t{256}, std::int64_t{4096}}) {
        CAPTURE(other);
        CHECK(std::ranges::find(laboratory.visited, other) < first);
    }
}

TEST_CASE("batches that all lie between two modes end without any limit and give flagged values") {
    Suite suite = ping_pong_suite();
    suite.arguments = {skalib::Scale::fixed_log, 1, 4, 2, 1, 1, 64, 0.01};
    suite.repetition.max_count.reset();
    InventedWorld world(suite);
    InventedLaboratory laboratory;
    laboratory.noise = 0.01;
    bool near = false;
    laboratory.probe_s = [&](double) { return 0; };
    laboratory.next_probe_s = [&] { return (near = !near) ? 0.3e-6 : 1.3e-6; };
    // Each batch has probes of its own, so that none lies between two alike.
    CHECK(world.measure(laboratory).error.empty());
    REQUIRE(world.results().size() == 3);
    for (const auto& [argument, m] : world.results()) {
        CHECK(m.value_s == close_to(laboratory.time_s(argument)).epsilon(0.02));
        CHECK(has(m.flags, Flag::several_modes));
        CHECK(has(m.flags, Flag::disturbed));
    }
}

TEST_CASE("a run that goes on knows the machine's modes as if it had never been interrupted") {
    InventedLaboratory laboratory;
    // The clock is coarse: equal probes are different ones. The far mode is too rare to be one.
    int probes = 0;
    laboratory.probe_s = [](double) { return 0.3e-6; };
    laboratory.next_probe_s = [&] { return ++probes % 100 == 50 ? 1.3e-6 : 0.3e-6; };
    InventedWorld world(ping_pong_suite());
    RunState live;
    world.measure(laboratory, live);
    RunState restored;
    restore_run_state(world.database, world.run, 2, "", restored);
    const auto modes = [](const RunState& state) {
        return state.probes.at({Pattern::ping_pong, 2}).split().count();
    };
    std::size_t far = 0;
    for (const Batch& batch : world.batches())
        far += batch.probe_after_s > 1e-6 ? 1 : 0;
    CHECK(far > 0);
    CHECK(modes(live) == 1);
    CHECK(modes(restored) == 1);

    laboratory.next_probe_s = nullptr;
    laboratory.probe_s = [](double t) { return std::fmod(t, 0.02) > 0.014 ? 1.3e-6 : 0.3e-6; };
    InventedWorld two(ping_pong_suite());
    RunState first;
    two.measure(laboratory, first);
    RunState second;
    restore_run_state(two.database, two.run, 2, "", second);
    CHECK(modes(first) == 2);
    CHECK(modes(second) == 2);
    two.measure(laboratory, second); // finished: remembers nothing twice
    CHECK(modes(second) == 2);
}

TEST_CASE("probes between other partners are no other mode of the machine") {
    RunState state;
    for (const std::string partner : {"same socket", "other node"}) {
        InventedLaboratory laboratory;
        laboratory.probe_s = [&](double) { return partner == "other node" ? 1.3e-6 : 0.3e-6; };
        Suite suite = ping_pong_suite();
        suite.partner = partner;
        InventedWorld world(suite);
        world.measure(laboratory, state);
        for (const auto& [argument, m] : world.results())
            CHECK(m.mode == 0);
    }
}

TEST_CASE("of cores on other hosts a run that goes on learns nothing") {
    for (const std::string here : {"fast: 0-1", "slow: 0-1"}) {
        CAPTURE(here);
        InventedWorld world(ping_pong_suite());
        InventedLaboratory fast;
        fast.probe_s = [](double) { return 5e-7; };
        fast.throughput = [](double) { return 3.8; };
        fast.stop_after_visits = 20;
        CHECK(world.measure(fast).stopped);
        world.database.set_suite_facts(world.id, {{fact_measured_on, "fast: 0-1"}});
        RunState state;
        restore_run_state(world.database, world.run, 2, here, state);
        InventedLaboratory slow; // whose cores can do less, undisturbed
        slow.probe_s = [](double) { return 5e-7; };
        slow.throughput = [](double) { return 3.2; };
        CHECK_FALSE(world.measure(slow, state).stopped);
        CHECK((state.ledger.shared > 0) == (here == "fast: 0-1"));
        CHECK(state.modes.find(5e-7)->throughput == (here == "fast: 0-1" ? 3.8 : 3.2));
    }
}

TEST_CASE("the time line of a run that goes on does, too") {
    InventedWorld world(ping_pong_suite());
    InventedLaboratory laboratory;
    laboratory.stop_at_s = 0.02;
    CHECK(world.measure(laboratory).stopped);
    double last_s = 0;
    const auto before = world.batches().size();
    for (const Batch& batch : world.batches())
        last_s = std::max(last_s, batch.start_s);
    CHECK(last_s > 0.01);
    RunState state;
    restore_run_state(world.database, world.run, 2, "", state);
    InventedLaboratory second; // whose clock starts at 0
    CHECK_FALSE(world.measure(second, state).stopped);
    std::vector<double> starts_s;
    for (const Batch& batch : world.batches())
        starts_s.push_back(batch.start_s);
    std::ranges::sort(starts_s);
    CHECK(starts_s.size() > before);
    CHECK(starts_s[before - 1] == last_s);
    CHECK(starts_s[before] > last_s);
    CHECK(starts_s.back() < last_s + 0.01 + second.clock_s);
}

TEST_CASE("batches are as long as planned, of calls near the clock's resolution, too") {
    Suite suite = ping_pong_suite();
    suite.arguments.end = 1;
    InventedWorld world(suite);
    InventedLaboratory laboratory;
    laboratory.time_s = [](std::int64_t) { return 20e-9; };
    CHECK(world.measure(laboratory).error.empty());
    double longest_s = 0;
    for (const Batch& batch : world.batches())
        longest_s = std::max(longest_s, static_cast<double>(std::ssize(batch.duration_s) * batch.block) *
                                            (20e-9 + 1e-9));
    CHECK(longest_s > 0.8 * Tempo{}.batch_s);
    CHECK(longest_s < 1.2 * Tempo{}.batch_s);
}

TEST_CASE("where many ranks take long to agree on a start, batches are longer, up to a bound") {
    for (const auto& [agreement_s, expected_s] :
         {std::pair{1e-6, Tempo{}.batch_s}, {2e-4, 1e-3}, {1e-2, 2e-3}}) {
        CAPTURE_BINDING(agreement_s);
        Suite suite = broadcast_suite();
        suite.arguments.end = 1;
        suite.repetition.min_count = 4000;
        suite.repetition.max_count = 8000;
        InventedWorld world(suite);
        InventedLaboratory laboratory;
        laboratory.agreement_s = agreement_s;
        double first_s = 0; // batch
        laboratory.on_order = [&](const SeriesOrder& order) {
            if (order.batches > 0 && !order.empty && first_s == 0)
                first_s = static_cast<double>(order.per_batch) * order.window_s;
        };
        CHECK(world.measure(laboratory).error.empty());
        CHECK(first_s == close_to(expected_s).epsilon(0.03));
    }
}

TEST_CASE("the calls behind an agreement on the start, which it slows, are in no value of a collective") {
    for (const Synchronization synchronization : {Synchronization::window, Synchronization::barrier_before})
        for (const double limit_s : {0.002, 0.01, 1.0}) { // short batches, too
            CAPTURE(limit_s);
            if (synchronization == Synchronization::window && limit_s < 1)
                continue; // there a call takes its window
            Suite suite = broadcast_suite();
            suite.arguments.end = 1;
            suite.synchronization = synchronization;
            suite.max_suite_time_s = limit_s;
            InventedWorld world(suite);
            InventedLaboratory laboratory;
            laboratory.time_s = [](std::int64_t) { return 0.5e-6; };
            laboratory.slow_at_head = 21;
            laboratory.on_order = [&](const SeriesOrder& order) { CHECK(order.lead_in <= 32); };
            CHECK(world.measure(laboratory).error.empty());
            const auto results = world.results();
            REQUIRE(results.size() == 1);
            CHECK(results.at(1).value_s == close_to(0.5e-6).epsilon(0.001));
        }
}

TEST_CASE("few long calls lead in, as many as short ones take time") {
    Suite suite = broadcast_suite();
    suite.arguments.end = 1;
    InventedWorld world(suite);
    InventedLaboratory laboratory;
    laboratory.time_s = [](std::int64_t) { return 2e-4; };
    laboratory.on_order = [&](const SeriesOrder& order) { CHECK(order.lead_in == 0); };
    CHECK(world.measure(laboratory).error.empty());
}

TEST_CASE("node times of more ranks than single measurements are kept of outlast a stop") {
    Suite suite = ping_pong_suite();
    suite.arguments = {skalib::Scale::fixed_log, 1, 64, 2, 1, 1, 64, 0.01};
    suite.passes = 2;
    for (const int visits : {3, 11}) { // in the first pass; when some values are finished, others not
        CAPTURE(visits);
        InventedWorld world(suite);
        InventedLaboratory first;
        first.node_ranks.resize(300);
        std::iota(first.node_ranks.begin(), first.node_ranks.end(), 0);
        first.probe_s = [](double) { return 0.3e-6; };
        first.throughput = [](double) { return 3.8; };
        first.stop_after_visits = visits;
        CHECK(world.measure(first).stopped);
        CHECK(std::ranges::any_of(world.batches(), [](const Batch& b) { return b.node_durations.empty(); }));
        InventedLaboratory second = first;
        second.visited.clear();
        second.stop_after_visits = std::numeric_limits<std::ptrdiff_t>::max();
        CHECK_FALSE(world.measure(second).stopped);
        CHECK(world.results().size() == 7);
        for (const auto& [argument, m] : world.results()) {
            CAPTURE_BINDING(argument);
            CHECK(m.node_times.size() > 200);
            CHECK(m.node_times.size() <= most_node_times);
            for (const NodeTime& node : m.node_times)
                CHECK(node.value_s == close_to(m.value_s).epsilon(0.01));
        }
    }
}

TEST_CASE(
    "single measurements of the two ranks of a ping-pong are kept, however large the partner's number") {
    InventedWorld world(ping_pong_suite());
    InventedLaboratory laboratory;
    laboratory.node_ranks = {0, 70'000};
    CHECK(world.measure(laboratory).error.empty());
    std::size_t batches = 0;
    for (const Batch& batch : world.batches()) {
        ++batches;
        REQUIRE(batch.node_durations.size() == 2);
        CHECK(batch.node_durations[1].rank == 70'000);
        CHECK(batch.node_durations[1].duration_s == batch.duration_s);
    }
    CHECK(batches > 13);
    CHECK(std::filesystem::file_size(world.scratch / "r.db") < batches * 2000 + 200'000);
    for (const auto& [argument, m] : world.results()) {
        REQUIRE(m.node_times.size() == 2);
        CHECK(m.node_times[1].rank == 70'000);
    }
}

TEST_CASE("what is done between calls counts for the length of a batch") {
    Suite suite = ping_pong_suite();
    suite.arguments.end = 4;
    suite.buffers = BufferPolicy::cold;
    InventedWorld world(suite);
    InventedLaboratory laboratory;
    laboratory.between_s = 50e-6;
    CHECK(world.measure(laboratory).error.empty());
    CHECK_FALSE(world.batches().empty());
    for (const Batch& batch : world.batches())
        CHECK(static_cast<double>(std::ssize(batch.duration_s)) * laboratory.between_s <=
              1.2 * Tempo{}.batch_s);
}

TEST_CASE("the ledger counts every batch stored, and once what befell it") {
    InventedWorld world(ping_pong_suite());
    InventedLaboratory laboratory;
    laboratory.probe_s = [](double) { return 0.3e-6; };
    laboratory.interrupted = [](double now_s) { return std::fmod(now_s, 0.01) < 0.002; };
    laboratory.throughput = [](double now_s) { return std::fmod(now_s, 0.03) < 0.005 ? 2.2 : 3.8; };
    RunState state;
    state.modes.know(0.3e-6, 0.3e-6, 0.3e-6, 3.8);
    CHECK(world.measure(laboratory, state).error.empty());
    const std::vector<Batch> batches = world.batches();
    CHECK(state.ledger.batches == std::ssize(batches));
    CHECK(state.ledger.dirty == std::ranges::count_if(batches, &Batch::dirty));
    CHECK(state.ledger.dirty > 0);
    CHECK(state.ledger.shared ==
          std::ranges::count_if(batches, [&](const Batch& batch) { return state.modes.shared(batch); }));
    CHECK(state.ledger.shared > 0);
    CHECK(state.ledger.shared < state.ledger.batches);

    RunState restored; // by a start that follows one that was killed
    restore_run_state(world.database, world.run, 2, "", restored);
    CHECK(restored.ledger.batches == 0);
    CHECK(restored.ledger_before.batches == state.ledger.batches);
    CHECK(restored.ledger_before.dirty == state.ledger.dirty);
    CHECK(restored.ledger_before.late == state.ledger.late);
    CHECK(restored.ledger_before.shared > 0);
    CHECK(restored.ledger_before.shared < restored.ledger_before.batches);
}

TEST_CASE("each later pass adds its share of the values wanted") {
    Suite suite = ping_pong_suite();
    suite.arguments.end = 1;
    suite.passes = 5;
    suite.repetition.min_count = 100;
    InventedWorld world(suite);
    InventedLaboratory laboratory;
    laboratory.time_s = [](std::int64_t) { return 1e-3; }; // 5 in the shortest stay
    CHECK(world.measure(laboratory).error.empty());
    std::map<int, std::int64_t> values;
    for (const Batch& batch : world.batches())
        values[batch.pass] += std::ssize(batch.duration_s);
    CHECK(values == std::map<int, std::int64_t>{{0, 50}, {1, 13}, {2, 12}, {3, 13}, {4, 12}});
}

TEST_CASE("no pass over the arguments takes the time of the passes to come") {
    Suite suite = ping_pong_suite();
    suite.arguments = {skalib::Scale::fixed_log, 1, 8, 2, 1, 1, 64, 0.01};
    suite.passes = 5;
    suite.max_suite_time_s = 2;
    suite.repetition.max_relative_error = 1e-9;
    suite.repetition.max_count.reset();
    InventedWorld world(suite);
    InventedLaboratory laboratory;
    laboratory.noise = 0.1;
    laboratory.time_s = [](std::int64_t) { return 1e-4; };
    CHECK(world.measure(laboratory).error.empty());
    for (const StoredMeasurement& m : world.database.measurements(world.id)) {
        std::map<int, double> used_s;
        for (const Batch& batch : world.database.batches(m.id))
            for (const double duration_s : batch.duration_s)
                used_s[batch.pass] += duration_s * static_cast<double>(batch.block);
        CAPTURE(m.measurement.argument);
        for (int pass = 1; pass < 5; ++pass) {
            CAPTURE(pass);
            CHECK(used_s[pass] > 0.07); // 0.1 of the suite's time, with all that goes with it
            CHECK(used_s[pass] < 0.13);
        }
    }
}

TEST_CASE("no series of empty calls takes more than its share of the time that is left") {
    Suite suite = broadcast_suite();
    suite.arguments.end = 8;
    suite.max_suite_time_s = 5;
    suite.repetition.max_relative_error = 1e-9;
    suite.repetition.max_count.reset();
    InventedWorld world(suite);
    InventedLaboratory laboratory;
    laboratory.noise = 0.1;
    laboratory.late_share = 1;
    laboratory.late_from_s = 4; // then barriers have an overhead of their own
    constexpr double call_s = 1e-3;
    laboratory.loop_s = [](Synchronization, double) { return call_s; };
    double begin_s = 0;
    int early = 0;
    int late = 0;
    laboratory.before_empty = [&] {
        begin_s = laboratory.clock_s;
        ++(begin_s < 4 ? early : late);
    };
    laboratory.after_empty = [&] {
        CAPTURE(begin_s);
        CHECK(laboratory.clock_s - begin_s <= 0.02 * (5 - begin_s) + 1.1 * call_s);
    };
    CHECK(world.measure(laboratory).error.empty());
    CHECK(early > 0);
    CHECK(late > 0);
}

TEST_CASE("empty calls are probed where two probes fit into their share of the time") {
    Suite suite = broadcast_suite();
    suite.arguments.end = 8;
    suite.max_suite_time_s = 5;
    suite.repetition.max_relative_error = 1e-9;
    suite.repetition.max_count.reset();
    for (const double late_from : {2.0, 3.5}) {
        CAPTURE(late_from);
        InventedWorld world(suite);
        InventedLaboratory laboratory;
        laboratory.noise = 0.1;
        laboratory.late_share = 1;
        laboratory.late_from_s = late_from; // then barriers have an overhead of their own
        laboratory.time_s = [](std::int64_t) { return 1e-4; };
        laboratory.probe_s = [](double) { return 1.1e-3; }; // of which 20 are made
        std::map<Synchronization, int> series;
        bool barriers_probed = false; // the first time
        laboratory.on_order = [&](const SeriesOrder& order) {
            if (!order.empty)
                return;
            const int number = ++series[order.synchronization];
            const double share_s = 0.02 * (5 - laboratory.clock_s) / number;
            const bool probed = order.probe_every > 0;
            CHECK(probed == (2 * 22e-3 < share_s));
            if (number == 1 && order.synchronization == Synchronization::dissemination)
                barriers_probed = probed;
        };
        CHECK(world.measure(laboratory).error.empty());
        CHECK(series[Synchronization::window] > 0);
        CHECK(series[Synchronization::dissemination] > 0);
        CHECK(barriers_probed == (late_from == 2.0)); // 60 ms or less at 2 s, 30 ms at 3.5 s
    }
}

TEST_CASE("cores are looked at beside every batch, of short ones beside several") {
    for (const double limit_s : {5.0, 0.005}) { // the batches of a short suite are short
        CAPTURE(limit_s);
        Suite suite = broadcast_suite();
        suite.max_suite_time_s = limit_s;
        InventedWorld world(suite);
        InventedLaboratory laboratory;
        laboratory.time_s = [](std::int64_t) { return 1e-6; };
        laboratory.probe_s = [](double) { return 0.4e-6; };
        CHECK(world.measure(laboratory).error.empty());
        REQUIRE_FALSE(laboratory.look_every.empty());
        const std::int64_t least = std::ranges::min(laboratory.look_every); // of the longest batches
        CHECK((limit_s < 1 ? least > 1 : least == 1));                      // 200 us apart at least
    }
}
