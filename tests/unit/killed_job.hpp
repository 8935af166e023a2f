// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "base/child.hpp"
#include "store/database.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <limits>
#include <poll.h>
#include <stdexcept>
#include <string>
#include <string_view>
#include <sys/inotify.h>
#include <unistd.h>
#include <utility>
#include <vector>

/// Jobs that are killed where they have come to, however fast or slow the machine is.
namespace killed_job {

/// Tells of writes into the files of a folder.
class FolderWatch {
public:
    explicit FolderWatch(const std::string& folder)
        : descriptor_(::inotify_init1(IN_CLOEXEC | IN_NONBLOCK)) {
        if (descriptor_ < 0 || ::inotify_add_watch(descriptor_, folder.c_str(), IN_MODIFY | IN_CREATE) < 0)
            throw std::runtime_error("cannot watch " + folder);
    }
    FolderWatch(const FolderWatch&) = delete;
    FolderWatch& operator=(const FolderWatch&) = delete;
    ~FolderWatch() { ::close(descriptor_); }
    [[nodiscard]] int descriptor() const { return descriptor_; }
    /// How many there were since the last time.
    [[nodiscard]] int take() const {
        alignas(inotify_event) std::array<char, 4096> buffer{};
        int count = 0;
        ssize_t size = 0;
        while ((size = ::read(descriptor_, buffer.data(), buffer.size())) > 0) {
            for (ssize_t at = 0; at < size; ++count) {
                const auto* event =
                    reinterpret_cast<const inotify_event*>(buffer.data() + at); // as inotify(7) does
                at += static_cast<ssize_t>(sizeof(inotify_event) + event->len);
            }
        }
        return count;
    }

private:
    int descriptor_;
};

constexpr int never = std::numeric_limits<int>::max();

/// Prints where a process and its descendants are: what they wait for and, with gdb, their stacks.
inline void print_stacks(pid_t process) {
    const std::string script =
        "list() { echo $1; for child in $(pgrep -P $1); do list $child; done; }\n"
        "for p in $(list " +
        std::to_string(process) +
        "); do\n"
        "echo \"process $p: $(tr '\\0' ' ' < /proc/$p/cmdline), in $(cat /proc/$p/wchan)\"\n"
        "cat /proc/$p/stack\n"
        "command -v gdb > /dev/null && gdb -p $p -batch -ex 'thread apply all backtrace' 2> /dev/null\n"
        "done >&2";
    static_cast<void>(std::system(script.c_str()));
}

/// A job that takes longer hangs: its stacks are printed, once.
constexpr double patience_s = 60;

/// Runs a command until files of a folder have been written to so many times, then kills it.
/// @return whether it was killed; otherwise it has come to its end
inline bool run_and_kill(skampi::Command command, const std::string& folder, int writes) {
    const FolderWatch watch(folder);
    skampi::Child child(std::move(command));
    int seen = 0;
    const auto late = std::chrono::steady_clock::now() + std::chrono::duration<double>(patience_s);
    bool printed = false;
    while (!child.advance()) {
        const double patience_left_s =
            std::chrono::duration<double>(late - std::chrono::steady_clock::now()).count();
        if (patience_left_s <= 0 && !std::exchange(printed, true))
            print_stacks(child.pid());
        seen += watch.take();
        if (seen >= writes) {
            child.send(SIGKILL);
            (void)child.wait();
            return true;
        }
        std::vector<pollfd> entries{{watch.descriptor(), POLLIN, 0}};
        for (const int descriptor : child.descriptors())
            entries.push_back({descriptor, POLLIN, 0});
        const double left_s =
            std::min(child.seconds_to_deadline().value_or(1000), printed ? 1000 : patience_left_s);
        ::poll(entries.data(), entries.size(), static_cast<int>(1000 * left_s) + 1);
    }
    return false;
}

/// Kills who holds the lock in this file, as its text tells, and waits until nobody does: ranks outlive the
/// launcher that was killed, with some libraries until they come to their end.
inline void kill_holder(const std::string& path) {
    const int descriptor = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
    if (descriptor < 0)
        return; // gone with its holder
    struct flock range {};
    range.l_type = F_WRLCK;
    if (::fcntl(descriptor, F_OFD_GETLK, &range) == 0 && range.l_type != F_UNLCK) {
        std::array<char, 256> text{};
        const ssize_t size = ::pread(descriptor, text.data(), text.size(), 0);
        const std::string_view told(text.data(), static_cast<std::size_t>(std::max<ssize_t>(size, 0)));
        constexpr std::string_view before = "process ";
        pid_t holder = 0;
        if (const auto at = told.find(before); at != std::string_view::npos)
            std::from_chars(told.data() + at + before.size(), told.data() + told.size(), holder);
        if (holder > 1)
            ::kill(holder, SIGKILL);
    }
    range = {};
    range.l_type = F_WRLCK;
    while (::fcntl(descriptor, F_OFD_SETLKW, &range) != 0 && errno == EINTR)
        ;
    ::close(descriptor);
}

/// An empty file is one that its writer had no time to begin.
inline bool has_been_begun(const std::string& path) {
    if (!std::filesystem::exists(path))
        return false;
    try {
        static_cast<void>(skampi::Database::open(path));
    } catch (const skampi::StoreError& error) {
        if (std::string(error.what()).find("it is empty") != std::string::npos)
            return false;
        throw;
    }
    return true;
}

} // namespace killed_job
