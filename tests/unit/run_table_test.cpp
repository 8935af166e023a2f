// SPDX-License-Identifier: GPL-2.0-or-later
#include "../golden.hpp"
#include "terminal/run_table.hpp"

#include "base/utf8.hpp"
#include "invented_run.hpp"
#include "scratch_folder.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <iterator>
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

/// All that is shown of a run at a terminal.
std::string run_table(const Database& database, const std::string& uuid, int columns) {
    std::string text;
    for (const RunId id : database.runs()) {
        if (database.run(id).uuid != uuid)
            continue;
        const std::vector<StoredSuite> suites = database.suites(id);
        std::size_t longest_name = 0;
        for (const StoredSuite& suite : suites)
            longest_name = std::max(longest_name, character_count(suite.suite.name));
        const RunTable table(longest_name, columns);
        text += table.header();
        for (const StoredSuite& suite : suites)
            text += table.lines(suite_row(database, suite), suite.ordinal + 1);
    }
    return text + run_footer(database, uuid, columns);
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
struct StoredRun {
    ScratchFolder folder;
    std::string path;
    Run run = invented::run("the run");
    explicit StoredRun(const std::string& name = "x.db")
        : path(folder / name) {
        Database database = Database::open_for_writing(path);
        run.ranks = 2;
        run.facts[fact_command] = "./skampi-run\nmy.skampi";
        Suite ping_pong = invented::suite("ping-pong", Pattern::ping_pong);
        ping_pong.operation.meaning = Meaning::round_trip;
        const RunId id =
            database.begin_run(run, {ping_pong, invented::suite("a broadcast with " + invented::nasty),
                                     invented::suite("none")});
        const std::vector<StoredSuite> suites = database.suites(id);
        for (const auto& [bytes, value_s, flags] : {std::tuple<std::int64_t, double, Flags>{1, 511e-9, 0},
                                                    {1024, 1e-6, static_cast<Flags>(Flag::disturbed)},
                                                    {65536, 13.9e-6, Flag::timed_out | Flag::disturbed}}) {
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

TEST_CASE("the table of a run, as a golden file shows it") {
    Golden golden("run_table");
    const StoredRun scene;
    std::string table = scene.table();
    for (std::size_t at = 0; (at = table.find(scene.path, at)) != std::string::npos;)
        table.replace(at, scene.path.size(), "x.db");
    golden.add("a finished suite, a failed one and one without values", table);
    const ScratchFolder folder;
    Database database = Database::open_for_writing(folder / "x.db");
    const Run run = invented::run("the run");
    const RunId id = database.begin_run(run, {invented::suite("MPI_Allreduce-length"),
                                              invented::suite("memcpy"), invented::suite("not yet")});
    const std::vector<StoredSuite> suites = database.suites(id);
    for (const std::int64_t bytes : {1, 131072})
        for (const std::size_t suite : {0, 1}) {
            Measurement m = measured(bytes, 53.9e-6);
            if (suite == 1) { // its error is as large as the value
                m.standard_error_s = m.value_s;
                set(m.flags, Flag::unreliable);
            }
            database.add_batches(database.begin_measurement(suites[suite].id, m), {}, m, true);
        }
    for (const int columns : {100, 80, 40}) {
        std::string text;
        for (const std::string& line : lines_of(run_table(database, run.uuid, columns)))
            text += line.find("skampi-r") == std::string::npos ? line + "\n" : "";
        golden.add("beside values that are no result, and a suite that is open: " + std::to_string(columns) +
                       " columns",
                   text);
    }
    golden.check();
}

TEST_CASE("a line for programs has a word for each name of its header, whatever the run holds") {
    StoredRun scene;
    const Database database = Database::open(scene.path);
    const auto words_of = [](const std::string& line) {
        std::istringstream stream(line);
        return std::vector<std::string>(std::istream_iterator<std::string>{stream}, {});
    };
    const std::vector<std::string> names = words_of(point_header());
    std::vector<std::vector<std::string>> lines;
    for (const StoredSuite& suite : database.suites(database.runs().front()))
        for (const std::string& line : suite_result(database, suite).lines) {
            CAPTURE(line);
            CHECK(line.find_first_of("\n\x1b") == std::string::npos);
            lines.push_back(words_of(line));
            CHECK(lines.back().size() == names.size());
        }
    REQUIRE(lines.size() == 5);
    using Words = std::vector<std::string>;
    CHECK(lines[0] ==
          Words{"ping-pong", "1", "0.511", "0.504612", "0.517388", "3.91389e+06", "none", "repeatability"});
    CHECK(lines[2][6] == "timed_out,disturbed");
    CHECK(lines[3][2] == "nan");
    CHECK(lines[3][6] == "failed");
    CHECK(lines[4] == Words{"none", "nan", "nan", "nan", "nan", "nan", "finished", "none"});
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
    CHECK(suite_result(database, database.suite(suite)).lines ==
          std::vector<std::string>{"once 8 12000 nan nan 1333.33 none none"});
    const std::string table = run_table(database, run.uuid, 80);
    CHECK(table.find("8 B  12.0 ms") != std::string::npos);
    CHECK(table.find("%") == std::string::npos);
}

TEST_CASE("no text of a run reaches the terminal as more than text, nor beyond its last column") {
    const StoredRun scene("x.db");
    for (const int columns : {0, 1, 40, 60, 80, 100, 300}) {
        CAPTURE(columns);
        const std::string text = scene.table(columns);
        CHECK(text.find('\x1b') == std::string::npos);
        CHECK(first_not_utf8(text) == std::string::npos);
        if (columns >= 40)
            for (const std::string& line : lines_of(text))
                if (line.find("skampi-r") == std::string::npos) // a command stays in one piece
                    CHECK(character_count(line) <= static_cast<std::size_t>(columns));
    }
}

TEST_CASE("operations are recognised on a terminal of any width") {
    const ScratchFolder folder;
    Database database = Database::open_for_writing(folder / "x.db");
    const Run run = invented::run("the run");
    const std::vector<std::string> names{"MPI_Send-MPI_Recv", "MPI_Allreduce-length", "MPI_Alltoall-length",
                                         "MPI_Allgather-length", "memcpy"};
    std::vector<Suite> suites;
    for (const std::string& name : names)
        suites.push_back(invented::suite(name));
    const RunId id = database.begin_run(run, suites);
    for (const StoredSuite& stored : database.suites(id))
        for (const std::int64_t bytes : {1, 131072}) {
            const Measurement m = measured(bytes, bytes == 1 ? 893e-9 : 53.9e-6);
            database.add_batches(database.begin_measurement(stored.id, m), {}, m, true);
        }
    for (const int columns : {40, 60, 80, 132}) {
        CAPTURE(columns);
        const std::vector<std::string> lines = lines_of(run_table(database, run.uuid, columns));
        for (const std::string& name : names)
            CHECK(std::ranges::count_if(lines, [&](const std::string& line) {
                      return line == name || line.starts_with(name + "  ");
                  }) == 1);
        for (const std::string& line : lines)
            if (line.find("skampi-r") == std::string::npos)
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
    for (const int columns : {0, 40, 60, 80}) {
        CAPTURE(columns);
        const std::vector<std::string> lines = lines_of(run_table(database, run.uuid, columns));
        std::set<std::string> names;
        for (const std::string& line : lines) {
            if (line.starts_with("Std."))
                break;
            if (!line.starts_with(" ") && !line.starts_with("Suite"))
                names.insert(line.substr(0, line.find("  ")));
        }
        CHECK(names.size() == suites.size());
        CHECK(names.contains("short"));
    }
    const std::vector<std::string> lines = lines_of(run_table(database, run.uuid, 80));
    const auto first =
        std::ranges::find_if(lines, [](const std::string& line) { return line.starts_with("a broadcast"); });
    REQUIRE(first != lines.end());
    CHECK(first->find("... ") == std::string::npos); // of the end something is seen
    for (std::size_t i = 0; i <= suites.size(); ++i)
        CHECK(character_count(lines[i]) <= 80);
}

TEST_CASE("the next command can be typed whatever the database is called") {
    const StoredRun scene("it's a \"$test\".db");
    CHECK(scene.table().find(R"('\''s a "$test".db')") != std::string::npos);
}

TEST_CASE("a run that is not there has no table") {
    const StoredRun scene;
    CHECK(run_table(Database::open(scene.path), "another", 80).empty());
}
