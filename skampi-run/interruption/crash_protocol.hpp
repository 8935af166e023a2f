// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "store/database.hpp"

#include <optional>
#include <set>
#include <string>
#include <vector>

namespace skampi {

/// A job was seen to end without ending its run (paper 3.3). Every suite of the run that is still in progress
/// is a culprit: it is put off with the reason, or marked failed when it has been begun more than `retries`
/// times after its first attempt (finish_part). Its finished measurements stay. Leaves one event per culprit.
/// @param kind of the event: "crash", "hang", "signal"
/// @param what was seen: "signal 11 (Segmentation fault)", "no progress for 300 s", "MPI_ERR_TRUNCATE: ..."
/// @return the culprits with their new state, in plan order; empty = nothing was being measured
std::vector<StoredSuite> note_interrupted(Database& database, RunId run, const std::string& kind,
                                          const std::string& what, int retries, const std::string& time_utc);

/// A suite that failed for good is not continued: its values of completed passes become finished, flagged as
/// timed out, so that they are reported as a part. Within a commit of the caller's or in its own.
void finish_part(Database& database, SuiteId suite);

/// A job ended without ending its run, for an unknown reason: its supervisor was killed with it, it had none,
/// or the disk was full. The first time costs a suite in progress nothing; if nothing new was measured since,
/// it is charged as by note_interrupted(). Leaves one event per suite.
/// @return the suites that were charged, in plan order
std::vector<StoredSuite> note_unseen_end(Database& database, RunId run, int retries,
                                         const std::string& time_utc);

/// What its supervisor saw of a job.
struct SeenJob {
    std::string started_utc;
    std::string lasted;                     ///< "1.3 s"
    std::string kind;                       ///< of the event
    std::string seen;                       ///< how it ended
    std::set<std::string> unused_variables; ///< that a library reported as unused
};
/// Leaves one event: when the job started, how long it ran, and what was seen, unless the job wrote that
/// itself; and one for each unused variable, once in a run.
void note_job_end(Database& database, RunId run, const SeenJob& job, const std::string& time_utc);

/// The user ended the job: suites in progress are open again and not charged. Leaves no event.
/// @param what the suites' reason
void open_again(Database& database, RunId run, const std::string& what);
/// The same, and leaves one event.
void note_stopped(Database& database, RunId run, const std::string& what, const std::string& time_utc);

/// Which suite to measure next: fewest attempts first, then in the order of the launch, so those put off come
/// last; nullptr = nothing more can be done. Points into `suites`.
/// @param suites all of a plan
/// @param launch number in a series: shuffles them, the same everywhere for the same number; none = plan
/// order
[[nodiscard]] const StoredSuite* next_suite(const std::vector<StoredSuite>& suites, int retries,
                                            std::optional<int> launch = std::nullopt);

} // namespace skampi
