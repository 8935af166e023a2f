// The real laboratory's own facts, seen by rank 0. Runs on both ranks of a job.
#include "job/mpi_laboratory.hpp"

#include "operations/operation.hpp"

#include <doctest/doctest.h>
#include <vector>

using namespace skampi;

TEST_CASE("rank 0 knows every rank's place, clock and pages") {
    Suite broadcast;
    broadcast.name = "broadcast";
    broadcast.operation = find_operation("MPI_Bcast").info();
    broadcast.varied = Varied::message_length;
    broadcast.arguments = {.start = 1, .end = 8};
    const std::vector<Suite> plan = {broadcast};
    const Communicator world = Communicator::duplicate(MPI_COMM_WORLD);
    // The last rank pretends to be seven seconds ahead; what is left is what MPI counts its time from.
    LocalClock clock;
    clock.false_offset_s = world.rank() == world.size() - 1 ? 7 : 0;
    MpiLaboratory laboratory(world.get(), plan, 1 << 20, clock, [] { return false; });
    if (world.rank() != 0) {
        laboratory.follow();
        return;
    }
    CHECK(laboratory.end_suite().back().pages.empty()); // nothing was sent yet
    CHECK(laboratory.prepare(0, 8).empty());
    const std::vector<RankFacts> facts = laboratory.end_suite();
    const auto suite_facts = laboratory.suite_facts();
    laboratory.finish();
    REQUIRE(facts.size() == static_cast<std::size_t>(world.size()));
    CHECK(facts.front().clock_offset_s == 0);
    CHECK(facts.back().clock_offset_s == doctest::Approx(7).epsilon(0.05));
    for (const RankFacts& rank : facts) {
        CHECK(rank.rank == &rank - facts.data());
        CHECK(rank.pages.ends_with("k"));
        CHECK_FALSE(rank.processor.empty());
        CHECK(rank.pid > 0);
        CHECK(rank.cpu >= 0);
    }
    CHECK(suite_facts.at("pages") == facts.front().pages);
}
