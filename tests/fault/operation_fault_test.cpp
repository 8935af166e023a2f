// SPDX-License-Identifier: GPL-2.0-or-later
// Faults in operations of each pattern, kernels of applications, nonblocking and persistent operations: one
// job measures all of them, and each goes wrong at its second length. A new operation is one row.
#include "faulty_run.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <numeric>
#include <regex>
#include <string>
#include <vector>

using namespace skampi;

namespace {

struct Victim {
    const char* type;
    const char* call; ///< that goes wrong: OPERATION:K, as interposer.cpp takes it
    int rank;         ///< on which, and which receives data by it
    bool dies;        ///< one of each kind: each death takes a job, and the supervisor sees no operation
};

const std::vector<Victim> victims{
    {"MPI_Ssend-MPI_Recv", "MPI_Recv", 1, false},
    {"MPI_Alltoall", "MPI_Alltoall", 1, false},
    {"Master-Recv_any_source", "MPI_Recv", 0, false},
    {"Halo_1D-Isend", "MPI_Irecv", 1, true},
    {"Halo_2D-Isend-computation", "MPI_Irecv", 0, false},
    {"Halo_2D-Sendrecv", "MPI_Sendrecv", 0, false},
    {"Halo_2D-packed", "MPI_Irecv", 1, false},
    {"Halo_1D-Send_init", "MPI_Startall", 0, false},
    {"Halo_2D-Psend_init", "MPI_Startall", 1, false},
    {"Halo_2D-Neighbor_alltoallw", "MPI_Neighbor_alltoallw", 1, false},
    {"Halo_1D-Neighbor_alltoallw_init", "MPI_Startall", 0, false},
    {"Transpose-Alltoallw", "MPI_Alltoallw", 0, true},
    {"Transpose-Isend", "MPI_Irecv", 1, false},
    {"Transpose-packed", "MPI_Alltoall", 0, false},
    {"Ring-Sendrecv", "MPI_Sendrecv", 1, true},
    {"Ring-Isend", "MPI_Irecv", 0, false},
    {"Ring-pipeline", "MPI_Irecv", 1, false},
    {"Sparse-Ibarrier", "MPI_Recv", 1, true},
    {"Sparse-Alltoall", "MPI_Irecv", 0, false},
    {"Sparse-Reduce_scatter_block", "MPI_Recv", 0, false},
    {"MPI_Neighbor_allgather", "MPI_Neighbor_allgather", 0, false},
    {"MPI_Neighbor_alltoall", "MPI_Neighbor_alltoall", 1, true},
    {"MPI_Ineighbor_alltoall", "MPI_Ineighbor_alltoall", 0, false},
    {"MPI_Ibcast-computation", "MPI_Ibcast", 1, false},
    {"MPI_Ialltoall", "MPI_Ialltoall", 1, true},
    {"MPI_Iallreduce", "MPI_Iallreduce", 0, false},
    {"MPI_Alltoall_init", "MPI_Start", 1, true},
    {"MPI_Allreduce_init", "MPI_Start", 0, false},
    {"MPI_Send_init-MPI_Recv_init", "MPI_Start", 0, false},
    {"MPI_Psend_init-MPI_Precv_init", "MPI_Start", 1, false},
    {"Bandwidth", "MPI_Irecv", 1, false},
    {"Bidirectional_bandwidth", "MPI_Irecv", 0, false},
    {"Gather-Waitall", "MPI_Irecv", 0, false},
    {"Master-Waitany", "MPI_Irecv", 0, false},
    {"Master-Send", "MPI_Recv", 1, false},
};

/// Lengths that no other suite has, so that a fault meets one operation; multiples of 8 for what is
/// partitioned.
std::int64_t first_length(std::size_t victim) {
    return 1000 + 8 * static_cast<std::int64_t>(victim);
}
std::int64_t faulty_length(std::size_t victim) {
    return 2 * first_length(victim);
}
std::string suite_name(std::size_t victim) {
    return fmt::format("s{}", victim);
}

/// A call when the data were checked long ago, and the first length has its time.
constexpr int late_call = 10;

/// Which of them take part.
using Chosen = std::vector<std::size_t>;

Chosen all_of_them() {
    Chosen places(victims.size());
    std::iota(places.begin(), places.end(), std::size_t{0});
    return places;
}
Chosen those_that_die() {
    Chosen places = all_of_them();
    std::erase_if(places, [](std::size_t i) { return !victims[i].dies; });
    return places;
}

std::string plan_of(const Chosen& places) {
    // Enough time for each: what jobs that die take from it leaves some.
    std::string plan =
        "@ABSOLUTE yes\n@TIMESUITEDEFAULT 5 s\n@MEASUREMENTS\n"
        "healthy { Type = MPI_Bcast; Start_Argument = 600; End_Argument = 600; Max_Repetition = 8; "
        "Min_Repetition = 4; }\n";
    for (const std::size_t i : places)
        plan +=
            fmt::format("{} {{ Type = {}; Variation = Length; Scale = Fixed_linear; Start_Argument = {}; "
                        "End_Argument = {}; Stepwidth = {}; Max_Repetition = 8; Min_Repetition = 4; }}\n",
                        suite_name(i), victims[i].type, first_length(i), faulty_length(i), first_length(i));
    return plan;
}

std::string faults_of(const Chosen& places, int call, const std::string& kind) {
    std::string faults;
    for (const std::size_t i : places)
        faults += fmt::format("{}{}:{}:{}:{}:{}", faults.empty() ? "" : ",", victims[i].call, call,
                              victims[i].rank, kind, faulty_length(i));
    return faults;
}

Outcome run_victims(const Chosen& places, int call, const std::string& kind, int retries,
                    const std::string& hang_after) {
    Outcome outcome = run_faulty({.plan = plan_of(places),
                                  .faults = faults_of(places, call, kind),
                                  .times = 0,
                                  .hang_after = hang_after,
                                  .retries = retries,
                                  .timeout_s = 400});
    CAPTURE(outcome.result.err);
    CHECK_FALSE(outcome.result.timed_out);
    CHECK(outcome.result.exit_status == static_cast<int>(ExitStatus::incomplete));
    CHECK((outcome.result.out + outcome.result.err).find("SKAMPI: OK") == std::string::npos);
    CHECK(outcome.ended);
    CHECK(outcome.suite("healthy").state == SuiteState::finished);
    for (std::size_t at = 0; at < places.size(); ++at) {
        INFO(std::string(victims[places[at]].type));
        CHECK(outcome.marks.find(static_cast<char>('a' + at)) != std::string::npos); // it did go wrong
    }
    return outcome;
}

/// What is known of a death where the launcher was faster to end the other rank.
const std::string by_launcher = R"(signal 9 \(Killed\) on rank|signal 1 \(Hangup\) on rank)";

/// The measurement of a length that went well is there and has a time.
void check_survivor(const Outcome& outcome, std::size_t victim) {
    const std::vector<StoredMeasurement>& measured = outcome.measurements.at(suite_name(victim));
    const auto found = std::ranges::find(measured, first_length(victim),
                                         [](const StoredMeasurement& m) { return m.measurement.argument; });
    REQUIRE(found != measured.end());
    CHECK(found->finished);
    CHECK_FALSE(has(found->measurement.flags, Flag::wrong_result));
    CHECK(found->measurement.summary.count > 0);
}

void check_deaths(const std::string& kind, const std::string& hang_after, const std::string& reason) {
    Chosen places = those_that_die();
    if (kind == "hang")
        places.resize(3); // each takes seconds
    const Outcome outcome = run_victims(places, late_call, kind, 0, hang_after);
    CAPTURE(outcome.result.err);
    for (const std::size_t i : places) {
        INFO(std::string(victims[i].type));
        const StoredSuite& culprit = outcome.suite(suite_name(i));
        CAPTURE(culprit.reason);
        CHECK(culprit.state == SuiteState::failed);
        CHECK(culprit.attempts == 1);
        CHECK(std::regex_search(culprit.reason, std::regex(reason)));
        check_survivor(outcome, i);
    }
}

} // namespace

TEST_CASE("wrong data of whatever operation are charged to it and to their length") {
    struct Case {
        const char* kind;
        int call;
    };
    // At once in the first byte; in the middle of a message, when the data were checked long ago.
    for (const Case& each : {Case{"wrong", 1}, Case{"middle", late_call}}) {
        INFO(std::string(each.kind));
        const Outcome outcome = run_victims(all_of_them(), each.call, each.kind, 1, "20s");
        CAPTURE(outcome.result.err);
        for (std::size_t i = 0; i < victims.size(); ++i) {
            INFO(std::string(victims[i].type));
            CHECK(outcome.suite(suite_name(i)).state == SuiteState::finished);
            CHECK(outcome.suite(suite_name(i)).attempts == 1);
            check_survivor(outcome, i);
            for (const StoredMeasurement& m : outcome.measurements.at(suite_name(i)))
                CHECK(has(m.measurement.flags, Flag::wrong_result) ==
                      (m.measurement.argument == faulty_length(i)));
        }
    }
}

TEST_CASE("an error that an operation returns fails its suite, in the same job") {
    const Chosen places = all_of_them();
    const Outcome outcome = run_victims(places, late_call, "error", 1, "20s");
    CAPTURE(outcome.result.err);
    CHECK(outcome.result.err.find("job 2 starts") == std::string::npos);
    for (const std::size_t i : places) {
        INFO(std::string(victims[i].type));
        const StoredSuite& culprit = outcome.suite(suite_name(i));
        CAPTURE(culprit.reason);
        CHECK(culprit.state == SuiteState::failed);
        CHECK(culprit.attempts == 2);
        CHECK(culprit.reason.find("returned error class") != std::string::npos);
        CHECK(culprit.reason.find(victims[i].type) != std::string::npos);
        CHECK(std::ranges::count_if(outcome.events, [&](const Event& event) {
                  return event.suite == suite_name(i) && event.kind == "mpi-error";
              }) == 2);
        check_survivor(outcome, i);
    }
}

TEST_CASE("a rank that dies of a segmentation fault in an operation of any kind fails its suite alone") {
    check_deaths("segfault", "10s",
                 R"(signal 11 \(Segmentation fault\) on rank|no progress for |)" + by_launcher);
}

TEST_CASE(
    "a rank that leaves with status 0 in the middle of an operation of any kind fails its suite alone") {
    check_deaths("leave", "10s", "ended itself|no progress for |" + by_launcher);
}

TEST_CASE("a rank that hangs in an operation of any kind fails its suite alone") {
    check_deaths("hang", "3s", "no progress for 3 s");
}
