// SPDX-License-Identifier: GPL-2.0-or-later
#include "../golden.hpp"
#include "base/child.hpp"
#include "close_to.hpp"
#include "environment.hpp"
#include "import/result_csv.hpp"
#include "invented_results.hpp"
#include "killed_job.hpp"
#include "merge/run_group.hpp"
#include "model/field_text.hpp"
#include "model/series.hpp"
#include "scratch_folder.hpp"
#include "store/database.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <doctest/doctest.h>
#include <exception>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <limits>
#include <map>
#include <sstream>
#include <stdexcept>

using namespace skampi;
using namespace skampi::test;
namespace fs = std::filesystem;

namespace {

ChildResult merge(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), from_environment("SKAMPI_MERGE"));
    Command command;
    command.argv = std::move(arguments);
    command.timeout_s = 60;
    return run(std::move(command));
}

std::string last_line(const std::string& text) {
    std::istringstream lines(text);
    std::string last;
    for (std::string line; std::getline(lines, line);)
        last = line;
    return last;
}

/// The numbers of the last line, for scripts.
struct Totals {
    int points = 0;
    int runs = 0;
    int abstained = 0;
    int groups = 1;
    bool operator==(const Totals&) const = default;
};

Totals totals(const std::string& out) {
    Totals found;
    const std::string line = last_line(out);
    REQUIRE(line.starts_with("SKAMPI: OK "));
    for (const auto& [name, member] :
         {std::pair(" points=", &Totals::points), std::pair(" runs=", &Totals::runs),
          std::pair(" abstained=", &Totals::abstained), std::pair(" groups=", &Totals::groups)})
        if (const std::size_t at = line.find(name); at != std::string::npos)
            found.*member = std::stoi(line.substr(at + std::string(name).size()));
    return found;
}

/// Whether a text is one line and holds all of these.
bool one_line_with(const std::string& text, const std::vector<std::string>& parts) {
    return std::count(text.begin(), text.end(), '\n') == 1 &&
           std::all_of(parts.begin(), parts.end(),
                       [&](const std::string& part) { return text.find(part) != std::string::npos; });
}

bool has_all(const std::string& text, const std::vector<std::string>& parts) {
    return std::all_of(parts.begin(), parts.end(),
                       [&](const std::string& part) { return text.find(part) != std::string::npos; });
}

std::vector<std::string> results(const std::string& path) {
    std::vector<std::string> lines;
    const Database database = Database::open(path);
    database.check_integrity();
    database.for_each_result([&](const ResultRow& row) { lines.push_back(result_csv_line(row)); });
    return lines;
}

/// A row of the results, flat.
struct ResultLine {
    std::string run;
    std::string suite;
    std::int64_t argument = 0;
    double value_s = 0;
    double standard_error_s = 0;
    std::int64_t count = 0;
    double minimum_s = 0;
    double quartile25_s = 0;
    double median_s = 0;
    double maximum_s = 0;
    std::string flags;
};

std::vector<ResultLine> rows(const std::string& path) {
    std::vector<ResultLine> all;
    Database::open(path).for_each_result([&](const ResultRow& row) {
        const Measurement& m = row.measurement;
        all.push_back({row.run, row.suite.name, m.argument, m.value_s, m.standard_error_s, m.summary.count,
                       m.summary.minimum, m.summary.quartile25, m.summary.median, m.summary.maximum,
                       flag_words(m.flags)});
    });
    return all;
}

/// Three suites: one refined (each run has some arguments of its own), one collective, one without argument.
std::vector<InventedSuite> small_plan(std::int64_t own_argument) {
    const InventedMachine machine;
    std::vector<InventedSuite> plan;
    for (InventedSuite& invented : full_plan(machine))
        if (invented.suite.name == "MPI_Send-MPI_Recv" || invented.suite.name == "MPI_Barrier" ||
            invented.suite.name == "MPI_Wtime")
            plan.push_back(std::move(invented));
    if (own_argument > 0) {
        auto& arguments = plan.front().arguments;
        arguments.push_back(own_argument);
        std::sort(arguments.begin(), arguments.end());
    }
    return plan;
}

std::string uuid_of(int number) {
    return "00000000-0000-4000-a000-00000000000" + std::to_string(number);
}

Run run_facts(int number) {
    Run made = invented_run(uuid_of(number), number);
    made.started_utc = "2026-03-0" + std::to_string(1 + number) + "T10:00:00Z";
    return made;
}

/// A database with one finished run.
std::string write_database(const ScratchFolder& scratch, const std::string& name, int number,
                           const Run& facts,
                           const std::function<void(const Suite&, Measurement&)>& change = {}) {
    Database database = Database::open_for_writing(scratch / name);
    write_run(database, facts, small_plan(100 + 50 * number), static_cast<unsigned>(number), 0.02, change);
    return (scratch / name);
}

std::string write_database(const ScratchFolder& scratch, const std::string& name, int number) {
    return write_database(scratch, name, number, run_facts(number));
}

void write_csv(const std::string& database, const std::string& csv) {
    std::ofstream out(csv);
    out << result_csv_header() << '\n';
    for (const std::string& line : results(database))
        out << line << '\n';
}

std::string outcome_text(const StoredSuite& suite) {
    return std::string(to_text(suite.state)) + " in " + std::to_string(suite.merge.unfinished) + " of " +
           std::to_string(suite.merge.launches) + ": " + suite.reason + "; ";
}

std::string forced_text(const Run& merged) {
    std::string text;
    for (const ForcedDifference& each : merged.forced_differences)
        text += each.text + "; ";
    return text;
}

} // namespace

TEST_CASE("three runs are merged into one database with their sources") {
    const ScratchFolder scratch;
    const std::vector<std::string> inputs{write_database(scratch, "a.db", 0),
                                          write_database(scratch, "b.db", 1),
                                          write_database(scratch, "c.db", 2)};
    const std::string output = scratch / "merged.db";
    const ChildResult child = merge({inputs[0], inputs[1], inputs[2], "-o", output, "--weights", "equal"});
    INFO(child.err);
    REQUIRE(child.ok());
    CHECK(child.err.empty());

    const std::vector<ResultLine> merged = rows(output);
    // 27 + 3 own lengths, 15 numbers of nodes, 1 without argument.
    CHECK(merged.size() == 46);
    CHECK(totals(child.out) == Totals{46, 3, 0});
    CHECK(scratch.names() == std::vector<std::string>{"a.db", "b.db", "c.db", "merged.db"});

    std::map<std::pair<std::string, std::int64_t>, std::vector<ResultLine>> raw;
    for (const std::string& input : inputs)
        for (ResultLine& row : rows(input))
            raw[{row.suite, row.argument}].push_back(std::move(row));
    for (const ResultLine& row : merged) {
        auto& sources = raw.at({row.suite, row.argument});
        if (sources.size() < 3) {
            CHECK(row.suite == "MPI_Send-MPI_Recv");
            continue;
        }
        std::sort(sources.begin(), sources.end(),
                  [](const ResultLine& a, const ResultLine& b) { return a.value_s < b.value_s; });
        CHECK(row.value_s == sources[1].value_s);
        CHECK(row.standard_error_s == sources[1].standard_error_s);
        CHECK(row.quartile25_s == sources[1].quartile25_s);
        CHECK(row.count == sources[0].count + sources[1].count + sources[2].count);
    }

    const Database database = Database::open(output);
    REQUIRE(database.runs().size() == 1);
    const RunId id = database.runs().front();
    const Run run = database.run(id);
    CHECK(run.kind == "merged");
    CHECK(run.merged_runs == 3);
    CHECK_FALSE(run.ended_utc.empty());
    CHECK(run.sources.at(1).uuid == uuid_of(1));
    CHECK(run.sources.at(1).file == inputs[1]);
    CHECK(run.sources.at(1).started_utc == "2026-03-02T10:00:00Z");
    CHECK(run.sources.at(1).launch == 1);
    CHECK(run.sources.at(1).measuring_share == 0.87);
    CHECK(run.sources.at(1).ended_utc == "2026-03-01T10:05:00Z");
    for (const StoredSuite& suite : database.suites(id)) {
        CHECK(suite.state == SuiteState::finished);
        for (const StoredMeasurement& stored : database.measurements(suite.id)) {
            REQUIRE(stored.merge.has_value());
            CHECK(stored.merge->runs == 3);
            CHECK(stored.merge->sources.size() == 3);
            CHECK(stored.merge->minimum_s <= stored.measurement.value_s);
            CHECK(stored.merge->maximum_s >= stored.measurement.value_s);
            CHECK(std::count_if(stored.merge->sources.begin(), stored.merge->sources.end(),
                                [](const Source& source) { return source.chosen; }) == 1);
            if (suite.suite.name == "MPI_Barrier")
                CHECK(stored.measurement.node_times.size() ==
                      static_cast<std::size_t>(stored.measurement.ranks));
        }
    }
}

TEST_CASE("the example of SKaLib's manual gives 899 with SKaLib's way of merging") {
    const ScratchFolder scratch;
    std::vector<std::string> arguments;
    const std::vector<std::pair<double, std::int64_t>> measured{{910, 4}, {899, 10}, {901, 4}};
    for (int run = 0; run < 3; ++run)
        arguments.push_back(write_database(scratch, std::to_string(run) + ".db", run, run_facts(run),
                                           [&](const Suite& suite, Measurement& m) {
                                               const auto& [value_us, count] =
                                                   measured[static_cast<std::size_t>(run)];
                                               if (suite.name == "MPI_Wtime") {
                                                   m.value_s = value_us * 1e-6;
                                                   m.standard_error_s = 1e-6;
                                                   m.summary.count = count;
                                               }
                                           }));
    arguments.insert(arguments.end(), {"-o", scratch / "m.db", "--overwrite"});
    const auto merged = [&](const std::vector<std::string>& more) {
        std::vector<std::string> all = arguments;
        all.insert(all.end(), more.begin(), more.end());
        const ChildResult child = merge(all);
        INFO(child.err);
        REQUIRE(child.ok());
        for (const ResultLine& row : rows(scratch / "m.db"))
            if (row.suite == "MPI_Wtime")
                return row.value_s;
        return 0.0;
    };
    CHECK(merged({"--as-skalib"}) == 899e-6);
    CHECK(merged({}) == 901e-6);
    const std::vector<std::string> by_hand{"--weights", "count", "--grid", "first", "--modes", "off"};
    CHECK(merged(by_hand) == 899e-6);
    const std::vector<std::string> expected = results(scratch / "m.db");
    CHECK(merged({"--as-skalib"}) == 899e-6);
    CHECK(results(scratch / "m.db") == expected);
    CHECK(merge({arguments[0], "--as-skalib", "--weights", "equal"}).exit_status == 2);
    CHECK(merge({arguments[0], "--as-skalib", "--grid", "first"}).exit_status == 2);
}

TEST_CASE("of a file with several series one is merged, named by any of its runs") {
    const ScratchFolder scratch;
    {
        Database database = Database::open_for_writing(scratch / "a.db");
        for (int number = 0; number < 5; ++number) {
            Run facts = run_facts(number);
            facts.variant = number < 2 ? "old cable" : "new cable";
            write_run(database, facts, small_plan(0), static_cast<unsigned>(number), 0.02);
        }
    }
    const auto of = [&](const std::string& uuid) {
        return merge({scratch / "a.db", "--series-of", uuid, "-o", scratch / "m.db", "--overwrite"});
    };
    for (const int number : {0, 1})
        CHECK(totals(of(run_facts(number).uuid).out) == Totals{43, 2, 0});
    CHECK(totals(of(run_facts(4).uuid).out) == Totals{43, 3, 0});
    const Database merged = Database::open(scratch / "m.db");
    CHECK(merged.run(merged.runs().front()).variant == "new cable");
    const ChildResult nobody = of("no such run");
    CHECK(nobody.exit_status == 2);
    CHECK(one_line_with(nobody.err, {"--series-of no such run"}));
}

TEST_CASE("of a file the runs that are named are merged, and one that no file has is refused") {
    const ScratchFolder scratch;
    std::vector<std::string> uuids;
    {
        Database database = Database::open_for_writing(scratch / "a.db");
        for (int number = 0; number < 5; ++number) {
            write_run(database, run_facts(number), small_plan(0), static_cast<unsigned>(number), 0.02);
            uuids.push_back(run_facts(number).uuid);
        }
    }
    CHECK(
        totals(merge({scratch / "a.db", "--run", uuids[4], "--run", uuids[1], "-o", scratch / "m.db"}).out) ==
        Totals{43, 2, 0});
    const Database merged = Database::open(scratch / "m.db");
    const auto sources = merged.contents(merged.runs().front()).points_of_source;
    CHECK(sources.size() == 2);
    CHECK(sources.contains(uuids[1]));
    CHECK(sources.contains(uuids[4]));
    const ChildResult nobody =
        merge({scratch / "a.db", "--run", uuids[0], "--run", "no such run", "-o", scratch / "n.db"});
    CHECK(nobody.exit_status == 2);
    CHECK(one_line_with(nobody.err, {"--run no such run"}));
}

TEST_CASE("how runs are split over files changes no result, be they many") {
    const ScratchFolder scratch;
    std::vector<std::string> files;
    for (int number = 0; number < 40; ++number) {
        Run facts = run_facts(0);
        facts.uuid = "00000000-0000-4000-a000-0000000000" + std::to_string(10 + number);
        facts.started_utc = "2026-03-01T10:00:" + std::to_string(10 + number) + "Z";
        Database one = Database::open_for_writing(scratch / (std::to_string(number) + ".db"));
        Database all = Database::open_for_writing(scratch / (number < 15 ? "first.db" : "second.db"));
        for (Database* database : {&one, &all})
            write_run(*database, facts, small_plan(100 + number), static_cast<unsigned>(number), 0.02);
        files.push_back(one.path());
    }
    std::vector<std::string> arguments = files;
    arguments.insert(arguments.end(), {"-o", scratch / "split.db"});
    const ChildResult split = merge(arguments);
    INFO(split.err);
    REQUIRE(split.ok());
    REQUIRE(merge({scratch / "second.db", scratch / "first.db", "-o", scratch / "joined.db"}).ok());
    CHECK(results(scratch / "split.db") == results(scratch / "joined.db"));
    // A run given twice counts once.
    arguments.insert(arguments.end(), {scratch / "second.db", "--overwrite"});
    REQUIRE(merge(arguments).ok());
    CHECK(results(scratch / "split.db") == results(scratch / "joined.db"));
}

namespace {

/// Everything that a merged database says of its values, but in which files they were.
std::vector<std::string> all_told(const std::string& path) {
    std::vector<std::string> told;
    const auto add = [&](const char* kind, const auto& row) {
        std::string& text = told.emplace_back(kind);
        for_each_field(row, [&](const Field& field, const auto& value) {
            if (std::string_view(field.name) != "database")
                text += std::string(" ") + field.name + " " + field_text(value);
        });
    };
    const Database database = Database::open(path);
    for (const StoredSuite& suite : database.suites(database.runs().front()))
        for (const StoredMeasurement& stored : database.measurements(suite.id)) {
            add(suite.suite.name.c_str(), stored.measurement);
            for (const ModeValue& mode : stored.measurement.modes)
                add("mode", mode);
            for (const NodeTime& time : stored.measurement.node_times)
                add("node time", time);
            add("merging", *stored.merge);
            for (const Source& source : stored.merge->sources) {
                add("source", source);
                for (const NodeTime& time : source.own.node_times)
                    add("node time of it", time);
            }
        }
    return told;
}

} // namespace

TEST_CASE("a merge of merges says all that the merge of all says") {
    const ScratchFolder scratch;
    std::vector<std::string> inputs;
    for (const int number : {0, 1, 2, 3, 4, 5, 6, 7, 8, 9}) {
        Run facts = run_facts(0);
        facts.uuid = uuid_of(number * 7 % 10); // in another order than their starts
        facts.started_utc = "2026-03-01T10:00:1" + std::to_string(number / 4) + "Z"; // several in a second
        facts.launch = number + 1;
        // Launches in a row are alike. Those that report the slow mode are all in one of two files: in the
        // other one a single launch saw it, aside, and nothing tells it apart.
        const double of_launch = 1 + 0.01 * number;
        const bool slow = number == 2 || number == 6;
        inputs.push_back(write_database(scratch, std::to_string(number) + ".db", number, facts,
                                        [=](const Suite&, Measurement& m) {
                                            const double usual_s = m.value_s * of_launch;
                                            m.value_s = m.adjusted_s = usual_s * (slow ? 3 : 1);
                                            m.alone_s = m.value_s * (1 + 0.1 * number);
                                            m.computation_s = m.value_s * (1.5 - 0.1 * number);
                                            m.overhead_error_s = 1e-10 * number;
                                            m.probe_s = slow ? 0.55e-6 : 0.13e-6;
                                            m.core_clock_hz = 3e9 + 1e6 * number;
                                            m.mode = slow ? 1 : 0;
                                            if (number == 0 || number == 3 || slow)
                                                m.modes = {{0, 0.7, usual_s, 0.13e-6, slow ? 7 : 17},
                                                           {1, 0.3, 3.1 * usual_s, 0.55e-6, slow ? 17 : 7}};
                                            if (number == 4 && m.argument == 64)
                                                m.flags = static_cast<Flags>(Flag::wrong_result);
                                        }));
    }
    const auto merged_from = [&](std::vector<std::string> arguments, const std::string& name) {
        arguments.insert(arguments.end(), {"-o", scratch / name});
        const ChildResult child = merge(arguments);
        INFO(child.err);
        REQUIRE(child.exit_status <= 1); // a wrong result is warned of
        return scratch / name;
    };
    const std::vector<std::string> expected = all_told(merged_from(inputs, "at once.db"));
    const auto with = [&](const std::string& words) {
        return std::ranges::count_if(
            expected, [&](const std::string& line) { return line.find(words) != std::string::npos; });
    };
    REQUIRE(with("merging") > 40);
    CHECK(with("node time of it") > 1000);
    CHECK(with("mode 1 share 0.2") > 40);
    CHECK(with("other_mode 1") > 40);
    const std::string odd = merged_from({inputs[1], inputs[3], inputs[5], inputs[7], inputs[9]}, "odd.db");
    const std::string even = merged_from({inputs[0], inputs[2], inputs[4], inputs[6], inputs[8]}, "even.db");
    const std::vector<std::string> again = all_told(merged_from({odd, even}, "again.db"));
    REQUIRE(again.size() == expected.size());
    for (std::size_t i = 0; i < again.size(); ++i)
        CHECK(again[i] == expected[i]);
    const std::string one_more = merged_from({even, inputs[1], inputs[3]}, "most.db");
    CHECK(all_told(merged_from({one_more, odd}, "third.db")) == expected);
}

TEST_CASE("merging a merged database goes back to its sources") {
    const ScratchFolder scratch;
    const std::string a = write_database(scratch, "a.db", 0);
    const std::string b = write_database(scratch, "b.db", 1);
    const std::string c = write_database(scratch, "c.db", 2);
    REQUIRE(merge({a, b, c, "-o", scratch / "at once.db"}).ok());
    REQUIRE(merge({a, b, "-o", scratch / "two.db"}).ok());
    REQUIRE(merge({c, scratch / "two.db", "-o", scratch / "again.db"}).ok());
    CHECK(all_told(scratch / "again.db") == all_told(scratch / "at once.db"));

    SUBCASE("a source that is given as well is taken once, from its own file") {
        const ChildResult both = merge({scratch / "two.db", a, b, c, "-o", scratch / "both.db"});
        CHECK(both.ok());
        CHECK(both.err.find("note: run " + uuid_of(0)) != std::string::npos);
        CHECK(results(scratch / "both.db") == results(scratch / "at once.db"));
    }
    SUBCASE("a CSV of merged results has lost its sources and is refused") {
        write_csv(scratch / "two.db", scratch / "two.csv");
        const ChildResult refused = merge({c, scratch / "two.csv", "-o", scratch / "no.db"});
        CHECK(refused.exit_status == 2);
        CHECK(one_line_with(refused.err, {"two.csv"}));
        CHECK_FALSE(fs::exists(scratch / "no.db"));
    }
    SUBCASE("one that holds its runs at some of their arguments only is refused") {
        for (const char* const grid : {"first", "common"}) {
            REQUIRE(merge({a, b, "-o", scratch / "less.db", "--grid", grid, "--overwrite"}).ok());
            const ChildResult refused = merge({c, scratch / "less.db", "-o", scratch / "no.db"});
            CHECK(refused.exit_status == 2);
            CHECK(one_line_with(refused.err, {"less.db", std::string("--grid ") + grid, "--grid union"}));
            CHECK_FALSE(fs::exists(scratch / "no.db"));
        }
    }
}

TEST_CASE("a result CSV merges like the database it came from") {
    const ScratchFolder scratch;
    const std::string a = write_database(scratch, "a.db", 0);
    const std::string b = write_database(scratch, "b.db", 1);
    write_csv(b, scratch / "b.csv");
    REQUIRE(merge({a, b, "-o", scratch / "databases.db"}).ok());
    const ChildResult child = merge({scratch / "b.csv", a, "-o", scratch / "mixed.db"});
    INFO(child.err);
    REQUIRE(child.ok());
    const auto expected = rows(scratch / "databases.db");
    const auto mixed = rows(scratch / "mixed.db");
    REQUIRE(expected.size() == mixed.size());
    for (std::size_t i = 0; i < expected.size(); ++i) {
        CHECK(mixed[i].value_s == expected[i].value_s);
        CHECK(mixed[i].count == expected[i].count);
        CHECK(mixed[i].median_s == expected[i].median_s);
    }
    const Database database = Database::open(scratch / "mixed.db");
    const Run run = database.run(database.runs().front());
    CHECK(run.sources.at(1).imported_from == "result CSV");
    CHECK(run.machine == "Cluster of Invented Machines");

    // Also merged again, of merges one of which holds nothing but the text.
    const auto merged_from = [&](const std::vector<std::string>& inputs, const std::string& name) {
        std::vector<std::string> arguments = inputs;
        arguments.insert(arguments.end(), {"-o", scratch / name});
        const ChildResult made = merge(arguments);
        INFO(made.err);
        REQUIRE(made.ok());
        return scratch / name;
    };
    const std::string c = write_database(scratch, "c.db", 2); // launched last
    const std::string once = merged_from({scratch / "b.csv", a, c}, "once.db");
    const std::string again =
        merged_from({merged_from({c, a}, "two.db"), merged_from({scratch / "b.csv"}, "text.db")}, "again.db");
    CHECK(all_told(again) == all_told(once));
    const auto run_in = [](const std::string& path) {
        const Database of = Database::open(path);
        return of.run(of.runs().front());
    };
    CHECK(run_in(again).started_utc == run_in(once).started_utc);
    CHECK(run_in(again).machine == run_in(once).machine);
    CHECK(run_in(again).parameter_text == run_in(once).parameter_text);
    CHECK(run_in(again).settings == run_in(once).settings);
}

TEST_CASE("runs that do not belong together are refused by name, unless forced") {
    const ScratchFolder scratch;
    const std::string a = write_database(scratch, "a.db", 0);
    struct Case {
        const char* what;
        std::function<void(Run&)> change;
    };
    const std::vector<Case> cases{
        {"plan", [](Run& run) { run.plan_hash = "fedcba"; }},
        {"ranks", [](Run& run) { run.ranks = 8; }},
        {"machine", [](Run& run) { run.machine = "Another"; }},
        {"MPI library", [](Run& run) { run.mpi_library = "Open MPI 4.1"; }},
        {"setting MPIR_CVAR_BCAST_INTRA_ALGORITHM",
         [](Run& run) { run.settings["MPIR_CVAR_BCAST_INTRA_ALGORITHM"] = "binomial"; }},
        {"launcher", [](Run& run) { run.launcher = "Slurm"; }},
        {"variant", [](Run& run) { run.variant = "new cable"; }}};
    for (const Case& each : cases) {
        const std::string name = std::string(each.what) + ".db";
        Run facts = run_facts(1);
        each.change(facts);
        const std::string other = write_database(scratch, name, 1, facts);
        const ChildResult refused = merge({a, other, "-o", scratch / "m.db"});
        CHECK(refused.exit_status == 2);
        CHECK(has_all(refused.err, {"a.db", name, each.what}));
        CHECK(last_line(refused.out) == "SKAMPI: FAILED");
        CHECK_FALSE(fs::exists(scratch / "m.db"));

        const ChildResult forced = merge({a, other, "-o", scratch / "m.db", "--force"});
        CHECK(forced.ok());
        const Database database = Database::open(scratch / "m.db");
        CHECK(forced_text(database.run(database.runs().front())).find(each.what) != std::string::npos);
        fs::remove(scratch / "m.db");
    }
}

TEST_CASE("without an output the inputs are described, and nothing is written") {
    const ScratchFolder scratch;
    const std::string a = write_database(scratch, "a.db", 0);
    const std::string b = write_database(scratch, "b.db", 1);
    const ChildResult described = merge({a, b});
    CHECK(described.ok());
    CHECK(totals(described.out) == Totals{88, 2, 0});
    const ChildResult info = merge({a, b, "-o", scratch / "m.db", "--info"});
    CHECK(info.out == described.out);
    CHECK_FALSE(fs::exists(scratch / "m.db"));
}

TEST_CASE("runs are merged group by group, by a key of the series") {
    const ScratchFolder scratch;
    std::vector<std::string> inputs;
    for (int number = 0; number < 5; ++number) {
        Run facts = run_facts(number);
        facts.ranks = number % 2 == 0 ? 16 : 8;
        facts.settings["UCX_TLS"] = number < 3 ? "tcp" : "shm";
        inputs.push_back(write_database(scratch, std::to_string(number) + ".db", number, facts));
    }
    std::vector<std::string> arguments = inputs;
    arguments.insert(arguments.end(), {"-o", scratch / "m.db", "--by", "ranks", "--force"});
    const ChildResult child = merge(arguments);
    INFO(child.err);
    REQUIRE(child.ok());
    CHECK(totals(child.out).runs == 5);
    CHECK(totals(child.out).groups == 2);
    const Database merged = Database::open(scratch / "m.db");
    REQUIRE(merged.runs().size() == 2);
    CHECK(merged.run(merged.runs()[0]).ranks == 8);
    CHECK(merged.run(merged.runs()[0]).merged_runs == 2);
    CHECK(merged.run(merged.runs()[1]).ranks == 16);
    CHECK(merged.run(merged.runs()[1]).merged_runs == 3);
    CHECK(merged.run(merged.runs()[0]).facts.at("merged group") == "ranks = 8");
    CHECK(merged.run(merged.runs()[1]).facts.at("merged group") == "ranks = 16");
    CHECK(merge({scratch / "m.db", "-o", scratch / "all.db", "--force"}).ok());
    const Database all = Database::open(scratch / "all.db");
    CHECK_FALSE(all.run(all.runs()[0]).facts.contains("merged group"));
    // Within the groups they must belong together: with the setting as key the ranks differ.
    arguments.back() = "--overwrite";
    arguments[arguments.size() - 2] = "UCX_TLS";
    const ChildResult refused = merge(arguments);
    CHECK(refused.exit_status == 2);
    CHECK(has_all(refused.err, {"number of ranks"}));
}

TEST_CASE("suites of one name that measure different things are refused even by force") {
    const ScratchFolder scratch;
    const std::string a = write_database(scratch, "a.db", 0);
    {
        auto plan = small_plan(0);
        plan.front().suite.operation.name = "MPI_Ssend-MPI_Recv";
        Database database = Database::open_for_writing(scratch / "b.db");
        write_run(database, run_facts(1), plan, 1, 0.02);
    }
    const ChildResult refused = merge({a, scratch / "b.db", "-o", scratch / "m.db", "--force"});
    CHECK(refused.exit_status == 2);
    CHECK(one_line_with(refused.err, {"a.db", "b.db", "MPI_Ssend-MPI_Recv"}));
}

TEST_CASE("an unfinished run is merged as far as it went, with a warning") {
    const ScratchFolder scratch;
    const std::string a = write_database(scratch, "a.db", 0);
    {
        Database database = Database::open_for_writing(scratch / "b.db");
        const auto plan = small_plan(0);
        std::vector<Suite> suites;
        for (const InventedSuite& invented : plan)
            suites.push_back(invented.suite);
        Run facts = run_facts(1);
        const RunId id = database.begin_run(facts, suites);
        const StoredSuite suite = database.suites(id).front();
        database.begin_suite(suite.id);
        for (const std::int64_t argument : {0, 1, 2}) {
            Measurement m = planned(suite.suite, facts, argument);
            m.value_s = m.adjusted_s = 1e-6;
            m.summary = skalib::summarise(std::vector<double>(20, 1e-6), 0.25);
            const MeasurementId begun = database.begin_measurement(suite.id, m);
            database.add_batches(begun, {}, m, argument < 2); // 2 was being measured
        }
        database.end_suite(database.suites(id)[1].id, SuiteState::failed, "signal 11");
    }
    const ChildResult child = merge({a, scratch / "b.db", "-o", scratch / "m.db"});
    CHECK(child.exit_status == 1);
    CHECK(one_line_with(child.err,
                        {"warning", "b.db", uuid_of(1), "has not ended", "MPI_Barrier", "signal 11"}));
    // Only 0 and 1 have both runs: the other 26 lengths, 15 numbers of nodes and the last suite lack one.
    CHECK(totals(child.out) == Totals{44, 2, 42});
    const auto merged = rows(scratch / "m.db");
    CHECK(merged.at(0).flags.find("one_run") == std::string::npos);
    CHECK(merged.at(2).flags == "one_run");
}

TEST_CASE("wrong results of one run are left out, with a warning") {
    const ScratchFolder scratch;
    const std::string a = write_database(scratch, "a.db", 0);
    const std::string b =
        write_database(scratch, "b.db", 1, run_facts(1), [](const Suite& suite, Measurement& m) {
            if (suite.name == "MPI_Barrier" && m.argument == 4) {
                set(m.flags, Flag::wrong_result);
                m.value_s = m.standard_error_s = m.adjusted_s = std::numeric_limits<double>::quiet_NaN();
            }
        });
    const ChildResult child = merge({a, b, "-o", scratch / "m.db"});
    CHECK(child.exit_status == 1);
    CHECK(one_line_with(child.err, {"warning", "MPI_Barrier", "wrong results"}));
    CHECK(totals(child.out) == Totals{45, 2, 1});

    SUBCASE("and so are they when a merged run is merged again: nothing is interpolated in their place") {
        const ChildResult again = merge({scratch / "m.db", "-o", scratch / "again.db"});
        CHECK(again.exit_status == 1);
        CHECK(one_line_with(again.err, {"warning", "MPI_Barrier", "wrong results"}));
        CHECK(totals(again.out) == Totals{45, 2, 1});
        const auto of_barrier_at_4 = [](const ResultLine& row) {
            return row.suite == "MPI_Barrier" && row.argument == 4;
        };
        const auto sound = rows(a);
        const auto merged = rows(scratch / "again.db");
        CHECK(std::ranges::find_if(merged, of_barrier_at_4)->value_s ==
              std::ranges::find_if(sound, of_barrier_at_4)->value_s);
    }
}

TEST_CASE("an existing output, or an input as output, is refused and left as it is") {
    const ScratchFolder scratch;
    const std::string a = write_database(scratch, "a.db", 0);
    std::ofstream(scratch / "precious.db") << "precious";
    const ChildResult existing = merge({a, "-o", scratch / "precious.db"});
    CHECK(existing.exit_status == 2);
    CHECK(one_line_with(existing.err, {"precious.db", "--overwrite"}));
    CHECK(fs::file_size(scratch / "precious.db") == 8);
    CHECK(merge({a, "-o", scratch / "precious.db", "--overwrite"}).ok());
    CHECK(rows(scratch / "precious.db").size() == 44);

    fs::create_symlink("a.db", scratch / "link.db");
    const auto before = results(a);
    for (const std::string& name : {a, scratch / "link.db"}) {
        const ChildResult itself = merge({a, "-o", name, "--overwrite"});
        CHECK(itself.exit_status == 2);
        CHECK(one_line_with(itself.err, {"is an input"}));
    }
    std::ofstream(scratch / "merge.options") << "force\n";
    const std::string b = write_database(scratch, "b.db", 1);
    for (const std::vector<std::string>& further :
         {std::vector<std::string>{"--config", scratch / "merge.options", "-o", scratch / "merge.options"},
          {"--reference", scratch / "a.db", "-o", scratch / "link.db"}}) {
        std::vector<std::string> arguments{b, "--overwrite"};
        arguments.insert(arguments.end(), further.begin(), further.end());
        const ChildResult refused = merge(arguments);
        CHECK(refused.exit_status == 2);
        CHECK(one_line_with(refused.err, {"is an input"}));
    }
    CHECK(fs::file_size(scratch / "merge.options") == 6);
    CHECK(results(a) == before);
    CHECK(merge({a, "-o", "/dev/null", "--overwrite"}).exit_status == 2);
}

TEST_CASE("a database under two names, by a hard or a symbolic link, counts once") {
    const ScratchFolder scratch;
    const std::string a = write_database(scratch, "a.db", 0);
    const std::string b = write_database(scratch, "b.db", 1);
    fs::create_hard_link(a, scratch / "hard.db");
    fs::create_symlink("a.db", scratch / "soft.db");
    const ChildResult plain = merge({a, b, "-o", scratch / "plain.db"});
    CHECK(totals(plain.out).runs == 2);
    for (const char* name : {"hard.db", "soft.db"}) {
        const ChildResult linked = merge({scratch / name, b, a, "-o", scratch / "linked.db", "--overwrite"});
        INFO(linked.err);
        REQUIRE(linked.ok());
        CHECK(last_line(linked.out) == last_line(plain.out));
        CHECK(has_all(linked.err, {a, scratch / name}));
        CHECK(results(scratch / "linked.db") == results(scratch / "plain.db"));
    }
}

TEST_CASE("bad input gives one line, exit status 2 and no output") {
    const ScratchFolder scratch;
    const std::string a = write_database(scratch, "a.db", 0);
    std::ofstream(scratch / "text.db") << "no database\x1b[31m\n";
    std::ofstream(scratch / "empty.db");
    { const Database without_runs = Database::open_for_writing(scratch / "no runs.db"); }
    for (const std::string name : {"text.db", "empty.db", "missing.db", "no runs.db"}) {
        const ChildResult child = merge({scratch / name, "-o", scratch / "m.db"});
        INFO(child.err);
        CHECK(child.exit_status == 2);
        CHECK(one_line_with(child.err, {"skampi-merge: ", name}));
        CHECK(child.err.find('\x1b') == std::string::npos);
        CHECK_FALSE(fs::exists(scratch / "m.db"));
    }
    CHECK(merge({a, "-o", scratch / "no folder/m.db"}).exit_status == 3);
    CHECK(merge({}).exit_status == 2);
    CHECK(merge({a, "-o", ""}).exit_status == 2);
    CHECK(merge({a, "--by", "colour", "-o", scratch / "m.db"}).exit_status == 2);
    CHECK(merge({a, "-o", scratch / "m.db", "--value", "mode"}).exit_status == 2);
    CHECK(scratch.names() == std::vector<std::string>{"a.db", "empty.db", "no runs.db", "text.db"});
}

TEST_CASE("a damaged input leaves nothing behind") {
    const ScratchFolder scratch;
    const std::string a = write_database(scratch, "a.db", 0);
    const std::string b = write_database(scratch, "b.db", 1);
    fs::resize_file(b, fs::file_size(b) / 2);
    const ChildResult child = merge({a, b, "-o", scratch / "m.db"});
    CHECK((child.exit_status == 2 || child.exit_status == 3));
    CHECK(one_line_with(child.err, {"b.db"}));
    CHECK(scratch.names() == std::vector<std::string>{"a.db", "b.db"});
}

namespace {

/// A command that will have much to do.
Command long_merge(const ScratchFolder& scratch, std::vector<std::string> arguments) {
    if (!fs::exists(scratch / "long.db")) {
        Database database = Database::open_for_writing(scratch / "long.db");
        for (int number = 0; number < 10; ++number) {
            std::vector<InventedSuite> plan;
            for (int copy = 0; copy < 80; ++copy) {
                plan.push_back(small_plan(0).front());
                plan.back().suite.name += " " + std::to_string(copy);
            }
            write_run(database, run_facts(number), plan, static_cast<unsigned>(number), 0.02);
        }
    }
    Command command;
    command.argv = {from_environment("SKAMPI_MERGE"), scratch / "long.db"};
    command.argv.insert(command.argv.end(), arguments.begin(), arguments.end());
    command.timeout_s = 60;
    return command;
}

/// Waits until the program has begun to write, or has come to its end: a test that gets no processor for a
/// while looks too late, and has to try again.
void wait_until_it_writes(Child& child, const killed_job::FolderWatch& watch) {
    while (watch.take() == 0 && !child.advance()) {
        std::vector<pollfd> entries{{watch.descriptor(), POLLIN, 0}};
        for (const int descriptor : child.descriptors())
            entries.push_back({descriptor, POLLIN, 0});
        ::poll(entries.data(), entries.size(), 60'000);
    }
}
constexpr int tries = 20;

} // namespace

TEST_CASE("an interrupted merge leaves nothing behind") {
    const ScratchFolder scratch;
    (void)long_merge(scratch, {});
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
        ChildResult result;
        for (int i = 0; i < tries && result.signal == 0; ++i) {
            fs::remove_all(scratch / "out");
            fs::create_directory(scratch / "out");
            const killed_job::FolderWatch watch(scratch / "out");
            Child child(long_merge(scratch, {"-o", scratch / "out/m.db"}));
            wait_until_it_writes(child, watch);
            child.send(signal);
            result = child.wait();
        }
        CHECK(result.signal == signal);
        CHECK(one_line_with(result.err, {"skampi-merge: ended by "}));
        CHECK(last_line(result.out) == "SKAMPI: FAILED");
        CHECK(fs::is_empty(scratch / "out"));
    }
}

TEST_CASE("of two merges to one new output one wins and the other says so") {
    const ScratchFolder scratch;
    const std::string a = write_database(scratch, "a.db", 0);
    (void)long_merge(scratch, {});
    fs::create_directory(scratch / "out");
    const std::string output = scratch / "out/m.db";
    std::vector<std::string> won;
    ChildResult lost;
    for (int i = 0; i < tries && won.empty(); ++i) {
        fs::remove(output);
        const killed_job::FolderWatch watch(scratch / "out");
        Child slow(long_merge(scratch, {"-o", output}));
        wait_until_it_writes(slow, watch);
        slow.send(SIGSTOP);
        if (merge({a, "-o", output}).ok()) // else the other has come to its end
            won = results(output);
        slow.send(SIGCONT);
        lost = slow.wait();
    }
    REQUIRE_FALSE(won.empty());
    CHECK(lost.exit_status == 2);
    CHECK(one_line_with(lost.err, {"m.db: exists already"}));
    CHECK(last_line(lost.out) == "SKAMPI: FAILED");
    CHECK(results(output) == won);
    CHECK(std::distance(fs::directory_iterator(scratch / "out"), {}) == 1);
}

TEST_CASE("a full disk leaves nothing of a merge behind") {
    const ScratchFolder scratch;
    const Command whole = long_merge(scratch, {"-o", scratch / "out/m.db"});
    fs::create_directory(scratch / "out");
    for (const std::string blocks : {"16", "256", "1024"}) // no file may grow beyond so many KiB
        for (const bool told : {true, false}) {            // whether the program hears of it, or is ended
            Command command;
            command.argv = {
                "sh", "-c",
                std::string(told ? "trap '' XFSZ; " : "") + "ulimit -f " + blocks + "; exec \"$@\"", "sh"};
            command.argv.insert(command.argv.end(), whole.argv.begin(), whole.argv.end());
            command.timeout_s = 60;
            const ChildResult result = run(std::move(command));
            INFO(blocks << ": " << result.err);
            CHECK(result.exit_status == 3);
            CHECK(one_line_with(result.err, {"skampi-merge: ", told ? "m.db: cannot " : "ended by "}));
            CHECK(fs::is_empty(scratch / "out"));
        }
}

TEST_CASE("a long CSV that does not fit the folder for temporary files is told, and one that fits merges") {
    const ScratchFolder scratch;
    (void)long_merge(scratch, {});
    write_csv(scratch / "long.db", scratch / "long.csv");
    Command command;
    command.argv = {"sh",
                    "-c",
                    "trap '' XFSZ; ulimit -f 64; exec \"$@\"",
                    "sh",
                    from_environment("SKAMPI_MERGE"),
                    scratch / "long.csv"};
    command.timeout_s = 60;
    const ChildResult result = run(std::move(command));
    CHECK(result.exit_status == 3);
    CHECK(one_line_with(result.err, {"long.csv: "}));
    CHECK(totals(merge({scratch / "long.csv"}).out).runs == 10);
}

TEST_CASE("what comes through a pipe is a text; a database and what never ends are refused in one line") {
    const ScratchFolder scratch;
    const auto merged = [](std::vector<std::string> argv) {
        Command command;
        command.argv = std::move(argv);
        command.timeout_s = 60;
        return run(std::move(command));
    };
    const std::string program = from_environment("SKAMPI_MERGE");
    const ChildResult database =
        merged({"sh", "-c", "cat \"$1\" | \"$0\" /dev/stdin", program, write_database(scratch, "a.db", 0)});
    CHECK(database.exit_status == 2);
    CHECK(one_line_with(database.err, {"/dev/stdin"}));
    const ChildResult endless = merged({program, "/dev/zero"});
    CHECK(endless.exit_status == 2);
    CHECK(one_line_with(endless.err, {"/dev/zero"}));
}

TEST_CASE("one run with different values in two files is refused") {
    const ScratchFolder scratch;
    const std::string a = write_database(scratch, "a.db", 0);
    const std::string other =
        write_database(scratch, "other.db", 0, run_facts(0), [](const Suite& suite, Measurement& m) {
            if (suite.name == "MPI_Barrier" && m.argument == 4)
                m.value_s *= 2;
        });
    for (const bool csv : {false, true}) {
        if (csv)
            write_csv(other, scratch / "other.csv");
        const std::string second = csv ? scratch / "other.csv" : other;
        const ChildResult refused = merge({a, second, "-o", scratch / "m.db"});
        CHECK(refused.exit_status == 2);
        CHECK(one_line_with(refused.err, {"a.db", "other.", uuid_of(0), "argument 4", "MPI_Barrier"}));
    }
}

TEST_CASE("a CSV whose arguments stand for something else is refused, unless forced") {
    const ScratchFolder scratch;
    const std::string a = write_database(scratch, "a.db", 0);
    write_csv(write_database(scratch, "b.db", 1, run_facts(1),
                             [](const Suite& suite, Measurement& m) {
                                 if (suite.operation.pattern == Pattern::ping_pong)
                                     m.ranks = 64;
                             }),
              scratch / "b.csv");
    const ChildResult refused = merge({a, scratch / "b.csv", "-o", scratch / "m.db"});
    CHECK(refused.exit_status == 2);
    CHECK(has_all(refused.err, {"argument ", "a.db", "b.csv", "2 ranks", "64 ranks"}));
    CHECK(merge({a, scratch / "b.csv", "-o", scratch / "m.db", "--force"}).ok());
    const Database forced = Database::open(scratch / "m.db");
    CHECK(has_all(forced_text(forced.run(forced.runs().front())),
                  {"argument ", "2 ranks", "64 ranks", "b.csv"}));
    const ChildResult described = merge({a, scratch / "b.csv"});
    CHECK(described.ok());
    CHECK(has_all(described.out, {"\nargument ", "2 ranks", "64 ranks"}));
}

TEST_CASE("launches without a single value count in a merge of merges as in the merge of all") {
    const ScratchFolder scratch;
    std::vector<std::string> inputs{write_database(scratch, "a.db", 0)};
    // Crashed at once, stopped at once, and one that found no value in a suite it went through.
    for (const int number : {1, 2, 3}) {
        inputs.push_back(scratch / (std::to_string(number) + ".db"));
        Database database = Database::open_for_writing(inputs.back());
        std::vector<Suite> suites;
        for (const InventedSuite& invented : small_plan(0))
            suites.push_back(invented.suite);
        Run facts = run_facts(number);
        facts.measuring_share = 0.1 * number;
        const RunId id = database.begin_run(facts, suites);
        const std::vector<StoredSuite> stored = database.suites(id);
        if (number == 1)
            database.end_suite(stored[1].id, SuiteState::failed, "signal 11");
        if (number == 3)
            for (const StoredSuite& suite : stored)
                database.end_suite(suite.id, SuiteState::finished);
    }
    const auto merged = [&](std::vector<std::string> from, const std::string& name) {
        from.insert(from.end(), {"-o", scratch / name, "--overwrite"});
        const ChildResult child = merge(from);
        INFO(child.err);
        REQUIRE(child.exit_status <= 1);
        return scratch / name;
    };
    const auto told = [](const std::string& path) {
        const Database database = Database::open(path);
        const RunId id = database.runs().front();
        const Run run = database.run(id);
        std::string text = run.uuid + " of " + std::to_string(run.merged_runs) + ", " +
                           number_text(run.measuring_share) + ", ended " + run.ended_utc + "; ";
        for (const StoredSuite& suite : database.suites(id))
            text += outcome_text(suite);
        return text;
    };
    for (const std::vector<std::size_t>& of : {std::vector<std::size_t>{0, 1, 2, 3}, {1, 2, 3}}) {
        std::vector<std::string> all;
        for (const std::size_t input : of)
            all.push_back(inputs[input]);
        const std::string at_once = told(merged(all, "at once.db"));
        CHECK(at_once.find("of " + std::to_string(of.size())) != std::string::npos);
        CHECK(at_once.find(": signal 11; ") != std::string::npos);
        CHECK(told(merged({scratch / "at once.db"}, "again.db")) == at_once);
        for (std::size_t first = 1; first < all.size(); ++first) {
            const auto middle = all.begin() + static_cast<std::ptrdiff_t>(first);
            const std::string one = merged({all.begin(), middle}, "one.db");
            const std::string two = merged({middle, all.end()}, "two.db");
            CHECK(told(merged({two, one}, "again.db")) == at_once);
        }
    }
}

TEST_CASE("a launch that did not finish counts once, beside the merged run that it is in as well") {
    const ScratchFolder scratch;
    const std::string a = write_database(scratch, "a.db", 0);
    const std::string b = write_database(scratch, "b.db", 1);
    const std::string c = write_database(scratch, "c.db", 2);
    {
        Database database = Database::open_for_writing(c);
        for (const StoredSuite& suite : database.suites(database.runs().front()))
            database.end_suite(suite.id, SuiteState::failed, "signal 11");
    }
    (void)merge({a, b, c, "-o", scratch / "m.db"});
    for (const std::string& own : {a, c}) {
        CAPTURE(own);
        (void)merge({scratch / "m.db", own, "-o", scratch / "again.db", "--overwrite"});
        const Database again = Database::open(scratch / "again.db");
        for (const StoredSuite& suite : again.suites(again.runs().front())) {
            CHECK(suite.reason == "signal 11");
            CHECK(suite.merge.unfinished == 1);
            CHECK(suite.merge.launches == 3);
        }
    }
}

TEST_CASE("help and version go to stdout and succeed") {
    CHECK(merge({"--help"}).out.find("--grid") != std::string::npos);
    CHECK(merge({"--version"}).out.find("skampi-merge ") == 0);
    CHECK(merge({"--help"}).ok());
}

TEST_CASE("a list that cannot be written is nothing done") {
    const ScratchFolder scratch;
    const std::string a = write_database(scratch, "a.db", 0);
    Command command;
    command.argv = {"sh", "-c", "exec \"$0\" \"$1\" > /dev/full", from_environment("SKAMPI_MERGE"), a};
    if (fs::exists("/dev/full"))
        CHECK(run(std::move(command)).exit_status == 3);
}

TEST_CASE("the messages of skampi-merge, as a golden file shows them") {
    const ScratchFolder scratch;
    const std::string folder = fs::path(scratch / "x").parent_path().string();
    const std::string a = write_database(scratch, "a.db", 0);
    const std::string b = write_database(scratch, "b.db", 1);
    Run facts = run_facts(2);
    facts.ranks = 8;
    const std::string stranger = write_database(scratch, "c.db", 2, facts);
    fs::create_symlink("a.db", scratch / "soft.db");
    Golden golden("skampi-merge");
    const auto add = [&](const std::string& name, const std::vector<std::string>& arguments) {
        const ChildResult result = merge(arguments);
        std::string text = result.err + result.out;
        for (std::size_t at = 0; (at = text.find(folder, at)) != std::string::npos;)
            text.replace(at, folder.size(), "FOLDER");
        golden.add(name, text);
    };
    add("--help", {"--help"});
    add("two runs", {a, b});
    add("two runs that differ", {a, stranger});
    add("a refusal", {a, stranger, "-o", scratch / "m.db"});
    add("groups", {a, b, stranger, "--by", "ranks", "-o", scratch / "m.db"});
    add("an output that exists", {a, "-o", scratch / "m.db"});
    add("an output that is an input", {a, "-o", a, "--overwrite"});
    add("a file with two names", {a, scratch / "soft.db"});
    add("an unknown key", {a, "--by", "colour"});
    add("an unknown series", {a, "--series-of", "no such run"});
    add("an empty series", {a, "--series-of", ""});
    add("an empty key", {a, "--by", ""});
    add("no input", {"-o", scratch / "n.db"});
    add("no such input", {scratch / "none.db"});
    golden.check();
}

TEST_CASE("copies hold runs as they were, from a date on, and with other names where these are asked for") {
    const ScratchFolder folder;
    {
        Database database = Database::open_for_making(folder / "all.db");
        for (int day = 0; day < 3; ++day) {
            Run run = invented_run("run-" + std::to_string(day), day);
            run.started_utc = fmt::format("2026-01-0{}T10:00:00Z", day + 1);
            run.host = "n17.secret";
            run.user = "Jane Doe";
            run.parameter_file = "/home/jane/quick.skampi";
            for (RankFacts& rank : run.rank_facts)
                rank.processor = rank.rank % 2 == 0 ? "n17.secret" : "n18.secret";
            run.facts[fact_command] = "/home/jane/bin/skampi-run";
            run.facts["topology file"] = "read from /home/jane/node.xml on n18.secret";
            write_run(database, run, full_plan({}), 1, 0.01);
            database.add_event(database.runs().back(),
                               {"2026-01-01T10:00:00Z", "info", "", "n17.secret: rank 3 of Jane Doe ended"});
        }
    }
    const auto copied = [&](std::vector<std::string> options) {
        const std::string path = folder / "copy.db";
        options.insert(options.begin(), {folder / "all.db", "--copy", "--overwrite", "-o", path});
        const ChildResult result = merge(options);
        REQUIRE_MESSAGE(result.exit_status == 0, result.err);
        Database::open(path).check_integrity();
        return path;
    };
    const auto rows = [](const std::string& path, std::size_t run) {
        const Database database = Database::open(path);
        std::vector<std::pair<std::string, double>> values;
        database.for_each_result(
            [&](const ResultRow& row) {
                values.emplace_back(row.suite.name + std::to_string(row.measurement.argument),
                                    row.measurement.value_s);
            },
            database.run(database.runs().at(run)).uuid);
        return values;
    };
    {
        const std::string path = copied({"--since", "2026-01-02", "--before", "2026-01-03"});
        const Database copy = Database::open(path);
        const Database all = Database::open(folder / "all.db");
        REQUIRE(copy.runs().size() == 1);
        CHECK(Series(copy.run(copy.runs()[0])) == Series(all.run(all.runs()[1])));
        CHECK(copy.run(copy.runs()[0]).facts == all.run(all.runs()[1]).facts);
        CHECK(rows(path, 0) == rows(folder / "all.db", 1));
        const SuiteId suite = all.suites(all.runs()[1])[0].id;
        const SuiteId same = copy.suites(copy.runs()[0])[0].id;
        CHECK(copy.suite(same).state == all.suite(suite).state);
        CHECK(copy.batches(copy.measurements(same)[0].id).size() ==
              all.batches(all.measurements(suite)[0].id).size());
    }
    {
        const std::string path = copied({"--anonymise"});
        CHECK(rows(path, 2) == rows(folder / "all.db", 2));
        std::stringstream bytes;
        bytes << std::ifstream(path, std::ios::binary).rdbuf();
        for (const char* secret : {"secret", "Jane", "jane"})
            CHECK_MESSAGE(bytes.str().find(secret) == std::string::npos, secret);
        const Database copy = Database::open(path);
        const Run run = copy.run(copy.runs()[2]);
        CHECK(run.host == run.rank_facts[0].processor);
        CHECK(run.host != run.rank_facts[1].processor);
        CHECK(run.rank_facts[0].pid == 0);
        CHECK(run.facts.at("topology file").ends_with(run.rank_facts[1].processor));
        CHECK(copy.events(copy.runs()[2]).back().text.starts_with(run.host + ": rank 3"));
    }
    CHECK(merge({folder / "all.db", "--anonymise", "-o", folder / "x.db"}).exit_status == 2);
    CHECK(merge({folder / "all.db", "--copy", "--since", "yesterday", "-o", folder / "x.db"}).exit_status ==
          2);
    CHECK(merge({folder / "all.db", "--copy", "--since", "2027-01-01", "-o", folder / "x.db"}).exit_status ==
          2);
}
