// SPDX-License-Identifier: GPL-2.0-or-later
#include "import/result_csv.hpp"

#include "../golden.hpp"
#include "base/error.hpp"
#include "base/text.hpp"
#include "collected_import.hpp"
#include "invented_run.hpp"
#include "scratch_folder.hpp"
#include "store/database.hpp"

#include <algorithm>
#include <cmath>
#include <doctest/doctest.h>
#include <fstream>
#include <functional>
#include <limits>

using namespace skampi;
using namespace invented;

namespace {

void read_result_csv(TextSource& text, ImportSink& sink) {
    importers().front()->read(*importers().front(), text, sink);
}

const std::string header_of_18 =
    "run,suite,type,operation,pattern,varied,ranks,message_bytes,chunks,argument,value_s,standard_error_s,count,minimum_s,quartile25_s,median_s,quartile75_s,maximum_s,flags";

std::string csv_of(const Database& database) {
    std::string text = result_csv_header() + "\n";
    database.for_each_result([&](const ResultRow& row) { text += result_csv_line(row) + "\n"; });
    return text;
}

Database from_csv(const ScratchFolder& folder, const std::string& text) {
    std::ofstream(folder / "in.csv", std::ios::binary) << text;
    return Database::open(folder / "in.csv");
}

/// An invented measurement that does not contradict itself or its suite.
Measurement consistent(const Suite& suite, std::int64_t argument, std::mt19937_64& random) {
    Measurement m = measurement(argument, random);
    m.value_s = std::abs(m.value_s);
    m.standard_error_s = std::abs(m.standard_error_s);
    m.mode_share = std::abs(m.mode_share);
    std::vector<double> sorted{m.summary.minimum, m.summary.quartile25, m.summary.median,
                               m.summary.quartile75, m.summary.maximum};
    std::sort(sorted.begin(), sorted.end());
    m.summary.minimum = sorted[0];
    m.summary.quartile25 = sorted[1];
    m.summary.median = sorted[2];
    m.summary.quartile75 = sorted[3];
    m.summary.maximum = sorted[4];
    m.message_bytes = suite.varied == Varied::message_length ? argument : 256;
    m.ranks = suite.varied == Varied::nodes ? static_cast<int>(argument) : 4;
    m.chunks = suite.varied == Varied::chunks ? argument : 2;
    m.messages = 2;
    return m;
}

/// What is said of a text that is refused.
std::string words_of_refusal(const std::string& text) {
    const ScratchFolder folder;
    CAPTURE(text);
    try {
        (void)from_csv(folder, text);
    } catch (const InputError& error) {
        return std::string(error.what()).substr((folder / "in.csv:").size());
    }
    FAIL("it was not refused");
    return {};
}

/// @param where line
using CheckCsvRefused = std::function<void(const std::string& text, const std::string& where)>;
void check_refused(const std::string& text, const std::string& where) {
    CAPTURE(text);
    const std::string words = words_of_refusal(text);
    CAPTURE(words);
    CHECK(words.starts_with(where + ": "));
}

void impossible_launches(const CheckCsvRefused& check_refused) {
    const std::string start = header_of_18 + ",launches,low,high,interval_confidence,kind,host\n" +
                              "r,s,1,MPI_Send,simple,none,1,0,0,1,5,2,3,4,5,6,7,8,,";
    check_refused(start + "-1,,,0,merged,\n", "2");
    check_refused(start + "2,,,0,cooked,\n", "2");
    check_refused(
        start + "2,4,5,0.5,merged,a\nr,s,1,MPI_Send,simple,none,1,0,0,2,5,2,3,4,5,6,7,8,,1,,,0,raw,a\n", "3");
    check_refused(
        start + "2,4,5,0.5,merged,a\nr,s,1,MPI_Send,simple,none,1,0,0,2,5,2,3,4,5,6,7,8,,1,,,0,merged,b\n",
        "3");
}

void mistakes(const CheckCsvRefused& check_refused) {
    const std::string start = header_of_18 + "\nr,s,1,MPI_Send,simple,none,1,0,0,";
    const std::string good = start + "1,1,2,3,4,5,6,7,8,\n";
    check_refused(header_of_18 + ",colour\n", "1");
    check_refused("run,suite,type\n", "1");
    check_refused("run,suite,suite,type\n", "1");
    check_refused(good + "r,s,1\n", "3");
    check_refused(good + "r,s,one,MPI_Send,simple,none,1,0,0,2,1,2,3,4,5,6,7,8,\n", "3");
    check_refused(start + "1,fast,2,3,4,5,6,7,8,\n", "2");
    check_refused(start + "1.5,1,2,3,4,5,6,7,8,\n", "2");
    check_refused(start + "99999999999999999999,1,2,3,4,5,6,7,8,\n", "2");
    check_refused(start + "1,1,2,-3,4,5,6,7,8,\n", "2");
    check_refused(start + "1,1 s,2,3,4,5,6,7,8,\n", "2");
    check_refused(start + "1,1,2,3,4,5,6,7,8,odd\n", "2");
    check_refused(header_of_18 + "\nr,s,1,MPI_Send,pong,none,1,0,0,1,1,2,3,4,5,6,7,8,\n", "2");
    check_refused(header_of_18 + "\nr,s,1,MPI_Send,simple,size,1,0,0,1,1,2,3,4,5,6,7,8,\n", "2");
    check_refused(good + "r,s,1,MPI_Send,simple,none,1,0,0,1,1,2,3,4,5,6,7,8,\n", "3");
    check_refused(good + "r,s,1,MPI_Recv,simple,none,1,0,0,2,1,2,3,4,5,6,7,8,\n", "3");
    check_refused(good + "r,s,1,MPI_Send,simple,nodes,2,0,0,2,1,2,3,4,5,6,7,8,\n", "3");
    check_refused(good + "r,\"s,1\n\n", "3");
    check_refused(good + "r,\"s\"x,1\n", "3");
    check_refused(good + "r,s\"x,1\n", "3");
    check_refused(good + "µ,\"a\nb\",\x1b,MPI_Send,simple,none,1,0,0,2,1,2,3,4,5,6,7,8,\n", "3");
}

void contradictions(const CheckCsvRefused& check_refused) {
    const std::string header = header_of_18 + "\n";
    const std::string simple = "r,s,1,MPI_Send,simple,none,1,0,0,1,";
    const std::string quantiles = ",4,5,6,7,8,";
    check_refused(header + "r,s,1,MPI_Send,simple,none,-2,0,0,1,1,2,3,4,5,6,7,8,\n", "2");
    check_refused(header + "r,s,1,MPI_Send,simple,none,1,-1,0,1,1,2,3,4,5,6,7,8,\n", "2");
    check_refused(header + "r,s,1,MPI_Send,simple,none,1,0,-3,1,1,2,3,4,5,6,7,8,\n", "2");
    check_refused(header + "r,s,1,MPI_Send,simple,none,1,0,0,-9,1,2,3,4,5,6,7,8,\n", "2");
    check_refused(header + simple + "-1,2,3" + quantiles + "\n", "2");
    check_refused(header + simple + "1,-2,3" + quantiles + "\n", "2");
    const std::string bcast = "r,s,17,MPI_Bcast,collective,message length,";
    const std::string first = header + bcast + "2,8,0,8,1,2,3" + quantiles + "\n";
    check_refused(first + bcast + "64,9,0,9,1,2,3" + quantiles + "\n", "3");
    check_refused(first + bcast + "2,9,1,9,1,2,3" + quantiles + "\n", "3");
}

} // namespace

TEST_CASE("a CSV that was exported, read and exported again is the same to the letter") {
    const ScratchFolder folder;
    std::mt19937_64 random(1);
    std::string exported;
    {
        Database database = Database::open_for_writing(folder / "x.db");
        for (const std::string& uuid : {std::string("z"), nasty, std::string()}) {
            Suite nameless = suite("");
            nameless.varied = Varied::nodes;
            Suite unusual = unusual_suite();
            unusual.operation.meaning = Meaning::work;
            const RunId id = database.begin_run(run(uuid), {suite("s"), unusual, nameless});
            for (const StoredSuite& stored : database.suites(id)) {
                for (const std::int64_t argument :
                     {std::int64_t{0}, std::int64_t{1},
                      std::int64_t{1} << (stored.suite.varied == Varied::nodes ? 30 : 40)}) {
                    Measurement value = consistent(stored.suite, argument, random);
                    if (argument == 1) {
                        value.flags = 0;
                        value.value_s = std::numeric_limits<double>::denorm_min();
                        value.standard_error_s = std::numeric_limits<double>::infinity();
                        value.summary.median = std::numeric_limits<double>::quiet_NaN();
                        value.adjusted_s = 1e300;
                        value.messages = 0;
                    }
                    database.add_batches(database.begin_measurement(stored.id, value), {}, value, true);
                }
            }
        }
        exported = csv_of(database);
    }
    Database again = from_csv(folder, exported);
    CHECK_THROWS_AS(again.begin_suite(1), StoreError);
    CHECK(csv_of(again) == exported);
    CHECK(again.runs().size() == 3);
    again.check_integrity();
}

TEST_CASE("settings that nobody told are empty fields, and unknown again when they are read") {
    const ScratchFolder folder;
    std::string exported;
    {
        Database database = Database::open_for_writing(folder / "x.db");
        Suite foreign = suite("s");
        foreign.in_place = true;
        forget_settings(foreign);
        learn(foreign, "datatype");
        const RunId id = database.begin_run(run("r"), {foreign});
        std::mt19937_64 random(1);
        const Measurement value = consistent(foreign, 8, random);
        database.add_batches(database.begin_measurement(database.suites(id).front().id, value), {}, value,
                             true);
        exported = csv_of(database);
    }
    const Database again = from_csv(folder, exported);
    const Suite read = again.suites(again.runs().front()).front().suite;
    for (const char* setting : {"synchronization", "buffers", "absolute", "in_place", "root"})
        CHECK_FALSE(knows(read, setting));
    CHECK(knows(read, "datatype"));
    CHECK(csv_of(again) == exported);
}

TEST_CASE(
    "names that a spreadsheet would take for formulas are protected in a CSV and come back as they were") {
    const ScratchFolder folder;
    const std::vector<std::string> names = {"=1+1", "+4", "-n 4", "@home", "'=1", " =1", "\t-1", "'quoted'"};
    std::string exported;
    {
        Database database = Database::open_for_writing(folder / "x.db");
        std::vector<Suite> suites;
        for (const std::string& name : names)
            suites.push_back(suite(name));
        const RunId id = database.begin_run(run("-run"), suites);
        std::mt19937_64 random(1);
        for (const StoredSuite& stored : database.suites(id)) {
            const Measurement value = consistent(stored.suite, 8, random);
            database.add_batches(database.begin_measurement(stored.id, value), {}, value, true);
        }
        exported = csv_of(database);
    }
    CHECK(exported.find("\n'-run,'=1+1,") != std::string::npos);
    CHECK(exported.find("\n'-run,''=1,") != std::string::npos);
    CHECK(exported.find("\n'-run,\"' =1\",") != std::string::npos);
    const Database again = from_csv(folder, exported);
    CHECK(again.run(again.runs().at(0)).uuid == "-run");
    std::vector<std::string> read;
    for (const StoredSuite& stored : again.suites(again.runs().at(0)))
        read.push_back(stored.suite.name);
    CHECK(read == names);
}

TEST_CASE("what columns that are missing would tell is unknown") {
    const ScratchFolder folder;
    const Database database =
        from_csv(folder, header_of_18 +
                             "\nr,Ping,1,MPI_Send-MPI_Recv,ping-pong,message "
                             "length,2,8,0,8,1.5e-6,1e-9,40,1e-6,1.2e-6,1.4e-6,1.6e-6,3e-6,not_repeatable\n");
    const StoredSuite stored = database.suites(database.runs().at(0)).at(0);
    CHECK(stored.suite.name == "Ping");
    CHECK(stored.suite.operation ==
          OperationInfo{
              1, "MPI_Send-MPI_Recv", "MPI_Send-MPI_Recv", Pattern::ping_pong, {Varied::message_length}});
    CHECK(stored.suite.operation.meaning == Meaning::unknown);
    CHECK(stored.suite.varied == Varied::message_length);
    CHECK(stored.suite.ranks == 2);
    CHECK(stored.state == SuiteState::finished);
    const StoredMeasurement measured = database.measurements(stored.id).at(0);
    CHECK(measured.finished);
    CHECK(measured.measurement.argument == 8);
    CHECK(measured.measurement.message_bytes == 8);
    CHECK(measured.measurement.value_s == 1.5e-6);
    CHECK(measured.measurement.adjusted_s == 1.5e-6);
    CHECK(measured.measurement.mode == 0);
    CHECK(measured.measurement.mode_share == 1);
    CHECK(measured.measurement.summary.count == 40);
    CHECK(measured.measurement.summary.median == 1.4e-6);
    CHECK(measured.measurement.flags == static_cast<Flags>(Flag::not_repeatable));
    CHECK(database.run(database.runs().at(0)).ranks == 2);
    CHECK(database.batches(measured.id).empty());
}

TEST_CASE(
    "runs and suites may alternate, columns may be in any order, line ends may be CRLF, quotes anywhere") {
    const ScratchFolder folder;
    const std::string plain = "run,suite," + header_of_18.substr(10);
    const std::string row = ",1,MPI_Send,\"ping-pong\",none,2,8,0,";
    const std::string rest = ",1e-6,0,1,0,0,0,0,0,";
    const Database database =
        from_csv(folder, "\xEF\xBB\xBF" + plain + "\r\n" + "b,S" + row + "2" + rest + "\r\n" +
                             "a,\"S \"\"1\"\",\r\nx\"" + row + "1" + rest + "\r\n\r\n" + "b,T" + row + "1" +
                             rest + "\"not_repeatable,disturbed\"\r\n" + "b,S" + row + "\"1\"" + rest);
    REQUIRE(database.runs().size() == 2);
    CHECK(database.run(database.runs()[0]).uuid == "b");
    const std::vector<StoredSuite> suites = database.suites(database.runs()[0]);
    REQUIRE(suites.size() == 2);
    CHECK(database.measurements(suites[0].id).size() == 2);
    CHECK(suites[0].suite.arguments.start == 1);
    CHECK(suites[0].suite.arguments.end == 2);
    CHECK(database.measurements(suites[1].id)[0].measurement.flags ==
          (Flag::not_repeatable | Flag::disturbed));
    CHECK(database.suites(database.runs()[1])[0].suite.name == "S \"1\",\r\nx");

    const Database reordered = from_csv(
        folder,
        "run,suite,flags,type,operation,pattern,varied,ranks,message_bytes,chunks,argument,value_s,standard_error_s,count,minimum_s,quartile25_s,median_s,quartile75_s,adjusted_s,maximum_s\n"
        "r,s,disturbed,1,MPI_Send,simple,none,1,0,0,5,1,2,3,4,5,6,7,8,9\n");
    const Measurement m = reordered.measurements(reordered.suites(1)[0].id)[0].measurement;
    CHECK(m.argument == 5);
    CHECK(m.adjusted_s == 8);
    CHECK(m.summary.maximum == 9);
}

TEST_CASE("rows in any order make the same runs, and one that comes again is told with both lines") {
    std::mt19937_64 random(7);
    std::vector<std::string> lines;
    for (const char* const run : {"r", "s", "t"})
        for (const char* const suite : {"A", "B"})
            for (int argument = 0; argument < 20; ++argument)
                lines.push_back(std::string(run) + "," + suite + ",1,MPI_Send,simple,nodes," +
                                std::to_string(argument) + ",8,0," + std::to_string(argument) + "," +
                                std::to_string(argument + (*run == 'r' ? 1 : 2)) + ",0,1,0,0,0,0,0,");
    const ScratchFolder folder;
    const auto told = [&](const std::vector<std::string>& rows) {
        std::string text = header_of_18 + "\n";
        for (const std::string& row : rows)
            text += row + "\n";
        const Database database = from_csv(folder, text);
        database.check_integrity();
        std::vector<std::string> all;
        for (const RunId id : database.runs()) {
            const Run run = database.run(id);
            for (const StoredSuite& stored : database.suites(id))
                for (const StoredMeasurement& m : database.measurements(stored.id))
                    all.push_back(run.uuid + " of " + std::to_string(run.ranks) + " ranks, " +
                                  stored.suite.name + std::string(to_text(stored.state)) + " from " +
                                  std::to_string(stored.suite.arguments.start) + " to " +
                                  std::to_string(stored.suite.arguments.end) + ", at " +
                                  std::to_string(m.measurement.argument) + " " +
                                  std::to_string(m.measurement.value_s));
        }
        std::ranges::sort(all);
        return all;
    };
    const std::vector<std::string> in_order = told(lines);
    CHECK(in_order.size() == lines.size());
    CHECK(in_order.front().starts_with("r of 19 ranks, Afinished from 0 to 19, at 0 1.0"));
    for (int times = 0; times < 10; ++times) {
        std::ranges::shuffle(lines, random);
        CHECK(told(lines) == in_order);
    }
    std::string text = header_of_18 + "\n";
    for (const std::string& line : lines)
        text += line + "\n";
    const std::string& again = lines.front();
    check_refused(text + again + "\n", "122");
}

TEST_CASE("a CSV reads the same in whatever pieces it comes, and no row waits for the end of the text") {
    const std::string header = "\xEF\xBB\xBF" + header_of_18 + "\r\n";
    const std::string rest = ",s,1,MPI_Send,simple,none,1,0,0,";
    std::vector<std::string> lines{header};
    for (int row = 0; row < 50; ++row)
        lines.push_back((row % 2 == 0 ? "\"r\"\"\r\n\xC2\xB5,\"" : "r") + rest + std::to_string(row) +
                        ",1,2,3,4,5,6,7,8,\r\n");
    std::string text;
    for (const std::string& line : lines)
        text += line;
    for (const std::size_t bytes : {1, 2, 3, 7, 100, 100'000}) {
        TextSource source = text_in_pieces("in.csv", text, bytes);
        CollectedImport collected;
        read_result_csv(source, collected);
        REQUIRE(collected.runs.size() == 2);
        CHECK(collected.runs[0].run.uuid == "r\"\r\n\xC2\xB5,");
        CHECK(collected.runs[1].run.uuid == "r");
        for (std::size_t run = 0; run < 2; ++run) {
            const auto& measured = collected.runs[run].suites.at(0).measurements;
            REQUIRE(measured.size() == 25);
            for (std::size_t i = 0; i < measured.size(); ++i)
                CHECK(measured[i].argument == static_cast<std::int64_t>(2 * i + run));
        }
        TextSource mistaken = text_in_pieces("in.csv", text + "\"\xC2\xB5\" x", bytes);
        CHECK_THROWS_WITH_AS(read_result_csv(mistaken, collected), doctest::Contains("in.csv:77: "),
                             InputError);
    }

    CollectedImport collected;
    std::size_t taken = 0;
    TextSource line_by_line("in.csv", [&] {
        CHECK(collected.rows + 2 >= taken); // the header, and the row before
        return taken < lines.size() ? lines[taken++] : std::string();
    });
    read_result_csv(line_by_line, collected);
    CHECK(collected.rows == 50);
}

TEST_CASE("what a file has after its end belongs to no row") {
    const std::string row = "r,s,8,MPI_Sendrecv,ping-pong,none,2,0,0,1,1,2,3,4,5,6,7,8,";
    std::size_t taken = 0;
    TextSource growing("in.csv",
                       [&, pieces = std::array<std::string, 3>{header_of_18 + "\n" + row, "", "9\n"}] {
                           return taken < pieces.size() ? pieces[taken++] : std::string();
                       });
    CHECK(growing.beginning().ends_with(row));
    CollectedImport collected;
    read_result_csv(growing, collected);
    CHECK(collected.rows == 1);
    CHECK(growing.rest().empty());
    CHECK(taken == 2);
}

TEST_CASE("a CSV says what its times mean, in words it knows") {
    const ScratchFolder folder;
    const std::string start = header_of_18 + ",meaning\n";
    const std::string row = "r,s,8,MPI_Sendrecv,ping-pong,none,2,0,0,1,1,2,3,4,5,6,7,8,,";
    const Database database = from_csv(folder, start + row + "exchange\n");
    CHECK(database.suites(1)[0].suite.operation.meaning == Meaning::exchange);
    check_refused(start + row + "trade\n", "2");
}

TEST_CASE("a CSV without rows is a database without runs") {
    const ScratchFolder folder;
    CHECK(from_csv(folder, result_csv_header()).runs().empty());
    CHECK(from_csv(folder, result_csv_header() + "\n\n").runs().empty());
}

TEST_CASE("an adjusted value that is not told is the value") {
    const ScratchFolder folder;
    const Database database = from_csv(
        folder, header_of_18 + ",adjusted_s\nr,s,1,MPI_Send,simple,none,1,0,0,1,7,2,3,4,5,6,7,8,,\n");
    CHECK(database.measurements(database.suites(1)[0].id)[0].measurement.adjusted_s == 7);
}

TEST_CASE("a merged result that was exported to CSV is read back as merged, with its launches and interval") {
    const ScratchFolder folder;
    std::string exported;
    {
        Database database = Database::open_for_writing(folder / "x.db");
        Run merged = run("00000000-0000-8000-a000-000000000001");
        merged.kind = "merged";
        merged.merged_runs = 7;
        const RunId id = database.begin_run(merged, {suite("s")});
        std::mt19937_64 random(1);
        const SuiteId s = database.suites(id)[0].id;
        MergeFacts facts;
        facts.runs = 6;
        facts.interval_low_s = 1e-6;
        facts.interval_high_s = 3e-6;
        facts.interval_confidence = 0.95;
        Measurement value = consistent(suite("s"), 64, random);
        value.value_s = 2e-6;
        (void)database.add_merged(s, value, facts);
        facts.interval_confidence = 0;
        facts.minimum_s = 1e-6;
        facts.maximum_s = 3e-6;
        facts.runs = 1;
        (void)database.add_merged(s, consistent(suite("s"), 128, random), facts);
        facts.interval_confidence = 0.75;
        facts.runs = 3;
        value = consistent(suite("s"), 256, random);
        value.value_s = 2e-6;
        (void)database.add_merged(s, value, facts);
        facts.maximum_s = std::nan("");
        value = consistent(suite("s"), 512, random);
        value.value_s = 2e-6;
        (void)database.add_merged(s, value, facts);
        facts.in_a_row = true;
        facts.runs = 6;
        facts.interval_confidence = 0;
        value = consistent(suite("s"), 1024, random);
        value.value_s = 2e-6;
        (void)database.add_merged(s, value, facts);
        exported = csv_of(database);
    }
    const Database again = from_csv(folder, exported);
    CHECK(csv_of(again) == exported);
    const Run run = again.run(again.runs()[0]);
    CHECK(run.kind == "merged");
    CHECK(run.merged_runs == 6);
    CHECK(run.mpi_library == "MPICH Version: 4.0.2");
    CHECK(run.host == "node1");
    CHECK(run.started_utc == "2026-11-21T10:00:00Z");
    const auto points = again.measurements(again.suites(again.runs()[0])[0].id);
    REQUIRE(points[0].merge);
    CHECK(points[0].merge->runs == 6);
    CHECK(points[0].merge->interval_low_s == 1e-6);
    CHECK(points[0].merge->interval_high_s == 3e-6);
    CHECK(points[0].merge->interval_confidence == 0.95);
    CHECK(points[0].merge->sources.empty());
    CHECK(points[0].measurement.messages == 2);
    CHECK(points[1].merge->interval_confidence == 0);
    CHECK(points[1].merge->minimum_s == points[1].measurement.value_s);
    CHECK_FALSE(points[0].merge->in_a_row);
    CHECK(points[4].merge->in_a_row);
    CHECK(points[4].merge->interval_low_s == 1e-6);
    // An interval is not the range of the launches, unless they are too few for one.
    CHECK(std::isnan(points[0].merge->minimum_s));
    CHECK(std::isnan(points[0].merge->maximum_s));
    CHECK(points[2].merge->minimum_s == 1e-6);
    CHECK(points[2].merge->maximum_s == 3e-6);
    CHECK(std::isnan(points[3].merge->minimum_s));
}

TEST_CASE("what a CSV says of a run is the same in all of its rows") {
    impossible_launches(check_refused);
}

TEST_CASE("a number below 0, and a row that contradicts a former one, are refused") {
    contradictions(check_refused);
    // The same in other runs and suites is no contradiction.
    const std::string row = ",17,MPI_Bcast,collective,message length,";
    const std::string rest = ",8,0,8,1,2,3,4,5,6,7,8,\n";
    const ScratchFolder folder;
    CHECK(from_csv(folder, header_of_18 + "\nr,s" + row + "2" + rest + "other,s" + row + "64" + rest + "r,t" +
                               row + "64" + rest)
              .runs()
              .size() == 2);
}

TEST_CASE("a mistake in a CSV is named with its line, what was found and what was expected") {
    mistakes(check_refused);
}

TEST_CASE("what is said of CSV files that are refused") {
    Golden golden("result_csv");
    const auto add = [&](const std::string& text, const std::string&) {
        const std::string rows = text.starts_with(header_of_18) ? text.substr(header_of_18.size()) : text;
        golden.add(printable(rows), words_of_refusal(text));
    };
    impossible_launches(add);
    contradictions(add);
    mistakes(add);
    golden.check();
}
