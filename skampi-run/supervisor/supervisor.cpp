#include "supervisor/supervisor.hpp"

#include "base/error.hpp"
#include "base/text.hpp"
#include "shared/crash_protocol.hpp"
#include "shared/stop_signal.hpp"
#include "store/database.hpp"
#include "store/file_lock.hpp"
#include "supervisor/post_mortem.hpp"
#include "supervisor/schedule.hpp"

#include <algorithm>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>
#include <system_error>

namespace skampi {

namespace {

/// How long the writer's lock may outlive the job that held it: the kernel frees it with the process, a
/// network file system may take a lease longer.
constexpr double lock_patience_s = 60;
/// Longest pause between jobs that end badly without progress.
constexpr double longest_pause_s = 60;

std::string utc_text(double utc_s) {
    const auto moment = static_cast<std::time_t>(utc_s);
    std::tm parts{};
    ::gmtime_r(&moment, &parts);
    char text[32];
    const std::size_t length = std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
    return {text, length};
}

double utc_seconds(const std::string& text) {
    std::tm parts{};
    if (::strptime(text.c_str(), "%Y-%m-%dT%H:%M:%SZ", &parts) == nullptr)
        return 0;
    return static_cast<double>(::timegm(&parts));
}

std::string duration_text(double duration_s) {
    std::ostringstream text;
    text.precision(duration_s < 10 ? 2 : 6);
    text << (duration_s < 10 ? duration_s : std::round(duration_s)) << " s";
    return text.str();
}

/// Our runs in the database: those of this plan and rank count.
struct Progress {
    std::int64_t ended = 0;
    std::optional<RunId> open;              ///< the newest, if it has not ended
    std::int64_t finished_measurements = 0; ///< of the open run
    std::int64_t failed_suites = 0;         ///< of all
    double first_start_s = 0;
    double last_start_s = 0;
    RunId last = 0; ///< newest run of all plans
};

/// What a job has shown of itself while it ran.
struct Signs {
    bool any = false;      ///< it lives
    bool begun = false;    ///< its JSON start line came, or the database changed
    bool forced = false;   ///< srun ends it, because Slurm does
    double last_s = 0;     ///< when, monotonic
    std::string batch_job; ///< number of the Slurm job that sbatch submitted
    /// How the database looked: at first when the job started, after a line half-way through the silence that
    /// is allowed. None = not looked since the last line, for a look costs the measurement beside it
    /// something.
    std::optional<std::uint64_t> look;

    [[nodiscard]] double next_look_s(double patience_s) const {
        return last_s + (look ? patience_s : patience_s / 2);
    }
};

/// How a job ended, as far as the supervisor needs to know.
struct JobEnd {
    std::string hang;    ///< not empty: we ended it, and why
    int stop_signal = 0; ///< the user wanted it ended
    bool killed = false; ///< and did not let it finish
    ChildResult result;
    double started_utc_s = 0;
    double duration_s = 0;
    bool begun = false;
};

class Supervision {
public:
    Supervision(const SuperviseOptions& options, World& world)
        : options_(options)
        , world_(world)
        , executable_(options.executable.empty() ? this_program() : options.executable)
        , template_(options.launch.empty() ? default_launch() : options.launch)
        , hang_after_s_(options.hang_after_s.value_or(default_hang_after_s(options.plan)))
        , lock_(daemon_lock_path(options.database), options.database) {
        // A template that cannot be understood is refused before anything is started or waited for.
        const std::vector<std::string> words = launch_words(template_, options.ranks, {executable_});
        queues_ = launcher_queues(words);
        starts_srun_ = std::filesystem::path(words.front()).filename() == "srun";
    }

    int run() {
        take_over();
        if (stop_signal_ != 0)
            return 128 + stop_signal_;
        Progress progress = read_progress();
        const RunId newest_before = progress.last;
        if (options_.fresh) {
            ours_after_ = newest_before;
            progress = read_progress();
        }
        const std::int64_t counted_before = options_.runs_in_database ? 0 : progress.ended;
        const std::int64_t wanted = counted_before + options_.runs * options_.launches;
        begin_schedule(progress);

        while (progress.ended < wanted) {
            if (stop_signal_ != 0)
                return 128 + stop_signal_;
            if (!progress.open && (progress.ended - counted_before) % options_.launches == 0 &&
                !wait_for_slot(progress, progress.ended - counted_before, wanted - counted_before))
                return 128 + stop_signal_;
            const JobEnd end = run_job(progress, progress.ended);
            const Progress before = std::exchange(progress, settle(end, progress));
            if (progress.ended > before.ended) {
                failures_ = 0;
                // Any other status came after the run was complete: a rank killed on its way out, for
                // example.
                incomplete_ =
                    incomplete_ || end.result.exit_status == static_cast<int>(ExitStatus::incomplete);
                continue;
            }
            if (end.stop_signal != 0)
                return 128 + end.stop_signal;
            if (const std::optional<int> verdict = judge(end, before, progress))
                return *verdict;
        }
        const bool failed = incomplete_ || progress.failed_suites > 0;
        return static_cast<int>(failed ? ExitStatus::incomplete : ExitStatus::done);
    }

private:
    // --- what the database says ------------------------------------------------------------------

    [[nodiscard]] Progress read_progress() const {
        Progress progress;
        if (!std::filesystem::exists(options_.database))
            return progress;
        const Database database = Database::open(options_.database);
        for (const RunId id : database.runs()) {
            progress.last = std::max(progress.last, id);
            const Run run = database.run(id);
            if (id <= ours_after_ || run.kind != "raw" || run.plan_hash != options_.plan_hash ||
                run.ranks != options_.ranks)
                continue;
            const double start_s = utc_seconds(run.started_utc);
            if (progress.first_start_s == 0)
                progress.first_start_s = start_s;
            progress.last_start_s = start_s;
            const std::vector<StoredSuite> suites = database.suites(id);
            progress.failed_suites += std::ranges::count(suites, SuiteState::failed, &StoredSuite::state);
            progress.finished_measurements = 0;
            if (!run.ended_utc.empty()) {
                ++progress.ended;
                progress.open.reset();
                continue;
            }
            progress.open = id;
            for (const StoredSuite& suite : suites) {
                for (const StoredMeasurement& measurement : database.measurements(suite.id))
                    progress.finished_measurements += measurement.finished ? 1 : 0;
            }
        }
        return progress;
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
        cancel_batch_jobs();
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

    void begin_schedule(const Progress& progress) {
        schedule_.every_s = options_.every_s;
        const bool goes_on = options_.runs_in_database && progress.first_start_s > 0;
        schedule_.first_s = goes_on ? progress.first_start_s : world_.utc_s();
        last_slot_ = goes_on ? slot_of(schedule_, progress.last_start_s) : -1;
    }

    /// @return false when a signal came meanwhile
    bool wait_for_slot(const Progress& progress, std::int64_t ended, std::int64_t wanted) {
        const Slot slot = next_slot(schedule_, last_slot_, world_.utc_s());
        last_slot_ = slot.index;
        if (slot.skipped > 0)
            note("missed " + std::to_string(slot.skipped) + " start" + (slot.skipped == 1 ? "" : "s"));
        if (slot.start_s > world_.utc_s() + 1) {
            const std::string text = std::to_string(ended) + " of " + std::to_string(wanted) +
                                     " runs done, next run at " + utc_text(slot.start_s);
            note(text);
            if (progress.last > 0)
                write_down(progress.last, "info", text); // status then tells what is waited for
        }
        // In steps, because the wall clock may be set meanwhile; nothing is measured now, so waking is
        // harmless.
        while (stop_signal_ == 0 && world_.utc_s() < slot.start_s)
            pause(std::min(slot.start_s - world_.utc_s(), 60.0));
        return stop_signal_ == 0;
    }

    // --- a job -----------------------------------------------------------------------------------

    [[nodiscard]] Command job_command(const Progress& progress, std::int64_t launch) {
        std::vector<std::string> job{executable_};
        job.insert(job.end(), options_.job_arguments.begin(), options_.job_arguments.end());
        job.insert(job.end(), {"--progress", "json"});
        if (options_.launches > 1)
            job.insert(job.end(), {"--launch-number", std::to_string(launch)});
        if (options_.fresh && !progress.open)
            job.emplace_back("--fresh");

        Command command;
        command.argv = launch_words(template_, options_.ranks, job);
        command.environment.insert(supervised_mark(options_.database));
        // srun lets the other ranks wait for a dead one forever unless told otherwise.
        command.environment.emplace("SLURM_KILL_BAD_EXIT", "1");
        // By this name a job that outlives its supervisor is found in the queue.
        command.environment.emplace("SBATCH_JOB_NAME", batch_name());
        if (queues_)
            command.environment.emplace("SLURM_JOB_NAME", batch_name()); // srun's variable for the same
        // The launcher, and through it the job, ends when this process is killed.
        command.death_signal = SIGTERM;
        return command;
    }

    [[nodiscard]] std::string batch_name() const {
        return "skampi-" + for_file_name(FileLock::path_for(options_.database, ""));
    }

    JobEnd run_job(const Progress& progress, std::int64_t launch) {
        Signs signs;
        Command command = job_command(progress, launch);
        command.on_line = [this, &signs](std::string_view line) { take_line(line, signs); };
        command.on_error_line = [this, &signs](std::string_view line) {
            signs.forced = signs.forced || line.starts_with("srun: forcing job termination");
            tell(options_.on_error_line, line);
        };
        const std::string program = command.argv.front();

        JobEnd end;
        end.started_utc_s = world_.utc_s();
        const double started_s = world_.monotonic_s();
        signs.look = look();
        note("job " + std::to_string(++jobs_) + " starts: " + program + ", " +
             std::to_string(options_.ranks) + (options_.ranks == 1 ? " rank" : " ranks"));
        world_.start(std::move(command));
        signs.last_s = started_s;
        watch(signs, end);
        end.result = world_.result();
        end.begun = signs.begun;
        end.duration_s = world_.monotonic_s() - started_s;
        kill_leftovers();
        return end;
    }

    /// Sleeps beside the job until it has ended, by itself or through us.
    void watch(Signs& signs, JobEnd& end) {
        const std::optional<double> start_within_s =
            options_.start_within_s ? options_.start_within_s
                                    : (queues_ ? std::nullopt : std::optional(hang_after_s_));
        while (true) {
            if (end.stop_signal != 0 && signs.forced) {
                // At its time limit Slurm signals the supervisor, the ranks and srun, which ends ranks in the
                // middle of a measurement. The others wait for them until Slurm kills all, and nobody would
                // write down why.
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
                forward_stop(signs);
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
            if (parsed.is_object() && parsed.contains("event")) {
                signs.any = true;
                signs.begun = signs.begun || parsed["event"] == "start";
                signs.last_s = world_.monotonic_s();
                signs.look.reset();
            }
        }
        tell(options_.on_line, line);
        constexpr std::string_view submitted = "Submitted batch job ";
        if (line.starts_with(submitted)) {
            const std::string_view number = line.substr(submitted.size());
            signs.batch_job = number.substr(0, number.find_first_not_of("0123456789"));
        }
    }

    /// Asks the job to end after its current measurement. Ranks on this host are asked directly, for Open
    /// MPI's mpirun and srun kill theirs soon after they pass a signal on. Never twice: a second signal ends
    /// a rank.
    void forward_stop(const Signs& signs) {
        if (world_.send_to_ranks(0) >= options_.ranks) {
            world_.send_to_ranks(SIGTERM);
            return;
        }
        if (queues_) {
            const std::vector<std::string> jobs = batch_jobs(signs.batch_job);
            for (const std::string& job : jobs) {
                // One that still waits in the queue has no measurement to finish.
                slurm({"scancel", "--state=PENDING", job});
                slurm({"scancel", "--signal=TERM", job});
            }
            if (!jobs.empty())
                return;
        }
        if (const char* allocation = std::getenv("SLURM_JOB_ID"); allocation != nullptr && starts_srun_) {
            slurm({"scancel", "--signal=TERM", allocation}); // its steps, not the batch script we are part of
            return;
        }
        world_.send(SIGTERM);
    }

    /// Ends the job in steps: the launcher is given the chance to end ranks on other hosts.
    void end_job(const Signs& signs, double grace_s) {
        for (const std::string& job : batch_jobs(signs.batch_job))
            slurm({"scancel", job});
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
                return false; // whoever is in a hurry gets the next step now
            }
            if (until_s && world_.monotonic_s() >= *until_s)
                return false;
        }
    }

    void kill_leftovers() {
        // What is killed needs a moment to go; what is in an uninterruptible state may not go at all.
        for (int round = 0; round < 100 && world_.send_to_leftovers(SIGKILL) > 0; ++round)
            pause(0.05);
    }

    // --- Slurm -----------------------------------------------------------------------------------

    ChildResult slurm(std::vector<std::string> words) {
        Command command;
        command.argv = std::move(words);
        command.timeout_s = 60;
        try {
            return world_.ask(std::move(command));
        } catch (const SystemError&) {
            return {}; // another batch system than Slurm
        }
    }

    /// Numbers of our jobs in Slurm's queue: found by name, for their supervisor may have been killed.
    [[nodiscard]] std::vector<std::string> batch_jobs(const std::string& submitted) {
        std::vector<std::string> jobs;
        if (!queues_)
            return jobs;
        std::istringstream listed(
            slurm({"squeue", "--noheader", "--me", "--format=%A", "--name=" + batch_name()}).out);
        for (std::string job; listed >> job;)
            jobs.push_back(job);
        if (!submitted.empty() && std::ranges::find(jobs, submitted) == jobs.end())
            jobs.push_back(submitted);
        return jobs;
    }

    void cancel_batch_jobs() {
        const std::vector<std::string> jobs = batch_jobs({});
        for (const std::string& job : jobs) {
            note("Slurm job " + job + " of a former supervisor: cancelling it");
            slurm({"scancel", job});
        }
        for (int round = 0; round < 60 && !jobs.empty() && !batch_jobs({}).empty(); ++round)
            pause(1);
    }

    // --- after a job -----------------------------------------------------------------------------

    /// Writes down how the job ended. @return the progress afterwards
    Progress settle(const JobEnd& end, const Progress& before) {
        const Progress after = read_progress();
        const std::optional<RunId> run = after.open ? after.open : std::optional(after.last);
        const bool run_ended = after.ended > before.ended;
        PostMortem found = examine(end.result);
        std::string seen = "ended: " + found.text();
        try {
            if (!std::filesystem::exists(options_.database) || *run == 0) {
                note_end(end, seen);
                return after;
            }
            Database database = open_patiently();
            if (!found.rank && found.process) {
                for (const RankFacts& rank : database.run(*run).rank_facts) {
                    if (rank.pid == *found.process)
                        found.rank = rank.rank;
                }
            }
            const std::string now = utc_text(world_.utc_s());
            seen = describe(end, found, run_ended);
            std::string kind = "info";
            if (end.stop_signal != 0)
                kind = "signal";
            else if (!run_ended && refused(end))
                kind = "warning";
            else if (!run_ended)
                kind = end.hang.empty() || died_before_us(found) ? "crash" : "hang";
            if (after.open && (end.stop_signal != 0 || refused(end)))
                note_stopped(database, *after.open, seen, now);
            else if (after.open && !run_ended)
                culprits(note_interrupted(database, *after.open, kind, seen, options_.retries, now));
            const std::string text = "job started " + utc_text(end.started_utc_s) + ", ran " +
                                     duration_text(end.duration_s) + "; " + seen;
            database.add_event(*run, {.time_utc = now, .kind = kind, .suite = {}, .text = text});
        } catch (const Error& error) {
            // A full disk must not end a week's work: the next job notes the interruption itself.
            note(std::string("could not write down how the job ended: ") + error.what());
        }
        note_end(end, seen);
        return read_progress();
    }

    [[nodiscard]] static std::string describe(const JobEnd& end, const PostMortem& found, bool run_ended) {
        if (end.stop_signal != 0)
            return "ended by " + signal_name(end.stop_signal) + (end.killed ? " at once" : "");
        if (end.hang.empty()) {
            const bool left_early = !run_ended && end.result.exit_status == 0 && !found.is_crash();
            return left_early ? "left before its run was done (exit status 0)" : found.text();
        }
        return died_before_us(found) ? found.text() + "; " + end.hang : end.hang;
    }

    /// Killing the launcher leaves traces of our own signals, which are no finding.
    [[nodiscard]] static bool died_before_us(const PostMortem& found) {
        const bool our_signal = found.signal == SIGTERM || found.signal == SIGINT || found.signal == SIGKILL;
        return !found.mpi_error.empty() || (found.signal && !our_signal);
    }

    /// The job ended by its own decision because its surroundings (a full disk, ...) do not let it work: no
    /// suite is to blame.
    [[nodiscard]] static bool refused(const JobEnd& end) {
        return end.hang.empty() && examine(end.result).left_with(static_cast<int>(ExitStatus::impossible));
    }

    void culprits(const std::vector<StoredSuite>& suites) {
        for (const StoredSuite& suite : suites)
            note("suite \"" + printable(suite.suite.name) + "\" " +
                 (suite.state == SuiteState::failed ? "is given up" : "is put off") + ": " +
                 printable(suite.reason));
    }

    void note_end(const JobEnd& end, const std::string& seen) {
        note("job " + std::to_string(jobs_) + " ended after " + duration_text(end.duration_s) + ": " +
             printable(seen));
    }

    /// Whether to go on after a job that did not end its run. @return the exit status when not
    std::optional<int> judge(const JobEnd& end, const Progress& before, const Progress& after) {
        if (end.hang.empty() && !end.begun) {
            const PostMortem found = examine(end.result);
            if (found.left_with(static_cast<int>(ExitStatus::bad_input)))
                return static_cast<int>(ExitStatus::bad_input);
            // Somebody waits at the terminal; a daemon tries again, the disk may have room tomorrow.
            if (found.left_with(static_cast<int>(ExitStatus::impossible)) && !options_.runs_in_database)
                return static_cast<int>(ExitStatus::impossible);
        }
        const bool same_run = after.open == before.open;
        const std::int64_t known = same_run ? before.finished_measurements : 0;
        failures_ = after.finished_measurements > known ? 0 : failures_ + 1;
        if (failures_ >= options_.max_failures) {
            give_up(after);
            // What keeps jobs from working may be over when somebody starts us again.
            const bool something = !refused(end) && (after.finished_measurements > 0 || after.ended > 0);
            return static_cast<int>(something ? ExitStatus::incomplete : ExitStatus::impossible);
        }
        if (failures_ > 0)
            pause(std::min(std::ldexp(0.5, failures_), longest_pause_s));
        if (stop_signal_ != 0)
            return 128 + stop_signal_;
        return std::nullopt;
    }

    void give_up(const Progress& progress) {
        const std::string text = "gave up: " + std::to_string(failures_) +
                                 " jobs in a row ended badly without a newly finished measurement";
        note(text);
        if (!progress.open)
            return;
        write_down(*progress.open, "warning", text);
    }

    /// An event of a run. A full disk must not end a week's work.
    void write_down(RunId run, const std::string& kind, const std::string& text) {
        try {
            Database database = open_patiently();
            database.add_event(
                run, {.time_utc = utc_text(world_.utc_s()), .kind = kind, .suite = {}, .text = text});
        } catch (const Error& error) {
            note(std::string("could not write that down: ") + error.what());
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

    void note(std::string_view text) const { tell(options_.on_note, text); }

    /// A log that cannot be written (its disk is full, its terminal is gone) must not end a week's work.
    static void tell(const std::function<void(std::string_view)>& listener, std::string_view text) {
        try {
            if (listener)
                listener(text);
        } catch (const std::system_error&) {
            // The database tells the same.
        }
    }

    /// What came for us, by which the supervisor ends. A hang-up does not end a daemon: it outlives its
    /// terminal. (nohup cannot tell us so, for MPI's transports install a handler for SIGHUP before main().)
    [[nodiscard]] int stop_signal_in(const World::Wakeup& wakeup) const {
        return wakeup.signal == SIGHUP && options_.runs_in_database ? 0 : wakeup.signal;
    }

    const SuperviseOptions& options_;
    World& world_;
    std::string executable_;
    std::string template_;
    double hang_after_s_;
    FileLock lock_;
    bool queues_ = false;
    bool starts_srun_ = false;
    Schedule schedule_;
    std::int64_t last_slot_ = -1;
    RunId ours_after_ = 0; ///< runs up to this one are not resumed
    int jobs_ = 0;
    int failures_ = 0; ///< in a row
    int stop_signal_ = 0;
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

std::string daemon_lock_path(const std::string& database) {
    return FileLock::path_for(database, ".daemon.lock");
}

} // namespace skampi
