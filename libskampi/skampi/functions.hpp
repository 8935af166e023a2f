// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "model/kinds.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#pragma GCC visibility push(default) // the public part of the shared library
namespace skampi {

/// What a function is made ready for: the argument that its suite varies, and the defaults of the others.
struct Arguments {
    std::int64_t argument = 0;      ///< the varied parameter's value
    std::int64_t message_bytes = 0; ///< with Variation = Length the argument, else Default_Message_length
    std::int64_t chunks = 0;        ///< with Variation = Chunks the argument, else Default_Chunks
    /// Memory that behaves as the key Buffers says (reused, cycled through more than the caches, cold, ...),
    /// page-aligned and touched; with Function::wants_buffers message_bytes long, else null. It may lie
    /// elsewhere at each call.
    std::byte* source = nullptr;
    std::byte* target = nullptr; ///< never overlapping source
};

/// Your own function to be measured, without MPI. Any of its parts may throw a std::exception: its text
/// becomes the reason why the argument (setup) or the suite (the others) was given up. Other suites are
/// measured all the same.
struct Function {
    std::string name;       ///< for Type in the parameter file: any text without `;`, unique
    int type = 0;           ///< a number for Type; 0 = by name only
    std::string title = {}; ///< for people; empty = the name
    /// What can be varied; the first is what a block without Variation varies. Nodes are for MPI.
    std::vector<Varied> varied = {Varied::message_length};
    /// What Variation = Argument varies: a word and a unit for reports, "threads" and "threads", "distance"
    /// and "m". Needs Varied::argument in `varied`.
    std::string argument_name = {};
    std::string argument_unit = {};
    bool wants_buffers = false; ///< Arguments::source and target
    double messages =
        0; ///< messages of message_bytes that a call moves, for the bandwidth; 0 = none is reported

    std::function<void(const Arguments&)> setup = {}; ///< untimed, before an argument is measured
    std::function<void(const Arguments&)> call = {};  ///< what is measured
    /// Untimed, after each call: what the next one needs. A function with it is called once for each reading
    /// of the clock, others as often as the clock's resolution asks for.
    std::function<void(const Arguments&)> between = {};
    /// Untimed, after one call for each argument: whether its result is right. A wrong one has no time.
    std::function<bool(const Arguments&)> check = {};
    std::function<void()> teardown = {}; ///< untimed, after the argument; also after an error
};

/// The whole program: measures functions as a parameter file asks, into a result file, with the command line
/// of skampi-run (FILE, -d, --suite, --fresh, --variant, --progress, ..., and the commands check, list and
/// status). The next call continues an interrupted run; skampi-merge and skampi-report work on the file. A
/// program that was compiled anew begins a new series of runs.
/// @return the exit status, as skampi-run's. Never throws: errors are printed on standard error
[[nodiscard]] int measure_functions(int argc, const char* const* argv,
                                    const std::vector<Function>& functions) noexcept;

} // namespace skampi
#pragma GCC visibility pop
