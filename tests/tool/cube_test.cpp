// SPDX-License-Identifier: GPL-2.0-or-later
// Black box: skampi-report from and to files of the Cube browser.

#include "base/child.hpp"
#include "contains.hpp"
#include "cube/statistics.hpp"
#include "environment.hpp"
#include "import/result_csv.hpp"
#include "invented_results.hpp"
#include "scratch_folder.hpp"
#include "store/database.hpp"
#include "text_file.hpp"
#include "well_formed.hpp"

#include <algorithm>
#include <doctest/doctest.h>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <sstream>
#include <sys/stat.h>

using namespace skampi;
using namespace skampi::test;
namespace fs = std::filesystem;

namespace {

std::string sample(const std::string& name) {
    return std::string(SKAMPI_SOURCE_ROOT) + "/tests/data/cube/" + name;
}

/// Runs skampi-report in the scratch folder, with its temporary files there.
ChildResult report(const ScratchFolder& scratch, std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), from_environment("SKAMPI_REPORT"));
    Command command;
    command.argv = std::move(arguments);
    command.timeout_s = 300;
    fs::create_directories(scratch / "tmp");
    command.directory = scratch / "";
    command.environment["TMPDIR"] = scratch / "tmp";
    return run(std::move(command));
}

std::vector<std::string> files_in(const std::string& folder) {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder))
        if (entry.path().filename() != "tmp")
            names.push_back(entry.path().filename().string());
    std::sort(names.begin(), names.end());
    return names;
}

/// What the Cube browser makes of a file: it knows by the count which values there are, and reads words.
cube::StatisticsFile as_cube_reads(const std::string& text) {
    std::istringstream in(text);
    std::string word;
    std::getline(in, word);
    cube::StatisticsFile file;
    for (std::string name; in >> name;) {
        cube::PatternStatistics& pattern = file.patterns.emplace_back();
        pattern.name = name;
        std::int64_t count = 0;
        in >> count >> std::ws;
        pattern.count = count;
        REQUIRE(in.peek() != '-'); // would be an instance
        cube::Moments& m = pattern.moments.emplace();
        in >> m.mean_s >> m.median_s >> m.minimum_s >> m.maximum_s >> m.sum_s;
        if (count >= 2)
            in >> pattern.variance_s2.emplace();
        if (count >= 5)
            in >> pattern.quartiles.emplace().lower_s >> pattern.quartiles->upper_s;
        for (in >> std::ws; in.peek() == '-'; in >> std::ws) {
            cube::Instance& instance = pattern.severest.emplace_back();
            std::int64_t cnode = 0;
            in >> word >> word >> cnode >> word >> instance.enter_s >> word >> instance.exit_s >> word >>
                instance.duration_s;
            instance.cnode = cnode;
            in.ignore(1000, '\n');
        }
        REQUIRE(!in.bad());
        in.clear(); // the end of the file, seen by a look ahead
    }
    return file;
}

void write_database(const std::string& path) {
    std::vector<InventedSuite> plan;
    for (InventedSuite& invented : full_plan({}))
        for (const char* wanted : {"MPI_Send-MPI_Recv", "MPI_Bcast", "MPI_Wtime"})
            if (invented.suite.operation.name == wanted)
                plan.push_back(invented);
    plan.front().suite.name = "<a> & \"b\"\n'c' \x1b \xff -- ]]>";
    Database database = Database::open_for_writing(path);
    write_run(database, invented_run("run-1"), plan, 1, 0.02);
}

} // namespace

TEST_CASE("every form is made from every dialect") {
    const ScratchFolder scratch;
    for (const std::string dialect : {"documented", "scout", "expert"})
        for (const std::string extension : {".pdf", ".html", ".csv", ".json", ".txt", ".tex", ".md"}) {
            const ChildResult result =
                report(scratch, {sample(dialect + ".stat"), "-o", dialect + extension});
            CAPTURE(dialect + extension);
            CAPTURE(result.err);
            CHECK(result.exit_status == 0);
            CHECK(contains(result.out, "SKAMPI: OK"));
        }
    CHECK(read(scratch / "scout.pdf").starts_with("%PDF-"));
    const std::string page = read(scratch / "scout.html");
    CHECK(contains(page, "mpi_wait_nxn"));
    CHECK(contains(page, "<path class=\"box c0\""));
    CHECK(contains(read(scratch / "expert.txt"), "EXPERT"));
    CHECK(contains(read(scratch / "documented.csv"), ",documented,WaitAtNxN,13,36,0.009,0.004121,"));
    const auto json = nlohmann::json::parse(read(scratch / "expert.json"));
    CHECK(json["files"][0]["patterns"][1]["sum_s"] == 5124.338125);
    CHECK(json["files"][0]["patterns"][0]["severest"][0]["marker_s"] == 2.226244);
}

TEST_CASE("a broken file is read as far as it goes: places on standard error, status 1") {
    const ScratchFolder scratch;
    const ChildResult result = report(scratch, {sample("broken.stat"), "-o", "broken.json"});
    CHECK(result.exit_status == 1);
    CHECK(contains(result.err, "skampi-report: " + sample("broken.stat") +
                                   ":4:27: found \"x\" after \"exit:\", expected a number\n"));
    CHECK(std::count(result.err.begin(), result.err.end(), '\n') == 6);
    CHECK(contains(result.out, "SKAMPI: OK"));
    CHECK(nlohmann::json::parse(read(scratch / "broken.json"))["files"][0]["patterns"].size() == 5);
    CHECK(report(scratch, {sample("broken.stat"), "-o", "broken.pdf"}).exit_status == 1);
    CHECK(read(scratch / "broken.pdf").starts_with("%PDF-"));
}

TEST_CASE("a statistics file is written in another dialect, and what that lacks is said") {
    const ScratchFolder scratch;
    const ChildResult there =
        report(scratch, {sample("scout.stat"), "-o", "there.stat", "--dialect", "documented"});
    CHECK(there.exit_status == 1); // metric ids are missing
    CHECK(contains(there.err, "without a metric id"));
    CHECK(report(scratch, {sample("documented.stat"), "-o", "same.stat", "--dialect", "documented"})
              .exit_status == 0);
    const ChildResult back = report(scratch, {"there.stat", "-o", "back.csv"});
    CHECK(contains(read(scratch / "back.csv"), ",documented,"));
    const ChildResult scout = report(scratch, {sample("documented.stat"), "-o", "scout.stat"});
    CHECK(contains(scout.err, "left out"));
    CHECK(contains(read(scratch / "scout.stat"), "WaitAtNxN "));
}

TEST_CASE("strange values are warnings, status 0") {
    const ScratchFolder scratch;
    const ChildResult result = report(scratch, {sample("scout.stat"), "-o", "x.csv"});
    CHECK(result.exit_status == 0);
    CHECK(contains(result.err, "skampi-report: warning: " + sample("scout.stat") +
                                   ":5:1: the instance exits before it enters\n"));
}

TEST_CASE("two files are compared pattern by pattern") {
    const ScratchFolder scratch;
    std::ofstream(scratch / "a.stat") << "PatternName Count\nLate 1 1 1 1 1 1\n\nGone 1 1 1 1 1 1\n\n";
    std::ofstream(scratch / "b.stat") << "PatternName Count\nLate 1 0.5 0.5 0.5 0.5 0.5\n\n";
    REQUIRE(report(scratch, {"a.stat", "b.stat", "-o", "c.json"}).exit_status == 0);
    auto comparison = nlohmann::json::parse(read(scratch / "c.json"))["comparisons"][0];
    CHECK(comparison["reference"] == "a");
    CHECK(comparison["patterns"][0]["sum_difference_s"] == -0.5);
    CHECK(comparison["patterns"][0]["sum_ratio"] == 0.5);
    CHECK(comparison["only_in_reference"][0] == "Gone");
    REQUIRE(report(scratch, {"compare", "a.stat", "--baseline", "b.stat", "-o", "c.json"}).exit_status == 0);
    comparison = nlohmann::json::parse(read(scratch / "c.json"))["comparisons"][0];
    CHECK(comparison["reference"] == "b");
    CHECK(comparison["patterns"][0]["sum_ratio"] == 2);
    REQUIRE(report(scratch, {"a.stat", "b.stat", "-o", "c.pdf"}).exit_status == 0);
}

TEST_CASE("statistics and CUBE files are made from a database") {
    const ScratchFolder scratch;
    write_database(scratch / "x.db");
    const ChildResult result = report(scratch, {"x.db", "-o", "x.cube"});
    CAPTURE(result.err);
    CHECK(result.exit_status == 0);
    CHECK(files_in(scratch / "") == std::vector<std::string>{"x.cube", "x.db", "x.stat"});

    const cube::ReadStatistics scout = cube::read_statistics_file(scratch / "x.stat");
    CHECK(scout.errors == 0);
    CHECK(scout.strange == 0);
    CHECK(scout.file.dialect == cube::Dialect::scout);
    CHECK(write_statistics(scout.file) == read(scratch / "x.stat"));
    CHECK_FALSE(contains(read(scratch / "x.stat"), "\r"));
    cube::StatisticsFile without_ranks = scout.file;
    for (cube::PatternStatistics& pattern : without_ranks.patterns)
        for (cube::Instance& instance : pattern.severest)
            instance.rank.reset();
    CHECK(as_cube_reads(read(scratch / "x.stat")) == without_ranks);
    for (const cube::PatternStatistics& pattern : scout.file.patterns) {
        CHECK(pattern.count == cube::WholeNumber(std::int64_t{24}));
        CHECK(pattern.severest.size() == 1);
        CHECK(pattern.severest[0].rank.has_value());
        CHECK(pattern.severest[0].duration_s == pattern.moments->maximum_s);
    }
    // Every pattern is a metric.
    const std::string xml = read(scratch / "x.cube");
    CHECK(contains(xml, "<attr key=\"statisticfile\" value=\"x.stat\"/>"));
    std::size_t metrics = 0;
    for (std::size_t at = 0; (at = xml.find("<uniq_name>", at)) != std::string::npos; ++at)
        ++metrics;
    CHECK(metrics == scout.file.patterns.size());
    CHECK(contains(xml, "<uniq_name>MPI_Wtime</uniq_name>"));
    CHECK(xml_complaint(scratch / "x.cube") == "");

    SUBCASE("in the documented dialect, whose metric ids are those of the CUBE file") {
        REQUIRE(report(scratch, {"x.db", "-o", "y.cube", "--dialect", "documented"}).exit_status == 0);
        const std::string there = read(scratch / "x.stat"); // nobody named it
        CHECK(report(scratch, {"x.db", "-o", "x.cube", "--dialect", "documented"}).exit_status == 2);
        CHECK(read(scratch / "x.stat") == there);
        CHECK(report(scratch, {"x.db", "-o", "x.cube"}).exit_status == 0);
        const cube::ReadStatistics documented = cube::read_statistics_file(scratch / "y.stat");
        CHECK(documented.errors == 0);
        CHECK(documented.file.dialect == cube::Dialect::documented);
        REQUIRE(documented.file.patterns.size() == scout.file.patterns.size());
        CHECK(documented.file.patterns[2].metric_id == cube::WholeNumber(std::int64_t{2}));
        CHECK(documented.file.patterns[2].moments == scout.file.patterns[2].moments);
    }
    SUBCASE("and what was written is reported like any other") {
        REQUIRE(report(scratch, {"x.db", "-o", "z.stat"}).exit_status == 0);
        CHECK(read(scratch / "z.stat") == read(scratch / "x.stat"));
        CHECK(report(scratch, {"z.stat", "-o", "z.pdf"}).exit_status == 0);
        REQUIRE(report(scratch, {"z.stat", "-o", "z.json"}).exit_status == 0);
        const auto json = nlohmann::json::parse(read(scratch / "z.json"));
        CHECK(json["files"][0]["patterns"][0]["mean_s"] == scout.file.patterns[0].moments->mean_s);
    }
}

TEST_CASE("what does not fit together is refused in one line, status 2, and nothing appears") {
    const ScratchFolder scratch;
    write_database(scratch / "x.db");
    std::ofstream(scratch / "a.stat") << "PatternName Count\nLate 1 1 1 1 1 1\n";
    std::ofstream(scratch / "empty.stat");
    std::ofstream(scratch / "binary.stat") << std::string("\x7f"
                                                          "ELF\n\0\0\n",
                                                          8);
    std::ofstream(scratch / "words.stat") << "It was a dark\nand stormy night\n";
    std::ofstream(scratch / "none.csv") << result_csv_header();
    const std::vector<std::string> before = files_in(scratch / "");
    const auto refused = [&](const std::vector<std::string>& arguments, const std::string& part) {
        const ChildResult result = report(scratch, arguments);
        CAPTURE(result.err);
        CHECK(result.exit_status == 2);
        CHECK(std::count(result.err.begin(), result.err.end(), '\n') == 1);
        CHECK(contains(result.err, part));
        CHECK(result.out == "SKAMPI: FAILED\n");
        CHECK(files_in(scratch / "") == before);
    };
    refused({"a.stat", "x.db", "-o", "o.pdf"}, "a.stat is a Cube statistics file and x.db is not");
    refused({"compare", "x.db", "--baseline", "a.stat", "-o", "o.pdf"}, "expected files of one kind");
    refused({"a.stat", "-o", "o.out"}, "o.out: is made from a database");
    refused({"a.stat", "a.stat", "-o", "o.stat"}, "is made of one");
    refused({"a.stat", "-o", "o.cube"}, "is made from a database");
    refused({"empty.stat", "-o", "o.pdf"}, "empty.stat: is empty, expected a Cube statistics file");
    refused({"binary.stat", "-o", "o.pdf"}, "binary.stat:2: a NUL byte");
    refused({"words.stat", "-o", "o.pdf"}, "words.stat:2:5: found \"stormy\"");
    refused({"a.stat", "--suite", "x", "-o", "o.pdf"}, "--suite x: is for databases");
    refused({"x.db", "x.db", "-o", "o.stat"}, "expected one database");
    refused({"none.csv", "-o", "o.stat"}, "expected");
    refused({"x.db", "-o", "o.pdf", "--dialect", "scout"}, "--dialect: is for .stat, .cube");
    refused({"x.db", "-o", "o.stat", "--dialect", "expert"}, "expert");
    refused({"a.stat", "-o", "./a.stat"}, "is an input");
    fs::rename(scratch / "x.db", scratch / "o.db");
    fs::create_symlink("o.db", scratch / "o.stat"); // the companion would replace the database
    const ChildResult result = report(scratch, {"o.db", "-o", "o.cube"});
    CHECK(result.exit_status == 2);
    CHECK(contains(result.err, "is an input"));
    CHECK(report(scratch, {"missing.stat", "-o", "o.pdf"}).exit_status == 3);
}

TEST_CASE("on a full disk nothing is left, status 3") {
    const ScratchFolder scratch;
    write_database(scratch / "x.db");
    fs::create_symlink("/dev/full", scratch / "full.stat");
    fs::create_symlink("/dev/full", scratch / "full.txt");
    const ChildResult written = report(scratch, {"x.db", "-o", "full.stat"});
    CHECK(written.exit_status == 3);
    CHECK(contains(written.err, "No space left on device"));
    CHECK(report(scratch, {sample("scout.stat"), "-o", "full.txt"}).exit_status == 3);
    fs::create_symlink("/dev/full", scratch / "a.cube");
    CHECK(report(scratch, {"x.db", "-o", "a.cube"}).exit_status == 3);
    CHECK_FALSE(fs::exists(scratch / "a.stat"));
}
