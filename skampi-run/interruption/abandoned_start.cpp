#include "interruption/abandoned_start.hpp"

#include "base/error.hpp"
#include "base/process.hpp"

#include <chrono>
#include <csignal>
#include <unistd.h>
#include <utility>

namespace skampi {

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
