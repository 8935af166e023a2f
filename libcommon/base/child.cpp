// SPDX-License-Identifier: LGPL-2.1-or-later
#include "base/child.hpp"

#include "base/error.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <system_error>
#include <thread>
#include <unistd.h>
#include <utility>

namespace skampi {

namespace {

using SteadyClock = std::chrono::steady_clock;

/// Longer lines are handed on in pieces of this size, so that a child cannot make us hold arbitrary much.
constexpr std::size_t longest_line = std::size_t{1} << 16;

class Descriptor {
public:
    explicit Descriptor(int fd = -1)
        : fd_(fd) {}
    Descriptor(Descriptor&& other) noexcept
        : fd_(std::exchange(other.fd_, -1)) {}
    Descriptor& operator=(Descriptor&& other) noexcept {
        std::swap(fd_, other.fd_);
        return *this;
    }
    ~Descriptor() { close(); }
    void close() {
        if (fd_ >= 0)
            ::close(std::exchange(fd_, -1));
    }
    [[nodiscard]] int get() const { return fd_; }
    [[nodiscard]] bool is_open() const { return fd_ >= 0; }

private:
    int fd_;
};

[[noreturn]] void throw_system(const std::string& what, int error) {
    throw SystemError(what + ": " + std::generic_category().message(error));
}

struct Pipe {
    Descriptor reading, writing;
};

Pipe make_pipe(const std::string& program) {
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0)
        throw_system("cannot start '" + program + "': no pipe", errno);
    return {Descriptor(ends[0]), Descriptor(ends[1])};
}

/// A file in memory instead of a pipe: a child that does not read its input can neither block nor signal us.
Descriptor make_input(const std::string& program, const std::string& text) {
    if (text.empty()) {
        Descriptor nothing(::open("/dev/null", O_RDONLY | O_CLOEXEC));
        if (!nothing.is_open())
            throw_system("cannot start '" + program + "': /dev/null", errno);
        return nothing;
    }
    Descriptor file(::memfd_create("input", MFD_CLOEXEC));
    if (!file.is_open())
        throw_system("cannot start '" + program + "': no memory file for its input", errno);
    std::string_view rest = text;
    while (!rest.empty()) {
        const ssize_t written = ::write(file.get(), rest.data(), rest.size());
        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0)
            throw_system("cannot start '" + program + "': its input", errno);
        rest.remove_prefix(static_cast<std::size_t>(written));
    }
    ::lseek(file.get(), 0, SEEK_SET);
    return file;
}

std::vector<std::string> merged_environment(const std::map<std::string, std::string>& additions) {
    std::vector<std::string> result;
    for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
        const std::string_view text = *entry;
        const std::string name(text.substr(0, text.find('=')));
        if (!additions.contains(name))
            result.emplace_back(text);
    }
    for (const auto& [name, value] : additions)
        result.push_back(name + "=" + value);
    return result;
}

std::vector<char*> pointers(std::vector<std::string>& texts) {
    std::vector<char*> result;
    result.reserve(texts.size() + 1);
    for (std::string& text : texts)
        result.push_back(text.data());
    result.push_back(nullptr);
    return result;
}

/// All that the child needs between fork and exec, made before: only async-signal-safe calls are allowed
/// there.
struct Prepared {
    const char* program;
    char* const* argv;
    char* const* envp;
    const char* directory; ///< null = stay
    int in, out, err;      ///< descriptors above 2
    int report;            ///< errno goes here when exec fails
    int death_signal;
    pid_t parent;
};

[[noreturn]] void become(const Prepared& p) {
    const auto give_up = [&p](int error) {
        // If this write fails, the parent still sees the exit status.
        [[maybe_unused]] const ssize_t written = ::write(p.report, &error, sizeof error);
        ::_exit(127);
    };
    ::setsid();
    if (p.death_signal != 0) {
        ::prctl(PR_SET_PDEATHSIG, p.death_signal);
        if (::getppid() != p.parent)
            ::_exit(127);
    }
    sigset_t none;
    ::sigemptyset(&none);
    ::sigprocmask(SIG_SETMASK, &none, nullptr);
    ::signal(SIGPIPE, SIG_DFL);
    if (::dup2(p.in, 0) < 0 || ::dup2(p.out, 1) < 0 || ::dup2(p.err, 2) < 0)
        give_up(errno);
    if (p.directory != nullptr && ::chdir(p.directory) != 0)
        give_up(errno);
    ::execve(p.program, p.argv, p.envp);
    give_up(errno);
    ::_exit(127);
}

/// dup2 onto 0, 1, 2 in the child needs sources that are none of these.
Descriptor above_standard(Descriptor descriptor, const std::string& program) {
    if (descriptor.get() > 2)
        return descriptor;
    Descriptor higher(::fcntl(descriptor.get(), F_DUPFD_CLOEXEC, 3));
    if (!higher.is_open())
        throw_system("cannot start '" + program + "'", errno);
    return higher;
}

bool is_program(const std::string& path) {
    return ::access(path.c_str(), X_OK) == 0;
}

SteadyClock::time_point after(SteadyClock::time_point start, double seconds) {
    return start + std::chrono::duration_cast<SteadyClock::duration>(std::chrono::duration<double>(seconds));
}

/// One output stream: its last bytes, and its lines as they come.
struct Stream {
    Descriptor pipe;
    std::size_t max_bytes = 0;
    std::function<void(std::string_view)> on_line;
    std::string kept;
    std::string begun_line;

    void take(std::string_view text) {
        kept.append(text);
        if (kept.size() > 2 * max_bytes)
            kept.erase(0, kept.size() - max_bytes);
        if (!on_line)
            return;
        begun_line.append(text);
        std::size_t start = 0;
        while (true) {
            const std::size_t end = begun_line.find('\n', start);
            if (end == std::string::npos)
                break;
            on_line(std::string_view(begun_line).substr(start, end - start));
            start = end + 1;
        }
        begun_line.erase(0, start);
        if (begun_line.size() > longest_line)
            on_line(std::exchange(begun_line, {}));
    }

    void read_available() {
        std::array<char, 65536> buffer;
        while (pipe.is_open()) {
            const ssize_t count = ::read(pipe.get(), buffer.data(), buffer.size());
            if (count > 0)
                take({buffer.data(), static_cast<std::size_t>(count)});
            else if (count < 0 && errno == EINTR)
                continue;
            else if (count < 0 && errno == EAGAIN)
                return;
            else
                pipe.close();
        }
    }

    std::string finish() {
        pipe.close();
        if (on_line && !begun_line.empty())
            on_line(std::exchange(begun_line, {}));
        if (kept.size() > max_bytes)
            kept.erase(0, kept.size() - max_bytes);
        return std::move(kept);
    }
};

void poll_descriptors(const std::vector<int>& descriptors, std::optional<double> timeout_s) {
    std::vector<pollfd> entries;
    for (int fd : descriptors)
        entries.push_back({fd, POLLIN, 0});
    int timeout_ms = -1;
    if (timeout_s)
        timeout_ms = static_cast<int>(std::ceil(std::clamp(*timeout_s, 0.0, 1e6) * 1000));
    ::poll(entries.data(), entries.size(), timeout_ms);
}

} // namespace

struct Child::Running {
    Command command;
    pid_t pid = -1;
    Stream out, err;
    Descriptor end_notice;
    std::thread waiter;
    std::optional<SteadyClock::time_point> deadline; ///< of timeout_s
    std::optional<SteadyClock::time_point> kill_at;  ///< SIGTERM was sent, SIGKILL comes then
    bool ended = false;
    ChildResult result;

    explicit Running(Command wanted)
        : command(std::move(wanted)) {
        start();
    }
    Running(const Running&) = delete;
    Running& operator=(const Running&) = delete;
    ~Running() {
        if (!ended && pid > 0) {
            ::kill(-pid, SIGKILL);
            reap();
        }
    }

    void start() {
        assert(!command.argv.empty());
        const std::string& name = command.argv.front();
        const std::optional<std::string> program = find_program(name);
        if (!program)
            throw SystemError("cannot start '" + name + "': no such program" +
                              (name.find('/') == std::string::npos ? " in PATH" : ""));

        Pipe output = make_pipe(name);
        Pipe errors = make_pipe(name);
        Pipe report = make_pipe(name);
        output.writing = above_standard(std::move(output.writing), name);
        errors.writing = above_standard(std::move(errors.writing), name);
        report.writing = above_standard(std::move(report.writing), name);
        const Descriptor input = above_standard(make_input(name, command.input), name);
        end_notice = Descriptor(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
        if (!end_notice.is_open())
            throw_system("cannot start '" + name + "'", errno);

        std::vector<std::string> environment = merged_environment(command.environment);
        const std::vector<char*> envp = pointers(environment);
        const std::vector<char*> argv = pointers(command.argv);
        const Prepared prepared{.program = program->c_str(),
                                .argv = argv.data(),
                                .envp = envp.data(),
                                .directory = command.directory.empty() ? nullptr : command.directory.c_str(),
                                .in = input.get(),
                                .out = output.writing.get(),
                                .err = errors.writing.get(),
                                .report = report.writing.get(),
                                .death_signal = command.death_signal,
                                .parent = ::getpid()};
        pid = ::fork();
        if (pid < 0)
            throw_system("cannot start '" + name + "'", errno);
        if (pid == 0)
            become(prepared);

        report.writing.close();
        int error = 0;
        ssize_t got = 0;
        do
            got = ::read(report.reading.get(), &error, sizeof error);
        while (got < 0 && errno == EINTR);
        if (got == static_cast<ssize_t>(sizeof error)) {
            ::waitpid(std::exchange(pid, -1), nullptr, 0);
            throw_system("cannot start '" + name + "'", error);
        }

        const auto watch = [this](Stream& stream, Descriptor reading, auto callback) {
            ::fcntl(reading.get(), F_SETFL, O_NONBLOCK);
            stream = {std::move(reading), command.max_output_bytes, std::move(callback), {}, {}};
        };
        watch(out, std::move(output.reading), command.on_line);
        watch(err, std::move(errors.reading), command.on_error_line);
        if (command.timeout_s)
            deadline = after(SteadyClock::now(), *command.timeout_s);
        start_waiter();
    }

    /// A thread that waits for the end and makes end_notice readable: unlike SIGCHLD it does not touch the
    /// program's signals, unlike pidfd_open it works on the old kernels clusters run. WNOWAIT leaves the
    /// zombie, so the pid stays ours until reap().
    void start_waiter() {
        sigset_t all, before;
        ::sigfillset(&all);
        ::pthread_sigmask(SIG_SETMASK, &all, &before);
        waiter = std::thread([child = pid, notice = end_notice.get()] {
            siginfo_t info{};
            while (::waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOWAIT) != 0 && errno == EINTR)
                ;
            ::eventfd_write(notice, 1);
        });
        ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
    }

    void reap() {
        waiter.join();
        // Until the leader is reaped, no other process gets its id: we can still kill the group.
        ::kill(-pid, SIGKILL);
        int status = 0;
        while (::waitpid(pid, &status, 0) < 0 && errno == EINTR)
            ;
        if (WIFSIGNALED(status))
            result.signal = WTERMSIG(status);
        else
            result.exit_status = WEXITSTATUS(status);
        ended = true;
    }

    void enforce_deadlines() {
        const SteadyClock::time_point now = SteadyClock::now();
        if (deadline && now >= *deadline) {
            deadline.reset();
            result.timed_out = true;
            stop();
        }
        if (kill_at && now >= *kill_at) {
            kill_at.reset();
            ::kill(-pid, SIGKILL);
        }
    }

    void stop() {
        ::kill(-pid, SIGTERM);
        if (!kill_at)
            kill_at = after(SteadyClock::now(), command.grace_s);
    }

    bool advance() {
        if (ended)
            return true;
        eventfd_t count = 0;
        const bool over = ::eventfd_read(end_notice.get(), &count) == 0;
        out.read_available();
        err.read_available();
        if (over) {
            reap();
            // What the leader wrote last is in the pipes by now; a descendant that escaped the group may keep
            // them open, so their end is not waited for.
            out.read_available();
            err.read_available();
            result.out = out.finish();
            result.err = err.finish();
            return true;
        }
        enforce_deadlines();
        return false;
    }
};

Child::Child(Command command)
    : running_(std::make_unique<Running>(std::move(command))) {}
Child::Child(Child&&) noexcept = default;
Child& Child::operator=(Child&&) noexcept = default;
Child::~Child() = default;

pid_t Child::pid() const {
    return running_->pid;
}

std::vector<int> Child::descriptors() const {
    std::vector<int> result;
    if (running_->ended)
        return result;
    for (const Descriptor* descriptor : {&running_->out.pipe, &running_->err.pipe, &running_->end_notice}) {
        if (descriptor->is_open())
            result.push_back(descriptor->get());
    }
    return result;
}

bool Child::advance() {
    return running_->advance();
}

std::optional<double> Child::seconds_to_deadline() const {
    std::optional<SteadyClock::time_point> next;
    for (const auto& moment : {running_->deadline, running_->kill_at}) {
        if (moment && (!next || *moment < *next))
            next = moment;
    }
    if (!next || running_->ended)
        return std::nullopt;
    return std::max(0.0, std::chrono::duration<double>(*next - SteadyClock::now()).count());
}

void Child::send(int signal) {
    if (!running_->ended)
        ::kill(-running_->pid, signal);
}

const ChildResult& Child::wait() {
    while (!advance())
        poll_descriptors(descriptors(), seconds_to_deadline());
    return running_->result;
}

const ChildResult& Child::result() const {
    assert(running_->ended);
    return running_->result;
}

std::string ChildResult::describe_end() const {
    const std::string end = signal != 0 ? signal_text(signal) : "exit status " + std::to_string(exit_status);
    return timed_out ? "time-out, then " + end : end;
}

ChildResult run(Command command) {
    Child child(std::move(command));
    return child.wait();
}

std::vector<ChildResult> run_all(std::vector<Command> commands, int parallel) {
    assert(parallel >= 1);
    std::vector<ChildResult> results(commands.size());
    std::vector<std::pair<std::size_t, Child>> active;
    std::size_t next = 0;
    while (next < commands.size() || !active.empty()) {
        while (next < commands.size() && active.size() < static_cast<std::size_t>(parallel)) {
            active.emplace_back(next, Child(std::move(commands[next])));
            ++next;
        }
        std::vector<int> descriptors;
        std::optional<double> timeout_s;
        for (const auto& [index, child] : active) {
            const std::vector<int> more = child.descriptors();
            descriptors.insert(descriptors.end(), more.begin(), more.end());
            if (const std::optional<double> left = child.seconds_to_deadline())
                timeout_s = std::min(timeout_s.value_or(*left), *left);
        }
        poll_descriptors(descriptors, timeout_s);
        std::erase_if(active, [&results](std::pair<std::size_t, Child>& entry) {
            if (!entry.second.advance())
                return false;
            results[entry.first] = entry.second.result();
            return true;
        });
    }
    return results;
}

std::optional<std::string> find_program(const std::string& name) {
    if (name.empty())
        return std::nullopt;
    if (name.find('/') != std::string::npos)
        return is_program(name) ? std::optional(name) : std::nullopt;
    const char* path = std::getenv("PATH");
    std::string_view rest = path != nullptr ? path : "/usr/local/bin:/usr/bin:/bin";
    while (true) {
        const std::size_t colon = rest.find(':');
        const std::string folder(rest.substr(0, colon));
        const std::string candidate = (folder.empty() ? "." : folder) + "/" + name;
        if (is_program(candidate))
            return candidate;
        if (colon == std::string_view::npos)
            return std::nullopt;
        rest.remove_prefix(colon + 1);
    }
}

std::string signal_text(int signal) {
    const char* description = ::strsignal(signal);
    return "signal " + std::to_string(signal) + " (" + (description != nullptr ? description : "unknown") +
           ")";
}

} // namespace skampi
