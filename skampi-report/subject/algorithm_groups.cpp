#include "subject/algorithm_groups.hpp"

#include "analysis/doubt.hpp"
#include "merge/run_group.hpp"
#include "model/field_text.hpp"
#include "model/measured_value.hpp"
#include "model/series.hpp"
#include "tuning/equal_times.hpp"
#include "tuning/stays.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>
#include <utility>

namespace skampi {

namespace {

/// What two suites have in common that measure one operation by two algorithms: all that makes a quantity
/// but the algorithm, and how many ranks there are in fact.
std::string text_of_call(const Suite& suite) {
    std::string text;
    for_each_field(suite, [&](const SuiteField& field, const auto& value) {
        const std::string_view name = field.name;
        if (field.comparing.meaning == IfDifferent::other_quantity && name != "algorithm" &&
            name != "ranks" && (!field.comparing.applies || field.comparing.applies(suite)))
            text += std::string(name) + "=" + field_text(value) + "\n";
    });
    return text;
}

bool over_lengths(const Suite& suite) {
    return suite.varied == Varied::message_length ||
           (suite.varied == Varied::none && !has_message_length(suite.operation));
}

/// What launches with one library on one kind of hosts have in common.
std::string text_of_launches(const Run& run) {
    std::string text = run.mpi_library + "\n" + run.machine + "\n" + run.variant + "\n";
    if (run.machine.empty() && !is_simulated(run))
        text += run.host + "\n";
    for (const auto& [name, value] : run.settings)
        text += name + "=" + value + "\n";
    return text;
}

bool measures_algorithms(const std::vector<StoredSuite>& suites) {
    return std::ranges::any_of(suites,
                               [](const StoredSuite& stored) { return !stored.suite.algorithm.empty(); });
}

std::string fact_of(const StoredSuite& stored, const char* name) {
    const auto fact = stored.facts.find(name);
    return fact == stored.facts.end() ? std::string() : fact->second;
}

/// Puts groups together from suites of runs.
class Groups {
public:
    void add(const Database& database, const Run& run, const std::vector<StoredSuite>& suites) {
        ++runs_;
        for (const StoredSuite& stored : suites)
            if (over_lengths(stored.suite) && stored.suite.operation.pattern == Pattern::collective)
                for (const StoredMeasurement& point : database.measurements(stored.id))
                    add_point(run, stored, point);
        if (!is_simulated(run)) // whose stays are all alike
            compare_in_stays(database, run, suites);
    }

    void finish(AlgorithmStudy& study) && {
        for (auto& entry : made_) {
            Making& made = entry.second;
            const auto usual = made.members.find({});
            if (usual == made.members.end() || made.members.size() < 2)
                continue;
            AlgorithmGroup group = made.group;
            std::set<std::size_t> launches;
            for (auto& [word, member] : made.members) {
                if (made.wrong.contains(word)) {
                    study.wrong.push_back({group.operation, word, group.ranks});
                    if (!word.empty())
                        continue;
                }
                member.launches.resize(runs_);
                for (std::size_t i = 0; i < runs_; ++i)
                    if (!member.launches[i].empty())
                        launches.insert(i);
                group.members.push_back(std::move(member)); // the default has the first word
            }
            leave_launches(group, launches);
            if (!group.simulated)
                group.disturbed =
                    static_cast<std::size_t>(std::ranges::count_if(launches, [&](std::size_t launch) {
                        const Values& values = made.values[launch];
                        return 2 * values.disturbed > values.all;
                    }));
            if (group.members.size() > 1 && group.launches > 0)
                study.groups.push_back(std::move(group));
        }
    }

private:
    struct Values {
        std::size_t all = 0;
        std::size_t disturbed = 0;
    };
    struct Making {
        AlgorithmGroup group;
        std::map<std::string, AlgorithmTimes> members;
        std::set<std::string> wrong;
        std::map<std::size_t, Values> values; ///< by launch
    };

    void add_point(const Run& run, const StoredSuite& stored, const StoredMeasurement& point) {
        const Measurement& measured = point.measurement;
        Making& made = making_of(run, stored.suite, measured);
        made.group.operation = stored.suite.operation.name;
        made.group.ranks = ranks_of(run, measured);
        made.group.simulated = is_simulated(run);
        const std::string& word = stored.suite.algorithm;
        AlgorithmTimes& member = made.members[word];
        member.word = word;
        if (std::string layer = fact_of(stored, fact_algorithm_layer); !layer.empty() && !word.empty())
            member.layer = std::move(layer);
        int number = 0;
        if (set_field(fact_of(stored, fact_algorithm_number), number))
            member.number = number;
        if (has(measured.flags, Flag::wrong_result)) {
            made.wrong.insert(word);
            return;
        }
        if (!point.finished || !above_zero(measured))
            return;
        member.launches.resize(runs_);
        member.launches.back()[bytes_of(stored.suite, measured)] = measured.value_s;
        Values& values = made.values[runs_ - 1];
        ++values.all;
        values.disturbed += has(measured.flags, Flag::disturbed) ? 1 : 0;
    }

    /// What was measured in turns with the default is as much slower as in the stays that both have; the
    /// values of all stays, some of them beside other work, tell less.
    void compare_in_stays(const Database& database, const Run& run, const std::vector<StoredSuite>& suites) {
        std::map<std::string, const StoredSuite*> defaults; // by group
        const auto group_of = [](const Suite& suite) { return suite.family + "\n" + text_of_call(suite); };
        for (const StoredSuite& stored : suites)
            if (stored.suite.algorithm.empty())
                defaults[group_of(stored.suite)] = &stored;
        std::map<const StoredSuite*, std::map<std::int64_t, Stays>> usual; // read once
        for (const StoredSuite& stored : suites) {
            const auto own = defaults.find(group_of(stored.suite));
            if (stored.suite.algorithm.empty() || own == defaults.end())
                continue;
            if (!usual.contains(own->second))
                usual[own->second] = stays_of(database, own->second->id);
            const auto& of_default = usual[own->second];
            for (const StoredMeasurement& point : database.measurements(stored.id)) {
                Making& made = making_of(run, stored.suite, point.measurement);
                auto& launches = made.members[stored.suite.algorithm].launches;
                const std::int64_t bytes = bytes_of(stored.suite, point.measurement);
                const auto there = of_default.find(point.measurement.argument);
                if (launches.size() != runs_ || !launches.back().contains(bytes) || there == of_default.end())
                    continue;
                const Stays stays = stays_at(point.measurement, database.batches(point.id));
                launches.back()[bytes] =
                    there->second.value_s * std::exp(in_same_stays(stays, there->second).log_ratio);
            }
        }
    }

    static std::map<std::int64_t, Stays> stays_of(const Database& database, SuiteId suite) {
        std::map<std::int64_t, Stays> all;
        for (const StoredMeasurement& point : database.measurements(suite))
            if (point.finished && above_zero(point.measurement))
                all[point.measurement.argument] = stays_at(point.measurement, database.batches(point.id));
        return all;
    }

    static std::int64_t bytes_of(const Suite& suite, const Measurement& measured) {
        return suite.varied == Varied::message_length ? measured.argument : 0;
    }
    static int ranks_of(const Run& run, const Measurement& measured) {
        return measured.ranks > 0 ? measured.ranks : run.ranks;
    }
    Making& making_of(const Run& run, const Suite& suite, const Measurement& measured) {
        return made_[{suite.operation.name, ranks_of(run, measured), text_of_call(suite)}];
    }

    /// Launches that have values of the group; of simulations they are one, for they do not differ.
    static void leave_launches(AlgorithmGroup& group, const std::set<std::size_t>& launches) {
        group.launches = group.simulated ? std::min<std::size_t>(1, launches.size()) : launches.size();
        for (AlgorithmTimes& member : group.members) {
            std::vector<LaunchValues> left;
            for (const std::size_t each : launches)
                if (group.simulated && !left.empty())
                    left.front().insert(member.launches[each].begin(), member.launches[each].end());
                else
                    left.push_back(std::move(member.launches[each]));
            member.launches = std::move(left);
        }
        if (group.launches > 0 && group.simulated) {
            std::vector<LaunchValues*> values;
            for (AlgorithmTimes& member : group.members)
                if (!member.word.empty())
                    values.push_back(&member.launches.front());
            take_from_equals(values, [](double value_s) { return value_s; });
        }
    }

    std::map<std::tuple<std::string, int, std::string>, Making> made_;
    std::size_t runs_ = 0;
};

struct CandidateRun {
    RunId id = 0;
    Run run;
    std::vector<StoredSuite> suites;
};

} // namespace

AlgorithmStudy read_algorithms(const Database& database) {
    AlgorithmStudy study;
    study.database = database.path();
    std::vector<CandidateRun> candidates;
    for (const RunId id : database.runs()) {
        Run run = database.run(id);
        if (run.kind != "raw" || !has_ended(run))
            continue;
        std::vector<StoredSuite> suites = database.suites(id);
        if (measures_algorithms(suites))
            candidates.push_back({id, std::move(run), std::move(suites)});
    }
    if (candidates.empty())
        return study;
    study.newest = candidates.back().run;
    const std::string wanted = text_of_launches(study.newest);
    Groups groups;
    std::set<int> ranks;
    for (const CandidateRun& each : candidates) {
        if (text_of_launches(each.run) != wanted) {
            ++study.other_runs;
            continue;
        }
        ++study.runs;
        ranks.insert(each.run.ranks);
        if (!is_simulated(each.run)) {
            const Binding binding = binding_of(each.run.rank_facts);
            study.crowded = study.crowded || shared_cores(each.run).has_value();
            study.bound = study.bound && binding.known && binding.most == 1 && !binding.shared;
            study.cores_to_spare = study.cores_to_spare && binding.cores > each.run.rank_facts.size();
        }
        groups.add(database, each.run, each.suites);
    }
    study.ranks.assign(ranks.begin(), ranks.end());
    for (TuningFile& file : database.tuning_files())
        if (file.run == study.newest.uuid)
            study.file = std::move(file);
    std::move(groups).finish(study);
    return study;
}

std::unique_ptr<const AlgorithmFindings> find_algorithms(const Database& database, const WinnerRule& rule) {
    auto found = std::make_unique<AlgorithmFindings>();
    found->study = read_algorithms(database);
    found->rule = rule;
    for (const AlgorithmGroup& group : found->study.groups)
        found->winners.push_back(judge_algorithms(group, rule));
    return found->winners.empty() ? nullptr : std::move(found);
}

std::string layer_of_files(const AlgorithmFindings& found) {
    for (const AlgorithmWinners& winners : found.winners)
        for (const AlgorithmTimes& member : winners.of->members)
            if (is_layer_of_files(member.layer))
                return member.layer;
    return {};
}

} // namespace skampi
