// SPDX-License-Identifier: GPL-2.0-or-later
#include "interruption/stop_signal.hpp"

#include <doctest/doctest.h>

#include <array>
#include <csignal>
#include <functional>
#include <string_view>
#include <sys/wait.h>
#include <unistd.h>

using namespace skampi;

namespace {

/// So long that nothing done here takes it, however busy the machine is.
constexpr double an_hour_s = 3600;

struct End {
    int exit_status = -1; ///< -1 = a signal ended it
    int signal = 0;
};

/// What signals do to a process is seen by losing one.
End end_of(const std::function<int()>& work) {
    const pid_t child = ::fork();
    REQUIRE(child >= 0);
    if (child == 0) {
        for (const int signal : {SIGTERM, SIGINT}) // doctest has handlers of its own
            std::signal(signal, SIG_DFL);
        ::_exit(work());
    }
    int status = 0;
    REQUIRE(::waitpid(child, &status, 0) == child);
    if (WIFSIGNALED(status))
        return {.signal = WTERMSIG(status)};
    return {.exit_status = WEXITSTATUS(status)};
}

} // namespace

TEST_CASE("the first signal only asks to stop, and says which it was") {
    for (const int signal : {SIGTERM, SIGINT}) {
        const End end = end_of([&] {
            catch_stop_signals();
            const int before = stop_signal();
            ::raise(signal);
            return before == 0 && stop_signal() == signal ? 7 : 8;
        });
        CHECK(end.exit_status == 7);
    }
}

TEST_CASE("signals of the same moment are one wish, also of different kinds, and the first one counts") {
    const End end = end_of([] {
        catch_stop_signals(an_hour_s);
        ::raise(SIGINT);
        ::raise(SIGINT);
        ::raise(SIGTERM);
        return stop_signal() == SIGINT ? 7 : 8;
    });
    CHECK(end.exit_status == 7);
}

TEST_CASE("a second signal that comes later ends the process at once") {
    for (const int second : {SIGTERM, SIGINT}) {
        const End end = end_of([&] {
            catch_stop_signals(0);
            ::raise(SIGTERM);
            ::raise(second);
            return 8;
        });
        CHECK(end.signal == second);
    }
}

TEST_CASE("once nothing is left to finish the first signal ends the process, but none of the wish before") {
    const auto ending = [](bool stopped_before) {
        return end_of([=] {
            catch_stop_signals(an_hour_s);
            if (stopped_before)
                ::raise(SIGTERM);
            end_process_after(3600, 9);
            ::raise(SIGTERM);
            return 7;
        });
    };
    CHECK(ending(false).signal == SIGTERM);
    CHECK(ending(true).exit_status == 7);
}

TEST_CASE("when the time is over the process says its last words and ends with its status") {
    std::array<int, 2> pipe{};
    REQUIRE(::pipe(pipe.data()) == 0);
    const End end = end_of([&] {
        ::dup2(pipe[1], STDERR_FILENO);
        end_process_after(3600, 9, "it did not return\n");
        ::raise(SIGALRM);
        return 7;
    });
    ::close(pipe[1]);
    CHECK(end.exit_status == 9);
    std::array<char, 100> said{};
    const ssize_t length = ::read(pipe[0], said.data(), said.size());
    ::close(pipe[0]);
    REQUIRE(length > 0);
    CHECK(std::string_view(said.data(), static_cast<std::size_t>(length)) == "it did not return\n");
}
