// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "analysis/history/history_gate.hpp"
#include "formats/extract/extract.hpp"
#include "formats/format.hpp"
#include "runs/run_source.hpp"
#include "site/site.hpp"

#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

namespace skampi {

enum class ReportCommand {
    report, ///< no command is named
    compare,
    accept,
    history,
    site,
    turns,
    algorithms,
    links,
};

/// What the command line asks for.
struct Options : RunOptions {
    ReportCommand command = ReportCommand::report;
    Extract extract; ///< one plot or table in place of a report
    Destination destination;
    std::string config;               ///< a file with options; empty = none
    std::optional<std::string> junit; ///< compare, accept: a file for the results
    NewRuns new_runs;                 ///< history: with which a gate looks for steps
    SiteOptions site;
    std::string session;    ///< turns: its uuid; empty = the newest
    bool bad_nodes = false; ///< links: names only
    bool in_words = false;  ///< algorithms: the answer in words, not as JSON
};

/// Reads the command line; --help and --version are answered on `out`.
/// @return none when there is nothing more to do
/// @throws InputError when the command line is wrong
[[nodiscard]] std::optional<Options> parse_options(int argc, const char* const* argv, std::ostream& out);

} // namespace skampi
