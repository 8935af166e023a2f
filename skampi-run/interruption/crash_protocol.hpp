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

/// A suite that failed for good will not be gone on with: its values of passes that were made are finished,
/// flagged as timed out, so that they are reported as a part. Within a commit of the caller's or in its own.
void finish_part(Database& database, SuiteId suite);

/// A job ended without ending its run, and nobody saw how: its supervisor was killed with it, it had none, or
/// the disk was full. The first time that happens to a suite in progress costs it nothing; where nothing
/// new was measured since, it is charged as by note_interrupted(). Leaves one event per suite.
/// @return the suites that were charged, in plan order
std::vector<StoredSuite> note_unseen_end(Database& database, RunId run, int retries,
                                         const std::string& time_utc);

/// What its supervisor saw of a job.
struct SeenJob {
    std::string started_utc;
    std::string lasted;                     ///< "1.3 s"
    std::string kind;                       ///< of the event
    std::string seen;                       ///< how it ended
    std::set<std::string> unused_variables; ///< of which a library wrote that nothing used them
};
/// Leaves one event: when the job started, how long it ran, and what was seen, unless the job wrote that
/// itself; and one of each variable that was not used, once in a run.
void note_job_end(Database& database, RunId run, const SeenJob& job, const std::string& time_utc);

/// The job was ended on the user's order: suites in progress are open again, without blame. Leaves no event.
/// @param what the suites' reason
void open_again(Database& database, RunId run, const std::string& what);
/// The same, and leaves one event.
void note_stopped(Database& database, RunId run, const std::string& what, const std::string& time_utc);

/// Which suite to measure next: fewest attempts first, then in the order of the launch, so those put off come
/// last; nullptr = all is done that can be. Points into `suites`.
/// @param suites all of a plan
/// @param launch number in a series: shuffles them, the same everywhere for the same number; none = plan
/// order
[[nodiscard]] const StoredSuite* next_suite(const std::vector<StoredSuite>& suites, int retries,
                                            std::optional<int> launch = std::nullopt);

} // namespace skampi
