// SPDX-License-Identifier: GPL-2.0-or-later
// The HTML report and the site of results in a real browser: Chromium without a window. Skipped where there
// is none.

#include "base/child.hpp"
#include "capture_binding.hpp"
#include "environment.hpp"
#include "invented_results.hpp"
#include "nasty_texts.hpp"
#include "scratch_folder.hpp"
#include "store/database.hpp"
#include "text_file.hpp"

#include <algorithm>
#include <cstdio>
#include <doctest/doctest.h>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>

using namespace skampi;
using namespace skampi::test;
namespace fs = std::filesystem;

namespace {

std::optional<std::string> browser() {
    for (const char* name : {"chromium", "chromium-browser", "google-chrome"})
        if (std::optional<std::string> program = find_program(name))
            return program;
    return std::nullopt;
}

void report(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), from_environment("SKAMPI_REPORT"));
    Command command;
    command.argv = std::move(arguments);
    command.timeout_s = 60;
    const ChildResult result = run(std::move(command));
    INFO(result.err);
    REQUIRE(result.ok());
}

struct Looked {
    nlohmann::json findings;
    std::string
        complaints; ///< what pages wrote to the browser's console: errors, and what their policy refused
};

/// @param pages list of {name, address, width, kind}
Looked look(const ScratchFolder& scratch, const nlohmann::json& pages, const std::string& setting = "") {
    std::string harness = read(from_environment("SKAMPI_HTML_HARNESS"));
    const std::string place = "PAGES";
    harness.replace(harness.find(">" + place + "<") + 1, place.size(), pages.dump());
    write(scratch / "harness.html", harness);
    Command command;
    command.argv = {
        *browser(),
        "--headless",
        "--no-sandbox", // tests run as root, too
        "--disable-gpu",
        "--disable-dev-shm-usage",
        "--host-resolver-rules=MAP * ~NOTFOUND",
        "--allow-file-access-from-files", // the harness looks into the frames; the pages don't need it
        "--user-data-dir=" + (scratch / "profile"),
        "--enable-logging=stderr",
        "--virtual-time-budget=20000",
        "--window-size=1400,1000",
        "--dump-dom"};
    if (!setting.empty())
        command.argv.push_back(setting);
    command.argv.push_back("file://" + (scratch / "harness.html"));
    command.timeout_s = 100;
    command.max_output_bytes = std::size_t{1} << 24;
    const ChildResult result = run(std::move(command));
    INFO(result.describe_end() << result.err);
    REQUIRE(result.ok());
    const std::string begin = "<pre id=\"findings\">";
    const std::size_t at = result.out.find(begin);
    REQUIRE(at != std::string::npos);
    const std::string text =
        result.out.substr(at + begin.size(), result.out.find("</pre>", at) - at - begin.size());
    REQUIRE(text != "not finished");
    Looked looked{nlohmann::json::parse(text), {}};
    for (std::size_t line = 0; line < result.err.size();) {
        const std::size_t end = std::min(result.err.find('\n', line), result.err.size());
        const std::string each = result.err.substr(line, end - line);
        if (each.find("CONSOLE") != std::string::npos)
            looked.complaints += each + "\n";
        line = end + 1;
    }
    return looked;
}

std::vector<InventedSuite> some_suites(const InventedMachine& machine = {}) {
    std::vector<InventedSuite> plan;
    for (InventedSuite& invented : full_plan(machine))
        for (const char* wanted : {"MPI_Send-MPI_Recv", "MPI_Ssend-MPI_Recv", "MPI_Barrier", "MPI_Wtime"})
            if (invented.suite.name == wanted)
                plan.push_back(invented);
    return plan;
}

/// Of a page as it should be, whatever it shows.
void check_sound(const nlohmann::json& page) {
    INFO(page.dump(1));
    REQUIRE_FALSE(page.contains("error"));
    CHECK(page["overflow"] == 0);
    CHECK(page["live"] == true);
    CHECK(page["handlers"] == 0);
    CHECK(page["deadLinks"].empty());
    CHECK(page["cut"].empty());
    CHECK(page["spilled"].empty());
}

double seconds(const std::string& text) {
    const std::size_t space = text.find(' ');
    const std::string unit = text.substr(space + 1);
    return std::stod(text.substr(0, space)) * (unit == "ns"   ? 1e-9
                                               : unit == "µs" ? 1e-6
                                               : unit == "ms" ? 1e-3
                                                              : 1.0);
}

} // namespace

TEST_CASE(
    "a report in a browser: values under the pointer, zoom, legend, tables; by keyboard, on any screen") {
    const ScratchFolder scratch;
    {
        Database database = Database::open_for_writing(scratch / "run.db");
        write_run(database, invented_run("run-1"), some_suites(), 1, 0.02);
    }
    const std::vector<std::string> texts = nasty_texts(scratch / "pwned");
    std::vector<InventedSuite> plan;
    const std::vector<InventedSuite> all = full_plan({});
    for (std::size_t i = 0; i < texts.size(); ++i) {
        InventedSuite invented = all[i % all.size()];
        invented.suite.name = invented.suite.family = invented.suite.operation.title = texts[i];
        plan.push_back(invented);
    }
    Run nasty = invented_run("<script>alert(1)</script>");
    nasty.machine = "</title><script>alert(2)</script>";
    nasty.mpi_library = "\" onload=\"alert(3)";
    nasty.parameter_text = "</pre><script>alert(4)</script>" + std::string(5000, 'W');
    for (const std::string& text : texts)
        nasty.facts[text] = text;
    {
        Database database = Database::open_for_writing(scratch / "nasty.db");
        write_run(database, nasty, plan, 1, 0.02);
    }
    report({scratch / "run.db", "-o", scratch / "run.html"});
    report({scratch / "run.db", "-o", scratch / "folder/"});
    report({scratch / "nasty.db", "-o", scratch / "nasty.html", "--title", "<b>bold</b>"});
    report({fs::path(from_environment("SKAMPI_HTML_HARNESS")).parent_path() / "../data/cube/scout.stat", "-o",
            scratch / "boxes.html"});

    const Looked looked = look(
        scratch, {{{"name", "wide"}, {"address", "run.html"}, {"width", 1200}, {"kind", "plots"}},
                  {{"name", "phone"}, {"address", "run.html"}, {"width", 400}, {"kind", "plots"}},
                  {{"name", "folder"}, {"address", "folder/index.html"}, {"width", 400}, {"kind", "general"}},
                  {{"name", "nasty"}, {"address", "nasty.html"}, {"width", 400}, {"kind", "general"}},
                  {{"name", "boxes"}, {"address", "boxes.html"}, {"width", 400}, {"kind", "boxes"}}});
    CHECK(looked.complaints == "");
    for (const auto& [name, page] : looked.findings.items()) {
        CAPTURE_BINDING(name);
        check_sound(page);
        CHECK(page["loaded"].empty());
        CHECK(page["scripts"] == 1); // none but ours came out of any text
        if (name == "boxes")
            continue; // wait states have no small plots
        CHECK(page["smallPlots"].get<int>() > 0);
        CHECK(page["smallLinks"].get<int>() == page["smallPlots"].get<int>());
    }
    const nlohmann::json& boxes = looked.findings["boxes"];
    CHECK(boxes["zoomed"] == true);
    CHECK(boxes["names"].size() == 5);
    CHECK(boxes["namesAgain"] == boxes["names"]);
    CHECK(boxes["namesZoomed"].size() >= 1); // of the rows that are still there
    for (const auto& each : boxes["namesZoomed"])
        CHECK(std::ranges::find(boxes["names"], each) != boxes["names"].end());
    for (const char* name : {"wide", "phone"}) {
        const nlohmann::json& page = looked.findings[name];
        INFO(name << page.dump(1));
        CHECK(page["tip"].get<std::string>().find(page["tipExpected"].get<std::string>()) !=
              std::string::npos);
        CHECK(page["zoomedByDragging"] == true);
        CHECK(page["zoomedBeside"] == 2); // bandwidth beside time shows the same arguments
        CHECK(page["labelsZoomed"].get<std::string>().find('|') != std::string::npos);
        for (const char* done : {"wholeAgain", "focused", "steps", "zoomedByKey", "wholeByKey",
                                 "seriesHidden", "seriesShown", "unsorted", "reachable"})
            CHECK_MESSAGE(page[done] == true, done);
        CHECK(page["seriesPaths"].get<int>() > 0);
        CHECK(page["pressed"] == "false");
        CHECK(page["sorted"] == "descending");
        for (const char* order : {"ascending", "descending"}) {
            std::vector<double> values;
            for (const auto& text : page[order])
                values.push_back(seconds(text.get<std::string>()));
            CHECK(values.size() > 3);
            if (std::string(order) == "descending")
                std::ranges::reverse(values);
            CHECK(std::ranges::is_sorted(values));
        }
    }
    CHECK(looked.findings["wide"]["background"] == "rgb(255, 255, 255)");
}

TEST_CASE("a site in a browser: search and filters, any two results compared, dark where that is wanted") {
    const ScratchFolder scratch;
    const auto make = [&](const std::string& name, const std::string& machine, double factor) {
        Database database = Database::open_for_writing(scratch / name);
        Run run = invented_run(name);
        run.machine = machine;
        write_run(database, run, some_suites({.factor = factor}), 1, 0.02);
    };
    make("a.db", "first machine, whose name tells of its processors and network", 1);
    make("b.db", "second machine", 1.5);
    make("<b>.db", "</script><script>alert(1)</script>", 1);
    report({"site", scratch / "site", scratch / "a.db", scratch / "b.db", scratch / "<b>.db"});

    const Looked looked = look(
        scratch,
        {{{"name", "index"}, {"address", "site/index.html"}, {"width", 400}, {"kind", "index"}},
         {{"name", "index on a screen"}, {"address", "site/index.html"}, {"width", 1200}, {"kind", "index"}},
         {{"name", "page"}, {"address", "site/results/a.html"}, {"width", 400}, {"kind", "general"}},
         {{"name", "comparison"},
          {"address", "site/comparison.html#a,b"},
          {"width", 400},
          {"kind", "comparison"}},
         {{"name", "drawn"},
          {"address", "site/comparison.html#a,b"},
          {"width", 1200},
          {"kind", "comparison"}},
         {{"name", "reversed"},
          {"address", "site/comparison.html#b,a"},
          {"width", 400},
          {"kind", "comparison"}},
         {{"name", "of its own accord"},
          {"address", "site/comparison.html"},
          {"width", 400},
          {"kind", "comparison"}},
         {{"name", "operation"},
          {"address", "site/comparison.html#operation=MPI_Send-MPI_Recv"},
          {"width", 1200},
          {"kind", "comparison"}},
         {{"name", "none"},
          {"address", "site/comparison.html#../a,b"},
          {"width", 400},
          {"kind", "comparison"}}},
        "--blink-settings=preferredColorScheme=0");
    CHECK(looked.complaints == "");
    for (const auto& [name, page] : looked.findings.items()) {
        CAPTURE_BINDING(name);
        check_sound(page);
        CHECK(page["background"] != "rgb(255, 255, 255)"); // the browser asks for dark pages
        for (const auto& file : page["loaded"])
            CHECK(file.get<std::string>().starts_with("file://" + (scratch / "site/")));
    }
    CHECK(looked.findings["index on a screen"]["beyond"].get<int>() <= 0); // nobody looks for columns there
    const nlohmann::json& index = looked.findings["index"];
    CHECK(index["all"].size() == 3);
    CHECK(index["searched"] == nlohmann::json::array({"b"}));
    CHECK(index["filtered"].size() == 1);
    CHECK(index["before"] == true);
    CHECK(index["after"] == false);
    for (const char* const column : {"latency", "peak bandwidth"}) // a phone shows them at once
        CHECK_MESSAGE(index["seen"][column] == true, column);
    for (const char* name : {"comparison", "drawn", "reversed"}) {
        CAPTURE(name);
        const nlohmann::json& two = looked.findings[name];
        const bool reversed = name == std::string("reversed");
        CHECK(two["title"] == (reversed ? "a.db against b.db" : "b.db against a.db"));
        CHECK(two["figures"].get<int>() >= 2);
        REQUIRE(two["pieces"].size() == 3); // two curves and their ratio
        for (const auto& pieces : two["pieces"])
            CHECK(pieces.get<int>() >= 3); // the 0, and both sides of the eager limit
        CHECK(two["ratios"].size() == some_suites().size());
        for (const auto& row : two["ratios"]) // MPI_Wtime is as fast on any machine that is invented here
            CHECK(std::abs(std::stod(row[2].get<std::string>()) - (row[0] == "MPI_Wtime" ? 1
                                                                   : reversed            ? 1 / 1.5
                                                                                         : 1.5)) < 0.1);
    }
    const nlohmann::json& over_results = looked.findings["operation"];
    CHECK(over_results["title"].get<std::string>().starts_with("MPI_Send-MPI_Recv "));
    CHECK(over_results["figures"] == 1);
    CHECK(over_results["pieces"].size() == 3); // a line for each machine
    // Without a choice: the newest against the one before it.
    CHECK(looked.findings["of its own accord"]["title"].get<std::string>().find(" against ") !=
          std::string::npos);
    CHECK(looked.findings["none"]["figures"] == 0); // a name that is none of the list becomes no address
    CHECK(looked.findings["none"]["text"] == "Choose two results.");
}

TEST_CASE("a map of pairs in a browser: filled, and white where nothing was measured, also on a dark page") {
    const ScratchFolder scratch;
    {
        Database database = Database::open_for_writing(scratch / "links.db");
        Run run;
        run.uuid = "links-1";
        run.started_utc = "2026-11-29T10:00:00Z";
        PairMap pairs{.message_bytes = std::int64_t{1} << 20};
        for (int i = 0; i < 8; ++i) {
            run.rank_facts.emplace_back().rank = i;
            for (int j = i + 1; j < 8; ++j)
                pairs.pairs.push_back({i, j, i == 3 && j == 5 ? 9e-6F : 1e-6F});
        }
        const RunId id = database.begin_run(run, {});
        database.add_pair_map(id, pairs);
        database.end_run(id, run);
    }
    report({scratch / "links.db", "-o", scratch / "links.html"});
    const Looked looked =
        look(scratch, {{{"name", "map"}, {"address", "links.html"}, {"width", 1200}, {"kind", "map"}}},
             "--blink-settings=preferredColorScheme=0");
    CHECK(looked.complaints == "");
    const nlohmann::json& map = looked.findings["map"];
    check_sound(map);
    CHECK(map["background"] != "rgb(255, 255, 255)");
    REQUIRE(map["legend"].size() == 8); // seven levels, and pairs that were not measured
    CHECK(map["drawn"] == nlohmann::json::array({"rgb(255, 255, 255)", map["legend"][1], map["legend"][6]}));
    CHECK(map["legend"][7] == "rgb(255, 255, 255)");
}

int main(int argc, char** argv) {
    if (!browser()) {
        std::puts("skipped: there is no Chromium (package chromium) to look at the pages with");
        return 77;
    }
    return doctest::Context(argc, argv).run();
}
