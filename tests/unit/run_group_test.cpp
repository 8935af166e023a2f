// SPDX-License-Identifier: GPL-2.0-or-later
#include "../golden.hpp"
#include "base/error.hpp"
#include "close_to.hpp"
#include "merge/run_group.hpp"
#include "model/run.hpp"

#include <algorithm>
#include <doctest/doctest.h>
#include <tuple>

using namespace skampi;

namespace {

SourceRun source(const std::string& uuid, const std::string& file,
                 const std::string& started = "2026-03-01T10:00:00Z") {
    SourceRun made;
    made.run.uuid = uuid;
    made.run.plan_hash = "plan";
    made.run.ranks = 4;
    made.run.machine = "Cluster";
    made.run.host = "node1";
    made.run.mpi_library = "MPICH 4.0.2";
    made.run.started_utc = started;
    made.run.ended_utc = "2026-03-01T11:00:00Z";
    made.file = file;
    made.points = 10;
    return made;
}

std::vector<SourceRun> ordered(std::vector<SourceRun> runs) {
    std::vector<std::string> notes;
    return in_canonical_order(std::move(runs), notes);
}

/// Of a run against a group.
std::vector<std::string> differences(const std::vector<SourceRun>& group, const SourceRun& run) {
    RunGroup known;
    for (const SourceRun& each : group)
        known.take_in(each);
    return known.differences(run);
}

std::string forced_text(const Run& merged) {
    std::string text;
    for (const ForcedDifference& each : merged.forced_differences)
        text += (text.empty() ? "" : "; ") + each.text;
    return text;
}

} // namespace

TEST_CASE("launches of one series belong together, of others they do not, and all differences are named") {
    const SourceRun first = source("1", "a.db");
    SourceRun other = source("2", "b.db");
    other.run.host = "node2"; // a machine's nodes are one
    CHECK(differences({first}, other).empty());
    other.run.ranks = 8;
    other.run.settings["MPIR_CVAR_BCAST_INTRA_ALGORITHM"] = "binomial";
    CHECK(differences({first}, other).size() == 2); // ranks, setting
}

TEST_CASE("a result CSV agrees with everything that it says nothing of") {
    SourceRun csv = source("2", "b.csv");
    csv.origin = Origin::csv;
    csv.run.plan_hash = csv.run.machine = csv.run.host = csv.run.mpi_library = "";
    csv.run.ranks = 2; // of its ping-pong suites, the only ones in it
    CHECK(differences({source("1", "a.db")}, csv).empty());
    CHECK(differences({csv}, source("1", "a.db")).empty());
    csv.run.mpi_library = "Open MPI 4.1.4";
    CHECK(differences({source("1", "a.db")}, csv).size() == 1);
}

TEST_CASE("two runs that differ are not brought together by one of which less is known") {
    SourceRun mpich = source("1", "a.db");
    SourceRun unknown = source("2", "b.db");
    unknown.run.mpi_library.clear();
    SourceRun open_mpi = source("3", "c.db");
    open_mpi.run.mpi_library = "Open MPI 4.1.4";
    CHECK(differences({unknown}, mpich).empty());
    CHECK(differences({unknown}, open_mpi).empty());
    CHECK(differences({unknown, mpich}, open_mpi).size() == 1);
    CHECK(differences({mpich, unknown}, open_mpi).size() == 1);
    CHECK_FALSE(merged_run({unknown, mpich, open_mpi}, {}, true).forced_differences.empty());
}

TEST_CASE("launches in a row within a day are of one session, spread or simulated ones are not") {
    const auto launches = [](const std::vector<std::string>& begins) {
        std::vector<SourceRun> runs;
        for (const std::string& begin : begins) {
            runs.push_back(source(begin, "a.db", begin));
            runs.back().run.ended_utc = begin;
        }
        return runs;
    };
    std::vector<SourceRun> close =
        launches({"2026-03-01T10:00:00Z", "2026-03-01T10:59:59Z", "2026-03-01T10:10:00Z"});
    CHECK(of_one_session(close));
    CHECK_FALSE(of_one_session({close[0]}));
    CHECK_FALSE(
        of_one_session(launches({"2026-03-01T10:00:00Z", "2026-03-01T11:00:00Z", "2026-03-01T12:00:00Z"})));
    // One of four pairs is far apart: most are close, but they are not of one day.
    CHECK_FALSE(of_one_session(launches(
        {"2026-03-01T10:00:00Z", "2026-03-01T10:01:00Z", "2026-03-01T10:02:00Z", "2026-03-02T10:00:01Z"})));
    close[1].own_start = false;
    CHECK_FALSE(of_one_session(close));
    close[1].own_start = true;
    close[2].run.facts[fact_simulation] = "SimGrid";
    CHECK_FALSE(of_one_session(close));
}

TEST_CASE("the order of runs depends on nothing but themselves") {
    SourceRun csv = source("0", "c.csv", "");
    csv.origin = Origin::csv;
    std::vector<SourceRun> runs{source("9", "x.db", "2026-03-01T10:00:00Z"),
                                source("5", "y.db", "2026-03-03T10:00:00Z"),
                                source("7", "z.db", "2026-03-01T10:00:00Z"), csv};
    const auto by_uuid = [](const SourceRun& a, const SourceRun& b) { return a.run.uuid < b.run.uuid; };
    std::sort(runs.begin(), runs.end(), by_uuid);
    do {
        std::string order;
        for (const SourceRun& run : ordered(runs))
            order += run.run.uuid;
        CHECK(order == "7950");
    } while (std::next_permutation(runs.begin(), runs.end(), by_uuid));
}

TEST_CASE(
    "runs are in the order of their launches, whatever file they come from, and so is what was merged") {
    SourceRun unknown = source("0", "a, started 2026.csv", "");
    unknown.origin = Origin::csv;
    unknown.run.ended_utc = "";
    SourceRun csv = source("8", "d.csv, launch 7", "2026-03-01T10:00:05Z");
    csv.origin = Origin::csv;
    csv.run.ended_utc = "";
    csv.run.facts["read from"] = "OSU output";
    csv.run.parameter_text = "";
    std::vector<SourceRun> runs{unknown, csv, source("2", "b.db", "2026-03-01T10:00:05Z"),
                                source("3", "c, ended 5.db", "2026-03-01T10:00:05Z"),
                                source("1", "e.db", "2026-03-01T10:00:06Z")};
    runs[2].run.launch = 11;
    runs[3].run.launch = 9;
    runs[3].run.ended_utc = "";
    runs[4].run.parameter_text = "text";
    const std::vector<SourceRun> first = ordered(runs);
    const auto order = [](const std::vector<SourceRun>& found) {
        std::string text;
        for (const SourceRun& run : found)
            text += run.run.uuid;
        return text;
    };
    CHECK(order(first) == "83210");

    const Run merged = merged_run(first, {});
    CHECK(merged.started_utc == "2026-03-01T10:00:05Z");
    std::map<std::string, MergedSource> stored = merged_sources(merged);
    CHECK(stored.size() == first.size());
    std::vector<SourceRun> again;
    for (const SourceRun& one : first) {
        const MergedSource& own = stored[one.run.uuid];
        CHECK(own.file == one.file);
        CHECK(own.started_utc == one.run.started_utc);
        CHECK(own.own_start);
        CHECK(own.launch == one.run.launch);
        CHECK(own.ended_utc == one.run.ended_utc);
        SourceRun& source = again.emplace_back(one);
        source.origin = Origin::merged;
        source.imported_from = own.imported_from;
    }
    CHECK(stored["8"].imported_from == "OSU output");
    CHECK(stored["0"].imported_from == "result CSV");
    CHECK(stored["1"].imported_from.empty());
    std::ranges::reverse(again);
    again = ordered(again);
    CHECK(order(again) == "83210");
    // What nothing is known of tells nothing of the others, the second time either.
    again[0].run.mpi_library = "";
    CHECK(merged_run(again, {}).mpi_library == "MPICH 4.0.2");
    CHECK(merged_run(again, {}).facts == merged.facts);
}

TEST_CASE("a run in several files is taken once, from where most is known of it") {
    SourceRun csv = source("1", "a.csv", "");
    csv.origin = Origin::csv;
    csv.points = 99;
    SourceRun merged = source("1", "m.db");
    merged.origin = Origin::merged;
    SourceRun unended = source("1", "early.db");
    unended.run.ended_utc = "";
    SourceRun partial = source("1", "aaa.db");
    partial.points = 3;
    const SourceRun full = source("1", "full.db");

    std::vector<SourceRun> runs{csv, unended, full, partial, merged};
    std::vector<std::string> notes;
    const auto once = in_canonical_order(runs, notes);
    REQUIRE(once.size() == 1);
    CHECK(once.front().file == "full.db");
    CHECK(notes.size() == 4);
    CHECK(notes.front().find("full.db") != std::string::npos);
    std::reverse(runs.begin(), runs.end());
    CHECK(ordered(runs).front().file == "full.db");
}

TEST_CASE("the merged run names its sources and keeps what they agree on") {
    std::vector<SourceRun> runs{source("a", "a.db", "2026-03-01T10:00:00Z"),
                                source("b", "b.db", "2026-03-02T10:00:00Z")};
    runs[0].run.facts = {{"kernel", "6.1"}, {"governor", "performance"}, {"slurm job id", "17"}};
    runs[1].run.facts = {{"kernel", "6.1"}, {"governor", "powersave"}};
    runs[1].run.ended_utc = "2026-03-02T11:00:00Z";
    SourceRun csv;
    csv.run.uuid = "c";
    csv.file = "c.csv";
    csv.origin = Origin::csv;
    runs.push_back(csv);

    const Run merged = merged_run(runs, {});
    CHECK(merged.kind == "merged");
    CHECK(merged.merged_runs == 3);
    CHECK(merged.plan_hash == "plan");
    CHECK(merged.ranks == 4);
    CHECK(merged.started_utc == "2026-03-01T10:00:00Z");
    CHECK(merged.ended_utc == "2026-03-02T11:00:00Z");
    CHECK(merged.facts.at("kernel") == "6.1");
    CHECK_FALSE(merged.facts.contains("governor"));
    CHECK(differing_fact(merged, "governor") != nullptr);
    const std::map<std::string, MergedSource> sources = merged_sources(merged);
    CHECK(sources.at("a").file == "a.db");
    CHECK(sources.at("a").started_utc == "2026-03-01T10:00:00Z");
    CHECK(sources.at("a").ended_utc == "2026-03-01T11:00:00Z");
    CHECK(sources.at("a").imported_from.empty());
    CHECK(sources.at("c").file == "c.csv");
    CHECK(sources.at("c").imported_from == "result CSV");
    CHECK(merged.forced_differences.empty());
}

TEST_CASE("what became of the batches is added up over the runs, again when merged runs are merged") {
    std::vector<SourceRun> runs{source("a", "a.db"), source("b", "b.db")};
    runs[0].run.facts[fact_batches] = "100";
    runs[1].run.facts[fact_batches] = "23";
    const Run merged = merged_run(runs, {}, false);
    CHECK(merged.facts.at(fact_batches) == "123");
    runs[0].run.facts[fact_batches] = "none";
    CHECK(differing_fact(merged_run(runs, {}, false), fact_batches) != nullptr);
}

TEST_CASE("a forced merge says what differed and claims nothing that is not common") {
    std::vector<SourceRun> runs{source("a", "a.db"), source("b", "b.db")};
    runs[1].run.plan_hash = "other";
    runs[0].run.launcher = "Hydra";
    runs[1].run.launcher = "Slurm";
    runs[1].run.settings["UCX_TLS"] = "tcp";
    const Run merged = merged_run(runs, {}, true);
    CHECK(merged.plan_hash == differs_between_runs);
    CHECK(merged.launcher == differs_between_runs);
    CHECK(merged.parameter_text == differs_between_runs);
    CHECK(merged.facts.at("merged by").ends_with(way_text({}) + " --force"));
    CHECK(merged.mpi_library == "MPICH 4.0.2");
    CHECK(merged.settings.at("UCX_TLS") == "differs between the runs");
    const std::string although = forced_text(merged);
    for (const char* const what : {"plan", "launcher", "UCX_TLS"})
        CHECK(although.find(what) != std::string::npos);

    runs.push_back(source("c", "c.db"));
    runs[2].run.variant = "new cable";
    runs.push_back(runs[2]); // told once
    const std::string all = although + "; the variant differs: none and \"new cable\"";
    CHECK(forced_text(merged_run(runs, {}, true)) == all);
    // Of what was merged by force before each difference is told once, too.
    SourceRun before{merged_run({runs[0], runs[1]}, {}, true), "m.db", Origin::merged, 1, 0, 1};
    SourceRun after{merged_run(runs, {}, true), "n.db", Origin::merged, 1, 1, 1};
    const std::string again = forced_text(merged_run({before, after}, {}, true));
    CHECK(again.starts_with(although));
    CHECK(again.find(although, 1) == std::string::npos);
    CHECK(again.find("new cable") != std::string::npos);
    CHECK(again.find("new cable") == again.rfind("new cable"));
}

TEST_CASE("a merged run has ended when all of its runs have") {
    std::vector<SourceRun> runs{source("a", "a.db"), source("b", "b.db")};
    SourceRun csv = source("c", "c.csv");
    csv.origin = Origin::csv;
    csv.run.ended_utc.clear();
    csv.run.facts["read from"] = "result CSV";
    runs.push_back(csv);
    CHECK(merged_run(runs, {}).ended_utc == "2026-03-01T11:00:00Z");
    runs[0].run.ended_utc.clear();
    CHECK(merged_run(runs, {}).ended_utc.empty());
    CHECK(merged_sources(merged_run(runs, {})).at("a").ended_utc.empty());
    CHECK_FALSE(has_ended(merged_run(runs, {})));

    SUBCASE("be it that none of them tells when") {
        SourceRun other = csv;
        other.run.uuid = "d";
        const Run imports = merged_run({csv, other}, {});
        CHECK(imports.ended_utc.empty());
        CHECK(has_ended(imports));
        SourceRun part{imports, "m.db", Origin::merged, 1, 0, 1};
        CHECK(has_ended(merged_run({part}, {})));
        // Not so with one that goes on.
        CHECK_FALSE(has_ended(merged_run({part, runs[0]}, {})));
    }
}

TEST_CASE("a merged run keeps where each rank was in how many of its runs") {
    const auto placed = [](SourceRun made, const std::string& host) {
        for (const int rank : {0, 1}) {
            RankFacts facts;
            facts.rank = rank;
            facts.processor = rank == 0 ? "node1" : host;
            facts.cpus_allowed = std::to_string(rank);
            facts.pid = 4711;
            made.run.rank_facts.push_back(facts);
        }
        return made;
    };
    const std::vector<SourceRun> runs{placed(source("a", "a.db"), "node1"),
                                      placed(source("b", "b.db"), "node2"),
                                      placed(source("c", "c.db"), "node2")};
    using Place = std::tuple<int, std::string, std::string, int>;
    const auto places = [](const Run& run) {
        std::vector<Place> all;
        for (const RankFacts& rank : run.rank_facts)
            all.emplace_back(rank.rank, rank.processor, rank.cpus_allowed, rank.runs);
        return all;
    };
    const Run merged = merged_run(runs, {});
    CHECK(places(merged) ==
          std::vector<Place>{{0, "node1", "0", 3}, {1, "node1", "1", 1}, {1, "node2", "1", 2}});
    // Merged once more with a further run, from the merged file.
    std::vector<SourceRun> again{placed(source("d", "d.db"), "node1")};
    for (const char* const uuid : {"a", "b", "c"}) {
        SourceRun part{merged, "m.db", Origin::merged, 1, 0, 1};
        part.run.uuid = uuid;
        again.push_back(part);
    }
    again.front().input = 1;
    CHECK(places(merged_run(again, {})) ==
          std::vector<Place>{{0, "node1", "0", 4}, {1, "node1", "1", 2}, {1, "node2", "1", 2}});
}

TEST_CASE("the uuid of a merged run follows from its runs and the way of merging") {
    const std::vector<SourceRun> runs{source("a", "a.db"), source("b", "b.db")};
    const std::vector<SourceRun> elsewhere{source("b", "moved/b.db"), source("a", "moved/a.db")};
    const std::vector<SourceRun> fewer{source("a", "a.db")};
    MergeWay mean;
    mean.value = skalib::MergedValue::mean;
    const std::string uuid = merged_run(runs, {}).uuid;
    CHECK(uuid == merged_run(elsewhere, {}).uuid);
    CHECK(uuid != merged_run(fewer, {}).uuid);
    CHECK(uuid != merged_run(runs, mean).uuid);
    CHECK(uuid != merged_run(runs, {.modes = false}).uuid);
    CHECK(uuid.size() == 36);
    CHECK(is_merged_uuid(uuid));
    CHECK_FALSE(is_merged_uuid("f47ac10b-58cc-4372-a567-0e02b2c3d479"));
}

namespace {

std::string groups_of(const std::string& key, const std::vector<SourceRun>& runs) {
    std::string text;
    for (const MergeGroup& group : grouped_by(key, runs)) {
        text += group.key + ":";
        for (const SourceRun& run : group.runs)
            text += " " + run.run.uuid;
        text += "; ";
    }
    return text;
}

} // namespace

TEST_CASE("runs are parted by a field, a library or a setting, numbers by their size") {
    std::vector<SourceRun> runs{source("a", "a.db"), source("b", "b.db"), source("c", "c.db")};
    runs[0].run.ranks = 16;
    runs[2].run.host = "node2";
    runs[1].run.mpi_library = "Open MPI 4.1.4";
    runs[1].run.settings["UCX_TLS"] = "tcp";
    CHECK(groups_of("", runs) == ": a b c; ");
    CHECK(groups_of("ranks", runs) == "ranks = 4: b c; ranks = 16: a; ");
    CHECK(groups_of("host", runs) == "host = node1: a b; host = node2: c; ");
    CHECK(groups_of("library", runs) == "library = MPICH 4.0.2: a c; library = Open MPI 4.1.4: b; ");
    CHECK(groups_of("UCX_TLS", runs) == "UCX_TLS = (none): a c; UCX_TLS = tcp: b; ");
    for (const char* const none : {"colour", "uuid", "started_utc"})
        CHECK_THROWS_AS((void)grouped_by(none, runs), InputError);
}

TEST_CASE("a table tells in what runs differ, each text with the files that have it") {
    std::vector<SourceRun> runs;
    for (const char* const name : {"a", "b", "c", "d", "e"})
        runs.push_back(source(name, std::string(name) + ".db"));
    CHECK(difference_table(runs).empty());
    runs[4].run.ranks = 8;
    runs[4].run.variant = std::string(150, 'x');
    runs[3].run.settings["UCX_TLS"] = "tcp";
    SourceRun csv = source("f", "f.csv");
    csv.origin = Origin::csv;
    csv.run.mpi_library.clear();
    csv.run.ranks = 2;
    runs.push_back(csv);
    SourceRun again = source("g", "a.db");
    runs.push_back(again);
    Golden golden("run_group");
    golden.add("difference table", difference_table(runs));
    std::vector<std::string> all;
    for (const std::string& difference : differences({runs[0]}, runs[4]))
        all.push_back(difference);
    golden.add("differences of a run", all.at(0) + "\n" + all.at(1));
    const Run merged = merged_run(runs, {}, true);
    golden.add("forced differences", forced_text(merged));
    golden.add("merged by", merged.facts.at("merged by"));
    std::vector<std::string> notes;
    (void)in_canonical_order({runs[0], runs[0]}, notes);
    golden.add("a run in two files", notes.at(0));
    try {
        (void)grouped_by("colour", runs);
        FAIL("accepted");
    } catch (const InputError& error) {
        golden.add("--by colour", error.what());
    }
    golden.check();
}

TEST_CASE(
    "what runs say differently is the same after any merges on the way, and imports add what they know") {
    std::vector<SourceRun> runs;
    for (const char* const name : {"a", "b", "c", "d", "e"})
        runs.push_back(source(name, std::string(name) + ".db"));
    for (std::size_t i = 0; i < runs.size(); ++i)
        runs[i].run.facts = {{"job", std::to_string(9 - i)}, {"kernel", "6.1"}};
    runs[1].run.facts["node list"] = "n1";
    SourceRun import = source("f", "f.txt");
    import.origin = Origin::csv;
    import.run.facts = {{fact_read_from, "Intel MPI Benchmarks"}, {"kernel", "6.1"}, { "node list", "n7" }};
    runs.push_back(import);
    const auto members = [](const std::vector<SourceRun>& merged, std::size_t input) {
        std::vector<SourceRun> found;
        for (const SourceRun& run : merged) {
            SourceRun& member =
                found.emplace_back(SourceRun{merged_run(merged, {}), "m.db", Origin::merged, 1, input, 1});
            member.run.uuid = run.run.uuid;
            member.imported_from = run.origin == Origin::csv ? "Intel MPI Benchmarks" : "";
            member.run.sources.clear();
        }
        return found;
    };
    const Run at_once = merged_run(runs, {});
    CHECK(at_once.facts.at("kernel") == "6.1");
    CHECK(at_once.differing_facts == std::vector<DifferingFact>{{"job", 3, {"5", "6", "7"}, true, false},
                                                                {"node list", 2, {"n1", "n7"}, false, true}});
    CHECK_FALSE(at_once.facts.contains(fact_read_from));
    std::vector<SourceRun> one_merged = runs;
    one_merged[1].run.facts["merged by"] = "skampi-merge --grid first";
    CHECK(merged_run(one_merged, {}).differing_facts == at_once.differing_facts);
    for (std::size_t first = 1; first < runs.size(); ++first) {
        const auto middle = runs.begin() + static_cast<std::ptrdiff_t>(first);
        std::vector<SourceRun> again = members({runs.begin(), middle}, 0);
        const std::vector<SourceRun> others = members({middle, runs.end()}, 1);
        again.insert(again.end(), others.begin(), others.end());
        const Run merged = merged_run(again, {});
        CHECK(merged.facts.at("kernel") == "6.1");
        CHECK(merged.differing_facts == at_once.differing_facts);
    }
}

TEST_CASE("a merged run takes the worst clock, the mean share, and no reference of its runs") {
    std::vector<SourceRun> runs{source("a", "a.db"), source("b", "b.db"), source("c", "c.db")};
    for (std::size_t i = 0; i < runs.size(); ++i) {
        Run& run = runs[i].run;
        const auto number = static_cast<double>(i + 1);
        run.clock_resolution_s = 1e-8 * number;
        run.clock_cost_s = 3e-8 / number;
        run.measuring_share = i == 1 ? 0 : 0.2 * number; // not known of the second
        run.reference_core_speed = i == 0 ? 0 : 1e9 * number;
        run.launch = 5;
    }
    const Run merged = merged_run(runs, {});
    CHECK(merged.clock_resolution_s == close_to(3e-8));
    CHECK(merged.clock_cost_s == close_to(3e-8));
    CHECK(merged.measuring_share == close_to(0.4));
    CHECK(merged.reference_core_speed == 2e9); // of the oldest run that stores one
    CHECK(merged.launch == 0);
    CHECK(merged_run({source("a", "a.db")}, {}).measuring_share == 0);
    CHECK(merged.facts.at("merged by").ends_with(way_text({})));
}

TEST_CASE("descriptions that differ are named with their launches, again when merged runs are merged") {
    std::vector<SourceRun> runs{source("a", "a.db"), source("b", "b.db"), source("c", "c.db")};
    for (SourceRun& each : runs)
        each.run.network = "NET2";
    CHECK(merged_run(runs, {}).network == "NET2");
    CHECK(differing_descriptions(runs).empty());
    runs[0].run.network = "NETXYZ";
    const Run merged = merged_run(runs, {});
    CHECK(merged.network == "NET2 (2 launches), NETXYZ (1)");
    CHECK(differing_descriptions(runs) ==
          std::vector<std::string>{"@NETWORK: NET2 (2 launches), NETXYZ (1)"});
    std::vector<SourceRun> again = runs;
    const std::map<std::string, MergedSource> stored = merged_sources(merged);
    for (SourceRun& each : again) {
        each.origin = Origin::merged;
        each.run.network = stored.at(each.run.uuid).network;
    }
    CHECK(merged_run(again, {}).network == merged.network);
    runs[0].run.network.clear(); // of a database an empty text is known to be empty
    CHECK(merged_run(runs, {}).network.ends_with("none given (1)"));
    runs[0].origin = Origin::csv;
    CHECK(merged_run(runs, {}).network == "NET2");
    CHECK(differing_descriptions(runs).empty());
}

TEST_CASE("the mean share of merged runs is the same to the last digit after any merges on the way") {
    std::vector<SourceRun> runs;
    for (const char* const name : {"a", "b", "c", "d", "e"})
        runs.push_back(source(name, std::string(name) + ".db"));
    for (std::size_t i = 0; i < runs.size(); ++i)
        runs[i].run.measuring_share = i == 2 ? 0 : 0.1 + 0.17 * static_cast<double>(i); // of one not known
    const double at_once = merged_run(runs, {}).measuring_share;
    CHECK(at_once == close_to(0.44));
    for (std::size_t first = 1; first < runs.size(); ++first) {
        std::vector<SourceRun> again;
        const auto middle = runs.begin() + static_cast<std::ptrdiff_t>(first);
        for (const std::vector<SourceRun>& part : {std::vector(runs.begin(), middle), {middle, runs.end()}}) {
            const Run merged = merged_run(part, {});
            for (const auto& [uuid, own] : merged_sources(merged)) {
                again.push_back({merged, "m.db", Origin::merged});
                again.back().run.uuid = uuid;
                again.back().run.measuring_share = own.measuring_share;
            }
        }
        CHECK(merged_run(again, {}).measuring_share == at_once);
    }
}

TEST_CASE("sizes of a host are those that all runs have which know it") {
    std::vector<SourceRun> runs{source("a", "a.db"), source("b", "b.db"), source("c", "c.csv")};
    runs[0].run.host_sizes = {.hardware_threads = 8, .cores = 4, .l2_bytes = 1 << 20};
    runs[1].run.host_sizes = {.hardware_threads = 64, .cores = 4, .l2_bytes = 1 << 20};
    runs[2].origin = Origin::csv;
    CHECK(merged_run(runs, {}).host_sizes == HostSizes{.cores = 4, .l2_bytes = 1 << 20});
}

TEST_CASE("of many different texts of a fact the first three are kept") {
    std::vector<SourceRun> runs;
    for (const char* const name : {"a", "b", "c", "d", "e"}) {
        runs.push_back(source(name, "x.db", std::string("2026-03-01T10:00:0") + name + "Z"));
        runs.back().run.facts["slurm job id"] = std::string("job ") + name;
    }
    CHECK(merged_run(runs, {}).differing_facts ==
          std::vector<DifferingFact>{{"slurm job id", 3, {"job a", "job b", "job c"}, true, false}});
    runs.resize(3);
    CHECK(merged_run(runs, {}).differing_facts ==
          std::vector<DifferingFact>{{"slurm job id", 3, {"job a", "job b", "job c"}, false, false}});
}
