// The measuring core against a laboratory with invented times: no MPI call is made, no clock is read.
#include "job/suite_run.hpp"
#include "scratch_folder.hpp"

#include <cmath>
#include <doctest/doctest.h>
#include <functional>
#include <limits>
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
    std::set<std::int64_t> impossible;        ///< arguments that cannot be prepared
    std::int64_t fail_at_series = -1;         ///< this series ends with an MPI error
    std::int64_t stop_at_series = -1;         ///< a stop is wanted from this series on
    double stop_at_s = std::numeric_limits<double>::infinity();
    std::ptrdiff_t stop_after_visits = std::numeric_limits<std::ptrdiff_t>::max();
    double late_share = 0; ///< of the windows
    std::int64_t series_count = 0;
    double longest_empty_s = 0;        ///< series of empty calls
    std::vector<std::int64_t> visited; ///< arguments in the order prepared
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
    double messages() const override { return 64; }
    bool computes() const override { return hidden.has_value(); }
    std::map<std::string, std::string> suite_facts() override { return {}; }
    bool stop_wanted() override {
        return (stop_at_series >= 0 && series_count >= stop_at_series) || clock_s >= stop_at_s ||
               std::ssize(visited) > stop_after_visits;
    }

    SeriesResult series(const SeriesOrder& order) override {
        SeriesResult result;
        if (!order.empty && series_count++ == fail_at_series) {
            result.error = "MPI_Send on rank 1 returned an error";
            return result;
        }
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
                const double call_s = slowness(clock_s) * (order.empty ? 1e-9 : time_s(argument_));
                result.warm_up_call_s = calls + i == 0 ? call_s : std::min(result.warm_up_call_s, call_s);
                clock_s += call_s;
            }
            calls += next;
        }
        const auto probe = [&] {
            if (!probe_s || order.probe_every == 0)
                return 0.0;
            const double p = probe_s(clock_s);
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
            for (std::int64_t i = 0; i < order.per_batch; ++i) {
                const double factor = (probe_s && probe_s(clock_s) > 1e-6 ? far_factor : 1) *
                                      (throughput && throughput(clock_s) < 3 ? shared_factor : 1);
                const double alone_s =
                    order.empty ? 0 : factor * time_s(argument_) * (1 + noise * normal_(random_));
                const double t =
                    slowness(clock_s) * (order.empty ? 1e-9
                                         : hidden    ? alone_s + order.computation_s -
                                                        *hidden * std::min(alone_s, order.computation_s)
                                                  : alone_s);
                clock_s += std::max(t * static_cast<double>(order.block), order.window_s);
                ++windows;
                if (late_share > 0 && order.synchronization == Synchronization::window &&
                    uniform_(random_) < late_share) {
                    ++batch.late;
                    ++late;
                    continue;
                }
                batch.duration_s.push_back(t);
            }
            before_s = probe();
            batch.probe_after_s = before_s;
            batch.core_throughput = std::min(batch.core_throughput, throughput_now());
            result.batches.push_back(batch);
        }
        result.inside_s = clock_s - begin_s - probing_s;
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

Suite ping_pong_suite() {
    Suite suite;
    suite.name = suite.family = "ping-pong";
    suite.operation = {
        1, "MPI_Send-MPI_Recv", "MPI_Send to MPI_Recv", Pattern::ping_pong, {Varied::message_length}};
    suite.varied = Varied::message_length;
    suite.arguments = {skalib::Scale::dynamic_log, 1, 4096, 2, 1, 1, 64, 0.01};
    suite.repetition = {8, 400, 0.01, 0.25, std::nullopt, skalib::ErrorEstimator::trimmed};
    return suite;
}

/// A database with one run of one suite, and what a start of the program does with it.
struct World {
    explicit World(Suite planned)
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
        SuiteRun suite_run(suite, 0, 2, laboratory, tempo, database, id, state);
        return suite_run.measure([&](const Measurement&) { ++finished; });
    }
    std::map<std::int64_t, Measurement> results() {
        std::map<std::int64_t, Measurement> all;
        for (const StoredMeasurement& m : database.measurements(id))
            if (m.finished)
                all[m.measurement.argument] = m.measurement;
        return all;
    }
    ScratchFolder scratch;
    Suite suite;
    Database database;
    RunId run = 0;
    SuiteId id = 0;
    int finished = 0;
};

} // namespace

TEST_CASE("a straight line is measured at the first pass only and to its true values") {
    World world(ping_pong_suite());
    InventedLaboratory laboratory;
    laboratory.noise = 0.002;
    const SuiteOutcome outcome = world.measure(laboratory);
    CHECK(outcome.error.empty());
    CHECK(outcome.unsettled == 0);
    const auto results = world.results();
    CHECK(results.size() == 13); // 1, 2, 4, ... 4096
    CHECK(world.finished == 13);
    for (const auto& [m, result] : results) {
        CHECK(result.value_s == doctest::Approx(laboratory.time_s(m)).epsilon(0.01));
        CHECK(result.summary.count >= 8);
        CHECK(result.flags == 0);
    }
}

TEST_CASE("the messages of a call are stored with its value") {
    World world(ping_pong_suite());
    InventedLaboratory laboratory;
    CHECK(world.measure(laboratory).error.empty());
    for (const auto& [argument, m] : world.results())
        CHECK(m.messages == 64);
}

TEST_CASE("a jump is found between two neighbouring arguments") {
    World world(ping_pong_suite());
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

TEST_CASE("passes over the arguments alternate in direction") {
    Suite suite = ping_pong_suite();
    suite.arguments.scale = skalib::Scale::fixed_log;
    suite.arguments.end = 8;
    suite.passes = 4;
    World world(suite);
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

TEST_CASE("orders grow with the logarithm of the repetitions") {
    std::vector<std::int64_t> series;
    for (const double noise : {0.05, 0.2, 0.8}) {
        Suite suite = ping_pong_suite();
        suite.arguments.end = 1;
        suite.passes = 1;
        suite.repetition.max_count = std::nullopt;
        suite.repetition.max_relative_error = 0.002;
        World world(suite);
        InventedLaboratory laboratory;
        laboratory.noise = noise;
        world.measure(laboratory);
        series.push_back(laboratory.series_count);
        const std::int64_t n = world.results().at(1).summary.count;
        CHECK(laboratory.series_count <= 4 + std::log2(static_cast<double>(n)));
    }
    CHECK(series.back() > series.front());
}

TEST_CASE("values that never settle are flagged unsettled at the maximum count") {
    Suite suite = ping_pong_suite();
    suite.arguments.end = 1;
    suite.repetition.max_relative_error = 1e-9;
    World world(suite);
    InventedLaboratory laboratory;
    laboratory.noise = 0.1;
    const SuiteOutcome outcome = world.measure(laboratory);
    CHECK(outcome.unsettled == 1);
    CHECK(has(world.results().at(1).flags, Flag::unsettled));
}

TEST_CASE("the time of a suite ends it with every argument of the first pass measured") {
    Suite suite = ping_pong_suite();
    suite.max_suite_time_s = 0.05;
    suite.repetition.max_relative_error = 1e-9;
    suite.repetition.max_count = std::nullopt;
    World world(suite);
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
    World world(suite);
    InventedLaboratory laboratory;
    laboratory.noise = 0.005;
    // Mostly near; far, and three times slower, during part of the time.
    laboratory.probe_s = [](double t) { return std::fmod(t, 0.02) > 0.014 ? 1.3e-6 : 0.3e-6; };
    laboratory.far_factor = 3;
    world.measure(laboratory);
    int mixed = 0;
    for (const auto& [m, result] : world.results()) {
        CHECK(result.mode == 0);
        CHECK(result.value_s == doctest::Approx(laboratory.time_s(m)).epsilon(0.02));
        if (result.modes.size() > 1) {
            ++mixed;
            CHECK(has(result.flags, Flag::several_modes));
            CHECK(result.modes[1].value_s == doctest::Approx(3 * laboratory.time_s(m)).epsilon(0.05));
            CHECK(result.modes[0].share + result.modes[1].share == doctest::Approx(1));
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
        World world(suite);
        InventedLaboratory laboratory;
        laboratory.noise = 0.005;
        laboratory.hidden = hidden;
        world.measure(laboratory);
        REQUIRE(world.results().size() > 4);
        for (const auto& [m, result] : world.results()) {
            CHECK(result.alone_s == doctest::Approx(laboratory.time_s(m)).epsilon(0.02));
            CHECK(result.computation_s == doctest::Approx(result.alone_s).epsilon(0.02));
            CHECK(result.value_s == doctest::Approx((2 - hidden) * laboratory.time_s(m)).epsilon(0.02));
            CHECK(overlap(result) == doctest::Approx(hidden).epsilon(0.05));
        }
    }
}

TEST_CASE("what disturbs the operation measured alone is not taken for overlap") {
    Suite suite = ping_pong_suite();
    suite.operation = {0, "MPI_Ibcast-computation", "", Pattern::collective, {Varied::message_length}};
    suite.synchronization = Synchronization::barrier;
    World world(suite);
    InventedLaboratory laboratory;
    laboratory.noise = 0.005;
    laboratory.hidden = 0;
    laboratory.probe_s = [](double) { return 5e-7; };
    // A neighbour while the first arguments are measured for the first time.
    laboratory.throughput = [](double t) { return t < 0.05 ? 2.5 : 3.8; };
    laboratory.shared_factor = 1.6;
    CHECK(world.measure(laboratory).error.empty());
    const auto results = world.results();
    CHECK(results.at(1).computation_s > 1.5 * laboratory.time_s(1)); // which stays what it was then
    for (const auto& [argument, m] : results) {
        CAPTURE(argument);
        CHECK(m.alone_s == doctest::Approx(laboratory.time_s(argument)).epsilon(0.02));
        CHECK(overlap(m) < 0.05);
    }
}

TEST_CASE("a value is made of no more single measurements than were asked for") {
    Suite suite = ping_pong_suite();
    suite.repetition.min_count = suite.repetition.max_count.emplace(10);
    World world(suite);
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
    laboratory.throughput = [](double now_s) { return std::fmod(now_s, 0.03) < 0.02 ? 2.2 : 3.8; };
    laboratory.shared_factor = 1.5;
    laboratory.noise = 0.01;
    World world(suite);
    RunState state;
    CHECK(world.measure(laboratory, state).error.empty());
    const auto results = world.results();
    REQUIRE(results.size() == 11);
    for (const auto& [argument, m] : results) {
        CAPTURE(argument);
        CHECK(m.value_s == doctest::Approx(laboratory.time_s(argument)).epsilon(0.01));
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
    World world(suite);
    RunState state;
    state.modes.know(0.3e-6, 0.3e-6, 0.3e-6, 3.8); // an earlier run had the cores for itself
    CHECK(world.measure(laboratory, state).error.empty());
    for (const auto& [argument, m] : world.results()) {
        CAPTURE(argument);
        CHECK(m.value_s == doctest::Approx(1.5 * laboratory.time_s(argument)).epsilon(0.02));
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
    laboratory.noise = 0.05;
    World world(suite);
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
    laboratory.throughput = [](double now_s) { return now_s < 0.045 ? 2.2 : 3.8; }; // the first pass and more
    laboratory.shared_factor = 1.5;
    World world(suite);
    CHECK(world.measure(laboratory).error.empty());
    for (const auto& [argument, m] : world.results()) {
        CAPTURE(argument);
        CHECK(m.value_s == doctest::Approx(laboratory.time_s(argument)).epsilon(0.01));
        CHECK_FALSE(has(m.flags, Flag::disturbed));
    }
}

TEST_CASE("wrong data are reported as such and never as a time") {
    World world(ping_pong_suite());
    InventedLaboratory laboratory;
    laboratory.wrong = {64};
    world.measure(laboratory);
    const auto results = world.results();
    CHECK(has(results.at(64).flags, Flag::wrong_result));
    CHECK(std::isnan(results.at(64).value_s));
    CHECK_FALSE(std::isnan(results.at(32).value_s));
}

TEST_CASE("an argument that cannot be prepared is left out, the first one fails the suite") {
    World world(ping_pong_suite());
    InventedLaboratory laboratory;
    laboratory.impossible = {4096};
    CHECK(world.measure(laboratory).error.empty());
    CHECK(world.results().count(4096) == 0);

    World none(ping_pong_suite());
    laboratory.impossible = {1};
    CHECK(none.measure(laboratory).error == "no memory");
}

TEST_CASE("an MPI error ends the suite with its text, what was measured is kept") {
    World world(ping_pong_suite());
    InventedLaboratory laboratory;
    laboratory.fail_at_series = 30;
    const SuiteOutcome outcome = world.measure(laboratory);
    CHECK(outcome.mpi_error);
    CHECK(outcome.error.find("rank 1") != std::string::npos);
    CHECK(world.database.measurements(world.id).size() > 3);
}

TEST_CASE("windows that are missed too often give way to barriers, with a flag and an end") {
    Suite suite = ping_pong_suite();
    suite.operation = {17, "MPI_Bcast", "MPI_Bcast", Pattern::collective, {Varied::message_length}};
    World world(suite);
    InventedLaboratory laboratory;
    laboratory.late_share = 0.9;
    CHECK(world.measure(laboratory).error.empty());
    const auto results = world.results();
    CHECK(results.size() >= 13);
    CHECK(has(results.at(4096).flags, Flag::unsynchronised));
    CHECK(results.at(4096).summary.count >= 8);
}

TEST_CASE("the overhead of calls that take seconds is known soon") {
    Suite suite = ping_pong_suite();
    suite.operation = {17, "MPI_Bcast", "MPI_Bcast", Pattern::collective, {Varied::message_length}};
    World world(suite);
    InventedLaboratory laboratory;
    laboratory.time_s = [](std::int64_t) { return 1.0; };
    CHECK(world.measure(laboratory).error.empty());
    CHECK(laboratory.longest_empty_s > 0);
    CHECK(laboratory.longest_empty_s < 5); // a few warm-up calls, not hundreds of windows
}

TEST_CASE("stopped at any series and started again, a suite ends as if never stopped") {
    Suite suite = ping_pong_suite();
    suite.arguments.end = 256;
    World uninterrupted(suite);
    InventedLaboratory calm;
    calm.time_s = [](std::int64_t m) { return m < 100 ? 2e-6 : 5e-6; };
    uninterrupted.measure(calm);
    const auto expected = uninterrupted.results();

    for (std::int64_t stop = 0; stop < calm.series_count; stop += 7) {
        World world(suite);
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
            CHECK(results.at(m).value_s == doctest::Approx(result.value_s).epsilon(1e-9));
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
    World uninterrupted(suite);
    InventedLaboratory whole = noisy;
    uninterrupted.measure(whole);
    const auto expected = uninterrupted.results();
    const std::size_t first_pass = skalib::Refinement(suite.arguments).first_pass().size();
    CHECK(expected.size() > first_pass);
    CHECK(expected.size() < 3 * first_pass); // hundreds if every value passed for exact

    for (std::ptrdiff_t stop = 0; stop < std::ssize(whole.visited); stop += 3) {
        World world(suite);
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
