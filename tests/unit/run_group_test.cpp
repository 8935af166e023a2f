#include "run_group.hpp"

#include <algorithm>
#include <doctest/doctest.h>

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

} // namespace

TEST_CASE("runs of one plan, rank count, machine and library belong together") {
    CHECK(difference(source("1", "a.db"), source("2", "b.db")).empty());
}

TEST_CASE("a difference is named with both values") {
    const auto differing = [](auto change) {
        SourceRun other = source("2", "b.db");
        change(other.run);
        return difference(source("1", "a.db"), other);
    };
    CHECK(differing([](Run& run) { run.plan_hash = "other"; }).find("plan") != std::string::npos);
    CHECK(differing([](Run& run) { run.ranks = 8; }) == "the number of ranks differs: \"4\" and \"8\"");
    CHECK(differing([](Run& run) { run.machine = "Toaster\x1b[2J"; }) ==
          "the machine differs: \"Cluster\" and \"Toaster\\x1b[2J\"");
    CHECK(differing([](Run& run) { run.mpi_library = "Open MPI"; }).find("\"Open MPI\"") !=
          std::string::npos);
    CHECK(differing([](Run& run) { run.host = "node2"; }).empty());
}

TEST_CASE("without a machine text the host is the machine") {
    SourceRun a = source("1", "a.db");
    SourceRun b = source("2", "b.db");
    a.run.machine = b.run.machine = "";
    CHECK(difference(a, b).empty());
    b.run.host = "node2";
    CHECK(difference(a, b) == "the machine differs: \"node1\" and \"node2\"");
}

TEST_CASE("a long text is shown by its beginning, whole characters only") {
    SourceRun b = source("2", "b.db");
    b.run.machine = std::string(59, 'x') + std::string(100, '\xC3') + "\xA4";
    for (int i = 0; i < 40; ++i)
        b.run.machine += "\xC3\xA4";
    const std::string shown = difference(source("1", "a.db"), b);
    CHECK(shown.size() < 200);
    b.run.machine = std::string(59, 'x') + "\xC3\xA4\xC3\xA4";
    CHECK(difference(source("1", "a.db"), b).find(std::string(59, 'x') + "...") != std::string::npos);
}

TEST_CASE("a result CSV agrees with everything") {
    SourceRun csv = source("2", "b.csv");
    csv.origin = Origin::csv;
    csv.run.plan_hash = csv.run.machine = csv.run.host = csv.run.mpi_library = "";
    CHECK(difference(source("1", "a.db"), csv).empty());
    CHECK(difference(csv, source("1", "a.db")).empty());
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
    runs[0].run.reference_probe_s = 3;
    runs[1].run.reference_probe_s = 5;
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
    CHECK(merged.reference_probe_s == 3);
    CHECK(merged.facts.at("kernel") == "6.1");
    CHECK(merged.facts.at("governor") == "differs between the runs: performance | powersave");
    CHECK(merged.facts.at("slurm job id") == "differs between the runs: 17 | not known of 1");
    CHECK(merged.facts.at("source 0001") == "run a from a.db, started 2026-03-01T10:00:00Z");
    CHECK(merged.facts.at("source 0003") ==
          "run c from c.csv, a result CSV: plan, machine and MPI library unknown");
    CHECK(merged.facts.count("merged by force although") == 0);
}

TEST_CASE("a forced merge says what differed and claims no common plan") {
    std::vector<SourceRun> runs{source("a", "a.db"), source("b", "b.db")};
    runs[1].run.plan_hash = "other";
    MergeOptions options;
    options.force = true;
    const Run merged = merged_run(runs, options);
    CHECK(merged.plan_hash.empty());
    CHECK(merged.facts.at("merged by force although").find("plan") != std::string::npos);
}

TEST_CASE("the uuid of a merged run follows from its runs and the way of merging") {
    const std::vector<SourceRun> runs{source("a", "a.db"), source("b", "b.db")};
    const std::vector<SourceRun> elsewhere{source("b", "moved/b.db"), source("a", "moved/a.db")};
    const std::vector<SourceRun> fewer{source("a", "a.db")};
    MergeOptions mean;
    mean.value = skalib::MergedValue::mean;
    const std::string uuid = merged_run(runs, {}).uuid;
    CHECK(uuid == merged_run(elsewhere, {}).uuid);
    CHECK(uuid != merged_run(fewer, {}).uuid);
    CHECK(uuid != merged_run(runs, mean).uuid);
    CHECK(uuid.size() == 36);
    CHECK(is_merged_uuid(uuid));
    CHECK_FALSE(is_merged_uuid("f47ac10b-58cc-4372-a567-0e02b2c3d479"));
}
