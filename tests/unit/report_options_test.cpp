#include "options.hpp"

#include "../golden.hpp"
#include "base/error.hpp"
#include "scratch_folder.hpp"

#include <doctest/doctest.h>
#include <filesystem>
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
    for (const std::vector<const char*>& command :
         std::vector<std::vector<const char*>>{{}, {"compare"}, {"history"}, {"site"}}) {
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
        {"site", "dir", "--compare", "x.db", "x.db"},
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
    const std::optional<Options> site = parsed({"site", "dir", "a.db", "--compare", "b.db", "c.db"});
    CHECK(site->site.directory == "dir");
    CHECK(site->site.databases == std::vector<std::string>{"a.db", "b.db", "c.db"});
}

TEST_CASE("the longest ending of a name is its format") {
    const auto ending = [](const std::string& output) {
        return std::string(format_of_output(output).ending);
    };
    CHECK(ending("x.csv") == ".csv");
    CHECK(ending("x.models.csv") == ".models.csv");
    CHECK(ending("X.PDF") == ".pdf");
    CHECK(ending("report/") == "/");
    CHECK(ending("report.html/") == "/");
    CHECK(std::string(format_of_standard_output("").ending) == ".txt");
    CHECK(std::string(format_of_standard_output(".json").ending) == ".json");
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
