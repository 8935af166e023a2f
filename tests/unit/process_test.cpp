// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/process.hpp"

#include <doctest/doctest.h>

#include <csignal>
#include <fstream>
#include <sys/wait.h>
#include <unistd.h>

using namespace skampi;

TEST_CASE("a process is known by a name that its successors do not have") {
    const std::string own = name_of_process(getpid());
    REQUIRE_FALSE(own.empty());
    CHECK(is_living(own) == Living::yes);
    CHECK(is_living(own + "1") == Living::no); // the same number, started later
    CHECK(name_of_process(getppid()) != own);
    CHECK(is_living("another-start-of-a-kernel " + own) == Living::unknown);
    CHECK(is_living("") == Living::unknown);
    CHECK(is_living(own.substr(0, own.find_last_of(' ', own.find_last_of(' ') - 1) + 1)) == Living::unknown);
}

TEST_CASE("a process that has ended is not living, waited for or not") {
    const pid_t pid = fork();
    REQUIRE(pid >= 0);
    if (pid == 0)
        while (true)
            ::pause();
    const std::string name = name_of_process(pid);
    CHECK(is_living(name) == Living::yes);
    CHECK(read_process(pid)->parent == getpid());
    ::kill(pid, SIGKILL);
    siginfo_t info{};
    REQUIRE(::waitid(P_PID, static_cast<id_t>(pid), &info, WEXITED | WNOWAIT) == 0);
    CHECK(read_process(pid)->state == 'Z');
    CHECK(is_living(name) == Living::no);
    REQUIRE(::waitpid(pid, nullptr, 0) == pid);
    CHECK(is_living(name) == Living::no);
    CHECK_FALSE(read_process(pid));
    CHECK(name_of_process(pid).empty());
}

TEST_CASE("a process's name may hold anything") {
    std::ofstream("/proc/self/comm") << "a) Z 1 (b";
    const std::optional<ProcessStat> own = read_process(getpid());
    REQUIRE(own);
    CHECK(own->name == "a) Z 1 (b");
    CHECK(own->parent == getppid());
}
