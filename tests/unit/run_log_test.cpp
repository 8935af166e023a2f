// SPDX-License-Identifier: GPL-2.0-or-later
#include "runs/run_log.hpp"

#include "base/error.hpp"
#include "scratch_folder.hpp"

#include <doctest/doctest.h>
#include <fstream>
#include <sstream>
#include <sys/stat.h>

using namespace skampi;

namespace {

std::string content(const std::string& path) {
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
}

const Event warning{"2026-11-22T10:00:00Z", "warning", "", "the cores are shared"};
const Event crash{"2026-11-22T10:00:01Z", "crash", "MPI_Bcast", "signal 11\nin rank 3"};
const std::string warning_line = "2026-11-22T10:00:00Z 12345678 warning: the cores are shared\n";
const std::string uuid = "12345678-9abc";

} // namespace

TEST_CASE("each event is a line of its own, once") {
    const ScratchFolder scratch;
    RunLog log(scratch / "run.log", scratch / "x.db");
    CHECK(log.wanted());
    log.begin(uuid);
    CHECK(log.append({warning}).empty());
    CHECK(log.append({warning, crash}).empty());
    CHECK(content(scratch / "run.log") ==
          warning_line + "2026-11-22T10:00:01Z 12345678 crash \"MPI_Bcast\": signal 11\\nin rank 3\n");
}

TEST_CASE("a run that goes on appends what is new, another run everything") {
    const ScratchFolder scratch;
    {
        RunLog log(scratch / "run.log", scratch / "x.db");
        log.begin(uuid);
        CHECK(log.append({warning}).empty());
    }
    RunLog again(scratch / "run.log", scratch / "x.db");
    again.begin(uuid);
    CHECK(again.append({warning}).empty());
    CHECK(content(scratch / "run.log") == warning_line);
    again.begin("87654321-9abc");
    CHECK(again.append({warning}).empty());
    CHECK(content(scratch / "run.log") ==
          warning_line + "2026-11-22T10:00:00Z 87654321 warning: the cores are shared\n");
}

TEST_CASE("what a full disk left of a line is not continued") {
    const ScratchFolder scratch;
    std::ofstream(scratch / "run.log") << "2026-11-22T09";
    RunLog log(scratch / "run.log", scratch / "x.db");
    log.begin(uuid);
    CHECK(log.append({warning}).empty());
    CHECK(content(scratch / "run.log") == "2026-11-22T09\n" + warning_line);
}

TEST_CASE("without a name there is no log") {
    RunLog log("", "x.db");
    CHECK_FALSE(log.wanted());
    log.begin(uuid);
    CHECK(log.append({warning}).empty());
}

TEST_CASE("what cannot be written is told once, and never waited for") {
    const ScratchFolder scratch;
    REQUIRE(mkfifo((scratch / "pipe").c_str(), 0600) == 0); // that nobody reads
    for (const std::string& path :
         {std::string("/dev/full"), scratch / "no folder/run.log", scratch / "pipe", scratch / "."}) {
        CAPTURE(path);
        RunLog log(path, scratch / "x.db");
        log.begin(uuid);
        CHECK(log.append({warning}).find("the log " + path + " cannot be written (") == 0);
        CHECK(log.append({crash}).empty());
        CHECK_FALSE(log.wanted());
    }
}

TEST_CASE("nothing is appended to what is no log") {
    const ScratchFolder scratch;
    std::ofstream(scratch / "other.db") << "SQLite format 3" << '\0' << "...";
    std::ofstream(scratch / "my.skampi") << "@MEASUREMENTS\n";
    std::ofstream(scratch / ".profile") << "PATH=/bin\n";
    std::ofstream(scratch / "2026.txt") << "2026-11-22: milk\n";
    std::ofstream(scratch / "elsewhere.log") << warning_line;
    std::filesystem::create_symlink(scratch / "elsewhere.log", scratch / "run.log");
    std::ofstream(scratch / "x.db").close(); // a database that was not begun
    std::filesystem::create_hard_link(scratch / "x.db", scratch / "same.db");
    std::filesystem::create_symlink(scratch / "new", scratch / "dangling.log");
    for (const char* const name :
         {"other.db", "x.db", "./x.db", "same.db", "my.skampi", ".profile", "2026.txt", "run.log", "dangling.log",
          "x.db-wal", "x.db-shm", "x.db-journal", "x.db.lock", "x.db.daemon.lock", "other.db-wal",
          "x.db.tune.skampi"}) {
        CAPTURE(name);
        CHECK_THROWS_AS(RunLog(scratch / name, scratch / "x.db"), InputError);
    }
    CHECK(content(scratch / "elsewhere.log") == warning_line);
    std::ofstream(scratch / "empty.log").close();
    for (const char* const name : {"elsewhere.log", "empty.log", "new.log"})
        CHECK_NOTHROW(RunLog(scratch / name, scratch / "x.db"));
}
