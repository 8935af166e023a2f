// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/child.hpp"
#include "base/text.hpp"
#include "contains.hpp"
#include "environment.hpp"
#include "invented_session.hpp"
#include "model/session.hpp"
#include "nasty_texts.hpp"
#include "scratch_folder.hpp"
#include "store/database.hpp"
#include "text_file.hpp"

#include <doctest/doctest.h>
#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

using namespace skampi;
using namespace skampi::test;
namespace fs = std::filesystem;

// Reports of sessions of variants in turns.

namespace {

ChildResult report(const ScratchFolder& scratch, std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), from_environment("SKAMPI_REPORT"));
    Command command;
    command.argv = std::move(arguments);
    command.timeout_s = 300;
    command.max_output_bytes = std::size_t{1} << 24;
    fs::create_directories(scratch / "tmp");
    command.environment["TMPDIR"] = scratch / "tmp";
    return run(std::move(command));
}

std::string text_of_pdf(const std::string& path) {
    Command command;
    command.argv = {"pdftotext", "-layout", path, "-"};
    command.timeout_s = 60;
    command.max_output_bytes = std::size_t{1} << 24;
    const ChildResult result = run(std::move(command));
    REQUIRE(result.ok());
    return result.out;
}

/// What hides or turns text around, and what a terminal obeys.
std::vector<std::string> hostile_names(const std::string& pwned) {
    std::vector<std::string> names = nasty_texts(pwned);
    std::erase_if(names, [](const std::string& text) { return text.empty(); });
    for (const char* text :
         {"%_$&", "\x1b[2J\x07 bell",
          "\xe2\x80\xae"
          "evil\xe2\x80\xac",
          "\xe2\x80\x8f\xd7\xa9\xd7\x9c\xd7\x95\xd7\x9d", "zero\xe2\x80\x8bwidth", "a\rb", "line\nline"})
        names.emplace_back(text);
    names.push_back(std::string(300, 'x'));
    return names;
}

} // namespace

TEST_CASE("a session's report compares variants round by round, and nowhere else") {
    const ScratchFolder scratch;
    // One slow launch in three: its other rounds say that both are equal, all launches together that it is
    // slower.
    write_session(scratch / "s.db", {.variants = {variant_called("default"), variant_called("other")},
                                     .plan = {suite_called("MPI_Bcast"), suite_called("MPI_Allreduce")},
                                     .factor = [](std::size_t variant, int round) {
                                         return variant == 1 && round % 3 == 0 ? 1.6 : 1.0 + 0.002 * round;
                                     }});
    for (const std::string format : {"txt", "html", "pdf", "md"}) {
        CAPTURE(format);
        const std::string path = scratch / ("s." + format);
        const ChildResult made = report(scratch, {scratch / "s.db", "-o", path});
        INFO(made.err);
        REQUIRE(made.ok());
        const std::string text = format == "pdf" ? text_of_pdf(path) : read(path);
        CHECK(contains(text, "other"));
        CHECK_FALSE(contains(text, "Comparison of databases"));
        CHECK_FALSE(contains(text, "slower at"));
    }
    const ChildResult screen = report(scratch, {scratch / "s.db"});
    CHECK(screen.ok());
    CHECK(contains(screen.out, "open"));
    CHECK_FALSE(contains(screen.out, "slower at"));
}

TEST_CASE("names of variants, suites and settings are text in a session's report, whatever they hold") {
    const ScratchFolder scratch;
    const std::string pwned = scratch / "pwned";
    const std::vector<std::string> names = hostile_names(pwned);
    WantedSession wanted;
    wanted.rounds = 2;
    for (const std::string& name : names) {
        Variant variant = variant_called(name);
        variant.launch = variant.arguments = variant.program = name;
        wanted.variants.push_back(std::move(variant));
    }
    for (const std::string& name : names) {
        InventedSuite suite = suite_called(wanted.plan.size() % 2 == 0 ? "MPI_Bcast" : "MPI_Barrier");
        suite.suite.name = suite.suite.family = suite.suite.operation.title = name;
        suite.arguments = {2, 8};
        wanted.plan.push_back(std::move(suite));
    }
    write_session(scratch / "s.db", wanted, [&](Run& run) {
        run.comment = names[12];
        for (const std::string& name : names)
            run.facts[name] = name;
    });
    for (const std::string format : {"html", "txt", "md", "json", "tex", "pdf"}) {
        const std::string path = scratch / ("s." + format);
        const ChildResult made = report(scratch, {scratch / "s.db", "-o", path});
        INFO(format << ": " << made.err);
        REQUIRE(made.ok());
        CHECK_FALSE(fs::exists(pwned));
        if (format != "pdf") {
            const std::string text = read(path);
            CHECK_FALSE(contains(text, "\x1b"));
            CHECK((format == "json" || !contains(text, "\xe2\x80\xae"))); // turns what follows around
            CHECK_FALSE(contains(text, "root:"));
        }
    }
    const std::string html = read(scratch / "s.html");
    std::size_t scripts = 0;
    for (std::size_t at = html.find("<script"); at != std::string::npos; at = html.find("<script", at + 1))
        ++scripts;
    CHECK(scripts == 1); // ours
    CHECK(nlohmann::json::parse(read(scratch / "s.json")).contains("turns"));
    const std::string pdf = text_of_pdf(scratch / "s.pdf");
    CHECK(contains(pdf, "\\input{/etc/passwd}"));
    CHECK_FALSE(contains(pdf, "against s (1)")); // variants keep their names
    CHECK_FALSE(contains(pdf, "root:"));
    CHECK(fs::is_empty(scratch / "tmp"));
}

TEST_CASE(
    "of a session whose launches could not all keep windows the rounds of the start with more are compared") {
    const ScratchFolder scratch;
    WantedSession wanted{.variants = {variant_called("default"), variant_called("other")},
                         .plan = {suite_called("MPI_Bcast"), suite_called("MPI_Send-MPI_Recv")},
                         .rounds = 12};
    const auto turns = [&](const std::string& path) {
        const ChildResult made = report(scratch, {"turns", path});
        REQUIRE(made.ok());
        return nlohmann::json::parse(made.out);
    };
    const auto rounds_of = [](const nlohmann::json& json, const std::string& suite) {
        for (const nlohmann::json& each : json["variants"][0]["suites"])
            if (each["suite"] == suite)
                return each["statements"][0]["reference_launches"].get<int>();
        return -1;
    };
    // Most launches measured in windows, but in most rounds they were of both kinds: of the rounds of one
    // kind those between barriers are more.
    wanted.barriers = [](std::size_t variant, int round) {
        return round > 8 || (round <= 6 && variant == 1);
    };
    write_session(scratch / "barriers.db", wanted);
    const nlohmann::json barriers = turns(scratch / "barriers.db");
    CHECK(barriers["starts"] == nlohmann::json::parse(R"([{"suite": "MPI_Bcast", "compared": "barrier",
        "rounds": 12, "rounds_alike": 4, "windows_given_up_in_round": null}])"));
    CHECK(rounds_of(barriers, "MPI_Bcast") == 4);
    CHECK(rounds_of(barriers, "MPI_Send-MPI_Recv") == 12);

    wanted.barriers = [](std::size_t, int round) { return round > 7; };
    write_session(scratch / "windows.db", wanted);
    const nlohmann::json windows = turns(scratch / "windows.db");
    CHECK(windows["starts"][0]["compared"] == "window");
    CHECK(rounds_of(windows, "MPI_Bcast") == 7);

    wanted.barriers = [](std::size_t, int) { return false; };
    write_session(scratch / "all.db", wanted);
    CHECK(turns(scratch / "all.db")["starts"].empty());
}

TEST_CASE(
    "settings that changed nothing are named: the library does not know them, or holds the same for both") {
    const ScratchFolder scratch;
    Variant other;
    other.name = "other";
    for (const char* name : {"ACTS", "SAME", "UNKNOWN", "UNTOLD"})
        other.settings[name] = "1";
    Variant usual;
    usual.name = "usual";
    WantedSession wanted{.variants = {usual, other}, .plan = {suite_called("MPI_Bcast")}};
    const auto held = [](Run& run) {
        const std::string read_back(fact_setting_read_back);
        run.facts[read_back + "ACTS"] = run.variant == "other" ? "1" : "0";
        run.facts[read_back + "SAME"] = "7";
        run.facts[std::string(fact_setting_unknown) + "UNKNOWN"] = "unknown";
    };
    write_session(scratch / "s.db", wanted, held);
    const auto idle_in = [&](const std::string& path) {
        const ChildResult made = report(scratch, {"turns", path});
        REQUIRE(made.ok());
        return nlohmann::json::parse(made.out)["idle_settings"];
    };
    CHECK(idle_in(scratch / "s.db") == nlohmann::json::parse(R"([
        {"variant": "other", "name": "SAME", "reason": "same_value", "value": "7"},
        {"variant": "other", "name": "UNKNOWN", "reason": "unknown", "value": ""}])"));

    // What the MPI library is built on has told it in the output of a launch.
    {
        Database database = Database::open_for_writing(scratch / "s.db");
        for (const RunId id : database.runs())
            if (database.run(id).variant == "other")
                database.add_event(id, {"2026-03-01T10:00:00Z", event_unused_setting, {}, "UNTOLD"});
    }
    CHECK(
        idle_in(scratch / "s.db")[2] ==
        nlohmann::json::parse(R"({"variant": "other", "name": "UNTOLD", "reason": "unknown", "value": ""})"));

    // Of two libraries a value that is equal says nothing.
    write_session(scratch / "t.db", wanted, [&](Run& run) {
        held(run);
        run.mpi_library = run.variant;
    });
    CHECK(idle_in(scratch / "t.db").size() == 1);
}

TEST_CASE("a session whose later rounds were made elsewhere says so, variant by variant") {
    const ScratchFolder scratch;
    WantedSession wanted{.variants = {variant_called("default"), variant_called("other")},
                         .plan = {suite_called("MPI_Bcast")}};
    const auto moves_in = [&](const std::string& path) {
        const ChildResult made = report(scratch, {"turns", path});
        REQUIRE(made.ok());
        return nlohmann::json::parse(made.out)["moves"];
    };
    // Two libraries, and what launchers do with them, are what is compared.
    write_session(scratch / "s.db", wanted, [](Run& run) {
        if (run.variant == "other")
            run.mpi_library = run.launcher = run.binding = "another";
    });
    CHECK(moves_in(scratch / "s.db").empty());
    write_session(scratch / "t.db", wanted, [](Run& run) {
        if (run.launch >= 6 && run.variant == "other")
            run.placement = "node07: 0-15";
        if (run.launch >= 7 && run.variant == "default")
            run.facts["cpu model"] = "another";
    });
    const nlohmann::json moves = moves_in(scratch / "t.db");
    REQUIRE(moves.size() == 2);
    CHECK(moves[0]["variant"] == "other");
    CHECK(moves[0]["round"] == 6);
    CHECK(moves[1]["variant"] == "default");
    CHECK(moves[1]["round"] == 7);
    const ChildResult screen = report(scratch, {scratch / "t.db"});
    CHECK(contains(screen.out, "node07"));
}
