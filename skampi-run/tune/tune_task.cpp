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
        const std::string plan = task_.database + ".tune.skampi";
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

    void write(const MadeTuning& made) override {
        outcome_.written = made.written;
        outcome_.rules = made.file.rules;
        outcome_.in_use = task_.wish.in_use;
        outcome_.replaces = made.written == 0 && !made.file.text.empty();
        std::error_code error;
        if (made.file.text.empty()) {
            if (std::exchange(wrote_, false)) { // what an earlier call of it wrote
                std::filesystem::remove(task_.wish.path, error);
                std::filesystem::remove(task_.wish.path + ".md", error);
            }
            return;
        }
        write_file(task_.wish.path, made.file.text);
        content_ = content_mark(made.file.text);
        if (!made.notes.empty())
            write_own_file(task_.wish.path + ".md", made.notes);
        if (!std::exchange(wrote_, true))
            note(fmt::format("{}: {}; now it is verified", printable(task_.wish.path),
                             count_of(made.written, "rule")));
    }

    Verified verify() override {
        // One for each content: the same command goes on with it, and no other file takes it for its own.
        const std::string database = fmt::format("{}.verify-{:08x}.db", task_.wish.path, content_ >> 32);
        refuse_link(database);
        Verified found;
        const int status = task_.verify(task_.wish.path, database);
        const bool measured = status <= static_cast<int>(ExitStatus::incomplete) && holds_runs(database);
        const std::optional<VerifiedFile> file = measured ? verified_file(database) : std::nullopt;
        found.passed = outcome_.verified = status == static_cast<int>(ExitStatus::done);
        found.read = file.has_value();
        outcome_.found.clear();
        if (file) {
            found.faster = file->faster_somewhere();
            const std::vector<VerifySuite> planned = task_.planned(task_.wish.path);
            found.slower = slower_regions(*file, planned);
            found.faulty = faulty_regions(*file, planned);
            outcome_.found = verified_text(*file, planned);
        }
        return found;
    }

    void store(const TuningFile& file) override {
        Database::open_for_writing(task_.database).add_tuning_file(file);
    }

    double now_s() override { return skalib::steady_seconds(); }
    void note(std::string_view text) override { view_.note(text); }

    [[nodiscard]] const TuneOutcome& outcome() const { return outcome_; }

private:
    static bool holds_runs(const std::string& database) {
        std::error_code error;
        return std::filesystem::is_regular_file(database, error);
    }

    const TuneTask& task_;
    JobView& view_;
    std::uint64_t content_ = 0; ///< of the file
    bool wrote_ = false;
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
