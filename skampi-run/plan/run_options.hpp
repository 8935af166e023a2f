// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "model/session_place.hpp"
#include "plan/due_suites.hpp"
#include "terminal/terminal.hpp"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace skampi {

/// How one run is made: common options of skampi-run and of programs with functions of their own.
struct RunOptions {
    std::string program = "skampi-run"; ///< for messages
    std::string file;                   ///< parameter file; empty = the built-in one
    /// Makes the text of a parameter file for so many ranks, in place of all files; empty = one is read.
    std::function<std::string(int ranks)> plan_for;
    bool in_turns = false; ///< of the built-in one the short form (quick_parameter_file_in_turns())
    std::optional<std::string> database; ///< none = @OUTFILE, or skampi.db
    std::vector<std::string> suites;     ///< globs; empty = all
    bool fresh = false;
    ProgressKind progress = ProgressKind::automatic;
    bool silent = false; ///< standard output is left to the caller
    int retries = 2;
    std::optional<int> launch;          ///< number in a series: shuffles the suites
    std::string variant;                ///< a name for manual variations; each has its own series
    SessionPlace session_place;         ///< of a launch of variants in turns
    std::vector<std::string> read_back; ///< variables that the session's variants change
    Precision precision;                ///< asked for between launches
    DueSuites due;                      ///< what earlier launches leave to be measured; empty = all
    std::optional<int> keep_samples; ///< of how many newest runs single measurements are kept; none = of all
};

} // namespace skampi
