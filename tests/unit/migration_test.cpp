#include "store/migration.hpp"

#include "scratch_folder.hpp"
#include "store/database.hpp"
#include "store/schema.hpp"

#include <doctest/doctest.h>
#include <filesystem>
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

Connection connection_to(const std::string& path) {
    return {path, path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX};
}

std::string content_of(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
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
    const std::string before = content_of(folder / "x.db");
    {
        const Connection file(folder / "x.db", folder / "x.db", SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX);
        const std::unique_ptr<Connection> copy = migrated_copy(file, invented_steps, 4);
        CHECK(copy->integer("PRAGMA user_version") == 4);
        CHECK(copy->text("SELECT author FROM note") == "kept by nobody");
    }
    CHECK(content_of(folder / "x.db") == before);
}

TEST_CASE("a step that fails leaves the former version whole") {
    const ScratchFolder folder;
    const Connection connection = connection_to(folder / "x.db");
    create_version_2(connection);
    CHECK_THROWS_AS(migrate(connection, broken_steps, 4), StoreError);
    CHECK(connection.integer("PRAGMA user_version") == 2);
    CHECK(connection.integer("SELECT count(*) FROM pragma_table_info('note')") == 1);
}

TEST_CASE("the steps there are lead without a gap from the oldest version that is read to the newest") {
    int version = oldest_version(migrations(), schema_version);
    CHECK(version >= 2);
    for (const Migration& step : migrations())
        CHECK(step.from == version++);
    CHECK(version == schema_version);
    CHECK(oldest_version(invented_steps, 4) == 2);
    CHECK(oldest_version({}, 4) == 4);
}

TEST_CASE("a stored file of every version is read, checked and gone on with") {
    for (int version = oldest_version(migrations(), schema_version); version <= schema_version; ++version) {
        CAPTURE(version);
        const ScratchFolder folder;
        const std::string stored =
            std::string(SKAMPI_SOURCE_ROOT "/tests/data/version") + std::to_string(version) + ".db";
        std::filesystem::copy_file(stored, folder / "x.db");
        {
            const Database reader = Database::open(folder / "x.db");
            reader.check_integrity();
            CHECK(reader.run(reader.runs().at(0)).ranks == 2);
            int rows = 0;
            double fastest_s = 1;
            reader.for_each_result([&](const ResultRow& row) {
                ++rows;
                fastest_s = std::min(fastest_s, row.measurement.value_s);
            });
            CHECK(rows == 5);
            CHECK(fastest_s > 1e-8);
            CHECK(fastest_s < 1e-4);
        }
        Database writer = Database::open_for_writing(folder / "x.db");
        Run run = writer.run(writer.runs().at(0));
        CHECK(run.mpi_library.starts_with("MPICH"));
        run.uuid = "another";
        (void)writer.begin_run(run, {});
        writer.check_integrity();
    }
}
