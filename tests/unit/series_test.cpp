// SPDX-License-Identifier: GPL-2.0-or-later
#include "model/series.hpp"

#include <doctest/doctest.h>

#include <functional>

using namespace skampi;

namespace {

Run usual() {
    Run run;
    run.uuid = "1";
    run.plan_hash = "plan";
    run.ranks = 4;
    run.mpi_library = "MPICH Version: 4.0.2";
    run.host = "n1";
    run.placement = "n1: 0-3";
    run.binding = "1 core each";
    run.launcher = "Hydra";
    run.settings = {{"MPIR_CVAR_BCAST_INTRA_ALGORITHM", "binomial"}};
    return run;
}

std::vector<std::string> differing(const std::function<void(Run&)>& change) {
    Run other = usual();
    change(other);
    const std::vector<std::string> there = Series(usual()).differences(Series(other));
    CHECK(there.size() == Series(other).differences(Series(usual())).size());
    return there;
}

RankFacts rank(int number, const std::string& host, const std::string& cores) {
    RankFacts facts;
    facts.rank = number;
    facts.processor = host;
    facts.cpus_allowed = cores;
    return facts;
}

} // namespace

TEST_CASE("what differs from launch to launch without meaning is no difference") {
    CHECK(differing([](Run& run) {
              run.uuid = "2";
              run.launch = 7;
              run.started_utc = "2026-11-22T00:00:00Z";
              run.user = "somebody else";
              run.facts["load before"] = "1.5";
              run.parameter_text = "# another comment";
              run.host = "n1"; // the first host is in the placement
          }).empty());
}

TEST_CASE("descriptions differ where both are given, and make no other series") {
    Run other = usual();
    other.user = "Ada";
    other.network = "NET2";
    CHECK(description_differences(usual(), other).empty());
    Run third = usual();
    third.user = "Ada";
    third.network = "NETXYZ";
    REQUIRE(description_differences(other, third).size() == 1);
    CHECK(description_differences(other, third)[0].starts_with("the network differs"));
    CHECK(Series(other) == Series(third));
}

TEST_CASE("what makes runs incomparable is named, one text for each") {
    struct Case {
        std::function<void(Run&)> change;
        std::string expected;
    };
    const std::vector<Case> cases{
        {[](Run& run) { run.plan_hash = "other"; },
         "the plan (measurement part of the parameter file) differs"},
        {[](Run& run) { run.ranks = 8; }, "the number of ranks differs: \"4\" and \"8\""},
        {[](Run& run) { run.machine = "hydra"; }, "the machine differs: none and \"hydra\""},
        {[](Run& run) { run.variant = "new cable"; }, "the variant differs: none and \"new cable\""},
        {[](Run& run) { run.mpi_library = "Open MPI v4.1.4"; },
         "the MPI library differs: \"MPICH Version: 4.0.2\" and \"Open MPI v4.1.4\""},
        {[](Run& run) { run.placement = "n1: 0-1; n2: 2-3"; },
         "the placement of the ranks differs: \"n1: 0-3\" and \"n1: 0-1; n2: 2-3\""},
        {[](Run& run) { run.binding = "2 cores each, shared"; },
         "the binding of the ranks differs: \"1 core each\" and \"2 cores each, shared\""},
        {[](Run& run) { run.launcher = "Slurm"; }, "the launcher differs: \"Hydra\" and \"Slurm\""},
        {[](Run& run) { run.settings["MPIR_CVAR_BCAST_INTRA_ALGORITHM"] = "scatter"; },
         "the setting MPIR_CVAR_BCAST_INTRA_ALGORITHM differs: \"binomial\" and \"scatter\""},
        {[](Run& run) { run.settings.clear(); },
         "the setting MPIR_CVAR_BCAST_INTRA_ALGORITHM differs: \"binomial\" and unset"},
    };
    for (const Case& each : cases) {
        const std::vector<std::string> found = differing(each.change);
        REQUIRE(found.size() == 1);
        CHECK(found.front() == each.expected);
    }
    CHECK(differing([](Run& run) {
              run.ranks = 2;
              run.launcher = "Slurm";
          }).size() == 2);
}

TEST_CASE("the hash of a series differs where what is known differs") {
    Run other = usual();
    other.uuid = "2";
    CHECK(Series(other).hash() == Series(usual()).hash());
    CHECK(Series(usual()).hash().size() == 16);
    other.settings["UCX_TLS"] = "tcp";
    CHECK(Series(other).hash() != Series(usual()).hash());
    CHECK(Series(usual()).forget("launcher").hash() != Series(usual()).hash());
}

TEST_CASE("what is not known agrees with everything") {
    CHECK(Series().differences(Series(usual())).empty());
    CHECK(differing([](Run& run) {
              run.plan_hash = run.mpi_library = run.placement = run.binding = run.launcher = "";
              run.ranks = 0;
              run.settings.clear();
          }).empty());
    Run other = usual();
    other.launcher = "Slurm";
    other.placement = "elsewhere";
    CHECK(Series(usual()).forget("launcher").forget("placement") == Series(other));
    CHECK(Series(usual()) != Series(other));
}

TEST_CASE("settings that differ only behind what is shown of them differ") {
    Run one = usual();
    Run other = usual();
    one.settings["UCX_NET_DEVICES"] = std::string(300, 'x') + "1";
    other.settings["UCX_NET_DEVICES"] = std::string(300, 'x') + "2";
    CHECK(Series(one).differences(Series(other)).size() == 1);
    CHECK(Series(one) == Series(one));
}

TEST_CASE("a long or strange value is shown cut and printable") {
    const std::string found =
        differing([](Run& run) { run.variant = "caf\xC3\xA9\n" + std::string(1000, 'x'); }).front();
    CHECK(found.find("caf\xC3\xA9\\n") != std::string::npos);
    CHECK(found.find("...") != std::string::npos);
    CHECK(found.size() < 250);
}

TEST_CASE("the placement says which ranks ran where") {
    const std::vector<RankFacts> blocks{rank(0, "n1", "0"), rank(1, "n1", "1"), rank(2, "n2", "0"),
                                        rank(3, "n2", "1")};
    const std::vector<RankFacts> turns{rank(0, "n1", "0"), rank(1, "n2", "0"), rank(2, "n1", "1"),
                                       rank(3, "n2", "1")};
    CHECK(placement_text(blocks, "") == "n1: 0-1; n2: 2-3");
    CHECK(placement_text(turns, "") == "n1: 0,2; n2: 1,3");
    // The nodes of a machine are one, whichever the scheduler gives.
    std::vector<RankFacts> elsewhere = blocks;
    for (RankFacts& facts : elsewhere)
        facts.processor += "7";
    CHECK(placement_text(blocks, "hydra") == "2 hosts: 0-1; 2-3");
    CHECK(placement_text(elsewhere, "hydra") == placement_text(blocks, "hydra"));
    CHECK(placement_text(elsewhere, "") != placement_text(blocks, ""));
    CHECK(placement_text(turns, "hydra") != placement_text(blocks, "hydra"));
}

TEST_CASE("the placement of many ranks stays short and different") {
    std::vector<RankFacts> ranks;
    for (int i = 0; i < 20'000; ++i)
        ranks.push_back(rank(i, "node" + std::to_string(i % 1000), "0"));
    const std::string text = placement_text(ranks, "");
    CHECK(text.size() < 200);
    CHECK(text.starts_with("1000 hosts, 20000 ranks"));
    std::swap(ranks[5].processor, ranks[6].processor);
    CHECK(placement_text(ranks, "") != text);
}

TEST_CASE("ranks are crowded where they must share cores, not where they may") {
    CHECK_FALSE(binding_of({rank(0, "n", "0-1"), rank(1, "n", "0-1")}).crowded);
    CHECK_FALSE(binding_of({rank(0, "n", "0"), rank(1, "n", "0-1")}).crowded);
    CHECK(binding_of({rank(0, "n", "0-1"), rank(1, "n", "0-1"), rank(2, "n", "0-1")}).crowded);
    CHECK(binding_of({rank(0, "n", "0"), rank(1, "n", "0"), rank(2, "n", "1-3")}).crowded);
    CHECK_FALSE(binding_of({rank(0, "a", "0"), rank(1, "b", "0")}).crowded);
    CHECK(binding_of({rank(0, "a", "0-1"), rank(1, "b", "0")}).cores == 3);
    CHECK_FALSE(binding_of({rank(0, "a", ""), rank(1, "a", "")}).crowded); // not known
    CHECK(binding_of({}).most == 0);
}

TEST_CASE("cores are left where ranks of no host take all that they may use") {
    CHECK_FALSE(binding_of({}).full);
    CHECK_FALSE(binding_of({rank(0, "a", ""), rank(1, "a", "")}).full); // not known
    CHECK(binding_of({rank(0, "a", "0-1"), rank(1, "a", "0-1")}).full);
    CHECK_FALSE(binding_of({rank(0, "a", "0-2"), rank(1, "a", "0-2")}).full);
    CHECK(binding_of({rank(0, "a", "0-2"), rank(1, "b", "0")}).full);
}

TEST_CASE("two hardware threads of a core are one core") {
    const auto on_core = [](int number, const char* threads, int core) {
        RankFacts facts = rank(number, "n", threads);
        facts.seat.core = core;
        return facts;
    };
    const std::vector<RankFacts> alone = {on_core(0, "0,2", 0), on_core(1, "1,3", 1)};
    CHECK(binding_text(alone) == "1 core each");
    CHECK(binding_of(alone).cores == 2);
    CHECK_FALSE(binding_of(alone).threads);
    const std::vector<RankFacts> by_two = {on_core(0, "0", 0), on_core(1, "2", 0), on_core(2, "1", 1)};
    CHECK(binding_text(by_two) == "1 core each, shared as hardware threads");
    CHECK(binding_of(by_two).cores == 2);
    CHECK_FALSE(binding_of(by_two).crowded);
    CHECK(binding_of({on_core(0, "0,2", 0), on_core(1, "0,2", 0)}).threads); // either may have one
    const Binding crowded = binding_of({on_core(0, "0", 0), on_core(1, "0", 0)});
    CHECK(crowded.crowded);
    CHECK_FALSE(crowded.threads);
    CHECK(binding_of({on_core(0, "0,2", 0), on_core(1, "0,2", 0), on_core(2, "0,2", 0)}).cores == 2);
}

TEST_CASE("the binding says how many cores each rank has, and whether they are shared") {
    CHECK(binding_text({rank(0, "n", "0"), rank(1, "n", "1")}) == "1 core each");
    CHECK(binding_text({rank(0, "a", "0"), rank(1, "b", "0")}) == "1 core each");
    CHECK(binding_text({rank(0, "n", "0-1"), rank(1, "n", "0-1")}) == "2 cores each, shared");
    CHECK(binding_text({rank(0, "n", "0-3"), rank(1, "n", "4")}) == "1 to 4 cores each");
    CHECK(binding_text({rank(0, "n", "")}).empty());
    CHECK(binding_text({}).empty());
    CHECK(binding_text({rank(0, "n", "0"), rank(1, "n", "")}).empty());
    CHECK(cores_in("0-3,8") == std::vector{0, 1, 2, 3, 8});
    CHECK(cores_in("70000-70001") == std::vector{70000, 70001});
    CHECK(cores_in("0-9999999").size() == 65536); // of a damaged list
    CHECK(ranges_text({0, 1, 2, 3, 8}) == "0-3,8");
    CHECK(ranges_text({}).empty());
}

TEST_CASE("a difference of long texts is shown where they begin to differ, and the number of ranks first") {
    const auto placed = [](int ranks) {
        Run run = usual();
        run.ranks = ranks;
        run.placement.clear();
        for (int rank = 0; rank < ranks; ++rank)
            run.placement += "node" + std::to_string(rank) + ": " + std::to_string(rank) + "; ";
        return Series(run);
    };
    const std::vector<std::string> found = placed(64).differences(placed(48));
    REQUIRE(found.size() == 2);
    CHECK(found.front() == "the number of ranks differs: \"64\" and \"48\"");
    CHECK(found.back().find("node48: 48") != std::string::npos);
    CHECK(found.back().find("node0:") == std::string::npos);
    Run cut = usual();
    cut.variant = std::string(150, 'x') + "\u00e4";
    Run other = cut;
    other.variant.back() = '\xbc'; // another letter with the same first byte
    CHECK(Series(cut).differences(Series(other)).front() == "the variant differs: \"..." +
                                                                std::string(19, 'x') + "\u00e4\" and \"..." +
                                                                std::string(19, 'x') + "\u00fc\"");
}
