#include "base/child.hpp"
#include "invented_results.hpp"
#include "store/database.hpp"

#include <algorithm>
#include <cstdlib>
#include <doctest/doctest.h>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <nlohmann/json.hpp>
#include <sstream>
#include <stdexcept>

using namespace skampi;
using namespace skampi::test;
namespace fs = std::filesystem;

namespace {

/// A folder of its own for each test; kept when a REQUIRE failed, to be looked at.
class Scratch {
public:
    Scratch() {
        std::string name = (fs::temp_directory_path() / "report_test.XXXXXX").string();
        if (mkdtemp(name.data()) == nullptr)
            throw std::runtime_error("no folder for the test");
        folder_ = name;
        fs::create_directory(folder_ / "tmp");
    }
    Scratch(Scratch&&) = delete;
    ~Scratch() {
        std::error_code ignored;
        if (std::uncaught_exceptions() == 0)
            fs::remove_all(folder_, ignored);
    }
    [[nodiscard]] std::string path(const std::string& name) const { return (folder_ / name).string(); }
    [[nodiscard]] std::vector<std::string> names() const {
        std::vector<std::string> found;
        for (const auto& entry : fs::directory_iterator(folder_))
            found.push_back(entry.path().filename().string());
        std::sort(found.begin(), found.end());
        return found;
    }
    /// Whether the report left nothing in the folder for temporary files.
    [[nodiscard]] bool tidy() const { return fs::is_empty(folder_ / "tmp"); }

private:
    fs::path folder_;
};

std::string read(const std::string& path) {
    std::ifstream stream(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

void write(const std::string& path, const std::string& text) {
    std::ofstream stream(path, std::ios::binary);
    stream << text;
    stream.close();
    REQUIRE(stream.good());
}

/// Runs skampi-report with its temporary files in the scratch folder.
ChildResult report(const Scratch& scratch, std::vector<std::string> arguments,
                   const std::string& search_path = {}) {
    const char* program = std::getenv("SKAMPI_REPORT");
    if (program == nullptr)
        throw std::runtime_error("SKAMPI_REPORT must name the program to test");
    arguments.insert(arguments.begin(), program);
    Command command;
    command.argv = std::move(arguments);
    command.timeout_s = 300;
    command.environment["TMPDIR"] = scratch.path("tmp");
    if (!search_path.empty())
        command.environment["PATH"] = search_path;
    return run(std::move(command));
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

bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
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

/// Texts that try to be something else in LaTeX, gnuplot, HTML, the shell or a file name. PWNED is where a
/// command would leave its mark.
std::vector<std::string> nasty_texts(const std::string& pwned) {
    return {"\\input{/etc/passwd}",
            "`touch " + pwned + "`",
            "$(touch " + pwned + ")",
            "\\write18{touch " + pwned + "}",
            "'; system('touch " + pwned + "'); '",
            "''\nsystem \"touch " + pwned + "\"\n",
            "!touch " + pwned,
            "\"; system(\"touch " + pwned + "\") #",
            "100% of _this_ & #that $HOME ~ ^ {",
            "}}\\end{document}",
            "\\",
            "^^5cinput{/etc/passwd}",
            "<script>alert(1)</script>",
            "\" onload=\"alert(1)",
            "[x]{y}",
            "@HOME ^{sup} _{sub}",
            "Grüße, 世界 🚀",
            "\xff\xfe invalid",
            "*/ /*@inp2p",
            "--help",
            "?`!` << >> --- ,,",
            "../../../etc/passwd",
            "%n%s%d",
            std::string(5000, 'W'),
            std::string(300, '_') + " " + std::string(50, '\\'),
            "",
            "a\tb"};
}

} // namespace

TEST_CASE("a PDF answers first and holds facts, plots and comparisons") {
    const Scratch scratch;
    write_database(scratch.path("run.db"), full_plan({}));
    const ChildResult result = report(
        scratch, {scratch.path("run.db"), "-o", scratch.path("report.pdf"), "--title", "A Title of Ours"});
    INFO(result.err);
    REQUIRE(result.ok());
    CHECK(result.err.empty());
    CHECK(last_line(result.out).rfind("SKAMPI: OK figures=43 pages=", 0) == 0);
    CHECK(scratch.tidy());
    const std::string text = pdf_text(scratch.path("report.pdf"));
    CHECK(text.rfind("A Title of Ours Cluster of Invented Machines Descriptive: 30 suites of MPICH Version: "
                     "4.0.2 on 16 "
                     "ranks, 622 points, all settled, from one launch",
                     0) == 0);
    for (const char* part :
         {"Latency, 1 byte (half round trip)", "Peak bandwidth", "Run-to-run noise",
          "1.1 Description of a node", "64 GiB of memory", "2.9 MPI_Sendrecv_replace",
          "Collective, varied over message length", "logarithmic, automatic x-wide adaption", "0 B - 4 MiB",
          "Fitted cost model", "The time jumps between 8 KiB and",
          "6.14 MPI_Reduce and MPI_Scan (over the number of nodes)", "1 launch; 5 needed",
          "7.2 Repetition: automatic standard error control (ASEC)", "# 100 % of $HOME & co"})
        CHECK_MESSAGE(contains(text, part), part);
    // The page numbers of the contents are right: two passes were enough, or more were made.
    const std::string contents =
        output_of({"pdftotext", "-f", "2", "-l", "3", "-layout", scratch.path("report.pdf"), "-"});
    const std::size_t line = contents.find("How it was measured");
    REQUIRE(line != std::string::npos);
    const std::string page = contents.substr(line + 19, contents.find('\n', line) - line - 19);
    const std::string number = page.substr(page.find_first_of("0123456789"));
    CHECK(contains(output_of({"pdftotext", "-f", number, "-l", number, scratch.path("report.pdf"), "-"}),
                   "How it was measured"));
}

TEST_CASE("text from a database never acts as LaTeX, gnuplot, HTML or shell") {
    const Scratch scratch;
    const std::string pwned = scratch.path("pwned");
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
        Database database = Database::open_for_writing(scratch.path("nasty.db"));
        const RunId id = write_run(database, run, plan, 1, 0.02);
        for (const std::string& text : texts)
            database.add_event(id, {text, text, text, text});
        for (const StoredSuite& suite : database.suites(id))
            database.set_suite_facts(suite.id, {{texts[0], texts[1]}, {texts[8], texts[23]}});
    }
    for (const std::string format : {"pdf", "html", "csv", "json", "out", "tex"}) {
        const ChildResult result = report(
            scratch, {scratch.path("nasty.db"), "-o", scratch.path("r." + format), "--title", texts[0]});
        INFO(format << ": " << result.err);
        CHECK(result.ok());
        CHECK_FALSE(fs::exists(pwned));
    }
    const std::string text = pdf_text(scratch.path("r.pdf"));
    CHECK(contains(text, "\\input{/etc/passwd}"));
    CHECK_FALSE(contains(text, "root:"));
    CHECK_FALSE(contains(read(scratch.path("r.html/index.html")), "<script"));
    for (const auto& entry : fs::directory_iterator(scratch.path("r.html/figures")))
        CHECK_FALSE(contains(read(entry.path().string()), "<script"));
    CHECK(nlohmann::json::parse(read(scratch.path("r.json")))["subjects"][0]["suites"].size() ==
          texts.size());
    CHECK(scratch.tidy());
}

TEST_CASE("databases with little or nothing in them give clear words in every format") {
    const Scratch scratch;
    {
        const Database empty = Database::open_for_writing(scratch.path("empty.db"));
        std::vector<Suite> suites;
        for (const InventedSuite& invented : small_plan())
            suites.push_back(invented.suite);
        Database planned = Database::open_for_writing(scratch.path("planned.db"));
        planned.begin_run(invented_run("planned"), suites);
        std::vector<InventedSuite> single = small_plan();
        for (InventedSuite& invented : single)
            invented.arguments.resize(1);
        write_database(scratch.path("single.db"), single);
    }
    for (const std::string name : {"empty", "planned", "single"})
        for (const std::string format : {"pdf", "html", "csv", "json", "out", "tex"}) {
            const ChildResult result =
                report(scratch, {scratch.path(name + ".db"), "-o", scratch.path(name + "." + format)});
            INFO(name << "." << format << ": " << result.err);
            CHECK(result.ok());
        }
    CHECK(contains(pdf_text(scratch.path("empty.pdf")), "this database holds no run"));
    CHECK(contains(pdf_text(scratch.path("planned.pdf")), "nothing has been measured to the end yet"));
    CHECK(contains(pdf_text(scratch.path("single.pdf")), "MPI_Barrier 2 ranks"));
}

TEST_CASE("values that no axis can show do not stop the report") {
    const Scratch scratch;
    int number = 0;
    write_database(scratch.path("odd.db"), full_plan({}), invented_run("odd"),
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
                           measurement.value_s = 1e300;
                           break;
                       case 4:
                           measurement.summary = {};
                           break;
                       case 5:
                           measurement.value_s = 1e-300;
                           break;
                       default:
                           break;
                       }
                   });
    for (const std::string format : {"pdf", "html", "json", "out"}) {
        const ChildResult result =
            report(scratch, {scratch.path("odd.db"), "-o", scratch.path("odd." + format)});
        INFO(format << ": " << result.err);
        CHECK(result.ok());
    }
    CHECK(contains(pdf_text(scratch.path("odd.pdf")), "not drawn: no value above zero"));
}

TEST_CASE("five hundred suites fit into a report") {
    const Scratch scratch;
    std::vector<InventedSuite> plan;
    const std::vector<InventedSuite> all = full_plan({});
    for (std::size_t i = 0; i < 500; ++i) {
        InventedSuite invented = all[i % all.size()];
        invented.suite.name += "-" + std::to_string(i);
        plan.push_back(invented);
    }
    write_database(scratch.path("many.db"), plan);
    const ChildResult result = report(scratch, {scratch.path("many.db"), "-o", scratch.path("many.pdf")});
    INFO(result.err);
    REQUIRE(result.ok());
    CHECK(contains(pdf_text(scratch.path("many.pdf")), "The first 30 of 436 suites"));
}

TEST_CASE("CSV has the columns of the view result, and is accepted as input") {
    const Scratch scratch;
    write_database(scratch.path("run.db"), small_plan());
    REQUIRE(report(scratch, {scratch.path("run.db"), "-o", scratch.path("a.csv")}).ok());
    const std::string csv = read(scratch.path("a.csv"));
    std::string header = result_csv_header();
    if (header.back() != '\n')
        header += '\n';
    CHECK(csv.rfind(header, 0) == 0);
    std::size_t rows = 0;
    Database::open(scratch.path("run.db")).for_each_result([&](const ResultRow&) { ++rows; });
    CHECK(static_cast<std::size_t>(std::count(csv.begin(), csv.end(), '\n')) == rows + 1);
    REQUIRE(report(scratch, {scratch.path("a.csv"), "-o", scratch.path("b.csv")}).ok());
    CHECK(read(scratch.path("b.csv")) == csv);
    REQUIRE(report(scratch, {scratch.path("a.csv"), "-o", scratch.path("b.pdf")}).ok());
    CHECK(contains(pdf_text(scratch.path("b.pdf")), "MPI_Ssend-MPI_Recv"));
    REQUIRE(report(scratch, {scratch.path("a.csv"), scratch.path("run.db"), "-o", scratch.path("both.csv")})
                .ok());
    CHECK(read(scratch.path("both.csv")).size() == 2 * csv.size() - header.size());
}

TEST_CASE("an HTML report is a directory that works by itself and is replaced as a whole") {
    const Scratch scratch;
    write_database(scratch.path("run.db"), small_plan());
    REQUIRE(report(scratch, {scratch.path("run.db"), "-o", scratch.path("site.html")}).ok());
    const std::string page = read(scratch.path("site.html/index.html"));
    // every file the page names is there
    for (const char* attribute : {"src=\"", "href=\""})
        for (std::size_t at = page.find(attribute); at != std::string::npos;
             at = page.find(attribute, at + 1)) {
            const std::size_t begin = at + std::string(attribute).size();
            const std::string target = page.substr(begin, page.find('"', begin) - begin);
            if (target.front() != '#')
                CHECK_MESSAGE(fs::exists(scratch.path("site.html/" + target)), target);
            else
                CHECK_MESSAGE(contains(page, "id=\"" + target.substr(1) + "\""), target);
        }
    CHECK(contains(page, "figures/f002.svg"));
    CHECK_FALSE(contains(page, "http"
                               "://"));
    write(scratch.path("site.html/figures/stale.svg"), "old");
    REQUIRE(report(scratch, {scratch.path("run.db"), "-o", scratch.path("site.html/")}).ok());
    CHECK_FALSE(fs::exists(scratch.path("site.html/figures/stale.svg")));

    fs::create_directory(scratch.path("mine.html"));
    write(scratch.path("mine.html/precious"), "keep me");
    ChildResult result = report(scratch, {scratch.path("run.db"), "-o", scratch.path("mine.html")});
    CHECK(result.exit_status == 2);
    CHECK(one_line_with(result.err, {"mine.html", "was not made by skampi-report"}));
    CHECK(read(scratch.path("mine.html/precious")) == "keep me");
    write(scratch.path("file.html"), "keep me");
    result = report(scratch, {scratch.path("run.db"), "-o", scratch.path("file.html")});
    CHECK(result.exit_status == 2);
    CHECK(read(scratch.path("file.html")) == "keep me");
    CHECK(scratch.names() ==
          std::vector<std::string>{"file.html", "mine.html", "run.db", "site.html", "tmp"});
}

TEST_CASE("kept sources can be drawn and set again by hand") {
    const Scratch scratch;
    write_database(scratch.path("run.db"), small_plan());
    REQUIRE(
        report(scratch, {scratch.path("run.db"), "-o", scratch.path("a.pdf"), "--keep", scratch.path("kept")})
            .ok());
    fs::remove(scratch.path("kept/figures/f002.tex"));
    fs::remove(scratch.path("kept/figures/f002.pdf"));
    Command draw;
    draw.argv = {"gnuplot", "-d", "f002.gp"};
    draw.directory = scratch.path("kept/figures");
    CHECK(run(draw).ok());
    CHECK(fs::exists(scratch.path("kept/figures/f002.pdf")));
    Command set;
    set.argv = {"pdflatex", "-interaction=nonstopmode", "-halt-on-error", "report.tex"};
    set.directory = scratch.path("kept");
    CHECK(run(set).ok());

    REQUIRE(report(scratch, {scratch.path("run.db"), "-o", scratch.path("doc.tex")}).ok());
    CHECK(fs::exists(scratch.path("doc-figures/f001.pdf")));
    set.argv.back() = "doc.tex";
    set.directory = scratch.path("");
    CHECK(run(set).ok());
}

TEST_CASE("two passes of LaTeX are enough, the first one beside gnuplot") {
    const Scratch scratch;
    write_database(scratch.path("run.db"), full_plan({}));
    fs::create_directory(scratch.path("bin"));
    const std::optional<std::string> pdflatex = find_program("pdflatex");
    REQUIRE(pdflatex.has_value());
    write(scratch.path("bin/pdflatex"),
          "#!/bin/sh\necho \"$@\" >> '" + scratch.path("passes") + "'\nexec '" + *pdflatex + "' \"$@\"\n");
    fs::permissions(scratch.path("bin/pdflatex"), fs::perms::owner_all);
    REQUIRE(report(scratch, {scratch.path("run.db"), "-o", scratch.path("a.pdf")},
                   scratch.path("bin") + ":" + std::getenv("PATH"))
                .ok());
    const std::string passes = read(scratch.path("passes"));
    CHECK(std::count(passes.begin(), passes.end(), '\n') == 2);
    CHECK(contains(passes, "-draftmode"));
    CHECK(contains(passes, "-no-shell-escape"));
}

TEST_CASE("a missing or failing program is named in one line and leaves no half-written report") {
    const Scratch scratch;
    write_database(scratch.path("run.db"), small_plan());
    fs::create_directory(scratch.path("bin"));
    const auto provide = [&](const std::string& name) {
        const std::optional<std::string> program = find_program(name);
        REQUIRE(program.has_value());
        fs::create_symlink(*program, scratch.path("bin/" + name));
    };
    const auto fake = [&](const std::string& name, const std::string& script) {
        fs::remove(scratch.path("bin/" + name));
        write(scratch.path("bin/" + name), "#!/bin/sh\n" + script + "\n");
        fs::permissions(scratch.path("bin/" + name), fs::perms::owner_all);
    };
    const auto failing = [&](const std::string& output) {
        ChildResult result =
            report(scratch, {scratch.path("run.db"), "-o", scratch.path(output)}, scratch.path("bin"));
        CHECK(result.exit_status == 3);
        CHECK(last_line(result.out) == "SKAMPI: FAILED");
        CHECK_FALSE(fs::exists(scratch.path(output)));
        CHECK(scratch.names() == std::vector<std::string>{"bin", "run.db", "tmp"});
        CHECK(scratch.tidy());
        return result;
    };
    CHECK(one_line_with(failing("a.pdf").err, {"skampi-report: pdflatex not found", "texlive-latex-base"}));
    CHECK(one_line_with(failing("a.html").err, {"skampi-report: gnuplot not found", "gnuplot-nox"}));
    provide("pdflatex");
    CHECK(one_line_with(failing("a.pdf").err, {"skampi-report: gnuplot not found", "gnuplot-nox"}));
    fake("gnuplot", "echo '\"f001.gp\" line 7: unrecognized nonsense' >&2; exit 1");
    CHECK(one_line_with(failing("a.pdf").err,
                        {"gnuplot failed (exit status 1)", "line 7: unrecognized nonsense"}));
    CHECK(one_line_with(failing("a.html").err, {"gnuplot failed (exit status 1)"}));
    CHECK(one_line_with(failing("a.tex").err, {"gnuplot failed (exit status 1)"}));
    // gnuplot that says it is fine and draws nothing
    fake("gnuplot", "exit 0");
    CHECK(one_line_with(failing("a.html").err, {"gnuplot", "f001"}));
    CHECK(one_line_with(failing("a.pdf").err, {"gnuplot", "f001"}));
    fs::remove(scratch.path("bin/gnuplot"));
    provide("gnuplot");
    fake("pdflatex", "echo 'report.tex:42: Undefined control sequence.'; exit 1");
    CHECK(one_line_with(failing("a.pdf").err,
                        {"pdflatex failed (exit status 1)", "line 42: Undefined control sequence."}));
    fake("pdflatex", "kill -SEGV $$");
    CHECK(one_line_with(failing("a.pdf").err, {"pdflatex failed (signal 11"}));

    // What was there before stays.
    write(scratch.path("old.pdf"), "the old report");
    CHECK(report(scratch, {scratch.path("run.db"), "-o", scratch.path("old.pdf")}, scratch.path("bin"))
              .exit_status == 3);
    CHECK(read(scratch.path("old.pdf")) == "the old report");
}

TEST_CASE("wrong usage and bad input are one line with exit status 2") {
    const Scratch scratch;
    write_database(scratch.path("run.db"), small_plan());
    write(scratch.path("no.db"), "this is no database, and no CSV either\n");
    const auto wrong = [&](const std::vector<std::string>& arguments, const std::vector<std::string>& parts) {
        const ChildResult result = report(scratch, arguments);
        INFO(result.err);
        CHECK(result.exit_status == 2);
        CHECK(one_line_with(result.err, parts));
        CHECK(last_line(result.out) == "SKAMPI: FAILED");
    };
    wrong({scratch.path("run.db"), "-o", scratch.path("a.doc")},
          {"a.doc", ".pdf, .html, .csv, .json, .tex, .out"});
    wrong({scratch.path("run.db"), "-o", scratch.path("report")}, {".pdf, .html"});
    wrong({scratch.path("run.db")}, {"--output"});
    wrong({"-o", scratch.path("a.pdf")}, {"DB"});
    wrong({}, {"skampi-report: "});
    wrong({scratch.path("run.db"), "-o", scratch.path("a.pdf"), "--jobs", "0"}, {"--jobs"});
    wrong({scratch.path("run.db"), "-o", scratch.path("a.pdf"), "--frobnicate"}, {"--frobnicate"});
    wrong({scratch.path("no.db"), "-o", scratch.path("a.pdf")}, {"no.db"});
    wrong({scratch.path("run.db"), scratch.path("run.db"), "-o", scratch.path("a.out")}, {".out"});
    CHECK_FALSE(fs::exists(scratch.path("a.pdf")));
    const ChildResult missing = report(scratch, {scratch.path("missing.db"), "-o", scratch.path("a.pdf")});
    CHECK((missing.exit_status == 2 || missing.exit_status == 3));
    CHECK(one_line_with(missing.err, {"missing.db"}));
    const ChildResult nowhere =
        report(scratch, {scratch.path("run.db"), "-o", scratch.path("no/such/folder/a.pdf")});
    CHECK(nowhere.exit_status == 3);
    CHECK(one_line_with(nowhere.err, {"no/such/folder"}));
    CHECK(scratch.tidy());
}

TEST_CASE("a full disk is said, and the former report stays") {
    const Scratch scratch;
    write_database(scratch.path("run.db"), small_plan());
    if (!fs::exists("/dev/full"))
        return;
    for (const std::string format : {"csv", "json", "out"}) {
        fs::create_symlink("/dev/full", scratch.path("full." + format));
        const ChildResult result =
            report(scratch, {scratch.path("run.db"), "-o", scratch.path("full." + format)});
        CHECK(result.exit_status == 3);
        CHECK(one_line_with(result.err, {"full." + format}));
    }
}

TEST_CASE("help and version answer without a database") {
    const Scratch scratch;
    const ChildResult help = report(scratch, {"--help"});
    CHECK(help.ok());
    CHECK(std::count(help.out.begin(), help.out.end(), '\n') <= 24);
    for (const char* option : {"--output", "--baseline", "--keep", "--jobs", "--title"})
        CHECK(contains(help.out, option));
    const ChildResult version = report(scratch, {"--version"});
    CHECK(version.ok());
    CHECK(version.out.rfind("skampi-report ", 0) == 0);
}

TEST_CASE("several databases are compared, and too few launches are said") {
    const Scratch scratch;
    {
        InventedMachine machine;
        Database a = Database::open_for_writing(scratch.path("old.db"));
        write_merged(a, invented_run("old"), machine, 6, 1, 0.01);
        machine.latency_s *= 0.5;
        machine.seconds_per_byte *= 0.5;
        machine.jump_s *= 0.5;
        Database b = Database::open_for_writing(scratch.path("new.db"));
        write_merged(b, invented_run("new"), machine, 6, 2, 0.01);
        Database c = Database::open_for_writing(scratch.path("few.db"));
        write_merged(c, invented_run("few"), machine, 2, 3, 0.01);
    }
    REQUIRE(report(scratch, {scratch.path("new.db"), "--baseline", scratch.path("old.db"), "-o",
                             scratch.path("a.json")})
                .ok());
    const nlohmann::json comparison = nlohmann::json::parse(read(scratch.path("a.json")))["comparisons"][0];
    CHECK(comparison["reference"] == "old");
    CHECK(comparison["faster"] == comparison["points"].get<int>() - 4); // the simple pattern did not change
    CHECK(comparison["slower"] == 0);
    REQUIRE(report(scratch, {scratch.path("new.db"), scratch.path("few.db"), "--baseline",
                             scratch.path("old.db"), "-o", scratch.path("a.pdf")})
                .ok());
    const std::string text = pdf_text(scratch.path("a.pdf"));
    CHECK(contains(text, "new is faster than old: significantly faster at 618, slower at 0 of 622 points"));
    CHECK(contains(text, "No verdict on few against old (2 launches; 5 needed on each side)"));
}
