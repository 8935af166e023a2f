// SPDX-License-Identifier: GPL-2.0-or-later
#include "scratch_folder.hpp"
#include "store/database.hpp"

#include <doctest/doctest.h>
#include <sqlite3.h>

using namespace skampi;

TEST_CASE("a pair map is stored, and a changed one is detected") {
    const ScratchFolder folder;
    const std::string path = folder / "x.db";
    RunId run = 0;
    {
        Database database = Database::open_for_writing(path);
        Run begun;
        begun.uuid = "run-1";
        run = database.begin_run(begun, {});
        database.add_pair_map(run, {.message_bytes = 8, .pairs = {{0, 1, 2.5e-6F}, {2, 3, 1e-6F}}});
        database.end_run(run, begun);
    }
    const auto change = [&](const char* sql) {
        sqlite3* raw = nullptr;
        REQUIRE(sqlite3_open(path.c_str(), &raw) == SQLITE_OK);
        CHECK(sqlite3_exec(raw, sql, nullptr, nullptr, nullptr) == SQLITE_OK);
        sqlite3_close(raw);
    };
    {
        const Database database = Database::open(path);
        CHECK_NOTHROW(database.check_integrity());
        const std::vector<PairMap> maps = database.pair_maps(run);
        REQUIRE(maps.size() == 1);
        CHECK(maps.front() == PairMap{.message_bytes = 8, .pairs = {{0, 1, 2.5e-6F}, {2, 3, 1e-6F}}});
    }
    change("UPDATE pair_map SET pairs = substr(pairs, 1, 12)");
    CHECK_THROWS_AS((void)Database::open(path).pair_maps(run), StoreError);
    change("UPDATE pair_map SET pairs = substr(pairs, 1, 11)");
    CHECK_THROWS_AS((void)Database::open(path).pair_maps(run), StoreError);
}
