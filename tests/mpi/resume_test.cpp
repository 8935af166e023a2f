// SPDX-License-Identifier: GPL-2.0-or-later
// What a second start makes of an interrupted run when something differs: real MPI jobs of two ranks.
#include "all_done.hpp"
#include "base/child.hpp"
#include "environment.hpp"
#include "scratch_folder.hpp"
#include "store/database.hpp"
#include "text_file.hpp"

#include <csignal>
#include <cstdlib>
#include <doctest/doctest.h>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <sqlite3.h>
#include <string>
#include <vector>

using namespace skampi;

namespace {

/// Three suites whose values are factors apart, so that a value under the wrong name is seen.
const char* const exchange = "exchange { Type = MPI_Alltoall; Variation = No_Variation; "
                             "Default_Message_length = 256KiB; Max_Repetition = 20; Passes = 2; }\n";
const char* const copy = "copy { Type = 23; Variation = No_Variation; Default_Message_length = 64KiB; "
                         "Max_Repetition = 20; Passes = 2; }\n";
const char* const tick = "tick { Type = 24; Max_Repetition = 20; Passes = 2; }\n";

class Jobs {
public:
    [[nodiscard]] std::string file(const std::string& name, const std::string& text) const {
        std::ofstream(scratch_ / name) << "@MEMORY 1MiB\n" << text;
        return scratch_ / name;
    }
    [[nodiscard]] Command command(std::vector<std::string> arguments) const {
        Command command;
        command.argv = {from_environment("SKAMPI_MPIEXEC"), "-n", "2", from_environment("SKAMPI_RUN")};
        command.argv.insert(command.argv.end(), arguments.begin(), arguments.end());
        command.argv.insert(command.argv.end(), {"-d", database()});
        command.directory = scratch_.path();
        command.timeout_s = 120;
        return command;
    }
    /// Starts a run, the first of its file, that is asked to end when its second suite begins. One that was
    /// done before it was asked is forgotten, and the next one is.
    void interrupt(std::vector<std::string> arguments,
                   const std::vector<std::pair<std::string, std::string>>& environment = {}) const {
        arguments.insert(arguments.end(), {"--progress", "json"});
        for (int attempt = 0; attempt < 50; ++attempt) {
            Command job = command(arguments);
            for (const auto& variable : environment)
                job.environment.insert(variable);
            int rank_0 = 0;
            job.on_line = [&](std::string_view line) {
                const auto at = line.find("\"pid\":");
                if (at != std::string_view::npos)
                    rank_0 = std::atoi(std::string(line.substr(at + 6)).c_str());
                if (line.find("\"index\":1") != std::string_view::npos && rank_0 != 0)
                    kill(rank_0, SIGTERM);
            };
            const ChildResult result = run(std::move(job));
            INFO(result.err);
            if (result.out.find("SKAMPI: STOPPED") != std::string::npos)
                return;
            // A signal between the last line and the end of the process ends it otherwise: all was done.
            REQUIRE((all_done(result) || result.out.find("SKAMPI: OK") != std::string::npos));
            std::filesystem::remove(database());
        }
        FAIL("no run was interrupted");
    }
    [[nodiscard]] std::string database() const { return scratch_ / "x.db"; }
    [[nodiscard]] Database open() const { return Database::open(database()); }

private:
    ScratchFolder scratch_;
};

/// Values by suite, of runs with one argument a suite.
std::map<std::string, double> values(const Database& database, RunId run) {
    std::map<std::string, double> all;
    for (const StoredSuite& suite : database.suites(run))
        for (const StoredMeasurement& m : database.measurements(suite.id))
            if (m.finished)
                all[suite.suite.name] = m.measurement.value_s;
    return all;
}

void values_are_under_their_names(const Database& database) {
    REQUIRE(database.runs().size() == 1);
    const RunId run = database.runs().front();
    CHECK_FALSE(database.run(run).ended_utc.empty());
    const std::map<std::string, double> found = values(database, run);
    REQUIRE(found.size() == 3);
    CHECK(found.at("tick") < found.at("copy") / 2);
    CHECK(found.at("copy") < found.at("exchange") / 2);
}

void edit(const std::string& path, const char* sql) {
    sqlite3* handle = nullptr;
    REQUIRE(sqlite3_open(path.c_str(), &handle) == SQLITE_OK);
    CHECK(sqlite3_exec(handle, sql, nullptr, nullptr, nullptr) == SQLITE_OK);
    sqlite3_close(handle);
}

} // namespace

TEST_CASE("a run goes on when the blocks of its file have changed places, each value under its name") {
    const Jobs jobs;
    const std::string one = jobs.file("one.skampi", std::string("@MEASUREMENTS\n") + exchange + copy + tick);
    jobs.interrupt({one});
    CHECK(values(jobs.open(), jobs.open().runs().front()).size() < 3);
    const std::string two = jobs.file("two.skampi", std::string("@MEASUREMENTS\n") + tick + copy + exchange);
    const ChildResult result = run(jobs.command({two}));
    INFO(result.err);
    CHECK(all_done(result));
    values_are_under_their_names(jobs.open());
}

TEST_CASE("a run goes on under another launch number, each value under its name") {
    const Jobs jobs;
    const std::string file = jobs.file("x.skampi", std::string("@MEASUREMENTS\n") + exchange + copy + tick);
    jobs.interrupt({file, "--launch-number", "1"});
    std::string order;
    for (const StoredSuite& suite : jobs.open().suites(jobs.open().runs().front()))
        order += suite.suite.name;
    for (const char* const number : {"2", "3", "4"}) // one of them has another order
        CHECK(all_done(run(jobs.command({file, "--launch-number", number}))));
    const Database database = jobs.open();
    CHECK(database.runs().size() == 3); // the first of these went on with the interrupted one
    const RunId first = database.runs().front();
    CHECK(database.run(first).launch == 1);
    std::string order_now;
    for (const StoredSuite& suite : database.suites(first))
        order_now += suite.suite.name;
    CHECK(order_now == order);
    for (const RunId id : database.runs()) {
        const std::map<std::string, double> found = values(database, id);
        REQUIRE(found.size() == 3);
        CHECK(found.at("tick") < found.at("copy") / 2);
        CHECK(found.at("copy") < found.at("exchange") / 2);
    }
}

TEST_CASE("a run with another setting of the MPI library, or of another variant, is not gone on with") {
    const Jobs jobs;
    const std::string file = jobs.file("x.skampi", std::string("@MEASUREMENTS\n") + exchange + tick);
    jobs.interrupt({file}, {{"UCX_MAX_EAGER_RAILS", "1"}});
    CHECK(jobs.open().run(1).settings.at("UCX_MAX_EAGER_RAILS") == "1"); // Open MPI's launcher sets more

    ChildResult result = run(jobs.command({file}));
    CHECK(all_done(result));
    CHECK(
        result.err.find("an unfinished run in this file belongs to another series and is not continued: the "
                        "setting UCX_MAX_EAGER_RAILS differs: \"1\" and unset") != std::string::npos);
    CHECK(jobs.open().runs().size() == 2);

    result = run(jobs.command({file, "--variant", "new \"cable\""}));
    CHECK(all_done(result));
    CHECK(jobs.open().runs().size() == 3);
    CHECK(jobs.open().run(3).variant == "new \"cable\"");
    CHECK(jobs.open().run(1).ended_utc.empty());

    // Its own series goes on with it.
    Command again = jobs.command({file});
    again.environment.emplace("UCX_MAX_EAGER_RAILS", "1");
    CHECK(all_done(run(std::move(again))));
    const Database database = jobs.open();
    CHECK(database.runs().size() == 3);
    CHECK_FALSE(database.run(1).ended_utc.empty());
    CHECK(values(database, 1).size() == 2);
    // Launches are counted within their series.
    for (const RunId id : database.runs())
        CHECK(database.run(id).launch == 0);
}

TEST_CASE("what the environment holds of secrets is in no file") {
    const Jobs jobs;
    Command job = jobs.command({jobs.file("x.skampi", std::string("@MEASUREMENTS\n") + tick)});
    for (const char* const name : {"SLURM_JWT", "I_MPI_PASSWORD", "HYDRA_LAUNCHER_EXTRA_ARGS", "UCX_IB_TOKEN",
                                   "SLURM_CONTAINER_REGISTRY_PASSWORD", "MY_OWN"})
        job.environment.emplace(name, "d0n0tstore");
    CHECK(all_done(run(std::move(job))));
    CHECK(read(jobs.database()).find("d0n0tstore") == std::string::npos);
}

TEST_CASE("a damaged unfinished run is refused before anything is measured or written") {
    const Jobs jobs;
    const std::string file = jobs.file("x.skampi", std::string("@MEASUREMENTS\n") + exchange + copy + tick);
    jobs.interrupt({file});
    const std::string whole = read(jobs.database());
    for (const char* const damage :
         {"UPDATE suite SET ordinal = ordinal + 7", "DELETE FROM measurement WHERE id = 1",
          "UPDATE suite SET name = 'copied' WHERE name = 'copy'", "DELETE FROM batch WHERE id = 1"}) {
        CAPTURE(damage);
        std::ofstream(jobs.database(), std::ios::binary) << whole;
        edit(jobs.database(), damage);
        const std::string damaged = read(jobs.database());
        const ChildResult result = run(jobs.command({file}));
        CHECK(result.exit_status == 3);
        CHECK(result.err.find("x.db") != std::string::npos);
        CHECK(read(jobs.database()) == damaged);
    }
}

TEST_CASE("the single measurements of old runs can be thinned, their values stay") {
    const Jobs jobs;
    const std::string file = jobs.file("x.skampi", std::string("@MEASUREMENTS\n") + copy + tick);
    CHECK(all_done(run(jobs.command({file}))));
    CHECK(all_done(run(jobs.command({file}))));
    const std::map<std::string, double> before = values(jobs.open(), 1);
    CHECK(all_done(run(jobs.command({file, "--variant", "other"}))));
    CHECK(all_done(run(jobs.command({file, "--keep-samples", "2"}))));
    const Database database = jobs.open();
    database.check_integrity();
    const auto batches = [&](RunId id) {
        std::size_t count = 0;
        for (const StoredSuite& suite : database.suites(id))
            for (const StoredMeasurement& m : database.measurements(suite.id))
                count += database.batches(m.id).size();
        return count;
    };
    REQUIRE(database.runs().size() == 4);
    CHECK(batches(1) == 0);
    CHECK(batches(2) > 0);
    CHECK(batches(3) > 0); // of another series
    CHECK(batches(4) > 0);
    CHECK(values(database, 1) == before);
    CHECK(database.run(1).facts.at(fact_samples).find("--keep-samples 2") != std::string::npos);

    CHECK(all_done(run(jobs.command({file, "--keep-samples", "0"}))));
    const Database thinned = jobs.open();
    thinned.check_integrity();
    for (const RunId id : {2, 4, 5})
        for (const StoredSuite& suite : thinned.suites(id))
            for (const StoredMeasurement& m : thinned.measurements(suite.id))
                CHECK(thinned.batches(m.id).empty());
    CHECK(values(thinned, 5).size() == 2);
}
