// SPDX-License-Identifier: GPL-2.0-or-later
#include "../golden.hpp"
#include "close_to.hpp"
#include "interruption/crash_protocol.hpp"
#include "runs/status.hpp"
#include "runs/told_by_supervisor.hpp"
#include "supervisor/supervisor.hpp"

#include "base/error.hpp"
#include "base/utc.hpp"
#include "invented_job.hpp"
#include "local_zone.hpp"
#include "scratch_folder.hpp"
#include "store/file_lock.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <deque>
#include <filesystem>
#include <fstream>
#include <functional>
#include <limits>
#include <memory>
#include <stdexcept>
#include <string>
#include <system_error>
#include <unistd.h>
#include <utility>
#include <vector>

using namespace skampi;

namespace {

/// How one job is to behave.
struct Behaviour {
    /// lost_rank: one dies and the others wait for it, as under srun without --kill-on-bad-exit
    /// own_error: an MPI call outside of a suite's timed loop returned an error, and the job says so and
    /// leaves
    enum class Kind { segfault, abort, exit, hang, lost_rank, own_error };
    std::string mpi_library = {}; ///< which its launcher gives it; empty = the usual one
    std::vector<invented::Fault> faults = {};
    Kind kind = Kind::segfault;
    bool silent = false;                   ///< writes no lines, as under sbatch
    std::vector<std::string> foreign = {}; ///< lines it writes first, whosever they are
    bool never_starts = false;             ///< shows no sign of life
    bool stays = false;                    ///< does not end when its run is complete
    std::optional<int> leaves_with = {};   ///< its launcher, whatever the ranks' status is when they are done
    bool babbles = false;                  ///< but writes a line a minute whose event has no name
    std::optional<int> fails_with = {};    ///< ends at once with this exit status...
    std::string complaint = {};            ///< ... and this on standard error
    double step_s = 1;
    double queue_s = 0;                   ///< before its first step
    std::optional<int> ends_on = SIGKILL; ///< the first signal a hanging job ends on
};

/// A world without processes and clock: one job after the other from a list, each step takes invented time.
class InventedWorld : public World {
public:
    explicit InventedWorld(invented::JobPlan plan)
        : plan_(std::move(plan)) {}

    std::deque<Behaviour> behaviours; ///< of the jobs to come; a healthy one when empty
    bool one_process_number = false;  ///< JobPlan::one_process_number of all jobs
    std::vector<Command> commands;    ///< of all that were started
    std::vector<double> starts_utc_s;
    std::vector<std::pair<double, int>> signals_to_come; ///< monotonic moment, signal for the supervisor
    std::vector<int> sent;                               ///< to launcher or ranks
    std::vector<std::vector<std::string>> asked;
    std::map<std::string, std::string> answers; ///< program -> standard output of ask()
    double now_s = 1000;
    double utc_offset_s = 1795255000;
    double clock_step_at_s = 1e300, clock_step_s = 0; ///< the wall clock is set
    double clock_back_at_s = 1e300;                   ///< and set right again
    int leftovers = 0;
    int ranks_here = 2;
    std::vector<double> last_line_s; ///< of each job
    int wakeups_while_measuring = 0;
    std::function<void()> on_start, on_end;

    double monotonic_s() override { return now_s; }
    double utc_s() override {
        return now_s + utc_offset_s +
               (now_s >= clock_step_at_s && now_s < clock_back_at_s ? clock_step_s : 0);
    }

    void start(Command command) override {
        if (on_start)
            on_start();
        REQUIRE_FALSE(running_);
        commands.push_back(command);
        starts_utc_s.push_back(utc_s());
        last_line_s.push_back(now_s);
        behaviour_ = {};
        if (!behaviours.empty()) {
            behaviour_ = behaviours.front();
            behaviours.pop_front();
        }
        command_ = std::move(command);
        running_ = true;
        hanging_ = false;
        stop_wanted_ = false;
        next_step_s_ = now_s + behaviour_.queue_s + behaviour_.step_s;
    }

    Wakeup wait(std::optional<double> until_s) override {
        // A supervisor that asks in a circle would never end here.
        REQUIRE(++waits_ < 100000);
        double next_s = just_ended_ ? now_s : until_s.value_or(std::numeric_limits<double>::infinity());
        const bool steps = running_ && !hanging_ && !behaviour_.never_starts;
        const bool babbles = running_ && behaviour_.babbles;
        if (steps || babbles)
            next_s = std::min(next_s, next_step_s_);
        for (const auto& [moment_s, signal] : signals_to_come)
            next_s = std::min(next_s, std::max(moment_s, now_s));
        if (next_s == std::numeric_limits<double>::infinity())
            throw std::logic_error("the supervisor waits for something that never comes");
        now_s = std::max(now_s, next_s);
        Wakeup wakeup;
        if (std::exchange(just_ended_, false)) {
            wakeup.child_ended = true;
            return wakeup;
        }
        for (auto it = signals_to_come.begin(); it != signals_to_come.end(); ++it) {
            if (it->first <= now_s) {
                wakeup.signal = it->second;
                signals_to_come.erase(it);
                return wakeup;
            }
        }
        if (babbles && next_step_s_ <= now_s) {
            next_step_s_ += behaviour_.step_s;
            say(R"({"event":5})");
        } else if (steps && next_step_s_ <= now_s) {
            next_step_s_ += behaviour_.step_s;
            step();
            wakeup.child_ended = !running_;
        } else if (running_) {
            ++wakeups_while_measuring;
        }
        return wakeup;
    }

    void send(int signal) override {
        sent.push_back(signal);
        if (running_ && (signal == SIGKILL || behaviour_.ends_on == signal)) {
            ChildResult result;
            result.signal = signal;
            if (behaviour_.kind == Behaviour::Kind::lost_rank)
                result.err = "srun: error: localhost: task 1: Segmentation fault\n";
            end(result);
            just_ended_ = true;
        }
    }

    int send_to_ranks(int signal) override {
        if (!running_ || !job_)
            return 0;
        if (signal != 0) {
            sent.push_back(signal);
            stop_wanted_ = true;
            stop_wanted_by_ = signal;
        }
        return ranks_here;
    }

    int send_to_leftovers(int signal) override {
        const int there = leftovers;
        if (signal == SIGKILL || signal == SIGTERM)
            leftovers = 0;
        return there;
    }

    const ChildResult& result() override { return result_; }

    std::uint64_t look_at(const std::string& path) override { return path == plan_.database ? changes_ : 0; }

    ChildResult ask(Command command) override {
        asked.push_back(command.argv);
        ChildResult result;
        result.out = answers[command.argv.front()];
        return result;
    }

private:
    void say(const std::string& line) {
        last_line_s.back() = now_s;
        if (!behaviour_.silent && command_.on_line)
            command_.on_line(line);
    }

    void end(const ChildResult& result) {
        result_ = result;
        running_ = false;
        job_.reset();
        if (on_end)
            on_end();
    }

    void leave(int exit_status, const std::string& err = {}) {
        ChildResult result;
        result.exit_status = exit_status;
        result.err = err;
        end(result);
    }

    void step() {
        if (behaviour_.fails_with)
            return leave(*behaviour_.fails_with, behaviour_.complaint);
        if (!job_) {
            invented::JobPlan plan = plan_;
            plan.one_process_number = one_process_number;
            for (const auto& [name, value] : command_.environment)
                if (name == expected_series_variable)
                    plan.expected_series = value;
            plan.fresh = std::ranges::find(command_.argv, "--fresh") != command_.argv.end();
            if (!behaviour_.mpi_library.empty())
                plan.mpi_library = behaviour_.mpi_library;
            job_ = std::make_unique<invented::Job>(plan);
            for (const std::string& line : behaviour_.foreign)
                say(line);
            say(R"({"event":"start","run":")" + job_->uuid() + R"(","suites":3})");
            ++changes_;
            return;
        }
        ++changes_;
        switch (job_->step(behaviour_.faults, stop_wanted_)) {
        case invented::Job::Step::working:
            return say(R"({"event":"heartbeat"})");
        case invented::Job::Step::run_ended: {
            const int status = job_->exit_status();
            say(R"({"event":"end","exit_status":)" + std::to_string(status) + "}");
            if (behaviour_.stays) {
                hanging_ = true;
                return;
            }
            return leave(behaviour_.leaves_with.value_or(status));
        }
        case invented::Job::Step::stopped:
            return leave(128 + stop_wanted_by_);
        case invented::Job::Step::fault:
            return misbehave();
        }
    }

    void misbehave() {
        switch (behaviour_.kind) {
        case Behaviour::Kind::segfault:
            return leave(11, "PID 101 RUNNING AT vm\nYOUR APPLICATION TERMINATED WITH THE EXIT STRING: "
                             "Segmentation fault (signal 11)\n");
        case Behaviour::Kind::abort:
            return leave(
                5,
                "Abort(5) on node 1 (rank 1 in comm 0): application called MPI_Abort(MPI_COMM_WORLD, 5)\n");
        case Behaviour::Kind::exit:
            return leave(0);
        case Behaviour::Kind::own_error:
            return leave(3, "skampi-run: MPI_Bcast returned error class 15: message truncated\n");
        case Behaviour::Kind::hang:
        case Behaviour::Kind::lost_rank:
            hanging_ = true;
            return;
        }
    }

    invented::JobPlan plan_;
    Behaviour behaviour_;
    Command command_;
    std::unique_ptr<invented::Job> job_;
    ChildResult result_;
    double next_step_s_ = 0;
    std::uint64_t changes_ = 1;
    int waits_ = 0;
    bool running_ = false, hanging_ = false, stop_wanted_ = false;
    int stop_wanted_by_ = 0;
    bool just_ended_ = false; ///< by a signal: the next wait() says so
};

struct Scene {
    ScratchFolder folder;
    invented::JobPlan plan{.database = folder / "x.db", .suites = {"one", "two", "three"}};
    InventedWorld world{plan};
    SuperviseOptions options;
    std::vector<std::string> notes;

    Scene() {
        options.database = plan.database;
        options.ranks = 2;
        options.launch = "mpiexec -n {n}";
        options.executable = "/opt/skampi-run";
        options.job_arguments = {"f.skampi", "-d", plan.database};
        options.series = Series(invented::run_of(plan));
        options.hang_after_s = 300;
        options.on_note = [this](std::string_view note) { notes.emplace_back(note); };
    }

    int supervise() { return skampi::supervise(options, world); }
    [[nodiscard]] Database database() const { return Database::open(plan.database); }
    [[nodiscard]] RunId last_run() const { return database().runs().back(); }
    [[nodiscard]] StoredSuite suite(std::size_t index) const {
        return database().suites(last_run()).at(index);
    }
    [[nodiscard]] std::size_t points(std::size_t suite_index) const {
        return database().measurements(suite(suite_index).id).size();
    }
    [[nodiscard]] std::vector<Event> events() const { return database().events(last_run()); }
    [[nodiscard]] bool noted(std::string_view part) const {
        return std::ranges::any_of(
            notes, [part](const std::string& note) { return note.find(part) != std::string::npos; });
    }
};

} // namespace

TEST_CASE("a healthy job is started once, with its arguments and marks") {
    Scene scene;
    CHECK(scene.supervise() == 0);
    REQUIRE(scene.world.commands.size() == 1);
    CHECK(scene.world.commands[0].argv ==
          std::vector<std::string>{"mpiexec", "-n", "2", "/opt/skampi-run", "f.skampi", "-d",
                                   scene.plan.database, "--progress", "json", "--expect-ranks", "2"});
    CHECK(scene.world.commands[0].environment.at("SKAMPI_SUPERVISED") ==
          FileLock::path_for(scene.plan.database, ""));
    CHECK(scene.world.commands[0].death_signal == SIGTERM);
    CHECK(scene.database().runs().size() == 1);
    CHECK_FALSE(scene.database().run(1).ended_utc.empty());
    CHECK(scene.world.sent.empty());
    CHECK(scene.world.wakeups_while_measuring == 0);
    REQUIRE(scene.events().size() == 1);
    CHECK(scene.events()[0].kind == "info");
    CHECK(scene.events()[0].text.ends_with("exit status 0"));
}

TEST_CASE("where several ranks have the number of the process that crashed none is named") {
    Scene scene;
    scene.world.one_process_number = true;
    for (int job = 0; job < 3; ++job)
        scene.world.behaviours.push_back({.faults = {{"one", 4}}});
    CHECK(scene.supervise() == 1);
    CHECK(scene.suite(0).reason == "signal 11 (Segmentation fault)");
}

TEST_CASE("a suite that crashes every time is tried last, then marked failed; the others are complete") {
    Scene scene;
    for (int job = 0; job < 3; ++job)
        scene.world.behaviours.push_back({.faults = {{"one", 4}}});
    CHECK(scene.supervise() == 1);
    CHECK(scene.world.commands.size() == 4);
    CHECK(scene.suite(0).state == SuiteState::failed);
    CHECK(scene.suite(0).attempts == 3);
    CHECK(scene.suite(0).reason.starts_with("signal 11"));
    CHECK(scene.suite(0).reason.ends_with("on rank 1"));
    CHECK(scene.suite(1).state == SuiteState::finished);
    CHECK(scene.suite(2).state == SuiteState::finished);
    CHECK(scene.points(1) == 4);
    CHECK_FALSE(scene.database().run(scene.last_run()).ended_utc.empty());
    // Two measurements of the culprit were finished before it crashed. A third had a value: it is kept, too,
    // and flagged.
    std::int64_t kept = 0;
    std::int64_t timed_out = 0;
    for (const StoredMeasurement& m : scene.database().measurements(scene.suite(0).id)) {
        kept += m.finished ? 1 : 0;
        timed_out += has(m.measurement.flags, Flag::timed_out) ? 1 : 0;
    }
    CHECK(kept == 3);
    CHECK(timed_out == 1);
}

TEST_CASE("what the supervisor says of jobs, and writes down about the suite that one of them ended in") {
    Golden golden("supervisor");
    const auto add = [&](const std::string& name, Scene& scene) {
        (void)scene.supervise();
        std::string text;
        for (const std::string& note : scene.notes)
            text += note + "\n";
        if (std::filesystem::exists(scene.options.database))
            text += "reason: " + scene.suite(0).reason;
        golden.add(name, text);
    };
    const auto bad_end = [&](const std::string& name, Behaviour::Kind kind) {
        Scene scene;
        for (int job = 0; job < 3; ++job)
            scene.world.behaviours.push_back({.faults = {{"one", 1}}, .kind = kind});
        add(name, scene);
        CHECK(scene.suite(0).state == SuiteState::failed);
        CHECK(scene.suite(1).state == SuiteState::finished);
    };
    bad_end("a segmentation fault", Behaviour::Kind::segfault);
    bad_end("MPI_Abort", Behaviour::Kind::abort);
    bad_end("an MPI error that the job reports", Behaviour::Kind::own_error);
    bad_end("a rank that leaves too early", Behaviour::Kind::exit);
    bad_end("no progress", Behaviour::Kind::hang);
    bad_end("a lost rank that the others wait for", Behaviour::Kind::lost_rank);
    {
        Scene scene;
        scene.world.behaviours.push_back({.stays = true, .ends_on = SIGTERM});
        add("a complete run whose job does not end", scene);
    }
    {
        Scene scene;
        scene.world.behaviours.push_back({.never_starts = true});
        add("a job that never starts", scene);
    }
    {
        Scene scene;
        const Behaviour refused{.fails_with = 1, .complaint = "mpirun: there are no slots\n"};
        scene.world.behaviours = {refused, refused};
        add("a launcher that refuses twice", scene);
    }
    golden.check();
}

TEST_CASE("a job without progress is ended in steps and its suite put off as a hang") {
    Scene scene;
    scene.world.behaviours.push_back({.faults = {{"two", 1}}, .kind = Behaviour::Kind::hang});
    CHECK(scene.supervise() == 0);
    CHECK(scene.world.sent == std::vector<int>{SIGTERM, SIGINT, SIGINT, SIGKILL});
    const std::vector<Event> events = scene.events();
    REQUIRE(events.size() >= 2);
    CHECK(events[0].kind == "hang");
    CHECK(events[0].suite == "two");
    CHECK(scene.suite(1).attempts == 2);
}

TEST_CASE("a job that wrote lines and the database is ended exactly when its time of silence is over") {
    Scene scene;
    scene.world.behaviours.push_back(
        {.faults = {{"two", 1}}, .kind = Behaviour::Kind::hang, .ends_on = SIGTERM});
    double hang_noted_s = 0;
    scene.options.on_note = [&](std::string_view note) {
        if (note.find("no progress") != std::string::npos && hang_noted_s == 0)
            hang_noted_s = scene.world.now_s;
    };
    CHECK(scene.supervise() == 0);
    CHECK(hang_noted_s == close_to(scene.world.last_line_s.at(0) + 300));
    CHECK(scene.world.sent == std::vector<int>{SIGTERM}); // it ended on the first one
}

TEST_CASE("a slow job that shows progress just in time is left alone") {
    Scene scene;
    scene.world.behaviours.push_back({.step_s = 299});
    CHECK(scene.supervise() == 0);
    CHECK(scene.world.commands.size() == 1);
    CHECK(scene.world.sent.empty());
}

TEST_CASE("a job that writes no lines is followed by its database") {
    Scene scene;
    scene.world.behaviours.push_back({.silent = true, .step_s = 200});
    CHECK(scene.supervise() == 0);
    CHECK(scene.world.commands.size() == 1);

    Scene hangs;
    hangs.world.behaviours.push_back({.faults = {{"one", 8}}, .kind = Behaviour::Kind::hang, .silent = true});
    CHECK(hangs.supervise() == 0);
    CHECK(hangs.world.commands.size() == 2);
}

TEST_CASE("a job whose run is complete but which does not end has done its work") {
    Scene scene;
    scene.world.behaviours.push_back({.stays = true, .ends_on = SIGTERM});
    CHECK(scene.supervise() == 0);
    CHECK(scene.world.commands.size() == 1);
    CHECK(scene.world.sent.front() == SIGTERM);
    CHECK_FALSE(scene.noted("no progress"));
    const std::vector<Event> events = scene.events();
    REQUIRE(events.size() == 1);
    CHECK(events[0].kind == "info");
    CHECK(scene.suite(0).state == SuiteState::finished);
}

TEST_CASE("what the job said of its complete run counts, not what the launcher makes of the ranks' end") {
    // Open MPI's takes ranks that leave without MPI_Finalize for failed.
    Scene scene;
    scene.world.behaviours.push_back({.leaves_with = 1});
    CHECK(scene.supervise() == 0);
    CHECK(scene.world.commands.size() == 1);
}

TEST_CASE("a job that never shows any life is ended, unless its launcher queues") {
    Scene scene;
    scene.world.behaviours.push_back({.never_starts = true});
    CHECK(scene.supervise() == 0);
    CHECK(scene.world.commands.size() == 2);

    Scene queued;
    queued.options.launch = "sbatch --wait --wrap 'srun {command}'";
    queued.world.behaviours.push_back({.queue_s = 86400});
    CHECK(queued.supervise() == 0);
    CHECK(queued.world.commands.size() == 1);
    CHECK(queued.world.sent.empty());
}

TEST_CASE("bad input is not tried again") {
    Scene scene;
    scene.world.behaviours.push_back(
        {.fails_with = 2, .complaint = "skampi-run: f.skampi:3:1: found x, expected y\n"});
    CHECK(scene.supervise() == 2);
    CHECK(scene.world.commands.size() == 1);
}

TEST_CASE("a daemon, and a launcher that queues, are patient where an interactive run ends") {
    const Behaviour full{.fails_with = 3, .complaint = "skampi-run: x.db: cannot begin a run: disk full\n"};
    for (const bool daemon : {false, true}) {
        Scene scene;
        scene.options.runs_in_database = daemon;
        scene.world.behaviours.push_back(full);
        CHECK(scene.supervise() == (daemon ? 0 : 3));
    }
    const Behaviour down{.fails_with = 1, .complaint = "sbatch: error: Unable to contact slurm controller\n"};
    for (const char* const launch : {"mpiexec -n {n}", "sbatch --wait --wrap 'srun {command}'"}) {
        Scene scene;
        scene.options.launch = launch;
        scene.world.behaviours = {down, down, down};
        CHECK(scene.supervise() == (launch[0] == 's' ? 0 : 3));
    }
}

TEST_CASE("a job whose output goes elsewhere is no launcher that refuses: its database shows it came up") {
    Scene scene;
    for (int job = 0; job < 2; ++job)
        scene.world.behaviours.push_back(
            {.faults = {{"one", 1}}, .kind = Behaviour::Kind::exit, .silent = true});
    CHECK(scene.supervise() == 0);
    CHECK(scene.suite(0).attempts == 3);
}

TEST_CASE(
    "a suite in progress when the supervisor was killed is not blamed, by nobody, whatever comes next") {
    const auto interrupted = [](std::int64_t argument) {
        auto scene = std::make_unique<Scene>();
        invented::Job job(scene->plan);
        while (job.step({{"two", argument}}, false) != invented::Job::Step::fault)
            ;
        return scene;
    };
    // Gone on with at once.
    const auto simple = interrupted(4);
    CHECK(simple->supervise() == 0);
    CHECK(simple->suite(1).attempts == 1);
    // The launcher fails first, as it does for root under Open MPI: none of the suite's business.
    const auto refused = interrupted(4);
    refused->world.behaviours = {{.fails_with = 1, .complaint = "no hosts\n"}};
    CHECK(refused->supervise() == 0);
    CHECK(refused->suite(1).attempts == 1);
}

TEST_CASE("a file that a killed job had no time to begin is begun by the next one") {
    Scene scene;
    std::ofstream(scene.plan.database).close();
    CHECK(scene.supervise() == 0);
    CHECK(scene.database().runs().size() == 1);
    // Somebody else's file is left alone.
    Scene other;
    std::ofstream(other.plan.database) << "Dear diary, today I measured nothing at all.\n";
    CHECK_THROWS_AS(static_cast<void>(other.supervise()), StoreError);
    CHECK(other.world.commands.empty());
}

TEST_CASE("what could not be written down about a crash is written before the next job") {
    Scene scene;
    scene.world.behaviours.push_back({.faults = {{"one", 4}}});
    // While another process writes the file, the supervisor cannot.
    std::optional<FileLock> other;
    scene.options.on_note = [&](std::string_view note) {
        scene.notes.emplace_back(note);
        if (note.find("could not store how the job ended") != std::string::npos)
            other.reset();
    };
    scene.world.on_end = [&] {
        if (scene.world.commands.size() == 1)
            other.emplace(FileLock::path_for(scene.plan.database), scene.plan.database);
    };
    CHECK(scene.supervise() == 0);
    CHECK(scene.noted("could not store how the job ended"));
    CHECK(scene.suite(0).attempts == 2);
    CHECK(scene.events().front().kind == "crash");
    CHECK(scene.events().front().text.starts_with("signal 11"));
    // Put off: the others came first.
    CHECK(scene.database().measurements(scene.suite(1).id).front().id <
          scene.database().measurements(scene.suite(0).id).back().id);
}

TEST_CASE("lines of other programs, of whatever form, change nothing") {
    Scene scene;
    scene.world.behaviours.push_back(
        {.foreign = {R"({"event":5})", R"({"event":{"event":"start"}})",
                     R"({"event":"start","run":5,"suites":"x"})", "{", "[]", "null", R"({"event":null})",
                     std::string(100000, '['), "Submitted batch job x", "\xff\x00"}});
    std::vector<std::string> lines;
    scene.options.on_line = [&lines](std::string_view line) { lines.emplace_back(line); };
    CHECK(scene.supervise() == 0);
    CHECK(scene.world.commands.size() == 1);
    CHECK(lines.size() > 10);
}

TEST_CASE("a line whose event has no name is no sign of life") {
    Scene scene;
    // It says so until the time of silence is over, and never begins.
    scene.world.behaviours.push_back({.never_starts = true, .babbles = true, .step_s = 60});
    CHECK(scene.supervise() == 0);
}

TEST_CASE("after too many failures in a row without progress it gives up and says so in the database") {
    Scene scene;
    scene.options.max_failures = 4;
    scene.options.retries = 100;
    scene.plan.suites = {"one"};
    for (int job = 0; job < 20; ++job)
        scene.world.behaviours.push_back({.faults = {{"one", 2}, {"two", 2}, {"three", 2}}});
    CHECK(scene.supervise() == 1);
    // The first three jobs finish a measurement each; then nothing comes any more.
    CHECK(scene.world.commands.size() == 3 + 4);
    CHECK(scene.events().back().kind == "warning");
    CHECK(scene.events().back().text.starts_with("gave up: 4 jobs"));
}

TEST_CASE("between failures without progress it waits, longer each time but at most a minute") {
    Scene scene;
    scene.options.max_failures = 12;
    for (int job = 0; job < 20; ++job)
        scene.world.behaviours.push_back({.fails_with = 139});
    CHECK(scene.supervise() == 3);
    std::vector<double> waits;
    for (std::size_t i = 1; i < scene.world.starts_utc_s.size(); ++i)
        waits.push_back(scene.world.starts_utc_s[i] - scene.world.starts_utc_s[i - 1] - 1);
    REQUIRE(waits.size() == 11);
    CHECK(waits[0] == close_to(1));
    CHECK(waits[1] == close_to(2));
    CHECK(waits.back() == close_to(60));
    CHECK(std::ranges::is_sorted(waits));
}

TEST_CASE("SIGTERM lets the job finish its measurement and costs the suite nothing") {
    Scene scene;
    scene.world.signals_to_come = {{1005.5, SIGTERM}};
    CHECK(scene.supervise() == 143);
    CHECK(scene.world.commands.size() == 1);
    CHECK(scene.world.sent == std::vector<int>{SIGTERM});
    for (const StoredSuite& suite : scene.database().suites(scene.last_run())) {
        CHECK_FALSE(suite.in_progress);
        CHECK(suite.state != SuiteState::put_off);
    }
    // Started again, it goes on with the same run.
    InventedWorld later(scene.plan);
    CHECK(skampi::supervise(scene.options, later) == 0);
    CHECK(scene.database().runs().size() == 1);
    CHECK(scene.points(0) == 4);
}

TEST_CASE(
    "where not all ranks are on this host the launcher passes the signal on, and no rank gets it twice") {
    Scene scene;
    scene.world.ranks_here = 1;
    scene.world.behaviours.push_back({.ends_on = SIGTERM});
    scene.world.signals_to_come = {{1005.5, SIGTERM}};
    CHECK(scene.supervise() == 143);
    CHECK(scene.world.sent == std::vector<int>{SIGTERM});
}

TEST_CASE("inside a Slurm allocation the steps on other hosts are asked through Slurm") {
    ::setenv("SLURM_JOB_ID", "17", 1);
    Scene scene;
    scene.options.launch = "/usr/bin/srun -n {n}";
    scene.world.ranks_here = 0;
    scene.world.signals_to_come = {{1005.5, SIGTERM}, {1008.5, SIGTERM}};
    CHECK(scene.supervise() == 143);
    ::unsetenv("SLURM_JOB_ID");
    CHECK(std::ranges::find(scene.world.asked, std::vector<std::string>{"scancel", "--signal=TERM", "17"}) !=
          scene.world.asked.end());
}

TEST_CASE("ranks are asked to stop by the signal that came, for they write down by what they were ended") {
    Scene scene;
    scene.world.signals_to_come = {{1005.5, SIGINT}};
    CHECK(scene.supervise() == 130);
    CHECK(scene.world.sent == std::vector<int>{SIGINT});
    CHECK(scene.noted("SIGINT: "));
    CHECK_FALSE(scene.noted("SIGTERM"));
}

TEST_CASE("by which signal a job was ended is told once, be it by the job or by its supervisor") {
    const auto told = [](const Scene& scene) {
        return std::ranges::count_if(scene.events(), [](const Event& event) {
            return event.text.find("ended by SIGINT") != std::string::npos;
        });
    };
    Scene silent; // the job had no moment left
    silent.world.signals_to_come = {{1005.5, SIGINT}};
    CHECK(silent.supervise() == 130);
    CHECK(told(silent) == 1);
    CHECK(silent.events().back().kind == "signal");

    Scene scene;
    scene.world.signals_to_come = {{1005.5, SIGINT}};
    scene.world.on_end = [&] {
        Database database = Database::open_for_writing(scene.options.database);
        note_stopped(database, database.runs().back(), "ended by SIGINT", utc_text(scene.world.utc_s()));
    };
    CHECK(scene.supervise() == 130);
    CHECK(told(scene) == 1);
    CHECK(scene.events().back().text.starts_with("job started "));
    CHECK(scene.events().back().kind == "info");
}

TEST_CASE("two signals at the same moment are one wish, another one a second later is not") {
    Scene scene;
    // As `timeout` sends them: to its child, and to the child's group.
    scene.world.signals_to_come = {{1005.5, SIGTERM}, {1005.5, SIGTERM}, {1005.6, SIGTERM}};
    CHECK(scene.supervise() == 143);
    CHECK(scene.world.sent == std::vector<int>{SIGTERM});
    CHECK_FALSE(scene.noted("at once"));

    Scene hanging;
    hanging.world.behaviours.push_back({.faults = {{"one", 1}}, .kind = Behaviour::Kind::hang});
    hanging.world.signals_to_come = {{1005.5, SIGTERM}, {1005.5, SIGTERM}, {1006.5, SIGTERM}};
    CHECK(hanging.supervise() == 143);
    CHECK(hanging.world.sent.back() == SIGKILL);
    CHECK(hanging.world.now_s < 1020);
    CHECK(hanging.suite(0).state == SuiteState::open);
    CHECK(hanging.suite(0).attempts == 0);
}

TEST_CASE("a signal while waiting for the next run ends it without starting another") {
    Scene scene;
    scene.options.runs = 5;
    scene.options.runs_in_database = true;
    scene.options.every_s = 3600;
    scene.world.signals_to_come = {{1000 + 1800, SIGTERM}};
    CHECK(scene.supervise() == 143);
    CHECK(scene.world.commands.size() == 1);
    CHECK(scene.world.now_s == close_to(2800));
}

TEST_CASE("a daemon outlives its terminal; a run that somebody watches ends with it") {
    for (const bool daemon : {true, false}) {
        Scene scene;
        scene.options.runs_in_database = daemon;
        scene.world.signals_to_come = {{1001.5, SIGHUP}};
        CHECK(scene.supervise() == (daemon ? 0 : 128 + SIGHUP));
    }
}

TEST_CASE("a log that cannot be written does not end the work") {
    Scene scene;
    const auto full = [](std::string_view) { throw std::system_error(ENOSPC, std::generic_category()); };
    scene.options.on_note = scene.options.on_line = scene.options.on_error_line = full;
    CHECK(scene.supervise() == 0);
    CHECK(scene.database().runs().size() == 1);
}

TEST_CASE("while it waits, the last run's events say how far it is and when the next one starts") {
    Scene scene;
    scene.options.runs = 3;
    scene.options.runs_in_database = true;
    scene.options.every_s = 3600;
    scene.world.signals_to_come = {{3000, SIGTERM}};
    CHECK(scene.supervise() == 143);
    CHECK(scene.events().back().kind == "info");
    CHECK(scene.events().back().text.starts_with("1 of 3 "));
}

TEST_CASE("runs start at fixed times, however long they take") {
    Scene scene;
    scene.options.runs = 20;
    scene.options.runs_in_database = true;
    scene.options.every_s = 3600;
    for (int run = 0; run < 20; ++run)
        scene.world.behaviours.push_back({.step_s = 1.0 + run % 7});
    CHECK(scene.supervise() == 0);
    CHECK(scene.database().runs().size() == 20);
    REQUIRE(scene.world.starts_utc_s.size() == 20);
    for (std::size_t run = 0; run < 20; ++run)
        CHECK(scene.world.starts_utc_s[run] ==
              close_to(scene.world.starts_utc_s[0] + 3600.0 * static_cast<double>(run)).epsilon(1e-12));
}

namespace {

/// Runs of a daemon that starts one each night at 02:00, in Central Europe.
struct Nightly : Scene {
    LocalZone zone{central_europe};

    explicit Nightly(const char* now) {
        options.runs = 3;
        options.runs_in_database = true;
        options.at_minute = 2 * 60;
        world.utc_offset_s = utc_seconds(now).value() - world.now_s;
    }
    [[nodiscard]] std::vector<std::string> starts() const {
        std::vector<std::string> texts;
        for (const double start_s : world.starts_utc_s)
            texts.push_back(utc_text(start_s));
        return texts;
    }
};

} // namespace

TEST_CASE("nightly runs start at a time of the local clock, the first one, too") {
    using Starts = std::vector<std::string>;
    Nightly scene("2026-10-24T18:00:00Z"); // the night before clocks are put back
    CHECK(scene.supervise() == 0);
    CHECK(scene.starts() == Starts{"2026-10-25T00:00:00Z", "2026-10-26T01:00:00Z", "2026-10-27T01:00:00Z"});
    CHECK(scene.noted("2026-10-27T01:00:00Z (02:00 CET)"));

    Nightly a_second_before("2026-11-24T00:59:59Z");
    a_second_before.options.runs = 1;
    CHECK(a_second_before.supervise() == 0);
    CHECK(a_second_before.starts() == Starts{"2026-11-24T01:00:00Z"});
}

TEST_CASE("without a number of runs a daemon goes on until it is asked to end") {
    Nightly scene("2026-11-24T00:00:00Z");
    scene.options.runs.reset();
    scene.world.signals_to_come = {{1000 + 20 * 86400, SIGTERM}};
    CHECK(scene.supervise() == 143);
    CHECK(scene.database().runs().size() == 20);
    CHECK(scene.events().back().text.ends_with(" 2026-12-14T01:00:00Z (02:00 CET)"));
}

TEST_CASE("the wall clock decides when the next run starts, also when it is set meanwhile") {
    Scene scene;
    scene.options.runs = 2;
    scene.options.runs_in_database = true;
    scene.options.every_s = 86400;
    scene.world.clock_step_at_s = 2000;
    scene.world.clock_step_s = 7200;
    CHECK(scene.supervise() == 0);
    CHECK(scene.world.starts_utc_s[1] - scene.world.starts_utc_s[0] == close_to(86400).epsilon(1e-3));
}

TEST_CASE("a clock that was ten days ahead for a moment costs no ten days") {
    Scene scene;
    scene.options.runs = 4;
    scene.options.runs_in_database = true;
    scene.options.every_s = 3600;
    scene.world.clock_step_at_s = 5000; // in the second wait
    scene.world.clock_step_s = 10 * 86400;
    scene.world.clock_back_at_s = 5500;
    CHECK(scene.supervise() == 0);
    CHECK(scene.database().runs().size() == 4);
    CHECK(scene.world.now_s < 1000 + 5 * 3600);
}

TEST_CASE("a crash within a run is repaired at once, not at the next start") {
    Scene scene;
    scene.options.runs = 2;
    scene.options.runs_in_database = true;
    scene.options.every_s = 3600;
    scene.world.behaviours.push_back({.faults = {{"two", 2}}});
    CHECK(scene.supervise() == 0);
    REQUIRE(scene.world.starts_utc_s.size() == 3);
    CHECK(scene.world.starts_utc_s[1] - scene.world.starts_utc_s[0] < 60);
    CHECK(scene.world.starts_utc_s[2] - scene.world.starts_utc_s[0] == close_to(3600));
}

TEST_CASE("a daemon started again counts the runs that are there and keeps the schedule") {
    Scene scene;
    scene.options.runs = 3;
    scene.options.runs_in_database = true;
    scene.options.every_s = 3600;
    scene.plan.time_utc = "2026-11-21T10:00:00Z";
    scene.world.signals_to_come = {{3000, SIGTERM}};
    CHECK(scene.supervise() == 143);
    CHECK(scene.database().runs().size() == 1);

    // invented::Job says that its run began at 2026-11-21T10:00:00Z.
    InventedWorld later(scene.plan);
    constexpr double ten_o_clock = 1795255200;
    later.utc_offset_s = ten_o_clock + 2.25 * 3600 - later.now_s;
    CHECK(skampi::supervise(scene.options, later) == 0);
    CHECK(scene.database().runs().size() == 3);
    REQUIRE(later.starts_utc_s.size() == 2);
    CHECK(later.starts_utc_s[0] == close_to(ten_o_clock + 3 * 3600).epsilon(1e-12));
    CHECK(later.starts_utc_s[1] == close_to(ten_o_clock + 4 * 3600).epsilon(1e-12));
    CHECK(skampi::supervise(scene.options, later) == 0);
    CHECK(later.starts_utc_s.size() == 2);
}

TEST_CASE("an interrupted run is gone on with at once when the daemon is started again") {
    Scene scene;
    scene.options.runs_in_database = true;
    scene.options.every_s = 3600;
    scene.world.signals_to_come = {{1004.5, SIGTERM}};
    CHECK(scene.supervise() == 143);
    InventedWorld later(scene.plan);
    CHECK(skampi::supervise(scene.options, later) == 0);
    CHECK(later.now_s < 1200);
    CHECK(scene.database().runs().size() == 1);
}

TEST_CASE("runs of another plan or rank count are nobody's business") {
    Scene scene;
    scene.options.runs_in_database = true;
    invented::JobPlan other = scene.plan;
    other.plan_hash = "another";
    invented::Job(other).step({}, false);
    other = scene.plan;
    other.ranks = 7;
    invented::Job(other).step({}, false);
    CHECK(scene.supervise() == 0);
    CHECK(scene.database().runs().size() == 3);
    CHECK(scene.database().run(1).ended_utc.empty());
}

TEST_CASE("a series that only the job knows is counted once it has said so") {
    for (const bool daemon : {false, true}) {
        CAPTURE(daemon);
        Scene scene;
        scene.options.runs_in_database = daemon;
        scene.options.runs = 3;
        scene.plan.mpi_library = "another library";
        InventedWorld world(scene.plan);
        CHECK(skampi::supervise(scene.options, world) == 0);
        CHECK(world.commands.size() == 3);
        CHECK(scene.database().runs().size() == 3);
        CHECK(scene.noted("\"another library\""));
        // Started again: a daemon's runs are all there, others begin anew.
        InventedWorld again(scene.plan);
        CHECK(skampi::supervise(scene.options, again) == 0);
        CHECK(scene.database().runs().size() == (daemon ? 3 : 6));
    }
}

TEST_CASE("launches whose series alternate are all counted") {
    Scene scene;
    scene.options.launches = 4;
    for (int job = 0; job < 20; ++job)
        scene.world.behaviours.push_back({.mpi_library = job % 2 == 0 ? "one" : "another"});
    CHECK(scene.supervise() == 0);
    CHECK(scene.database().runs().size() == 4);
    CHECK(scene.world.commands.size() == 4);
}

TEST_CASE("a suite that failed in a run of another series before is nothing of ours") {
    Scene scene;
    scene.options.retries = 0;
    scene.world.behaviours = {{.mpi_library = "another", .faults = {{"two", 2}}}, {.mpi_library = "another"}};
    CHECK(scene.supervise() == 1);
    CHECK(scene.suite(1).state == SuiteState::failed);
    InventedWorld later(scene.plan);
    later.behaviours = {{.mpi_library = "another"}};
    CHECK(skampi::supervise(scene.options, later) == 0);
    CHECK(scene.suite(1).state == SuiteState::finished);
}

TEST_CASE("runs on nodes that a scheduler gives anew each time are counted together") {
    Scene scene;
    scene.options.runs_in_database = true;
    scene.options.runs = 2;
    invented::JobPlan elsewhere = scene.plan;
    elsewhere.host = "node7";
    {
        invented::Job job(elsewhere);
        while (job.step({}, false) != invented::Job::Step::run_ended) {
        }
    }
    CHECK(scene.supervise() == 0);
    CHECK(scene.world.commands.size() == 1);
}

TEST_CASE("launches follow one another and are numbered") {
    Scene scene;
    scene.options.launches = 3;
    CHECK(scene.supervise() == 0);
    CHECK(scene.database().runs().size() == 3);
    REQUIRE(scene.world.commands.size() == 3);
    for (std::size_t launch = 0; launch < 3; ++launch) {
        const std::vector<std::string>& argv = scene.world.commands[launch].argv;
        const auto option = std::ranges::find(argv, "--launch-number");
        REQUIRE(option != argv.end());
        CHECK(*(option + 1) == std::to_string(launch));
    }
}

TEST_CASE("a fresh run leaves an unfinished one alone, and its own crash does not make it start anew") {
    Scene scene;
    scene.world.signals_to_come = {{1004.5, SIGTERM}};
    CHECK(scene.supervise() == 143);
    InventedWorld later(scene.plan);
    later.behaviours.push_back({.faults = {{"three", 8}}});
    scene.options.fresh = true;
    CHECK(skampi::supervise(scene.options, later) == 0);
    CHECK(scene.database().runs().size() == 2);
    CHECK(scene.database().run(1).ended_utc.empty());
    CHECK_FALSE(scene.database().run(2).ended_utc.empty());
}

TEST_CASE("what a job leaves behind is killed before the next one starts") {
    Scene scene;
    scene.world.behaviours.push_back({.faults = {{"one", 1}}});
    scene.world.on_start = [&scene] {
        CHECK(scene.world.leftovers == 0);
        scene.world.leftovers = 3;
    };
    scene.world.leftovers = 2; // of a former supervisor
    CHECK(scene.supervise() == 0);
    CHECK(scene.world.leftovers == 0);
}

TEST_CASE("somebody else's job in the database is named, and nothing is started") {
    Scene scene;
    const Database other = Database::open_for_writing(scene.plan.database);
    CHECK_THROWS_AS(static_cast<void>(scene.supervise()), SystemError);
    CHECK(scene.world.commands.empty());
}

TEST_CASE("a launch template that makes no sense is refused before anything happens") {
    Scene scene;
    scene.options.launch = "srun '-n {n}";
    CHECK_THROWS_AS(static_cast<void>(scene.supervise()), InputError);
    CHECK(scene.world.commands.empty());
}

TEST_CASE("Slurm jobs of a former supervisor are cancelled, a hanging one too") {
    Scene scene;
    scene.options.launch = "sbatch --wait --wrap 'srun {command}'";
    scene.world.answers["squeue"] = "17\n";
    CHECK(scene.supervise() == 0);
    const auto cancelled = std::ranges::find(scene.world.asked, std::vector<std::string>{"scancel", "17"});
    CHECK(cancelled != scene.world.asked.end());
}

TEST_CASE("the mark of a database is the same before and after it exists, by whatever name") {
    const ScratchFolder folder;
    const std::filesystem::path before = std::filesystem::current_path();
    std::filesystem::current_path(folder.path());
    const auto relative = supervised_mark("x.db");
    std::ofstream(folder / "x.db") << "x";
    CHECK(supervised_mark("x.db") == relative);
    CHECK(supervised_mark(folder / "x.db") == relative);
    std::filesystem::create_symlink("x.db", "link.db");
    CHECK(supervised_mark("link.db") == relative);
    std::filesystem::current_path(before);
}

TEST_CASE("the limit for silence follows from the suites' own limits") {
    Suite suite;
    suite.repetition.max_time_s = 1200;
    CHECK(default_hang_after_s({suite}) == 2400);
    suite.repetition.max_time_s = 1;
    CHECK(default_hang_after_s({suite}) == 300);
    suite.repetition.max_time_s.reset();
    CHECK(default_hang_after_s({suite}) == 1200);
    CHECK(default_hang_after_s({}) == 300);
}
