// SPDX-License-Identifier: GPL-2.0-or-later
#include "scratch_folder.hpp"
#include "store/database.hpp"
#include "store/session_lock.hpp"

#include <doctest/doctest.h>
#include <sqlite3.h>

using namespace skampi;

namespace {

Session two_variants() {
    Session session;
    session.uuid = "session-1";
    session.plan_hash = "abc";
    session.ranks = 2;
    session.seed = 9007199254740993;
    session.margin = 0.02;
    session.error = 0.05;
    session.first_look = 5;
    session.most_rounds = 40;
    session.time_limit_s = 3600;
    session.started_utc = "2026-11-24T10:00:00Z";
    session.variants = {{.name = "old", .program = {}, .launch = {}, .arguments = {}, .settings = {}},
                        {.name = "new",
                         .program = "/opt/x y/skampi-run",
                         .launch = "mpiexec -n {n}",
                         .arguments = "-bind-to core",
                         .settings = {{"A", "1"}, {"B", std::nullopt}, {"C", ""}}}};
    return session;
}

void change_file(const std::filesystem::path& path, const char* sql) {
    sqlite3* handle = nullptr;
    REQUIRE(sqlite3_open(path.c_str(), &handle) == SQLITE_OK);
    CHECK(sqlite3_exec(handle, sql, nullptr, nullptr, nullptr) == SQLITE_OK);
    sqlite3_close(handle);
}

} // namespace

TEST_CASE("a session is stored with its variants, ends, goes on and keeps its failures") {
    const ScratchFolder folder;
    const Session session = two_variants();
    {
        Database database = Database::open_for_writing(folder / "x.db");
        CHECK(database.sessions().empty());
        database.begin_session(session);
        CHECK_THROWS_AS(database.begin_session(session), StoreError);
        database.add_session_failure(
            "session-1", {.round = 2, .place = 1, .variant = "new", .time_utc = "t", .reason = "signal 11"});
        CHECK_THROWS_AS(database.add_session_failure("session-2", {}), StoreError);
        database.end_session("session-1", SessionEnd::time);
    }
    {
        Database database = Database::open_for_writing(folder / "x.db");
        REQUIRE(database.sessions().size() == 1);
        const Session read = database.sessions().front();
        CHECK(read.variants == session.variants);
        CHECK(read.seed == session.seed);
        CHECK(read.end == SessionEnd::time);
        CHECK_FALSE(read.ended_utc.empty());
        database.reopen_session("session-1", 7200);
    }
    const Database database = Database::open(folder / "x.db");
    const Session read = database.sessions().front();
    CHECK(read.end == SessionEnd::not_yet);
    CHECK(read.ended_utc.empty());
    CHECK(read.time_limit_s == 7200);
    REQUIRE(database.session_failures("session-1").size() == 1);
    CHECK(database.session_failures("session-1").front().reason == "signal 11");
    CHECK_NOTHROW(database.check_integrity());
}

TEST_CASE("what was changed in a session is noticed") {
    const ScratchFolder folder;
    for (const char* const sql :
         {"UPDATE variant SET program = 'x' WHERE ordinal = 0",
          "UPDATE variant_setting SET value = '2' WHERE name = 'A'",
          "UPDATE variant_setting SET value = '' WHERE name = 'B'", "DELETE FROM variant_setting",
          "DELETE FROM session_failure", "UPDATE session SET seed = 3"}) {
        CAPTURE(sql);
        std::filesystem::remove(folder / "x.db");
        {
            Database database = Database::open_for_writing(folder / "x.db");
            database.begin_session(two_variants());
            database.add_session_failure(
                "session-1", {.round = 1, .place = 0, .variant = "old", .time_utc = {}, .reason = {}});
        }
        change_file(folder / "x.db", sql);
        CHECK_THROWS_AS((void)Database::open(folder / "x.db").sessions(), StoreError);
    }
}

TEST_CASE("a process that holds a session within another one belongs to the outer one again afterwards") {
    const ScratchFolder scratch;
    const SessionLock outer(scratch / "tune.db");
    {
        const SessionLock inner(scratch / "verify.db");
        CHECK_NOTHROW(refuse_outside_session(scratch / "verify.db"));
    }
    CHECK_NOTHROW(refuse_outside_session(scratch / "tune.db"));
}
