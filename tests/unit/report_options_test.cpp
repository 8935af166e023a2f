// SPDX-License-Identifier: GPL-2.0-or-later
#include "options.hpp"

#include "../golden.hpp"
#include "base/error.hpp"
#include "base/text.hpp"
#include "scratch_folder.hpp"

#include <doctest/doctest.h>
#include <filesystem>
#include <fstream>
#include <sstream>

using namespace skampi;

namespace {

std::optional<Options> parsed(std::vector<const char*> arguments, std::string* help = nullptr) {
    arguments.insert(arguments.begin(), "skampi-report");
    std::ostringstream out;
    std::optional<Options> options = parse_options(static_cast<int>(arguments.size()), arguments.data(), out);
    if (help)
        *help = out.str();
    return options;
}

std::string message_of(const std::vector<const char*>& arguments) {
    try {
        (void)parsed(arguments);
    } catch (const InputError& error) {
        return error.what();
    }
    return "accepted";
}

} // namespace

TEST_CASE("each command has a help of its own, and wrong usage is answered with what is expected") {
    Golden golden("report_options");
    for (const std::vector<const char*>& command : std::vector<std::vector<const char*>>{
             {}, {"compare"}, {"accept"}, {"history"}, {"site"}, {"links"}}) {
        std::vector<const char*> arguments = command;
        arguments.push_back("--help");
        std::string help;
        CHECK_FALSE(parsed(arguments, &help));
        golden.add(command.empty() ? "--help" : std::string(command[0]) + " --help", help);
    }
    const std::vector<std::vector<const char*>> wrong{
        {},
        {"MPI_Bcast*"},
        {"x.db", "history"},
        {"help"},
        {"histroy", "x.db"},
        {"accept", "contract.txt"},
        {"x.db", "y.pdf"},
        {"x.db", "--history"},
        {"x.db", "--baseline", "y.db"},
        {"x.db", "--last", "3"},
        {"x.db", "--frobnicate"},
        {"x.db", "--jobs", "0"},
        {"x.db", "-o", "x.doc"},
        {"x.db", "-o", "x.pdf/"},
        {"x.db", "--format", "pdf"},
        {"x.db", "--format", "nonsense"},
        {"x.db", "-o", "x.csv", "--format", "json"},
        {"x.db", "-o", "x.csv", "--keep", "d"},
        {"x.db", "-o", "x.csv", "--box-plots"},
        {"x.db", "-o", "x.pdf", "--dialect", "scout"},
        {"compare", "x.db"},
        {"compare", "x.db", "y.db", "--junit", "x.xml"},
        {"history"},
        {"history", "x.db", "-o", "x.out"},
        {"history", "x.db", "--content", "x.content"},
        {"site"},
        {"site", "dir", "MPI_Bcast*"},
        {"site", "dir", "x.db", "-o", "x.pdf"},
    };
    for (const std::vector<const char*>& arguments : wrong) {
        std::string line = "skampi-report";
        for (const char* argument : arguments)
            line += std::string(" ") + argument;
        const std::string message = message_of(arguments);
        CHECK_MESSAGE(message != "accepted", line);
        golden.add(line, message);
    }
    golden.check();
}

TEST_CASE("the first argument chooses the command; a file of its name is a file where a path says so") {
    CHECK(parsed({"x.db"})->command == ReportCommand::report);
    CHECK(parsed({"history", "x.db"})->command == ReportCommand::history);
    CHECK(parsed({"./history"})->command == ReportCommand::report);
    CHECK(parsed({"histroy.db"})->command == ReportCommand::report);
    const std::optional<Options> compared = parsed({"compare", "a.db", "--baseline", "b.db"});
    CHECK(compared->databases == std::vector<std::string>{"a.db", "b.db"});
    CHECK(compared->has_baseline);
    const std::optional<Options> site = parsed({"site", "dir", "a.db", "b.db"});
    CHECK(site->site.directory == "dir");
    CHECK(site->site.databases == std::vector<std::string>{"a.db", "b.db"});
}

TEST_CASE("the longest ending of a name is its format") {
    const auto ending = [](const std::string& output) {
        return std::string(format_of_output(output).ending);
    };
    CHECK(ending("x.csv") == ".csv");
    CHECK(ending("x.models.csv") == ".models.csv");
    CHECK(ending("x.bmf.json") == ".bmf.json");
    CHECK(ending("x.extrap.jsonl") == ".extrap.jsonl");
    CHECK(ending("X.PDF") == ".pdf");
    CHECK(ending("report/") == "/");
    CHECK(ending("report.html/") == "/");
    CHECK(std::string(format_of_standard_output("").ending) == ".txt");
    CHECK(std::string(format_of_standard_output(".json").ending) == ".json");
    CHECK(std::string(format_of_standard_output("extrap").ending) == ".extrap");
    CHECK(std::string(format_of_standard_output("bmf").ending) == ".bmf.json");
    CHECK_THROWS_AS((void)format_of_output(".csv"), InputError);
    const ScratchFolder scratch;
    std::filesystem::create_directory(scratch / "there");
    CHECK(ending(scratch / "there") == "/");
}

TEST_CASE("each format has an ending of its own and one way to be written") {
    for (const Format& format : formats()) {
        CHECK((format.text != nullptr) != (format.write != nullptr));
        std::size_t same = 0;
        for (const Format& other : formats())
            same += std::string(format.ending) == other.ending ? 1 : 0;
        CHECK(same == 1);
    }
}

TEST_CASE("a file of options is read; what is no option is refused with its line, not ignored") {
    const ScratchFolder scratch;
    const std::string file = scratch / "my.options";
    const auto read = [&](const std::string& text) {
        std::ofstream(file) << text;
        return parsed({"x.db", "--config", file.c_str()}).value();
    };
    const auto message = [&](const std::string& text) {
        std::ofstream(file) << text;
        const std::string found = message_of({"x.db", "--config", file.c_str()});
        return found.starts_with(file + ":") ? found.substr(file.size()) : found;
    };
    const Options options = read(
        "# ours\n\ntitle = A machine # 3\nsuite = [\"a#[0-9]\",  'b c'] # two\nfull\noutput=x.html\n; end");
    CHECK(options.title == "A machine");
    CHECK(options.suites == std::vector<std::string>{"a#[0-9]", "b c"});
    CHECK(options.destination.output == "x.html");
    CHECK(read("title = \"Machine #3\"\r\nsuite=a;b\nraw=false\nsuite=b").title == "Machine #3");
    CHECK(read("suite=a\ntitle=x\nsuite = [ b ]\n").suites == std::vector<std::string>{"a", "b"});
    CHECK(read("").title.empty());
    CHECK(read("# nothing").title.empty());
    Golden golden("options_file");
    for (const char* const text :
         {"title=x\noutptu=x.html\n", "\noutput: x.html\n", "--title = x\n", "[[[\n",
          "title=x\nsuite=[\"a\",\"b\"\n", "\nsuite=[\"a\",\"b\"] x", "title=\"a\n", "title=\n"})
        golden.add(printable(text), message(text));
    golden.check();
    CHECK(message(std::string("title=x\0", 8)).starts_with(": found no text"));
    CHECK(message(std::string(2'000'000, '\n')).starts_with(": found no text"));
}

TEST_CASE("an empty text is no value: a script's variable that is not set would choose all runs") {
    CHECK(message_of({"x.db", "--run", ""}).find("found an empty text") != std::string::npos);
    CHECK(message_of({"x.db", "--reference", ""}).find("found an empty text") != std::string::npos);
}

TEST_CASE("whether a report could be written is answered without one") {
    const ScratchFolder scratch;
    CHECK_FALSE(parsed({"none.db", "-o", (scratch / "x.html").c_str(), "--only-check"}));
    CHECK_FALSE(parsed({"none.db", "-o", "x.pdf", "--only-check"}));
    CHECK_FALSE(parsed({"none.db", "-o", (scratch / "x/").c_str(), "--only-check"}));
    CHECK(message_of({"none.db", "-o", "x.doc", "--only-check"}).find("unknown kind") != std::string::npos);
    CHECK(message_of({"none.db", "-o", (scratch / "none/x.pdf").c_str(), "--only-check"})
              .find("found no folder") != std::string::npos);
}
