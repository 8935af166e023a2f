// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/error.hpp"
#include "host/program.hpp"
#include "own_functions/function_names.hpp"
#include "skampi/functions.hpp"
#include "skampi/skampi.h"
#include "store/database.hpp"

#include <cmath>
#include <cstring>
#include <doctest/doctest.h>
#include <filesystem>
#include <fstream>
#include <set>
#include <stdexcept>
#include <string>
#include <unistd.h>
#include <vector>

using namespace skampi;

namespace {

struct Folder {
    std::filesystem::path path =
        std::filesystem::temp_directory_path() / ("own_functions_test." + std::to_string(getpid()));
    Folder() { std::filesystem::create_directory(path); }
    ~Folder() { std::filesystem::remove_all(path); }
    std::string operator/(const char* name) const { return (path / name).string(); }
};

int measure(const std::vector<Function>& functions, const std::vector<std::string>& arguments) {
    std::vector<const char*> argv{"a-program"};
    for (const std::string& argument : arguments)
        argv.push_back(argument.c_str());
    return measure_functions(static_cast<int>(argv.size()), argv.data(), functions);
}

Function spinning(const char* name) {
    Function function;
    function.name = name;
    function.call = [](const Arguments& a) {
        for (volatile std::int64_t i = 0; i < 10 * a.message_bytes;)
            i = i + 1;
    };
    return function;
}

OperationInfo row(const char* name, int type = 0) {
    OperationInfo info;
    info.name = name;
    info.type = type;
    info.varied = {Varied::message_length};
    return info;
}

} // namespace

TEST_CASE("functions that a parameter file could not name or tell apart are refused with their name") {
    const std::vector<OperationInfo> others{row("MPI_Bcast", 17)};
    const auto refusal = [&](const OperationInfo& info, bool has_call = true) -> std::string {
        try {
            refuse_unfit(info, has_call, others);
        } catch (const InputError& error) {
            return error.what();
        }
        return {};
    };
    CHECK(refusal(row("std::sort")).empty());
    CHECK(refusal(row("sort of mine", 1000)).empty());
    for (const char* name : {"", "12", "a;b", "a{", "a}", " a", "a ", "a#b", "a,b", "a\nb"})
        CHECK(refusal(row(name)).find("expected a name") != std::string::npos);
    CHECK(refusal(row("MPI_Bcast")).find("its name is taken") != std::string::npos);
    CHECK(refusal(row("mine", 17)).find("17 is taken by MPI_Bcast") != std::string::npos);
    CHECK(refusal(row("mine", -1)).find("none below 0") != std::string::npos);
    CHECK(refusal(row("mine"), false).find("expected `call`") != std::string::npos);
    OperationInfo nothing_varied = row("mine");
    nothing_varied.varied.clear();
    CHECK(refusal(nothing_varied).find("Varied::none") != std::string::npos);
}

TEST_CASE("one function's errors cost its own suite, or argument, and say why; the others are measured") {
    const Folder folder;
    std::ofstream(folder / "x.skampi") << "@MEASUREMENTS\n"
                                          "good { Type = good; Scale = Fixed_log; Start_Argument = 64; "
                                          "End_Argument = 256; Time_Suite = 1 s; }\n"
                                          "throws { Type = throws; Scale = Fixed_log; Start_Argument = 64; "
                                          "End_Argument = 256; Time_Suite = 1 s; }\n"
                                          "small { Type = small; Scale = Fixed_log; Start_Argument = 64; "
                                          "End_Argument = 256; Time_Suite = 1 s; }\n"
                                          "wrong { Type = wrong; Scale = Fixed_log; Start_Argument = 64; "
                                          "End_Argument = 256; Time_Suite = 1 s; }\n";
    Function throwing = spinning("throws");
    throwing.call = [](const Arguments&) { throw std::runtime_error("not today"); };
    Function small = spinning("small");
    small.setup = [](const Arguments& a) {
        if (a.message_bytes > 100)
            throw std::runtime_error("only small ones");
    };
    Function wrong = spinning("wrong");
    wrong.check = [](const Arguments& a) { return a.message_bytes != 128; };
    CHECK(measure({spinning("good"), throwing, small, wrong},
                  {folder / "x.skampi", "-d", folder / "x.db", "--retries", "0"}) == 1);

    const Database database = Database::open(folder / "x.db");
    REQUIRE(database.runs().size() == 1);
    const Run run = database.run(database.runs()[0]);
    CHECK(run.ranks == 1);
    CHECK(run.settings.at("program").starts_with("a-program, build "));
    const std::vector<StoredSuite> suites = database.suites(database.runs()[0]);
    REQUIRE(suites.size() == 4);
    CHECK(suites[0].state == SuiteState::finished);
    CHECK(database.measurements(suites[0].id).size() == 3);
    for (const StoredMeasurement& m : database.measurements(suites[0].id))
        CHECK(m.measurement.value_s > 0);
    CHECK(suites[1].state == SuiteState::failed);
    CHECK(suites[1].reason == "throws threw: not today");
    bool told = false;
    for (const Event& event : database.events(database.runs()[0]))
        told = told || event.text.find("only small ones") != std::string::npos;
    CHECK(told);
    for (const StoredMeasurement& m : database.measurements(suites[3].id)) {
        CHECK(has(m.measurement.flags, Flag::wrong_result) == (m.measurement.argument == 128));
        CHECK(std::isnan(m.measurement.value_s) == (m.measurement.argument == 128));
    }
}

TEST_CASE("an argument of one's own has a name and a unit, and is no message length") {
    const Folder folder;
    std::ofstream(folder / "x.skampi")
        << "@MEASUREMENTS\n"
           "own { Type = own; Variation = Argument; Scale = Fixed_linear; Stepwidth = 1; "
           "Start_Argument = 1; End_Argument = 3; Time_Suite = 1 s; }\n";
    Function own = spinning("own");
    own.varied = {Varied::argument};
    own.argument_name = "threads";
    own.argument_unit = "threads";
    std::set<std::int64_t> given;
    own.setup = [&](const Arguments& a) { given.insert(a.argument); };
    CHECK(measure({own}, {folder / "x.skampi", "-d", folder / "x.db"}) == 0);
    CHECK(given == std::set<std::int64_t>{1, 2, 3});
    const Database database = Database::open(folder / "x.db");
    const StoredSuite suite = database.suites(database.runs().at(0)).at(0);
    CHECK(suite.suite.varied == Varied::argument);
    CHECK(suite.suite.operation.argument_name == "threads");
    CHECK(suite.suite.operation.argument_unit == "threads");
    for (const StoredMeasurement& m : database.measurements(suite.id))
        CHECK(m.measurement.message_bytes == 0);
    std::ofstream(folder / "open.skampi") << "@MEASUREMENTS\nown { Type = own; }\n";
    CHECK_MESSAGE(measure({own}, {folder / "open.skampi", "-d", folder / "x.db"}) == 2, "nothing limits it");
    own.varied = {Varied::message_length};
    CHECK_MESSAGE(measure({own}, {folder / "x.skampi", "-d", folder / "x.db"}) == 2,
                  "it has no such argument");
}

TEST_CASE("a C program is told what is wrong with a function, and nothing of it is kept") {
    skampi_program* program = skampi_program_create();
    REQUIRE(program != nullptr);
    skampi_function function{};
    CHECK(skampi_program_add(program, &function) == SKAMPI_BAD_INPUT);
    CHECK(std::strstr(skampi_last_error(), "expected a name") != nullptr);
    function.name = "f";
    function.varied = SKAMPI_LENGTH;
    CHECK(skampi_program_add(program, &function) == SKAMPI_BAD_INPUT);
    CHECK(std::strstr(skampi_last_error(), "expected `call`") != nullptr);
    function.call = [](const skampi_arguments*, void*) {};
    CHECK(skampi_program_add(program, &function) == SKAMPI_OK);
    CHECK(std::string(skampi_last_error()).empty());
    CHECK(skampi_program_add(program, &function) == SKAMPI_BAD_INPUT);
    CHECK(std::strstr(skampi_last_error(), "taken") != nullptr);
    function.name = "g";
    function.varied = SKAMPI_NODES;
    CHECK(skampi_program_add(program, &function) == SKAMPI_BAD_INPUT);
    CHECK(std::strstr(skampi_last_error(), "no ranks") != nullptr);
    CHECK(skampi_program_add(nullptr, &function) == SKAMPI_BAD_INPUT);
    const char* const argv[] = {"a-program", "no such file"};
    CHECK(skampi_program_run(program, 2, argv) == 2);
    CHECK(std::strstr(skampi_last_error(), "no such file") != nullptr);
    skampi_program_free(program);
    skampi_program_free(nullptr);
}

TEST_CASE("the name of a program is what it was called, without its folders") {
    const char* const with_folder[] = {"/a/b/c"};
    const char* const bare[] = {"c"};
    CHECK(program_name(1, with_folder) == "c");
    CHECK(program_name(1, bare) == "c");
    CHECK(program_name(0, nullptr) == "a program");
}
