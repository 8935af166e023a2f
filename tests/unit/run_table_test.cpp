#include "shared/run_table.hpp"

#include "base/utf8.hpp"
#include "invented_run.hpp"
#include "scratch_folder.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <sstream>
#include <string>
#include <vector>

using namespace skampi;

namespace {

std::vector<std::string> lines_of(const std::string& text) {
    std::istringstream stream(text);
    std::vector<std::string> lines;
    for (std::string line; std::getline(stream, line);)
        lines.push_back(line);
    return lines;
}

Measurement measured(std::int64_t bytes, double value_s, Flags flags = 0) {
    Measurement m;
    m.argument = bytes;
    m.message_bytes = bytes;
    m.ranks = 2;
    m.messages = 2;
    m.value_s = value_s;
    m.standard_error_s = value_s / 80;
    m.summary.count = 10;
    m.flags = flags;
    return m;
}

/// A database with one finished run of a ping-pong, a failed broadcast and a suite without any value.
struct Scene {
    ScratchFolder folder;
    std::string path;
    Run run = invented::run("the run");
    explicit Scene(const std::string& name = "x.db")
        : path(folder / name) {
        Database database = Database::open_for_writing(path);
        run.ranks = 2;
        Suite ping_pong = invented::suite("ping-pong", Pattern::ping_pong);
        ping_pong.operation.meaning = Meaning::round_trip;
        const RunId id =
            database.begin_run(run, {ping_pong, invented::suite("a broadcast with " + invented::nasty),
                                     invented::suite("none")});
        const std::vector<StoredSuite> suites = database.suites(id);
        for (const auto& [bytes, value_s, flags] : {std::tuple<std::int64_t, double, Flags>{1, 511e-9, 0},
                                                    {1024, 1e-6, Flag::timed_out | Flag::disturbed},
                                                    {65536, 13.9e-6, 0}}) {
            const Measurement m = measured(bytes, value_s, flags);
            database.add_batches(database.begin_measurement(suites[0].id, m), {}, m, true);
        }
        database.end_suite(suites[0].id, SuiteState::finished);
        database.end_suite(suites[1].id, SuiteState::failed, "killed by signal 11\n\x1b[2J");
        database.end_suite(suites[2].id, SuiteState::finished);
        database.end_run(id, run);
    }
    [[nodiscard]] std::string table(int columns = 100) const {
        return run_table(Database::open(path), run.uuid, columns);
    }
};

} // namespace

TEST_CASE("the table of a run shows both ends of each suite, what is flagged, and what to do next") {
    const Scene scene;
    const std::vector<std::string> lines = lines_of(scene.table());
    REQUIRE(lines.size() == 7);
    const std::string& ping_pong = lines[1];
    CHECK(ping_pong.starts_with("ping-pong "));
    CHECK(ping_pong.find("1 B  511 ns ± 1.2 %") != std::string::npos);
    CHECK(ping_pong.find("64 KiB  13.9 µs ± 1.2 %") != std::string::npos);
    CHECK(ping_pong.find("9.43 GB/s") != std::string::npos); // 2 * 65536 B / 13.9 us
    CHECK(ping_pong.ends_with("1 of 3"));
    CHECK(lines[2].starts_with("a broadcast "));
    CHECK(lines[2].find("failed: killed by signal 11") != std::string::npos);
    CHECK(lines[3].find("no value") != std::string::npos);
    CHECK(lines[4].find("round trip") != std::string::npos);
    CHECK(lines[5].find("1 timed out and 1 disturbed") != std::string::npos);
    CHECK(lines[6].find("skampi-report " + scene.path) != std::string::npos);
}

TEST_CASE("one single measurement tells no error") {
    const ScratchFolder folder;
    Database database = Database::open_for_writing(folder / "one.db");
    const Run run = invented::run("one");
    const RunId id = database.begin_run(run, {invented::suite("once")});
    const SuiteId suite = database.suites(id)[0].id;
    Measurement m = measured(8, 12e-3);
    m.summary.count = 1;
    database.add_batches(database.begin_measurement(suite, m), {}, m, true);
    database.end_suite(suite, SuiteState::finished);
    const std::string table = run_table(database, run.uuid, 80);
    CHECK(table.find("8 B  12.0 ms") != std::string::npos);
    CHECK(table.find("±") == std::string::npos);
}

TEST_CASE("no text of a run reaches the terminal as more than text, and names make room") {
    const Scene scene;
    for (const int columns : {0, 1, 80, 100, 300}) {
        CAPTURE(columns);
        const std::string text = scene.table(columns);
        CHECK(text.find('\x1b') == std::string::npos);
        CHECK(first_not_utf8(text) == std::string::npos);
        CHECK(std::ranges::count(text, '\n') == 7);
        if (columns >= 80)
            for (const std::string& line : {lines_of(text)[0], lines_of(text)[1], lines_of(text)[2]})
                CHECK(character_count(line) <= static_cast<std::size_t>(columns));
    }
}

TEST_CASE("names that are too long are cut so that no two of them look the same") {
    const std::string begin = "a broadcast of long messages between all the nodes of this machine, ";
    const std::string end = ", between all the nodes of this machine and as many others";
    const ScratchFolder folder;
    Database database = Database::open_for_writing(folder / "names.db");
    const Run run = invented::run("names");
    std::vector<Suite> suites;
    for (const std::string& name : {begin + "to all", begin + "from all", "up" + end, "down" + end,
                                    begin + "up" + end, begin + "down" + end, std::string("short")})
        suites.push_back(invented::suite(name));
    const RunId id = database.begin_run(run, suites);
    for (const StoredSuite& stored : database.suites(id)) {
        const Measurement m = measured(1024, 1e-6);
        database.add_batches(database.begin_measurement(stored.id, m), {}, m, true);
        database.end_suite(stored.id, SuiteState::finished);
    }
    for (const int columns : {0, 60, 80}) {
        CAPTURE(columns);
        const std::vector<std::string> lines = lines_of(run_table(database, run.uuid, columns));
        std::set<std::string> names;
        for (std::size_t i = 1; i <= suites.size(); ++i)
            names.insert(lines.at(i).substr(0, lines[i].find("  ")));
        CHECK(names.size() == suites.size());
        CHECK(names.contains("short"));
    }
    const std::vector<std::string> lines = lines_of(run_table(database, run.uuid, 80));
    CHECK(lines[1].starts_with("a broadcast"));
    CHECK(lines[1].find("... ") == std::string::npos); // of the end something is seen
    for (std::size_t i = 0; i <= suites.size(); ++i)
        CHECK(character_count(lines[i]) <= 80);
}

TEST_CASE("the next command can be typed whatever the database is called") {
    const Scene scene("it's a \"$test\".db");
    CHECK(scene.table().find(R"('\''s a "$test".db')") != std::string::npos);
}

TEST_CASE("a run that is not there has no table") {
    const Scene scene;
    CHECK(run_table(Database::open(scene.path), "another", 80).empty());
}
