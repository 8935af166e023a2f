// SPDX-License-Identifier: GPL-2.0-or-later
#include "copy_runs.hpp"

#include "base/error.hpp"
#include "inputs.hpp"
#include "model/fields.hpp"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>
#include <functional>
#include <map>
#include <regex>
#include <set>
#include <type_traits>
#include <utility>
#include <vector>

namespace skampi {

namespace {

/// Replaces names of people, hosts, files and launchers in all texts of a database, each by the same one
/// everywhere.
class Anonymous {
public:
    void apply(Run& run) {
        for (MergedSource& source : run.sources) {
            learn("user", source.user);
            source.file = named("path", source.file);
        }
        if (run.sources.empty()) // else it is an enumeration of theirs
            learn("user", run.user);
        learn_host(run.host);
        for (RankFacts& rank : run.rank_facts) {
            learn_host(rank.processor);
            rank.pid = 0;
        }
        run.parameter_file = named("path", run.parameter_file);
        const auto tells =
            [](const std::string& fact) { // a list of hosts in a form of its own, a chosen name
                return fact == fact_command || fact.find("NODELIST") != fact.npos ||
                       fact.find("JOB_NAME") != fact.npos || fact.find("HOST") != fact.npos;
            };
        std::erase_if(run.facts, [&](const auto& fact) { return tells(fact.first); });
        std::erase_if(run.differing_facts, [&](const DifferingFact& fact) { return tells(fact.name); });
        apply<Run>(run);
        apply_to_all(run.rank_facts);
        apply_to_all(run.sources);
        apply_to_all(run.differing_facts);
        apply_to_all(run.forced_differences);
        apply_to_values(run.facts);
        apply_to_values(run.settings);
    }
    void apply(StoredSuite& suite) {
        suite.reason = text(suite.reason);
        apply_to_values(suite.facts);
    }
    void apply(Suite& suite) { suite.file = named("path", suite.file); }
    void apply(StoredMeasurement& point) {
        if (point.merge)
            apply_to_all(point.merge->sources);
    }
    void apply(Session& session) {
        session.launch = named("launcher", session.launch);
        for (Variant& variant : session.variants) {
            variant.launch = named("launcher", variant.launch);
            variant.arguments = named("launcher", variant.arguments);
            variant.program = named("path", variant.program);
            apply(variant);
            for (auto& [name, value] : variant.settings)
                value = value ? std::optional(text(*value)) : value;
        }
    }
    template <typename Row>
    void apply(Row& row) {
        for_each_field(row, [this]<typename Value>(const Field&, Value&& value) {
            if constexpr (std::is_same_v<Value, std::string&>)
                value = text(value);
        });
    }

private:
    template <typename Row>
    void apply_to_all(std::vector<Row>& rows) {
        for (Row& row : rows)
            apply(row);
    }
    void apply_to_values(std::map<std::string, std::string>& facts) {
        for (auto& [name, value] : facts)
            value = text(value);
    }
    /// "host-2"; empty stays empty.
    std::string named(const std::string& kind, const std::string& name) {
        auto& names = names_[kind];
        return name.empty()
                   ? name
                   : names.try_emplace(name, kind + "-" + std::to_string(names.size() + 1)).first->second;
    }
    void learn(const std::string& kind, const std::string& name) {
        if (!name.empty() && name != differs_between_runs)
            words_[name] = named(kind, name);
    }
    /// Its short name is that of the same host.
    void learn_host(const std::string& name) {
        learn("host", name);
        if (const std::string brief = name.substr(0, name.find('.')); brief != name && !brief.empty())
            words_.try_emplace(brief, named("host", name));
    }
    std::string text(std::string text) {
        const auto in_word = [&](std::size_t at) {
            return at < text.size() &&
                   (std::isalnum(static_cast<unsigned char>(text[at])) != 0 || text[at] == '_');
        };
        for (const auto& [word, other] : words_)
            for (std::size_t at = 0; (at = text.find(word, at)) != std::string::npos; ++at)
                if (!in_word(at + word.size()) && (at == 0 || !in_word(at - 1)))
                    text.replace(at, word.size(), other);
        static const std::regex path(R"((^|[^\w./~]|-[A-Za-z])(~\w*/[^\s"':,;)\]]+|\.{0,2}/[^\s"':,;)\]]+))");
        std::string result;
        auto rest = text.cbegin();
        for (std::smatch found; std::regex_search(rest, text.cend(), found, path); rest = found[2].second)
            result += std::string(rest, found[2].first) + named("path", found[2]);
        return result + std::string(rest, text.cend());
    }

    std::map<std::string, std::map<std::string, std::string>> names_; ///< by kind
    std::map<std::string, std::string, std::greater<>> words_;        ///< "n10" before "n1"
};

/// Copies from one database into another.
struct Copier {
    const Database& from;
    Database& to;
    Anonymous* names; ///< null = as they are
    MergeOutcome& outcome;

    template <typename Part>
    Part changed(Part part) const {
        if (names)
            names->apply(part);
        return part;
    }
    void copy_suite(const StoredSuite& suite, SuiteId id) const {
        const bool ended = suite.state != SuiteState::open;
        // What is open and not in progress was stopped: that attempt is taken back.
        const bool stopped = !ended && suite.attempts > 0 && !suite.in_progress;
        for (int attempt = 0; attempt < suite.attempts + (stopped ? 1 : 0); ++attempt)
            to.begin_suite(id);
        to.set_suite_facts(id, suite.facts);
        to.set_suite_merge(id, suite.merge);
        to.add_clock_estimates(id, suite.clock_estimates);
        from.for_each_measurement(suite.id, [&](StoredMeasurement&& stored) {
            const StoredMeasurement point = changed(std::move(stored));
            if (point.merge)
                to.add_merged(id, point.measurement, *point.merge);
            else
                to.add_batches(to.begin_measurement(id, point.measurement), from.batches(point.id),
                               point.measurement, point.finished);
            ++outcome.points;
        });
        if (ended || stopped)
            to.end_suite(id, suite.state, suite.reason);
    }
    void copy_run(RunId id, const Run& run) const {
        const std::vector<StoredSuite> suites = from.suites(id);
        std::vector<Suite> plan;
        for (const StoredSuite& suite : suites)
            plan.push_back(changed(suite.suite));
        const RunId copied = to.begin_run(changed(run), plan);
        const std::vector<StoredSuite> places = to.suites(copied);
        for (std::size_t i = 0; i < suites.size(); ++i)
            copy_suite(changed(suites[i]), places[i].id);
        for (const Event& event : from.events(id))
            to.add_event(copied, changed(event));
        ++outcome.runs;
    }
};

} // namespace

MergeOutcome copy_runs(const MergeOptions& options) {
    MergeOutcome outcome;
    Anonymous names;
    std::set<std::string> runs, sessions; // of the copies
    write_output(options, [&](Database& to) {
        for (const std::string& path : each_file_once(options.inputs, outcome.notes)) {
            const Database from = Database::open(path);
            const Copier copier{from, to, options.anonymise ? &names : nullptr, outcome};
            from.in_one_state([&] {
                std::set<std::string> wanted; // sessions of this file
                for (const RunId id : from.runs())
                    if (const Run run = from.run(id);
                        options.selection.holds(run) && runs.insert(run.uuid).second) {
                        to.in_one_commit([&] { copier.copy_run(id, run); });
                        wanted.insert(run.session_place.session);
                    }
                for (const Session& session : from.sessions())
                    if (wanted.contains(session.uuid) && sessions.insert(session.uuid).second) {
                        to.begin_session(copier.changed(session));
                        for (const SessionFailure& failure : from.session_failures(session.uuid))
                            to.add_session_failure(session.uuid, copier.changed(failure));
                    }
                for (const TuningFile& file : from.tuning_files())
                    if (runs.contains(file.run))
                        to.add_tuning_file(copier.changed(file));
            });
        }
        if (runs.size() < std::max<std::size_t>(1, options.selection.runs.size()))
            throw InputError(
                fmt::format("found {} such runs in the inputs, expected all of --run", runs.size()));
    });
    return outcome;
}

} // namespace skampi
