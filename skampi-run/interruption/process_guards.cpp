// SPDX-License-Identifier: LGPL-2.1-or-later
#include "interruption/process_guards.hpp"

#include "base/error.hpp"
#include "base/process.hpp"

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <unistd.h>
#include <utility>

namespace skampi {
namespace {

// What exit() calls can reach nothing else.
std::atomic<const char*> words_at_exit = nullptr;

#ifdef __GLIBC__
void object_to_exit(int status, void*) {
    const char* const words = words_at_exit;
    if (status != 0 || words == nullptr)
        return;
    std::fflush(nullptr);
    const ssize_t lost = ::write(STDERR_FILENO, words, std::strlen(words));
    static_cast<void>(lost); // no one can be notified
    ::_exit(static_cast<int>(ExitStatus::incomplete));
}
#endif

} // namespace

NoSilentExit::NoSilentExit(std::string words)
    : words_(std::move(words)) {
    words_at_exit = words_.c_str();
#ifdef __GLIBC__ // elsewhere the exit status of a process is not available
    (void)::on_exit(object_to_exit, nullptr);
#endif
}

NoSilentExit::~NoSilentExit() {
    words_at_exit = nullptr;
}

EndsWithSupervisor::EndsWithSupervisor(std::string supervisor)
    : supervisor_(std::move(supervisor)) {
    if (is_living(supervisor_) == Living::unknown)
        return;
    // Signals are for the thread that has started this one.
    sigset_t all;
    sigset_t before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    watcher_ = std::thread([this] { watch(); });
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

EndsWithSupervisor::~EndsWithSupervisor() {
    if (!watcher_.joinable())
        return;
    {
        const std::lock_guard lock(mutex_);
        over_ = true;
    }
    wakeup_.notify_one();
    watcher_.join();
}

void EndsWithSupervisor::watch() {
    // Launchers that still live end their ranks themselves, and better.
    constexpr std::chrono::seconds between_looks(5);
    std::unique_lock lock(mutex_);
    while (!wakeup_.wait_for(lock, between_looks, [this] { return over_; }))
        if (is_living(supervisor_) == Living::no)
            ::_exit(static_cast<int>(ExitStatus::incomplete));
}

} // namespace skampi
