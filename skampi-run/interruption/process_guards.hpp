// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

namespace skampi {

/// While such an object lives, an exit of the process with status 0 by the code that it measures is no
/// success: it writes the words to standard error and ends with status 1 (ExitStatus::incomplete). A launcher
/// would not report a rank that leaves so. One at a time.
class NoSilentExit {
public:
    /// @param words a line
    explicit NoSilentExit(std::string words);
    NoSilentExit(const NoSilentExit&) = delete;
    NoSilentExit& operator=(const NoSilentExit&) = delete;
    ~NoSilentExit();

private:
    std::string words_;
};

/// While such an object lives, this process ends (ExitStatus::incomplete, without a word) soon after its
/// supervisor has. It is meant for MPI_Init: a rank whose launcher was killed in the middle of starting the
/// job waits there for ever, and no launcher is left to end it. Where the supervisor cannot be seen, on
/// another host, nothing is done.
class EndsWithSupervisor {
public:
    /// @param supervisor name_of_process(); empty = there is none
    explicit EndsWithSupervisor(std::string supervisor);
    EndsWithSupervisor(const EndsWithSupervisor&) = delete;
    EndsWithSupervisor& operator=(const EndsWithSupervisor&) = delete;
    ~EndsWithSupervisor();

private:
    void watch();

    std::string supervisor_;
    std::mutex mutex_;
    std::condition_variable wakeup_;
    bool over_ = false;
    std::thread watcher_;
};

} // namespace skampi
