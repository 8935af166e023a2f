// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/child.hpp"
#include "base/utc.hpp"
#include "contains.hpp"
#include "environment.hpp"
#include "invented_results.hpp"
#include "invented_session.hpp"
#include "scratch_folder.hpp"
#include "store/database.hpp"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <doctest/doctest.h>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <random>
#include <sys/stat.h>
#include <unistd.h>

using namespace skampi;
using namespace skampi::test;
namespace fs = std::filesystem;

namespace {

std::string read(const fs::path& path) {
    std::ifstream stream(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

Command report_command(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), from_environment("SKAMPI_REPORT"));
    Command command;
    command.argv = std::move(arguments);
    command.timeout_s = 100;
    return command;
}

ChildResult report(std::vector<std::string> arguments) {
    return run(report_command(std::move(arguments)));
}

/// A database that was last changed long ago, as most are when a site is kept.
void write_database(const std::string& path, const std::string& machine, double factor = 1) {
    {
        Database database = Database::open_for_writing(path);
        std::vector<InventedSuite> plan;
        for (const InventedSuite& invented : full_plan({.factor = factor}))
            if (invented.suite.name == "MPI_Send-MPI_Recv")
                plan.push_back(invented);
        Run run = invented_run(machine);
        run.machine = machine;
        write_run(database, run, plan, 1, 0.02);
    }
    fs::last_write_time(path, fs::file_time_type::clock::now() - std::chrono::hours(1));
}

/// Several launches a day, each a little different, in one file; the first on a day of March.
void write_launches(const std::string& path, const std::string& name, double factor, int launches, int day,
                    int ranks = 16) {
    {
        Database database = Database::open_for_writing(path);
        std::vector<InventedSuite> plan;
        for (const InventedSuite& invented : full_plan({.factor = factor}))
            if (invented.suite.name == "MPI_Send-MPI_Recv" || invented.suite.name == "MPI_Bcast") {
                plan.push_back(invented);
                plan.back().arguments = {0, 1024, 65536, 1048576};
            }
        for (int launch = 0; launch < launches; ++launch) {
            std::vector<InventedSuite> noisy = plan;
            std::mt19937 random(static_cast<unsigned>(1000 + day + launch));
            const double noise = 1 + 0.005 * std::normal_distribution<double>()(random);
            for (InventedSuite& suite : noisy)
                suite.time_s = [time_s = suite.time_s, noise](std::int64_t argument) {
                    return time_s(argument) * noise;
                };
            Run run = invented_run(name + "-" + std::to_string(launch), launch);
            run.ranks = ranks;
            run.started_utc = utc_text(*utc_seconds("2026-03-01T10:00:00Z") + 86400.0 * (day + launch));
            write_run(database, run, noisy, static_cast<unsigned>(day + launch + 1), 0.002);
        }
    }
    fs::last_write_time(path, fs::file_time_type::clock::now() - std::chrono::hours(1));
}

/// What a script calls its function with.
nlohmann::json argument_of(const fs::path& script, const std::string& function) {
    const std::string text = read(script);
    const std::size_t begin = text.find(function + "(");
    REQUIRE(begin != std::string::npos);
    const std::size_t at = begin + function.size() + 1;
    return nlohmann::json::parse(text.substr(at, text.rfind(");") - at));
}

/// The files of a site and when each was written.
std::map<std::string, fs::file_time_type> files(const fs::path& site) {
    std::map<std::string, fs::file_time_type> found;
    for (const auto& entry : fs::recursive_directory_iterator(site))
        if (entry.is_regular_file())
            found[fs::relative(entry.path(), site).string()] = entry.last_write_time();
    return found;
}

std::vector<std::string> names(const fs::path& site) {
    std::vector<std::string> all;
    for (const auto& [name, time] : files(site))
        if (!name.starts_with("history/machine")) // of one run, which has no page
            all.push_back(name);
    return all;
}

} // namespace

TEST_CASE("a site has an index, a page for each database and their data; only what changed is made anew") {
    const ScratchFolder scratch;
    const std::string site = scratch / "site";
    write_database(scratch / "a.db", "machine A");
    write_database(scratch / "b.db", "machine B");
    const ChildResult first =
        report({"site", site, scratch / "a.db", scratch / "b.db", "--title", "Our machines"});
    INFO(first.err);
    REQUIRE(first.ok());
    CHECK(contains(first.out, "pages=2\n"));
    CHECK(names(site) == std::vector<std::string>{
                             ".skampi-site", "comparison.html", "history/runs/a.json", "history/runs/b.json",
                             "index.html", "index.json", "results.js", "results/a.html", "results/a.js",
                             "results/a.json", "results/b.html", "results/b.js", "results/b.json"});
    const std::string index = read(scratch / "site/index.html");
    for (const char* part :
         {"Our machines", "machine A", "machine B", "href=\"results/a.html\"", "href=\"results/b.html\""})
        CHECK_MESSAGE(contains(index, part), part);
    CHECK(contains(read(scratch / "site/results/b.html"), "href=\"../index.html\""));
    // What the page of comparisons gets is JSON within a call.
    const auto json = argument_of(scratch / "site/results/a.js", "skampiLoaded");
    CHECK(json["name"] == "a");
    CHECK(json["suites"][0]["name"] == "MPI_Send-MPI_Recv");
    CHECK(json["suites"][0]["points"].size() > 5);
    // Where its lines are broken.
    CHECK(json["suites"][0]["jumps"] == nlohmann::json::parse("[[8192, 11584]]"));

    const auto before = files(site);
    const ChildResult again =
        report({"site", site, scratch / "a.db", scratch / "b.db", "--title", "Our machines"});
    CHECK(contains(again.out, "pages=0\n"));
    CHECK(files(site) == before);

    fs::remove(scratch / "b.db");
    write_database(scratch / "b.db", "machine C");
    fs::last_write_time(scratch / "b.db", fs::file_time_type::clock::now());
    const ChildResult changed = report({"site", site, scratch / "b.db", "--title", "Our machines"});
    CHECK(contains(changed.out, "pages=1\n"));
    const auto after = files(site);
    CHECK(after.at("results/a.html") == before.at("results/a.html"));
    CHECK(after.at("results/b.html") != before.at("results/b.html"));
    CHECK(contains(read(scratch / "site/index.html"), "machine C"));
    CHECK_FALSE(contains(read(scratch / "site/index.html"), "machine B"));
    CHECK(contains(read(scratch / "site/index.html"), "machine A")); // not named this time, and kept

    // A page that is lost is made again, and so is that of a database that is newer.
    fs::remove(scratch / "site/results/a.html");
    fs::last_write_time(scratch / "b.db", fs::file_time_type::clock::now());
    CHECK(contains(report({"site", site, scratch / "a.db", scratch / "b.db"}).out, "pages=2\n"));
    CHECK(contains(report({"site", site, scratch / "a.db", scratch / "b.db"}).out, "pages=0\n"));

    // What scripts read says what the page says.
    const nlohmann::json results = nlohmann::json::parse(read(scratch / "site/index.json"))["results"];
    REQUIRE(results.size() == 2);
    for (const nlohmann::json& result : results)
        for (const char* const key : {"latency", "bandwidth", "machine"})
            CHECK(contains(read(scratch / "site/index.html"), result.at(key).get<std::string>()));
}

TEST_CASE("pages of databases that are gone stay and say so, until they are not wanted any more") {
    const ScratchFolder scratch;
    const std::string site = scratch / "site";
    write_database(scratch / "a.db", "machine A");
    write_database(scratch / "b.db", "machine B");
    REQUIRE(report({"site", site, scratch / "a.db", scratch / "b.db"}).ok());
    fs::remove(scratch / "b.db");
    REQUIRE(report({"site", site}).ok());
    CHECK(contains(read(scratch / "site/index.html"), "its database is gone"));
    CHECK(fs::exists(scratch / "site/results/b.html"));
    REQUIRE(report({"site", site, "--prune"}).ok());
    CHECK_FALSE(contains(read(scratch / "site/index.html"), "machine B"));
    CHECK(contains(read(scratch / "site/index.html"), "machine A"));
    for (const char* extension : {".html", ".js", ".json"}) {
        CHECK_FALSE(fs::exists(scratch / "site/results/b" + extension));
        CHECK(fs::exists(scratch / "site/results/a" + extension));
    }
}

TEST_CASE(
    "databases of one name, and of names that are no file names, have pages of their own inside the site") {
    const ScratchFolder scratch;
    fs::create_directory(scratch / "other");
    write_database(scratch / "a.db", "machine A");
    write_database(scratch / "other/a.db", "machine B");
    write_database(scratch / "-\"><script>.db", "</script><script>alert(1)</script>");
    const ChildResult result = report(
        {"site", scratch / "site", scratch / "a.db", scratch / "other/a.db", scratch / "-\"><script>.db"});
    INFO(result.err);
    REQUIRE(result.ok());
    CHECK(contains(result.out, "pages=3\n"));
    for (const std::string& name : names(scratch / "site"))
        CHECK(name.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-/") ==
              std::string::npos);
    const std::string index = read(scratch / "site/index.html");
    CHECK_FALSE(contains(index, "<script>alert"));
    CHECK_FALSE(contains(index, "\"><script>.db"));
    CHECK(contains(report({"site", scratch / "site", scratch / "other/a.db", scratch / "a.db"}).out,
                   "pages=0\n"));
}

TEST_CASE("a site reads no database in its folders, and removes none of what others put there") {
    const ScratchFolder folder;
    write_database(folder / "a.db", "a");
    REQUIRE(report({"site", folder / "site", folder / "a.db"}).ok());
    fs::create_directory(folder / "site/history/mine");
    fs::rename(folder / "a.db", folder / "site/history/mine/a.db");
    const ChildResult refused = report({"site", folder / "site", folder / "site/history/mine/a.db"});
    CHECK(refused.exit_status == 2);
    CHECK(contains(refused.err, "holds the input"));
    write_database(folder / "b.db", "b");
    for (const char* name : {"results/notes.txt", "history/notes.txt"})
        std::ofstream(fs::path(folder / "site") / name).close();
    CHECK(report({"site", folder / "site", folder / "b.db", "--prune"}).ok());
    for (const char* name : {"history/mine/a.db", "results/notes.txt", "history/notes.txt"})
        CHECK(fs::exists(fs::path(folder / "site") / name));
}

namespace {

constexpr const char* send = "MPI_Send-MPI_Recv";

using Change = std::function<void(Run&, Suite&, Measurement&)>;

/// Of one run of its own name, in which something may be changed.
std::string strangers_database(const ScratchFolder& folder, const std::string& name,
                               const Change& change = {}) {
    const std::string path = folder / (name + ".db");
    Database database = Database::open_for_writing(path);
    std::vector<InventedSuite> plan = full_plan({});
    std::erase_if(plan, [](const InventedSuite& each) { return each.suite.name != "MPI_Send-MPI_Recv"; });
    Run run = invented_run("uuid-of-" + name);
    run.machine = "machine of " + name;
    Measurement none;
    if (change)
        change(run, plan.front().suite, none);
    write_run(database, run, plan, 1, 0.02, [&](const Suite&, Measurement& m) {
        Run unused_run;
        Suite unused;
        if (change)
            change(unused_run, unused, m);
    });
    return path;
}

} // namespace

TEST_CASE("databases of others are checked and copied into the site, or refused by name") {
    const ScratchFolder folder;
    const std::string good = strangers_database(folder, "good");
    std::map<std::string, std::string> refused; // name -> part of the reason
    const auto refuse = [&](const std::string& name, const std::string& reason, const Change& change) {
        refused[strangers_database(folder, name, change)] = reason;
    };
    refuse("future", "2099",
           [](Run& run, Suite&, Measurement&) { run.started_utc = "2099-01-01T00:00:00Z"; });
    refuse("unplanned", "planned", [](Run&, Suite& suite, Measurement&) { suite.arguments.start = 2; });
    refuse("noplan", "plan", [](Run& run, Suite&, Measurement&) { run.plan_hash.clear(); });
    refuse("ranks", "ranks", [](Run& run, Suite&, Measurement&) { run.ranks = -3; });
    refuse("tooshort", "no machine", [](Run&, Suite&, Measurement& m) { m.value_s = 1e-15; });
    refuse("toofast", "no machine",
           [](Run&, Suite&, Measurement& m) { m.value_s = m.message_bytes > 1024 ? 1e-11 : m.value_s; });
    refuse("again", "in the site already", [](Run& run, Suite&, Measurement&) { run.uuid = "uuid-of-good"; });
    refused[folder / "text.db"] = "cannot open";
    std::ofstream(folder / "text.db") << "argument,value\n1,2\n";
    refused[folder / "cut.db"] = "cut.db";
    std::ofstream(folder / "cut.db") << read(good).substr(0, read(good).size() / 2);
    refused[folder / "csv.db"] = "imported";
    REQUIRE(report({good, "-o", folder / "x.csv"}).ok());
    fs::rename(folder / "x.csv", folder / "csv.db");
    refused[folder / "nothing.db"] = "is no file";

    std::vector<std::string> arguments{"site", folder / "site", "--add", good};
    for (const auto& [path, reason] : refused)
        arguments.push_back(path);
    const ChildResult added = report(arguments);
    CHECK(added.exit_status == 1);
    CHECK(contains(added.out, "pages=1\n"));
    for (const auto& each : refused) {
        const std::size_t line = added.err.find(each.first);
        REQUIRE_MESSAGE(line != std::string::npos, each.first);
        CHECK_MESSAGE(contains(added.err.substr(line, added.err.find('\n', line) - line), each.second),
                      added.err);
    }
    std::vector<std::string> kept;
    for (const auto& entry : fs::directory_iterator(folder / "site/files"))
        kept.push_back(entry.path().filename().string());
    CHECK(kept == std::vector<std::string>{"good.db"});

    // The site lives without what was sent, and elsewhere; a run is taken once, a name twice.
    fs::remove(good);
    fs::rename(folder / "site", folder / "moved");
    fs::create_directory(folder / "other");
    fs::rename(strangers_database(folder, "fine"), folder / "other/good.db");
    CHECK(report({"site", folder / "moved", "--add", folder / "other/good.db"}).ok());
    CHECK(report({"site", folder / "moved", "--add", folder / "other/good.db"}).exit_status == 1);
    CHECK(fs::exists(folder / "moved/files/good-2.db"));
    const nlohmann::json results = nlohmann::json::parse(read(folder / "moved/index.json"))["results"];
    REQUIRE(results.size() == 2);
    for (const nlohmann::json& result : results) {
        CHECK(result["gone"] == false);
        CHECK(result["network"] == invented_run("").network);
        CHECK(result["operations"] == nlohmann::json::array({send}));
    }
}

TEST_CASE("the index has columns for node and network and a page for each operation") {
    const ScratchFolder folder;
    for (const char* const name : {"a", "b"})
        (void)strangers_database(folder, name, [&](Run& run, Suite&, Measurement&) {
            run.network = "net <" + std::string(name) + ">";
        });
    REQUIRE(report({"site", folder / "site", folder / "a.db", folder / "b.db"}).ok());
    const std::string index = read(folder / "site/index.html");
    for (const char* const part : {"<td class=\"text\">net &lt;a&gt;</td>", "net &lt;b&gt;", ">network</th>",
                                   ">node</th>", "href=\"comparison.html#operation=MPI_Send-MPI_Recv\""})
        CHECK_MESSAGE(contains(index, part), part);
    const auto json = argument_of(folder / "site/results/a.js", "skampiLoaded");
    CHECK(json["suites"][0]["operation"] == send);
    CHECK(json["operations"][0] == send);
}

TEST_CASE("a database that cannot be read is named, and the others have their pages") {
    const ScratchFolder scratch;
    write_database(scratch / "a.db", "machine A");
    std::ofstream(scratch / "no.db") << "neither a database nor a CSV file\n";
    const ChildResult result =
        report({"site", scratch / "site", scratch / "no.db", scratch / "missing.db", scratch / "a.db"});
    CHECK(result.exit_status == 1);
    CHECK(contains(result.err, "no.db"));
    CHECK(contains(result.err, "missing.db"));
    CHECK(fs::exists(scratch / "site/results/a.html"));
    CHECK(contains(read(scratch / "site/index.html"), "machine A"));
}

TEST_CASE("nothing is written into a directory that is no site") {
    const ScratchFolder scratch;
    write_database(scratch / "a.db", "machine A");
    fs::create_directory(scratch / "mine");
    std::ofstream(scratch / "mine/index.html") << "keep me";
    const ChildResult result = report({"site", scratch / "mine", scratch / "a.db"});
    CHECK(result.exit_status == 2);
    CHECK(contains(result.err, "is no site"));
    CHECK(names(scratch / "mine") == std::vector<std::string>{"index.html"});
    CHECK(read(scratch / "mine/index.html") == "keep me");
    const ChildResult both = report({"site", scratch / "site", scratch / "a.db", "-o", scratch / "a.pdf"});
    CHECK(both.exit_status == 2);
    CHECK(contains(both.err, "--help"));
    std::ofstream(scratch / "half.content") << "round_trips = half\n";
    const ChildResult half =
        report({"site", scratch / "site", scratch / "a.db", "--content", scratch / "half.content"});
    CHECK(half.exit_status == 2);
    CHECK(contains(half.err, "--content"));
    CHECK(report({"site", scratch / "site", scratch / "a.db", "--box-plots"}).exit_status == 2);
    CHECK(report({scratch / "a.db", "--prune"}).exit_status == 2);
    CHECK_FALSE(fs::exists(scratch / "site"));
    // A lock that a killed program left there makes it no site.
    fs::create_directories(scratch / "other");
    std::ofstream(scratch / "other/thesis.tex") << "mine";
    std::ofstream(scratch / "other/.skampi-site.lock") << "";
    CHECK(report({"site", scratch / "other", scratch / "a.db"}).exit_status == 2);
    CHECK_FALSE(fs::exists(scratch / "other/results"));
    fs::remove(scratch / "other/thesis.tex"); // but alone it is in nobody's way
    CHECK(report({"site", scratch / "other", scratch / "a.db"}).ok());
}

TEST_CASE("nothing of a site is written through a link") {
    const ScratchFolder scratch;
    write_database(scratch / "a.db", "machine A");
    const std::string site = scratch / "site";
    for (const char* const name :
         {".skampi-site", ".skampi-site.lock", "index.html", "index.json", "results.js", "comparison.html",
          "results/a.html", "results/a.js", "results/a.json", "history/runs/a.json", "results", "history",
          "history/runs"}) {
        CAPTURE(name);
        fs::remove_all(site);
        fs::remove_all(scratch / "theirs");
        fs::create_directories(scratch / "theirs/folder");
        std::ofstream(scratch / "theirs/file") << "keep";
        std::ofstream(scratch / "theirs/folder/.1.part") << "keep";
        const fs::path link = fs::path(site) / name;
        const bool is_folder = fs::path(name).extension().empty();
        fs::create_directories(link.parent_path());
        if (name != std::string(".skampi-site"))
            std::ofstream(fs::path(site) / ".skampi-site") << "This site is kept by skampi-report site.\n";
        const bool of_folder = is_folder && name[0] != '.';
        fs::create_symlink(scratch / (of_folder ? "theirs/folder" : "theirs/file"), link);
        const ChildResult refused = report({"site", site, scratch / "a.db"});
        CHECK(refused.exit_status == 2);
        CHECK(contains(refused.err, "link"));
        CHECK(read(scratch / "theirs/file") == "keep");
        CHECK(files(scratch / "theirs").size() == 2);
    }
}

TEST_CASE(
    "of two writers one is refused; an interrupted one leaves no half of a file, and the next one goes on") {
    const ScratchFolder scratch;
    const std::string site = scratch / "site";
    write_database(scratch / "a.db", "machine A");
    // What is no end to read: the program waits there.
    const std::string endless = scratch / "endless.db";
    REQUIRE(mkfifo(endless.c_str(), 0600) == 0);
    Child child(report_command({"site", site, scratch / "a.db", endless}));
    const int writer = open(endless.c_str(), O_WRONLY | O_CLOEXEC); // waits until it is read
    REQUIRE(writer >= 0);
    const auto before = files(site);
    CHECK(before.contains("results/a.html"));
    const ChildResult second = report({"site", site, scratch / "a.db"});
    CHECK(second.exit_status == 3);
    CHECK(contains(second.err, "another process"));
    // A file half written, as one that is killed then leaves it.
    std::ofstream(site + "/results/.4711.1.part") << "half";
    kill(child.pid(), SIGTERM);
    const ChildResult& ended = child.wait();
    CHECK(ended.signal == SIGTERM);
    CHECK(contains(ended.err, "ended by"));
    close(writer);

    write_database(scratch / "b.db", "machine B");
    const ChildResult next = report({"site", site, scratch / "a.db", scratch / "b.db"});
    INFO(next.err);
    CHECK(next.ok());
    CHECK(contains(next.out, "pages=1\n"));
    CHECK(files(site).at("results/a.html") == before.at("results/a.html"));
    CHECK(names(site) == std::vector<std::string>{
                             ".skampi-site", "comparison.html", "history/runs/a.json", "history/runs/b.json",
                             "index.html", "index.json", "results.js", "results/a.html", "results/a.js",
                             "results/a.json", "results/b.html", "results/b.js", "results/b.json"});
}

TEST_CASE("a session has its answer in the index, and its turns on its page") {
    const ScratchFolder scratch;
    write_session(scratch / "s.db", {.variants = {variant_called("default"), variant_called("other")},
                                     .plan = {suite_called("MPI_Bcast")},
                                     .factor = [](std::size_t variant, int round) {
                                         return (variant == 1 ? 1.3 : 1.0) + 0.002 * round;
                                     }});
    fs::last_write_time(scratch / "s.db", fs::file_time_type::clock::now() - std::chrono::hours(1));
    REQUIRE(report({"site", scratch / "site", scratch / "s.db"}).ok());
    const ChildResult alone = report({scratch / "s.db", "-o", scratch / "s.html"});
    REQUIRE(alone.ok());
    const auto answer_of = [&](const std::string& page) {
        const std::size_t begin = page.find("class=\"answer\"");
        REQUIRE(begin != std::string::npos);
        return page.substr(begin, page.find("</p>", begin) - begin);
    };
    CHECK(answer_of(read(scratch / "site/results/s.html")) == answer_of(read(scratch / "s.html")));
    const std::string page = read(scratch / "site/results/s.html");
    const std::string index = read(scratch / "site/index.html");
    for (const char* part : {"other", "default", "slower"}) {
        CHECK_MESSAGE(contains(page, part), part);
        CHECK_MESSAGE(contains(index, part), part);
    }
    // Launches of variants are no history of a machine, but have a start.
    CHECK_FALSE(contains(index, "Over time"));
    CHECK(contains(index, "<td class=\"text\">2026-"));
    // The index keeps the answer where the page is not made anew.
    CHECK(contains(report({"site", scratch / "site", scratch / "s.db"}).out, "pages=0\n"));
    CHECK(contains(read(scratch / "site/index.html"), "slower"));
}

TEST_CASE("a site shows the runs of each machine over time, whichever files hold them") {
    const ScratchFolder scratch;
    const std::string site = scratch / "site";
    write_launches(scratch / "winter.db", "winter", 1, 18, 0);
    write_launches(scratch / "spring.db", "spring", 1.3, 14, 40);
    write_launches(scratch / "other.db", "other", 1, 2, 0, 8);
    REQUIRE(report({"site", site, scratch / "winter.db", scratch / "spring.db", scratch / "other.db"}).ok());
    const std::string index = read(scratch / "site/index.html");
    CHECK(contains(first_line_with(index, "Machines, 16 ranks"), "32 runs from 2026-03-01 10:00"));
    CHECK(contains(first_line_with(index, "Machines, 16 ranks"), "since 2026-04-10 10:00"));
    CHECK(contains(first_line_with(index, "Machines, 8 ranks"), "2 runs from"));
    std::string page;
    for (const auto& [name, time] : files(site))
        if (name.starts_with("history/Cluster") && contains(name, "-16-") && name.ends_with(".html"))
            page = name;
    REQUIRE_FALSE(page.empty());
    CHECK(contains(index, "href=\"" + page + "\""));
    CHECK(contains(read(scratch / ("site/" + page)), "href=\"../index.html\""));
    CHECK(contains(read(scratch / ("site/" + page)), "2026-04-10 10:00"));

    const auto before = files(site);
    REQUIRE(report({"site", site, scratch / "winter.db"}).ok());
    CHECK(files(site) == before);
    // Without their database the runs are history all the same, until they are dropped.
    fs::remove(scratch / "winter.db");
    write_launches(scratch / "summer.db", "summer", 1.3, 1, 60);
    REQUIRE(report({"site", site, scratch / "summer.db"}).ok());
    CHECK(contains(first_line_with(read(scratch / "site/index.html"), "16 ranks, "),
                   " 33 runs from 2026-03-01"));
    REQUIRE(report({"site", site, "--prune"}).ok());
    CHECK(contains(first_line_with(read(scratch / "site/index.html"), "16 ranks, "),
                   " 15 runs from 2026-04-10"));
    for (const auto& [name, time] : files(site))
        if (name.starts_with("history/Cluster") && contains(name, "-8-"))
            CHECK(time == before.at(name));
}
