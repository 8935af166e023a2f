// SPDX-License-Identifier: LGPL-2.1-or-later
#include "store/commits.hpp"

#include <utility>

namespace skampi {

Commits::Change::Change(Commits& commits)
    : commits_(commits)
    , outermost_(commits.open_changes_ == 0)
    , transaction_(commits.begin_gathering()) {
    ++commits_.open_changes_;
}

Commits::Change::~Change() {
    --commits_.open_changes_;
    if (committed_)
        return;
    commits_.rows_.forget_identities();
    if (!outermost_ || commits_.gathered_)
        return;
    commits_.unsealed_runs_.clear();
    commits_.unsealed_suites_.clear();
}

void Commits::Change::commit() {
    const bool gathers = commits_.gathered_.has_value();
    if (outermost_ && !gathers)
        commits_.seal();
    transaction_.commit();
    committed_ = true;
    if (outermost_ && gathers &&
        std::chrono::steady_clock::now() - commits_.last_commit_ >= commits_.gathering_time_)
        commits_.commit_gathered();
}

const Connection& Commits::begin_gathering() {
    const Connection& connection = file_.connection();
    if (gathering_time_.count() > 0 && !gathered_ && !connection.in_transaction())
        gathered_.emplace(connection);
    return connection;
}

void Commits::seal() {
    for (const SuiteId id : std::exchange(unsealed_suites_, {}))
        rows_.seal_suite(id);
    for (const RunId id : std::exchange(unsealed_runs_, {}))
        rows_.seal_run(id);
}

void Commits::gather(std::chrono::steady_clock::duration time) {
    end_gathering();
    // Without the log a long transaction may keep readers out.
    gathering_time_ = file_.has_log() ? time : time.zero();
    last_commit_ = std::chrono::steady_clock::now();
}

void Commits::end_gathering() {
    if (gathered_ && open_changes_ == 0)
        commit_gathered();
}

void Commits::commit_gathered() {
    seal();
    gathered_->commit();
    gathered_.reset();
    last_commit_ = std::chrono::steady_clock::now();
}

void Commits::durably(const std::function<void()>& writes) {
    end_gathering();
    const Connection& connection = file_.connection();
    const bool raise = file_.has_log() && !connection.in_transaction();
    if (raise)
        connection.execute("PRAGMA synchronous = FULL");
    {
        Change change(*this);
        writes();
        change.commit();
    }
    end_gathering();
    if (raise)
        connection.execute("PRAGMA synchronous = NORMAL");
}

} // namespace skampi
