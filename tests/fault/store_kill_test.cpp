// SPDX-License-Identifier: GPL-2.0-or-later
#include "store/database.hpp"

#include "../unit/invented_run.hpp"
#include "../unit/scratch_folder.hpp"
#include "faulty_disk.hpp"
#include "store/file_lock.hpp"

#include <array>
#include <csignal>
#include <cstdlib>
#include <doctest/doctest.h>
#include <fcntl.h>
#include <limits>
#include <random>
#include <set>
#include <sys/wait.h>
#include <unistd.h>

using namespace skampi;
using namespace invented;

namespace {

/// What is measured at an argument, however often it is asked for.
Measurement value_at(std::int64_t argument) {
    std::mt19937_64 random(static_cast<std::uint64_t>(argument));
    return measurement(argument, random);
}

/// Measures on and on, going on where the file ends, and reports each argument after its commit. After the
/// first one it is killed at the k-th operation on the disk: in the middle of a commit, of a check-point, or
/// between two.
[[noreturn]] void measure_until_killed(const std::string& path, int report, std::int64_t k) {
    try {
        bool armed = false;
        FaultyDisk disk(FaultyDisk::Fault::kill, std::numeric_limits<std::int64_t>::max());
        std::mt19937_64 random(1);
        Database database = Database::open_for_writing(path);
        const std::optional<RunId> open = database.find_open_run(Series(run("r")));
        const RunId id = open ? *open : database.begin_run(run("r"), {suite("s")});
        const SuiteId s = database.suites(id).front().id;
        std::int64_t argument = 0;
        for (const StoredMeasurement& stored : database.measurements(s))
            argument += stored.finished ? 1 : 0;
        database.begin_suite(s);
        for (;; ++argument) {
            const Measurement value = value_at(argument);
            const MeasurementId measured = database.begin_measurement(s, value);
            // A former process may have left a begun measurement with some batches.
            if (database.batches(measured).empty())
                database.add_batches(measured, {batch(30, random)}, value, false);
            database.add_batches(measured, {batch(30, random)}, value, true);
            if (write(report, &argument, sizeof argument) != sizeof argument)
                _exit(2);
            if (!armed)
                disk.strike_in(k);
            armed = true;
        }
    } catch (const std::exception& error) {
        (void)!write(STDERR_FILENO, error.what(), std::string(error.what()).size());
        _exit(1);
    }
}

/// The arguments reported until the writer's end.
std::int64_t read_reports(int pipe, std::int64_t last) {
    std::int64_t argument = 0;
    while (read(pipe, &argument, sizeof argument) == sizeof argument) {
        CHECK(argument == last + 1); // none twice, none lost
        last = argument;
    }
    return last;
}

void kill_again_and_again(const char* journal, int rounds, std::uint64_t seed) {
    REQUIRE(setenv("SKAMPI_JOURNAL", journal, 1) == 0);
    const ScratchFolder folder;
    const std::string path = folder / "x.db";
    std::mt19937_64 random(seed);
    std::int64_t last = -1;
    for (int round = 0; round < rounds; ++round) {
        CAPTURE(round);
        std::array<int, 2> ends{};
        REQUIRE(pipe2(ends.data(), O_CLOEXEC) == 0);
        const pid_t child = fork();
        REQUIRE(child >= 0);
        if (child == 0)
            measure_until_killed(path, ends[1], 1 + static_cast<std::int64_t>(random() % 600));
        close(ends[1]);
        last = read_reports(ends[0], last);
        close(ends[0]);
        int status = 0;
        REQUIRE(waitpid(child, &status, 0) == child);
        REQUIRE(WIFSIGNALED(status)); // it did not end by an error
        REQUIRE(WTERMSIG(status) == SIGKILL);

        CHECK_FALSE(FileLock::holder(path + ".lock").has_value());
        const Database database = Database::open(path);
        database.check_integrity();
        const StoredSuite stored = database.suites(database.runs().at(0)).at(0);
        CHECK(stored.attempts == round + 1);
        CHECK(stored.in_progress);
        std::int64_t finished = 0;
        for (const StoredMeasurement& m : database.measurements(stored.id)) {
            if (!m.finished)
                continue;
            CHECK(m.measurement.argument == finished);
            CHECK(same(m.measurement, value_at(finished)));
            CHECK(database.batches(m.id).size() == 2);
            ++finished;
        }
        CHECK(finished >= last + 1);
        CHECK(finished <= last + 2); // killed between the commit and its report
        last = finished - 1;
    }
    CHECK(last > rounds);
    unsetenv("SKAMPI_JOURNAL");
}

} // namespace

TEST_CASE("killed at any moment, a writer loses no measurement it has reported") {
    kill_again_and_again("wal", 25, 1);
    kill_again_and_again("delete", 15, 2);
}

TEST_CASE("only one of many that want the lock at once gets it, again and again") {
    const ScratchFolder folder;
    const std::string path = folder / "lock";
    constexpr int processes = 6;
    std::array<int, 2> ends{};
    REQUIRE(pipe2(ends.data(), O_CLOEXEC) == 0);
    std::array<pid_t, processes> children{};
    for (pid_t& child : children) {
        child = fork();
        REQUIRE(child >= 0);
        if (child != 0)
            continue;
        // Whoever holds the lock creates a file that must not be there yet, and removes it.
        int taken = 0;
        while (taken < 100) {
            try {
                const FileLock lock(path, "thing");
                const int only = open((folder / "only").c_str(), O_CREAT | O_EXCL | O_CLOEXEC, 0600);
                if (only < 0)
                    _exit(1);
                close(only);
                unlink((folder / "only").c_str());
                ++taken;
            } catch (const SystemError&) {
                continue; // somebody else has it
            }
        }
        _exit(0);
    }
    for (const pid_t child : children) {
        int status = 0;
        REQUIRE(waitpid(child, &status, 0) == child);
        CHECK(status == 0);
    }
    close(ends[0]);
    close(ends[1]);
    CHECK_FALSE(std::filesystem::exists(path));
}
