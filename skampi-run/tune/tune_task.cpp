// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tune/tune_task.hpp"

#include "tune/tune_outcome.hpp"
#include "tune/tune_plan.hpp"
#include "verify/verify_task.hpp"

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/text.hpp"
#include "host/program.hpp"
#include "model/quantity.hpp"
#include "skalib/clock.hpp"
#include "store/database.hpp"
#include "store/session_lock.hpp"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <memory>
#include <sstream>
#include <utility>

namespace skampi {

namespace {

std::string gain_word(const TuneTask& task) {
    return fmt::format("{:g}%", 100 * task.gain);
}

/// What the call measures.
TuneScope scope_of(const TuneTask& task) {
    TuneScope scope{task.wish.ranks, {}};
    for (const OperationInfo& operation : task.operations)
        scope.operations.insert(operation.name);
    if (task.own_plan) {
        scope.operations.clear();
        for (const Suite& suite : task.own_plan->suites)
            if (!suite.algorithm.empty())
                scope.operations.insert(suite.operation.name);
    }
    return scope;
}

/// Launches by the supervisor, looks by find_algorithms().
class TuneWorld : public TuneHands {
public:
    TuneWorld(const TuneTask& task, JobView& view)
        : task_(task)
        , view_(view) {
        outcome_.path = task.wish.path;
        outcome_.ranks = task.wish.ranks;
        outcome_.launcher = task.launcher;
    }

    int launch(const std::vector<WantedLength>& borders, const std::set<std::string>& only) override {
        if (task_.own_plan)
            return task_.launch(task_.own_plan->name);
        std::vector<OperationInfo> operations = task_.operations;
        std::erase_if(operations,
                      [&](const OperationInfo& each) { return !only.empty() && !only.contains(each.name); });
        const std::string plan = tune_folder(task_.wish.path) + "/tune.skampi";
        write_own_file(plan, tune_plan(operations, borders, task_.simulated));
        return task_.launch(plan);
    }

    TuneLook look() override {
        if (!is_there(task_.database))
            return tune_look(nullptr, scope_of(task_));
        const auto found = find_algorithms(Database::open(task_.database), {.gain = task_.gain});
        TuneLook look = tune_look(found.get(), scope_of(task_));
        outcome_.library = look.target.library;
        return look;
    }

    void write(const MadeTuning& made, bool verified) override {
        outcome_.written = made.written;
        outcome_.rules = made.file.rules;
        outcome_.in_use = task_.wish.in_use;
        outcome_.replaces = made.written == 0 && !made.file.text.empty();
        const std::string former = std::exchange(outcome_.candidate, "");
        if (!made.file.text.empty()) {
            if (!verified)
                outcome_.candidate =
                    for_content(made.file.text, std::filesystem::path(task_.wish.path).extension());
            const std::string& path = verified ? task_.wish.path : outcome_.candidate;
            verified ? write_file(path, made.file.text) : write_own_file(path, made.file.text);
            if (!made.notes.empty())
                write_own_file(tuning_notes_path(path), made.notes);
            if (former.empty())
                note(fmt::format("{}: {}; now it is verified", printable(outcome_.candidate),
                                 count_of(made.written, "rule")));
        }
        if (former != outcome_.candidate)
            remove(former);
    }

    Verified verify(std::optional<double> time_s) override {
        const std::string& candidate = outcome_.candidate;
        TuneTask::Candidate wanted{candidate, for_content(file_text(candidate), ".db"), {}, time_s};
        for (const TuningRule& rule : outcome_.rules)
            if (rule.written && is_on(rule, task_.wish.ranks))
                wanted.regions.push_back(region_of(rule));
        outcome_.found.clear();
        if (outcome_.written > 0 && wanted.regions.empty()) // all of them are for other numbers of ranks
            return {.status = static_cast<int>(ExitStatus::incomplete), .read = false};
        refuse_link(wanted.database);
        const Verification done = task_.verify(wanted);
        const bool passed = done.passed();
        constexpr int incomplete = static_cast<int>(ExitStatus::incomplete);
        Verified found{.status = passed ? 0 : std::max(done.status, incomplete),
                       .read = done.file && done.not_read.empty()};
        if (!found.read)
            return found;
        found.faster = done.file->faster_somewhere();
        found.slower = done.file->slower();
        found.unconfirmed = done.file->unconfirmed();
        found.faulty = done.file->faulty();
        outcome_.found = verified_text(*done.file);
        return found;
    }

    void store(TuningFile file) override {
        if (!outcome_.candidate.empty())
            file.path = outcome_.candidate;
        Database::open_for_writing(task_.database).add_tuning_file(file);
    }

    double now_s() override { return skalib::steady_seconds(); }
    void note(std::string_view text) override { view_.note(text); }

    [[nodiscard]] const TuneOutcome& outcome() const { return outcome_; }

private:
    /// A name in the folder: the same command goes on with what it finds there, and nothing of another
    /// content has it.
    [[nodiscard]] std::string for_content(const std::string& text, const std::string& ending) const {
        return fmt::format("{}/candidate-{:08x}{}", tune_folder(task_.wish.path), content_mark(text) >> 32,
                           ending);
    }

    /// A candidate.
    static void remove(const std::string& path) {
        std::error_code error;
        for (const std::string& each : {path, tuning_notes_path(path)})
            if (!path.empty())
                std::filesystem::remove(each, error);
    }

    static bool is_there(const std::string& database) {
        std::error_code error;
        return std::filesystem::is_regular_file(database, error);
    }

    const TuneTask& task_;
    JobView& view_;
    TuneOutcome outcome_;
};

/// The answer and nothing else: what was measured is in the database.
void tell_outcome(const TuneTask& task, const TuneOutcome& outcome, JobView& view) {
    if (!task.prints) { // standard output has other readers
        std::istringstream lines(outcome_text(outcome));
        for (std::string line; std::getline(lines, line);)
            view.note(line);
        return;
    }
    const std::optional<ChildResult> result =
        call_report({"algorithms", task.database, "--text", "--gain", gain_word(task)});
    view.clear();
    write_standard_output((result && result->ok() ? result->out + "\n" : std::string()) +
                          outcome_text(outcome));
}

} // namespace

std::string tune_folder(const std::string& file) {
    return file + ".tune";
}

std::string tuning_notes_path(const std::string& file) {
    return file + ".md";
}

int run_tune_task(const TuneTask& task, JobView& view) {
    // Two that launch in turns into one file would take each other's locks for launches that cannot be made.
    const SessionLock lock(task.database);
    const std::string folder = tune_folder(task.wish.path);
    refuse_link(folder);
    std::error_code error;
    if (std::filesystem::create_directory(folder, error); error)
        throw SystemError(fmt::format("{}: {}", printable(folder), error.message()));
    TuneWorld world(task, view);
    const int status = tune(task.wish, world);
    if (status <= static_cast<int>(ExitStatus::incomplete))
        tell_outcome(task, world.outcome(), view);
    return status;
}

} // namespace skampi
