// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "model/stored.hpp"
#include "store/connection.hpp"
#include "store/database_file.hpp"
#include "store/run_rows.hpp"

#include <chrono>
#include <functional>
#include <optional>
#include <set>

namespace skampi {

/// When changes become commits: each by itself, several gathered into one, or at once and on disk. The
/// checksums of runs and suites whose parts have changed are made at the end of a commit or before reading.
class Commits {
public:
    /// @param file and rows outlive this
    Commits(DatabaseFile& file, const RunRows& rows)
        : file_(file)
        , rows_(rows) {}

    /// Everything that writes is inside one; nothing of it is stored without commit().
    class Change {
    public:
        explicit Change(Commits& commits);
        Change(Change&&) = delete;
        ~Change();
        void commit();

    private:
        Commits& commits_;
        bool outermost_;
        bool committed_ = false;
        Transaction transaction_;
    };

    void run_changed(RunId id) { unsealed_runs_.insert(id); }
    void suite_changed(SuiteId id) { unsealed_suites_.insert(id); }
    /// Makes the checksums of what has changed.
    void seal();

    /// From now on changes made within this time after the last commit wait for others. 0 = none waits.
    void gather(std::chrono::steady_clock::duration time);
    /// Commits what waits, if no change is open.
    void end_gathering();
    /// A commit that must survive a loss of power: with the write-ahead log only this one waits for the disk,
    /// and takes all former ones with it.
    void durably(const std::function<void()>& writes);

private:
    /// The transaction in which changes wait for others, where they do.
    const Connection& begin_gathering();
    void commit_gathered();

    DatabaseFile& file_;
    const RunRows& rows_;
    std::optional<Transaction> gathered_;
    std::chrono::steady_clock::duration gathering_time_{0};
    std::chrono::steady_clock::time_point last_commit_{}; ///< since gathering began
    int open_changes_ = 0;
    std::set<RunId> unsealed_runs_;
    std::set<SuiteId> unsealed_suites_;
};

} // namespace skampi
