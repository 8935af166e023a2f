// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "model/series.hpp"
#include "store/database.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace skampi {

/// The runs of one series in a database, wherever their ranks were.
struct SeriesProgress {
    std::int64_t ended = 0;
    std::optional<RunId> open;              ///< the newest, if it has not ended
    bool in_progress = false;               ///< a suite of it has been begun and not ended
    std::int64_t finished_measurements = 0; ///< of the open run
    std::int64_t failed_suites = 0;         ///< of all
    std::int64_t failed_in_ended_runs = 0;  ///< of these
    double first_start_s = 0;
    double last_start_s = 0;
    RunId last = 0; ///< newest run of all plans
};

/// The part of a run's series that counts. A scheduler may give other nodes to each job: its runs are counted
/// together, although elsewhere they are different series.
[[nodiscard]] Series counted_series(const Run& run);

/// @param series as counted_series() gives it   @param after only runs behind this one
[[nodiscard]] SeriesProgress progress_of(const Database& database, const Series& series, RunId after);

/// A run that a job works on.
struct RunOfJob {
    RunId id = 0;
    Run run;
    std::int64_t failed_suites = 0;
};
/// @return none = there is no such run
[[nodiscard]] std::optional<RunOfJob> find_run(const Database& database, const std::string& uuid);

} // namespace skampi
