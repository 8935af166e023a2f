// SPDX-License-Identifier: GPL-2.0-or-later
#include "store/migration.hpp"

#include "model/run.hpp"
#include "scratch_folder.hpp"
#include "store/checksum.hpp"
#include "store/schema.hpp"
#include "store/store_error.hpp"
#include "text_file.hpp"

#include <doctest/doctest.h>
#include <fstream>
#include <iterator>
#include <sqlite3.h>

using namespace skampi;

namespace {

/// A schema that never was: its versions differ in a table of notes.
void create_version_2(const Connection& connection) {
    connection.execute("CREATE TABLE note (text TEXT NOT NULL) STRICT; INSERT INTO note VALUES ('kept'); "
                       "PRAGMA user_version = 2");
}
constexpr Migration invented_steps[] = {
    {2, [](const Connection& c) { c.execute("ALTER TABLE note ADD COLUMN author TEXT"); }},
    {3, [](const Connection& c) { c.execute("UPDATE note SET author = text || ' by nobody'"); }},
};
constexpr Migration broken_steps[] = {
    {2, [](const Connection& c) { c.execute("ALTER TABLE note ADD COLUMN author TEXT"); }},
    {3, [](const Connection& c) { c.execute("UPDATE nowhere SET author = ''"); }},
};

/// An event with a column that came later, which is 0 in older rows.
struct Grown {
    Event event;
    double added_s = 0;
};
template <MaybeConst<Grown> Row, typename Visitor>
void for_each_field(Row& grown, Visitor&& field) {
    for_each_field(grown.event, field);
    field({"added_s", ""}, grown.added_s);
}

Connection connection_to(const std::string& path) {
    return {path, path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX};
}

} // namespace

TEST_CASE("a writer brings an older file to the newest version, step by step") {
    const ScratchFolder folder;
    const Connection connection = connection_to(folder / "x.db");
    create_version_2(connection);
    migrate(connection, invented_steps, 4);
    CHECK(connection.integer("PRAGMA user_version") == 4);
    CHECK(connection.text("SELECT author FROM note") == "kept by nobody");
    migrate(connection, invented_steps, 4); // nothing to do any more
    CHECK(connection.text("SELECT author FROM note") == "kept by nobody");
}

TEST_CASE("a reader sees the newest version and leaves the file as it is") {
    const ScratchFolder folder;
    {
        const Connection connection = connection_to(folder / "x.db");
        create_version_2(connection);
    }
    const std::string before = read(folder / "x.db");
    {
        const Connection file(folder / "x.db", folder / "x.db", SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX);
        const std::unique_ptr<Connection> copy = migrated_copy(file, invented_steps, 4);
        CHECK(copy->integer("PRAGMA user_version") == 4);
        CHECK(copy->text("SELECT author FROM note") == "kept by nobody");
    }
    CHECK(read(folder / "x.db") == before);
}

TEST_CASE("a step that fails leaves the former version whole") {
    const ScratchFolder folder;
    const Connection connection = connection_to(folder / "x.db");
    create_version_2(connection);
    CHECK_THROWS_AS(migrate(connection, broken_steps, 4), StoreError);
    CHECK(connection.integer("PRAGMA user_version") == 2);
    CHECK(connection.integer("SELECT count(*) FROM pragma_table_info('note')") == 1);
}

TEST_CASE("the steps lead without a gap from version 1 to the newest") {
    int version = 1;
    for (const Migration& step : migrations())
        CHECK(step.from == version++);
    CHECK(version == schema_version);
}

TEST_CASE("a column added by a step leaves the checksums of older rows valid") {
    Checksum before;
    before.add_row(Event{});
    Checksum after;
    after.add_row(Grown{});
    CHECK(before.value() == after.value());
    after.add_row(Grown{{}, 1});
    before.add_row(Grown{{}, 2});
    CHECK(before.value() != after.value());
}
