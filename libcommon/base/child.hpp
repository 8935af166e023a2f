// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <csignal>
#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <sys/types.h>
#include <vector>

namespace skampi {

/// A program to start, without a shell: the program gets argv unchanged.
struct Command {
    std::vector<std::string> argv;                  ///< argv[0] without a slash is looked up in PATH
    std::map<std::string, std::string> environment; ///< added to the inherited variables, or replaces them
    std::string directory;                          ///< working directory; empty = inherited
    std::string input;                              ///< what it reads from standard input, then end of file
    std::size_t max_output_bytes = std::size_t{1} << 20; ///< kept of each output stream: the last ones
    std::optional<double> timeout_s; ///< then the whole group gets SIGTERM, after grace_s SIGKILL
    double grace_s = 5;
    int death_signal =
        SIGKILL; ///< sent to it by the kernel when the thread that started it is gone; 0 = none
    std::function<void(std::string_view)>
        on_line; ///< called with each line of standard output, without its end
    std::function<void(std::string_view)> on_error_line; ///< the same for standard error
};

/// How a child ended and what it wrote.
struct ChildResult {
    int exit_status = 0;    ///< meaningful while signal is 0
    int signal = 0;         ///< that ended it; 0 = it exited
    bool timed_out = false; ///< killed by us: timeout_s was over
    std::string out;        ///< the last max_output_bytes of standard output
    std::string err;        ///< the same of standard error

    [[nodiscard]] bool ok() const { return exit_status == 0 && signal == 0 && !timed_out; }
    /// "exit status 3", "signal 11 (Segmentation fault)", "time-out, then signal 15 (Terminated)"
    [[nodiscard]] std::string describe_end() const;
};

/// A running child in its own session and process group. When it ends, all remaining processes of its group
/// are killed; if this object is destroyed first, the whole group is killed.
class Child {
public:
    /// @throws SystemError naming the program when it cannot be started
    explicit Child(Command command);
    Child(Child&&) noexcept;
    Child& operator=(Child&&) noexcept;
    ~Child();

    [[nodiscard]] pid_t pid() const; ///< also the id of its process group
    /// For poll(POLLIN): one of them is readable when advance() has something to do.
    [[nodiscard]] std::vector<int> descriptors() const;
    /// Reads the output (calling the line callbacks), enforces timeout_s, detects the end. Never
    /// blocks.
    /// @return true once the child has ended
    bool advance();
    /// Until advance() must be called again because of timeout_s; none = only descriptors() decide.
    [[nodiscard]] std::optional<double> seconds_to_deadline() const;
    /// Sends a signal to the whole group; without effect once the child has ended.
    void send(int signal);
    /// Blocks until the end.
    const ChildResult& wait();
    /// @pre advance() returned true
    [[nodiscard]] const ChildResult& result() const;

private:
    struct Running;
    std::unique_ptr<Running> running_;
};

/// Starts the program and waits for its end. A status other than 0 is no exception: see ChildResult.
/// @throws SystemError naming the program when it cannot be started
[[nodiscard]] ChildResult run(Command command);

/// Runs all of them, at most `parallel` (>= 1) at a time, and returns their results in the order of the
/// commands.
/// @throws SystemError naming the program when one cannot be started; those still running are killed then
[[nodiscard]] std::vector<ChildResult> run_all(std::vector<Command> commands, int parallel);

/// Where execvp would find the program; none = nowhere.
[[nodiscard]] std::optional<std::string> find_program(const std::string& name);

/// "signal 11 (Segmentation fault)"
[[nodiscard]] std::string signal_text(int signal);

} // namespace skampi
