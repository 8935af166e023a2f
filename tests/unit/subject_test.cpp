// SPDX-License-Identifier: GPL-2.0-or-later
#include "analysis/trust/doubt.hpp"
#include "close_to.hpp"
#include "contest/guideline.hpp"
#include "formats/data/csv.hpp"
#include "formats/data/json.hpp"
#include "launches/launches_left_out.hpp"
#include "launches/read_subjects.hpp"
#include "launches/study.hpp"

#include "analysis/trust/trust.hpp"
#include "base/error.hpp"
#include "merge/merge_suite.hpp"
#include "merge/run_group.hpp"
#include "model/measured_value.hpp"
#include "scratch_folder.hpp"
#include "words/doubt_words.hpp"

#include "../tool/invented_results.hpp"

#include <algorithm>
#include <cmath>
#include <doctest/doctest.h>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <nlohmann/json.hpp>

using namespace skampi;
using namespace skampi::test;

namespace {

/// Two suites, times of a launch times its factor.
std::vector<InventedSuite> plan_of(double factor) {
    InventedMachine machine;
    machine.factor = factor;
    const std::vector<InventedSuite> all = full_plan(machine);
    return {all[0], all[18]}; // ping-pong and Allreduce
}

/// "launch-3", which began three minutes after the first.
Run launch_of_series(int number) {
    Run run = invented_run("launch-" + std::to_string(number), number);
    run.started_utc = fmt::format("2026-03-01T10:{:02}:00Z", number);
    return run;
}

/// Raw launches of one series, in one file.
RunId write_launches(Database& database, const std::vector<double>& factors) {
    RunId last = 0;
    int launch = 0;
    for (const double factor : factors) {
        const Run run = launch_of_series(launch);
        last = write_run(database, run, plan_of(factor), static_cast<unsigned>(++launch), 0.001);
    }
    return last;
}

const Measurement& at(const Subject& subject, std::size_t suite, std::int64_t argument) {
    for (const StoredMeasurement& point : subject.curves.at(suite).points)
        if (point.measurement.argument == argument)
            return point.measurement;
    FAIL("no such argument");
    return subject.curves[0].points[0].measurement;
}

} // namespace

TEST_CASE("the CSV of launches that are merged here has their interval and its level") {
    const ScratchFolder folder;
    Database database = Database::open_for_writing(folder / "x.db");
    write_launches(database, {1, 1.02, 0.98, 1.01, 1.03, 0.99});
    Subject subject = read_subject(database);
    REQUIRE(subject.merged_here);
    MergeFacts& facts = *subject.curves[0].points[0].merge;
    facts.interval_low_s = 0.125;
    facts.interval_high_s = 0.375;
    facts.interval_confidence = 0.875;
    facts.in_a_row = false; // those of one session have none
    const std::string csv = shown_csv({subject});
    for (const char* const cell : {",0.125,", ",0.375,", ",0.875,"})
        CHECK_MESSAGE(csv.find(cell) != std::string::npos, cell);
}

TEST_CASE("the CSV of one run has the rows of the view of the database, with the adjusted values shown") {
    const ScratchFolder folder;
    std::vector<Database> databases;
    databases.push_back(Database::open_for_writing(folder / "x.db"));
    write_launches(databases.front(), {1});
    Subject subject = read_subject(databases.front());
    REQUIRE_FALSE(subject.merged_here);
    CHECK(shown_csv({subject}) == result_csv(databases));
    for (StoredMeasurement& point : subject.curves[0].points)
        point.measurement.adjusted_s = 0.125; // with the reference of another file
    CHECK(shown_csv({subject}).find(",0.125,") != std::string::npos);
}

TEST_CASE("of several launches in a file the merged values are shown, as skampi-merge has them") {
    const ScratchFolder folder;
    Database database = Database::open_for_writing(folder / "x.db");
    write_launches(database, {1, 1.02, 0.98, 1.01, 1000}); // the newest is a bad one
    const Subject subject = read_subject(database);
    CHECK(subject.merged_here);
    CHECK(subject.ended);
    REQUIRE(subject.run.has_value());
    CHECK(subject.run->kind == "merged");
    CHECK(subject.run->merged_runs == 5);
    CHECK(subject.run->started_utc == "2026-03-01T10:00:00Z");
    CHECK(subject.launches() == 5);
    REQUIRE(subject.curves.size() == 2);
    CHECK(at(subject, 0, 0).value_s == close_to(1.01 * 0.8e-6).epsilon(0.01));

    for (std::size_t place = 0; place < 2; ++place) {
        std::vector<SuiteCurve> runs;
        for (const RunId run : database.runs()) {
            SuiteCurve& curve = runs.emplace_back(SuiteCurve{database.run(run).uuid, "x.db", {}});
            for (const StoredMeasurement& point : database.measurements(database.suites(run)[place].id))
                curve.measurements.push_back(point.measurement);
        }
        const Run& run = *subject.run;
        const MergedSuite merged =
            merge_suite(runs, {}, {.step_s = [&](double value_s) {
                            return value_step_s(subject.curves[place].suite(),
                                                {run.clock_resolution_s, run.clock_cost_s}, value_s);
                        }});
        const std::vector<StoredMeasurement>& points = subject.curves[place].points;
        REQUIRE(points.size() == merged.points.size());
        for (std::size_t i = 0; i < points.size(); ++i) {
            const Measurement& own = points[i].measurement;
            const Measurement& expected = merged.points[i].measurement;
            CHECK(own.argument == expected.argument);
            CHECK(own.value_s == expected.value_s);
            CHECK(own.standard_error_s == expected.standard_error_s);
            CHECK(own.summary.count == expected.summary.count);
            REQUIRE(points[i].merge.has_value());
            CHECK(points[i].merge->runs == 5);
            CHECK(points[i].merge->interval_high_s == merged.points[i].facts.interval_high_s);
            CHECK(points[i].merge->sources.capacity() == 0); // the sources are kept in short
        }
    }
    CHECK(subject.curves[0].launches.at("launch-4").values.at(0) == close_to(0.8e-3).epsilon(0.01));
    REQUIRE(subject.contributions.size() == 5);
    CHECK(subject.contributions.at("launch-4").points == 27 + 27);
    CHECK(subject.contributions.at("launch-4").chosen == 0);
    CHECK(subject.contributions.at("launch-4").ratios.at(0) == close_to(1000).epsilon(0.1));
    CHECK(subject.curves[0].clock_resolution_s == 1e-8);
}

TEST_CASE(
    "launches in another state of the machine or of another start are left out of values and intervals") {
    const ScratchFolder folder;
    Database database = Database::open_for_writing(folder / "x.db");
    for (int launch = 0; launch < 6; ++launch) {
        const Run run = launch_of_series(launch);
        const bool near = launch == 2;
        write_run(database, run, plan_of(near ? 0.25 : 1 + 0.005 * launch), static_cast<unsigned>(launch) + 1,
                  0.001, [&](const Suite& suite, Measurement& m) {
                      m.probe_s = (near ? 0.33e-6 : 1.29e-6) * (1 + 0.001 * launch);
                      if (launch == 4 && suite.operation.pattern == Pattern::collective)
                          set(m.flags, Flag::unsynchronised);
                  });
    }
    const Subject subject = read_subject(database);
    for (const Curve& curve : subject.curves)
        for (const StoredMeasurement& point : curve.points) {
            REQUIRE(point.merge.has_value());
            CHECK(point.merge->interval_low_s > 0.9 * point.measurement.value_s);
            CHECK(point.merge->interval_high_s < 1.1 * point.measurement.value_s);
            CHECK(point.measurement.modes.size() == 2);
        }
    CHECK(subject.curves[0].launches_with_values().size() == 5);
    CHECK(subject.curves[1].launches_with_values().size() == 4);
    for (const Curve& curve : subject.curves)
        for (const auto& [uuid, launch] : curve.launches)
            CHECK(launch.other_start == (&curve == &subject.curves[1] && uuid == "launch-4"));
    const LaunchesInStates states = launches_in_states(subject);
    CHECK(states.curves == 2);
    CHECK(states.left_out() == 1);
    REQUIRE(states.states.size() == 2);
    CHECK(states.states[1].shown);
}

TEST_CASE("all suites are shown in the state of the machine that they met most together") {
    const ScratchFolder folder;
    Database database = Database::open_for_writing(folder / "x.db");
    for (int launch = 0; launch < 9; ++launch) {
        const Run run = launch_of_series(launch);
        // The ping-pong meets the slower state in two launches, the collective in five.
        const auto is_slow = [&](const Suite& suite) {
            return suite.operation.pattern == Pattern::collective ? launch < 5 : launch < 2;
        };
        write_run(database, run, plan_of(1), static_cast<unsigned>(launch) + 1, 0.001,
                  [&](const Suite& suite, Measurement& m) {
                      m.probe_s = (is_slow(suite) ? 1.29e-6 : 0.33e-6) * (1 + 0.001 * launch);
                  });
    }
    const Subject subject = read_subject(database);
    REQUIRE(subject.curves.size() == 2);
    // Four launches of the collective are too few for a level, where five have one.
    CHECK(at(subject, 1, 1).probe_s > 1e-6);
    CHECK(at(subject, 0, 1).probe_s < 1e-6);

    write_run(database, launch_of_series(9), plan_of(1), 10, 0.001,
              [&](const Suite&, Measurement& m) { m.probe_s = 0.33e-6; });
    write_run(database, launch_of_series(10), plan_of(1), 11, 0.001, [&](const Suite& suite, Measurement& m) {
        m.probe_s = suite.operation.pattern == Pattern::collective ? 1.29e-6 : 0.33e-6;
    });
    const Subject more = read_subject(database); // the collective: six slow, five fast
    for (const Curve& curve : more.curves)
        for (const StoredMeasurement& point : curve.points)
            CHECK(point.measurement.probe_s < 1e-6);
    CHECK(at(more, 1, 1).modes.size() == 2);
    REQUIRE(more.contributions.contains("launch-0"));
    CHECK(more.contributions.at("launch-9").points == 27 + 27); // nothing is counted twice
}

TEST_CASE("values of the few launches that nothing disturbed say how few they are") {
    const ScratchFolder folder;
    Database database = Database::open_for_writing(folder / "x.db");
    constexpr int launches = 12;
    for (int launch = 0; launch < launches; ++launch) {
        const bool disturbed = launch >= 3;
        write_run(database, launch_of_series(launch), plan_of(disturbed ? 1.6 : 1),
                  static_cast<unsigned>(launch) + 1, 0.001, [&](const Suite&, Measurement& m) {
                      m.probe_s = 0.3e-6;
                      m.discarded = m.summary.count;
                      if (disturbed)
                          set(m.flags, Flag::disturbed);
                  });
    }
    const Subject subject = read_subject(database);
    const Trust trust = assess(subject);
    CHECK(trust.disturbed == 0);
    CHECK(trust.launch_values == launches * trust.points);
    CHECK(4 * trust.launch_values_disturbed == 3 * trust.launch_values);
    CHECK(trust.discarded_of == 2 * trust.discarded); // of the launches that are left out, too
    CHECK(trust.rests_on_undisturbed());
    const std::vector<Doubt> all = doubts(subject, trust, true);
    REQUIRE(gravest(all));
    CHECK(gravest(all)->kind == DoubtKind::launches_disturbed);
}

TEST_CASE("a launch whose rank had no core is left out and known by its uuid, and counts as nothing else") {
    const ScratchFolder folder;
    Database database = Database::open_for_writing(folder / "x.db");
    for (int launch = 0; launch < 6; ++launch) {
        const Run run = launch_of_series(launch);
        const bool lost = launch == 2 || launch == 4;
        write_run(database, run, plan_of(lost ? 4000 : 1 + 0.005 * launch), static_cast<unsigned>(launch) + 1,
                  0.001, [&](const Suite& suite, Measurement& m) {
                      m.probe_s = (lost ? 7e-3 : 1.4e-6) * (1 + 0.001 * launch);
                      if (lost && suite.operation.pattern == Pattern::collective)
                          set(m.flags, Flag::unsynchronised);
                  });
    }
    const Subject subject = read_subject(database);
    for (const Curve& curve : subject.curves) {
        CHECK(curve.launches_with_values().size() == 4);
        for (const auto& [uuid, launch] : curve.launches) {
            CHECK_FALSE(launch.other_start);
            CHECK((launch.without_core_s > 0) == (uuid == "launch-2" || uuid == "launch-4"));
        }
        CHECK(curve.launches.at("launch-4").without_core_s == close_to(7e-3 * 1.004));
        for (const StoredMeasurement& point : curve.points)
            CHECK(point.merge->interval_high_s < 1.1 * point.measurement.value_s);
    }
    const LaunchesWithoutCore lost = launches_without_core(subject);
    CHECK(lost.uuids == std::set<std::string>{"launch-2", "launch-4"});
    CHECK(lost.launches == 6);
    CHECK(lost.with_core_s == close_to(1.4e-6).epsilon(0.01));
    const std::vector<Doubt> all = doubts(subject, assess(subject), true);
    CHECK(std::ranges::find(all, Doubt{DoubtKind::lost_core, 2, 6}) != all.end());
    CHECK(std::ranges::find(all, DoubtKind::other_state, &Doubt::kind) == all.end());
}

TEST_CASE("a single measurement counts once in the values merged from launches with other arguments") {
    const ScratchFolder folder;
    Database database = Database::open_for_writing(folder / "x.db");
    // Fast launches lack every other argument, which only slow ones have measured: there the fast ones' value
    // rests on their neighbours alone.
    for (int launch = 0; launch < 5; ++launch) {
        const bool slow = launch < 2;
        const Run run = launch_of_series(launch);
        std::vector<InventedSuite> plan{plan_of(slow ? 3 : 1).at(0)};
        plan[0].arguments =
            slow ? std::vector<std::int64_t>{1, 2, 4, 8, 16} : std::vector<std::int64_t>{1, 4, 16};
        write_run(database, run, plan, static_cast<unsigned>(launch), 0.001,
                  [&](const Suite&, Measurement& m) { m.probe_s = slow ? 0.55e-6 : 0.13e-6; });
    }
    const Subject subject = read_subject(database);
    REQUIRE(subject.curves.at(0).points.size() == 5);
    CHECK(at(subject, 0, 2).value_s == close_to(0.8e-6).epsilon(0.01));
    CHECK(at(subject, 0, 2).summary.count > 0);
    CHECK(subject.curves[0].single_measurements() == 3 * 3 * 24);
    CHECK(assess(subject).single_measurements == 3 * 3 * 24);
}

TEST_CASE("launches of another series are neither merged nor passed over in silence") {
    const ScratchFolder folder;
    Database database = Database::open_for_writing(folder / "x.db");
    write_launches(database, {5, 5});
    Run other = invented_run("other");
    other.mpi_library = "Open MPI 5";
    write_run(database, other, plan_of(1), 7, 0.001);
    const Subject subject = read_subject(database);
    CHECK_FALSE(subject.merged_here);
    CHECK(subject.run->uuid == "other");
    CHECK(subject.launches() == 1);
    CHECK(subject.strangers == 2);
    CHECK(subject.strangers_differ.find("MPICH") != std::string::npos);
    CHECK(at(subject, 0, 0).value_s == close_to(0.8e-6).epsilon(0.01));
}

TEST_CASE("a merged run in the file is shown before its launches, without the texts of its sources") {
    const ScratchFolder folder;
    Database database = Database::open_for_writing(folder / "x.db");
    write_merged(database, invented_run("merged"), InventedMachine{}, 6, 1, 0.01);
    write_launches(database, {5, 5});
    const Subject subject = read_subject(database);
    CHECK_FALSE(subject.merged_here);
    CHECK(subject.run->uuid == "merged");
    CHECK(subject.launches() == 6);
    CHECK(subject.curves[0].points[0].merge->sources.empty());
    CHECK(subject.contributions.at("merged-launch0").chosen == assess(subject).points);
}

TEST_CASE("a launch that has no value yet, or not all, is said and merged as far as it went") {
    const ScratchFolder folder;
    Database database = Database::open_for_writing(folder / "x.db");
    write_launches(database, {1, 1.1});
    std::vector<Suite> suites;
    for (const InventedSuite& invented : plan_of(1))
        suites.push_back(invented.suite);
    const RunId begun = database.begin_run(invented_run("begun"), suites);
    CHECK(read_subject(database).launches() == 2);
    CHECK(read_subject(database).ended); // the third is not among those shown

    const SuiteId suite = database.suites(begun)[0].id;
    database.begin_suite(suite);
    Measurement first = planned(plan_of(1)[0].suite, invented_run("begun"), 0);
    first.value_s = 0.8e-6;
    first.summary = skalib::summarise(std::vector<double>(20, first.value_s), 0.25);
    database.add_batches(database.begin_measurement(suite, first), {}, first, true);
    Measurement second = planned(plan_of(1)[0].suite, invented_run("begun"), 1);
    (void)database.begin_measurement(suite, second);
    const Subject subject = read_subject(database);
    CHECK(subject.launches() == 3);
    CHECK_FALSE(subject.ended);
    CHECK(subject.run->ended_utc.empty());
    CHECK(subject.curves[0].stored.state == SuiteState::open);
    CHECK(subject.curves[0].stored.merge.unfinished == 1);
    CHECK(subject.curves[0].unfinished == 1);
    CHECK(subject.curves[0].points[0].merge->runs == 3);
    CHECK(subject.curves[0].points[1].merge->runs == 2);
}

TEST_CASE("a newest run without a time, or one that has only begun, does not decide what is shown") {
    const ScratchFolder folder;
    Database database = Database::open_for_writing(folder / "x.db");
    write_launches(database, {1, 1.02});
    Run failed = invented_run("failed");
    failed.mpi_library = "Open MPI 5";
    write_run(database, failed, plan_of(1), 7, 0.001,
              [](const Suite&, Measurement& m) { m.value_s = m.argument % 2 == 0 ? std::nan("") : -1e-9; });
    Subject subject = read_subject(database);
    CHECK(subject.launches() == 2);
    CHECK(subject.strangers == 0);
    CHECK(subject.run->mpi_library == invented_run("x").mpi_library);

    std::vector<Suite> suites;
    for (const InventedSuite& invented : plan_of(1))
        suites.push_back(invented.suite);
    Run begun = invented_run("begun");
    begun.mpi_library = "Open MPI 5";
    const SuiteId suite = database.suites(database.begin_run(begun, suites))[0].id;
    database.begin_suite(suite);
    Measurement first = planned(plan_of(1)[0].suite, begun, 0);
    first.value_s = 0.8e-6;
    first.summary = skalib::summarise(std::vector<double>(20, first.value_s), 0.25);
    database.add_batches(database.begin_measurement(suite, first), {}, first, true);
    subject = read_subject(database);
    CHECK(subject.launches() == 2);
    CHECK(subject.ended);
    CHECK(subject.strangers == 1);
    CHECK(subject.strangers_differ.find("Open MPI") != std::string::npos);
}

TEST_CASE("as long as no point of a suite is finished, those begun are shown, flagged") {
    const ScratchFolder folder;
    Database database = Database::open_for_writing(folder / "x.db");
    const Run run = invented_run("begun");
    const SuiteId suite = database.suites(database.begin_run(run, {plan_of(1)[0].suite}))[0].id;
    database.begin_suite(suite);
    const auto add = [&](std::int64_t argument, bool finished) {
        Measurement point = planned(plan_of(1)[0].suite, run, argument);
        point.value_s = 0.8e-6;
        point.summary = skalib::summarise(std::vector<double>(20, point.value_s), 0.25);
        database.add_batches(database.begin_measurement(suite, point), {}, point, finished);
    };
    add(0, false);
    const Curve begun = read_subject(database).curves.at(0);
    REQUIRE(begun.points.size() == 1);
    CHECK(has(begun.points[0].measurement.flags, Flag::not_repeatable));
    CHECK(begun.unfinished == 1);
    add(1, true);
    const Curve later = read_subject(database).curves.at(0);
    REQUIRE(later.points.size() == 1);
    CHECK_FALSE(has(later.points[0].measurement.flags, Flag::not_repeatable));
}

TEST_CASE("with nothing that came to its end the newest run is shown") {
    const ScratchFolder folder;
    Database database = Database::open_for_writing(folder / "x.db");
    for (const char* uuid : {"older", "newer"}) {
        Run run = invented_run(uuid);
        run.variant = uuid;
        const SuiteId suite = database.suites(database.begin_run(run, {plan_of(1)[0].suite}))[0].id;
        database.begin_suite(suite);
        Measurement first = planned(plan_of(1)[0].suite, run, 0);
        first.value_s = 0.8e-6;
        first.summary.count = 100;
        database.add_batches(database.begin_measurement(suite, first), {}, first, true);
    }
    const Subject subject = read_subject(database);
    CHECK(subject.run->uuid == "newer");
    CHECK_FALSE(subject.ended);
    CHECK(subject.strangers == 1);
}

namespace {

/// As skampi-merge --by ranks writes them.
void write_groups(Database& database) {
    for (const int ranks : {8, 16}) {
        Run run = invented_run("merged-" + std::to_string(ranks));
        run.ranks = ranks;
        run.facts[fact_merged_group] = "ranks = " + std::to_string(ranks);
        write_merged(database, run, InventedMachine{}, 6, 1, 0.01, ranks);
    }
}

std::vector<std::string> uuids(const std::vector<Subject>& subjects) {
    std::vector<std::string> all;
    for (const Subject& subject : subjects)
        all.push_back(subject.run->uuid);
    return all;
}

} // namespace

TEST_CASE("every run that a file was merged into is shown, and of those chosen these alone") {
    const ScratchFolder folder;
    std::vector<Database> databases;
    databases.push_back(Database::open_for_writing(folder / "x.db"));
    const Database& database = databases.front();
    write_groups(databases.front());
    write_launches(databases.front(), {5, 5});
    std::vector<Subject> subjects = read_subjects(database);
    using Texts = std::vector<std::string>;
    CHECK(uuids(subjects) == Texts{"merged-8", "merged-16"});
    label_subjects(subjects);
    CHECK(subjects[0].label == "ranks = 8");
    CHECK(subjects[1].label == "ranks = 16");
    subjects.emplace_back().path = "y.db";
    label_subjects(subjects);
    CHECK(subjects[1].label == "ranks = 16 in x");
    CHECK(subjects[2].label == "y");

    CHECK(uuids(read_subjects(database, {"ranks = 16"})) == Texts{"merged-16"});
    CHECK(uuids(read_subjects(database, {"launch-1"})) == Texts{"launch-1"});
    CHECK(uuids(read_subjects(database, {"launch-1", "merged-8"})) == Texts{"merged-8", "launch-1"});
    CHECK(read_subjects(database, {"of another database"}).size() == 2); // as if nothing was chosen
    CHECK_NOTHROW(require_runs(databases, {"ranks = 8", "launch-0"}));
    CHECK_THROWS_WITH_AS(require_runs(databases, {"ranks = 8", "ranks = 4"}),
                         "--run ranks = 4: no run is called so, expected one of ranks = 8, ranks = 16, "
                         "launch-0, launch-1",
                         InputError);

    const auto lines = [&](const Texts& runs) {
        const std::string text = result_csv(databases, {}, runs);
        return std::ranges::count(text, '\n') - 1;
    };
    const auto points = assess(subjects[0]).points;
    CHECK(lines({"ranks = 8"}) == points);
    CHECK(lines({}) > 2 * points);
}

TEST_CASE("a CSV of merged values tells how many launches stand behind them, and has none of their values") {
    const ScratchFolder folder;
    {
        std::vector<Database> databases;
        databases.push_back(Database::open_for_writing(folder / "x.db"));
        write_groups(databases.front());
        std::ofstream(folder / "x.csv") << result_csv(databases);
    }
    std::vector<Subject> subjects = read_subjects(Database::open(folder / "x.csv"));
    REQUIRE(subjects.size() == 2);
    for (const Subject& subject : subjects) {
        CHECK(subject.launches() == 6);
        CHECK(subject.launches_with_values() == 0);
        CHECK(assess(subject).launches == 6);
        CHECK(check_guidelines(subject).guidelines.empty());
    }
    label_subjects(subjects);
    CHECK(subjects[1].label == "16 ranks");
}

TEST_CASE("of a CSV that holds two plans the runs of the older one are of another series") {
    const ScratchFolder folder;
    {
        std::vector<Database> databases;
        databases.push_back(Database::open_for_writing(folder / "x.db"));
        std::vector<InventedSuite> plan = plan_of(1);
        (void)write_run(databases.front(), launch_of_series(0), plan, 1, 0.001);
        for (InventedSuite& each : plan)
            each.suite.datatype = "MPI_DOUBLE";
        for (const int launch : {1, 2})
            (void)write_run(databases.front(), launch_of_series(launch), plan, 2, 0.001);
        std::ofstream(folder / "x.csv") << result_csv(databases);
    }
    const Subject subject = read_subject(Database::open(folder / "x.csv"));
    CHECK(subject.launches() == 2);
    CHECK(subject.strangers == 1);
    CHECK(subject.strangers_differ.find("datatype") != std::string::npos);
    CHECK(subject.curves[0].suite().datatype == "MPI_DOUBLE");
}

TEST_CASE("subjects are labelled by what tells them apart") {
    const auto labels = [](std::vector<Subject> subjects) {
        label_subjects(subjects);
        std::vector<std::string> all;
        for (const Subject& subject : subjects)
            all.push_back(subject.label);
        return all;
    };
    const auto subject_of = [](const std::string& path, const std::string& machine,
                               const std::string& library) {
        Subject subject;
        subject.path = path;
        subject.run = invented_run("x");
        subject.run->machine = machine;
        subject.run->mpi_library = library;
        return subject;
    };
    using Labels = std::vector<std::string>;
    CHECK(labels({subject_of("a/x.db", "m", "l"), subject_of("a/y.db", "n", "k")}) == Labels{"x", "y"});
    CHECK(labels({subject_of("a/x.db", "m", "l"), subject_of("b/x.db", "m", "l")}) == Labels{"a/x", "b/x"});
    CHECK(labels({subject_of("a/x.db", "m", "l"), subject_of("a/x.db", "n", "k")}) == Labels{"m", "n"});
    CHECK(labels({subject_of("a/x.db", "m", "l"), subject_of("a/x.db", "m", "k")}) == Labels{"l", "k"});
    CHECK(labels({subject_of("a/x.db", "m", "l"), subject_of("a/x.db", "m", "l")}) ==
          Labels{"x (1)", "x (2)"});
    // Variants of a session, whose long names differ at their ends.
    std::vector<Subject> variants;
    for (const char* name : {"default", "MPIR_CVAR_ALLREDUCE_INTRA_ALGORITHM=ring",
                             "MPIR_CVAR_ALLREDUCE_INTRA_ALGORITHM=tree"}) {
        variants.push_back(subject_of("a/x.db", "m", "l"));
        variants.back().group = name;
    }
    const Labels named = labels(variants);
    CHECK(named[0] == "default");
    CHECK(named[1].starts_with("MPIR_"));
    CHECK(named[1].ends_with("=ring"));
    CHECK(named[2].ends_with("=tree"));
}

TEST_CASE("the parts of a study in several files are one subject, and rivals are not") {
    const ScratchFolder folder;
    const std::vector<InventedSuite> all = full_plan({});
    const auto part = [&](const char* name, const std::vector<InventedSuite>& plan, const char* library) {
        Database database = Database::open_for_writing(folder / name);
        Run run = invented_run(name);
        run.plan_hash = name;
        run.mpi_library = library;
        write_run(database, run, plan, 1, 0.001);
        return read_subject(database);
    };
    const Subject first = part("0.db", {all[0]}, "MPICH");
    const Subject second = part("1.db", {all[18]}, "MPICH");
    const Subject again = part("2.db", {all[0]}, "MPICH");
    const Subject elsewhere = part("3.db", {all[18]}, "Open MPI");

    std::vector<Subject> parts{first, second};
    join_parts(parts);
    REQUIRE(parts.size() == 1);
    CHECK(parts[0].curves.size() == 2);
    CHECK(parts[0].other_parts == std::vector<std::string>{second.path});
    CHECK(parts[0].launches() == 1);
    CHECK(nlohmann::json::parse(json_report(parts, false)).at("subjects").at(0).at("databases") ==
          nlohmann::json{first.path, second.path});
    CHECK(at(parts[0], 1, 8).value_s == at(second, 0, 8).value_s);

    std::vector<Subject> rivals{first, again};
    join_parts(rivals);
    CHECK(rivals.size() == 2);
    std::vector<Subject> libraries{first, elsewhere};
    join_parts(libraries);
    CHECK(libraries.size() == 2);
}

TEST_CASE("raw runs on three numbers of ranks in one file are a study") {
    const ScratchFolder folder;
    Database database = Database::open_for_writing(folder / "x.db");
    int number = 0;
    const auto add = [&](int ranks, const char* library = "MPICH") {
        Run run = invented_run("run" + std::to_string(++number));
        run.ranks = ranks;
        run.placement = std::to_string(ranks) + " on one";
        run.plan_hash = std::to_string(ranks); // as of a plan with a suite over the number of ranks
        run.rank_facts.clear();
        run.mpi_library = library;
        write_run(database, run, {full_plan({}).front()}, 1, 0.001);
    };
    add(8);
    add(2);
    add(2);
    CHECK(read_study(database).empty()); // two numbers are two files' worth
    add(16, "Open MPI");
    add(4);
    const std::vector<Subject> study = read_study(database);
    REQUIRE(study.size() == 3);
    CHECK(study[0].run->ranks == 2);
    CHECK(study[0].launches() == 2);
    CHECK(study[1].run->ranks == 4);
    CHECK(study[2].run->ranks == 8);
    CHECK(is_study(study));
    CHECK(study[0].strangers == 1);
    CHECK(study[0].strangers_differ.starts_with("the MPI library differs")); // and not where its ranks ran
    CHECK(read_subjects(database).size() == 1); // who asks for one run gets the newest
}

TEST_CASE("files of one name are called by as much of their paths as tells them apart") {
    using Names = std::vector<std::string>;
    CHECK(names_of_files({"old/skampi.db", "new/skampi.db", "new/other.db"}) ==
          Names{"old/skampi", "new/skampi", "other"});
    CHECK(names_of_files({"/r/old/b/x.db", "/r/new/b/x.db", "/r/new/c/x.db"}) ==
          Names{"old/b/x", "new/b/x", "c/x"});
    CHECK(names_of_files({"/x.db", "/a/x.db"}) == Names{"x", "a/x"});
    CHECK(names_of_files({"/a/x.db", "/a/x.csv", "/b/x.db"}) == Names{"a/x.db", "x.csv", "b/x"});
    CHECK(names_of_files({"/a/x.db", "/a/../a/x.db"}) == Names{"x", "x"}); // one file
    CHECK(names_of_files({"/a/x.db", "/b/x.db", "/y.db"}, true) == Names{"a/x.db", "b/x.db", "y.db"});
}
