// SPDX-License-Identifier: GPL-2.0-or-later
#include "close_to.hpp"
#include "own_functions/local_laboratory.hpp"

#include <doctest/doctest.h>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

using namespace skampi;

namespace {

/// A machine whose clock moves by what functions cost, and 20 ns for each reading.
struct Machine {
    double time_s = 0;
    bool stop = false;
    std::vector<Suite> plan{1};
    std::vector<Function> functions{1};

    Machine() {
        plan[0].name = "invented";
        plan[0].operation.name = "f";
        plan[0].operation.pattern = Pattern::simple;
        plan[0].varied = Varied::message_length;
        plan[0].arguments.start = 0;
        plan[0].arguments.end = 4096;
        functions[0].name = "f";
        functions[0].call = [this](const Arguments& a) {
            time_s += 1e-6 + 1e-9 * static_cast<double>(a.message_bytes);
        };
    }
    std::unique_ptr<LocalLaboratory> laboratory() {
        return std::make_unique<LocalLaboratory>(
            plan, functions, [this] { return stop; }, [this] { return time_s += 20e-9; });
    }
    static SeriesOrder order(std::int64_t block) {
        SeriesOrder order;
        order.warm_up = 4;
        order.block = block;
        order.per_batch = 3;
        order.batches = 2;
        return order;
    }
};

} // namespace

TEST_CASE("the time of a call is what it takes, and the reading of the clock shared by a block") {
    Machine machine;
    const auto laboratory = machine.laboratory();
    REQUIRE(laboratory->prepare(0, 1000).empty());
    const SeriesResult result = laboratory->series(Machine::order(10));
    CHECK(result.warm_up_calls == 4);
    REQUIRE(result.batches.size() == 2);
    for (const Batch& batch : result.batches) {
        CHECK(batch.block == 10);
        REQUIRE(batch.duration_s.size() == 3);
        for (const double duration_s : batch.duration_s)
            CHECK(duration_s == close_to(2e-6 + 20e-9 / 10).epsilon(1e-9));
    }
    CHECK(result.batches[1].start_s > result.batches[0].start_s);
}

TEST_CASE("an empty series costs nothing but the clock, and calls no function") {
    Machine machine;
    int calls = 0;
    machine.functions[0].call = [&](const Arguments&) { ++calls; };
    machine.functions[0].between = [&](const Arguments&) { ++calls; };
    const auto laboratory = machine.laboratory();
    REQUIRE(laboratory->prepare(0, 1).empty());
    SeriesOrder order = Machine::order(1);
    order.empty = true;
    const SeriesResult result = laboratory->series(order);
    CHECK(calls == 0);
    REQUIRE(result.batches.size() == 2);
    CHECK(result.batches[0].duration_s[0] == close_to(20e-9).epsilon(1e-6));
}

TEST_CASE("what lies between two calls is not timed, and makes each call one of its own") {
    Machine machine;
    machine.functions[0].between = [&](const Arguments&) { machine.time_s += 1; };
    const auto laboratory = machine.laboratory();
    REQUIRE(laboratory->prepare(0, 0).empty());
    CHECK(laboratory->acts_between_calls());
    const SeriesResult result = laboratory->series(Machine::order(1));
    REQUIRE(!result.batches.empty());
    for (const double duration_s : result.batches[0].duration_s)
        CHECK(duration_s == close_to(1.02e-6).epsilon(1e-6));
    Machine plain;
    const auto other = plain.laboratory();
    REQUIRE(other->prepare(0, 0).empty());
    CHECK_FALSE(other->acts_between_calls());
}

TEST_CASE("setup, check and teardown are called in their places, once for each argument") {
    Machine machine;
    std::string calls;
    Function& f = machine.functions[0];
    f.setup = [&](const Arguments& a) { calls += "s" + std::to_string(a.argument); };
    f.call = [&](const Arguments&) { calls += "c"; };
    f.check = [&](const Arguments&) {
        calls += "?";
        return true;
    };
    f.between = [&](const Arguments&) { calls += "b"; };
    f.teardown = [&] { calls += "t "; };
    {
        const auto laboratory = machine.laboratory();
        REQUIRE(laboratory->prepare(0, 1).empty());
        REQUIRE(laboratory->prepare(0, 1).empty()); // there already
        REQUIRE(laboratory->prepare(0, 2).empty());
        REQUIRE(laboratory->prepare(0, 1).empty()); // known to be right
    }
    CHECK(calls == "s1c?bt s2c?bt s1t ");
}

TEST_CASE("a wrong result is known for its argument, also when that is visited again") {
    Machine machine;
    std::int64_t argument = 0;
    machine.functions[0].setup = [&](const Arguments& a) { argument = a.argument; };
    machine.functions[0].check = [&](const Arguments&) { return argument != 2; };
    const auto laboratory = machine.laboratory();
    for (const std::int64_t visited : {1, 2, 3, 2, 1}) {
        REQUIRE(laboratory->prepare(0, visited).empty());
        CHECK(laboratory->delivered_right() == (visited != 2));
    }
}

TEST_CASE("an error in setup makes the argument impossible, one in the call ends the series; both tell why") {
    Machine machine;
    bool throws = false;
    int torn_down = 0;
    machine.functions[0].setup = [](const Arguments& a) {
        if (a.argument > 10)
            throw std::runtime_error("too large for me");
    };
    machine.functions[0].call = [&](const Arguments&) {
        machine.time_s += 1e-6;
        if (throws)
            throw std::runtime_error("no more");
    };
    machine.functions[0].teardown = [&] { ++torn_down; };
    const auto laboratory = machine.laboratory();
    CHECK(laboratory->prepare(0, 11) == "setting up f threw: too large for me");
    CHECK(torn_down == 0);
    CHECK(laboratory->prepare(0, 10).empty());
    throws = true;
    CHECK_THROWS_WITH_AS((void)laboratory->series(Machine::order(1)), "f threw: no more", LaboratoryError);
    CHECK(torn_down == 1);
}

TEST_CASE("an error in the check, which sees what the call left, ends the suite and not the argument") {
    Machine machine;
    int left = 0;
    machine.functions[0].call = [&](const Arguments&) { left = 1; };
    machine.functions[0].between = [&](const Arguments&) { left = 0; };
    machine.functions[0].check = [&](const Arguments& a) -> bool {
        if (a.argument == 2)
            throw std::runtime_error("cannot tell");
        return left == 1;
    };
    const auto laboratory = machine.laboratory();
    REQUIRE(laboratory->prepare(0, 1).empty());
    CHECK(laboratory->delivered_right());
    CHECK_THROWS_WITH_AS((void)laboratory->prepare(0, 2), "checking f threw: cannot tell", LaboratoryError);
}

TEST_CASE("whatever is thrown is no end of the program, and an error in teardown ends the suite") {
    Machine machine;
    machine.functions[0].call = [](const Arguments&) { throw 5; };
    machine.functions[0].teardown = [] { throw std::runtime_error("cannot"); };
    const auto laboratory = machine.laboratory();
    REQUIRE(laboratory->prepare(0, 1).empty());
    CHECK_THROWS_WITH_AS((void)laboratory->series(Machine::order(1)),
                         "f threw: something that is not a std::exception", LaboratoryError);
    REQUIRE(laboratory->prepare(0, 1).empty());
    CHECK_THROWS_WITH_AS((void)laboratory->end_suite(), "clearing up after f threw: cannot", LaboratoryError);
}

TEST_CASE("a series ends before the next batch when its time is over or a stop is wanted") {
    Machine machine;
    const auto laboratory = machine.laboratory();
    REQUIRE(laboratory->prepare(0, 0).empty());
    SeriesOrder order = Machine::order(1);
    order.warm_up = 0;
    order.batches = 1000;
    order.deadline_s = laboratory->now() + 100e-6;
    const SeriesResult result = laboratory->series(order);
    CHECK(result.batches.size() > 10);
    CHECK(result.batches.size() < 40); // of 3 us each
    CHECK(laboratory->now() < order.deadline_s + 10e-6);
    machine.stop = true;
    order.deadline_s += 1;
    CHECK(laboratory->series(order).batches.empty());
}

TEST_CASE("probes stand before and after their batches") {
    Machine machine;
    const auto laboratory = machine.laboratory();
    REQUIRE(laboratory->prepare(0, 0).empty());
    SeriesOrder order = Machine::order(1);
    order.batches = 4;
    order.probe_every = 2;
    const SeriesResult result = laboratory->series(order);
    REQUIRE(result.batches.size() == 4);
    for (const Batch& batch : result.batches) {
        CHECK(batch.probe_before_s == close_to(20e-9).epsilon(1e-6)); // no time passes in it but the clock's
        CHECK(batch.probe_after_s == close_to(20e-9).epsilon(1e-6));
    }
    CHECK(result.probe_cost_s > 0);
    CHECK(result.inside_s > 4 * 3 * 1e-6);
    CHECK(result.inside_s < 4 * 3 * 1e-6 + 10e-6);
}

TEST_CASE("buffers are as long as the message, apart, and only there where they are wanted") {
    Machine machine;
    Arguments seen;
    machine.functions[0].setup = [&](const Arguments& a) { seen = a; };
    REQUIRE(machine.laboratory()->prepare(0, 64).empty());
    CHECK(seen.source == nullptr);
    machine.functions[0].wants_buffers = true;
    const auto laboratory = machine.laboratory();
    REQUIRE(laboratory->prepare(0, 64).empty());
    REQUIRE(seen.source != nullptr);
    CHECK((seen.target >= seen.source + 64 || seen.source >= seen.target + 64));
    CHECK(seen.message_bytes == 64);
    CHECK(laboratory->end_suite().front().pages.size() > 1);
}
