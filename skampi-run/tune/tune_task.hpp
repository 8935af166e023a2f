#pragma once

#include "model/suite.hpp"
#include "spec/parameter_file.hpp"
#include "supervisor/job_view.hpp"
#include "tune/tune_run.hpp"
#include "verify/verify_plan.hpp"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace skampi {

/// What `skampi-run tune` is told, and how it starts jobs.
struct TuneTask {
    TuneWish wish;
    std::string database;
    std::optional<ParameterFile> own_plan; ///< the user's; none = one is written, for `operations`
    std::vector<OperationInfo> operations;
    bool simulated = false; ///< the launcher is smpirun
    double gain = 0.05;
    bool prints = true;   ///< what came of it, at the end
    std::string launcher; ///< as the user gave it; empty = the usual one
    /// Launches a parameter file under the supervisor. @return its exit status
    std::function<int(const std::string& plan)> launch;
    /// Verifies a tuning file with its launches in a database. @return exit status of `skampi-run verify`
    std::function<int(const std::string& path, const std::string& database)> verify;
    /// What that measures.
    std::function<std::vector<VerifySuite>(const std::string& path)> planned;
};

/// The parameter file that a launch of tune reads: beside its database.
[[nodiscard]] std::string tune_plan_path(const std::string& database);
/// The notes beside a tuning file whose format has no comments.
[[nodiscard]] std::string tuning_notes_path(const std::string& file);

/// Measures, decides, writes and verifies; says what came of it. @return exit status of tune()
/// @throws InputError, SystemError
[[nodiscard]] int run_tune_task(const TuneTask& task, JobView& view);

} // namespace skampi
