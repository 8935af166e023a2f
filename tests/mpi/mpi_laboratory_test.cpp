// SPDX-License-Identifier: GPL-2.0-or-later
// The real laboratory: what rank 0 sees of its orders, on both ranks of a job.
#include "close_to.hpp"
#include "job/mpi_laboratory.hpp"

#include "operations/all_operations.hpp"
#include "operations/operation.hpp"

#include <algorithm>
#include <doctest/doctest.h>
#include <functional>
#include <vector>

using namespace skampi;

namespace {

/// What this rank has made and not freed yet.
struct Made {
    int communicators = 0;
    int windows = 0;
    int most_communicators = 0;
    int most_windows = 0;
    int windows_in_all = 0;
};
Made& made() {
    static Made all;
    return all;
}

int noted_communicator(int code, const MPI_Comm* comm) {
    if (code == MPI_SUCCESS && *comm != MPI_COMM_NULL)
        made().most_communicators = std::max(made().most_communicators, ++made().communicators);
    return code;
}

} // namespace

/// MPI's own functions under their second names: whatever makes or frees something passes here.
extern "C" int MPI_Comm_dup(MPI_Comm of, MPI_Comm* comm) {
    return noted_communicator(PMPI_Comm_dup(of, comm), comm);
}
extern "C" int MPI_Comm_split(MPI_Comm of, int color, int key, MPI_Comm* comm) {
    return noted_communicator(PMPI_Comm_split(of, color, key, comm), comm);
}
extern "C" int MPI_Comm_split_type(MPI_Comm of, int kind, int key, MPI_Info info, MPI_Comm* comm) {
    return noted_communicator(PMPI_Comm_split_type(of, kind, key, info, comm), comm);
}
extern "C" int MPI_Cart_create(MPI_Comm of, int count, const int extents[], const int periodic[], int reorder,
                               MPI_Comm* comm) {
    return noted_communicator(PMPI_Cart_create(of, count, extents, periodic, reorder, comm), comm);
}
extern "C" int MPI_Comm_free(MPI_Comm* comm) {
    --made().communicators;
    return PMPI_Comm_free(comm);
}
extern "C" int MPI_Win_allocate(MPI_Aint size, int unit, MPI_Info info, MPI_Comm comm, void* base,
                                MPI_Win* window) {
    ++made().windows_in_all;
    made().most_windows = std::max(made().most_windows, ++made().windows);
    return PMPI_Win_allocate(size, unit, info, comm, base, window);
}
extern "C" int MPI_Win_free(MPI_Win* window) {
    --made().windows;
    return PMPI_Win_free(window);
}

namespace {

Suite suite_of(const std::string& operation, std::int64_t end = 8) {
    Suite suite;
    suite.name = operation;
    suite.operation = find_operation(operation).info();
    suite.varied = Varied::message_length;
    suite.reduction = "MPI_BOR";
    suite.arguments = {.start = 1, .end = end};
    return suite;
}

/// Rank 0 works, the others follow, whatever becomes of the work.
void with_laboratory(
    const std::vector<Suite>& plan, const std::function<void(MpiLaboratory&)>& work,
    const std::function<bool()>& stop = [] { return false; }, LocalClock clock = {}) {
    MpiLaboratory laboratory(MPI_COMM_WORLD, {plan, 1 << 20}, clock, stop);
    if (laboratory.all().rank() != 0)
        return laboratory.follow();
    try {
        work(laboratory);
    } catch (...) {
        laboratory.finish();
        throw;
    }
    laboratory.finish();
}

/// Two batches of four single measurements of two calls each.
SeriesOrder short_series() {
    SeriesOrder order;
    order.warm_up = 5;
    order.block = 2;
    order.per_batch = 4;
    order.batches = 2;
    order.probe_every = 1;
    order.synchronization = Synchronization::barrier;
    return order;
}

} // namespace

TEST_CASE("rank 0 knows every rank's place, clock and pages") {
    int rank = 0;
    int size = 1;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    // The last rank pretends to be seven seconds ahead; what is left is what MPI counts its time from.
    LocalClock clock;
    clock.false_offset_s = rank == size - 1 ? 7 : 0;
    const auto work = [&](MpiLaboratory& laboratory) {
        CHECK(laboratory.end_suite().back().pages.empty()); // nothing was sent yet
        CHECK(laboratory.prepare(0, 8).empty());
        const auto suite_facts = laboratory.suite_facts();
        const std::vector<RankFacts> facts = laboratory.end_suite();
        REQUIRE(facts.size() == static_cast<std::size_t>(size));
        CHECK(facts.front().clock_offset_s == 0);
        CHECK(facts.back().clock_offset_s == close_to(7).epsilon(0.05));
        for (const RankFacts& one : facts) {
            CHECK(one.rank == &one - facts.data());
            CHECK(one.pages.ends_with("k"));
            CHECK_FALSE(one.processor.empty());
            CHECK(one.pid > 0);
            CHECK(one.cpu >= 0);
        }
        CHECK(suite_facts.at("pages") == facts.front().pages);
    };
    with_laboratory(
        {suite_of("MPI_Bcast")}, work, [] { return false; }, clock);
}

TEST_CASE("a series has as many batches, values and probes as were ordered, one after the other") {
    for (const char* const operation : {"MPI_Send-MPI_Recv", "MPI_Allreduce", "MPI_Wtime"})
        with_laboratory({suite_of(operation)}, [&](MpiLaboratory& laboratory) {
            CAPTURE(operation);
            REQUIRE(laboratory.prepare(0, 8).empty());
            const double begin_s = laboratory.now();
            SeriesOrder order = short_series();
            order.lead_in = 3; // single measurements of two calls, before each of two batches
            const SeriesResult result = laboratory.series(order);
            const double end_s = laboratory.now();
            CHECK(result.warm_up_calls == 5 + 2 * 3 * 2);
            const bool goes_one_way = operation == std::string("MPI_Allreduce");
            CHECK((result.way_there > 0) == goes_one_way);
            CHECK(result.way_there < 1);
            CHECK(result.warm_up_call_s > 0);
            CHECK(result.inside_s > 0);
            CHECK(result.inside_s <= end_s - begin_s);
            REQUIRE(result.batches.size() == 2);
            double last_s = begin_s;
            double inside_s = 0;
            for (const Batch& batch : result.batches) {
                CHECK(batch.block == 2);
                CHECK(batch.duration_s.size() == 4);
                CHECK(batch.late == 0);
                CHECK(batch.start_s > last_s);
                last_s = batch.start_s;
                CHECK(batch.probe_before_s > 0);
                CHECK(batch.probe_after_s > 0);
                CHECK(batch.core_clock_hz > 0);
                CHECK(batch.core_throughput > 0);
                for (const double duration_s : batch.duration_s) {
                    CHECK(duration_s > 0);
                    inside_s += 2 * duration_s;
                }
            }
            CHECK(inside_s <= result.inside_s);
            CHECK(last_s < end_s);
            CHECK(result.batches[0].probe_after_s == result.batches[1].probe_before_s);
        });
}

TEST_CASE("batches between the same two looks at the cores have one throughput, and all have one") {
    with_laboratory({suite_of("MPI_Allreduce")}, [](MpiLaboratory& laboratory) {
        REQUIRE(laboratory.prepare(0, 8).empty());
        SeriesOrder order = short_series();
        order.batches = 7;
        order.probe_every = 2;
        order.look_every = 3;
        const SeriesResult result = laboratory.series(order);
        REQUIRE(result.batches.size() == 7);
        for (std::size_t b = 0; b < result.batches.size(); ++b) {
            CHECK(result.batches[b].core_throughput > 0);
            CHECK(result.batches[b].core_throughput == result.batches[b - b % 3].core_throughput);
            CHECK(result.batches[b].core_clock_hz == result.batches[0].core_clock_hz);
        }
    });
}

TEST_CASE(
    "behind a barrier that is not timed each rank tells its own duration, and the longest is reported") {
    Suite suite = suite_of("MPI_Bcast");
    suite.node_times = true;
    suite.synchronization = Synchronization::barrier_before;
    int size = 0;
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    with_laboratory({suite}, [size](MpiLaboratory& laboratory) {
        REQUIRE(laboratory.prepare(0, 8).empty());
        SeriesOrder order = short_series();
        order.block = 1;
        order.synchronization = Synchronization::barrier_before;
        const SeriesResult result = laboratory.series(order);
        REQUIRE_FALSE(result.batches.empty());
        for (const Batch& batch : result.batches) {
            CHECK(batch.synchronization == Synchronization::barrier_before);
            REQUIRE(batch.node_durations.size() == static_cast<std::size_t>(size));
            for (std::size_t i = 0; i < batch.duration_s.size(); ++i) {
                double longest_s = 0;
                for (const NodeDurations& of_rank : batch.node_durations)
                    longest_s = std::max(longest_s, of_rank.duration_s.at(i));
                CHECK(batch.duration_s[i] == longest_s);
            }
        }
    });
}

TEST_CASE("node times are those of every rank, and the reported one is the last rank's") {
    Suite suite = suite_of("MPI_Bcast");
    suite.node_times = true;
    suite.reported_time = ReportedTime::max;
    with_laboratory({suite}, [](MpiLaboratory& laboratory) {
        REQUIRE(laboratory.prepare(0, 8).empty());
        const SeriesResult result = laboratory.series(short_series());
        REQUIRE(result.batches.size() == 2);
        for (const Batch& batch : result.batches) {
            REQUIRE(batch.node_durations.size() == 2);
            for (std::size_t i = 0; i < batch.duration_s.size(); ++i)
                CHECK(batch.duration_s[i] == close_to(std::max(batch.node_durations[0].duration_s[i],
                                                               batch.node_durations[1].duration_s[i])));
        }
    });
}

TEST_CASE("the mean of the ranks is reported where it is asked for") {
    Suite suite = suite_of("MPI_Bcast");
    suite.node_times = true;
    suite.reported_time = ReportedTime::mean;
    suite.synchronization = Synchronization::barrier_before;
    with_laboratory({suite}, [](MpiLaboratory& laboratory) {
        REQUIRE(laboratory.prepare(0, 8).empty());
        SeriesOrder order = short_series();
        order.block = 1;
        order.synchronization = Synchronization::barrier_before;
        const SeriesResult result = laboratory.series(order);
        REQUIRE_FALSE(result.batches.empty());
        for (const Batch& batch : result.batches)
            for (std::size_t i = 0; i < batch.duration_s.size(); ++i) {
                double sum_s = 0;
                for (const NodeDurations& of_rank : batch.node_durations)
                    sum_s += of_rank.duration_s.at(i);
                CHECK(batch.duration_s[i] ==
                      close_to(sum_s / static_cast<double>(batch.node_durations.size())));
            }
    });
}

TEST_CASE("values of windows that were missed are counted and left out, and a hopeless series ends") {
    with_laboratory({suite_of("MPI_Allreduce")}, [](MpiLaboratory& laboratory) {
        REQUIRE(laboratory.prepare(0, 8).empty());
        CHECK(laboratory.clock().synchronised());
        SeriesOrder order = short_series();
        order.synchronization = Synchronization::window;
        order.window_s = 1e-9; // but for the first of a batch all have begun before the one before has ended
        order.per_batch = 16;
        order.batches = 100;
        const SeriesResult missed = laboratory.series(order);
        CHECK(missed.batches.size() < 10);
        REQUIRE_FALSE(missed.batches.empty());
        for (const Batch& batch : missed.batches) {
            CHECK(batch.late >= 15);
            CHECK(std::ssize(batch.duration_s) + batch.late == 16);
        }
        order.window_s = 0.02; // longer than another process takes the core, as a rule
        order.per_batch = 4;
        order.batches = 1;
        const SeriesResult kept = laboratory.series(order);
        REQUIRE(kept.batches.size() == 1);
        CHECK(kept.batches[0].duration_s.size() > 0);
        CHECK(std::ssize(kept.batches[0].duration_s) + kept.batches[0].late == 4);
    });
}

TEST_CASE("a suite that stays at one argument estimates the clock again, unless all ranks read one") {
    int rank = 0;
    int size = 1;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (const bool own : {false, true}) {
        const auto work = [&](MpiLaboratory& laboratory) {
            CAPTURE(own);
            REQUIRE(laboratory.prepare(0, 8).empty());
            const std::vector<ClockEstimate> first = laboratory.take_clock_estimates();
            REQUIRE(first.size() == 1);
            CHECK(first[0].clocks == (own ? size : 1));
            CHECK(first[0].start_s > 0);
            SeriesOrder order = short_series();
            order.synchronization = Synchronization::window;
            order.window_s = 0.02;
            order.batches = 12; // together longer than half the baseline of the first estimate
            CHECK((laboratory.series(order).way_there > 0) == !own); // whose ends are read on one clock
            CHECK(laboratory.take_clock_estimates().empty());
            REQUIRE(laboratory.prepare(0, 8).empty()); // what is prepared already
            (void)laboratory.series(short_series());   // between barriers: no clock is needed
            order.batches = 1;
            (void)laboratory.series(order);
            const std::vector<ClockEstimate> second = laboratory.take_clock_estimates();
            CHECK(second.size() == (own ? 1 : 0));
            for (const ClockEstimate& estimate : second) {
                CHECK(estimate.held);
                CHECK(estimate.age_s > 0.5);
                CHECK(estimate.baseline_s > first[0].baseline_s + 0.5);
            }
        };
        with_laboratory({suite_of("MPI_Allreduce")}, work, [] { return false; },
                        {.false_offset_s = own && rank == size - 1 ? 7.0 : 0});
    }
}

TEST_CASE("nothing of a series begins once its time is over, but for the batches that must be") {
    with_laboratory({suite_of("MPI_Send-MPI_Recv")}, [](MpiLaboratory& laboratory) {
        REQUIRE(laboratory.prepare(0, 8).empty());
        SeriesOrder order = short_series();
        order.deadline_s = laboratory.now();
        const SeriesResult none = laboratory.series(order);
        CHECK(none.batches.empty());
        CHECK(none.warm_up_calls == 0);
        order.deadline_s = laboratory.now() + 1000;
        order.budget_end_s = laboratory.now();
        order.least_batches = 1;
        CHECK(laboratory.series(order).batches.size() == 1);
    });
}

TEST_CASE("a series ends when a stop is wanted") {
    bool wanted = false;
    with_laboratory(
        {suite_of("MPI_Allreduce")},
        [&](MpiLaboratory& laboratory) {
            REQUIRE(laboratory.prepare(0, 8).empty());
            CHECK(laboratory.series(short_series()).batches.size() == 2);
            wanted = true;
            CHECK(laboratory.stop_wanted());
            CHECK(laboratory.series(short_series()).batches.empty());
        },
        [&] { return wanted; });
}

TEST_CASE("what makes an argument impossible is told, and the next one is prepared all the same") {
    Suite missing_root = suite_of("MPI_Bcast");
    missing_root.root = 5;
    with_laboratory({suite_of("MPI_Allgather", 1 << 20), missing_root}, [](MpiLaboratory& laboratory) {
        const std::string problem = laboratory.prepare(0, 1 << 21);
        CHECK(problem.find("messages of 2097152 bytes are too long") != std::string::npos);
        CHECK(laboratory.prepare(0, 64).empty());
        CHECK(laboratory.delivered_right());
        CHECK(laboratory.prepare(1, 8) == "Root = 5, but the last place among the ranks that take part is 1");
        CHECK(laboratory.prepare(0, 128).empty());
        CHECK(laboratory.series(short_series()).batches.size() == 2);
    });
}

TEST_CASE("an operation that returns an error on all ranks is told of, and others are measured after it") {
    Suite wrong = suite_of("MPI_Allreduce");
    wrong.datatype = "MPI_DOUBLE";
    wrong.reduction = "MPI_BOR"; // which no MPI knows for it
    wrong.arguments = {.start = 8, .end = 8};
    with_laboratory({wrong, suite_of("MPI_Allreduce")}, [](MpiLaboratory& laboratory) {
        for (int attempt = 0; attempt < 2; ++attempt)
            CHECK_THROWS_WITH_AS((void)laboratory.prepare(0, 8),
                                 doctest::Contains("rank 0: MPI_Allreduce returned error class"),
                                 LaboratoryError);
        REQUIRE(laboratory.prepare(1, 8).empty());
        CHECK(laboratory.delivered_right());
        CHECK(laboratory.series(short_series()).batches.size() == 2);
    });
}

TEST_CASE("the control traffic is one order for each thing to do") {
    with_laboratory({suite_of("MPI_Send-MPI_Recv")}, [](MpiLaboratory& laboratory) {
        REQUIRE(laboratory.prepare(0, 8).empty());
        CHECK(laboratory.orders_sent() == 2); // the partner, once, and the argument
        REQUIRE(laboratory.prepare(0, 8).empty());
        CHECK(laboratory.orders_sent() == 2);
        SeriesOrder order = short_series();
        order.batches = 50;
        CHECK(laboratory.series(order).batches.size() == 50);
        CHECK(laboratory.orders_sent() == 3);
        REQUIRE(laboratory.prepare(0, 4).empty());
        CHECK(laboratory.orders_sent() == 4);
    });
}

TEST_CASE("communicators and windows are few at any time, and none is left") {
    const Made before = made();
    std::vector<Suite> plan;
    for (const char* const operation :
         {"MPI_Put-fence", "MPI_Get-PSCW", "MPI_Accumulate-lock", "MPI_Put-flush", "MPI_Comm_dup",
          "MPI_Comm_split", "MPI_Neighbor_alltoall", "MPI_Bcast"})
        plan.push_back(suite_of(operation, 16));
    plan.back().varied = Varied::nodes;
    plan.back().arguments = {.start = 1, .end = 2};
    SeriesOrder order = short_series();
    order.block = 1; // what calls make is freed after each
    with_laboratory(plan, [&](MpiLaboratory& laboratory) {
        for (int suite = 0; suite < static_cast<int>(plan.size()); ++suite) {
            CAPTURE(plan[static_cast<std::size_t>(suite)].name);
            for (const std::int64_t argument : {1, 2, 1, 2}) {
                REQUIRE(laboratory.prepare(suite, argument).empty());
                CHECK(laboratory.series(order).batches.size() == 2);
            }
            (void)laboratory.end_suite();
            CHECK(made().windows == 0); // the suite has ended
        }
    });
    CHECK(made().windows_in_all - before.windows_in_all == 4 * 4);
    CHECK(made().most_windows == 1);
    CHECK(made().windows == 0);
    CHECK(made().communicators == before.communicators);
    // The laboratory's own, its clock's, the teams', and one that is measured.
    CHECK(made().most_communicators - before.communicators <= static_cast<int>(Teams::most) + 4);
}

TEST_CASE("of many teams the communicators of the last ones are kept, the same on every rank") {
    const Communicator all = Communicator::duplicate(MPI_COMM_WORLD);
    const int before = made().communicators;
    {
        Teams teams;
        for (int round = 0; round < 2; ++round)
            for (int number = 0; number < 3 * static_cast<int>(Teams::most); ++number) {
                const TeamShape shape = {.pattern = Pattern::collective, .ranks = 2, .partner = number};
                const Communicator& team = teams.get(all, shape, all.rank());
                REQUIRE(team.size() == 2);
                CHECK(team.get() == teams.get(all, shape, all.rank()).get()); // made once
                int sum = 0; // the ranks mean the same communicator
                MPI_Allreduce(&number, &sum, 1, MPI_INT, MPI_SUM, team.get());
                CHECK(sum == 2 * number);
                CHECK(made().communicators - before == static_cast<int>(teams.count()));
                CHECK(teams.count() <= Teams::most);
            }
        CHECK(teams.count() == Teams::most);
    }
    CHECK(made().communicators == before);
}
