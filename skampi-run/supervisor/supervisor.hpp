// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "model/series.hpp"
#include "model/suite.hpp"
#include "supervisor/launch.hpp"
#include "supervisor/world.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace skampi {

/// The task of `skampi-run -n N` and `skampi-run daemon`.
struct SuperviseOptions {
    std::string database;
    int ranks = 1;
    /// How to start: words as in a shell (quotes and backslashes, nothing else). {n} is the number of ranks;
    /// {command} the job's command line, for launchers that want it elsewhere than at the end, like
    /// "sbatch --wait -n {n} --wrap 'srun {command}'". Empty = default_launch().
    std::string launch;
    std::string executable;                  ///< started by the launcher; empty = this program
    std::vector<std::string> before_program; ///< words before it: "env A=b"
    std::vector<std::string>
        job_arguments;  ///< FILE, -d DB and so on; --progress json, --launch-number K are added
    bool fresh = false; ///< the first job gets --fresh: it does not resume an open run

    /// Raw runs in the database that agree with it are ours. Unknown facts (the launcher's placement and
    /// environment) are taken from our first run with other ones.
    Series series;
    std::string plan_hash;   ///< of the series
    std::vector<Suite> plan; ///< for the default of hang_after_s

    std::optional<std::int64_t> runs = 1; ///< none = without end
    bool runs_in_database = false;        ///< daemon: `runs` counts those already there, so a restart goes on
    double every_s = 0;                   ///< between starts of runs
    std::optional<int> at_minute;         ///< in place of every_s: of the local day, at which runs start
    int launches = 1; ///< runs in a row per slot; > 1: each is a launch with its own order of suites
    /// none = default_hang_after_s(plan), and for a start 60 s and 0.05 s a rank; a launcher that queues
    /// (sbatch, salloc, qsub, bsub) may take any time to start.
    std::optional<double> hang_after_s;
    int max_failures = 10; ///< failed jobs in a row, without a new finished measurement
    int retries = 2;
    bool brief = false;       ///< no notes about jobs whose run is complete
    double stop_grace_s = 10; ///< time for a hanging job to end by itself before it is killed

    // Any of these may be empty.
    std::function<void(std::string_view)> on_line;       ///< of the job's standard output: JSON and others
    std::function<void(std::string_view)> on_error_line; ///< a line of the job's standard error
    std::function<void(std::string_view)> on_note;       ///< for people: started, ended, waiting
};

/// Starts jobs until all runs are done. Holds `database`.daemon.lock meanwhile.
/// @return 0 all runs done; 1 done, but a suite failed or the last jobs gave up with something measured; 2
/// the job refused its input; 3 nothing could be done, or the last job could not go on (a full disk); 128 +
/// signal after SIGTERM (143), SIGINT (130)
/// @throws SystemError when somebody else supervises or writes this database, naming the holder; InputError
/// for a launch template that cannot be understood
[[nodiscard]] int supervise(const SuperviseOptions& options, World& world);

/// The longest a job may be silent: between two visits to measurements nothing takes longer than the suites'
/// own limits allow. Twice the largest Time_Measurement (10 minutes where there is none), at least 5 minutes.
[[nodiscard]] double default_hang_after_s(const std::vector<Suite>& plan);

} // namespace skampi
