// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "model/measurement.hpp"
#include "terminal/run_table.hpp"
#include "terminal/terminal.hpp"

#include <cstdio>
#include <optional>
#include <set>
#include <string>

namespace skampi {

/// The progress of a run and what it found, for people, programs and the supervisor. Called between
/// measurements only; writes at most once a second, because its reader uses the ranks' cores.
class Progress {
public:
    /// @param out where the lines go; a bar goes to the terminal behind it
    Progress(ProgressKind kind, std::FILE* out);
    ~Progress();
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

    struct Start {
        std::string uuid;
        int suites = 0;
        std::string title = {};       ///< run_title; empty = none is wanted
        std::size_t longest_name = 0; ///< of the suites, in characters
    };
    void run_started(const Start& start, double now_s);
    void suite_started(int index, const std::string& name, double now_s);
    /// @param share of the present suite that is done, 0..1
    void visited(std::int64_t argument, double share, double now_s);
    /// What a suite found: a line of a table on a terminal, else a line for each of its points.
    void suite_ended(const SuiteResult& result, double now_s);
    void measured(const std::string& suite, const Measurement& measurement, double now_s);
    /// @param exit_status of the job, independent of how its ranks end: the stored run is complete or not
    void run_ended(std::int64_t points, std::int64_t not_repeatable, std::int64_t disturbed,
                   std::int64_t failed, int exit_status);
    /// Removes the bar, so that other output can follow.
    void clear();

private:
    void line(std::string text, double now_s, bool at_once);
    void draw(double now_s);

    ProgressKind kind_;
    std::FILE* out_;
    std::FILE* bar_out_;
    std::string waiting_;
    double last_output_s_ = -1;
    int suites_ = 0;
    int suite_ = 0;
    std::string suite_name_;
    double share_ = 0;
    double begin_s_ = 0;
    int done_before_ = 0; ///< suites that were finished when this start began
    bool begun_ = false;
    bool drawn_ = false;
    bool shows_table_;              ///< unless other output was requested
    bool writes_lines_;             ///< a table for programs
    bool has_header_ = false;       ///< that table
    std::optional<RunTable> table_; ///< on a terminal
    std::string run_;               ///< uuid of the run that is shown; empty = none is
    std::set<int> shown_;           ///< places of the suites in it
};

} // namespace skampi
