// SPDX-License-Identifier: GPL-2.0-or-later
#include "supervisor/verdict.hpp"

#include <doctest/doctest.h>

#include <csignal>
#include <string>
#include <vector>

using namespace skampi;

namespace {

/// A job that began its run and was ended by something; `launcher` is what its launcher returned and said.
JobEnd ended(const ChildResult& launcher) {
    JobEnd end;
    end.appeared = end.begun = true;
    end.found = examine(launcher);
    end.launcher_said = launcher.err;
    return end;
}

ChildResult left(int exit_status, const std::string& err = {}) {
    ChildResult result;
    result.exit_status = exit_status;
    result.err = err;
    return result;
}

const std::string disk_full = "skampi-run: x.db: cannot begin a measurement: disk full\n";
const std::string segfault = "EXIT STRING: Segmentation fault (signal 11)\n";

} // namespace

TEST_CASE("a complete run leaves its suites alone, however its job went in the end") {
    for (const ChildResult& launcher : {left(0), left(1), left(9), left(139, segfault)}) {
        JobEnd end = ended(launcher);
        end.run_ended = true;
        const JobVerdict verdict = verdict_on(end);
        CHECK(verdict.kind == "info");
        CHECK(verdict.suites == JobVerdict::Suites::untouched);
        CHECK(verdict.seen == end.found.text());
    }
}

TEST_CASE("what the ranks said of a complete run is not repeated") {
    JobEnd end = ended(left(1, "skampi-run: 4 of 228 points have no value\n"));
    end.run_ended = true;
    CHECK(verdict_on(end).seen == "exit status 1");
}

TEST_CASE("a death, an abort or an early leave is a crash, and the suite in progress is blamed") {
    struct Row {
        ChildResult launcher;
        std::string seen;
    };
    for (const Row& row :
         {Row{left(11, segfault), "signal 11 (Segmentation fault)"},
          Row{left(7, "EXIT CODE: 7\n"), "exit status 7"},
          Row{left(0), "ended before its run was complete (exit status 0)"},
          Row{left(5, "Abort(5) on node 1 (rank 1 in comm 0): application called MPI_Abort\n"),
              "MPI error on rank 1: Abort(5) on node 1 (rank 1 in comm 0): application called "
              "MPI_Abort"}}) {
        const JobVerdict verdict = verdict_on(ended(row.launcher));
        CHECK(verdict.kind == "crash");
        CHECK(verdict.seen == row.seen);
        CHECK(verdict.suites == JobVerdict::Suites::blamed);
    }
}

TEST_CASE("a job that leaves because its surroundings do not let it work blames no suite") {
    const JobVerdict verdict = verdict_on(ended(left(3, disk_full)));
    CHECK(verdict.kind == "warning");
    CHECK(verdict.suites == JobVerdict::Suites::open_again);
}

TEST_CASE("an MPI error that the job itself tells of is no surrounding: the suite is blamed") {
    for (const std::string& then :
         {std::string(),
          std::string(
              "Abort(3) on node 0 (rank 0 in comm 0): application called MPI_Abort(MPI_COMM_WORLD, 3)\n")}) {
        const JobVerdict verdict = verdict_on(
            ended(left(3, "skampi-run: MPI_Gather returned error class 15: message truncated\n" + then)));
        CHECK(verdict.kind == "crash");
        CHECK(verdict.seen.starts_with("MPI error"));
        CHECK(verdict.seen.ends_with("MPI_Gather returned error class 15: message truncated"));
        CHECK(verdict.suites == JobVerdict::Suites::blamed);
    }
}

TEST_CASE("a job ended by the user blames nobody, at once or not") {
    JobEnd end = ended(left(143));
    end.stop_signal = SIGTERM;
    CHECK(verdict_on(end).kind == "signal");
    CHECK(verdict_on(end).seen == "ended by SIGTERM");
    CHECK(verdict_on(end).suites == JobVerdict::Suites::open_again);
    end.killed = true;
    end.stop_signal = SIGINT;
    CHECK(verdict_on(end).seen == "ended by SIGINT at once");
    CHECK(verdict_on(end).suites == JobVerdict::Suites::open_again);
}

TEST_CASE("a hang is a hang, whatever traces our own signals leave; a death before is a crash") {
    for (const int signal : {SIGTERM, SIGINT, SIGKILL}) {
        ChildResult launcher;
        launcher.signal = signal;
        JobEnd end = ended(launcher);
        end.hang = "no progress for 300 s";
        const JobVerdict verdict = verdict_on(end);
        CHECK(verdict.kind == "hang");
        CHECK(verdict.seen == "no progress for 300 s");
        CHECK(verdict.suites == JobVerdict::Suites::blamed);
    }
    JobEnd end = ended(left(11, segfault));
    end.hang = "no progress for 300 s";
    CHECK(verdict_on(end).kind == "crash");
    CHECK(verdict_on(end).seen == "signal 11 (Segmentation fault); no progress for 300 s");
    // Whoever writes of a full disk and then hangs has been ended by us.
    end = ended(left(3, disk_full));
    end.hang = "no progress for 300 s";
    CHECK(verdict_on(end).kind == "hang");
    CHECK(verdict_on(end).suites == JobVerdict::Suites::blamed);
}

TEST_CASE("bad input ends the work; a full disk at the start ends it where somebody waits for it") {
    JobEnd bad = ended(left(2, "skampi-run: f.skampi:3:1: found x, expected y\n"));
    JobEnd full = ended(left(3, disk_full));
    bad.begun = full.begun = bad.appeared = full.appeared = false;
    for (const bool unattended : {false, true}) {
        const Endurance endurance{.max_failures = 10, .unattended = unattended, .queues = false};
        CHECK(outlook_after(bad, {}, {}, endurance).exit_status == 2);
        CHECK(outlook_after(bad, {}, {}, endurance).reason.empty());
        const Outlook outlook = outlook_after(full, {}, {}, endurance);
        CHECK(outlook.exit_status == (unattended ? std::nullopt : std::optional(3)));
    }
    // A launcher or a script around it may hide the status: the job has said it itself.
    for (const int launcher_status : {0, 1, 141}) {
        JobEnd hidden = ended(left(launcher_status));
        hidden.begun = false;
        hidden.refused_with = 2;
        CHECK(outlook_after(hidden, {}, {}, {}).exit_status == 2);
    }
    // In the middle of a run it is tried again: the next one may come further.
    CHECK_FALSE(outlook_after(ended(left(3, disk_full)), {}, {}, {}).exit_status.has_value());
    CHECK_FALSE(outlook_after(ended(left(2, "skampi-run: x\n")), {}, {}, {}).exit_status.has_value());
}

TEST_CASE("jobs without progress are counted, and the pauses between them grow to a minute") {
    const JobEnd crash = ended(left(11, segfault));
    Failures failures;
    std::vector<double> pauses_s;
    for (int job = 1; job < 10; ++job) {
        const Outlook outlook =
            outlook_after(crash, {.new_measurement = false, .something = true}, failures, {});
        REQUIRE_FALSE(outlook.exit_status.has_value());
        CHECK(outlook.failures.in_a_row == job);
        pauses_s.push_back(outlook.pause_s);
        failures = outlook.failures;
    }
    CHECK(pauses_s == std::vector<double>{1, 2, 4, 8, 16, 32, 60, 60, 60});
    const Outlook progress = outlook_after(crash, {.new_measurement = true, .something = true}, failures, {});
    CHECK(progress.failures.in_a_row == 0);
    CHECK(progress.pause_s == 0);
    const Outlook end = outlook_after(crash, {.new_measurement = false, .something = true}, failures, {});
    CHECK(end.exit_status == 1);
    CHECK(end.reason.starts_with("gave up: 10 jobs"));
}

TEST_CASE(
    "giving up is status 1 with something measured, 3 with nothing or where the surroundings are to blame") {
    const Endurance one{.max_failures = 1, .unattended = true, .queues = false};
    const JobEnd crash = ended(left(11, segfault));
    CHECK(outlook_after(crash, {.new_measurement = false, .something = true}, {}, one).exit_status == 1);
    CHECK(outlook_after(crash, {.new_measurement = false, .something = false}, {}, one).exit_status == 3);
    CHECK(outlook_after(ended(left(3, disk_full)), {.new_measurement = false, .something = true}, {}, one)
              .exit_status == 3);
}

TEST_CASE("only a launcher that started no rank, and said nothing for one, has refused") {
    const auto is_refusal = [](JobEnd end) {
        end.begun = false;
        return !outlook_after(end, {}, {}, {}).failures.refusal.empty();
    };
    JobEnd refusal = ended(left(1, "no hosts\n"));
    refusal.appeared = false;
    CHECK(is_refusal(refusal));
    JobEnd other = refusal;
    other.appeared = true;
    CHECK_FALSE(is_refusal(other));
    other = refusal;
    other.hang = "no sign of life within 300 s";
    CHECK(is_refusal(other));
    for (const ChildResult& launcher : {left(0), left(11, segfault), left(3, disk_full), left(139)}) {
        other = ended(launcher);
        other.appeared = false;
        CHECK_FALSE(is_refusal(other));
    }
}

TEST_CASE("a second refusal ends the work when it is the same but for numbers; a job in between forgives") {
    const auto refusal = [](int status, const std::string& said) {
        JobEnd end = ended(left(status, said));
        end.appeared = end.begun = false;
        return end;
    };
    const Failures first = outlook_after(refusal(1, "[vm:4711] no  hosts\n----\n"), {}, {}, {}).failures;
    const Outlook same = outlook_after(refusal(1, "[vm:17] no hosts\n"), {}, first, {});
    CHECK(same.exit_status == 3);
    CHECK(same.reason.starts_with("gave up: the launcher"));
    CHECK(same.reason.ends_with("status 1: [vm:17] no hosts"));
    CHECK_FALSE(outlook_after(refusal(2, "[vm:17] no hosts\n"), {}, first, {}).exit_status.has_value());
    CHECK_FALSE(outlook_after(refusal(1, "[vm:17] no host\n"), {}, first, {}).exit_status.has_value());
    // MPICH numbers its errors, and another rank may be the first.
    const auto in_mpi_init = [&](const std::string& number, const std::string& rank) {
        return refusal(1, "Abort(" + number + ") on node " + rank + " (rank " + rank +
                              " in comm 0): Fatal error in PMPI_Init\n");
    };
    const Failures of_mpi = outlook_after(in_mpi_init("604654082", "1"), {}, {}, {}).failures;
    CHECK(outlook_after(in_mpi_init("67783695", "0"), {}, of_mpi, {}).exit_status == 3);
    // A host that does not answer: the launcher's last line says why.
    JobEnd hanging = refusal(1, "Pseudo-terminal ...\nssh: Could not resolve hostname n7\n");
    hanging.hang = "no sign of life within 60 s";
    CHECK(verdict_on(hanging).seen == "no sign of life within 60 s: ssh: Could not resolve hostname n7");
    const Failures of_ssh = outlook_after(hanging, {}, {}, {}).failures;
    CHECK(outlook_after(hanging, {}, of_ssh, {}).exit_status == 3);
    const Endurance queue{.max_failures = 10, .unattended = true, .queues = true};
    CHECK(outlook_after(refusal(1, "x"), {}, {}, queue).failures.refusal.empty());
    const Failures after_a_crash = outlook_after(ended(left(11, segfault)), {}, first, {}).failures;
    CHECK_FALSE(
        outlook_after(refusal(1, "[vm:17] no hosts\n"), {}, after_a_crash, {}).exit_status.has_value());
}
