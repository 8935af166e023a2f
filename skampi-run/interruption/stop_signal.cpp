// SPDX-License-Identifier: LGPL-2.1-or-later
#include "interruption/stop_signal.hpp"

#include "base/child.hpp"

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <time.h>
#include <unistd.h>

namespace skampi {
namespace {

// The mutable globals of the program: a signal handler can reach nothing else. They belong to the process,
// as signals do, so ranks that share a process (in simulations) rightly share them.
volatile std::sig_atomic_t came = 0;
volatile std::sig_atomic_t status_at_the_end = 0;
std::atomic<const char*> words_at_the_end = nullptr;
volatile std::sig_atomic_t reader_went = 0;
volatile std::sig_atomic_t nothing_to_finish = 0; ///< a signal ends the process
std::atomic<double> came_s = 0; ///< meaningful once one came; a thread each may take two signals
std::atomic<double> same_within_s = 0;
static_assert(std::atomic<double>::is_always_lock_free); // otherwise none of a handler's business

double monotonic_s() {
    timespec now{};
    ::clock_gettime(CLOCK_MONOTONIC, &now); // a handler may call it
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

void note(int signal) {
    const double now_s = monotonic_s();
    if (came != 0 && now_s - came_s < same_within_s)
        return;
    if (came == 0 && nothing_to_finish == 0) {
        came_s = now_s;
        came = signal;
        return;
    }
    // Acts when this handler returns.
    struct sigaction as_usual {};
    as_usual.sa_handler = SIG_DFL;
    sigaction(signal, &as_usual, nullptr);
    ::raise(signal);
}

/// Without this every later line could fail, and the last one when the process exits.
void replace_gone_readers(int) {
    const int error = errno;
    reader_went = 1;
    for (const int descriptor : {STDOUT_FILENO, STDERR_FILENO}) {
        pollfd entry{.fd = descriptor, .events = 0, .revents = 0};
        if (::poll(&entry, 1, 0) != 1 || (entry.revents & (POLLERR | POLLHUP)) == 0)
            continue;
        const int nowhere = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
        if (nowhere >= 0) {
            ::dup2(nowhere, descriptor);
            ::close(nowhere);
        }
    }
    errno = error;
}

} // namespace

void catch_stop_signals(double same_wish_within_s) {
    same_within_s = same_wish_within_s;
    nothing_to_finish = 0;
    struct sigaction action {};
    action.sa_handler = note;
    action.sa_flags = SA_RESTART;
    sigaddset(&action.sa_mask, SIGTERM);
    sigaddset(&action.sa_mask, SIGINT);
    sigaction(SIGTERM, &action, nullptr);
    sigaction(SIGINT, &action, nullptr);
}

void outlive_readers() {
    struct sigaction action {};
    action.sa_handler = replace_gone_readers;
    action.sa_flags = SA_RESTART;
    sigaction(SIGPIPE, &action, nullptr);
}

bool a_reader_has_gone() {
    return reader_went != 0;
}

void end_process_after(unsigned seconds, int exit_status, const char* words) {
    nothing_to_finish = 1;
    for (const int signal : {SIGTERM, SIGINT}) {
        struct sigaction now {};
        sigaction(signal, nullptr, &now);
        if (now.sa_handler != note) // the MPI library's, for example
            std::signal(signal, SIG_DFL);
    }
    status_at_the_end = exit_status;
    words_at_the_end = words;
    struct sigaction action {};
    action.sa_handler = [](int) {
        if (const char* const last = words_at_the_end; last != nullptr) {
            const ssize_t lost = ::write(STDERR_FILENO, last, std::strlen(last));
            static_cast<void>(lost); // no one can be notified
        }
        ::_exit(status_at_the_end);
    };
    sigaction(SIGALRM, &action, nullptr);
    ::alarm(seconds);
}

int stop_signal() {
    return came;
}

std::string signal_name(int signal) {
    switch (signal) {
    case SIGTERM:
        return "SIGTERM";
    case SIGINT:
        return "SIGINT";
    case SIGHUP:
        return "SIGHUP";
    default:
        return signal_text(signal);
    }
}

} // namespace skampi
