// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "model/pair_map.hpp"
#include "model/result_row.hpp"
#include "model/series.hpp"
#include "model/session.hpp"
#include "model/stored.hpp"
#include "store/store_error.hpp"
#include "tuning/rule.hpp"

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace skampi {

struct Store; ///< hides SQLite

/// The size of a run.
struct RunContents {
    std::int64_t points = 0; ///< measurements, also those that were only begun
    /// For a merged run, how many values each source measured, by its uuid.
    std::map<std::string, std::int64_t> points_of_source;
    bool all_have_sources = true; ///< every merged value says where it comes from
};

/// Whether a path is a file that begins as SQLite's do. Of a pipe nothing is read: it would be lost.
[[nodiscard]] bool is_database_file(const std::string& path);

/// One result file (docs/database.md). Every method throws StoreError (exit status 3, or 2 for a file that is
/// none of ours) naming the path, what was done, and SQLite's message; after any error the file holds the
/// last commit. A Database is used by one thread.
class Database {
public:
    /// Opens for reading. Accepts a database, or a file or pipe that an importer reads
    /// (import/importer.hpp; into a temporary database, same interface).
    /// Readers work while a run is written.
    /// @param advanced gets how many bytes of a file that is no database have been read
    [[nodiscard]] static Database open(const std::string& path,
                                       const std::function<void(double bytes)>& advanced = {});
    /// Opens for writing, creating the file when missing, and holds the writer's lock until destruction.
    /// @throws SystemError naming the holder (host, process, since) when somebody else writes it
    [[nodiscard]] static Database open_for_writing(const std::string& path);

    /// Opens for writing a file that no one else uses and that is thrown away after an error: no other files
    /// are written, and nothing waits for the disk.
    [[nodiscard]] static Database open_for_making(const std::string& path);

    Database(Database&&) noexcept;
    Database& operator=(Database&&) noexcept;
    ~Database();

    // --- writing a run ---------------------------------------------------------------------------
    /// Records a run and its planned suites (state open, in plan order) in one commit.
    RunId begin_run(const Run& run, const std::vector<Suite>& plan);
    /// The newest raw run of a series that has not ended; none = start a new one.
    /// @param why_not gets, where there are unfinished raw runs but none of the series, what the newest
    /// differs in
    [[nodiscard]] std::optional<RunId> find_open_run(const Series& series,
                                                     std::vector<std::string>* why_not = nullptr) const;
    /// Replaces the run's changing facts (rank facts, measuring share, reference values, facts, and in what
    /// merged runs differ).
    void update_run(RunId run, const Run& facts);
    /// Sets ended_utc. close() afterwards leaves one self-contained file.
    void end_run(RunId run, const Run& facts);

    /// A suite is begun: in_progress, attempts + 1. Committed (and on disk) before it returns.
    void begin_suite(SuiteId suite);
    /// In a group measured in turns another suite is now in progress; what the previous one had begun is no
    /// attempt. Committed before it returns, so that a job that ends is seen to end in it.
    void hand_over(std::optional<SuiteId> from, SuiteId to);
    void set_suite_facts(SuiteId suite, const std::map<std::string, std::string>& facts);
    /// For a merged suite: StoredSuite::merge.
    void set_suite_merge(SuiteId suite, const SuiteMerge& merge);
    /// To those stored before.
    void add_clock_estimates(SuiteId suite, const std::vector<ClockEstimate>& estimates);
    /// State open takes the attempt back: the user ended it, which is no error.
    void end_suite(SuiteId suite, SuiteState state, const std::string& reason = {});

    /// A measurement is begun; committed before it returns. An argument begun before gives the same id.
    MeasurementId begin_measurement(SuiteId suite, const Measurement& planned);
    /// One visit to a measurement: its new batches with their single measurements, and the summary as it
    /// stands, in one commit. With finished the measurement is complete.
    void add_batches(MeasurementId measurement, const std::vector<Batch>& batches, const Measurement& summary,
                     bool finished);
    /// Replaces the summaries (value, modes, flags, ...) of several finished measurements in one commit.
    void update_measurements(const std::vector<StoredMeasurement>& measurements);
    /// A merged measurement with its sources, complete.
    MeasurementId add_merged(SuiteId suite, const Measurement& merged, const MergeFacts& facts);
    /// Samples = summary, and old runs: removes the batches and single measurements of a finished suite.
    void drop_samples(SuiteId suite);
    /// Removes the measurements of a suite that are not finished, with all that belongs to them.
    /// @return how many
    std::int64_t drop_unfinished(SuiteId suite);
    void add_event(RunId run, const Event& event);

    // --- sessions of variants in turns
    /// Records a session and its variants, on disk before it returns.
    void begin_session(const Session& session);
    /// @throws StoreError also where there is no such session
    void end_session(const std::string& uuid, SessionEnd end);
    /// A session continues with another time limit.
    void reopen_session(const std::string& uuid, double time_limit_s);
    void add_session_failure(const std::string& uuid, const SessionFailure& failure);
    [[nodiscard]] std::vector<Session> sessions() const; ///< oldest first
    [[nodiscard]] std::vector<SessionFailure> session_failures(const std::string& uuid) const;

    // --- tuning files
    /// Records a tuning file that was written, or that none was, with its rules.
    void add_tuning_file(const TuningFile& file);
    [[nodiscard]] std::vector<TuningFile> tuning_files() const; ///< oldest first

    // --- pairs of ranks (skampi-run links)
    void add_pair_map(RunId run, const PairMap& map);
    [[nodiscard]] std::vector<PairMap> pair_maps(RunId run) const; ///< in the order measured

    /// From now on a change made so soon after the last commit waits for others and becomes one commit with
    /// them: at the first change after that time, before a measurement begins, with any that must be on disk,
    /// and at the end. A process that is killed loses so much at most; this object reads what it wrote. 0 =
    /// no change waits, nor does any without a write-ahead log.
    void gather_commits(std::chrono::steady_clock::duration time);

    /// Groups writes into one commit (merging writes thousands of rows).
    void in_one_commit(const std::function<void()>& writes);

    // --- reading ---------------------------------------------------------------------------------
    /// While it lives, all reading sees one state of the file, also if others commit.
    void in_one_state(const std::function<void()>& reads) const;
    [[nodiscard]] std::vector<RunId> runs() const; ///< oldest first
    [[nodiscard]] Run run(RunId run) const;
    [[nodiscard]] RunContents contents(RunId run) const;
    [[nodiscard]] std::vector<StoredSuite> suites(RunId run) const; ///< plan order
    [[nodiscard]] StoredSuite suite(SuiteId suite) const;
    /// Ascending argument.
    [[nodiscard]] std::vector<StoredMeasurement> measurements(SuiteId suite) const;
    /// The same one by one: the sources of one merged measurement are in memory at a time.
    void for_each_measurement(SuiteId suite, const std::function<void(StoredMeasurement&&)>& take) const;
    [[nodiscard]] std::vector<Batch> batches(MeasurementId measurement) const; ///< in the order made
    [[nodiscard]] std::vector<Event> events(RunId run) const;
    /// All rows of the view `result`, in its order; calls back row by row, so memory does not grow.
    /// @param uuid of one run; none = all
    void for_each_result(const std::function<void(const ResultRow&)>& row,
                         const std::optional<std::string>& uuid = std::nullopt) const;

    [[nodiscard]] const std::string& path() const;
    /// Reads all of a run, so that damage in it is found. @throws StoreError naming the damage
    void check_run(RunId run) const;
    /// Checks the whole file (integrity_check, foreign keys, all runs). @throws StoreError naming the damage
    void check_integrity() const;
    /// Bytes of the file that are in use; what removed rows left free is not.
    [[nodiscard]] std::int64_t bytes_in_use() const;

private:
    explicit Database(std::unique_ptr<Store> store);
    std::unique_ptr<Store> store_;
};

} // namespace skampi
