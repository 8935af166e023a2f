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
#include "model/field_text.hpp"
#include "model/launch_command.hpp"
#include "model/ledger.hpp"
#include "model/left_out.hpp"
#include "model/placement.hpp"
#include "model/quantity.hpp"
#include "model/series.hpp"
#include "model/session.hpp"
#include "model/session_start.hpp"
#include "plan/job_plan.hpp"
#include "runs/damaged_runs.hpp"
#include "runs/run_end.hpp"
#include "runs/run_log.hpp"
#include "runs/session_arguments.hpp"
#include "runs/session_machine.hpp"
#include "runs/session_starts.hpp"
#include "runs/status.hpp"
#include "runs/told_by_supervisor.hpp"
#include "spec/plan.hpp"
#include "suite/group_run.hpp"
#include "suite/suite_run.hpp"
#include "terminal/bar.hpp"
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

/// "a: 0-1", or "a: 0-1 | b: 0-1" where a suite went on elsewhere.
std::string told_too(const std::string& before, const std::string& now) {
    if (before.empty())
        return now;
    const std::string and_now = std::string(between_places) + now;
    return before == now || before.ends_with(and_now) ? before : before + and_now;
}

std::string told_last(const std::string& told) {
    const std::size_t last = told.rfind(between_places);
    return last == std::string::npos ? told : told.substr(last + between_places.size());
}

/// A commit takes as long as dozens of short calls.
constexpr auto gathering_time = 50ms;

constexpr const char* ledger_inside = "ledger: ns in measured operations";
constexpr const char* ledger_elapsed = "ledger: ns in all suites";

class DatabaseRecorder : public Recorder {
public:
    DatabaseRecorder(const RunOptions& options, const ParameterFile& plan, std::vector<std::string> changes,
                     const Surroundings& surroundings)
        : options_(options)
        , plan_(plan)
        , changes_(std::move(changes))
        , path_(database_path(options.database, plan))
        , log_(plan.logfile, path_)
        , database_(Database::open_for_writing(path_))
        , ranks_(static_cast<int>(surroundings.ranks.size())) {
        begin(surroundings);
        log_.begin(run_facts_.uuid);
        append_to_log({{utc_now(), "begin", "",
                        fmt::format("{}, {}, {}", plan_.name, count_of(std::ssize(plan_.suites), "suite"),
                                    count_of(ranks_, "rank"))}});
        write_log();
    }

    /// The run to go on with. One that a session of variants was interrupted in is nobody else's.
    [[nodiscard]] std::optional<RunId> open_run_of(const Series& series,
                                                   std::vector<std::string>& why_not) const {
        if (options_.fresh)
            return std::nullopt;
        const std::optional<RunId> open = database_.find_open_run(series, &why_not);
        if (!open)
            return std::nullopt;
        return database_.run(*open).session_place == options_.session_place ? open : std::nullopt;
    }

    /// What is told of a run by its surroundings and by whoever started it.
    void add_own_facts(Run& run, const Environment& environment) const {
        for (const auto& [name, value] : environment.told)
            run.facts["env " + name] = value;
        if (const std::string network = network_file_system(path_); !network.empty())
            run.facts["network file system"] = network;
        run.facts.merge(told_by_supervisor());
    }

    /// One that is not in the file has no variants.
    [[nodiscard]] Session session_of(const std::string& uuid) const {
        const std::vector<Session> sessions = database_.sessions();
        const auto found = std::ranges::find(sessions, uuid, &Session::uuid);
        return found == sessions.end() ? Session{} : *found;
    }

    /// Refuses a launch that is none of its session, and learns what the session decided.
    void join_session(const Run& run) {
        const SessionPlace& place = options_.session_place;
        if (!place.known())
            return;
        const std::vector<EndedLaunch> launches = launches_of_session(database_, place.session);
        const Session session = session_of(place.session);
        check_session_machine(path_, session, launches, run);
        without_windows_ = suites_without_windows(database_, launches);
        arguments_ = arguments_of_session(database_, launches, session.variants, place.round);
    }

    /// Goes on with an unfinished run of the same series or begins one.
    void begin(const Surroundings& surroundings) {
        const std::vector<RankFacts>& rank_facts = surroundings.ranks;
        const Environment& environment = surroundings.environment;
        Run run;
        run.plan_hash = plan_hash(plan_);
        run.ranks = ranks_;
        run.machine = plan_.machine;
        run.variant = options_.variant;
        run.mpi_library = surroundings.library;
        run.host = rank_facts.front().processor;
        run.placement = placement_text(rank_facts, run.machine);
        run.binding = binding_text(rank_facts);
        run.launcher = surroundings.launcher;
        run.settings = environment.settings;
        run.facts = surroundings.facts;
        run.host_sizes = surroundings.host_sizes;
        join_session(run);
        const Series series(run);
        std::vector<std::string> why_not;
        const std::optional<RunId> unfinished = open_run_of(series, why_not);
        int same_series = 0;
        for (const RunId id : database_.runs()) {
            const Run known = database_.run(id);
            if (known.kind != "raw" || Series(known) != series)
                continue;
            ++same_series;
            state_.modes.know(known.reference_probe_s, known.lowest_probe_s, known.highest_probe_s,
                              known.host == run.host ? known.reference_core_throughput : 0);
            if (state_.reference_core_speed == 0)
                state_.reference_core_speed = known.reference_core_speed;
        }
        here_ = placement_text(rank_facts, {});
        if (unfinished) {
            run_ = *unfinished;
            run_facts_ = database_.run(run_);
            state_.first_reference_s = run_facts_.reference_probe_s;
            restore_run_state(database_, run_, ranks_, here_, state_);
            began_here_ = run_facts_.host == run.host;
            for (const auto& [name, text] : run_facts_.facts)
                if (name.starts_with(ledger_prefix))
                    ledger_before_[name] = std::atoll(text.c_str());
            add_unsaved_ledger();
            run_facts_.rank_facts =
                bounded_ranks(rank_facts); // other processes now: a crash is told by its process
            database_.update_run(run_, run_facts_);
            note_unseen_end(database_, run_, options_.retries, utc_now());
            database_.add_event(run_, {utc_now(), "info", "", "the run goes on"});
            return;
        }
        run.uuid = make_uuid();
        run.launch = options_.launch.value_or(same_series);
        run.tool_version = SKAMPI_VERSION;
        run.parameter_file = plan_.name;
        run.parameter_text = plan_.text;
        run.user = plan_.user;
        run.node = plan_.node;
        run.network = plan_.network;
        run.comment = plan_.comment;
        run.absolute = plan_.absolute;
        run.session_place = options_.session_place;
        run.clock_resolution_s = surroundings.clock.resolution_s;
        run.clock_cost_s = surroundings.clock.cost_s;
        run.started_utc = utc_now();
        add_own_facts(run, environment);
        run.rank_facts = bounded_ranks(rank_facts);
        run_facts_ = std::move(run);
        run_ = database_.begin_run(run_facts_, plan_.suites);
        for (const std::string& reason : why_not)
            warn("",
                 "an unfinished run in this file belongs to another series and is not continued: " + reason);
        for (const std::string& name : environment.unknown)
            warn("", name + " is set, but this MPI library has no such setting");
        for (const std::string& change : changes_)
            warn("", change);
        if (const std::string warning =
                binding_warning(rank_facts, run_facts_.mpi_library, run_facts_.launcher);
            !warning.empty())
            warn("", warning);
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
            std::vector<BegunSuite> begun;
            for (const StoredSuite* member : group_of(*next, suites))
                begun.push_back({*member, member->facts});
            progress.suite_started(static_cast<int>(done), name_of(begun), laboratory.now());
            const double suite_begin_s = laboratory.now();
            if (!measure_suites(begun, laboratory, tempo, progress))
                return stopped(progress);
            for (const BegunSuite& member : begun)
                show_end(suites, member.stored.id, laboratory.now() - suite_begin_s, progress, laboratory);
        }
        return end(progress);
    }

private:
    /// A suite whose measurement has begun, and what was found out about it.
    struct BegunSuite {
        StoredSuite stored;
        std::map<std::string, std::string> facts;
    };

    static std::string name_of(const std::vector<BegunSuite>& begun) {
        const Suite& first = begun.front().stored.suite;
        return begun.size() == 1 ? first.name
                                 : fmt::format("{} ({} algorithms in turns)", first.family, begun.size());
    }

    void show_end(std::vector<StoredSuite>& suites, SuiteId id, double took_s, Progress& progress,
                  Laboratory& laboratory) {
        StoredSuite& measured = *std::ranges::find(suites, id, &StoredSuite::id);
        measured = database_.suite(id);
        if (measured.state != SuiteState::put_off)
            progress.suite_ended(suite_row(database_, measured), measured.ordinal + 1, laboratory.now());
        if (!log_.wanted())
            return;
        note("suite", measured.suite.name,
             fmt::format("{} after {:.1f} s{}{}", to_text(measured.state), took_s,
                         measured.reason.empty() ? "" : ": ", measured.reason));
        write_log();
    }

    /// A suite, or with it the others of its group that are to be measured: one that a former start crashed
    /// in is measured without those that are well.
    static std::vector<const StoredSuite*> group_of(const StoredSuite& next,
                                                    const std::vector<StoredSuite>& suites) {
        std::vector<const StoredSuite*> group;
        for (const StoredSuite& suite : suites)
            if (&suite == &next || (suite.state == SuiteState::open && suite.attempts == next.attempts &&
                                    differ_in_algorithm(suite.suite, next.suite)))
                group.push_back(&suite);
        return group;
    }

    /// What its former starts found, and where it is measured now. @return what the laboratory is told of it
    std::map<std::string, std::string> begin_facts(BegunSuite& begun) {
        std::map<std::string, std::string>& facts = begun.facts;
        const std::string before = facts[fact_measured_on];
        facts[fact_measured_on] = told_too(before, here_);
        if (const auto given_up = without_windows_.find(begun.stored.suite.name);
            given_up != without_windows_.end() &&
            !plan_.families_in_windows.contains(begun.stored.suite.family))
            facts.emplace(fact_windows_given_up_in_round, std::to_string(given_up->second));
        database_.set_suite_facts(begun.stored.id, facts);
        std::map<std::string, std::string> known = facts;
        if (facts[fact_measured_on] != before) {
            if (known.erase(fact_partner) > 0) // elsewhere it is another one, and no value is of two
                begin_values_anew(begun.stored);
        } else if (known.contains(fact_partner))
            known[fact_partner] = told_last(known[fact_partner]);
        return known;
    }

    /// Who takes part is stored before anything that was measured of them.
    void keep_facts(BegunSuite& begun, Laboratory& laboratory, bool at_end) {
        std::map<std::string, std::string>& facts = begun.facts;
        for (const auto& [name, value] : laboratory.suite_facts()) {
            const bool of_ranks =
                name == fact_partner || name == fact_partner_place || name == fact_root_rank;
            if (of_ranks)
                facts[name] = told_too(facts[name], value);
            else if (at_end)
                facts[name] = value;
        }
        if (at_end)
            for (const auto& [name, value] : laboratory.algorithm_facts(begun.stored.ordinal))
                facts[name] = value;
        database_.set_suite_facts(begun.stored.id, facts);
    }

    /// What comes of them; of all but a group there is one. A group is what shares its turns, or one that the
    /// library may refuse.
    std::vector<SuiteOutcome> outcomes_of(std::vector<BegunSuite>& begun, Laboratory& laboratory,
                                          const Tempo& tempo, Progress& progress) {
        std::vector<SuiteOfRun> suites;
        for (const BegunSuite& member : begun) {
            const auto arguments = arguments_.find(member.stored.suite.name);
            suites.push_back({.suite = member.stored.suite,
                              .index = member.stored.ordinal,
                              .ranks_there = ranks_,
                              .id = member.stored.id,
                              .crashed = member.stored.attempts > 0,
                              .without_windows = member.facts.contains(fact_windows_given_up_in_round),
                              .arguments = arguments == arguments_.end() ? std::vector<std::int64_t>()
                                                                         : arguments->second});
        }
        const auto on_point = [&](std::size_t member, const Measurement& m) {
            progress.measured(begun[member].stored.suite.name, m, laboratory.now());
            keep_clock_estimates(begun[member].stored, laboratory);
        };
        const auto on_visit = [&](std::int64_t argument, double share) {
            progress.visited(argument, share, laboratory.now());
        };
        const auto on_ready = [&](std::size_t member) { keep_facts(begun[member], laboratory, false); };
        try {
            if (begun.size() > 1 || !begun.front().stored.suite.algorithm.empty()) {
                GroupRun group(suites, laboratory, tempo, database_, state_,
                               static_cast<std::uint64_t>(run_facts_.launch));
                return group.measure({.on_point = on_point, .on_visit = on_visit, .on_ready = on_ready});
            }
            database_.begin_suite(begun.front().stored.id);
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

    /// @return false when the run must end here
    bool measure_suites(std::vector<BegunSuite>& begun, Laboratory& laboratory, const Tempo& tempo,
                        Progress& progress) {
        for (BegunSuite& member : begun) {
            const std::map<std::string, std::string> known = begin_facts(member);
            if (&member == &begun.front())
                laboratory.begin_suite(member.stored.ordinal, known);
        }
        std::vector<SuiteOutcome> outcomes = outcomes_of(begun, laboratory, tempo, progress);
        keep_findings(begun, outcomes);
        for (std::size_t i = 0; i < begun.size(); ++i) {
            keep_curve_facts(begun[i].stored, outcomes[i], begun[i].facts);
            keep_refusals(begun[i], outcomes[i]);
            keep_facts(begun[i], laboratory, true);
        }
        keep_clock_estimates(begun.front().stored, laboratory);
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
                warn(begun[i].stored.suite.name,
                     fmt::format("argument {} cannot be measured: {}", argument, reason));
        if (outcomes.front().stopped) {
            note_stopped(database_, run_, "ended by " + signal_name(stop_signal()), utc_now());
            return false;
        }
        for (std::size_t i = 0; i < begun.size(); ++i)
            end_measured(begun[i].stored, outcomes[i]);
        return true;
    }

    void keep_findings(std::vector<BegunSuite>& begun, const std::vector<SuiteOutcome>& outcomes) {
        std::vector<StoredSuite> group;
        for (const BegunSuite& member : begun)
            group.push_back(member.stored);
        auto findings = algorithm_findings(database_, group, outcomes);
        for (std::size_t i = 0; i < begun.size(); ++i)
            for (const auto& [name, text] : findings[i])
                begun[i].facts[name] = text;
    }

    void end_measured(const StoredSuite& stored, const SuiteOutcome& outcome) {
        if (outcome.error.empty()) {
            database_.end_suite(stored.id, SuiteState::finished);
            return;
        }
        if (!database_.suite(stored.id).in_progress) // another one's turn was the last: it was an attempt
            database_.begin_suite(stored.id);
        const bool again = outcome.mpi_error && stored.attempts + 1 <= options_.retries;
        database_.add_event(
            run_, {utc_now(), outcome.mpi_error ? "mpi-error" : "warning", stored.suite.name, outcome.error});
        if (!again)
            finish_part(database_, stored.id);
        database_.end_suite(stored.id, again ? SuiteState::put_off : SuiteState::failed, outcome.error);
    }

    /// What the library refused of its algorithms is no value that is missing.
    void keep_refusals(BegunSuite& begun, const SuiteOutcome& outcome) {
        if (outcome.refused.empty())
            return;
        if (!outcome.stopped && outcome.error.empty())
            database_.drop_unfinished(begun.stored.id);
        const auto& [argument, why] = *outcome.refused.begin();
        const Suite& suite = begun.stored.suite;
        const std::string first =
            suite.varied == Varied::message_length ? format_length(argument) : std::to_string(argument);
        const std::string where = outcome.refused.size() == 1 ? first
                                                              : fmt::format("{} arguments, the first {}",
                                                                            outcome.refused.size(), first);
        begun.facts[fact_algorithm_refused] = where + ": " + why;
        database_.add_event(run_, {utc_now(), "info", suite.name,
                                   fmt::format("the library refused the algorithm {} at {}: {}",
                                               suite.algorithm, where, why)});
    }

    void keep_curve_facts(const StoredSuite& stored, const SuiteOutcome& outcome,
                          std::map<std::string, std::string>& facts) {
        if (const auto& worst = outcome.worst_segment; worst && std::isfinite(worst->key)) {
            facts[fact_interpolation_error] = fmt::format("{:.4g}", worst->key);
            facts[fact_interpolation_worst] = fmt::format("{} and {}", worst->begin, worst->end);
        }
        if (outcome.left_out > 0) {
            facts[fact_left_out] = std::to_string(outcome.left_out);
            database_.add_event(
                run_, {utc_now(), "info", stored.suite.name,
                       fmt::format("no time was left for {}",
                                   count_of(static_cast<std::int64_t>(outcome.left_out), "argument"))});
        }
    }

    /// What a killed start counted since its last suite ended is known from its batches.
    void add_unsaved_ledger() {
        const LedgerTotals& stored = state_.ledger_before;
        for (const auto& [name, count] : counts_of(stored))
            ledger_before_[name] = std::max(ledger_before_[name], count);
        ledger_before_[ledger_inside] =
            std::max(ledger_before_[ledger_inside],
                     static_cast<std::int64_t>(std::llround(1e9 * state_.inside_before_s)));
        ledger_before_[ledger_elapsed] =
            std::max(ledger_before_[ledger_elapsed],
                     static_cast<std::int64_t>(std::llround(1e9 * state_.time_line_begin_s)));
    }

    static std::vector<std::pair<std::string, std::int64_t>> counts_of(const LedgerTotals& ledger) {
        return {{fact_batches, ledger.batches},
                {fact_batches_interrupted, ledger.dirty},
                {fact_batches_on_shared_cores, ledger.shared},
                {"ledger: batches between two modes, dropped", ledger.dropped},
                {fact_windows_missed, ledger.late},
                {"ledger: involuntary switches", ledger.involuntary_switches},
                {"ledger: migrations", ledger.migrations},
                {"ledger: steal ticks", ledger.steal_ticks}};
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
                progress.suite_ended(suite_row(database_, suite), suite.ordinal + 1, begin_s_);
    }

    void begin_values_anew(const StoredSuite& stored) {
        if (const std::int64_t dropped = database_.drop_unfinished(stored.id); dropped > 0)
            database_.add_event(run_,
                                {utc_now(), "info", stored.suite.name,
                                 fmt::format("{}: begun with another partner on other hosts, measured again",
                                             count_of(dropped, "value"))});
    }

    /// Stores the estimates of the global clock, and tells of those that say that one before was wrong.
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
            if (began_here_) // it stands beside the host where the run began
                run_facts_.reference_core_throughput = mode->own_throughput();
        }
        const std::int64_t inside_ns = std::llround(1e9 * state_.inside_s) + ledger_before_[ledger_inside];
        const std::int64_t elapsed_ns = std::llround(1e9 * elapsed_s_) + ledger_before_[ledger_elapsed];
        run_facts_.facts[ledger_inside] = std::to_string(inside_ns);
        run_facts_.facts[ledger_elapsed] = std::to_string(elapsed_ns);
        run_facts_.measuring_share =
            elapsed_ns > 0 ? static_cast<double>(inside_ns) / static_cast<double>(elapsed_ns) : 0;
        auto counts = counts_of(state_.ledger);
        counts.emplace_back("ledger: orders to all ranks", orders_);
        for (const auto& [name, count] : counts)
            run_facts_.facts[name] = std::to_string(count + ledger_before_[name]);
        database_.update_run(run_, run_facts_);
    }

    /// Removes the single measurements of all ended runs of the series but the newest so many, this one among
    /// them.
    void thin_old_runs(int keep) {
        const Series series(run_facts_);
        std::vector<RunId> runs = database_.runs();
        for (auto id = runs.rbegin(); id != runs.rend(); ++id) {
            Run run = database_.run(*id);
            if (run.kind != "raw" || run.ended_utc.empty() || Series(run) != series ||
                run.facts.contains(fact_samples) || keep-- > 0)
                continue;
            database_.in_one_commit([&] {
                for (const StoredSuite& suite : database_.suites(*id))
                    database_.drop_samples(suite.id);
                run.facts[fact_samples] =
                    fmt::format("removed {} (--keep-samples {})", utc_now(), *options_.keep_samples);
                database_.update_run(*id, run);
            });
        }
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

    /// All is stored: that nobody can be told must not end the ranks with an error. It is seen by main.
    static void say(const std::string& line) {
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
                thin_old_runs(*options_.keep_samples);
        } catch (const Error& error) { // this run is complete, whatever is wrong with an older one
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
    bool beside_bar_ = shows_bar(options_.progress, stdout);
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
    std::map<std::string, int> without_windows_;                 ///< suites_without_windows()
    std::map<std::string, std::vector<std::int64_t>> arguments_; ///< arguments_of_session()
    std::map<std::string, std::int64_t> ledger_before_;          ///< of the run's former starts
    std::int64_t orders_ = 0;                                    ///< of this start
    double begin_s_ = 0;   ///< of this start, on the laboratory's time line
    double elapsed_s_ = 0; ///< since then, at the end of the last suite, or when it was interrupted
};

} // namespace

std::unique_ptr<Recorder> Recorder::begin(const RunOptions& options, const ParameterFile& plan,
                                          const std::vector<std::string>& changes,
                                          const Surroundings& surroundings) {
    refuse_damage(database_path(options.database, plan));
    return std::make_unique<DatabaseRecorder>(options, plan, changes, surroundings);
}

} // namespace skampi
