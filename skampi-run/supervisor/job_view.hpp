#pragma once

#include "terminal/progress.hpp"

#include <cstdio>
#include <string>
#include <string_view>

namespace skampi {

/// What the user of `skampi-run -n N` sees of the jobs: their JSON lines become the progress wanted here,
/// their other lines pass through.
class JobView {
public:
    JobView(ProgressKind kind, std::FILE* out)
        : kind_(kind)
        , out_(out)
        , progress_(kind, out) {}

    /// Nothing of the progress is shown any more, until a job begins.
    void clear() { progress_.clear(); }
    void job_line(std::string_view line);
    void note(std::string_view text);
    void error_line(std::string_view line); ///< of the job's standard error, as it came
    /// Ends with a line for scripts where no job wrote one: none came that far, or its output went elsewhere.
    void summary(const std::string& database, int status);

private:
    ProgressKind kind_;
    std::FILE* out_;
    Progress progress_;
    bool summarised_ = false;
    std::string run_; ///< uuid of the run that the last job began or went on with
};

} // namespace skampi
