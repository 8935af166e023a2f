// SPDX-License-Identifier: GPL-2.0-or-later
#include "../golden.hpp"
#include "close_to.hpp"
#include "contains.hpp"
#include "invented_job.hpp"
#include "runs/status.hpp"
#include "scratch_folder.hpp"
#include "store/file_lock.hpp"
#include "supervisor/supervisor.hpp"

#include <doctest/doctest.h>

#include <chrono>
#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>

using namespace skampi;

namespace {

const std::string nasty = "x\x1b[2J\n\xff";

struct Scene {
    ScratchFolder folder;
    invented::JobPlan plan;
    Scene() {
        plan.database = folder / "x.db";
        plan.suites = {"one", "two " + nasty, "three"};
    }
    [[nodiscard]] Status status() const { return read_status(plan.database); }
};

void until(invented::Job& job, invented::Job::Step wanted, const std::vector<invented::Fault>& faults = {}) {
    while (job.step(faults, false) != wanted)
        ;
}

void end_run(const Scene& scene) {
    until(*std::make_unique<invented::Job>(scene.plan), invented::Job::Step::run_ended);
}

/// A suite that crashed twice, and was given up.
Status given_up(Scene& scene) {
    scene.plan.retries = 1;
    // The first end that nobody saw is free.
    for (int start = 0; start < 3; ++start)
        until(*std::make_unique<invented::Job>(scene.plan), invented::Job::Step::fault, {{"one", 2}});
    end_run(scene);
    return scene.status();
}

/// Six runs with three MPI libraries.
Status of_three_series(Scene& scene) {
    for (const std::string library : {"A", "A", "B", "A", "B", "C"}) {
        scene.plan.mpi_library = library;
        end_run(scene);
    }
    return scene.status();
}

/// A run of one suite with these measurements, the last of them not finished.
Status of_measurements(const Scene& scene, const std::vector<Measurement>& measurements) {
    Database database = Database::open_for_writing(scene.plan.database);
    Run run;
    run.uuid = "u";
    run.host = "node1";
    run.ranks = 2;
    run.started_utc = "2026-11-21T10:00:00Z";
    Suite suite;
    suite.name = "s";
    const RunId id = database.begin_run(run, {suite});
    const SuiteId there = database.suites(id)[0].id;
    for (const Measurement& m : measurements)
        database.add_batches(database.begin_measurement(there, m), {}, m, m.argument != 3);
    return scene.status();
}

std::vector<Measurement> flagged() {
    std::vector<Measurement> all;
    for (const std::int64_t argument : {1, 2, 3}) {
        all.push_back(invented::Job::measurement("s", argument));
        // Files of former programs have measurements that are both.
        all.back().flags =
            argument == 1 ? Flag::not_repeatable | Flag::disturbed : Flag::not_repeatable | Flag::timed_out;
    }
    return all;
}

/// As a person sees it, without what differs each time.
std::string shown(Status status) {
    status.database = "results.db";
    status.writer = status.writer.empty() ? "" : "process 4711 on node1";
    status.daemon = status.daemon.empty() ? "" : "process 4700 on node1";
    status.bytes = 123456;
    status.bytes_per_run = 20000;
    status.last_written_utc_s = 1795255200;
    status.looked_utc_s = 1795255200 + 312.4;
    return status_text(status);
}

} // namespace

TEST_CASE("what status prints") {
    Golden golden("status");
    {
        Scene scene;
        invented::Job job(scene.plan);
        until(job, invented::Job::Step::fault, {{"three", 4}});
        const FileLock lock(daemon_lock_path(scene.plan.database), scene.plan.database);
        golden.add("a supervised run that is being measured, and a name that would act on the terminal",
                   shown(scene.status()));
    }
    {
        Scene scene;
        golden.add("a suite that was given up", shown(given_up(scene)));
    }
    {
        Scene scene;
        golden.add("runs of several series", shown(of_three_series(scene)));
    }
    {
        const Scene scene;
        std::vector<Measurement> all = flagged();
        all[1].value_s = all[1].adjusted_s = std::numeric_limits<double>::quiet_NaN();
        golden.add("flagged values, and one without a value", shown(of_measurements(scene, all)));
    }
    golden.check();
}

TEST_CASE("a suite without a finished point says its pass, and whether it is measured; all hosts are named") {
    const Scene scene;
    Run run;
    run.uuid = "u";
    run.ranks = 2;
    for (const char* const host : {"n1", "n2"}) {
        RankFacts& rank = run.rank_facts.emplace_back();
        rank.rank = static_cast<int>(run.rank_facts.size()) - 1;
        rank.processor = host;
    }
    Suite suite;
    suite.name = "s";
    {
        Database database = Database::open_for_writing(scene.plan.database);
        const SuiteId there = database.suites(database.begin_run(run, {suite}))[0].id;
        database.begin_suite(there);
        const Measurement begun = invented::Job::measurement("s", 1);
        Batch batch;
        batch.pass = 1;
        database.add_batches(database.begin_measurement(there, begun), {batch}, begun, false);
        CHECK(contains(status_text(scene.status()), "being measured"));
    }
    const std::string text = status_text(scene.status());
    CHECK(contains(text, "pass 2 of 4"));
    CHECK(contains(text, "interrupted"));
    CHECK(contains(text, "n1 and n2"));
}

TEST_CASE("of many runs the newest are shown, and those with something to tell") {
    Status status;
    for (int i = 0; i < 200; ++i) {
        Status::RunLine line;
        line.run.host = "node1";
        line.run.launch = i;
        line.run.ranks = i == 60 ? 4 : 2; // a series of its own
        if (i != 70)
            line.run.ended_utc = "2026-11-21T10:00:00Z";
        line.suites.emplace_back().state = i == 80 ? SuiteState::failed : SuiteState::finished;
        status.runs.push_back(std::move(line));
    }
    const auto shown_runs = [](const std::string& text) {
        std::vector<int> numbers;
        for (std::size_t at = 0; (at = text.find("\nrun ", at)) != std::string::npos; ++at)
            numbers.push_back(std::stoi(text.substr(at + 5)));
        return numbers;
    };
    const std::string text = status_text(status);
    CHECK(shown_runs(text) ==
          std::vector<int>{1, 61, 71, 81, 191, 192, 193, 194, 195, 196, 197, 198, 199, 200});
    CHECK(text.find("(59 runs not shown") != std::string::npos);
    CHECK(shown_runs(status_text(status, true)).size() == 200);
    status.runs.resize(12);
    CHECK(shown_runs(status_text(status)).size() == 11);
}

TEST_CASE("status tells of a database that is being written who writes it and what is being measured") {
    Scene scene;
    invented::Job job(scene.plan);
    until(job, invented::Job::Step::fault, {{"three", 4}});
    const Status status = scene.status();
    CHECK(status.writer.find("process") != std::string::npos);
    CHECK(status.daemon.empty());
    REQUIRE(status.runs.size() == 1);
    CHECK(status.runs[0].count(SuiteState::finished) == 2);
    CHECK(status.runs[0].measurements() == 4 + 4 + 2);
    CHECK(status.runs[0].count(SuiteState::open) == 1);
    CHECK(status.runs[0].suites[2].in_progress);
    CHECK(status.has_open_run());
}

TEST_CASE("status tells who supervises a database") {
    Scene scene;
    until(*std::make_unique<invented::Job>(scene.plan), invented::Job::Step::run_ended);
    const FileLock lock(daemon_lock_path(scene.plan.database), scene.plan.database);
    CHECK(scene.status().daemon.find("process") != std::string::npos);
    CHECK(scene.status().writer.empty());
}

TEST_CASE("status gives the reasons of suites put off and failed, and the events") {
    Scene scene;
    const Status status = given_up(scene);
    CHECK(status.runs[0].count(SuiteState::failed) == 1);
    CHECK(status.runs[0].suites[0].attempts == 2);
    CHECK_FALSE(status.runs[0].suites[0].reason.empty());
    CHECK(status.runs[0].events.size() == 3);
}

TEST_CASE("status says in how many launches a merged suite did not end") {
    StoredSuite suite;
    suite.state = SuiteState::failed;
    suite.reason = "signal 11";
    CHECK(reason_of(suite) == "signal 11");
    suite.merge = {.launches = 30, .unfinished = 1};
    CHECK(reason_of(suite) == "in 1 of 30 launches: signal 11");
    suite.merge.without_value = true;
    CHECK(reason_of(suite) == "no run has a value; in 1 of 30 launches: signal 11");
}

TEST_CASE("status says since when nothing has moved, which a lock that is held does not tell") {
    const auto written_at = [](const std::string& path, double ago_s) {
        std::filesystem::last_write_time(
            path, std::filesystem::file_time_type::clock::now() -
                      std::chrono::duration_cast<std::filesystem::file_time_type::duration>(
                          std::chrono::duration<double>(ago_s)));
    };
    Scene scene;
    invented::Job job(scene.plan);
    until(job, invented::Job::Step::fault, {{"three", 4}});
    const std::string journal = scene.plan.database + "-wal";
    REQUIRE(std::filesystem::exists(journal));
    written_at(scene.plan.database, 5000);
    written_at(journal, 4000);
    Status status = scene.status();
    CHECK(status.silent_s() == close_to(4000).epsilon(0.01));
    CHECK(status.last_written_utc_s == close_to(status.looked_utc_s - 4000).epsilon(1e-7));
    written_at(scene.plan.database, 3000); // a checkpoint
    CHECK(scene.status().silent_s() == close_to(3000).epsilon(0.01));

    status.last_written_utc_s = 1795255200;
    status.looked_utc_s = 1795255200 + 312.4;
    CHECK(status_text(status).find("2026-11-21T10:00:00Z, 312 s ago\n") != std::string::npos);
    const nlohmann::json json = nlohmann::json::parse(status_json(status));
    CHECK(json["last_written_utc"] == "2026-11-21T10:00:00Z");
    CHECK(json["silent_s"].get<double>() == close_to(312.4));
    status.looked_utc_s = 1795255200 - 60; // a file server whose clock is ahead
    CHECK(status.silent_s() == 0);
    // Of runs that have ended nobody expects progress.
    status.runs.at(0).run.ended_utc = "2026-11-21T10:00:00Z";
    CHECK(status_text(status).find("last progress") == std::string::npos);
}

TEST_CASE("names in a database cannot act on the terminal, nor break the JSON form") {
    Scene scene;
    invented::Job job(scene.plan);
    until(job, invented::Job::Step::fault, {{scene.plan.suites[1], 1}});
    const Status status = scene.status();
    const std::string text = status_text(status);
    CHECK(text.find('\x1b') == std::string::npos);
    CHECK(text.find('\xff') == std::string::npos);
    const nlohmann::json json = nlohmann::json::parse(status_json(status));
    CHECK(json["runs"][0]["suites"].size() == 3);
    CHECK(json["runs"][0]["suites"][1]["in_progress"] == true);
    CHECK(json["runs"][0]["suites"][1]["name"] == "two x\x1b[2J\n\xEF\xBF\xBD");
    CHECK(json["runs"][0]["points"] == 4);
}

TEST_CASE("status names a new series once, and an old one by its run") {
    Scene scene;
    const std::string text = status_text(of_three_series(scene));
    const auto count = [&](const std::string& part) {
        int found = 0;
        for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
            ++found;
        return found;
    };
    CHECK(count("\"A\" and \"B\"") == 1);
    CHECK(count("\"B\" and \"C\"") == 1);
    CHECK(count("series of run 2") == 1);
    CHECK(count("series of run 3") == 1);
}

TEST_CASE("the line for scripts tells of the run asked for, not of what others did since") {
    Scene scene;
    until(*std::make_unique<invented::Job>(scene.plan), invented::Job::Step::run_ended);
    scene.plan.plan_hash = "somebody else's";
    scene.plan.arguments = {1};
    until(*std::make_unique<invented::Job>(scene.plan), invented::Job::Step::run_ended);
    CHECK(summary_line(scene.plan.database, 0, "run 0") == "SKAMPI: OK points=12 not_repeatable=0 failed=0");
    CHECK(summary_line(scene.plan.database, 0) == "SKAMPI: OK points=3 not_repeatable=0 failed=0");
    CHECK(summary_line(scene.plan.database, 0, "none").starts_with("SKAMPI: FAILED"));
}

TEST_CASE("flags are counted over finished measurements") {
    const Scene scene;
    const Status status = of_measurements(scene, flagged());
    CHECK(status.runs[0].measurements() == 2);
    CHECK(status.runs[0].flags.at("timed_out") == 1);
    CHECK(status.runs[0].flags.at("not_repeatable") == 2);
    CHECK(status.runs[0].flags.at("disturbed") == 1);
    CHECK(summary_line(scene.plan.database, 0) == "SKAMPI: OK points=2 not_repeatable=2 failed=0");
    CHECK(summary_line(scene.plan.database, 1) == "SKAMPI: FAILED points=2 not_repeatable=2 failed=0");
    CHECK(summary_line(scene.plan.database, 143) == "SKAMPI: STOPPED database=" + scene.plan.database);
    CHECK(summary_line(scene.folder / "none.db", 3).starts_with("SKAMPI: FAILED status=3"));
}

TEST_CASE("where more than half of the values are not repeatable it is said what to do, though all is OK") {
    CHECK(repeatability_remark({.points = 18, .not_repeatable = 16}).starts_with("16 of 18 "));
    CHECK(repeatability_remark({.points = 18, .not_repeatable = 10}).find("Max_Repetition") !=
          std::string::npos);
    CHECK(repeatability_remark({.points = 18, .not_repeatable = 9}).empty());
    CHECK(repeatability_remark({}).empty());
    const std::string disturbed = repeatability_remark({.points = 18, .not_repeatable = 16, .disturbed = 17});
    CHECK(disturbed.find("(17 disturbed)") != std::string::npos);
    CHECK(disturbed.find("Max_Repetition") == std::string::npos);
}

TEST_CASE("points without a value and arguments that could not be measured are told apart from the others") {
    Scene scene;
    {
        Database database = Database::open_for_writing(scene.plan.database);
        Run run;
        run.uuid = "u";
        Suite suite;
        suite.name = "s";
        const RunId id = database.begin_run(run, {suite});
        const SuiteId there = database.suites(id)[0].id;
        for (const std::int64_t argument : {1, 2, 3, 4}) {
            Measurement m = invented::Job::measurement("s", argument);
            if (argument > 2)
                m.value_s = m.adjusted_s = std::numeric_limits<double>::quiet_NaN();
            if (argument == 4) // wrong data have no time
                m.flags = static_cast<Flags>(Flag::wrong_result);
            database.add_batches(database.begin_measurement(there, m), {}, m, true);
        }
        Measurement impossible;
        impossible.argument = 5;
        static_cast<void>(database.begin_measurement(there, impossible));
        database.end_suite(there, SuiteState::finished);
    }
    CHECK(scene.status().runs[0].measurements() == 4);
    CHECK(scene.status().runs[0].flags == std::map<std::string, std::int64_t>{{"wrong_result", 1}});
    const nlohmann::json json = nlohmann::json::parse(status_json(scene.status()));
    CHECK(json["runs"][0]["without_value"] == 2);
    CHECK(json["runs"][0]["not_measured"] == 1);
    CHECK(summary_line(scene.plan.database, 1).find(" points=2 ") != std::string::npos); // with a value
}
