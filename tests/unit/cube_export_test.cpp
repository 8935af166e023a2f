// SPDX-License-Identifier: GPL-2.0-or-later
#include "close_to.hpp"
#include "formats/exchange/cube_export.hpp"

#include "../golden.hpp"
#include "base/error.hpp"
#include "scratch_folder.hpp"

#include "../tool/invented_results.hpp"

#include <cmath>
#include <doctest/doctest.h>
#include <numeric>
#include <set>

using namespace skampi;
using namespace skampi::test;

namespace {

/// One suite over message lengths, and what is to be stored of each length.
struct Point {
    std::int64_t argument = 0;
    Measurement measurement;
    std::vector<Batch> batches;
};

Suite bcast(const std::string& name = "Bcast") {
    return suite(name, operation(17, "MPI_Bcast", "MPI_Bcast", Pattern::collective, Varied::message_length),
                 Varied::message_length);
}

Batch batch(double start_s, std::vector<double> duration_s, std::int64_t block = 1) {
    Batch result;
    result.start_s = start_s;
    result.block = block;
    for (double& duration : duration_s)
        duration = as_stored(duration);
    result.duration_s = std::move(duration_s);
    return result;
}

Point point(std::int64_t argument, std::vector<Batch> batches, double overhead_s = 0) {
    Point result{argument, {}, std::move(batches)};
    result.measurement.argument = argument;
    result.measurement.ranks = 2;
    result.measurement.overhead_s = overhead_s;
    std::vector<double> values;
    for (const Batch& own : result.batches)
        if (!own.dropped)
            for (const double duration : own.duration_s)
                values.push_back(duration - overhead_s);
    result.measurement.summary = skalib::summarise(values, 0.25);
    result.measurement.value_s = result.measurement.summary.cut_mean;
    return result;
}

Run two_ranks(const std::string& uuid, const std::string& started_utc = "2026-03-01T10:00:00Z") {
    Run run = invented_run(uuid);
    run.ranks = 2;
    run.rank_facts = {{0, "node01", 1, "0", 0, 0, 0, 0, "4k", 1, {}},
                      {1, "node02", 2, "0", 0, 0, 0, 0, "4k", 1, {}}};
    run.started_utc = started_utc;
    return run;
}

void store(Database& database, Run run, const std::vector<std::pair<Suite, std::vector<Point>>>& plan,
           bool keep_samples = true) {
    std::vector<Suite> suites;
    for (const auto& [suite, points] : plan)
        suites.push_back(suite);
    const RunId id = database.begin_run(run, suites);
    const std::vector<StoredSuite> stored = database.suites(id);
    for (std::size_t i = 0; i < plan.size(); ++i) {
        database.begin_suite(stored[i].id);
        for (const Point& own : plan[i].second)
            database.add_batches(database.begin_measurement(stored[i].id, own.measurement), own.batches,
                                 own.measurement, true);
        database.end_suite(stored[i].id, SuiteState::finished);
        if (!keep_samples)
            database.drop_samples(stored[i].id);
    }
    run.ended_utc = "2026-03-01T12:00:00Z";
    database.end_run(id, run);
}

CubeExport made(const std::string& path, cube::Dialect dialect = cube::Dialect::scout) {
    const Database database = Database::open(path);
    return cube_export(database, read_subject(database), dialect);
}

} // namespace

TEST_CASE("statistics are over all single measurements that were kept, overhead subtracted") {
    const ScratchFolder scratch;
    const std::string path = scratch / "x.db";
    Batch dropped = batch(9, {1e3});
    dropped.dropped = true;
    const Point eight = point(8, {batch(1, {0.5, 0.25, 4}), dropped, batch(20, {0.75, 2}, 3)}, 0.125);
    {
        Database database = Database::open_for_writing(path);
        store(database, two_ranks("a"), {{bcast(), {eight, point(16, {batch(40, {0.5})})}}});
    }
    const CubeExport result = made(path);
    CHECK(result.losses.empty());
    CHECK(result.statistics.dialect == cube::Dialect::scout);
    REQUIRE(result.statistics.patterns.size() == 2);
    const cube::PatternStatistics& first = result.statistics.patterns[0];
    CHECK(first.name == "Bcast/8_bytes");
    CHECK(first.count == cube::WholeNumber(std::int64_t{5}));
    // 0.125 0.375 0.625 1.875 3.875
    CHECK(first.moments == cube::Moments{1.375, 0.625, 0.125, 3.875, 6.875});
    CHECK(first.variance_s2.value() == close_to(2.40625).epsilon(1e-14));
    CHECK(first.quartiles == cube::Quartiles{0.375, 1.875});

    // The third of the first batch begins when the first two are over.
    REQUIRE(first.severest.size() == 1);
    CHECK(first.severest[0] == cube::Instance{cube::WholeNumber(std::int64_t{1}),
                                              1.75,
                                              5.75,
                                              3.875,
                                              cube::WholeNumber(std::int64_t{0}),
                                              {},
                                              {}});

    const cube::PatternStatistics& second = result.statistics.patterns[1];
    CHECK(second.moments == cube::Moments{0.5, 0.5, 0.5, 0.5, 0.5});
    CHECK_FALSE(second.variance_s2.has_value());
    CHECK_FALSE(second.quartiles.has_value());
    CHECK(second.severest[0].cnode == cube::WholeNumber(std::int64_t{2}));
}

TEST_CASE("an instance lasts as long as its block of calls, and its rank is the slowest") {
    const ScratchFolder scratch;
    const std::string path = scratch / "x.db";
    Batch blocks = batch(2, {0.25, 0.5}, 4);
    blocks.node_durations = {{0, {0.25, 0.375}}, {1, {0.125, 0.5}}};
    {
        Database database = Database::open_for_writing(path);
        Suite suite = bcast();
        suite.node_times = true;
        store(database, two_ranks("a"), {{suite, {point(8, {blocks})}}});
    }
    const cube::Instance instance = made(path).statistics.patterns.at(0).severest.at(0);
    CHECK(instance.enter_s == 3);
    CHECK(instance.exit_s == 5);
    CHECK(instance.duration_s == 0.5);
    CHECK(instance.rank == cube::WholeNumber(std::int64_t{1}));
}

TEST_CASE("the rank of an instance is the run's, though ranks between took no part") {
    const ScratchFolder scratch;
    const std::string path = scratch / "x.db";
    Batch far = batch(2, {0.25});
    far.node_durations = {{0, {0.125}}, {2, {0.25}}};
    {
        Database database = Database::open_for_writing(path);
        Suite suite = bcast();
        suite.node_times = true;
        store(database, two_ranks("a"), {{suite, {point(8, {far})}}});
    }
    const cube::Instance instance = made(path).statistics.patterns.at(0).severest.at(0);
    CHECK(instance.rank == cube::WholeNumber(std::int64_t{2}));
}

TEST_CASE("launches of one series are one distribution on the time line of the first") {
    const ScratchFolder scratch;
    const std::string path = scratch / "x.db";
    {
        Database database = Database::open_for_writing(path);
        store(database, two_ranks("a"), {{bcast(), {point(8, {batch(1, {0.25, 0.5})})}}});
        store(database, two_ranks("b", "2026-03-01T11:00:00Z"), {{bcast(), {point(8, {batch(1, {0.75})})}}});
    }
    const cube::PatternStatistics pattern = made(path).statistics.patterns.at(0);
    CHECK(pattern.count == cube::WholeNumber(std::int64_t{3}));
    CHECK(pattern.moments == cube::Moments{0.5, 0.5, 0.25, 0.75, 1.5});
    CHECK(pattern.severest.at(0).enter_s == 3601);
}

TEST_CASE("the CUBE file has the patterns as metrics, suites and arguments as call tree, ranks and times") {
    const ScratchFolder scratch;
    const std::string path = scratch / "x.db";
    Point eight = point(8, {batch(1, {0.5})});
    eight.measurement.node_times = {{0, 0.5, 0}, {1, 0.25, 0}};
    const Suite local =
        suite("Wtime", operation(24, "MPI_Wtime", "MPI_Wtime", Pattern::simple, Varied::none), Varied::none);
    {
        Database database = Database::open_for_writing(path);
        store(database, two_ranks("a"),
              {{bcast(), {eight, point(16, {batch(2, {0.75})})}}, {local, {point(0, {batch(3, {0.125})})}}});
    }
    const CubeExport result = made(path, cube::Dialect::documented);
    const cube::Experiment& experiment = result.experiment;
    REQUIRE(experiment.metrics.size() == 3);
    for (std::size_t i = 0; i < 3; ++i) {
        CHECK(experiment.metrics[i].unique_name == result.statistics.patterns[i].name);
        CHECK(result.statistics.patterns[i].metric_id == cube::WholeNumber(static_cast<std::int64_t>(i)));
    }
    REQUIRE(experiment.call_paths.size() == 4);
    CHECK(experiment.call_paths[0].name == "Bcast");
    CHECK(experiment.call_paths[1].name == "8 B");
    CHECK(experiment.call_paths[1].parent == std::size_t{0});
    CHECK(experiment.call_paths[2].parent == std::size_t{0});
    CHECK(experiment.call_paths[3].name == "Wtime");
    CHECK_FALSE(experiment.call_paths[3].parent.has_value());
    REQUIRE(experiment.processes.size() == 2);
    CHECK(experiment.processes[1].host == "node02");
    CHECK(experiment.processes[1].rank == 1);
    CHECK(experiment.machine == "Cluster of Invented Machines");
    REQUIRE(experiment.severities.size() == 3);
    CHECK(experiment.severities[0].seconds == std::vector<double>{0.5, 0.25});
    CHECK(experiment.severities[1].seconds == std::vector<double>{0.75, 0});
    CHECK(experiment.severities[1].call_path == 2);
    CHECK(experiment.severities[2].call_path == 3);
    CHECK_NOTHROW((void)write_cube3(experiment));
    CHECK_NOTHROW((void)write_statistics(result.statistics));
}

TEST_CASE("without single measurements the summary says what it can, and what is missing is said") {
    const ScratchFolder scratch;
    const std::string path = scratch / "x.db";
    const std::vector<std::pair<Suite, std::vector<Point>>> plan{
        {bcast(), {point(8, {batch(1, {0.125, 0.375, 0.625, 1.875, 3.875})})}}};
    {
        Database database = Database::open_for_writing(path);
        store(database, two_ranks("a"), plan, false);
    }
    SUBCASE("of one launch") {
        const CubeExport result = made(path);
        const cube::PatternStatistics& pattern = result.statistics.patterns.at(0);
        CHECK(pattern.moments == cube::Moments{1.375, 0.625, 0.125, 3.875, 6.875});
        CHECK(pattern.variance_s2.value() == close_to(2.40625).epsilon(1e-14));
        CHECK(pattern.quartiles == cube::Quartiles{0.375, 1.875});
        CHECK(pattern.severest.empty());
        REQUIRE(result.losses.size() == 1);
        CHECK(result.losses[0].gap == CubeGap::only_summary);
    }
    SUBCASE("of several launches nothing but the count is known") {
        {
            Database database = Database::open_for_writing(path);
            store(database, two_ranks("b", "2026-03-01T11:00:00Z"), plan, false);
        }
        CHECK_THROWS_AS((void)made(path), InputError);
        const CubeExport result = made(path, cube::Dialect::documented);
        CHECK_FALSE(result.statistics.patterns.at(0).moments.has_value());
        CHECK(cube::as_double(result.statistics.patterns.at(0).count) > 0);
        REQUIRE(result.losses.size() == 1);
        CHECK(result.losses[0].gap == CubeGap::only_count);
    }
}

TEST_CASE("values that are none or not above zero are left out and said") {
    const ScratchFolder scratch;
    const std::string path = scratch / "x.db";
    Point none = point(4, {});
    none.measurement.value_s = std::nan("");
    {
        Database database = Database::open_for_writing(path);
        store(database, two_ranks("a"),
              {{bcast(), {none, point(8, {batch(1, {0.5})}), point(16, {batch(2, {0.25})}, 0.5)}}});
    }
    const CubeExport result = made(path);
    REQUIRE(result.statistics.patterns.size() == 1);
    CHECK(result.statistics.patterns[0].name == "Bcast/8_bytes");
    CHECK(result.experiment.call_paths.size() == 2);
    REQUIRE(result.losses.size() == 2);
    CHECK(result.losses[0].gap == CubeGap::no_value);
    CHECK(result.losses[0].measurements == 1);
    CHECK(result.losses[1].gap == CubeGap::not_above_zero);
}

TEST_CASE("a database without anything to write is refused") {
    const ScratchFolder scratch;
    const std::string path = scratch / "x.db";
    { const Database empty = Database::open_for_writing(path); }
    CHECK_THROWS_AS((void)made(path), InputError);
    {
        Database database = Database::open_for_writing(path);
        store(database, two_ranks("a"), {{bcast(), {}}});
    }
    CHECK_THROWS_AS((void)made(path), InputError);
}

TEST_CASE("names of patterns are readable, unique and without white space") {
    CHECK(cube_pattern_name(bcast("MPI_Bcast"), 1024) == "MPI_Bcast/1024_bytes");
    CHECK(cube_pattern_name(bcast("a b\tc\nd"), 0) == "a_b\\tc\\nd/0_bytes");
    CHECK(cube_pattern_name(bcast("-x"), 0) == "_-x/0_bytes");
    CHECK(cube_pattern_name(bcast(""), 0) == "_/0_bytes");
    CHECK(cube_pattern_name(bcast("\xC2\xA0\xE2\x80\xAE\xFF"), 0).find(' ') == std::string::npos);
    Suite other = bcast("x");
    other.varied = Varied::nodes;
    CHECK(cube_pattern_name(other, 4) == "x/4_ranks");
    other.varied = Varied::chunks;
    CHECK(cube_pattern_name(other, 4) == "x/4_chunks");
    other.varied = Varied::none;
    CHECK(cube_pattern_name(other, 0) == "x");

    const ScratchFolder scratch;
    const std::string path = scratch / "x.db";
    const std::vector<Point> points{point(8, {batch(1, {0.5})})};
    {
        Database database = Database::open_for_writing(path);
        store(database, two_ranks("a"),
              {{bcast("a b"), points}, {bcast("a_b"), points}, {bcast("-<&>\"'"), points}});
    }
    const CubeExport result = made(path);
    std::set<std::string> names;
    for (const cube::PatternStatistics& pattern : result.statistics.patterns)
        CHECK(names.insert(pattern.name).second);
    CHECK(names == std::set<std::string>{"a_b/8_bytes", "a_b/8_bytes#2", "_-<&>\"'/8_bytes"});
    CHECK_NOTHROW((void)write_statistics(result.statistics));
}

TEST_CASE("what the files lack is told in one line each") {
    Golden golden("cube_export");
    for (const CubeGap gap : {CubeGap::no_value, CubeGap::not_above_zero, CubeGap::no_statistics,
                              CubeGap::only_count, CubeGap::only_summary})
        golden.add(std::to_string(static_cast<int>(gap)), to_text(CubeLoss{gap, 2}));
    golden.check();
}
