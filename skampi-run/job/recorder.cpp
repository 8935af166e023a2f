// SPDX-License-Identifier: LGPL-2.1-or-later
#include "job/recorder.hpp"

#include "base/file.hpp"
#include "base/text.hpp"
#include "base/utc.hpp"
#include "base/utf8.hpp"
#include "host/environment.hpp"
#include "host/host_facts.hpp"
#include "interruption/crash_protocol.hpp"
#include "interruption/stop_signal.hpp"
#include "job/algorithm_findings.hpp"
#include "job/run_ledger.hpp"
#include "job/suite_record.hpp"
#include "model/field_text.hpp"
#include "model/placement.hpp"
#include "model/quantity.hpp"
#include "model/series.hpp"
#include "model/session_start.hpp"
#include "plan/job_plan.hpp"
#include "runs/earlier_launches.hpp"
#include "runs/run_end.hpp"
#include "runs/run_log.hpp"
#include "runs/status.hpp"
#include "runs/told_by_supervisor.hpp"
#include "spec/plan.hpp"
#include "store/session_lock.hpp"
#include "suite/group_run.hpp"
#include "suite/suite_run.hpp"
#include "terminal/progress.hpp"
#include "terminal/run_table.hpp"
#include "terminal/terminal.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <optional>
#include <utility>

namespace skampi {
namespace {

using namespace std::chrono_literals;

/// A commit takes as long as dozens of short calls.
constexpr auto gathering_time = 50ms;

/// Reads all of the file's unfinished runs before it is opened for writing, which changes it.
/// @throws StoreError naming the damage
void refuse_damage(const std::string& path) {
    std::error_code error;
    if (!std::filesystem::is_regular_file(path, error) || std::filesystem::file_size(path, error) == 0)
        return;
    const Database database = Database::open(path);
    for (const RunId id : database.runs())
        if (const Run run = database.run(id); run.kind == "raw" && run.ended_utc.empty())
            database.check_run(id);
}

std::string name_of(const std::vector<SuiteRecord>& begun) {
    const Suite& first = begun.front().suite();
    return begun.size() == 1 ? first.name
                             : fmt::format("{} ({} algorithms in turns)", first.family, begun.size());
}

/// The suites of a plan that are due.
std::vector<Suite> due_suites(const std::vector<Suite>& plan, const DueSuites& due) {
    std::vector<Suite> suites;
    std::ranges::copy_if(plan, std::back_inserter(suites), [&](const Suite& suite) {
        return due.empty() || due_of(due, suite.name) != nullptr;
    });
    return suites;
}

/// A suite, or with it the others of its group that are to be measured: one that a former start crashed in is
/// measured without those that are well.
std::vector<const StoredSuite*> group_of(const StoredSuite& next, const std::vector<StoredSuite>& suites) {
    std::vector<const StoredSuite*> group;
    for (const StoredSuite& suite : suites)
        if (&suite == &next || (suite.state == SuiteState::open && suite.attempts == next.attempts &&
                                differ_in_algorithm(suite.suite, next.suite)))
            group.push_back(&suite);
    return group;
}

Database opened(const RunOptions& options, const std::string& path) {
    if (options.session_place.known())
        join_session_at(path);
    return Database::open_for_writing(path);
}

class DatabaseRecorder : public Recorder {
public:
    DatabaseRecorder(const RunOptions& options, const ParameterFile& plan, std::vector<std::string> changes,
                     const Surroundings& surroundings)
        : options_(options)
        , plan_(plan)
        , changes_(std::move(changes))
        , path_(database_path(options.database, plan))
        , log_(plan.logfile, path_)
        , database_(opened(options, path_))
        , ranks_(static_cast<int>(surroundings.ranks.size())) {
        begin(surroundings);
        log_.begin(run_facts_.uuid);
        append_to_log({{utc_now(), "begin", "",
                        fmt::format("{}, {}, {}", plan_.name, count_of(std::ssize(plan_.suites), "suite"),
                                    count_of(ranks_, "rank"))}});
        write_log();
    }

    /// The run to go on with. One in which a session of variants was interrupted belongs to that session.
    [[nodiscard]] std::optional<RunId> open_run_of(const Series& series,
                                                   std::vector<std::string>& why_not) const {
        if (options_.fresh)
            return std::nullopt;
        const std::optional<RunId> open = database_.find_open_run(series, &why_not);
        if (!open)
            return std::nullopt;
        return database_.run(*open).session_place == options_.session_place ? open : std::nullopt;
    }

    /// Goes on with an unfinished run of the same series or begins one.
    void begin(const Surroundings& surroundings) {
        Run run = run_of(plan_, options_, surroundings);
        if (const std::string network = network_file_system(path_); !network.empty())
            run.facts["network file system"] = network;
        if (run.session_place.known())
            session_ = join_session(database_, path_, run);
        here_ = placement_text(surroundings.ranks, {});
        const int same_series = learn_from_series(run);
        std::vector<std::string> why_not;
        if (const std::optional<RunId> unfinished = open_run_of(Series(run), why_not)) {
            go_on(*unfinished, run);
            return;
        }
        run.uuid = make_uuid();
        run.launch = options_.launch.value_or(same_series);
        run_facts_ = std::move(run);
        run_ = database_.begin_run(run_facts_, due_suites(plan_.suites, options_.due));
        for (const std::string& reason : why_not)
            warn("",
                 "an unfinished run in this file belongs to another series and is not continued: " + reason);
        for (const std::string& name : surroundings.environment.unknown)
            warn("", name + " is set, but this MPI library has no such setting");
        for (const std::string& change : changes_)
            warn("", change);
        if (const std::string warning =
                binding_warning(surroundings.ranks, run_facts_.mpi_library, run_facts_.launcher);
            !warning.empty())
            warn("", warning);
    }

    /// What other runs of the series know of the machine. @return how many there are
    int learn_from_series(const Run& run) {
        const Series series(run);
        int same_series = 0;
        for (const RunId id : database_.runs()) {
            const Run known = database_.run(id);
            if (known.kind != "raw" || Series(known) != series)
                continue;
            ++same_series;
            series_.push_back(id);
            state_.modes.know(known.reference_probe_s, known.lowest_probe_s, known.highest_probe_s,
                              known.host == run.host ? known.reference_core_throughput : 0);
            if (state_.reference_core_speed == 0)
                state_.reference_core_speed = known.reference_core_speed;
        }
        return same_series;
    }

    /// Of the run before this one in the series: the same when this run goes on after an interruption.
    [[nodiscard]] std::vector<std::int64_t> known_jumps(const Suite& suite) const {
        const auto after = std::ranges::lower_bound(series_, run_);
        return after == series_.begin() ? std::vector<std::int64_t>()
                                        : sides_of_jumps(database_, *std::prev(after), suite);
    }

    /// @param now the run as this start would begin it
    void go_on(RunId unfinished, const Run& now) {
        run_ = unfinished;
        run_facts_ = database_.run(run_);
        state_.first_reference_s = run_facts_.reference_probe_s;
        restore_run_state(database_, run_, ranks_, here_, state_);
        began_here_ = run_facts_.host == now.host;
        ledger_.go_on(run_facts_, state_);
        run_facts_.rank_facts = now.rank_facts; // other processes now: a crash names its process
        database_.update_run(run_, run_facts_);
        note_unseen_end(database_, run_, options_.retries, utc_now());
        database_.add_event(run_, {utc_now(), "info", "", "the run goes on"});
    }

    [[nodiscard]] std::vector<Suite> plan() const override {
        std::vector<Suite> plan;
        for (StoredSuite& stored : database_.suites(run_))
            plan.push_back(std::move(stored.suite));
        return plan;
    }

    int measure(Laboratory& laboratory, const Tempo& tempo) override {
        Progress progress(options_.progress, stdout);
        database_.gather_commits(gathering_time);
        std::vector<StoredSuite> suites = database_.suites(run_); // kept up to date here: there may be many
        begin_s_ = laboratory.now();
        show_beginning(progress, suites);
        while (const StoredSuite* next = next_suite(suites, options_.retries, options_.launch)) {
            const auto done = std::ranges::count_if(suites, [](const StoredSuite& suite) {
                return suite.state == SuiteState::finished || suite.state == SuiteState::failed;
            });
            std::vector<SuiteRecord> begun;
            for (const StoredSuite* member : group_of(*next, suites))
                begun.emplace_back(database_, run_, *member);
            progress.suite_started(static_cast<int>(done), name_of(begun), laboratory.now());
            const double suite_begin_s = laboratory.now();
            if (!measure_suites(begun, laboratory, tempo, progress))
                return stopped(progress);
            for (const SuiteRecord& member : begun)
                show_end(suites, member.stored().id, laboratory.now() - suite_begin_s, progress, laboratory);
        }
        return end(progress);
    }

private:
    void show_end(std::vector<StoredSuite>& suites, SuiteId id, double took_s, Progress& progress,
                  Laboratory& laboratory) {
        StoredSuite& measured = *std::ranges::find(suites, id, &StoredSuite::id);
        measured = database_.suite(id);
        if (measured.state != SuiteState::put_off)
            progress.suite_ended(suite_result(database_, measured), laboratory.now());
        if (!log_.wanted())
            return;
        note("suite", measured.suite.name,
             fmt::format("{} after {:.1f} s{}{}", to_text(measured.state), took_s,
                         measured.reason.empty() ? "" : ": ", measured.reason));
        write_log();
    }

    /// What comes of them; of all but a group there is one. A group is what shares its turns, or one that the
    /// library may refuse.
    std::vector<SuiteOutcome> outcomes_of(std::vector<SuiteRecord>& begun, Laboratory& laboratory,
                                          const Tempo& tempo, Progress& progress) {
        std::vector<SuiteOfRun> suites;
        std::vector<Suite> as_due;
        as_due.reserve(begun.size()); // they stay in place
        for (const SuiteRecord& member : begun) {
            const auto arguments = session_.arguments.find(member.suite().name);
            double& error = as_due.emplace_back(member.suite()).repetition.max_relative_error;
            error = std::max(error, due_of(member.suite()).error);
            suites.push_back({.suite = as_due.back(),
                              .index = member.stored().ordinal,
                              .ranks_there = ranks_,
                              .id = member.stored().id,
                              .crashed = member.stored().attempts > 0,
                              .without_windows = member.has_fact(fact_windows_given_up_in_round),
                              .arguments = arguments == session_.arguments.end()
                                               ? due_of(member.suite()).arguments
                                               : arguments->second,
                              .looked_at = known_jumps(member.suite())});
        }
        const auto on_point = [&](std::size_t member, const Measurement& m) {
            progress.measured(begun[member].suite().name, m, laboratory.now());
            keep_clock_estimates(begun[member].stored(), laboratory);
        };
        const auto on_visit = [&](std::int64_t argument, double share) {
            progress.visited(argument, share, laboratory.now());
        };
        const auto on_ready = [&](std::size_t member) { begun[member].keep_ranks(laboratory); };
        try {
            if (begun.size() > 1 || !begun.front().suite().algorithm.empty()) {
                GroupRun group(suites, laboratory, tempo, database_, state_,
                               static_cast<std::uint64_t>(run_facts_.launch));
                return group.measure({.on_point = on_point, .on_visit = on_visit, .on_ready = on_ready});
            }
            database_.begin_suite(begun.front().stored().id);
            SuiteRun suite(suites.front(), laboratory, tempo, database_, state_);
            return {suite.measure({.on_point = [&](const Measurement& m) { on_point(0, m); },
                                   .on_visit = on_visit,
                                   .on_ready = [&] { on_ready(0); }})};
        } catch (const std::invalid_argument& error) { // limits that became impossible on this machine
            std::vector<SuiteOutcome> failed(begun.size());
            for (SuiteOutcome& outcome : failed)
                outcome.error = error.what();
            return failed;
        }
    }

    /// What is due of a suite of this run.
    [[nodiscard]] DueSuite due_of(const Suite& suite) const {
        const DueSuite* const due = skampi::due_of(options_.due, suite.name);
        return due ? *due : DueSuite();
    }
    [[nodiscard]] Facts facts_of_due(const Suite& suite) const {
        Facts facts;
        if (options_.precision.asked_for())
            facts[fact_until] = number_text(options_.precision.half_width);
        if (const double error = due_of(suite).error; error > suite.repetition.max_relative_error)
            facts[fact_enough_error] = fmt::format("{:.3g} %", 100 * error);
        return facts;
    }

    /// @return false when the run must end here
    bool measure_suites(std::vector<SuiteRecord>& begun, Laboratory& laboratory, const Tempo& tempo,
                        Progress& progress) {
        std::vector<StoredSuite> group;
        for (SuiteRecord& member : begun) {
            const Facts known =
                member.begin(here_, given_up_in(member.suite()), facts_of_due(member.suite()));
            if (group.empty())
                laboratory.begin_suite(member.stored().ordinal, known);
            group.push_back(member.stored());
        }
        std::vector<SuiteOutcome> outcomes = outcomes_of(begun, laboratory, tempo, progress);
        const std::vector<Facts> findings = algorithm_findings(database_, group, outcomes);
        for (std::size_t i = 0; i < begun.size(); ++i)
            begun[i].keep_outcome(outcomes[i], findings[i], laboratory);
        keep_clock_estimates(begun.front().stored(), laboratory);
        try {
            run_facts_.rank_facts = bounded_ranks(laboratory.end_suite());
        } catch (const LaboratoryError& error) { // of the suite's last calls, or of tearing it down
            if (outcomes.back().error.empty()) {
                outcomes.back().error = error.what();
                outcomes.back().mpi_error = true;
            }
        }
        elapsed_s_ = laboratory.now() - begin_s_;
        orders_ = laboratory.orders_sent();
        save_run_facts();
        for (std::size_t i = 0; i < begun.size(); ++i)
            for (const auto& [argument, reason] : outcomes[i].impossible)
                warn(begun[i].suite().name,
                     fmt::format("argument {} cannot be measured: {}", argument, reason));
        if (outcomes.front().stopped) {
            note_stopped(database_, run_, "ended by " + signal_name(stop_signal()), utc_now());
            return false;
        }
        for (std::size_t i = 0; i < begun.size(); ++i)
            begun[i].end(outcomes[i], options_.retries);
        return true;
    }

    /// The round in which the session gave up the windows that the plan leaves it free to choose.
    [[nodiscard]] std::optional<int> given_up_in(const Suite& suite) const {
        const auto found = session_.without_windows.find(suite.name);
        return found == session_.without_windows.end() || plan_.families_in_windows.contains(suite.family)
                   ? std::nullopt
                   : std::optional(found->second);
    }

    /// The header, and what former starts found.
    void show_beginning(Progress& progress, const std::vector<StoredSuite>& suites) {
        std::size_t longest_name = 0;
        for (const StoredSuite& suite : suites)
            longest_name = std::max(longest_name, character_count(printable(suite.suite.name)));
        progress.run_started({.uuid = run_facts_.uuid,
                              .suites = static_cast<int>(suites.size()),
                              .title = run_title(run_facts_, path_),
                              .longest_name = longest_name},
                             begin_s_);
        for (const StoredSuite& suite : suites)
            if (suite.state == SuiteState::finished || suite.state == SuiteState::failed)
                progress.suite_ended(suite_result(database_, suite), begin_s_);
    }

    /// Stores the estimates of the global clock, and reports those that contradict one before.
    void keep_clock_estimates(const StoredSuite& stored, Laboratory& laboratory) {
        std::vector<ClockEstimate> estimates = laboratory.take_clock_estimates();
        for (ClockEstimate& estimate : estimates) {
            estimate.start_s += state_.time_line_begin_s;
            if (!estimate.held)
                warn(stored.suite.name,
                     fmt::format(
                         "a rank's clock was {:.3g} us off the global one after {:.3g} s, where at most "
                         "{:.3g} us was expected; times of collectives since {:.3g} s on the run's time line "
                         "may be wrong by as much; the bound is wider from now on",
                         1e6 * estimate.deviation_s, estimate.age_s, 1e6 * estimate.predicted_s,
                         estimate.start_s - estimate.age_s));
        }
        database_.add_clock_estimates(stored.id, estimates);
    }

    void save_run_facts() {
        run_facts_.reference_probe_s = state_.first_reference_s;
        run_facts_.reference_core_speed = state_.reference_core_speed;
        if (const KnownModes::Mode* mode = state_.modes.find(state_.first_reference_s)) {
            run_facts_.lowest_probe_s = mode->lowest_s;
            run_facts_.highest_probe_s = mode->highest_s;
            if (began_here_) // it is stored with the host where the run began
                run_facts_.reference_core_throughput = mode->own_throughput();
        }
        ledger_.write(run_facts_, state_, elapsed_s_, orders_);
        database_.update_run(run_, run_facts_);
    }

    void warn(const std::string& suite, const std::string& text) {
        database_.add_event(run_, {utc_now(), "warning", suite, text});
        tell(fmt::format("warning: {}", printable(text)));
    }

    /// A line of the log alone; the database knows it otherwise.
    void note(const std::string& kind, const std::string& suite, const std::string& text) {
        notes_.push_back({utc_now(), kind, suite, text});
    }

    /// Brings the log up to date: what was noted, and the events of the database.
    void write_log() {
        if (!log_.wanted())
            return;
        append_to_log(database_.events(run_));
        append_to_log(std::exchange(notes_, {}));
    }
    void append_to_log(const std::vector<Event>& events) {
        if (const std::string why = log_.append(events); !why.empty())
            warn("", why);
    }

    /// All is stored: a failed write must not end the ranks with an error. main sees it.
    void say(const std::string& line) const {
        if (options_.silent)
            return;
        std::fputs(line.c_str(), stdout);
        std::fflush(stdout);
    }
    /// A line that stands alone, whichever way a launcher, which leads both outputs to the terminal, may mix
    /// it with the bar.
    void tell(const std::string& line) const {
        std::fputs(((beside_bar_ ? clear_line : "") + options_.program + ": " + line + "\n").c_str(), stderr);
    }

    int stopped(Progress& progress) {
        database_.gather_commits(0s);
        write_log();
        progress.clear();
        tell(fmt::format("stopped by {}; start again with the same options to continue",
                         signal_name(stop_signal())));
        say(fmt::format("SKAMPI: STOPPED database={}\n", printable(path_)));
        return 128 + stop_signal();
    }

    int end(Progress& progress) {
        database_.gather_commits(0s);
        for (const std::string& line : unfinished_suites(database_, run_))
            tell(line);
        run_facts_.facts[fact_file_size] = std::to_string(database_.bytes_in_use());
        save_run_facts();
        run_facts_.ended_utc = utc_now();
        database_.end_run(run_, run_facts_);
        try {
            if (options_.keep_samples)
                drop_old_samples(database_, run_facts_, *options_.keep_samples);
        } catch (const Error& error) { // this run is complete, also if an older one is damaged
            tell(fmt::format("warning: the single measurements of old runs are kept: {}", error.what()));
        }
        const RunSums sums = sums_of_run(database_, run_);
        note("end", "",
             fmt::format("points={} not_repeatable={} failed={}", sums.points, sums.not_repeatable,
                         sums.failed));
        write_log();
        const bool ok = sums.failed == 0 && sums.wrong == 0 && sums.missing == 0;
        const ExitStatus status = ok ? ExitStatus::done : ExitStatus::incomplete;
        progress.run_ended(sums.points, sums.not_repeatable, sums.disturbed, sums.failed,
                           static_cast<int>(status));
        if (const std::optional<Terminal> terminal = terminal_behind(stdout);
            terminal && options_.progress == ProgressKind::automatic) {
            progress.clear();
            say(run_footer(database_, run_facts_.uuid, terminal->columns));
        } else if (const std::string remark = repeatability_remark(sums);
                   !remark.empty() &&
                   options_.progress != ProgressKind::json) { // a supervisor says it itself
            tell(remark);
        }
        // Of the many launches of a session it is said once.
        if (run_facts_.session_place.session.empty() || sums.failed + sums.wrong > 0)
            for (const std::string& line : missing_values(database_, run_))
                tell(line);
        say(sums_line(sums, ok) + "\n");
        return static_cast<int>(status);
    }

    const RunOptions& options_;
    bool beside_bar_ = output_of_bar(options_.progress, stdout) != nullptr;
    const ParameterFile& plan_;
    std::vector<std::string> changes_;
    std::string path_;
    RunLog log_;
    std::vector<Event> notes_; ///< for the log, not yet written
    Database database_;
    int ranks_;
    RunId run_ = 0;
    Run run_facts_;
    std::string here_;       ///< which ranks run where now
    bool began_here_ = true; ///< the run, on this host
    RunState state_;
    SharedBySession session_;
    std::vector<RunId> series_; ///< the raw runs of this series that were there at this start, ascending
    RunLedger ledger_;
    std::int64_t orders_ = 0; ///< of this start
    double begin_s_ = 0;      ///< of this start, on the laboratory's time line
    double elapsed_s_ = 0;    ///< since then, at the end of the last suite, or when it was interrupted
};

} // namespace

Run run_of(const ParameterFile& plan, const RunOptions& options, const Surroundings& surroundings) {
    Run run;
    run.plan_hash = plan_hash(plan);
    run.ranks = static_cast<int>(surroundings.ranks.size());
    run.machine = plan.machine;
    run.variant = options.variant;
    run.mpi_library = surroundings.library;
    run.host = surroundings.ranks.front().processor;
    run.placement = placement_text(surroundings.ranks, run.machine);
    run.binding = binding_text(surroundings.ranks);
    run.launcher = surroundings.launcher;
    run.settings = surroundings.environment.settings;
    run.facts = surroundings.facts;
    run.host_sizes = surroundings.host_sizes;
    run.tool_version = SKAMPI_VERSION;
    run.parameter_file = plan.name;
    run.parameter_text = plan.text;
    run.user = plan.user;
    run.node = plan.node;
    run.network = plan.network;
    run.comment = plan.comment;
    run.absolute = plan.absolute;
    run.session_place = options.session_place;
    run.clock_resolution_s = surroundings.clock.resolution_s;
    run.clock_cost_s = surroundings.clock.cost_s;
    run.started_utc = utc_now();
    for (const auto& [name, value] : surroundings.environment.job_facts)
        run.facts["env " + name] = value;
    run.facts.merge(told_by_supervisor());
    run.rank_facts = bounded_ranks(surroundings.ranks);
    return run;
}

std::unique_ptr<Recorder> Recorder::begin(const RunOptions& options, const ParameterFile& plan,
                                          const std::vector<std::string>& changes,
                                          const Surroundings& surroundings) {
    refuse_damage(database_path(options.database, plan));
    return std::make_unique<DatabaseRecorder>(options, plan, changes, surroundings);
}

} // namespace skampi
