// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "store/database.hpp"

#include <map>
#include <string>
#include <vector>

namespace skampi {

/// What `skampi-run status` shows of a database, also while it is being written.
struct Status {
    struct SuiteLine {
        int ordinal = 0;
        std::string name;
        SuiteState state = SuiteState::open;
        bool in_progress = false;
        int attempts = 0;
        std::string reason;
        std::int64_t measurements = 0; ///< finished
        int pass = 0; ///< over the arguments, that was begun last; 0 = none, or all are finished
        int passes = 0;
    };
    struct RunLine {
        Run run;
        std::vector<SuiteLine> suites;
        std::map<std::string, std::int64_t> flags; ///< word -> how many finished measurements have it
        std::int64_t not_repeatable = 0;           ///< finished measurements that stopped at a limit
        std::int64_t without_value = 0;            ///< finished measurements that have none, for any reason
        std::int64_t not_measured = 0;             ///< arguments of finished suites that could not be
        std::vector<Event> events;
        [[nodiscard]] std::int64_t count(SuiteState state) const;
        [[nodiscard]] std::int64_t measurements() const;
    };
    /// Variants that are launched in turns.
    struct SessionLine {
        Session session;
        std::map<std::string, int> launches; ///< of each variant: runs that ended
    };
    std::vector<SessionLine> sessions; ///< oldest first
    std::string database;
    std::string writer;             ///< who holds the writer's lock; empty = no process
    std::string daemon;             ///< who supervises it; empty = no process
    std::int64_t bytes = 0;         ///< of the file, in use
    std::int64_t bytes_per_run = 0; ///< by which it grew with each of the last runs; 0 = not known
    /// When something was last written, seconds since 1970: a job writes at each of its visits to a
    /// measurement, so a rank that was stopped shows here.
    double last_written_utc_s = 0;
    double looked_utc_s = 0;   ///< when all this was read
    std::vector<RunLine> runs; ///< oldest first
    [[nodiscard]] bool has_open_run() const;
    /// Since something was last written.
    [[nodiscard]] double silent_s() const;
};

/// @throws StoreError as Database::open
[[nodiscard]] Status read_status(const std::string& database);
/// Aligned text for people, with how long ago there was progress where a run has not ended: the runs, of the
/// newest (or any unfinished) one every suite that is not simply finished, and the last events.
/// @param full all runs; else the newest ten, and of the others at most twenty that have not ended, have a
/// failed suite or are the first of their series
[[nodiscard]] std::string status_text(const Status& status, bool full = false);
[[nodiscard]] std::string status_json(const Status& status);
/// How a run ended, for its last line.
struct RunSums {
    std::int64_t points = 0;         ///< finished measurements with a value
    std::int64_t not_repeatable = 0; ///< of these
    std::int64_t failed = 0;         ///< suites
    std::int64_t missing = 0;   ///< points without a value, and arguments that are none; 0 if data were wrong
    std::int64_t wanted = 0;    ///< finished measurements, and arguments that are none
    std::int64_t wrong = 0;     ///< points that received wrong data
    std::int64_t disturbed = 0; ///< points during which other programs used the cores
};
[[nodiscard]] RunSums sums_of_run(const Database& database, RunId run);
/// What to do where more than half of the values stopped at a limit: OK in the line for scripts says that all
/// was measured, not how well. Empty where fewer did.
[[nodiscard]] std::string repeatability_remark(const RunSums& sums);
/// "SKAMPI: INCOMPLETE 4 of 228 points missing, points=224 not_repeatable=2 failed=0"
[[nodiscard]] std::string sums_line(const RunSums& sums, bool done);
/// The line for scripts where there is nothing to sum up: STOPPED after a signal, else FAILED with the
/// status.
[[nodiscard]] std::string line_without_sums(const std::string& database, int exit_status);
/// The line for scripts on a run: "SKAMPI: OK points=214 not_repeatable=2 failed=0"; where the exit status is
/// not 0 INCOMPLETE if nothing but points is missing, else FAILED, as where there is no run to tell of. After
/// a signal STOPPED and the file, as jobs write it.
/// @param run uuid; empty = the newest
[[nodiscard]] std::string summary_line(const std::string& database, int exit_status,
                                       const std::string& run = {});

/// `database`.daemon.lock
[[nodiscard]] std::string daemon_lock_path(const std::string& database);

} // namespace skampi
