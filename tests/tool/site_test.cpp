#include "base/child.hpp"
#include "environment.hpp"
#include "invented_results.hpp"
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

bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
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
        report({"--site", site, scratch / "a.db", scratch / "b.db", "--title", "Our machines"});
    INFO(first.err);
    REQUIRE(first.ok());
    CHECK(contains(first.out, "SKAMPI: OK figures=4 pages=2\n"));
    CHECK(names(site) == std::vector<std::string>{".skampi-site", "comparison.html", "index.html",
                                                  "results.js", "results/a.html", "results/a.js",
                                                  "results/a.json", "results/b.html", "results/b.js",
                                                  "results/b.json"});
    const std::string index = read(scratch / "site/index.html");
    for (const char* part :
         {"Our machines", "machine A", "machine B", "href=\"results/a.html\"", "href=\"results/b.html\""})
        CHECK_MESSAGE(contains(index, part), part);
    CHECK(contains(read(scratch / "site/results/b.html"), "href=\"../index.html\""));
    // What the page of comparisons gets is JSON within a call.
    const std::string script = read(scratch / "site/results/a.js");
    const std::string begin = "skampiLoaded(";
    REQUIRE(script.starts_with(begin));
    const auto json = nlohmann::json::parse(script.substr(begin.size(), script.rfind(");") - begin.size()));
    CHECK(json["name"] == "a");
    CHECK(json["suites"][0]["name"] == "MPI_Send-MPI_Recv");
    CHECK(json["suites"][0]["points"].size() > 5);

    const auto before = files(site);
    const ChildResult again =
        report({"--site", site, scratch / "a.db", scratch / "b.db", "--title", "Our machines"});
    CHECK(contains(again.out, "pages=0\n"));
    CHECK(files(site) == before);

    fs::remove(scratch / "b.db");
    write_database(scratch / "b.db", "machine C");
    const ChildResult changed = report({"--site", site, scratch / "b.db", "--title", "Our machines"});
    CHECK(contains(changed.out, "pages=1\n"));
    const auto after = files(site);
    CHECK(after.at("results/a.html") == before.at("results/a.html"));
    CHECK(after.at("results/b.html") != before.at("results/b.html"));
    CHECK(contains(read(scratch / "site/index.html"), "machine C"));
    CHECK_FALSE(contains(read(scratch / "site/index.html"), "machine B"));
    CHECK(contains(read(scratch / "site/index.html"), "machine A")); // not named this time, and kept

    // A page that is lost is made again, and so is one whose database changed too short before to be sure.
    fs::remove(scratch / "site/results/a.html");
    fs::last_write_time(scratch / "b.db", fs::file_time_type::clock::now());
    CHECK(contains(report({"--site", site, scratch / "a.db", scratch / "b.db"}).out, "pages=2\n"));
    CHECK(contains(report({"--site", site, scratch / "a.db", scratch / "b.db"}).out, "pages=1\n"));
}

TEST_CASE("pages of databases that are gone stay and say so, until they are not wanted any more") {
    const ScratchFolder scratch;
    const std::string site = scratch / "site";
    write_database(scratch / "a.db", "machine A");
    write_database(scratch / "b.db", "machine B");
    REQUIRE(report({"--site", site, scratch / "a.db", scratch / "b.db"}).ok());
    fs::remove(scratch / "b.db");
    REQUIRE(report({"--site", site}).ok());
    CHECK(contains(read(scratch / "site/index.html"), "its database is gone"));
    CHECK(fs::exists(scratch / "site/results/b.html"));
    REQUIRE(report({"--site", site, "--prune"}).ok());
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
        {"--site", scratch / "site", scratch / "a.db", scratch / "other/a.db", scratch / "-\"><script>.db"});
    INFO(result.err);
    REQUIRE(result.ok());
    CHECK(contains(result.out, "pages=3\n"));
    for (const std::string& name : names(scratch / "site"))
        CHECK(name.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-/") ==
              std::string::npos);
    const std::string index = read(scratch / "site/index.html");
    CHECK_FALSE(contains(index, "<script>alert"));
    CHECK_FALSE(contains(index, "\"><script>.db"));
    CHECK(contains(report({"--site", scratch / "site", scratch / "other/a.db", scratch / "a.db"}).out,
                   "pages=0\n"));
}

TEST_CASE("a database that cannot be read is named, and the others have their pages") {
    const ScratchFolder scratch;
    write_database(scratch / "a.db", "machine A");
    std::ofstream(scratch / "no.db") << "neither a database nor a CSV file\n";
    const ChildResult result =
        report({"--site", scratch / "site", scratch / "no.db", scratch / "missing.db", scratch / "a.db"});
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
    const ChildResult result = report({"--site", scratch / "mine", scratch / "a.db"});
    CHECK(result.exit_status == 2);
    CHECK(contains(result.err, "mine: exists and is no site"));
    CHECK(names(scratch / "mine") == std::vector<std::string>{"index.html"});
    CHECK(read(scratch / "mine/index.html") == "keep me");
    const ChildResult both = report({"--site", scratch / "site", scratch / "a.db", "-o", scratch / "a.pdf"});
    CHECK(both.exit_status == 2);
    CHECK(contains(both.err, "--output does not go with --site"));
    std::ofstream(scratch / "half.content") << "round_trips = half\n";
    const ChildResult half =
        report({"--site", scratch / "site", scratch / "a.db", "--content", scratch / "half.content"});
    CHECK(half.exit_status == 2);
    CHECK(contains(half.err, "--content does not go with --site"));
    CHECK(report({"--site", scratch / "site", scratch / "a.db", "--box-plots"}).exit_status == 2);
    CHECK(report({scratch / "a.db", "--prune"}).exit_status == 2);
    CHECK_FALSE(fs::exists(scratch / "site"));
}

TEST_CASE(
    "of two writers one is refused; an interrupted one leaves no half of a file, and the next one goes on") {
    const ScratchFolder scratch;
    const std::string site = scratch / "site";
    write_database(scratch / "a.db", "machine A");
    // What is no end to read: the program waits there.
    const std::string endless = scratch / "endless.db";
    REQUIRE(mkfifo(endless.c_str(), 0600) == 0);
    Child child(report_command({"--site", site, scratch / "a.db", endless}));
    const int writer = open(endless.c_str(), O_WRONLY | O_CLOEXEC); // waits until it is read
    REQUIRE(writer >= 0);
    const auto before = files(site);
    CHECK(before.contains("results/a.html"));
    const ChildResult second = report({"--site", site, scratch / "a.db"});
    CHECK(second.exit_status == 3);
    CHECK(contains(second.err, "in use by another process"));
    // A file half written, as one that is killed then leaves it.
    std::ofstream(site + "/results/.4711.1.part") << "half";
    kill(child.pid(), SIGTERM);
    const ChildResult& ended = child.wait();
    CHECK(ended.signal == SIGTERM);
    CHECK(contains(ended.err, "ended by"));
    close(writer);

    write_database(scratch / "b.db", "machine B");
    const ChildResult next = report({"--site", site, scratch / "a.db", scratch / "b.db"});
    INFO(next.err);
    CHECK(next.ok());
    CHECK(contains(next.out, "pages=1\n"));
    CHECK(files(site).at("results/a.html") == before.at("results/a.html"));
    CHECK(names(site) == std::vector<std::string>{".skampi-site", "comparison.html", "index.html",
                                                  "results.js", "results/a.html", "results/a.js",
                                                  "results/a.json", "results/b.html", "results/b.js",
                                                  "results/b.json"});
}
