#pragma once

#include "analysis/history/history_gate.hpp"
#include "formats/extract/extract.hpp"
#include "formats/format.hpp"
#include "site/site.hpp"

#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

namespace skampi {

enum class ReportCommand {
    report, ///< no command is named
    compare,
    history,
    site,
    turns,
    algorithms,
};

/// What the command line asks for.
struct Options {
    ReportCommand command = ReportCommand::report;
    std::vector<std::string> databases; ///< or Cube statistics files; the baseline, if any, is the last
    std::vector<std::string> suites;    ///< globs of their names; empty = all
    std::vector<std::string> runs;      ///< uuids or groups; empty = as read_subjects() chooses
    const Format* format = nullptr;     ///< null for a site and an extract
    Extract extract;                    ///< one plot or table in place of a report
    Destination destination;
    std::string title;
    std::string content;    ///< a content file; empty = none
    std::string reference;  ///< a database whose reference adjusted values refer to; empty = the first's
    std::string config;     ///< a file with options; empty = none
    bool box_plots = false; ///< of the single measurements
    bool raw = false;       ///< of .csv the rows of all runs, as they are stored
    bool full = false;      ///< on a terminal and on paper all that there is

    bool has_baseline = false;        ///< compare: the last database is the baseline of all others
    std::vector<std::string> fail_if; ///< compare, history: gates, as they were given
    std::optional<std::string> junit; ///< compare: a file for the results of the gates
    NewRuns new_runs;                 ///< history: with which a gate looks for steps
    SiteOptions site;
    std::string session;   ///< turns: its uuid; empty = the newest
    double gain = 0.05;    ///< smallest that an algorithm must have, as a share
    bool in_words = false; ///< algorithms: the answer in words, not as JSON
};

/// Reads the command line; --help and --version are answered on `out`.
/// @return none when there is nothing more to do
/// @throws InputError when the command line is wrong
[[nodiscard]] std::optional<Options> parse_options(int argc, const char* const* argv, std::ostream& out);

} // namespace skampi
