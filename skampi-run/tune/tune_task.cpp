#include "tune/tune_task.hpp"

#include "tune/tune_plan.hpp"
#include "verify/verify_task.hpp"

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/text.hpp"
#include "host/program.hpp"
#include "session/session_run.hpp"
#include "skalib/clock.hpp"
#include "store/database.hpp"
#include "store/file_lock.hpp"

#include <cstdint>
#include <filesystem>
#include <fmt/format.h>
#include <utility>

namespace skampi {

namespace {

std::string gain_word(const TuneTask& task) {
    return fmt::format("{}%", 100 * task.gain);
}

/// Launches by the supervisor, looks by skampi-report, the only program that judges.
class TuneWorld : public TuneHands {
public:
    TuneWorld(const TuneTask& task, JobView& view)
        : task_(task)
        , view_(view) {}

    int launch(const std::vector<WantedLength>& borders) override {
        std::string plan = task_.own_plan;
        if (plan.empty()) {
            plan = task_.database + ".tune.skampi";
            write_file(plan, tune_plan(task_.operations, borders));
        }
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
        if (std::optional<TuneLook> found = result->ok() ? parse_tune_look(result->out) : std::nullopt)
            return found;
        note("warning: skampi-report: " + result->describe_end() + " " + printable(result->err));
        return std::nullopt;
    }

    void write(const MadeTuning& made) override {
        std::error_code error;
        if (made.written == 0) {
            if (std::exchange(wrote_, false)) { // what an earlier call of it wrote
                std::filesystem::remove(task_.wish.path, error);
                std::filesystem::remove(task_.wish.path + ".md", error);
            }
            note(fmt::format("keep the default of the library: {} is not written",
                             printable(task_.wish.path)));
            return;
        }
        write_file(task_.wish.path, made.file.text);
        content_ = content_mark(made.file.text);
        if (!made.notes.empty())
            write_file(task_.wish.path + ".md", made.notes);
        wrote_ = true;
        note(fmt::format("{}: {} rule{}", printable(task_.wish.path), made.written,
                         made.written == 1 ? "" : "s"));
    }

    Verified verify() override {
        // One for each content: the same command goes on with it, and no other file takes it for its own.
        const std::string database = fmt::format("{}.verify-{:08x}.db", task_.wish.path, content_ >> 32);
        Verified found;
        const int status = task_.verify(task_.wish.path, database);
        found.passed = status == 0;
        if (found.passed)
            return found;
        const auto suites = verified_suites(database);
        found.read = status == static_cast<int>(ExitStatus::incomplete) && suites.has_value();
        if (found.read)
            found.slower_operations = slower_operations(*suites);
        return found;
    }

    void store(const TuningFile& file) override {
        Database::open_for_writing(task_.database).add_tuning_file(file);
    }

    double now_s() override { return skalib::steady_seconds(); }
    void note(std::string_view text) override { view_.note(text); }

private:
    const TuneTask& task_;
    JobView& view_;
    std::uint64_t content_ = 0; ///< of the file
    bool wrote_ = false;
};

void report_tuning(const TuneTask& task, JobView& view) {
    if (!task.prints)
        return;
    if (const std::optional<ChildResult> result = call_report({task.database, "--gain", gain_word(task)})) {
        view.clear();
        write_standard_output(result->out);
    }
}

} // namespace

int run_tune_task(const TuneTask& task, JobView& view) {
    // Two that launch in turns into one file would take each other's locks for launches that cannot be made.
    const FileLock lock(FileLock::path_for(task.database, session_lock_ending), task.database);
    TuneWorld world(task, view);
    const int status = tune(task.wish, world);
    if (status <= static_cast<int>(ExitStatus::incomplete))
        report_tuning(task, view);
    return status;
}

} // namespace skampi
