// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "pairs/links_wish.hpp"
#include "plan/run_options.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace skampi {

enum class Task {
    measure,   ///< inside a launcher: this process is a rank
    supervise, ///< skampi-run -n N: starts the launcher itself
    daemon,
    compare, ///< variants in turns, until it is known which is faster
    check,
    list,
    tune,       ///< algorithms measured, a tuning file written and verified
    algorithms, ///< of the MPI library, that can be chosen
    verify,     ///< a tuning file against the library without it, in turns
    links,      ///< pairs of ranks: which node, which link is slow
    status,
};

/// The command line and config file of skampi-run and of programs like it, checked for form but not for
/// content.
struct Options : RunOptions {
    Task task = Task::measure;
    std::optional<int> expected_ranks; ///< a job of another number measures nothing

    int ranks = 0;
    std::string launcher;
    std::int64_t runs = 1; ///< 0 = without end
    double every_s = 0;
    std::optional<int> at_minute; ///< of the local day
    int launches = 1;
    double spread_s = 0; ///< over which launches are spread
    std::optional<double> hang_after_s;
    int max_failures = 10;

    // Variants in turns: of compare, and of other tasks that are given several.
    std::vector<std::string> variant_specs; ///< values of --variant that describe variants
    bool variants_of_file = false;          ///< those of @VARIANTS are launched
    std::vector<std::string> against;       ///< settings, each a variant besides the default
    double gain = 0.05;                     ///< tune: smallest for which a rule is made
    double margin = 0.02;                   ///< within which variants are equal
    int first_look = 5;
    int most_rounds = 40;
    std::optional<double> time_s; ///< of the session; none = an hour of compare, any time of others
    std::int64_t seed = 0;        ///< 0 = drawn
    bool race = false;
    bool same = false;  ///< equals are compared on purpose
    std::string output; ///< a report is written there, too
    std::string config; ///< a file with options; empty = none
    [[nodiscard]] bool has_variants() const { return !variant_specs.empty() || !against.empty(); }

    std::string tuning_file; ///< verify
    LinksWish links;

    bool json = false;                       ///< list, algorithms, status
    bool full = false;                       ///< status: every run, with open_metrics every point
    std::optional<std::string> open_metrics; ///< status: the file to write
    bool markdown = false;                   ///< list
    std::vector<std::string> operations;     ///< algorithms: globs; empty = all
    bool library_variables = false;          ///< algorithms: prints what a copy of this program asks for
};

/// Thrown where the command line asks for nothing more: --help, --version, or a mistake.
struct OptionsEnd {
    int exit_status = 0;
    std::string text; ///< for standard output (exit_status 0) or standard error
};

/// Whose command line it is.
struct CommandLine {
    std::string program = "skampi-run";
    std::string about;       ///< what --help says first
    std::string version;     ///< what --version says
    bool has_ranks = true;   ///< starts launchers: -n, daemon, ...
    bool needs_file = false; ///< there is no built-in parameter file for it
};

/// @throws OptionsEnd
[[nodiscard]] Options parse_options(int argc, const char* const* argv, const CommandLine& line);

} // namespace skampi
