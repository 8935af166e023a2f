// SPDX-License-Identifier: LGPL-2.1-or-later
#include "supervisor/world.hpp"

#include "base/error.hpp"
#include "base/hash.hpp"
#include "base/utc.hpp"
#include "store/file_lock.hpp"
#include "supervisor/process_table.hpp"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <csignal>
#include <filesystem>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <vector>

namespace skampi {

namespace {

sigset_t our_signals() {
    sigset_t set;
    ::sigemptyset(&set);
    for (const int signal : {SIGTERM, SIGINT, SIGHUP})
        ::sigaddset(&set, signal);
    return set;
}

/// Takes signals through a descriptor, so that waiting for them and for the child is one poll without a
/// handler.
class SignalInbox {
public:
    SignalInbox() {
        const sigset_t wanted = our_signals();
        ::pthread_sigmask(SIG_BLOCK, &wanted, &before_);
        descriptor_ = ::signalfd(-1, &wanted, SFD_CLOEXEC | SFD_NONBLOCK);
        if (descriptor_ < 0) {
            const int error = errno;
            ::pthread_sigmask(SIG_SETMASK, &before_, nullptr);
            throw SystemError("cannot take signals: " + std::generic_category().message(error));
        }
    }
    SignalInbox(const SignalInbox&) = delete;
    SignalInbox& operator=(const SignalInbox&) = delete;
    ~SignalInbox() {
        ::close(descriptor_);
        ::pthread_sigmask(SIG_SETMASK, &before_, nullptr);
    }
    [[nodiscard]] int descriptor() const { return descriptor_; }
    /// 0 = none
    [[nodiscard]] int take() const {
        signalfd_siginfo info{};
        return ::read(descriptor_, &info, sizeof info) == static_cast<ssize_t>(sizeof info)
                   ? static_cast<int>(info.ssi_signo)
                   : 0;
    }

private:
    sigset_t before_{};
    int descriptor_ = -1;
};

/// While it lives, orphaned descendants become children of this process instead of vanishing from sight.
class Subreaper {
public:
    Subreaper() { ::prctl(PR_SET_CHILD_SUBREAPER, 1); }
    Subreaper(const Subreaper&) = delete;
    Subreaper& operator=(const Subreaper&) = delete;
    ~Subreaper() { ::prctl(PR_SET_CHILD_SUBREAPER, 0); }
};

class RealWorld : public World {
public:
    RealWorld(const std::string& database, const std::string& job)
        : mark_(supervised_mark(database))
        , job_(job.empty() ? this_program() : job) {}

    double monotonic_s() override { return seconds(std::chrono::steady_clock::now().time_since_epoch()); }
    double utc_s() override { return utc_now_s(); }

    void start(Command command) override {
        const auto noting = [this](std::function<void(std::string_view)> callback) {
            return [this, callback = std::move(callback)](std::string_view line) {
                line_came_ = true;
                if (callback)
                    callback(line);
            };
        };
        command.on_line = noting(std::move(command.on_line));
        command.on_error_line = noting(std::move(command.on_error_line));
        child_.emplace(std::move(command));
        ended_ = false;
    }

    Wakeup wait(std::optional<double> until_monotonic_s) override {
        line_came_ = false;
        while (true) {
            Wakeup wakeup;
            if (child_ && !ended_) {
                ended_ = child_->advance();
                wakeup.child_ended = ended_;
            }
            wakeup.signal = signals_.take();
            const double left_s = until_monotonic_s ? *until_monotonic_s - monotonic_s() : 1;
            if (wakeup.child_ended || wakeup.signal != 0 || line_came_ || left_s <= 0)
                return wakeup;
            sleep(until_monotonic_s ? std::optional(left_s) : std::nullopt);
        }
    }

    void send(int signal) override {
        if (child_)
            child_->send(signal);
    }

    int send_to_ranks(int signal) override {
        return send_to(signal, [](const ProcessEntry& process) { return process.runs_program; });
    }

    int send_to_leftovers(int signal) override {
        return send_to(signal, [](const ProcessEntry&) { return true; });
    }

    const ChildResult& result() override { return child_.value().result(); }

    std::uint64_t look_at(const std::string& path) override {
        struct stat found {};
        if (::stat(path.c_str(), &found) != 0)
            return 0;
        Fnv1a look;
        for (const auto part :
             {static_cast<std::uint64_t>(found.st_mtim.tv_sec),
              static_cast<std::uint64_t>(found.st_mtim.tv_nsec), static_cast<std::uint64_t>(found.st_size),
              static_cast<std::uint64_t>(found.st_ino)})
            look.add(part);
        return look.value() | 1;
    }

    ChildResult ask(Command command) override { return run(std::move(command)); }

private:
    template <typename Duration>
    static double seconds(Duration duration) {
        return std::chrono::duration<double>(duration).count();
    }

    void sleep(std::optional<double> left_s) {
        std::vector<pollfd> entries{{signals_.descriptor(), POLLIN, 0}};
        if (child_ && !ended_) {
            for (const int descriptor : child_->descriptors())
                entries.push_back({descriptor, POLLIN, 0});
            if (const std::optional<double> deadline_s = child_->seconds_to_deadline())
                left_s = std::min(left_s.value_or(*deadline_s), *deadline_s);
        }
        const int timeout_ms = left_s ? static_cast<int>(std::ceil(std::min(*left_s, 1e6) * 1000)) : -1;
        ::poll(entries.data(), entries.size(), timeout_ms);
    }

    template <typename Which>
    int send_to(int signal, Which which) {
        reap_orphans(child_ && !ended_ ? child_->pid() : -1);
        int count = 0;
        for (const ProcessEntry& process : processes_of(mark_, job_)) {
            if (!which(process))
                continue;
            ++count;
            if (signal != 0)
                ::kill(process.pid, signal);
        }
        return count;
    }

    std::pair<std::string, std::string> mark_;
    std::string job_;
    Subreaper subreaper_;
    SignalInbox signals_;
    std::optional<Child> child_;
    bool ended_ = true;
    bool line_came_ = false;
};

} // namespace

std::unique_ptr<World> make_world(const std::string& database, const std::string& job) {
    return std::make_unique<RealWorld>(database, job);
}

std::pair<std::string, std::string> supervised_mark(const std::string& database) {
    return {"SKAMPI_SUPERVISED", FileLock::path_for(database, "")};
}

std::string this_program() {
    std::error_code error;
    const std::filesystem::path path = std::filesystem::read_symlink("/proc/self/exe", error);
    if (error)
        throw SystemError("cannot find out this program's own path: " + error.message());
    return path.string();
}

} // namespace skampi
