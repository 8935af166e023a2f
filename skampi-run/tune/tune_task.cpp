#include "tune/tune_task.hpp"

#include "tune/tune_outcome.hpp"
#include "tune/tune_plan.hpp"
#include "verify/verified.hpp"
#include "verify/verify_task.hpp"

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/text.hpp"
#include "host/program.hpp"
#include "model/quantity.hpp"
#include "session/session_run.hpp"
#include "skalib/clock.hpp"
#include "store/database.hpp"
#include "store/file_lock.hpp"

#include <cstdint>
#include <filesystem>
#include <fmt/format.h>
#include <set>
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

/// Launches by the supervisor, looks by skampi-report, the only program that judges.
class TuneWorld : public TuneHands {
public:
    TuneWorld(const TuneTask& task, JobView& view)
        : task_(task)
        , view_(view) {
        outcome_.path = task.wish.path;
        outcome_.ranks = task.wish.ranks;
        outcome_.launcher = task.launcher;
    }

    int launch(const std::vector<WantedLength>& borders) override {
        if (task_.own_plan && borders.empty())
            return task_.launch(task_.own_plan->name);
        const std::string plan = tune_plan_path(task_.database);
        std::set<std::string> without;
        write_own_file(plan, task_.own_plan ? with_borders(*task_.own_plan, borders, without)
                                            : tune_plan(task_.operations, borders, task_.simulated));
        for (const std::string& operation : without)
            if (without_borders_.insert(operation).second)
                note(fmt::format("{}: no lengths are added at borders between algorithms: the parameter file "
                                 "has several blocks of it with Algorithm",
                                 printable(operation)));
        return task_.launch(plan);
    }

    std::optional<TuneLook> look() override {
        std::error_code error;
        if (!std::filesystem::is_regular_file(task_.database, error))
            return std::nullopt;
        const std::optional<ChildResult> result =
            call_report({"algorithms", task_.database, "--gain", gain_word(task_)});
        if (!result)
            throw SystemError("skampi-report is neither beside this program nor in PATH: nobody can look at "
                              "the results");
        if (std::optional<TuneLook> found =
                result->ok() ? parse_tune_look(result->out, scope_of(task_)) : std::nullopt) {
            outcome_.library = found->target.library;
            return found;
        }
        note("warning: skampi-report: " + result->describe_end() + " " + printable(result->err));
        return std::nullopt;
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
            if (!verified)
                refuse_link(outcome_.candidate);
            put(verified ? task_.wish.path : outcome_.candidate, made);
            if (former.empty())
                note(fmt::format("{}: {}; now it is verified", printable(outcome_.candidate),
                                 count_of(made.written, "rule")));
        }
        if (former != outcome_.candidate)
            remove(former);
    }

    Verified verify() override {
        const std::string& candidate = outcome_.candidate;
        const std::string database = for_content(file_text(candidate), ".db");
        refuse_link(database);
        Verified found;
        const int status = task_.verify(candidate, database);
        const bool measured = status <= static_cast<int>(ExitStatus::incomplete) && holds_runs(database);
        const std::optional<VerifiedFile> file = measured ? verified_file(database) : std::nullopt;
        found.passed = status == static_cast<int>(ExitStatus::done);
        found.read = file.has_value();
        outcome_.found.clear();
        if (file) {
            found.faster = file->faster_somewhere();
            const std::vector<VerifySuite> planned = task_.planned(candidate);
            found.slower = slower_regions(*file, planned);
            found.faulty = faulty_regions(*file, planned);
            outcome_.found = verified_text(*file, planned);
        }
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
    /// A name beside the file: the same command goes on with what it finds there, and nothing of another
    /// content, nor of the user's, has it.
    [[nodiscard]] std::string for_content(const std::string& text, const std::string& ending) const {
        return fmt::format("{}.verify-{:08x}{}", task_.wish.path, content_mark(text) >> 32, ending);
    }

    static void put(const std::string& path, const MadeTuning& made) {
        write_file(path, made.file.text);
        if (!made.notes.empty())
            write_own_file(tuning_notes_path(path), made.notes);
    }

    /// A candidate.
    static void remove(const std::string& path) {
        std::error_code error;
        for (const std::string& each : {path, tuning_notes_path(path)})
            if (!path.empty())
                std::filesystem::remove(each, error);
    }

    static bool holds_runs(const std::string& database) {
        std::error_code error;
        return std::filesystem::is_regular_file(database, error);
    }

    const TuneTask& task_;
    JobView& view_;
    TuneOutcome outcome_;
    std::set<std::string> without_borders_; ///< operations of which that was said
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

std::string tune_plan_path(const std::string& database) {
    return database + ".tune.skampi";
}

std::string tuning_notes_path(const std::string& file) {
    return file + ".md";
}

int run_tune_task(const TuneTask& task, JobView& view) {
    // Two that launch in turns into one file would take each other's locks for launches that cannot be made.
    const FileLock lock(FileLock::path_for(task.database, session_lock_ending), task.database);
    TuneWorld world(task, view);
    const int status = tune(task.wish, world);
    if (status <= static_cast<int>(ExitStatus::incomplete))
        tell_outcome(task, world.outcome(), view);
    return status;
}

} // namespace skampi
