// SPDX-License-Identifier: GPL-2.0-or-later
#include "store/database.hpp"

#include "../unit/invented_run.hpp"
#include "../unit/scratch_folder.hpp"
#include "../unit/text_file.hpp"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <doctest/doctest.h>
#include <fcntl.h>
#include <fstream>
#include <iterator>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sqlite3.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace skampi;
using namespace invented;

namespace {

/// Permissions mean nothing to the super-user: be nobody for a while.
class AsNobody {
public:
    AsNobody()
        : was_root_(geteuid() == 0) {
        if (was_root_)
            REQUIRE(seteuid(65534) == 0);
    }
    AsNobody(AsNobody&&) = delete;
    ~AsNobody() {
        if (was_root_)
            (void)!seteuid(0);
    }

private:
    bool was_root_;
};

void write_small_run(const std::string& path) {
    std::mt19937_64 random(1);
    Database database = Database::open_for_writing(path);
    const RunId id = database.begin_run(run("small"), {suite("s")});
    const SuiteId s = database.suites(id).front().id;
    for (const std::int64_t argument : {1, 2, 4}) {
        const Measurement value = measurement(argument, random);
        database.add_batches(database.begin_measurement(s, value), {batch(10, random)}, value, true);
    }
    database.end_run(id, run("small"));
}

/// Leaves a file whose last commits are only in the log beside it.
void write_and_be_killed(const std::string& path) {
    const pid_t child = fork();
    REQUIRE(child >= 0);
    if (child == 0) {
        std::mt19937_64 random(2);
        Database database = Database::open_for_writing(path);
        const RunId id = database.begin_run(run("killed"), {suite("s")});
        const SuiteId s = database.suites(id).front().id;
        const Measurement value = measurement(7, random);
        database.add_batches(database.begin_measurement(s, value), {batch(10, random)}, value, true);
        (void)kill(getpid(), SIGKILL);
    }
    int status = 0;
    REQUIRE(waitpid(child, &status, 0) == child);
    REQUIRE(WIFSIGNALED(status));
}

/// This process gets no lock from now on, as on a file system that has none. @return false: not possible here
bool lose_all_locks() {
    std::array<sock_filter, 6> program{{
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_fcntl, 0, 3),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, args[1])),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, F_OFD_SETLK, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOLCK),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    }};
    const sock_fprog filter{.len = program.size(), .filter = program.data()};
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
           prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) == 0;
}

/// Leaves a file in the middle of a commit: changed already, with a journal that tells how to undo it.
void change_and_be_killed(const std::string& path) {
    const pid_t child = fork();
    REQUIRE(child >= 0);
    if (child == 0) {
        sqlite3* handle = nullptr;
        sqlite3_open(path.c_str(), &handle);
        sqlite3_exec(handle,
                     "PRAGMA journal_mode = DELETE; BEGIN IMMEDIATE; UPDATE measurement SET argument = 99",
                     nullptr, nullptr, nullptr);
        sqlite3_db_cacheflush(handle);
        (void)kill(getpid(), SIGKILL);
    }
    int status = 0;
    REQUIRE(waitpid(child, &status, 0) == child);
    REQUIRE(WIFSIGNALED(status));
    REQUIRE(std::filesystem::file_size(path + "-journal") > 0);
}

std::size_t results_in(const Database& database) {
    std::size_t count = 0;
    database.for_each_result([&](const ResultRow&) { ++count; });
    database.check_integrity();
    return count;
}

void allow(const std::string& path, mode_t mode) {
    REQUIRE(chmod(path.c_str(), mode) == 0);
}

} // namespace

TEST_CASE("a finished file can be read where nothing can be written, and is not written") {
    const ScratchFolder folder;
    write_small_run(folder / "x.db");
    allow(folder / "x.db", 0444);
    allow(folder.path().string(), 0555);
    {
        const AsNobody nobody;
        CHECK(results_in(Database::open(folder / "x.db")) == 3);
        CHECK_THROWS_WITH_AS((void)Database::open_for_writing(folder / "x.db"),
                             doctest::Contains("x.db: cannot write here"), SystemError);
        CHECK_THROWS_WITH_AS((void)Database::open_for_writing(folder / "y.db"),
                             doctest::Contains("Permission denied"), SystemError);
    }
    allow(folder.path().string(), 0700);
}

TEST_CASE("a file that says it has a log, but has none, can be read where nothing can be written") {
    const ScratchFolder folder;
    write_small_run(folder / "x.db");
    {
        sqlite3* handle = nullptr;
        REQUIRE(sqlite3_open((folder / "x.db").c_str(), &handle) == SQLITE_OK);
        REQUIRE(sqlite3_exec(handle, "PRAGMA journal_mode = WAL", nullptr, nullptr, nullptr) == SQLITE_OK);
        sqlite3_close(handle);
    }
    REQUIRE(read(folder / "x.db")[18] == 2);
    REQUIRE_FALSE(std::filesystem::exists(folder / "x.db-wal"));
    allow(folder / "x.db", 0444);
    allow(folder.path().string(), 0555);
    {
        const AsNobody nobody;
        CHECK(results_in(Database::open(folder / "x.db")) == 3);
    }
    allow(folder.path().string(), 0700);
    CHECK(results_in(Database::open(folder / "x.db")) == 3);
}

TEST_CASE("what a killed writer left in the log is read even where nothing can be written, or refused, "
          "never lost") {
    const ScratchFolder folder;
    write_and_be_killed(folder / "x.db");
    REQUIRE(std::filesystem::file_size(folder / "x.db-wal") > 0);
    for (const char* name : {"x.db", "x.db-wal", "x.db-shm"})
        allow(folder / name, 0444);
    allow(folder.path().string(), 0555);
    {
        const AsNobody nobody;
        CHECK(results_in(Database::open(folder / "x.db")) == 1);
    }
    allow(folder.path().string(), 0700);
    // Copied without the memory beside it, as a backup would.
    std::filesystem::remove(folder / "x.db-shm");
    allow(folder.path().string(), 0555);
    {
        const AsNobody nobody;
        CHECK_THROWS_WITH_AS((void)Database::open(folder / "x.db"),
                             doctest::Contains("copy both to a folder of your own"), StoreError);
    }
    allow(folder.path().string(), 0700);
    for (const char* name : {"x.db", "x.db-wal"})
        allow(folder / name, 0644);
    CHECK(results_in(Database::open_for_writing(folder / "x.db")) == 1);
    CHECK_FALSE(std::filesystem::exists(folder / "x.db-wal"));
}

TEST_CASE("a commit cut short is undone by the next reader, or refused where nothing can be written") {
    const ScratchFolder folder;
    write_small_run(folder / "x.db");
    change_and_be_killed(folder / "x.db");
    for (const char* name : {"x.db", "x.db-journal"})
        allow(folder / name, 0444);
    allow(folder.path().string(), 0555);
    {
        const AsNobody nobody;
        CHECK_THROWS_WITH_AS((void)Database::open(folder / "x.db"),
                             doctest::Contains("its last commit was cut short"), StoreError);
    }
    allow(folder.path().string(), 0700);
    for (const char* name : {"x.db", "x.db-journal"})
        allow(folder / name, 0644);
    const Database database = Database::open(folder / "x.db");
    CHECK(results_in(database) == 3);
    CHECK(database.measurements(database.suites(database.runs().front()).front().id)
              .front()
              .measurement.argument == 1);
    CHECK_FALSE(std::filesystem::exists(folder / "x.db-journal"));
}

TEST_CASE("a read-only file in a writable folder is not written") {
    const ScratchFolder folder;
    write_small_run(folder / "x.db");
    const std::string before = read(folder / "x.db");
    allow(folder / "x.db", 0444);
    allow(folder.path().string(), 0777);
    {
        const AsNobody nobody;
        CHECK_THROWS_WITH_AS((void)Database::open_for_writing(folder / "x.db"),
                             doctest::Contains("it is read-only"), StoreError);
        CHECK_FALSE(std::filesystem::exists(folder / "x.db.lock"));
    }
    CHECK(read(folder / "x.db") == before);
}

TEST_CASE("a file that may not be read is named") {
    const ScratchFolder folder;
    write_small_run(folder / "x.db");
    allow(folder / "x.db", 0000);
    allow(folder.path().string(), 0777);
    const AsNobody nobody;
    CHECK_THROWS_WITH_AS((void)Database::open(folder / "x.db"),
                         doctest::Contains("x.db: cannot open this file: Permission denied"), StoreError);
    CHECK_THROWS_AS((void)Database::open_for_writing(folder / "x.db"), Error);
}

TEST_CASE("where no file can be locked nothing is written, and no lock file stays") {
    const ScratchFolder folder;
    enum Seen { nothing_thrown, refused, impossible_here };
    const pid_t child = fork();
    REQUIRE(child >= 0);
    if (child == 0) {
        Seen seen = lose_all_locks() ? nothing_thrown : impossible_here;
        try {
            if (seen != impossible_here)
                (void)Database::open_for_writing(folder / "x.db");
        } catch (const Error&) {
            seen = refused;
        }
        _exit(seen);
    }
    int status = 0;
    REQUIRE(waitpid(child, &status, 0) == child);
    REQUIRE(WIFEXITED(status));
    if (WEXITSTATUS(status) == impossible_here)
        return;
    CHECK(WEXITSTATUS(status) == refused);
    CHECK(std::filesystem::is_empty(folder.path()));
}
