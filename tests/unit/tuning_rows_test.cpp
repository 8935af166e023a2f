// SPDX-License-Identifier: GPL-2.0-or-later
#include "scratch_folder.hpp"
#include "store/database.hpp"

#include <doctest/doctest.h>
#include <sqlite3.h>

using namespace skampi;

namespace {

TuningFile one_file() {
    TuningFile file;
    file.run = "run-1";
    file.path = "/etc/rules.conf";
    file.format = "open mpi rules";
    file.library = "Open MPI v4.1.4";
    file.created_utc = "2026-11-24T10:00:00Z";
    file.text = "1\n# a comment 'quoted' and \"so\"\n";
    TuningRule rule;
    rule.operation = "MPI_Bcast";
    rule.layer = "open mpi tuned";
    rule.ranks_low = rule.ranks_high = 16;
    rule.bytes_low = 2048;
    rule.bytes_high = any_length;
    rule.algorithm = "binomial";
    rule.number = 6;
    rule.gain = 0.18;
    rule.gain_low = 0.15;
    rule.gain_high = 0.21;
    rule.launches = 5;
    rule.from_bytes_low = 1024;
    rule.from_bytes_high = 2048;
    rule.written = true;
    TuningRule kept;
    kept.operation = "MPI_Scatter";
    kept.why_not = WhyNot::no_length_rules;
    file.rules = {rule, kept};
    return file;
}

} // namespace

TEST_CASE("a tuning file is stored with its rules, also those that are not in it") {
    const ScratchFolder folder;
    {
        Database database = Database::open_for_writing(folder / "x.db");
        CHECK(database.tuning_files().empty());
        database.add_tuning_file(one_file());
        database.add_tuning_file({}); // the default was kept everywhere
    }
    const Database database = Database::open(folder / "x.db");
    const std::vector<TuningFile> files = database.tuning_files();
    REQUIRE(files.size() == 2);
    CHECK(files.front().text == one_file().text);
    CHECK(files.front().rules == one_file().rules);
    CHECK(files.back().rules.empty());
    CHECK_NOTHROW(database.check_integrity());
}

TEST_CASE("what was changed in a tuning file is noticed") {
    const ScratchFolder folder;
    for (const char* const sql :
         {"UPDATE tuning_file SET text = 'x'", "UPDATE rule SET bytes_low = 4096 WHERE ordinal = 0",
          "UPDATE rule SET why_not = 'undecided' WHERE ordinal = 1", "DELETE FROM rule WHERE ordinal = 1",
          "UPDATE rule SET why_not = 'other' WHERE ordinal = 1"}) {
        CAPTURE(sql);
        std::filesystem::remove(folder / "x.db");
        Database::open_for_writing(folder / "x.db").add_tuning_file(one_file());
        sqlite3* handle = nullptr;
        REQUIRE(sqlite3_open((folder / "x.db").c_str(), &handle) == SQLITE_OK);
        CHECK(sqlite3_exec(handle, sql, nullptr, nullptr, nullptr) == SQLITE_OK);
        sqlite3_close(handle);
        CHECK_THROWS_AS(Database::open(folder / "x.db").check_integrity(), StoreError);
    }
}
