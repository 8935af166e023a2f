// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <stdexcept>
#include <string>

namespace skampi {

/// Exit statuses of all tools (documented in each --help).
enum class ExitStatus {
    done = 0,
    incomplete = 1, ///< finished, but something failed or is missing
    bad_input = 2,  ///< wrong usage or bad input
    impossible = 3, ///< nothing could be done: no database, no launcher, full disk, ...
};

/// Work that cannot be done. Only main() catches it, prints `tool: what` in one line and exits
/// with the status.
class Error : public std::runtime_error {
public:
    Error(ExitStatus status, const std::string& what)
        : std::runtime_error(what)
        , status_(status) {}
    [[nodiscard]] ExitStatus status() const { return status_; }

private:
    ExitStatus status_;
};

/// The user's input is wrong: text says file, line, what was found and what was expected.
class InputError : public Error {
public:
    explicit InputError(const std::string& what)
        : Error(ExitStatus::bad_input, what) {}
};

/// The surroundings do not allow the work: missing program, full disk, no permission.
class SystemError : public Error {
public:
    explicit SystemError(const std::string& what)
        : Error(ExitStatus::impossible, what) {}
};

} // namespace skampi
