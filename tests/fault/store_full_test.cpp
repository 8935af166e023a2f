// SPDX-License-Identifier: GPL-2.0-or-later
// Fills a real, small file system. Needs the right to mount one; skipped (exit status 77) without it.

#include "store/database.hpp"

#include "../unit/invented_run.hpp"
#include "../unit/scratch_folder.hpp"
#include "small_file_system.hpp"

#include <cstdio>
#include <cstdlib>
#include <doctest/doctest.h>

using namespace skampi;
using namespace invented;

TEST_CASE("a file system that fills up leaves all that was committed, and the error says so") {
    int outcomes_before_begin = 0;
    int outcomes_in_measuring = 0;
    for (int kilobytes = 16; kilobytes <= 640; kilobytes += 24) {
        CAPTURE(kilobytes);
        const ScratchFolder folder;
        const SmallFileSystem file_system(folder.path().string(), kilobytes);
        if (!file_system.mounted()) {
            std::puts("cannot mount a small file system here: skipped");
            std::exit(77);
        }
        std::mt19937_64 random(1);
        std::int64_t finished = -1;
        bool full = false;
        try {
            Database database = Database::open_for_writing(folder / "x.db");
            const RunId id = database.begin_run(run("r"), {suite("s")});
            const SuiteId s = database.suites(id).front().id;
            database.begin_suite(s);
            finished = 0;
            for (std::int64_t argument = 0; argument < 1000; ++argument) {
                const Measurement value = measurement(argument, random);
                database.add_batches(database.begin_measurement(s, value), {batch(100, random)}, value, true);
                ++finished;
            }
        } catch (const StoreError& error) {
            full = true;
            const std::string what = error.what();
            INFO(what);
            CHECK(error.status() == ExitStatus::impossible);
            CHECK(what.find(folder / "x.db: cannot ") == 0);
            CHECK((what.find("full") != std::string::npos || what.find("I/O") != std::string::npos));
        }
        CHECK(full);
        if (finished < 0) {
            ++outcomes_before_begin;
            continue;
        }
        ++outcomes_in_measuring;
        const Database database = Database::open(folder / "x.db");
        database.check_integrity();
        std::int64_t rows = 0;
        database.for_each_result([&](const ResultRow& row) { CHECK(row.measurement.argument == rows++); });
        CHECK(rows == finished);
    }
    CHECK(outcomes_before_begin > 0);
    CHECK(outcomes_in_measuring > 5);
}
