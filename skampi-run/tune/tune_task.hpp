// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "model/suite.hpp"
#include "spec/parameter_file.hpp"
#include "supervisor/job_view.hpp"
#include "tune/tune_run.hpp"
#include "verify/verify_task.hpp"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace skampi {

/// What is asked of `skampi-run tune`, and how it starts jobs.
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
    /// Launches with and without the candidate in turns, into a database.
    struct Candidate {
        std::string path;
        std::string database;
        std::vector<TunedRegion> regions; ///< of its rules; empty = what changes, by the file
        std::optional<double> time_s;     ///< none = as long as it takes
    };
    std::function<Verification(const Candidate& candidate)> verify;
};

/// The folder next to the file that holds all that tune writes but its database: parameter files,
/// candidates and their verification.
[[nodiscard]] std::string tune_folder(const std::string& file);
/// The notes next to a tuning file whose format has no comments.
[[nodiscard]] std::string tuning_notes_path(const std::string& file);

/// Measures, decides, writes and verifies; says what came of it. @return exit status of tune()
/// @throws InputError, SystemError: no file can be made, or the folder cannot
[[nodiscard]] int run_tune_task(const TuneTask& task, JobView& view);

} // namespace skampi
