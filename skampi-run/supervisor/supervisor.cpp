// SPDX-License-Identifier: LGPL-2.1-or-later
#include "supervisor/supervisor.hpp"

#include "base/error.hpp"
#include "base/process.hpp"
#include "base/text.hpp"
#include "base/utc.hpp"
#include "interruption/crash_protocol.hpp"
#include "interruption/stop_signal.hpp"
#include "runs/status.hpp"
#include "runs/told_by_supervisor.hpp"
#include "store/database.hpp"
#include "store/file_lock.hpp"
#include "store/session_lock.hpp"
#include "supervisor/batch_system.hpp"
#include "supervisor/post_mortem.hpp"
#include "supervisor/schedule.hpp"
#include "supervisor/series_progress.hpp"
#include "supervisor/verdict.hpp"

#include <algorithm>
#include <cmath>
#include <csignal>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>
#include <system_error>

namespace skampi {

namespace {

/// How long the writer's lock may outlive the job that held it: the kernel frees it with the process, a
/// network file system may take a lease longer.
constexpr double lock_patience_s = 60;
std::string duration_text(double duration_s) {
    std::ostringstream text;
    text.precision(duration_s < 10 ? 2 : 6);
    text << (duration_s < 10 ? duration_s : std::round(duration_s)) << " s";
    return text.str();
}

/// What a job has shown of itself while it ran.
struct Signs {
    bool any = false;                ///< it lives
    bool begun = false;              ///< its JSON start line came, or the database changed
    bool forced = false;             ///< srun ends it, because Slurm does
    std::optional<int> said_status;  ///< its run is complete, and with this it will exit
    std::optional<int> refused_with; ///< JobEnd::refused_with
    std::string said_before_hang;    ///< the last line on its standard error before it was ended
    double last_s = 0;               ///< when, monotonic
    std::string submitted;           ///< number of the job that was put into a queue
    /// How the database looked: at first when the job started, after a line half-way through the silence that
    /// is allowed. None = not looked since the last line, because a look disturbs the measurement.
    std::optional<std::uint64_t> look;

    [[nodiscard]] double next_look_s(double patience_s) const {
        return last_s + (look ? patience_s : patience_s / 2);
    }
};

/// When a job was there.
struct JobTime {
    double started_utc_s = 0;
    double duration_s = 0;
};

/// What is written down about a job's end.
struct Record {
    RunId run = 0;
    JobVerdict verdict;
    std::string time_utc;
    SeenJob job;
};

class Supervision {
public:
    Supervision(const SuperviseOptions& options, World& world)
        : options_(options)
        , world_(world)
        , template_(options.launch.empty() ? default_launch() : options.launch)
        , executable_(program_to_start(options.executable, template_))
        , hang_after_s_(options.hang_after_s.value_or(default_hang_after_s(options.plan)))
        // A template that cannot be understood is refused before anything is started or waited for.
        , batch_(world, options.database, launch_words(template_, options.ranks, {executable_}))
        , lock_((refuse_outside_session(options.database), daemon_lock_path(options.database)),
                options.database) {}

    int run() {
        take_over();
        if (stop_signal_ != 0)
            return 128 + stop_signal_;
        remember_series();
        SeriesProgress progress = read_progress();
        const RunId newest_before = progress.last;
        if (options_.fresh) {
            ours_after_ = newest_before;
            progress = read_progress();
        }
        counted_before_ = options_.runs_in_database ? 0 : progress.ended;
        // Failures in runs that are no longer wanted do not count.
        failed_before_ = options_.runs_in_database ? 0 : progress.failed_in_ended_runs;
        const auto wanted = options_.runs ? std::optional(*options_.runs * options_.launches) : std::nullopt;
        begin_schedule(progress);

        if (wanted && progress.ended - counted_before_ >= *wanted)
            note("nothing to do: " + std::to_string(progress.ended) + " of " + std::to_string(*wanted) +
                 " runs are in " + printable(options_.database) + "; a larger --runs makes more");
        while (!wanted || progress.ended - counted_before_ < *wanted) {
            if (stop_signal_ != 0)
                return 128 + stop_signal_;
            const std::int64_t ended = progress.ended - counted_before_;
            if (!progress.open && ended % options_.launches == 0 && !wait_for_slot(progress, ended, wanted))
                return 128 + stop_signal_;
            clear_up(progress);
            JobTime time;
            JobEnd end = run_job(progress, progress.ended, time);
            follow_series(progress);
            const SeriesProgress before = std::exchange(progress, settle(end, time, progress));
            if (progress.ended > before.ended) {
                failures_ = {};
                // Any other status came after the run was complete: a rank killed on its way out, for
                // example, or one that left without MPI_Finalize, which launchers complain of.
                const std::optional<int> launcher =
                    end.killed ? std::nullopt : std::optional(end.found.launcher_status);
                const std::optional<int> status = end.said_status ? end.said_status : launcher;
                incomplete_ = incomplete_ || status == static_cast<int>(ExitStatus::incomplete);
                continue;
            }
            if (end.stop_signal != 0)
                return 128 + end.stop_signal;
            const Outlook outlook = outlook_after(end, gain(before, progress), failures_, endurance());
            if (outlook.exit_status) {
                give_up(outlook.reason, progress);
                return *outlook.exit_status;
            }
            failures_ = outlook.failures;
            if (outlook.pause_s > 0)
                pause(outlook.pause_s);
        }
        const bool failed = incomplete_ || progress.failed_suites > failed_before_;
        return static_cast<int>(failed ? ExitStatus::incomplete : ExitStatus::done);
    }

private:
    // --- what the database says ------------------------------------------------------------------

    [[nodiscard]] SeriesProgress read_progress() {
        const std::optional<Database> database = open_to_read();
        return database ? progress_of(*database, series_, ours_after_) : SeriesProgress();
    }

    /// The series that an earlier supervisor with the same arguments found for its jobs.
    void remember_series() {
        const std::optional<Database> database = open_to_read();
        if (!database)
            return;
        for (const RunId id : database->runs()) {
            const Run run = database->run(id);
            const auto expected = run.facts.find(fact_expected_series);
            if (run.kind == "raw" && expected != run.facts.end() &&
                expected->second == options_.series.hash())
                series_ = counted_series(run);
        }
    }

    /// The job's run may be of another series than expected: its launcher sets variables, for example. Then
    /// that series counts from now on, and earlier runs still do.
    /// @param before progress before the job, brought up to date
    void follow_series(SeriesProgress& before) {
        const std::optional<RunOfJob> job = run_of_job();
        if (!job || counted_series(job->run) == series_)
            return;
        for (const std::string& difference : series_.differences(counted_series(job->run)))
            note(
                "the job's run belongs to another series than expected, and that series counts from now on: " +
                difference);
        series_ = counted_series(job->run);
        const std::int64_t done = before.ended - counted_before_;
        const std::int64_t failed = before.failed_suites - failed_before_;
        before = read_progress();
        before.ended -= job->run.ended_utc.empty() ? 0 : 1;
        before.finished_measurements = 0; // what there is may be this job's
        if (!options_.runs_in_database) {
            counted_before_ = before.ended - done;
            failed_before_ = before.failed_suites - job->failed_suites - failed;
        }
    }

    /// The run that the job said it works on; none = it did not say.
    [[nodiscard]] std::optional<RunOfJob> run_of_job() {
        const std::optional<Database> database = job_run_.empty() ? std::nullopt : open_to_read();
        return database ? find_run(*database, job_run_) : std::nullopt;
    }

    /// None = there is nothing in it yet: a job that is killed, or finds the disk full, when it has just made
    /// its file leaves an empty one.
    [[nodiscard]] std::optional<Database> open_to_read() {
        if (!std::filesystem::exists(options_.database))
            return std::nullopt;
        try {
            return Database::open(options_.database);
        } catch (const StoreError&) {
            try { // As the next job would: it refuses a damaged or foreign file.
                static_cast<void>(open_patiently());
            } catch (const Error&) {
                if (std::filesystem::is_empty(options_.database))
                    return std::nullopt;
                throw;
            }
            return Database::open(options_.database);
        }
    }

    /// The database for writing, waiting for a writer that is just going.
    [[nodiscard]] Database open_patiently() {
        const double until_s = world_.monotonic_s() + lock_patience_s;
        while (true) {
            try {
                return Database::open_for_writing(options_.database);
            } catch (const SystemError&) {
                if (!FileLock::holder(FileLock::path_for(options_.database)) ||
                    world_.monotonic_s() >= until_s)
                    throw;
            }
            pause(1);
        }
    }

    // --- before the first job --------------------------------------------------------------------

    /// A supervisor that was killed may have left its job running: it is asked to end after its current
    /// measurement, then made to.
    void take_over() {
        const std::vector<std::string> cancelled = batch_.cancel_leftovers();
        for (const std::string& job : cancelled)
            note("Slurm job " + job + " of a former supervisor: cancelled");
        for (int round = 0; round < 60 && !cancelled.empty() && batch_.has_jobs(); ++round)
            pause(1);
        if (world_.send_to_leftovers(0) > 0) {
            note("a job of a former supervisor is still running: ending it");
            if (world_.send_to_ranks(SIGTERM) == 0)
                world_.send_to_leftovers(SIGTERM);
            const double until_s = world_.monotonic_s() + hang_after_s_;
            while (world_.monotonic_s() < until_s && stop_signal_ == 0 && world_.send_to_leftovers(0) > 0)
                pause(1);
            kill_leftovers();
        }
        // A process that is just dying shows no mark any more, but the kernel has not freed its lock yet.
        const std::string writer_lock = FileLock::path_for(options_.database);
        for (int round = 0; round < 100 && FileLock::holder(writer_lock); ++round)
            pause(0.1);
        if (const std::optional<std::string> holder = FileLock::holder(writer_lock))
            throw SystemError(printable(options_.database) + ": being written by another process (" +
                              *holder + "), which this supervisor cannot end; wait for it or end it there");
    }

    void begin_schedule(const SeriesProgress& progress) {
        schedule_.every_s = options_.every_s;
        schedule_.at_minute = options_.at_minute;
        const bool goes_on = options_.runs_in_database && progress.first_start_s > 0;
        schedule_.first_s = goes_on ? progress.first_start_s : world_.utc_s();
        last_slot_ = goes_on ? slot_of(schedule_, progress.last_start_s) : no_slot;
    }

    /// @return false when a signal came meanwhile
    bool wait_for_slot(const SeriesProgress& progress, std::int64_t ended,
                       std::optional<std::int64_t> wanted) {
        Slot slot = next_slot(schedule_, last_slot_, world_.utc_s());
        announce(slot, progress, ended, wanted);
        // In steps, because the wall clock may be set meanwhile; nothing is measured now, so waking is
        // harmless.
        while (stop_signal_ == 0 && world_.utc_s() < slot.start_s) {
            pause(std::min(slot.start_s - world_.utc_s(), 60.0));
            const double now_s = world_.utc_s();
            if (now_s >= slot.start_s)
                break;
            if (const Slot now_next = next_slot(schedule_, last_slot_, now_s); now_next.index != slot.index) {
                slot = now_next;
                announce(slot, progress, ended, wanted);
            }
        }
        last_slot_ = slot.index;
        return stop_signal_ == 0;
    }

    void announce(const Slot& slot, const SeriesProgress& progress, std::int64_t ended,
                  std::optional<std::int64_t> wanted) {
        if (slot.skipped > 0)
            note("missed " + std::to_string(slot.skipped) + " start" + (slot.skipped == 1 ? "" : "s"));
        if (slot.start_s <= world_.utc_s() + 1)
            return;
        const std::string text = schedule_text(schedule_, ended, wanted, slot.start_s);
        note(text);
        if (progress.last > 0)
            add_event(progress.last, "info", text); // status then shows what it waits for
    }

    /// Before a job starts no suite is in progress, unless a job left it whose end was not recorded.
    void clear_up(const SeriesProgress& progress) {
        left_in_progress_ = progress.in_progress;
        if (unwritten_) { // we saw that end, but the disk had no room to record it
            if (!write_down(*unwritten_))
                return;
            unwritten_.reset();
        } else if (progress.in_progress) {
            try {
                Database database = open_patiently();
                report_charged(
                    note_unseen_end(database, *progress.open, options_.retries, utc_text(world_.utc_s())));
            } catch (const Error& error) {
                note(std::string("could not store that a job was interrupted: ") + error.what());
                return;
            }
        }
        left_in_progress_ = false;
    }

    // --- a job -----------------------------------------------------------------------------------

    [[nodiscard]] Command job_command(const SeriesProgress& progress, std::int64_t launch) {
        std::vector<std::string> job = options_.before_program;
        job.push_back(executable_);
        job.insert(job.end(), options_.job_arguments.begin(), options_.job_arguments.end());
        job.insert(job.end(), {"--progress", "json", "--expect-ranks", std::to_string(options_.ranks)});
        if (options_.launches > 1)
            job.insert(job.end(), {"--launch-number", std::to_string(launch)});
        if (options_.fresh && !progress.open)
            job.emplace_back("--fresh");

        Command command;
        command.argv = launch_words(template_, options_.ranks, job);
        command.environment.insert(supervised_mark(options_.database));
        command.environment.emplace(supervisor_variable, name_of_process(getpid()));
        command.environment.emplace(expected_series_variable, options_.series.hash());
        batch_.prepare(command);
        // The launcher, and through it the job, ends when this process is killed.
        command.death_signal = SIGTERM;
        return command;
    }

    JobEnd run_job(const SeriesProgress& progress, std::int64_t launch, JobTime& time) {
        Signs signs;
        job_run_.clear();
        Command command = job_command(progress, launch);
        command.on_line = [this, &signs](std::string_view line) { take_line(line, signs); };
        JobEnd end;
        command.on_error_line = [this, &signs, &end](std::string_view line) {
            signs.forced = signs.forced || is_forced_end(line);
            if (end.hang.empty()) // its words about being ended explain nothing
                signs.said_before_hang = line;
            notify(options_.on_error_line, line);
        };
        const std::string program = command.argv.front();

        time.started_utc_s = world_.utc_s();
        const double started_s = world_.monotonic_s();
        const std::uint64_t at_start = look();
        signs.look = at_start;
        ++jobs_;
        if (!options_.brief)
            note("job " + std::to_string(jobs_) + " starts: " + program + ", " +
                 std::to_string(options_.ranks) + (options_.ranks == 1 ? " rank" : " ranks"));
        world_.start(std::move(command));
        signs.last_s = started_s;
        watch(signs, end);
        time.duration_s = world_.monotonic_s() - started_s;
        end.begun = signs.begun;
        end.said_status = signs.said_status;
        end.refused_with = signs.refused_with;
        end.appeared = signs.any || look() != at_start;
        end.found = examine(world_.result());
        if (end.hang.empty() && end.stop_signal == 0 && !end.found.is_crash() &&
            end.found.launcher_status != 0)
            if (const std::string forced = batch_.forced_end(signs.submitted); !forced.empty())
                end.found.cancelled = forced;
        end.launcher_said = end.hang.empty() ? world_.result().err : signs.said_before_hang;
        kill_leftovers();
        return end;
    }

    /// How long a start may take: ranks on a host that does not answer never start.
    [[nodiscard]] double usual_start_s() const {
        constexpr double least_s = 60;
        constexpr double of_rank_s = 0.05;
        return options_.hang_after_s.value_or(least_s + of_rank_s * options_.ranks);
    }

    /// Sleeps until the job has ended, by itself or through us.
    void watch(Signs& signs, JobEnd& end) {
        const std::optional<double> start_within_s =
            batch_.queues() ? std::nullopt : std::optional(usual_start_s());
        while (true) {
            if (end.stop_signal != 0 && signs.forced) {
                // At its time limit Slurm signals the supervisor, the ranks and srun, which ends ranks in the
                // middle of a measurement. The others wait for them until Slurm kills all, and the reason
                // would not be recorded.
                note("Slurm ends the job: not waiting for its ranks");
                end.killed = true;
                end_job(signs, 1);
                return;
            }
            const std::optional<double> allowed_s = signs.any ? std::optional(hang_after_s_) : start_within_s;
            const double patience_s = allowed_s.value_or(hang_after_s_);
            const World::Wakeup wakeup = world_.wait(signs.next_look_s(patience_s));
            if (wakeup.child_ended)
                return;
            if (const int signal = stop_signal_in(wakeup); signal != 0) {
                if (end.stop_signal != 0) {
                    note("a second signal: ending the job at once");
                    end.killed = true;
                    end_job(signs, 1);
                    return;
                }
                end.stop_signal = stop_signal_ = signal;
                note(signal_name(signal) + ": the job ends after its current measurement");
                forward_stop(signal, signs);
                continue;
            }
            const double now_s = world_.monotonic_s();
            if (now_s < signs.next_look_s(patience_s))
                continue;
            const std::uint64_t now = look();
            if (!signs.look) {
                signs.look = now;
                continue;
            }
            if (now != signs.look || !allowed_s) { // it works, or waits in a queue
                if (now != signs.look)
                    signs.any = signs.begun = true;
                signs.look = now;
                signs.last_s = now_s;
                continue;
            }
            if (signs.said_status) // MPI_Finalize, then: some libraries do not return from it now and then
                end.hang = "its run was complete, but it did not end within " + duration_text(*allowed_s);
            else
                end.hang =
                    (signs.any ? "no progress for " : "no sign of life within ") + duration_text(*allowed_s);
            end.killed = true;
            note(end.hang + ": ending the job");
            end_job(signs, std::min(options_.stop_grace_s, *allowed_s));
            return;
        }
    }

    void take_line(std::string_view line, Signs& signs) {
        if (!line.empty() && line.front() == '{') {
            const nlohmann::json parsed = nlohmann::json::parse(line, nullptr, false);
            if (parsed.is_object() && parsed.contains("event") && parsed["event"].is_string()) {
                signs.any = true;
                if (parsed["event"] == "start") {
                    signs.begun = true;
                    if (parsed.contains("run") && parsed["run"].is_string())
                        job_run_ = parsed["run"];
                } else if (signs.begun && parsed["event"] == "end" && parsed.contains("exit_status") &&
                           parsed["exit_status"].is_number_integer()) {
                    signs.said_status = parsed["exit_status"].get<int>();
                } else if (parsed["event"] == "refused" && parsed.contains("exit_status") &&
                           parsed["exit_status"].is_number_integer()) {
                    signs.refused_with = parsed["exit_status"].get<int>();
                }
                signs.last_s = world_.monotonic_s();
                signs.look.reset();
            }
        }
        notify(options_.on_line, line);
        if (const std::optional<std::string> job = submitted_job(line))
            signs.submitted = *job;
    }

    /// Asks the job to end after its current measurement. Ranks on this host are asked directly, for Open
    /// MPI's mpirun and srun kill theirs soon after they pass a signal on. Never twice: a second signal ends
    /// a rank. They get the same signal, because they record it; but they do not handle a hang-up, and
    /// launchers pass on no SIGINT.
    void forward_stop(int signal, const Signs& signs) {
        const int known = signal == SIGINT ? SIGINT : SIGTERM;
        if (world_.send_to_ranks(0) >= options_.ranks)
            world_.send_to_ranks(known);
        else if (!batch_.forward_stop(signs.submitted, known))
            world_.send(SIGTERM);
    }

    /// Ends the job in steps: the launcher is given the chance to end ranks on other hosts.
    void end_job(const Signs& signs, double grace_s) {
        batch_.cancel(signs.submitted);
        world_.send(SIGTERM);
        if (wait_for_end(grace_s))
            return;
        // Twice within a second makes Hydra, Open MPI and srun end all ranks.
        world_.send(SIGINT);
        if (wait_for_end(0.2))
            return;
        world_.send(SIGINT);
        if (wait_for_end(std::min(grace_s, 3.0)))
            return;
        world_.send(SIGKILL);
        while (!wait_for_end(std::nullopt))
            ;
    }

    bool wait_for_end(std::optional<double> duration_s) {
        const std::optional<double> until_s =
            duration_s ? std::optional(world_.monotonic_s() + *duration_s) : std::nullopt;
        while (true) {
            const World::Wakeup wakeup = world_.wait(until_s);
            if (wakeup.child_ended)
                return true;
            if (const int signal = stop_signal_in(wakeup); signal != 0) {
                stop_signal_ = stop_signal_ == 0 ? signal : stop_signal_;
                return false; // a second signal starts the next step now
            }
            if (until_s && world_.monotonic_s() >= *until_s)
                return false;
        }
    }

    void kill_leftovers() {
        // A killed process needs a moment to end; in an uninterruptible state it may not end at all.
        for (int round = 0; round < 100 && world_.send_to_leftovers(SIGKILL) > 0; ++round)
            pause(0.05);
    }

    // --- after a job -----------------------------------------------------------------------------

    /// Finds out how the job ended and records it. @return the progress afterwards
    SeriesProgress settle(JobEnd& end, const JobTime& time, const SeriesProgress& before) {
        const SeriesProgress after = read_progress();
        end.run_ended = after.ended > before.ended;
        const std::optional<RunOfJob> job = run_of_job();
        const RunId run = job ? job->id : after.open.value_or(after.last);
        if (run != 0)
            name_rank(end.found, run);
        JobVerdict verdict = verdict_on(end);
        // A job that never started found the suite in progress as another one left it.
        if (!after.open || (left_in_progress_ && !end.appeared))
            verdict.suites = JobVerdict::Suites::untouched;
        if (run != 0) {
            const Record record{.run = run,
                                .verdict = verdict,
                                .time_utc = utc_text(world_.utc_s()),
                                .job = {.started_utc = utc_text(time.started_utc_s),
                                        .lasted = duration_text(time.duration_s),
                                        .kind = verdict.kind,
                                        .seen = verdict.seen,
                                        .unused_variables = job ? end.found.unused_variables
                                                                : std::set<std::string>()}}; // of another run
            if (!write_down(record) && verdict.suites != JobVerdict::Suites::untouched)
                unwritten_ = record;
        }
        if (!options_.brief || !end.run_ended)
            note("job " + std::to_string(jobs_) + " ended after " + duration_text(time.duration_s) + ": " +
                 printable(verdict.seen));
        return read_progress();
    }

    /// Hydra reports the number of a process, others that of a rank. Processes on several hosts may have the
    /// same number: then none is named.
    void name_rank(PostMortem& found, RunId run) const {
        if (found.rank || !found.process)
            return;
        std::vector<int> of_that_number;
        for (const RankFacts& rank : Database::open(options_.database).run(run).rank_facts)
            if (rank.pid == *found.process)
                of_that_number.push_back(rank.rank);
        if (of_that_number.size() == 1)
            found.rank = of_that_number.front();
    }

    /// @return false when that cannot be done now: a full disk must not end a week's work
    bool write_down(const Record& record) {
        const JobVerdict& verdict = record.verdict;
        try {
            Database database = open_patiently();
            if (verdict.suites == JobVerdict::Suites::open_again)
                open_again(database, record.run, verdict.seen);
            if (verdict.suites == JobVerdict::Suites::blamed)
                report_charged(note_interrupted(database, record.run, verdict.kind, verdict.seen,
                                                options_.retries, record.time_utc));
            note_job_end(database, record.run, record.job, record.time_utc);
            return true;
        } catch (const Error& error) {
            note(std::string("could not store how the job ended: ") + error.what());
            return false;
        }
    }

    void report_charged(const std::vector<StoredSuite>& suites) const {
        for (const StoredSuite& suite : suites)
            note("suite " + printable(suite.suite.name) + " " +
                 (suite.state == SuiteState::failed ? "is given up" : "is put off") + ": " +
                 printable(suite.reason));
    }

    // --- whether to go on ------------------------------------------------------------------------

    [[nodiscard]] static Gain gain(const SeriesProgress& before, const SeriesProgress& after) {
        const std::int64_t known = after.open == before.open ? before.finished_measurements : 0;
        return {.new_measurement = after.finished_measurements > known,
                .something = after.finished_measurements > 0 || after.ended > 0};
    }

    [[nodiscard]] Endurance endurance() const {
        return {.max_failures = options_.max_failures,
                .unattended = options_.runs_in_database,
                .queues = batch_.queues()};
    }

    void give_up(const std::string& reason, const SeriesProgress& progress) {
        if (reason.empty())
            return;
        note(reason);
        if (progress.open)
            add_event(*progress.open, "warning", reason);
    }

    void add_event(RunId run, const std::string& kind, const std::string& text) {
        try {
            Database database = open_patiently();
            database.add_event(
                run, {.time_utc = utc_text(world_.utc_s()), .kind = kind, .suite = {}, .text = text});
        } catch (const Error& error) {
            note(std::string("could not store an event: ") + error.what());
        }
    }

    // --- the outside -----------------------------------------------------------------------------

    /// Waits while no job runs; shorter when a signal comes.
    void pause(double duration_s) {
        const double until_s = world_.monotonic_s() + duration_s;
        while (world_.monotonic_s() < until_s) {
            const World::Wakeup wakeup = world_.wait(until_s);
            if (const int signal = stop_signal_in(wakeup); signal != 0) {
                stop_signal_ = stop_signal_ == 0 ? signal : stop_signal_;
                return;
            }
        }
    }

    [[nodiscard]] std::uint64_t look() {
        return world_.look_at(options_.database) * 31 + world_.look_at(options_.database + "-wal");
    }

    void note(std::string_view text) const { notify(options_.on_note, text); }

    /// A log that cannot be written (its disk is full, its terminal is gone) must not end a week's work.
    static void notify(const std::function<void(std::string_view)>& listener, std::string_view text) {
        try {
            if (listener)
                listener(text);
        } catch (const std::system_error&) {
            // The database holds the same.
        }
    }

    /// The signal that ends the supervisor. A hang-up does not end a daemon: it outlives its terminal. (nohup
    /// does not show, because MPI's transports install a handler for SIGHUP before main().) A hang-up
    /// together with another signal does not count either.
    [[nodiscard]] int stop_signal_in(const World::Wakeup& wakeup) {
        if (wakeup.signal == 0 || (wakeup.signal == SIGHUP && options_.runs_in_database))
            return 0;
        const double now_s = world_.monotonic_s();
        if (last_stop_s_ && now_s - *last_stop_s_ < same_stop_wish_s)
            return 0;
        last_stop_s_ = now_s;
        return wakeup.signal;
    }

    const SuperviseOptions& options_;
    World& world_;
    std::string template_;
    std::string executable_;
    double hang_after_s_;
    BatchSystem batch_;
    FileLock lock_;
    Schedule schedule_;
    std::int64_t last_slot_ = no_slot;
    RunId ours_after_ = 0; ///< runs up to this one are not resumed
    Series series_ = options_.series;
    std::int64_t counted_before_ = 0; ///< runs of ours that had ended before and do not count
    std::int64_t failed_before_ = 0;  ///< suites in them that failed
    std::string job_run_;             ///< uuid of the present job's run; empty = it has not said yet
    int jobs_ = 0;
    Failures failures_;
    std::optional<Record> unwritten_; ///< there was no room for it, and it concerns a suite
    bool left_in_progress_ = false;   ///< by a former job, and that could not be cleared up
    int stop_signal_ = 0;
    std::optional<double> last_stop_s_; ///< when it came
    bool incomplete_ = false;
};

} // namespace

int supervise(const SuperviseOptions& options, World& world) {
    return Supervision(options, world).run();
}

double default_hang_after_s(const std::vector<Suite>& plan) {
    double longest_s = 0;
    for (const Suite& suite : plan)
        longest_s = std::max(longest_s, suite.repetition.max_time_s.value_or(600));
    return std::max(2 * longest_s, 300.0);
}

} // namespace skampi
