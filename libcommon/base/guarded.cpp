// SPDX-License-Identifier: LGPL-2.1-or-later
#include "base/guarded.hpp"

#include "base/error.hpp"

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <string>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace skampi {

namespace {

pid_t wait_for(pid_t process, int& status, int options) {
    pid_t ended = 0;
    do
        ended = waitpid(process, &status, options);
    while (ended < 0 && errno == EINTR);
    return ended;
}

/// When the work dies, the processes that it started become our children. The kernel kills each of them with
/// it (Command::death_signal), and each leads its own group, which holds its children.
void wait_for_the_orphans() {
    int status = 0;
    for (pid_t orphan = 0; (orphan = wait_for(-1, status, 0)) > 0;)
        kill(-orphan, SIGKILL);
}

} // namespace

GuardedEnd guarded(const std::function<int()>& work, const std::function<void(pid_t)>& tidy_up) {
    sigset_t awaited;
    sigemptyset(&awaited);
    sigaddset(&awaited, SIGCHLD);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
        // If blocked, an ignored signal would still be received: under nohup the work continues.
        struct sigaction present {};
        if (sigaction(signal, nullptr, &present) != 0 || present.sa_handler != SIG_IGN)
            sigaddset(&awaited, signal);
    }
    sigset_t before;
    sigprocmask(SIG_BLOCK, &awaited, &before);
    std::signal(SIGCHLD, SIG_DFL); // ignored, it would hide how the work ended
    prctl(PR_SET_CHILD_SUBREAPER, 1);

    const pid_t here = getpid();
    const pid_t worker = fork();
    if (worker < 0)
        throw SystemError(std::string("no process can be started: ") + std::strerror(errno));
    if (worker == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (getppid() != here) // gone before the line above
            _exit(1);
        sigprocmask(SIG_SETMASK, &before, nullptr);
        std::exit(work());
    }

    int status = 0;
    int interrupted_by = 0;
    for (;;) {
        if (wait_for(worker, status, WNOHANG) == worker)
            break;
        const int signal = sigwaitinfo(&awaited, nullptr);
        if (signal > 0 && signal != SIGCHLD) {
            interrupted_by = signal;
            kill(worker, SIGKILL);
            wait_for(worker, status, 0);
            break;
        }
    }
    GuardedEnd end;
    if (interrupted_by != 0)
        end.signal = interrupted_by;
    else if (WIFSIGNALED(status))
        end.signal = WTERMSIG(status);
    else
        end.status = WEXITSTATUS(status);
    if (end.signal != 0) {
        wait_for_the_orphans();
        tidy_up(worker);
    }
    sigprocmask(SIG_SETMASK, &before, nullptr);
    return end;
}

void end_by_signal(int signal) {
    std::signal(signal, SIG_DFL);
    sigset_t only;
    sigemptyset(&only);
    sigaddset(&only, signal);
    sigprocmask(SIG_UNBLOCK, &only, nullptr);
    raise(signal);
    _exit(128 + signal); // one that does not end a process
}

} // namespace skampi
