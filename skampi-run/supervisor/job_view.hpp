// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "terminal/progress.hpp"
#include "terminal/terminal.hpp"

#include <cstdio>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace skampi {

/// The user's view of the jobs of `skampi-run -n N`: their JSON lines become progress, their other lines pass
/// through.
class JobView {
public:
    JobView(ProgressKind kind, std::FILE* out)
        : kind_(kind)
        , out_(out)
        , progress_(kind, out) {}
    ~JobView();
    JobView(const JobView&) = delete;
    JobView& operator=(const JobView&) = delete;

    /// The jobs to come are some of many: no table, no last line and no remarks of each.
    void be_brief() { brief_ = true; }
    /// The jobs to come are launches of one result: a table for programs comes once, of all of them.
    void show_together() { together_ = writes_lines(kind_, out_); }
    /// The result of a job's run is shown when it ends: the next may start a day later.
    void show_each_end() { each_end_ = true; }

    /// Nothing of the progress is shown any more, until a job begins.
    void clear() { progress_.clear(); }
    void job_line(std::string_view line);
    void note(std::string_view text);
    void step(std::string_view text); ///< a note about normal progress: not with --progress off
    /// A line of the job's standard error, unchanged; a warning of every launch is shown once.
    void error_line(std::string_view line);
    /// Ends with a line for scripts if no job wrote one: none got that far, or its output went elsewhere.
    void summary(const std::string& database, int status);
    /// Ends with a line for scripts about several jobs.
    void summary_of_all(std::string_view line);

private:
    [[nodiscard]] std::optional<Terminal> footer_terminal() const; ///< none = there is no footer
    [[nodiscard]] std::string table_of_runs(const std::string& path) const;
    void last_line(std::string_view line);
    void release();

    ProgressKind kind_;
    std::FILE* out_;
    Progress progress_;
    bool brief_ = false;
    bool together_ = false;
    bool each_end_ = false;
    bool summarised_ = false;
    std::string held_;                          ///< the last line of a job, which the footer is to precede
    std::set<std::string, std::less<>> warned_; ///< lines
    std::string run_;                           ///< uuid of the run that the last job began or went on with
    std::set<std::string> runs_;                ///< of all jobs
    std::vector<std::string> lines_;            ///< of a suite that has not ended yet
};

} // namespace skampi
