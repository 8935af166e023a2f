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

TEST_CASE("nothing is appended to a database") {
    const ScratchFolder scratch;
    std::ofstream(scratch / "other.db") << "SQLite format 3" << '\0' << "...";
    for (const std::string& path : {scratch / "other.db", scratch / "x.db", scratch / "./x.db"})
        CHECK_THROWS_WITH_AS(RunLog(path, scratch / "x.db"), doctest::Contains("named by @LOGFILE"),
                             InputError);
}
