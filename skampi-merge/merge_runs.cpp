// SPDX-License-Identifier: GPL-2.0-or-later
#include "merge_runs.hpp"

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/text.hpp"
#include "inputs.hpp"
#include "merge/references.hpp"
#include "model/compare_plans.hpp"
#include "model/machine_state.hpp"
#include "model/measured_value.hpp"
#include "model/quantity.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fmt/format.h>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <unistd.h>
#include <utility>

namespace skampi {
namespace {

namespace fs = std::filesystem;

void refuse_output(const MergeOptions& options) {
    std::error_code error;
    const fs::file_status status = fs::status(options.output, error);
    if (!fs::exists(status))
        return;
    const std::string name = printable(options.output);
    if (!fs::is_regular_file(status))
        throw InputError(name + ": is no regular file, expected the name of a database to write");
    std::vector<std::string> inputs = options.inputs;
    inputs.insert(inputs.end(), {options.config, options.reference});
    refuse_confused_files(inputs, {options.output});
    if (!options.overwrite)
        throw InputError(name + ": exists already, expected a new name (or --overwrite)");
}

/// An argument of a suite means the same number of ranks, bytes and chunks in all runs.
/// @return the first one that does not, with its meanings and the files that have them; empty = none
std::string contradicting_argument(const std::vector<LazyCurve>& curves, const std::string& suite) {
    using Meant = std::tuple<int, std::int64_t, std::int64_t>;
    std::map<std::int64_t, Meant> first;
    std::optional<std::int64_t> contradicting;
    const auto meant = [](const PointHeader& m) { return Meant(m.ranks, m.message_bytes, m.chunks); };
    for (const LazyCurve& curve : curves)
        for (const PointHeader& m : curve.headers)
            if (first.try_emplace(m.argument, meant(m)).first->second != meant(m) &&
                m.argument < contradicting.value_or(std::numeric_limits<std::int64_t>::max()))
                contradicting = m.argument;
    if (!contradicting)
        return {};
    std::map<std::string, std::vector<std::string>> files;
    for (const LazyCurve& curve : curves)
        for (const PointHeader& m : curve.headers) {
            if (m.argument != *contradicting)
                continue;
            std::vector<std::string>& with_it =
                files[fmt::format("{} ranks, {} bytes, {} chunks", m.ranks, m.message_bytes, m.chunks)];
            if (std::ranges::find(with_it, curve.file) == with_it.end())
                with_it.push_back(curve.file);
        }
    return fmt::format("argument {} of suite \"{}\"\n", *contradicting, printable(suite)) +
           files_by_text(files);
}

/// A table of differences as a part of a sentence.
std::string in_one_line(std::string table) {
    table.pop_back(); // the last line's end
    const std::size_t head = table.find("\n    ");
    table.replace(head, 5, " means ");
    for (std::size_t at = 0; (at = table.find("\n    ", at)) != std::string::npos;)
        table.replace(at, 5, ", for ");
    return table;
}

/// The suites and keys in which the first two plans differ, and what helps where hosts differ; lines.
std::string explained(const Inputs& inputs, const std::vector<SourceRun>& runs, const std::string& table) {
    const auto suites_of = [&](const SourceRun& source) {
        std::vector<Suite> suites;
        for (const StoredSuite& stored : inputs.suites(source))
            suites.push_back(stored.suite);
        return suites;
    };
    std::string text = table;
    const auto other = std::ranges::find_if(
        runs, [&](const SourceRun& each) { return each.run.plan_hash != runs.front().run.plan_hash; });
    if (other != runs.end() && table.find("plan 1") != std::string::npos)
        for (const std::string& line : plan_differences(suites_of(runs.front()), suites_of(*other)))
            text += "plan 1 and plan 2: " + line + "\n";
    if (table.find("placement of the ranks\n") != std::string::npos)
        text += "where nodes are alike, name them by @MACHINE in the parameter file\n";
    return text;
}

[[noreturn]] void refuse(const std::string& table) {
    throw InputError(
        "the runs do not belong together (--by KEY merges each group of them, --force merges them all):\n" +
        table);
}

bool belong_together(const std::vector<SourceRun>& runs) {
    RunGroup group;
    for (const SourceRun& source : runs) {
        if (!group.differences(source).empty())
            return false;
        group.take_in(source);
    }
    return true;
}

/// Shows the progress on a terminal if the work takes longer than a second.
class Progress {
public:
    Progress()
        : shown_(isatty(STDERR_FILENO) != 0) {}
    Progress(Progress&&) = delete;
    ~Progress() {
        if (written_)
            std::fputs("\r\x1b[K", stderr);
    }
    void read(double bytes, double of) {
        if (of > 0)
            show(share_of_reading * bytes / of);
    }
    /// @param more runs merged since the last call
    void merged(double more, double of) {
        merged_ += more;
        show(share_of_reading + (1 - share_of_reading) * merged_ / of);
    }

private:
    /// Shares of the whole time, from bench/merge.
    static constexpr double share_of_reading = 0.5;

    void show(double share) {
        const auto now = std::chrono::steady_clock::now();
        if (!shown_ || now - last_ < std::chrono::seconds(1) || share >= 1)
            return;
        last_ = now;
        written_ = true;
        const double used_s = std::chrono::duration<double>(now - began_).count();
        std::fputs(fmt::format("\r\x1b[K{:.0f} % merged, {:.0f} s left", 100 * share, used_s / share - used_s)
                       .c_str(),
                   stderr);
    }

    double merged_ = 0;
    bool shown_;
    bool written_ = false;
    std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
    std::chrono::steady_clock::time_point last_ = began_;
};

void refuse_strangers(const Inputs& inputs, const std::vector<SourceRun>& runs, bool force) {
    if (!force && !belong_together(runs))
        refuse(explained(inputs, runs, difference_table(runs)));
}

/// Merges groups of runs and writes them, suite by suite.
class GroupWriter {
public:
    /// @param of_runs number of runs in all groups
    GroupWriter(Database& output, Inputs& inputs, const MergeOptions& options, std::size_t of_runs)
        : output_(output)
        , inputs_(inputs)
        , options_(options)
        , of_runs_(of_runs)
        , preferred_(options.reference.empty() ? std::vector<Run>{}
                                               : runs_with_reference(options.reference)) {}

    void write(const MergeGroup& group, Progress& progress, MergeOutcome& outcome) {
        const std::vector<SourceRun>& runs = group.runs;
        left_out_ = {};
        const Plan plan = make_plan(inputs_, runs);
        Run run = merged_run(runs, options_.way, options_.force);
        references_ = stored_references(runs, preferred_);
        in_a_row_ = of_one_session(runs);
        clock_ = {run.clock_resolution_s, run.clock_cost_s};
        if (!references_.empty()) {
            run.reference_probe_s = references_.front().probe_s;
            run.reference_core_speed = references_.front().core_speed;
        }
        if (!group.key.empty())
            run.facts[fact_merged_group] = group.key;
        std::vector<Suite> suites;
        for (const MergedPlan::PlannedSuite& planned : plan.merged.suites())
            suites.push_back(planned.stored.suite);
        const RunId id = output_.begin_run(run, suites);
        warnings_.clear();
        const std::vector<StoredSuite> all = output_.suites(id);
        state_probe_s_ = common_state(runs, plan, all);
        for (std::size_t place = 0; place < all.size(); ++place) {
            const std::vector<LazyCurve> curves = read_suite(inputs_, runs, plan, place);
            check_arguments(curves, all[place].suite.name, run);
            output_.in_one_commit(
                [&] { write_suite(all[place].id, plan.merged.suites()[place], curves, outcome); });
            progress.merged(static_cast<double>(runs.size()) / static_cast<double>(all.size()),
                            static_cast<double>(of_runs_));
        }
        write_events(id, run.ended_utc, runs);
        if (run.ended_utc.empty())
            output_.update_run(id, run); // a launch has not ended
        else
            output_.end_run(id, run);
        outcome.warnings.insert(outcome.warnings.end(), warnings_.begin(), warnings_.end());
        note_what_is_left_out(group, all.size(), outcome);
        outcome.runs += runs.size();
    }

private:
    void check_arguments(const std::vector<LazyCurve>& curves, const std::string& suite, Run& run) const {
        const std::string contradicting = contradicting_argument(curves, suite);
        if (contradicting.empty())
            return;
        if (!options_.force)
            refuse(contradicting);
        add_force(run, in_one_line(contradicting));
    }

    /// The probe of the state that all suites are merged in, as far as they met it; 0 = none.
    double common_state(const std::vector<SourceRun>& runs, const Plan& plan,
                        const std::vector<StoredSuite>& all) {
        std::vector<std::vector<MetState>> states;
        if (!options_.way.modes || options_.way.weights != skalib::Weights::equal)
            return 0;
        for (std::size_t place = 0; place < all.size(); ++place)
            states.push_back(states_of_suite(read_suite(inputs_, runs, plan, place), options_.way,
                                             probe_share(all[place].suite.operation.pattern)));
        return common_state_s(states);
    }

    /// Merges a suite and writes it, point by point.
    void write_suite(SuiteId id, const MergedPlan::PlannedSuite& planned,
                     const std::vector<LazyCurve>& curves, MergeOutcome& outcome) {
        const Suite& suite = planned.stored.suite;
        output_.begin_suite(id);
        bool has_any_value = false;
        bool in_states = false;
        const MergedSuite merged =
            merge_suite(curves, options_.way,
                        {probe_share(suite.operation.pattern), references_, in_a_row_, state_probe_s_,
                         [&](double value_s) { return value_step_s(suite, clock_, value_s); }},
                        [&](MergedMeasurement&& point) {
                            in_states = in_states || !point.measurement.modes.empty();
                            has_any_value = has_any_value || has_value(point.measurement);
                            output_.add_merged(id, point.measurement, point.facts);
                            ++outcome.points;
                        });
        outcome.abstained += merged.abstained;
        left_out_.suites_in_states += in_states ? 1 : 0;
        left_out_.without_core.insert(merged.without_core.begin(), merged.without_core.end());
        output_.set_suite_facts(id, planned.stored.facts);
        StoredSuite ended = planned.stored;
        keep_findings(merged, ended.merge);
        if (!has_any_value)
            no_value(ended);
        output_.set_suite_merge(id, ended.merge);
        output_.end_suite(id, ended.state, ended.reason);

        const std::string name = printable(suite.name);
        if (!has_any_value)
            warnings_.push_back(fmt::format("suite \"{}\": no run has a value", name));
        if (merged.wrong_results > 0)
            warnings_.push_back(fmt::format("suite \"{}\": {} measurements with wrong results were excluded",
                                            name, merged.wrong_results));
    }

    /// What the machine did, and how to merge in spite of it.
    void note_what_is_left_out(const MergeGroup& group, std::size_t suites, MergeOutcome& outcome) const {
        const std::string of_group = group.key.empty() ? "" : printable(group.key) + ": ";
        for (const std::string& difference : differing_descriptions(group.runs))
            outcome.notes.push_back(fmt::format("{}the runs differ in {}", of_group, difference));
        if (left_out_.suites_in_states > 0)
            outcome.notes.push_back(
                fmt::format("{}in {} of {} the machine was in several states; values are those of one state, "
                            "mostly that of most launches (--modes off merges all launches)",
                            of_group, left_out_.suites_in_states, count_of(suites, "suite")));
        if (!left_out_.without_core.empty())
            outcome.notes.push_back(fmt::format(
                "{}in {} of {} a rank waited for a core; what was measured then is left out "
                "(skampi-report names the launches, --modes off merges them)",
                of_group, left_out_.without_core.size(), count_of(group.runs.size(), "launch", "launches")));
    }

    void write_events(RunId id, const std::string& time_utc, const std::vector<SourceRun>& runs) {
        output_.in_one_commit([&] {
            for (const Event& event : events_worth_keeping(inputs_, runs))
                output_.add_event(id, event);
            for (const std::vector<std::string>* const warnings :
                 {&inputs_.warnings(), &std::as_const(warnings_)})
                for (const std::string& warning : *warnings)
                    output_.add_event(id, {time_utc, "warning", "", warning});
        });
    }

    Database& output_;
    Inputs& inputs_;
    const MergeOptions& options_;
    std::size_t of_runs_;
    std::vector<Run> preferred_;           ///< whose references come first
    std::vector<MachineState> references_; ///< of the present group
    bool in_a_row_ = false;                ///< likewise
    skalib::ClockFacts clock_;             ///< likewise
    double state_probe_s_ = 0;             ///< likewise
    std::vector<std::string> warnings_;    ///< of the present group
    struct LeftOut {
        std::size_t suites_in_states = 0;
        std::set<std::string> without_core; ///< runs
    };
    LeftOut left_out_; ///< of the present group
};

/// The groups of the runs in all inputs.
std::vector<MergeGroup> groups_in(Inputs& inputs, const MergeOptions& options, MergeOutcome& outcome) {
    outcome.warnings = inputs.warnings();
    if (inputs.runs().empty())
        throw InputError(printable(options.inputs.front()) + ": found no run, expected results");
    refuse_contradicting_copies(inputs);
    return grouped_by(options.by, in_canonical_order(inputs.take_runs(), outcome.notes));
}

} // namespace

void write_output(const MergeOptions& options, const std::function<void(Database&)>& write) {
    refuse_output(options);
    // Declared before the database in it, so that it is closed when the file is put in place or removed.
    OutputFile file(options.output);
    try {
        Database output = Database::open_for_making(file.temporary_path());
        write(output);
    } catch (const StoreError& error) {
        remove_partial_files(options.output, getpid());
        // The user expects the file's final name.
        const std::string temporary = printable(file.temporary_path());
        const std::string what = error.what();
        if (!what.starts_with(temporary))
            throw;
        throw Error(error.status(), printable(options.output) + what.substr(temporary.size()));
    }
    if (options.overwrite)
        file.commit();
    else
        file.commit_new();
}

MergeOutcome merge_runs(const MergeOptions& options) {
    refuse_output(options); // before the work
    MergeOutcome outcome;
    Progress progress;
    Inputs inputs(each_file_once(options.inputs, outcome.notes), options.selection, options.output,
                  [&](double bytes, double of) { progress.read(bytes, of); });
    const std::vector<MergeGroup> groups = groups_in(inputs, options, outcome);
    std::size_t of_runs = 0;
    for (const MergeGroup& group : groups) {
        refuse_strangers(inputs, group.runs, options.force);
        of_runs += group.runs.size();
    }

    write_output(options, [&](Database& output) {
        GroupWriter writer(output, inputs, options, of_runs);
        for (const MergeGroup& group : groups)
            writer.write(group, progress, outcome);
    });
    outcome.groups = groups.size();
    return outcome;
}

namespace {

/// Whether these runs can be merged with one another, and why not.
std::string how_they_belong(Inputs& inputs, const std::vector<SourceRun>& runs) {
    if (!belong_together(runs))
        return "These runs do not belong together. Differences:\n" +
               explained(inputs, runs, difference_table(runs));
    try {
        const Plan plan = make_plan(inputs, runs);
        const std::vector<MergedPlan::PlannedSuite>& suites = plan.merged.suites();
        for (std::size_t place = 0; place < suites.size(); ++place)
            if (const std::string contradicting = contradicting_argument(
                    read_suite(inputs, runs, plan, place), suites[place].stored.suite.name);
                !contradicting.empty())
                return "These runs do not belong together. Differences:\n" + contradicting;
    } catch (const InputError& refusal) { // an answer here, not an error
        return std::string("These runs do not belong together: ") + refusal.what() + "\n";
    }
    return fmt::format("These {} runs belong together.\n", runs.size());
}

} // namespace

std::string describe_runs(const MergeOptions& options, MergeOutcome& outcome) {
    Progress progress;
    Inputs inputs(each_file_once(options.inputs, outcome.notes), options.selection, {},
                  [&](double bytes, double of) { progress.read(bytes, of); });
    const std::vector<MergeGroup> groups = groups_in(inputs, options, outcome);
    std::string text;
    for (const MergeGroup& group : groups) {
        if (!group.key.empty())
            text += printable(group.key) + "\n";
        for (const SourceRun& source : group.runs) {
            const Run& run = source.run;
            const std::string kind = source.origin == Origin::csv      ? ", " + run.facts.at(fact_read_from)
                                     : source.origin == Origin::merged ? ", in a merged run"
                                                                       : "";
            text += fmt::format("{}: run {}{}\n    {} points", printable(source.file), printable(run.uuid),
                                kind, source.points);
            if (run.ranks > 0)
                text += fmt::format(", {} ranks", run.ranks);
            for (const std::string& known : {run.mpi_library, run.host, run.machine, run.variant})
                if (!known.empty())
                    text += ", " + printable(known);
            if (!run.started_utc.empty())
                text += ", started " + printable(run.started_utc);
            text += has_ended(run) || source.origin == Origin::csv ? "\n" : ", not ended\n";
            if (const auto passed_over = run.facts.find(fact_passed_over); passed_over != run.facts.end())
                text += "    passed over: " + printable(passed_over->second) + "\n";
        }
        if (group.runs.size() > 1)
            text += how_they_belong(inputs, group.runs);
        outcome.runs += group.runs.size();
        for (const SourceRun& source : group.runs)
            outcome.points += static_cast<std::size_t>(source.points);
    }
    outcome.groups = groups.size();
    return text;
}

} // namespace skampi
