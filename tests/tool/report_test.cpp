// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/child.hpp"
#include "close_to.hpp"
#include "contains.hpp"
#include "environment.hpp"
#include "import/result_csv.hpp"
#include "invented_results.hpp"
#include "nasty_texts.hpp"
#include "scratch_folder.hpp"
#include "store/database.hpp"
#include "text_file.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <doctest/doctest.h>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <pty.h>
#include <regex>
#include <sstream>
#include <stdexcept>
#include <sys/stat.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <utility>

using namespace skampi;
using namespace skampi::test;
namespace fs = std::filesystem;

namespace {

/// Runs skampi-report with its temporary files in the scratch folder.
ChildResult report(const ScratchFolder& scratch, std::vector<std::string> arguments,
                   const std::string& search_path = {}) {
    arguments.insert(arguments.begin(), from_environment("SKAMPI_REPORT"));
    Command command;
    command.argv = std::move(arguments);
    command.timeout_s = 300;
    fs::create_directories(scratch / "tmp");
    command.environment["TMPDIR"] = scratch / "tmp";
    if (!search_path.empty())
        command.environment["PATH"] = search_path;
    return run(std::move(command));
}

/// Whether the report left nothing in the folder for temporary files.
bool tidy(const ScratchFolder& scratch) {
    return fs::is_empty(scratch / "tmp");
}

std::string output_of(std::vector<std::string> arguments) {
    Command command;
    command.argv = std::move(arguments);
    command.timeout_s = 60;
    command.max_output_bytes = std::size_t{1} << 24;
    const ChildResult result = run(std::move(command));
    REQUIRE(result.ok());
    return result.out;
}

std::string last_line(const std::string& text) {
    std::istringstream lines(text);
    std::string last;
    for (std::string line; std::getline(lines, line);)
        last = line;
    return last;
}

std::size_t count_of(const std::string& text, const std::string& part) {
    std::size_t count = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + part.size()))
        ++count;
    return count;
}

/// Whether a text is one line and holds all of these.
bool one_line_with(const std::string& text, const std::vector<std::string>& parts) {
    return std::count(text.begin(), text.end(), '\n') == 1 &&
           std::all_of(parts.begin(), parts.end(),
                       [&](const std::string& part) { return contains(text, part); });
}

/// The text of a PDF, spaces and line ends made single spaces.
std::string pdf_text(const std::string& path) {
    std::istringstream words(output_of({"pdftotext", "-layout", path, "-"}));
    std::string text;
    for (std::string word; words >> word;)
        text += (text.empty() ? "" : " ") + word;
    return text;
}

/// Where the text of each page ends above its number, in points from the top.
std::vector<double> ends_of_pages(const std::string& path) {
    constexpr double page_number = 795;
    std::vector<double> ends;
    std::istringstream lines(output_of({"pdftotext", "-bbox", path, "-"}));
    for (std::string line; std::getline(lines, line);) {
        if (contains(line, "<page "))
            ends.push_back(0);
        constexpr std::string_view key = "yMax=\"";
        if (const std::size_t at = line.find(key); at != std::string::npos && !ends.empty())
            if (const double y = std::stod(line.substr(at + key.size())); y < page_number)
                ends.back() = std::max(ends.back(), y);
    }
    return ends;
}

/// The last line of text on each page, above its number.
std::vector<std::string> last_lines_of_pages(const std::string& path) {
    std::vector<std::string> last;
    std::istringstream pages(output_of({"pdftotext", "-layout", path, "-"}));
    for (std::string page; std::getline(pages, page, '\f');) {
        std::string number;
        std::string before;
        std::istringstream lines(page);
        for (std::string line; std::getline(lines, line);)
            if (line.find_first_not_of(" \r") != std::string::npos)
                before = std::exchange(number, line);
        last.push_back(before);
    }
    return last;
}

/// A few suites of each pattern.
std::vector<InventedSuite> small_plan() {
    std::vector<InventedSuite> plan;
    for (InventedSuite& invented : full_plan({}))
        for (const char* wanted : {"MPI_Send-MPI_Recv", "MPI_Ssend-MPI_Recv", "MPI_Barrier", "MPI_Wtime"})
            if (invented.suite.name == wanted)
                plan.push_back(invented);
    return plan;
}

void write_database(const std::string& path, const std::vector<InventedSuite>& plan,
                    const Run& run = invented_run("run-1"),
                    const std::function<void(const Suite&, Measurement&)>& change = {}) {
    Database database = Database::open_for_writing(path);
    write_run(database, run, plan, 1, 0.02, change);
}

std::vector<InventedSuite> many_suites(std::size_t count) {
    std::vector<InventedSuite> plan;
    const std::vector<InventedSuite> all = full_plan({});
    for (std::size_t i = 0; i < count; ++i) {
        InventedSuite invented = all[i % all.size()];
        invented.suite.name += "-" + std::to_string(i);
        plan.push_back(invented);
    }
    return plan;
}

} // namespace

TEST_CASE("a full PDF answers first and holds facts, plots and comparisons") {
    const ScratchFolder scratch;
    write_database(scratch / "run.db", full_plan({}));
    const std::string title = "A Title of Ours";
    const ChildResult result =
        report(scratch, {scratch / "run.db", "-o", scratch / "report.pdf", "--title", title, "--full"});
    INFO(result.err);
    REQUIRE(result.ok());
    CHECK(result.err.empty());
    CHECK(contains(last_line(result.out), " figures=43 "));
    CHECK(tidy(scratch));
    const std::string text = pdf_text(scratch / "report.pdf");
    CHECK(text.starts_with(title + " " + invented_run("run-1").machine + " "));
    CHECK(text.find("622 points") < text.find("Contents"));
    for (const char* part :
         {"Ping-pong latency, 1 byte", "Ping-pong peak bandwidth", "Error between launches",
          "4.1 Description of a node", "64 GiB of memory", "2.9 MPI_Sendrecv_replace",
          "Collective, varied over message length", "chosen where the curve bends", "0 B - 4 MiB",
          "Fitted cost model", "jump from", "1.14 MPI_Reduce and MPI_Scan (over the number of nodes)",
          "fewer than 5 usable launches", "3.2 Repetition: automatic standard error control (ASEC)",
          "# 100 % of $HOME & co"})
        CHECK_MESSAGE(contains(text, part), std::string(part));
    const std::vector<double> ends = ends_of_pages(scratch / "report.pdf");
    constexpr double half = 52 + 748 / 2.0; // of an A4 page without its margins
    for (std::size_t page = 0; page + 1 < ends.size(); ++page)
        CHECK_MESSAGE(ends[page] > half, "page " << page + 1);
    for (const std::string& line : last_lines_of_pages(scratch / "report.pdf"))
        CHECK_MESSAGE(!std::regex_match(line, std::regex(" *[0-9]+([.][0-9]+)? +(?![KMG]iB )[A-Z][^.]*")),
                      line); // a heading
    // The page numbers of the contents are right: two passes were enough, or more were made.
    const std::string contents =
        output_of({"pdftotext", "-f", "2", "-l", "3", "-layout", scratch / "report.pdf", "-"});
    const std::size_t line = contents.find("How it was measured");
    REQUIRE(line != std::string::npos);
    const std::string page = contents.substr(line + 19, contents.find('\n', line) - line - 19);
    const std::string number = page.substr(page.find_first_of("0123456789"));
    CHECK(contains(output_of({"pdftotext", "-f", number, "-l", number, scratch / "report.pdf", "-"}),
                   "How it was measured"));
}

TEST_CASE("a PDF has a few pages: the answer, what was found, a plot for each suite, the method") {
    const ScratchFolder scratch;
    write_database(scratch / "run.db", full_plan({}));
    const ChildResult result = report(scratch, {scratch / "run.db", "-o", scratch / "report.pdf"});
    INFO(result.err);
    REQUIRE(result.ok());
    CHECK(tidy(scratch));
    const std::string text = pdf_text(scratch / "report.pdf");
    CHECK(contains(text, " MPICH 4.0.2, 16 ranks"));
    for (const char* suite : {"MPI_Sendrecv_replace", "MPI_Reduce", "MPI_Waitsome"})
        CHECK_MESSAGE(contains(text, suite), std::string(suite));
    CHECK_FALSE(contains(text, "64 GiB of memory")); // these are in the full one
    CHECK_FALSE(contains(text, "Fitted cost model"));
    CHECK(ends_of_pages(scratch / "report.pdf").size() <= 8);
    // --content full is --full.
    REQUIRE(report(scratch, {scratch / "run.db", "-o", scratch / "full.pdf", "--content", "full"}).ok());
    CHECK(contains(pdf_text(scratch / "full.pdf"), "64 GiB of memory"));
    const ChildResult refused = report(scratch, {scratch / "run.db", "-o", scratch / "x.csv", "--full"});
    CHECK(refused.exit_status == 2);
    CHECK(one_line_with(refused.err, {"--full", ".pdf"}));
}

TEST_CASE("text from a database never acts as LaTeX, gnuplot, HTML or shell") {
    const ScratchFolder scratch;
    const std::string pwned = scratch / "pwned";
    const std::vector<std::string> texts = nasty_texts(pwned);
    std::vector<InventedSuite> plan;
    const std::vector<InventedSuite> all = full_plan({});
    for (std::size_t i = 0; i < texts.size(); ++i) {
        InventedSuite invented = all[i % all.size()];
        invented.suite.name = invented.suite.family = texts[i];
        invented.suite.operation.title = texts[i];
        plan.push_back(invented);
    }
    Run run = invented_run(texts[0]);
    run.machine = texts[8];
    run.node = texts[9] + "\n" + texts[0];
    run.network = texts[1];
    run.user = texts[16];
    run.comment = texts[12];
    run.mpi_library = texts[11];
    run.host = texts[23];
    run.parameter_file = texts[4];
    run.parameter_text.clear();
    for (const std::string& text : texts) {
        run.parameter_text += text + "\n";
        run.facts[text] = text;
    }
    for (std::size_t i = 0; i < run.rank_facts.size(); ++i)
        run.rank_facts[i].processor = run.rank_facts[i].cpus_allowed = run.rank_facts[i].pages = texts[i];
    {
        Database database = Database::open_for_writing(scratch / "nasty.db");
        const RunId id = write_run(database, run, plan, 1, 0.02);
        for (const std::string& text : texts)
            database.add_event(id, {text, text, text, text});
        for (const StoredSuite& suite : database.suites(id))
            database.set_suite_facts(suite.id, {{texts[0], texts[1]}, {texts[8], texts[23]}});
    }
    for (const std::string format : {"pdf", "html", "csv", "json", "out", "tex"}) {
        const ChildResult result =
            report(scratch, {scratch / "nasty.db", "-o", scratch / "r." + format, "--title", texts[0]});
        INFO(format << ": " << result.err);
        CHECK(result.ok());
        CHECK_FALSE(fs::exists(pwned));
    }
    const std::string text = pdf_text(scratch / "r.pdf");
    CHECK(contains(text, "\\input{/etc/passwd}"));
    CHECK_FALSE(contains(text, "root:"));
    CHECK(count_of(read(scratch / "r.html"), "<script") == 1); // ours
    CHECK(nlohmann::json::parse(read(scratch / "r.json"))["subjects"][0]["suites"].size() == texts.size());
    CHECK(tidy(scratch));
}

TEST_CASE("databases with little or nothing in them give clear words in every format") {
    const ScratchFolder scratch;
    {
        const Database empty = Database::open_for_writing(scratch / "empty.db");
        std::vector<Suite> suites;
        for (const InventedSuite& invented : small_plan())
            suites.push_back(invented.suite);
        Database planned = Database::open_for_writing(scratch / "planned.db");
        planned.begin_run(invented_run("planned"), suites);
        std::vector<InventedSuite> single = small_plan();
        for (InventedSuite& invented : single)
            invented.arguments.resize(1);
        write_database(scratch / "single.db", single);
    }
    for (const std::string name : {"empty", "planned", "single"})
        for (const std::string format : {"pdf", "html", "csv", "json", "out", "tex"}) {
            const ChildResult result =
                report(scratch, {scratch / name + ".db", "-o", scratch / name + "." + format});
            INFO(name << "." << format << ": " << result.err);
            CHECK(result.ok());
        }
    CHECK(contains(pdf_text(scratch / "empty.pdf"), "holds no run"));
    CHECK(contains(pdf_text(scratch / "planned.pdf"), "finished yet"));
    CHECK(contains(pdf_text(scratch / "single.pdf"), "MPI_Barrier 2 ranks"));
}

TEST_CASE("values that no axis can show do not stop the report") {
    const ScratchFolder scratch;
    int number = 0;
    write_database(scratch / "odd.db", full_plan({}), invented_run("odd"),
                   [&](const Suite&, Measurement& measurement) {
                       switch (number++ % 7) {
                       case 0:
                           measurement.value_s = -1e-7;
                           break;
                       case 1:
                           measurement.value_s = measurement.standard_error_s = 0;
                           break;
                       case 2:
                           measurement.standard_error_s = 1e3;
                           break;
                       case 3:
                           measurement.value_s = number % 2 == 0 ? 1e300 : 1e308;
                           break;
                       case 4:
                           measurement.summary = {};
                           break;
                       case 5:
                           measurement.value_s = number % 2 == 0 ? 1e-300 : 5e-324;
                           break;
                       default:
                           break;
                       }
                   });
    for (const std::string format : {"pdf", "html", "json", "out"}) {
        const ChildResult result = report(scratch, {scratch / "odd.db", "-o", scratch / "odd." + format});
        INFO(format << ": " << result.err);
        CHECK(result.ok());
    }
    CHECK(contains(pdf_text(scratch / "odd.pdf"), "no value at "));
    REQUIRE(report(scratch, {scratch / "odd.db", "-o", scratch / "full.pdf", "--full"}).ok());
    CHECK(contains(pdf_text(scratch / "full.pdf"), " not drawn"));
}

TEST_CASE("five hundred suites fit into a report") {
    const ScratchFolder scratch;
    write_database(scratch / "many.db", many_suites(500));
    const ChildResult result = report(scratch, {scratch / "many.db", "-o", scratch / "many.pdf"});
    INFO(result.err);
    REQUIRE(result.ok());
    CHECK(contains(pdf_text(scratch / "many.pdf"), "30 of 436"));
}

TEST_CASE("CSV has the columns of the view result, and is accepted as input") {
    const ScratchFolder scratch;
    write_database(scratch / "run.db", small_plan());
    REQUIRE(report(scratch, {scratch / "run.db", "-o", scratch / "a.csv"}).ok());
    const std::string csv = read(scratch / "a.csv");
    std::string header = result_csv_header();
    if (header.back() != '\n')
        header += '\n';
    CHECK(csv.rfind(header, 0) == 0);
    std::size_t rows = 0;
    Database::open(scratch / "run.db").for_each_result([&](const ResultRow&) { ++rows; });
    CHECK(static_cast<std::size_t>(std::count(csv.begin(), csv.end(), '\n')) == rows + 1);
    REQUIRE(report(scratch, {scratch / "a.csv", "-o", scratch / "b.csv"}).ok());
    CHECK(read(scratch / "b.csv") == csv);
    REQUIRE(report(scratch, {scratch / "a.csv", "-o", scratch / "b.pdf"}).ok());
    CHECK(contains(pdf_text(scratch / "b.pdf"), "MPI_Ssend-MPI_Recv"));
    REQUIRE(report(scratch, {scratch / "a.csv", scratch / "run.db", "-o", scratch / "both.csv"}).ok());
    CHECK(read(scratch / "both.csv").size() == 2 * csv.size() - header.size());
}

TEST_CASE("what another program measured is written in every format, though its settings are unknown") {
    const ScratchFolder scratch;
    std::ofstream(scratch / "osu.txt") << "# OSU MPI Broadcast Latency Test v7.2\n"
                                          "# Size       Avg Latency(us)\n"
                                          "1 0.87\n"
                                          "1024 1.12\n";
    for (const std::string format : {"csv", "html", "json", "md", "pdf", "tex"}) {
        const ChildResult result = report(scratch, {scratch / "osu.txt", "-o", scratch / "osu." + format});
        INFO(format << ": " << result.err);
        CHECK(result.ok());
    }
    CHECK(contains(read(scratch / "osu.csv"), ",message length,,,,mean,,"));
}

/// Every anchor, file and link a page names is there, and nothing else is named.
void check_links(const std::string& page, const fs::path& folder) {
    for (const char* attribute : {" src=\"", " href=\""})
        for (std::size_t at = page.find(attribute); at != std::string::npos;
             at = page.find(attribute, at + 1)) {
            const std::size_t begin = at + std::string(attribute).size();
            const std::string target = page.substr(begin, page.find('"', begin) - begin);
            if (target.starts_with('#'))
                CHECK_MESSAGE(contains(page, "id=\"" + target.substr(1) + "\""), target);
            else if (!target.starts_with("data:text/csv;"))
                CHECK_MESSAGE(fs::exists(folder / target), target);
        }
    CHECK_FALSE(contains(page, "http://"));
    CHECK_FALSE(contains(page, "https://"));
}

TEST_CASE(
    "an HTML report is one file with its drawings, values and data inside, and needs no other program") {
    const ScratchFolder scratch;
    write_database(scratch / "run.db", small_plan());
    fs::create_directory(scratch / "no-programs");
    REQUIRE(report(scratch, {scratch / "run.db", "-o", scratch / "run.html"}, scratch / "no-programs").ok());
    const std::string page = read(scratch / "run.html");
    check_links(page, scratch.path());
    CHECK(contains(page, "http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "));
    // two suites over message lengths and one over ranks, drawn large and small with a link; their
    // comparison
    CHECK(count_of(page, "<a class=\"panel\" href=\"#s") == 3);
    CHECK(count_of(page, "data-panel=\"1\"") >= 2);
    REQUIRE(report(scratch, {scratch / "run.db", "-o", scratch / "run.csv"}).ok());
    const std::string csv = read(scratch / "run.csv");
    const std::string begin = "download=\"result.csv\" href=\"data:text/csv;charset=utf-8,";
    REQUIRE(contains(page, begin));
    std::string inside;
    for (std::size_t at = page.find(begin) + begin.size(); page[at] != '"'; ++at)
        if (page[at] == '%') {
            inside += static_cast<char>(std::stoi(page.substr(at + 1, 2), nullptr, 16));
            at += 2;
        } else {
            inside += page[at];
        }
    CHECK(inside == csv);
    const ChildResult out = report(scratch, {scratch / "run.db", "-o", "-", "--format", "html"});
    CHECK(out.ok());
    CHECK(out.out == page.substr(page.size() - out.out.size())); // the last MiB of it is kept here

    // A directory of that name is no place for a file.
    fs::create_directory(scratch / "folder.html");
    const ChildResult result = report(scratch, {scratch / "run.db", "-o", scratch / "folder.html"});
    CHECK(result.exit_status == 2);
    CHECK(one_line_with(result.err, {"folder.html", "is a directory", "in / for"}));
    const ChildResult kept =
        report(scratch, {scratch / "run.db", "-o", scratch / "k.html", "--keep", scratch / "k"});
    CHECK(kept.exit_status == 2);
    CHECK(one_line_with(kept.err, {"--keep", ".pdf, .tex"}));
}

TEST_CASE("an HTML report in a directory has its data beside it and is replaced as a whole") {
    const ScratchFolder scratch;
    write_database(scratch / "run.db", small_plan());
    REQUIRE(report(scratch, {scratch / "run.db", "-o", scratch / "folder/"}).ok());
    const std::string page = read(scratch / "folder/index.html");
    check_links(page, scratch / "folder");
    CHECK(contains(page, "href=\"result.json\""));
    CHECK(nlohmann::json::parse(read(scratch / "folder/result.json"))["subjects"].size() == 1);
    write(scratch / "folder/stale.svg", "old");
    REQUIRE(
        report(scratch, {scratch / "run.db", "-o", scratch / "folder"}).ok()); // it is there: no / is needed
    CHECK_FALSE(fs::exists(scratch / "folder/stale.svg"));

    fs::create_directory(scratch / "mine");
    write(scratch / "mine/precious", "keep me");
    ChildResult result = report(scratch, {scratch / "run.db", "-o", scratch / "mine/"});
    CHECK(result.exit_status == 2);
    CHECK(one_line_with(result.err, {"mine", "not made by"}));
    CHECK(read(scratch / "mine/precious") == "keep me");
    write(scratch / "file", "keep me");
    result = report(scratch, {scratch / "run.db", "-o", scratch / "file/"});
    CHECK(result.exit_status == 2);
    CHECK(read(scratch / "file") == "keep me");
    result = report(scratch, {scratch / "run.db", "-o", scratch / "x.pdf/"});
    CHECK(result.exit_status == 2);
    CHECK(one_line_with(result.err, {"x.pdf/", "the ending .pdf"}));
    CHECK(scratch.names() == std::vector<std::string>{"file", "folder", "mine", "run.db", "tmp"});
}

TEST_CASE("kept sources can be drawn and set again by hand") {
    const ScratchFolder scratch;
    write_database(scratch / "run.db", small_plan());
    REQUIRE(report(scratch, {scratch / "run.db", "-o", scratch / "a.pdf", "--keep", scratch / "kept"}).ok());
    fs::remove(scratch / "kept/figures/f002.tex");
    fs::remove(scratch / "kept/figures/f002.pdf");
    Command draw;
    draw.argv = {"gnuplot", "-d", "f002.gp"};
    draw.directory = scratch / "kept/figures";
    CHECK(run(draw).ok());
    CHECK(fs::exists(scratch / "kept/figures/f002.pdf"));
    Command set;
    set.argv = {"pdflatex", "-interaction=nonstopmode", "-halt-on-error", "report.tex"};
    set.directory = scratch / "kept";
    CHECK(run(set).ok());

    // A drawing finds its PDF from a document in another folder.
    fs::create_directories(scratch / "paper");
    write(scratch / "paper/main.tex",
          "\\documentclass{article}\\usepackage{graphicx,xcolor}\\begin{document}\n"
          "\\input{../kept/figures/f001.tex}\n\\end{document}\n");
    set.argv.back() = "main.tex";
    set.directory = scratch / "paper";
    const ChildResult elsewhere = run(set);
    INFO(elsewhere.out);
    CHECK(elsewhere.ok());

    // Nothing of somebody's own is replaced: neither a text of that name nor what it is made from.
    fs::create_directories(scratch / "own");
    write(scratch / "own/report.tex", "my thesis");
    const ChildResult foreign =
        report(scratch, {scratch / "run.db", "-o", scratch / "b.pdf", "--keep", scratch / "own"});
    CHECK(foreign.exit_status == 2);
    CHECK(one_line_with(foreign.err, {"own/report.tex"}));
    CHECK(read(scratch / "own/report.tex") == "my thesis");
    CHECK_FALSE(fs::exists(scratch / "b.pdf"));
    fs::create_directories(scratch / "own-figures");
    write(scratch / "own-figures/f001.tex", "my figure");
    CHECK(report(scratch, {scratch / "run.db", "-o", scratch / "own.tex"}).exit_status == 2);
    CHECK(read(scratch / "own-figures/f001.tex") == "my figure");

    // pdfTeX's own names beside the sources, and a folder of drawings.
    fs::create_directories(scratch / "in/figures");
    for (const std::string name : {"report.aux", "figures/f001.gp"}) {
        write(scratch / "in/" + name, "# empty\n");
        const ChildResult refused = report(scratch, {scratch / "run.db", "--config", scratch / "in/" + name,
                                                     "-o", scratch / "c.pdf", "--keep", scratch / "in"});
        CHECK(refused.exit_status == 2);
        CHECK(one_line_with(refused.err, {"input"}));
        CHECK(read(scratch / "in/" + name) == "# empty\n");
    }

    REQUIRE(
        report(scratch, {scratch / "run.db", "-o", scratch / "doc.tex", "--keep", scratch / "twin"}).ok());
    CHECK(fs::exists(scratch / "doc-figures/f001.pdf"));
    CHECK(fs::exists(scratch / "twin/doc-figures/f001.gp"));
    set.argv.back() = "doc.tex";
    for (const char* folder : {"", "twin"}) {
        set.directory = scratch / folder;
        CHECK(run(set).ok());
    }
}

TEST_CASE("one pass of LaTeX is enough without contents, and two with them, the first one beside gnuplot") {
    const ScratchFolder scratch;
    write_database(scratch / "run.db", full_plan({}));
    fs::create_directory(scratch / "bin");
    const std::optional<std::string> pdflatex = find_program("pdflatex");
    REQUIRE(pdflatex.has_value());
    write(scratch / "bin/pdflatex",
          "#!/bin/sh\necho \"$@\" >> '" + (scratch / "passes") + "'\nexec '" + *pdflatex + "' \"$@\"\n");
    fs::permissions(scratch / "bin/pdflatex", fs::perms::owner_all);
    const auto passes_of = [&](std::vector<std::string> options) {
        fs::remove(scratch / "passes");
        options.insert(options.begin(), {scratch / "run.db", "-o", scratch / "a.pdf"});
        REQUIRE(report(scratch, options, (scratch / "bin") + ":" + std::getenv("PATH")).ok());
        return read(scratch / "passes");
    };
    const std::string brief = passes_of({});
    CHECK(std::count(brief.begin(), brief.end(), '\n') == 1);
    CHECK_FALSE(contains(brief, "-draftmode"));
    CHECK(contains(brief, "-no-shell-escape"));
    const std::string full = passes_of({"--full"});
    CHECK(std::count(full.begin(), full.end(), '\n') == 2);
    CHECK(contains(full, "-draftmode"));
}

TEST_CASE("a missing or failing program is named in one line and leaves no half-written report") {
    const ScratchFolder scratch;
    write_database(scratch / "run.db", small_plan());
    fs::create_directory(scratch / "bin");
    const auto provide = [&](const std::string& name) {
        const std::optional<std::string> program = find_program(name);
        REQUIRE(program.has_value());
        fs::create_symlink(*program, scratch / "bin/" + name);
    };
    const auto fake = [&](const std::string& name, const std::string& script) {
        fs::remove(scratch / "bin/" + name);
        write(scratch / "bin/" + name, "#!/bin/sh\n" + script + "\n");
        fs::permissions(scratch / "bin/" + name, fs::perms::owner_all);
    };
    const auto failing = [&](const std::string& output) {
        ChildResult result = report(scratch, {scratch / "run.db", "-o", scratch / output}, scratch / "bin");
        CHECK(result.exit_status == 3);
        CHECK(last_line(result.out) == "SKAMPI: FAILED");
        CHECK_FALSE(fs::exists(scratch / output));
        CHECK(scratch.names() == std::vector<std::string>{"bin", "run.db", "tmp"});
        CHECK(tidy(scratch));
        return result;
    };
    CHECK(one_line_with(failing("a.pdf").err, {"pdflatex not found", "texlive-latex-base"}));
    provide("pdflatex");
    CHECK(one_line_with(failing("a.pdf").err, {"gnuplot not found", "gnuplot-nox"}));
    fake("gnuplot", "echo '\"f001.gp\" line 7: unrecognized nonsense' >&2; exit 1");
    CHECK(one_line_with(failing("a.pdf").err,
                        {"gnuplot failed", "exit status 1", "line 7: unrecognized nonsense"}));
    CHECK(one_line_with(failing("a.tex").err, {"gnuplot failed", "exit status 1"}));
    // gnuplot that says it is fine and draws nothing
    fake("gnuplot", "exit 0");
    CHECK(one_line_with(failing("a.tex").err, {"gnuplot", "f001"}));
    CHECK(one_line_with(failing("a.pdf").err, {"gnuplot", "f001"}));
    fs::remove(scratch / "bin/gnuplot");
    provide("gnuplot");
    fake("pdflatex", "echo 'report.tex:42: Undefined control sequence.'; exit 1");
    CHECK(one_line_with(failing("a.pdf").err, {"pdflatex failed", "exit status 1", "line 42: Undefined"}));
    fake("pdflatex", "kill -SEGV $$");
    CHECK(one_line_with(failing("a.pdf").err, {"pdflatex failed (signal 11"}));

    // What was there before stays.
    write(scratch / "old.pdf", "the old report");
    CHECK(report(scratch, {scratch / "run.db", "-o", scratch / "old.pdf"}, scratch / "bin").exit_status == 3);
    CHECK(read(scratch / "old.pdf") == "the old report");
}

TEST_CASE("wrong usage and bad input are one line with exit status 2") {
    const ScratchFolder scratch;
    write_database(scratch / "run.db", small_plan());
    write(scratch / "no.db", "this is no database, and no CSV either\n");
    const auto wrong = [&](const std::vector<std::string>& arguments, const std::vector<std::string>& parts) {
        const ChildResult result = report(scratch, arguments);
        INFO(result.err);
        CHECK(result.exit_status == 2);
        CHECK(one_line_with(result.err, parts));
        CHECK(last_line(result.out) == "SKAMPI: FAILED");
    };
    wrong({}, {"skampi-report: "}); // what else is wrong usage: report_options_test
    wrong({scratch / "no.db", "-o", scratch / "a.pdf"}, {"no.db"});
    wrong({scratch / "run.db", scratch / "run.db", "-o", scratch / "a.out"}, {".out"});
    CHECK_FALSE(fs::exists(scratch / "a.pdf"));
    const ChildResult missing = report(scratch, {scratch / "missing.db", "-o", scratch / "a.pdf"});
    CHECK((missing.exit_status == 2 || missing.exit_status == 3));
    CHECK(one_line_with(missing.err, {"missing.db"}));
    const ChildResult nowhere = report(scratch, {scratch / "run.db", "-o", scratch / "no/such/folder/a.pdf"});
    CHECK(nowhere.exit_status == 3);
    CHECK(one_line_with(nowhere.err, {"no/such/folder"}));
    CHECK(tidy(scratch));
}

TEST_CASE("a full disk is said, and the former report stays") {
    const ScratchFolder scratch;
    write_database(scratch / "run.db", small_plan());
    if (!fs::exists("/dev/full"))
        return;
    for (const std::string format : {"csv", "json", "out"}) {
        fs::create_symlink("/dev/full", scratch / "full." + format);
        const ChildResult result = report(scratch, {scratch / "run.db", "-o", scratch / "full." + format});
        CHECK(result.exit_status == 3);
        CHECK(one_line_with(result.err, {"full." + format}));
    }
}

TEST_CASE("a full disk leaves no part of a report in any format") {
    const ScratchFolder scratch;
    write_database(scratch / "run.db", full_plan({}));
    const auto names = [&] {
        fs::create_directories(scratch / "tmp");
        return scratch.names();
    };
    const std::vector<std::string> before = names();
    for (const std::string format : {"pdf", "html", "csv", "json", "out", "tex"}) {
        // No file may grow beyond 16 KiB (of 1,024 bytes each in bash, 512 in other shells).
        Command command;
        command.argv = {"sh",
                        "-c",
                        "ulimit -f 16; exec \"$@\"",
                        "sh",
                        from_environment("SKAMPI_REPORT"),
                        scratch / "run.db",
                        "-o",
                        scratch / "full." + format};
        command.environment["TMPDIR"] = scratch / "tmp";
        command.timeout_s = 300;
        const ChildResult result = run(std::move(command));
        INFO(format << ": " << result.err);
        CHECK(result.exit_status == 3);
        CHECK(result.signal == 0);
        CHECK(one_line_with(result.err, {"skampi-report: "}));
        CHECK(last_line(result.out) == "SKAMPI: FAILED");
        CHECK(names() == before);
        CHECK(tidy(scratch));
    }
}

TEST_CASE("an interrupted report leaves nothing behind, and none of its programs") {
    const ScratchFolder scratch;
    write_database(scratch / "run.db", small_plan());
    fs::create_directories(scratch / "tmp");
    fs::create_directory(scratch / "bin");
    // A gnuplot that leaves something, says so, and would never end.
    const std::string began = scratch / "began";
    REQUIRE(mkfifo(began.c_str(), 0600) == 0);
    write(scratch / "bin/gnuplot",
          "#!/bin/sh\necho half > half\nmkfifo never\necho $$ > '" + began + "'\nread line < never\n");
    fs::permissions(scratch / "bin/gnuplot", fs::perms::owner_all);
    const std::vector<std::string> before = scratch.names();
    for (const int signal : {SIGINT, SIGTERM, SIGHUP})
        for (const std::string format : {"pdf", "tex"})
            for (const bool to_all : {false, true}) {
                Command command;
                command.argv = {from_environment("SKAMPI_REPORT"), scratch / "run.db", "-o",
                                scratch / "part." + format,        "--jobs",           "1"};
                command.environment = {{"TMPDIR", scratch / "tmp"},
                                       {"PATH", (scratch / "bin") + ":" + std::getenv("PATH")}};
                command.timeout_s = 300;
                Child child(std::move(command));
                const std::string gnuplot = read(began); // waits until it has begun
                REQUIRE_FALSE(gnuplot.empty());
                if (to_all)
                    child.send(signal); // as a terminal does
                else
                    kill(child.pid(), signal);
                const ChildResult& result = child.wait();
                INFO(signal_text(signal) << ", " << format << ": " << result.err);
                CHECK(result.signal == signal);
                CHECK(one_line_with(result.err, {"ended by " + signal_text(signal)}));
                CHECK(last_line(result.out) == "SKAMPI: FAILED");
                CHECK(scratch.names() == before);
                CHECK(tidy(scratch));
                CHECK_FALSE(fs::exists("/proc/" + gnuplot.substr(0, gnuplot.find('\n'))));
            }
}

TEST_CASE("an interrupted report in a directory leaves nothing behind") {
    const ScratchFolder scratch;
    write_database(scratch / "run.db", many_suites(500));
    const std::vector<std::string> before = scratch.names();
    const auto being_made = [&] {
        return std::ranges::any_of(fs::directory_iterator(scratch.path()), [](const auto& entry) {
            return entry.path().filename().string().starts_with(".skampi-report-");
        });
    };
    Command command;
    command.argv = {from_environment("SKAMPI_REPORT"), scratch / "run.db", "-o", scratch / "report/"};
    command.timeout_s = 300;
    Child child(std::move(command));
    bool seen = false;
    while (!(seen = being_made()) && !child.advance())
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    REQUIRE(seen);
    kill(child.pid(), SIGTERM);
    CHECK(child.wait().signal == SIGTERM);
    CHECK_FALSE(being_made());
    CHECK(scratch.names() == before);
}

TEST_CASE("a report never takes the place of what it is made from, or of another file it writes") {
    const ScratchFolder scratch;
    write_database(scratch / "run.db", small_plan());
    REQUIRE(report(scratch, {scratch / "run.db", "-o", scratch / "ok.csv"}).ok());
    REQUIRE(report(scratch, {scratch / "run.db", "-o", scratch / "other.csv"}).ok());
    const std::string csv = read(scratch / "ok.csv");
    fs::create_symlink("ok.csv", scratch / "link.csv");
    fs::create_hard_link(scratch / "ok.csv", scratch / "hard.csv");
    for (const std::string output : {"ok.csv", "link.csv", "hard.csv", "./tmp/../ok.csv"}) {
        const ChildResult result =
            report(scratch, {scratch / "other.csv", scratch / "ok.csv", "-o", scratch / output});
        CHECK(result.exit_status == 2);
        CHECK(one_line_with(result.err, {"is an input"}));
        CHECK(read(scratch / "ok.csv") == csv);
    }
    CHECK(report(scratch, {scratch / "link.csv", "-o", scratch / "ok.csv"}).exit_status == 2);
    CHECK(report(scratch, {"compare", scratch / "link.csv", scratch / "other.csv", "--fail-if", "> 2",
                           "--junit", scratch / "ok.csv"})
              .exit_status == 2);
    CHECK(report(scratch, {"compare", scratch / "other.csv", "--baseline", scratch / "ok.csv", "-o",
                           scratch / "ok.csv"})
              .exit_status == 2);
    CHECK(read(scratch / "ok.csv") == csv);
    CHECK(fs::is_symlink(scratch / "link.csv"));
    CHECK(report(scratch, {scratch / "ok.csv", "-o", scratch / "other.csv"}).ok()); // a former report

    // Nor of what tells how it is made.
    write(scratch / "my.txt", "chapter = summary\n");
    write(scratch / "options.txt", "title=x\n");
    for (const std::vector<std::string>& arguments :
         {std::vector<std::string>{scratch / "ok.csv", "--content", scratch / "my.txt", "-o",
                                   scratch / "my.txt"},
          {scratch / "ok.csv", "--config", scratch / "options.txt", "-o", scratch / "options.txt"},
          {"compare", scratch / "ok.csv", scratch / "hard.csv", "--fail-if", "> 2", "--junit",
           scratch / "options.txt", "--config", scratch / "options.txt"}}) {
        const ChildResult result = report(scratch, arguments);
        CHECK(result.exit_status == 2);
        CHECK(one_line_with(result.err, {"is an input"}));
    }
    CHECK(read(scratch / "my.txt") == "chapter = summary\n");
    CHECK(read(scratch / "options.txt") == "title=x\n");
    CHECK(one_line_with(
        report(scratch, {"compare", scratch / "ok.csv", scratch / "hard.csv", "--fail-if", "> 2", "--junit",
                         scratch / "both.txt", "-o", scratch / "tmp/../both.txt"})
            .err,
        {"is written twice"}));
}

TEST_CASE("five launches in one file, the newest a bad one: the report shows what they are merged to") {
    const ScratchFolder scratch;
    {
        Database database = Database::open_for_writing(scratch / "five.db");
        for (int launch = 0; launch < 5; ++launch) {
            InventedMachine machine;
            machine.factor = launch == 4 ? 7000 : 1 + 0.01 * launch;
            Run run = invented_run("launch-" + std::to_string(launch), launch);
            run.started_utc = "2026-03-01T10:0" + std::to_string(launch) + ":00Z";
            write_run(database, run, full_plan(machine), static_cast<unsigned>(launch), 0.01);
        }
    }
    REQUIRE(report(scratch, {scratch / "five.db", "-o", scratch / "five.json"}).ok());
    const nlohmann::json subject = nlohmann::json::parse(read(scratch / "five.json"))["subjects"][0];
    CHECK(subject["trust"]["launches"] == 5);
    CHECK(subject["headlines"][0]["kind"] == "latency");
    CHECK(subject["headlines"][0]["message_bytes"] == 0);
    CHECK(subject["headlines"][0]["error"] == "interval_in_a_row"); // four minutes
    CHECK(subject["headlines"][0]["value"].get<double>() == close_to(0.4e-6 * 1.02).epsilon(0.02));
    CHECK(subject["headlines"][0]["high"].get<double>() > 2e-3); // the bad one is in the interval
    // The rows of a CSV are the values shown; --raw has those of each launch.
    REQUIRE(report(scratch, {scratch / "five.db", "-o", scratch / "five.csv"}).ok());
    CHECK(count_of(read(scratch / "five.csv"), "\n") == 622 + 1);
    CHECK(count_of(read(scratch / "five.csv"), ",merged,") == 622);
    REQUIRE(report(scratch, {scratch / "five.csv", "-o", scratch / "again.json"}).ok());
    CHECK(nlohmann::json::parse(read(scratch / "again.json"))["subjects"][0]["headlines"][0]["value"] ==
          subject["headlines"][0]["value"]);
    REQUIRE(report(scratch, {scratch / "five.db", "-o", scratch / "five.csv", "--raw"}).ok());
    CHECK(count_of(read(scratch / "five.csv"), "\n") == 5 * 622 + 1);
}

TEST_CASE("without -o a text report is written to standard output, and nothing else") {
    const ScratchFolder scratch;
    write_database(scratch / "run.db", small_plan());
    const ChildResult screen = report(scratch, {scratch / "run.db"});
    CHECK(screen.out.rfind("MPI performance report\n", 0) == 0);
    for (const char* part :
         {"MPICH 4.0.2, ", "Ping-pong latency, 1 byte ", "  MPI_Send-MPI_Recv ", "  MPI_Wtime "})
        CHECK_MESSAGE(contains(screen.out, part), std::string(part));
    CHECK_FALSE(contains(screen.out, "message length [bytes]"));
    CHECK(count_of(screen.out, "\n") <= 40);
    const ChildResult result = report(scratch, {scratch / "run.db", "--suite", "*"});
    INFO(result.err);
    REQUIRE(result.ok());
    CHECK(result.err.empty());
    CHECK(tidy(scratch));
    CHECK(result.out.rfind("MPI performance report\n", 0) == 0);
    for (const char* part :
         {"MPICH 4.0.2, ", "Ping-pong latency, 1 byte ", "\nTrust\n", "\nMPI_Send-MPI_Recv\n---",
          "Values: 24 of 27 rows\n", "GB/s", "message length [bytes]", "\nMPI_Wtime\n---"})
        CHECK_MESSAGE(contains(result.out, part), std::string(part));
    CHECK_FALSE(contains(result.out, "SKAMPI:"));
    CHECK_FALSE(contains(result.out, "\x1b"));
    // A file has all values, and the last line for scripts stands where it always does.
    const ChildResult file = report(scratch, {scratch / "run.db", "-o", scratch / "run.txt"});
    CHECK(last_line(file.out).starts_with("SKAMPI: OK "));
    CHECK_FALSE(contains(read(scratch / "run.txt"), "of 27 rows"));
    CHECK(report(scratch, {scratch / "run.db", "--full"}).out == read(scratch / "run.txt"));
    CHECK(report(scratch, {scratch / "run.db", "-o", scratch / "run.md"}).ok());
    CHECK(contains(read(scratch / "run.md"), "\n| bytes | time | standard error | bandwidth |"));
    CHECK(contains(read(scratch / "run.md"), "```text\n"));
    // A look at numbers needs no gnuplot.
    fs::create_directory(scratch / "bin");
    const ChildResult without = report(scratch, {scratch / "run.db", "--suite", "*"}, scratch / "bin");
    CHECK(without.ok());
    CHECK(contains(without.out, "Values: 24 of 27 rows\n"));
    CHECK_FALSE(contains(without.out, "message length [bytes]"));
}

TEST_CASE("no name in the CSV of a plot or a table is a formula of a spreadsheet") {
    const ScratchFolder scratch;
    std::vector<InventedSuite> plan = small_plan();
    for (InventedSuite& each : plan)
        each.suite.name = "=1+" + each.suite.name;
    for (const char* const name : {"@a.db", "+b.db"})
        write_database(scratch / name, plan);
    for (const char* const extract : {"--table", "--plot"}) {
        CAPTURE(extract);
        REQUIRE(report(scratch,
                       {scratch / "@a.db", scratch / "+b.db", extract, "=1+MPI_S*", "-o", scratch / "x.csv"})
                    .ok());
        const std::string csv = read(scratch / "x.csv");
        CHECK(contains(csv, "'@a"));
        CHECK(contains(csv, "'+b"));
        for (const char* const formula : {",=", ",@", ",+", "\n=", "\n@", "\n+"})
            CHECK_FALSE_MESSAGE(contains(csv, formula), formula);
    }
}

TEST_CASE("one plot or one table is taken along in the format of somebody's own text") {
    const ScratchFolder scratch;
    write_database(scratch / "run.db", small_plan());
    fs::copy_file(scratch / "run.db", scratch / "other.db");
    const auto take = [&](std::vector<std::string> arguments, const std::string& name) {
        arguments.insert(arguments.begin(), scratch / "run.db");
        arguments.insert(arguments.end(), {"-o", scratch / name});
        const ChildResult result = report(scratch, arguments);
        INFO(name << ": " << result.err);
        REQUIRE(result.ok());
        CHECK(tidy(scratch));
        return read(scratch / name);
    };
    const std::vector<std::string> plot{"--plot", "MPI_Send-MPI_Recv"};
    CHECK(contains(take(plot, "p.svg"), "<svg"));
    CHECK(contains(take(plot, "p.svg"), "message length [bytes]"));
    CHECK(take(plot, "p.png").starts_with("\x89PNG"));
    CHECK(take(plot, "p.pdf").starts_with("%PDF"));
    CHECK(take(plot, "p.csv").starts_with("panel,series,x,y,low,high\ntime,"));
    CHECK(contains(take({scratch / "other.db", "--plot", "MPI_S*"}, "both.csv"), "other"));
    const std::string thinned = take({"--plot", "MPI_Send-MPI_Recv", "--multiple-of", "1024"}, "p.csv");
    CHECK(contains(thinned, ",4096,"));
    CHECK_FALSE(contains(thinned, ",256,"));
    const auto of_kind = [&](const char* kind, const std::string& name) {
        return take({"--plot", "MPI_Send-MPI_Recv", "--kind", kind}, name);
    };
    CHECK(contains(of_kind("time", "p.csv"), "\ntime,"));
    CHECK_FALSE(contains(of_kind("time", "p.csv"), "\nbandwidth,"));
    CHECK_FALSE(contains(of_kind("bandwidth", "p.csv"), "\ntime,"));
    std::vector<std::string> both = plot;
    both.insert(both.end(), {"--plot", "MPI_Ssend-MPI_Recv", "--kind", "bandwidth"});
    const std::string two = take(both, "p.csv");
    for (const char* const suite : {"MPI_Send", "MPI_Ssend"})
        CHECK(contains(two, std::string("\nbandwidth,") + suite));
    CHECK_FALSE(contains(two, "\ntime,"));
    std::vector<std::string> narrow = plot;
    narrow.insert(narrow.end(), {"--width", "8.4"});
    CHECK(contains(take(narrow, "p.svg"), "width=\"317\"")); // 8.4 cm
    CHECK(of_kind("box", "p.pdf").starts_with("%PDF"));
    CHECK(of_kind("ecdf", "p.pdf").starts_with("%PDF"));
    CHECK(contains(of_kind("ecdf", "p.csv"), ",0.99,")); // the tail has a point of its own
    {                                                    // by its operation, where no suite is called so
        std::vector<InventedSuite> plan = small_plan();
        for (InventedSuite& each : plan)
            each.suite.name += "-length";
        write_database(scratch / "named.db", plan);
        REQUIRE(
            report(scratch, {scratch / "named.db", "--plot", "MPI_Send-MPI_Recv", "-o", scratch / "n.svg"})
                .ok());
    }
    const std::vector<std::string> table{"--table", "MPI_Send-MPI_Recv"};
    CHECK(contains(take(table, "t.tex"), "\\toprule\nbytes & time & "));
    CHECK_FALSE(contains(take(table, "t.tex"), "{}"));
    CHECK(contains(take({"--table", "*", "--full"}, "t.tex"), "Ssend-MPI\\_Recv &")); // no blank in a name
    const std::string values = take(table, "t.csv");
    CHECK(count_of(values, "\n") == 27 + 1);
    CHECK(values.substr(0, values.find('\n')).ends_with("median_s,p95_s,p99_s,other_state_s"));
    CHECK(values.starts_with("database,suite,ranks,argument,value_s,low,high,error,interval_confidence,"));
    CHECK(contains(values, ",MPI_Send-MPI_Recv,2,4096,"));
    CHECK(count_of(values, ",,\n") == 0); // of every argument there are single measurements
    CHECK(take(table, "t.md").starts_with("| bytes |"));
    CHECK(contains(take(table, "t.md"), "Standard error"));
    CHECK(contains(take(table, "t.tex"), "\\footnotesize"));
    CHECK(report(scratch, {scratch / "run.db", "--table", "MPI_Send-MPI_Recv", "--format", "csv"}).out ==
          values);
    const std::string text = report(scratch, {scratch / "run.db", "--table", "MPI_Send-MPI_Recv"}).out;
    CHECK(contains(text, "bandwidth"));
    CHECK(text == take(table, "t.txt"));
    for (const std::vector<std::string>& wrong :
         std::vector<std::vector<std::string>>{{"--plot", "MPI_X*", "-o", scratch / "x.svg"},
                                               {"--plot", "MPI_Wtime", "-o", scratch / "x.svg"},
                                               {"--plot", "MPI_*", "-o", scratch / "x.html"},
                                               {"--plot", "MPI_Barrier"},
                                               {"--plot", "MPI_*", "--kind", "box", "-o", scratch / "x.svg"},
                                               {"--table", "MPI_Barrier", "--format", "pdf"},
                                               {"--plot", "MPI_Barrier", "--format", "svg"},
                                               {"--plot", "MPI_Barrier", "-o", scratch / "x.tex"},
                                               {"--table", "MPI_Barrier", "-o", scratch / "x.svg"}}) {
        std::vector<std::string> arguments = wrong;
        arguments.insert(arguments.begin(), scratch / "run.db");
        const ChildResult result = report(scratch, arguments);
        CHECK(result.exit_status == 2);
        CHECK(one_line_with(result.err, {wrong[0]}));
    }
}

TEST_CASE("-o - writes any format of one text to standard output") {
    const ScratchFolder scratch;
    write_database(scratch / "run.db", small_plan());
    for (const std::string format : {"txt", "md", "csv", "json", "out"}) {
        const ChildResult piped = report(scratch, {scratch / "run.db", "-o", "-", "--format", format});
        REQUIRE(piped.ok());
        REQUIRE(report(scratch, {scratch / "run.db", "-o", scratch / "x." + format}).ok());
        if (format != "txt" && format != "md") // those have all values in a file
            CHECK(piped.out == read(scratch / "x." + format));
    }
    CHECK(nlohmann::json::parse(report(scratch, {scratch / "run.db", "--format", "json"}).out)["format"] ==
          "skampi-report");
    const ChildResult pdf = report(scratch, {scratch / "run.db", "-o", "-", "--format", "pdf"});
    CHECK(pdf.exit_status == 2);
    CHECK(one_line_with(pdf.err, {"--format pdf", ".json"}));
    CHECK(report(scratch, {scratch / "run.db", "-o", "-", "--format", "nonsense"}).exit_status == 2);
    CHECK(report(scratch, {scratch / "run.db", "-o", scratch / "x.json", "--format", "csv"}).exit_status ==
          2);
}

TEST_CASE("suites are selected by name or pattern, in every format") {
    const ScratchFolder scratch;
    write_database(scratch / "run.db", small_plan());
    const auto suites = [&](std::vector<std::string> arguments) {
        arguments.insert(arguments.begin(), scratch / "run.db");
        arguments.insert(arguments.end(), {"-o", scratch / "x.json"});
        const ChildResult result = report(scratch, arguments);
        INFO(result.err);
        REQUIRE(result.ok());
        std::vector<std::string> names;
        const nlohmann::json json = nlohmann::json::parse(read(scratch / "x.json"));
        for (const nlohmann::json& suite : json["subjects"][0]["suites"])
            names.push_back(suite["name"]);
        return names;
    };
    using Names = std::vector<std::string>;
    CHECK(suites({}).size() == 4);
    CHECK(suites({"MPI_S*"}) == Names{"MPI_Send-MPI_Recv", "MPI_Ssend-MPI_Recv"});
    CHECK(suites({"--suite", "MPI_Barrier"}) == Names{"MPI_Barrier"});
    CHECK(suites({"--suite", "MPI_Barrier", "*Wtime"}) == Names{"MPI_Barrier", "MPI_Wtime"});
    const std::string csv = report(scratch, {scratch / "run.db", "MPI_Bar*", "--format", "csv"}).out;
    CHECK(contains(csv, "MPI_Barrier"));
    CHECK_FALSE(contains(csv, "MPI_Send"));
    CHECK(contains(report(scratch, {scratch / "run.db", "MPI_Bar*"}).out, "1 of 4, as selected"));
    const ChildResult none = report(scratch, {scratch / "run.db", "MPI_X*"});
    CHECK(none.exit_status == 2);
    CHECK(one_line_with(none.err, {"--suite MPI_X*", "MPI_Barrier"}));
    CHECK(report(scratch, {"MPI_X*"}).exit_status == 2);
    // A file is a file, whatever its name looks like.
    fs::copy_file(scratch / "run.db", scratch / "MPI_[x].db");
    CHECK(report(scratch, {scratch / "MPI_[x].db", "--format", "json"}).ok());
    // And a name is a name.
    std::vector<InventedSuite> plan = small_plan();
    plan.front().suite.name = R"(\end[x])";
    write_database(scratch / "run2.db", plan);
    CHECK(report(scratch, {scratch / "run2.db", "--suite", R"(\end[x])", "--format", "json"}).ok());
}

TEST_CASE("names that are no UTF-8 are shown in every format, with a mark for what they lack") {
    const ScratchFolder scratch;
    write(
        scratch / "foreign.csv",
        "run,suite,type,operation,pattern,varied,argument,message_bytes,ranks,chunks,value_s,standard_error_s,"
        "count,minimum_s,quartile25_s,median_s,quartile75_s,maximum_s,flags\n"
        "r1,s,17,M\xff,collective,message length,8,8,4,0,1e-06,1e-08,20,9e-07,9.5e-07,1e-06,1.1e-06,2e-06,\n");
    REQUIRE(report(scratch, {scratch / "foreign.csv", "-o", scratch / "x.json"}).ok());
    CHECK(contains(nlohmann::json::parse(read(scratch / "x.json")).dump(), "M\xEF\xBF\xBD"));
    CHECK(report(scratch, {scratch / "foreign.csv", "-o", scratch / "folder/"}).ok());
    fs::copy_file(scratch / "foreign.csv", scratch / "foreign2.csv");
    const ChildResult both =
        report(scratch, {"compare", scratch / "foreign.csv", scratch / "foreign2.csv", "--format", "json"});
    INFO(both.err);
    REQUIRE(both.exit_status == 0);
    CHECK(contains(nlohmann::json::parse(both.out).dump(), "M\xEF\xBF\xBD"));
}

TEST_CASE("on a terminal there are colours, unless somebody wants none") {
    const ScratchFolder scratch;
    std::vector<InventedSuite> plan = small_plan();
    plan.front().suite.name += "\x1b[2J\xC2\x9B";
    write_database(scratch / "run.db", plan);
    fs::create_directories(scratch / "tmp");
    const auto shown = [&](const std::string& environment, const std::string& format = "txt") {
        int terminal = -1;
        const pid_t child = forkpty(&terminal, nullptr, nullptr, nullptr);
        REQUIRE(child >= 0);
        if (child == 0) {
            setenv("TERM", "xterm", 1);
            setenv("TMPDIR", (scratch / "tmp").c_str(), 1);
            unsetenv("NO_COLOR");
            if (!environment.empty())
                putenv(const_cast<char*>(environment.c_str()));
            const std::string program = from_environment("SKAMPI_REPORT");
            const std::string database = scratch / "run.db";
            execl(program.c_str(), program.c_str(), database.c_str(), "--format", format.c_str(), nullptr);
            _exit(127);
        }
        std::string text;
        std::array<char, 4096> buffer{};
        for (ssize_t got = 0; (got = ::read(terminal, buffer.data(), buffer.size())) > 0;)
            text.append(buffer.data(), static_cast<std::size_t>(got));
        int status = 0;
        waitpid(child, &status, 0);
        close(terminal);
        CHECK(status == 0);
        return text;
    };
    CHECK(contains(shown(""), "\x1b[1mMPI performance report\x1b[0m"));
    for (const std::string none : {"NO_COLOR=1", "TERM=dumb"}) {
        const std::string text = shown(none);
        CHECK(contains(text, "MPI performance report"));
        CHECK_FALSE(contains(text, "\x1b"));
    }
    // Data hold names as they are, but no terminal obeys them.
    for (const std::string format : {"csv", "json"}) {
        CAPTURE(format);
        const std::string text = shown("", format);
        CHECK(contains(text, "[2J"));
        CHECK_FALSE(contains(text, "\x1b"));
        CHECK_FALSE(contains(text, "\xC2\x9B"));
    }
    CHECK(contains(report(scratch, {scratch / "run.db", "--format", "csv"}).out, "\x1b[2J\xC2\x9B"));
}

TEST_CASE("a reader that has seen enough ends the report without a word") {
    const ScratchFolder scratch;
    write_database(scratch / "run.db", full_plan({}));
    Command command;
    fs::create_directories(scratch / "tmp");
    command.environment["TMPDIR"] = scratch / "tmp";
    // A pipe holds 64 KiB; the JSON form is longer.
    command.argv = {"bash", "-c", "\"$0\" \"$1\" --format json | head -c 1; exit ${PIPESTATUS[0]}",
                    from_environment("SKAMPI_REPORT"), scratch / "run.db"};
    command.timeout_s = 60;
    const ChildResult result = run(std::move(command));
    CHECK(result.out == "{");
    CHECK(result.err.empty());
    CHECK(result.exit_status == 128 + SIGPIPE);
    CHECK(tidy(scratch));
}

TEST_CASE("a contract is kept, broken or open, and its verdicts are data") {
    const ScratchFolder scratch;
    {
        Database database = Database::open_for_writing(scratch / "new.db");
        write_merged(database, invented_run("new"), InventedMachine{}, 6, 2, 0.01);
    }
    const auto accepted = [&](const std::string& contract, const std::string& output) {
        std::ofstream(scratch / "contract.txt") << contract;
        return report(scratch,
                      {"accept", scratch / "contract.txt", scratch / "new.db", "-o", scratch / output});
    };
    CHECK(accepted("MPI_Bcast 8 B: time < 1 s", "x.json").exit_status == 0);
    const std::string mixed = "MPI_Bcast 8 B: time < 1 s\n"
                              "MPI_Bcast 8 B: time < 1 ns\n"
                              "MPI_Bcast 8 B on 999 ranks: time < 1 s\n";
    const ChildResult broken = accepted(mixed, "x.json");
    CHECK(broken.exit_status == 1);
    CHECK(last_line(broken.out).ends_with(" failed=1 open=1"));
    const nlohmann::json verdicts = nlohmann::json::parse(read(scratch / "x.json")).at("contract");
    REQUIRE(verdicts.size() == 3);
    CHECK(verdicts[0].at("verdict") == "kept");
    CHECK(verdicts[0].at("measured") > 0);
    CHECK(verdicts[1].at("verdict") == "broken");
    CHECK(verdicts[2].at("why") == "ranks_not_measured");
    const ChildResult open = accepted("MPI_Bcast 8 B on 999 ranks: time < 1 s", "x.xml");
    CHECK(open.exit_status == 4);
    CHECK(contains(read(scratch / "x.xml"), "errors=\"1\""));
    CHECK(one_line_with(accepted("MPI_Bcat 8 B: time < 1 s", "x.json").err,
                        {"contract.txt:1:1:", "MPI_Bcast"}));
}

TEST_CASE("a gate that holds ends with 1, an open one with 4, with a line of each suite and JUnit's XML") {
    const ScratchFolder scratch;
    {
        InventedMachine machine;
        Database a = Database::open_for_writing(scratch / "old.db");
        write_merged(a, invented_run("old"), machine, 6, 1, 0.01);
        machine.latency_s *= 1.5;
        Database b = Database::open_for_writing(scratch / "new.db");
        write_merged(b, invented_run("new"), machine, 6, 2, 0.01);
        Database few = Database::open_for_writing(scratch / "few.db");
        write_merged(few, invented_run("few"), machine, 3, 2, 0.01);
    }
    const auto gates = [&](std::vector<std::string> arguments) {
        arguments.insert(arguments.begin(), {"compare", scratch / "new.db", "--baseline", scratch / "old.db",
                                             "-o", scratch / "x.json"});
        return report(scratch, arguments);
    };
    const ChildResult failed =
        gates({"--fail-if", "MPI_Bcast significantly slower", "--junit", scratch / "x.xml"});
    CHECK(failed.exit_status == 1);
    CHECK(contains(failed.err, "skampi-report: --fail-if "));
    CHECK(std::ranges::count(failed.err, '\n') == 2);
    CHECK(last_line(failed.out).ends_with(" failed=1"));
    CHECK(contains(read(scratch / "x.xml"), "failures=\"1\""));
    CHECK(fs::exists(scratch / "x.json")); // the report is made all the same
    const ChildResult passed = gates({"--fail-if", "MPI_Bcast > 2", "--junit", scratch / "x.xml"});
    CHECK(passed.ok());
    CHECK(passed.err.empty());
    CHECK(contains(read(scratch / "x.xml"), "failures=\"0\""));
    const ChildResult open = report(scratch, {"compare", scratch / "few.db", "--baseline", scratch / "old.db",
                                              "-o", scratch / "x.json", "--fail-if", "MPI_Bcast > 2"});
    CHECK(open.exit_status == 4);
    CHECK(one_line_with(open.err, {"'MPI_Bcast > 2'"}));
    CHECK(last_line(open.out).starts_with("SKAMPI: OPEN "));
    CHECK(gates({"--fail-if", "MPI_Bcast is slow"}).exit_status == 2);
    const ChildResult nothing = gates({"--fail-if", "MPI_Nothing > 2"});
    CHECK(nothing.exit_status == 2);
    CHECK(one_line_with(nothing.err, {"'MPI_Nothing > 2'"}));
    const ChildResult itself = report(
        scratch, {"compare", scratch / "old.db", "--baseline", scratch / "old.db", "--fail-if", "> 2"});
    CHECK(itself.exit_status == 2);
    // So is a copy of it under another name.
    fs::copy_file(scratch / "old.db", scratch / "copy.db");
    const ChildResult copy =
        report(scratch, {"compare", scratch / "copy.db", "--baseline", scratch / "old.db", "--fail-if",
                         "significantly slower", "-o", scratch / "copy.json"});
    CHECK(copy.exit_status == 2);
    CHECK(one_line_with(copy.err, {"old.db", "copy.db"}));
    CHECK_FALSE(fs::exists(scratch / "copy.json"));
    CHECK(gates({"--junit", scratch / "y.xml"}).exit_status == 2);
    CHECK(report(scratch, {"compare", scratch / "old.db", "--fail-if", "> 2"}).exit_status == 2);
}

TEST_CASE("cost models as a C header compile, and say what the models of the JSON form say") {
    const ScratchFolder scratch;
    std::vector<InventedSuite> plan = full_plan({});
    plan[0].suite.name = "*/ int pwned; /* \\";
    Run run = invented_run("run-1");
    run.machine = "*/\nint pwned2; ?"
                  "?/\n";
    write_database(scratch / "run.db", plan, run);
    REQUIRE(report(scratch, {scratch / "run.db", "-o", scratch / "models.h"}).ok());
    write(scratch / "main.c", R"(#include "models.h"
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char** argv) {
    int ranks = argc > 2 ? atoi(argv[2]) : 2;
    double bytes = argc > 1 ? atof(argv[1]) : 0;
    printf("%.17g %.17g %.17g %.17g\n", skampi_MPI_Send_MPI_Recv(bytes, ranks), skampi_MPI_Send_MPI_Recv_error(bytes, ranks),
           skampi_MPI_Bcast(bytes, ranks), skampi_MPI_Barrier(bytes, ranks));
    return 0;
}
)");
    output_of({"cc", "-std=c99", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-o", scratch / "models",
               scratch / "main.c", "-lm"});
    const auto at = [&](const std::string& bytes, const std::string& ranks) {
        std::istringstream stream(output_of({scratch / "models", bytes, ranks}));
        std::vector<double> values;
        for (std::string word; stream >> word;)
            values.push_back(std::strtod(word.c_str(), nullptr));
        REQUIRE(values.size() == 4);
        return values;
    };
    REQUIRE(report(scratch, {scratch / "run.db", "-o", scratch / "run.json"}).ok());
    const nlohmann::json json = nlohmann::json::parse(read(scratch / "run.json"))["subjects"][0]["suites"][0];
    const nlohmann::json& segments = json["cost_model"]["segments"];
    REQUIRE(segments.size() == 2);
    for (const nlohmann::json& segment : segments)
        for (const char* end : {"first", "last"}) {
            const auto argument = segment[end].get<double>();
            const std::vector<double> values = at(segment[end].dump(), "2");
            CHECK(values[0] == segment["alpha_s"].get<double>() + segment["beta_s"].get<double>() * argument);
            CHECK(values[1] == segment["worst_error"].get<double>());
        }
    // Between two pieces, outside, on other ranks.
    const double left = at(segments[0]["last"].dump(), "2")[0];
    const double right = at(segments[1]["first"].dump(), "2")[0];
    const double middle = (segments[0]["last"].get<double>() + segments[1]["first"].get<double>()) / 2;
    CHECK(at(std::to_string(middle), "2")[0] == close_to((left + right) / 2).epsilon(1e-9));
    CHECK(std::isnan(at("4194305", "2")[0]));
    CHECK(std::isnan(at("8", "3")[0]));
    CHECK(at("8", "16")[2] > 0); // MPI_Bcast over lengths on 16 ranks
    CHECK(at("256", "5")[2] * 1e6 == close_to(0.42 * 2.5).epsilon(0.05)); // over ranks, at 256 bytes
    CHECK(at("0", "5")[3] * 1e6 == close_to(0.4 * 2.5).epsilon(0.05));
}

TEST_CASE(
    "the C header has a time for any length and number of ranks of operations measured over both, and of "
    "others where they were measured") {
    const ScratchFolder scratch;
    write_database(scratch / "run.db", full_plan({}));
    REQUIRE(report(scratch, {scratch / "run.db", "-o", scratch / "models.h"}).ok());
    REQUIRE(report(scratch, {scratch / "run.db", "-o", scratch / "run.json"}).ok());
    write(scratch / "main.c", R"(#include "models.h"
#include <stdio.h>
int main(void) {
    double bytes;
    int ranks;
    while (scanf("%lf %d", &bytes, &ranks) == 2)
        printf("%.17g %.17g %.17g %.17g %.17g %.17g\n", skampi_MPI_Bcast(bytes, ranks), skampi_MPI_Bcast_error(bytes, ranks),
               skampi_MPI_Alltoall(bytes, ranks), skampi_MPI_Allreduce(bytes, ranks), skampi_MPI_Barrier(bytes, ranks),
               skampi_MPI_Scan(bytes, ranks));
    return 0;
}
)");
    output_of({"cc", "-std=c99", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-o", scratch / "models",
               scratch / "main.c", "-lm"});
    enum { bcast, bcast_error, alltoall, allreduce, barrier, scan };
    const auto at = [&](double bytes, int ranks) {
        Command command;
        command.argv = {"sh", "-c",
                        "echo " + std::to_string(bytes) + " " + std::to_string(ranks) + " | " +
                            (scratch / "models")};
        std::istringstream stream(run(std::move(command)).out);
        std::vector<double> values;
        for (std::string word; stream >> word;)
            values.push_back(std::strtod(word.c_str(), nullptr));
        REQUIRE(values.size() == 6);
        return values;
    };
    const nlohmann::json surfaces =
        nlohmann::json::parse(read(scratch / "run.json"))["subjects"][0]["surfaces"];
    for (const auto& [operation, place] : {std::pair{"MPI_Bcast", bcast}, {"MPI_Alltoall", alltoall}}) {
        const auto found = std::ranges::find_if(surfaces, [&, name = operation](const nlohmann::json& each) {
            return each["operation"] == name;
        });
        REQUIRE(found != surfaces.end());
        const nlohmann::json& latency = (*found)["latency"];
        const nlohmann::json& per_byte = (*found)["per_byte"];
        REQUIRE(latency["form"] == "p");
        REQUIRE(per_byte["form"] == "p");
        const auto sum = [](const nlohmann::json& model, double ranks) {
            return model["alpha_s"].get<double>() + model["beta_s"].get<double>() * ranks +
                   model["gamma_s"].get<double>() * (ranks == 7 ? 1 : 0);
        };
        for (const int ranks : {2, 7, 15})
            CHECK(at(10000, ranks)[static_cast<std::size_t>(place)] ==
                  close_to(sum(latency, ranks) + 10000 * sum(per_byte, ranks)).epsilon(1e-9));
        if (place == bcast)
            CHECK(at(10000, 7)[bcast_error] == (*found)["worst_error"].get<double>());
    }
    // A single length or number of ranks is said by what was fitted to it alone.
    CHECK(at(256, 7)[bcast] * 1e6 == close_to(0.42048 * 3.1).epsilon(0.02));
    CHECK(at(20000, 16)[bcast] * 1e6 == close_to(4 * 3.5).epsilon(0.02));
    CHECK(std::isnan(at(255, 7)[bcast])); // shorter than what was measured on 7 ranks
    CHECK(std::isnan(at(65537, 7)[bcast]));
    CHECK(std::isnan(at(10000, 17)[bcast]));
    CHECK(std::isnan(at(10000, 1)[bcast]));
    // Over lengths only, over ranks only, over both with one length.
    CHECK(at(1024, 16)[allreduce] > 0);
    CHECK(std::isnan(at(1024, 8)[allreduce]));
    CHECK(at(0, 8)[barrier] * 1e6 == close_to(0.4 * 3.4).epsilon(0.02));
    CHECK(at(1e9, 8)[barrier] == at(0, 8)[barrier]); // which has no length
    CHECK(std::isnan(at(0, 17)[barrier]));
    CHECK(at(256, 8)[scan] > 0);
    CHECK(at(1024, 16)[scan] > 0);
    CHECK(std::isnan(at(1024, 8)[scan]));
}

TEST_CASE("cost models as a table add up to what the models of the JSON form say") {
    const ScratchFolder scratch;
    bool merged = false;
    SUBCASE("one launch") {
        write_database(scratch / "run.db", full_plan({}));
    }
    SUBCASE("five launches") {
        merged = true;
        Database database = Database::open_for_writing(scratch / "run.db");
        write_merged(database, invented_run("00000000-0000-4000-a000-000000000001"), {}, 5, 1, 0.02);
    }
    REQUIRE(report(scratch, {scratch / "run.db", "-o", scratch / "run.models.csv"}).ok());
    REQUIRE(report(scratch, {scratch / "run.db", "-o", scratch / "run.json"}).ok());
    const ChildResult shown = report(scratch, {scratch / "run.db", "-o", "-", "--format", "models.csv"});
    CHECK(shown.out == read(scratch / "run.models.csv"));
    std::istringstream table(shown.out);
    const auto cells_of = [](const std::string& line) {
        std::vector<std::string> cells(1);
        for (const char c : line)
            if (c == ',')
                cells.emplace_back();
            else
                cells.back() += c;
        return cells;
    };
    std::string line;
    std::getline(table, line);
    const std::vector<std::string> names = cells_of(line);
    std::vector<std::map<std::string, std::string>> rows;
    while (std::getline(table, line)) {
        const std::vector<std::string> cells = cells_of(line);
        REQUIRE(cells.size() == names.size());
        for (std::size_t i = 0; i < cells.size(); ++i)
            (i == 0 ? rows.emplace_back() : rows.back())[names[i]] = cells[i];
    }
    const auto number = [](const std::string& text) { return std::strtod(text.c_str(), nullptr); };
    const nlohmann::json subject = nlohmann::json::parse(read(scratch / "run.json"))["subjects"][0];
    const auto rows_of = [&](const std::string& suite, const std::string& model) {
        std::vector<std::map<std::string, std::string>> found;
        for (auto& row : rows)
            if (row["suite"] == suite && row["model"] == model)
                found.push_back(row);
        return found;
    };
    const auto check = [&](std::map<std::string, std::string> row, const nlohmann::json& model,
                           const std::string& coefficient) {
        CAPTURE(row["suite"]);
        CAPTURE(row["term"]);
        const double value_s = number(row["value_s"]);
        const double error_s = number(row["standard_error_s"]);
        CHECK(value_s == model[coefficient + "_s"].get<double>());
        CHECK(error_s == model[coefficient + "_error_s"].get<double>());
        CHECK(error_s > 0);
        CHECK(row["errors"] == model["errors"]["source"].get<std::string>());
        CHECK(row["launches"] == model["errors"]["launches"].dump());
        if (row["errors"] == "along_curve") { // one launch does not know how far they differ
            CHECK(row["low_s"].empty());
            CHECK(row["high_s"].empty());
        } else {
            CHECK(number(row["low_s"]) < value_s - 1.9 * error_s);
            CHECK(number(row["high_s"]) > value_s + 1.9 * error_s);
        }
        CHECK(number(row["worst_error"]) == model["worst_error"].get<double>());
    };
    const auto pieces = rows_of("MPI_Send-MPI_Recv", "pieces");
    const nlohmann::json& segments = subject["suites"][0]["cost_model"]["segments"];
    REQUIRE(segments.size() == 2);
    REQUIRE(pieces.size() == 4);
    for (std::size_t i = 0; i < 4; ++i) {
        check(pieces[i], segments[i / 2], i % 2 == 0 ? "alpha" : "beta");
        CHECK(pieces[i].at("errors") == (merged ? "between_launches" : "along_curve"));
        CHECK(pieces[i].at("term") == (i % 2 == 0 ? "1" : "m"));
        CHECK(pieces[i].at("first") == segments[i / 2]["first"].dump());
        CHECK(pieces[i].at("last") == segments[i / 2]["last"].dump());
    }
    const auto growth = rows_of("MPI_Barrier", "growth");
    const auto barrier = std::ranges::find_if(
        subject["suites"], [](const nlohmann::json& suite) { return suite["name"] == "MPI_Barrier"; });
    REQUIRE(growth.size() == 2);
    check(growth[0], (*barrier)["growth"], "alpha");
    check(growth[1], (*barrier)["growth"], "beta");
    CHECK(growth[1].at("term") == "p");
    CHECK(growth[1].at("message_bytes").empty());
    const auto surface = rows_of("MPI_Bcast-nodes-256 + MPI_Bcast-nodes-64K", "surface");
    REQUIRE(surface.size() == 4);
    check(surface[3], subject["surfaces"][0]["per_byte"], "beta");
    CHECK(surface[3].at("term") == "m p");
    CHECK(surface[3].at("last_bytes") == "65536");
}

TEST_CASE("OSU's and IMB's text comes back as it was read, and suites without a program there are named") {
    const ScratchFolder scratch;
    const std::string osu = "\n# OSU MPI Allreduce Latency Test v7.4\n# Datatype: MPI_CHAR.\n"
                            "# Size       Avg Latency(us)\n4                     1.0500\n"
                            "1048576              1219.56\n";
    std::ofstream(scratch / "in.txt") << osu;
    REQUIRE(report(scratch, {scratch / "in.txt", "-o", scratch / "out.osu.txt"}).ok());
    CHECK(read(scratch / "out.osu.txt") == osu);
    CHECK(report(scratch, {scratch / "in.txt", "--format", "osu"}).out == osu);
    const std::string imb = report(scratch, {scratch / "in.txt", "--format", "imb"}).out;
    CHECK(contains(imb, "\n      1048576            1      1219.56      1219.56      1219.56\n\n"));
    {
        Database database = Database::open_for_writing(scratch / "run.db");
        write_merged(database, invented_run("00000000-0000-4000-a000-000000000001"), {}, 5, 1, 0.02);
    }
    const ChildResult some = report(scratch, {scratch / "run.db", "-o", scratch / "run.osu.txt"});
    CHECK(some.exit_status == 1);
    CHECK(contains(some.err, "MPI_Ssend-MPI_Recv"));
    CHECK(contains(read(scratch / "run.osu.txt"), "# OSU MPI Latency Test v7.4\n"));
}

TEST_CASE("help and version answer without a database") {
    const ScratchFolder scratch;
    const ChildResult help = report(scratch, {"--help"});
    CHECK(help.ok());
    CHECK(std::count(help.out.begin(), help.out.end(), '\n') <= 44);
    CHECK(report(scratch, {"--version"}).out.starts_with("skampi-report "));
}

TEST_CASE("a file that is called like a command is shown, too") {
    const ScratchFolder scratch;
    write_database(scratch / "history", small_plan());
    const std::string reported = report(scratch, {scratch / "history", "--format", "csv"}).out;
    CHECK(contains(reported, "MPI_Barrier"));
}

TEST_CASE("several databases are compared in JSON and on paper") {
    const ScratchFolder scratch;
    {
        InventedMachine machine;
        Database a = Database::open_for_writing(scratch / "old.db");
        write_merged(a, invented_run("old"), machine, 6, 1, 0.01);
        machine.latency_s *= 0.5;
        machine.seconds_per_byte *= 0.5;
        machine.jump_s *= 0.5;
        Database b = Database::open_for_writing(scratch / "new.db");
        write_merged(b, invented_run("new"), machine, 6, 2, 0.01);
    }
    const auto compared = [&](const char* output) {
        return report(scratch, {"compare", scratch / "new.db", "--baseline", scratch / "old.db", "-o",
                                scratch / output});
    };
    REQUIRE(compared("a.json").ok());
    const nlohmann::json comparison = nlohmann::json::parse(read(scratch / "a.json"))["comparisons"][0];
    CHECK(comparison["reference"] == "old");
    CHECK(comparison["verdicts"]["faster"].get<int>() > 0);
    CHECK(comparison["verdicts"]["slower"] == 0);
    CHECK(comparison["verdicts"]["open"] == 0);
    REQUIRE(compared("a.pdf").ok());
    CHECK(contains(pdf_text(scratch / "a.pdf"), "new against old"));
}

TEST_CASE("nodes and links that are slow are shown, named for scripts, and fail gates") {
    const ScratchFolder scratch;
    {
        Database database = Database::open_for_writing(scratch / "links.db");
        Run run;
        run.uuid = "links-1";
        run.started_utc = "2026-11-29T10:00:00Z";
        constexpr int nodes = 16;
        for (int i = 0; i < nodes; ++i) {
            RankFacts& rank = run.rank_facts.emplace_back();
            rank.rank = 4 * i;
            rank.processor = "n" + std::to_string(i);
            run.detours.push_back({4 * i, 1, i == 5 ? 0.02 : 1e-4, 100, 2e-4});
        }
        const RunId id = database.begin_run(run, {});
        for (const std::int64_t bytes : {std::int64_t{8}, std::int64_t{1} << 20})
            for (const Company company : {Company::all, Company::other, Company::none})
                for (int pass = 0; pass < 3; ++pass) {
                    PairMap map{.pass = pass, .company = company, .message_bytes = bytes};
                    for (int i = 0; i < nodes; ++i)
                        for (int j = i + 1; j < nodes; ++j) {
                            const double slow =
                                bytes == 8 ? 1 : (i == 3 || j == 3 ? 2 : 1) * (i == 7 && j == 9 ? 3 : 1);
                            map.pairs.push_back({4 * i, 4 * j, static_cast<float>(slow * 1e-6)});
                        }
                    database.add_pair_map(id, map);
                }
        database.end_run(id, run);
    }
    const auto links = [&](std::vector<std::string> words) {
        words.insert(words.begin(), {"links", scratch / "links.db"});
        return report(scratch, std::move(words));
    };
    CHECK(report(scratch, {scratch / "links.db"}).out == links({}).out);
    CHECK(contains(links({}).out, "n7 - n9"));
    CHECK(contains(links({}).out, "n5 2.0 %: 100 "));
    CHECK(links({"--bad-nodes"}).out == "n3\n");
    CHECK(links({"--fail-if", "node bandwidth < 0.9"}).exit_status == 1);
    CHECK(links({"--fail-if", "node bandwidth < 0.4"}).exit_status == 0);
    CHECK(links({"--fail-if", "pair bandwidth < 0.4", "--bad-nodes"}).exit_status == 1);
    CHECK(links({"--fail-if", "pair latency > 2"}).exit_status == 0);
    CHECK(links({"--fail-if", "pair latency < 2"}).exit_status == 2);
    CHECK(links({"--bad-nodes", "-o", scratch / "x.csv"}).exit_status == 2);
    for (const char* name : {"x.html", "x.csv", "x.json", "x.txt"})
        CHECK(links({"-o", scratch / name}).exit_status == 0);
    CHECK(contains(read(scratch / "x.html"), "class=\"cells h"));
    const auto data = nlohmann::json::parse(read(scratch / "x.json"));
    CHECK(data["runs"][0]["bad_nodes"] == nlohmann::json::array({"n3"}));
    CHECK(data["runs"][0]["lengths"][1]["slow"].size() == 2);
    CHECK(data["runs"][0]["detours"].size() == 16);
    CHECK(data["runs"][0]["detours"][5] ==
          nlohmann::json{
              {"member", "n5"}, {"watched_s", 1.0}, {"lost_s", 0.02}, {"detours", 100}, {"longest_s", 2e-4}});
    const std::string csv = read(scratch / "x.csv");
    CHECK(std::ranges::count(csv, '\n') == 1 + 2 * 16 * 15 / 2);

    // A contract is kept by databases of links, of suites, or of both.
    {
        Database database = Database::open_for_writing(scratch / "run.db");
        write_merged(database, invented_run("new"), InventedMachine{}, 6, 2, 0.01);
    }
    const auto accept = [&](const std::string& contract, std::vector<std::string> words) {
        write(scratch / "contract.txt", contract);
        words.insert(words.begin(), {"accept", scratch / "contract.txt"});
        return report(scratch, std::move(words));
    };
    const std::string on_links = "node bandwidth > 0.9 of its class\nnode latency < 1.5 of its class\n";
    CHECK(accept("node latency < 1.5 of its class", {scratch / "links.db"}).exit_status == 0);
    CHECK(accept(on_links, {scratch / "links.db", "-o", scratch / "l.html"}).exit_status == 1);
    CHECK(accept(on_links + "MPI_Bcast 8 B: time < 1 s\nlinks: none slow\n",
                 {scratch / "run.db", scratch / "links.db", "-o", scratch / "l.json"})
              .exit_status == 1);
    const auto contract = nlohmann::json::parse(read(scratch / "l.json"))["contract"];
    std::vector<std::string> verdicts;
    for (const auto& each : contract)
        verdicts.push_back(each["verdict"]);
    CHECK(verdicts == std::vector<std::string>{"broken", "kept", "kept", "broken"});
    CHECK(contract[0]["suite"].is_null());
    CHECK(contains(contract[3]["found"].get<std::string>(), "n7 - n9"));
    CHECK(accept("links: none slow", {scratch / "run.db"}).exit_status == 4);
    CHECK(accept("MPI_Bcast 8 B: time < 1 s", {scratch / "links.db"}).exit_status == 2);
    CHECK(accept("bisection: minimum > 1 GB/s", {scratch / "links.db"}).exit_status == 4);
    CHECK(report(scratch, {"links", scratch / "missing.db", "--bad-nodes"}).out.empty());
    CHECK(tidy(scratch));
}
