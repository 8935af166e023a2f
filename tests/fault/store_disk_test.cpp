// SPDX-License-Identifier: GPL-2.0-or-later
#include "store/database.hpp"

#include "../unit/invented_run.hpp"
#include "../unit/scratch_folder.hpp"
#include "faulty_disk.hpp"

#include <cstdlib>
#include <doctest/doctest.h>
#include <map>
#include <optional>

using namespace skampi;
using namespace invented;

namespace {

/// What the code under test has been told is stored.
struct Committed {
    std::optional<RunId> run;
    int suites_begun = 0;
    std::map<std::int64_t, Measurement> finished; ///< by argument
    bool ended = false;
};

/// Two suites of a few measurements, written step by step until done or until something throws.
void write_run(const std::string& path, Committed& committed) {
    std::mt19937_64 random(1);
    Database database = Database::open_for_writing(path);
    committed.run = database.begin_run(run("r"), {suite("a"), suite("b")});
    std::int64_t argument = 0;
    for (const StoredSuite& stored : database.suites(*committed.run)) {
        database.begin_suite(stored.id);
        ++committed.suites_begun;
        for (int i = 0; i < 2; ++i) {
            const Measurement value = measurement(++argument, random);
            const MeasurementId id = database.begin_measurement(stored.id, value);
            database.add_batches(id, {batch(20, random)}, value, false);
            database.add_batches(id, {batch(20, random)}, value, true);
            committed.finished[argument] = value;
        }
        database.end_suite(stored.id, SuiteState::finished);
    }
    database.end_run(*committed.run, run("r"));
    committed.ended = true;
}

/// All that was committed is there, whole, and the file is sound. Later commits may be there, too.
void check_file(const std::string& path, const Committed& committed, bool only_durable) {
    if (!std::filesystem::exists(path)) {
        CHECK_FALSE(committed.run.has_value());
        return;
    }
    { // As the next start would do.
        Database database = Database::open_for_writing(path);
        database.check_integrity();
        const std::vector<RunId> runs = database.runs();
        if (committed.run) {
            REQUIRE(runs.size() == 1);
            CHECK(database.run(runs[0]).ended_utc.empty() <= !committed.ended);
            int begun = 0;
            std::map<std::int64_t, Measurement> finished;
            for (const StoredSuite& stored : database.suites(runs[0])) {
                begun += stored.attempts;
                for (const StoredMeasurement& m : database.measurements(stored.id)) {
                    if (!m.finished)
                        continue;
                    finished[m.measurement.argument] = m.measurement;
                    CHECK(database.batches(m.id).size() == 2);
                }
            }
            CHECK(begun >= committed.suites_begun);
            if (only_durable) {
                // What a suite's beginning has made durable: all of the suites before.
                CHECK(static_cast<int>(finished.size()) >= 2 * (committed.suites_begun - 1));
            } else {
                CHECK(finished.size() >= committed.finished.size());
            }
            for (const auto& [argument, value] : finished)
                if (committed.finished.count(argument) != 0)
                    CHECK(same(value, committed.finished.at(argument)));
            if (committed.ended)
                CHECK(finished.size() == 4);
        }
    }
    // And it can be gone on with.
    Committed again;
    Database::open(path).check_integrity();
}

void try_every_operation(FaultyDisk::Fault fault, const char* journal, std::int64_t stride) {
    REQUIRE(setenv("SKAMPI_JOURNAL", journal, 1) == 0);
    // With the write-ahead log only some commits wait for the disk.
    const bool only_durable = fault == FaultyDisk::Fault::power_cut && std::string(journal) == "wal";
    std::int64_t faults = 0;
    for (std::int64_t at = 1;; at += stride) {
        CAPTURE(at);
        const ScratchFolder folder;
        Committed committed;
        bool named = true;
        FaultyDisk disk(fault, at);
        try {
            write_run(folder / "x.db", committed);
        } catch (const StoreError& error) {
            named = std::string(error.what()).find(folder / "x.db: cannot ") == 0;
            CHECK(error.status() == ExitStatus::impossible);
        }
        CHECK(named);
        disk.repair();
        check_file(folder / "x.db", committed, only_durable);
        if (!disk.reached()) {
            CHECK(committed.ended);
            break;
        }
        ++faults;
    }
    CHECK(faults > 20);
    unsetenv("SKAMPI_JOURNAL");
}

} // namespace

TEST_CASE("a disk that is full at any moment costs the commit it happens in, and no other") {
    try_every_operation(FaultyDisk::Fault::full, "wal", 2);
    try_every_operation(FaultyDisk::Fault::full, "delete", 5);
}

TEST_CASE("one input/output error at any moment costs the commit it happens in, and no other") {
    try_every_operation(FaultyDisk::Fault::error, "wal", 2);
    try_every_operation(FaultyDisk::Fault::error, "delete", 5);
}

TEST_CASE("a power cut at any moment leaves a sound file with everything up to the last suite's beginning") {
    try_every_operation(FaultyDisk::Fault::power_cut, "wal", 2);
}

TEST_CASE("a power cut with a rollback journal loses no commit") {
    try_every_operation(FaultyDisk::Fault::power_cut, "delete", 5);
}
