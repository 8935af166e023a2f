// SPDX-License-Identifier: LGPL-2.1-or-later
#include "contest/algorithm_groups.hpp"

#include "launches/shared_cores.hpp"
#include "merge/run_group.hpp"
#include "model/compare_plans.hpp"
#include "model/field_text.hpp"
#include "model/measured_value.hpp"
#include "model/series.hpp"
#include "tuning/equal_times.hpp"
#include "tuning/stays.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <fmt/format.h>
#include <map>
#include <set>
#include <span>
#include <tuple>
#include <utility>

namespace skampi {

namespace {

bool over_lengths_or_ranks(const Suite& suite) {
    return suite.varied == Varied::message_length || suite.varied == Varied::nodes;
}

/// What two suites that measure one operation by two algorithms share: all fields of the quantity and of its
/// computation, except the algorithm, the actual number of ranks, and the length of a message.
std::string text_of_call(const Suite& suite) {
    constexpr std::array<std::string_view, 4> on_purpose{"algorithm", "ranks", "varied", "message_bytes"};
    return quantity_key(suite, std::span(on_purpose).first(over_lengths_or_ranks(suite) ? 4 : 2));
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

bool takes_part(const Suite& suite) {
    const bool is_over_nothing = suite.varied == Varied::none && !has_message_length(suite.operation);
    return (over_lengths_or_ranks(suite) || is_over_nothing) &&
           suite.operation.pattern == Pattern::collective;
}

/// For a suite over many numbers of ranks, the powers of two and the largest: each is a separate choice.
std::vector<StoredMeasurement> points_of(const Database& database, const StoredSuite& stored) {
    std::vector<StoredMeasurement> points = database.measurements(stored.id);
    constexpr std::size_t few = 8;
    if (stored.suite.varied == Varied::nodes && points.size() > few)
        std::erase_if(points, [most = points.back().measurement.argument](const StoredMeasurement& point) {
            const std::int64_t ranks = point.measurement.argument;
            return ranks != most && !std::has_single_bit(static_cast<std::uint64_t>(ranks));
        });
    return points;
}

/// The suites that were measured in turns.
std::string group_of(const Suite& suite) {
    return fmt::format("{}\n{}\n{}", suite.family, suite.varied == Varied::nodes ? suite.message_bytes : 0,
                       text_of_call(suite));
}

using StaysByGroup = std::map<std::string, std::map<std::int64_t, Stays>>; ///< for defaults, by argument

/// For the groups that measure algorithms.
StaysByGroup stays_of_defaults(const Database& database, const std::vector<StoredSuite>& suites) {
    StaysByGroup all;
    for (const StoredSuite& stored : suites)
        if (takes_part(stored.suite) && !stored.suite.algorithm.empty())
            all[group_of(stored.suite)];
    for (const StoredSuite& stored : suites)
        if (const auto group = all.find(group_of(stored.suite));
            stored.suite.algorithm.empty() && group != all.end())
            for (const StoredMeasurement& point : database.measurements(stored.id))
                if (point.finished && above_zero(point.measurement))
                    group->second[point.measurement.argument] =
                        stays_at(point.measurement, database.batches(point.id));
    return all;
}

/// An algorithm's time relative to the default is taken from the stays that both have: the values rest on all
/// stays, some of them disturbed by other work.
/// @param usual of the default   @return its own value where the default has none
double time_in_stays(const Database& database, const StoredMeasurement& point,
                     const std::map<std::int64_t, Stays>& usual) {
    const auto there = usual.find(point.measurement.argument);
    if (!point.finished || !above_zero(point.measurement) || there == usual.end())
        return point.measurement.value_s;
    const Stays own = stays_at(point.measurement, database.batches(point.id));
    return there->second.value_s * std::exp(in_same_stays(own, there->second).log_ratio);
}

/// Puts groups together from suites of runs.
class Groups {
public:
    void add(const Database& database, const Run& run, const std::vector<StoredSuite>& suites) {
        ++runs_;
        // The stays of a simulation are all alike.
        const auto defaults = is_simulated(run) ? StaysByGroup() : stays_of_defaults(database, suites);
        for (const StoredSuite& stored : suites) {
            if (!takes_part(stored.suite))
                continue;
            if (const std::string refused = fact_of(stored, fact_algorithm_refused); !refused.empty())
                refused_.try_emplace({stored.suite.operation.name, run.ranks, stored.suite.algorithm},
                                     refused);
            const auto usual =
                stored.suite.algorithm.empty() ? defaults.end() : defaults.find(group_of(stored.suite));
            for (const StoredMeasurement& point : points_of(database, stored))
                add_point(run, stored, point,
                          usual == defaults.end() ? point.measurement.value_s
                                                  : time_in_stays(database, point, usual->second));
        }
    }

    void finish(AlgorithmStudy& study) && {
        for (const auto& [key, why] : refused_) {
            const auto& [operation, ranks, word] = key;
            study.refused.push_back({{operation, word, ranks}, why});
        }
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
            if (group.simulated && group.launches > 0)
                take_from_equal_members(group);
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

    /// @param time_s its time, where it has one
    void add_point(const Run& run, const StoredSuite& stored, const StoredMeasurement& point, double time_s) {
        const Measurement& measured = point.measurement;
        const int ranks = measured.ranks > 0 ? measured.ranks : run.ranks;
        Making& made = made_[{stored.suite.operation.name, ranks, text_of_call(stored.suite)}];
        made.group.operation = stored.suite.operation.name;
        made.group.ranks = ranks;
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
        const std::int64_t bytes = stored.suite.varied == Varied::none ? 0 : measured.message_bytes;
        member.launches.back()[bytes] = time_s;
        Values& values = made.values[runs_ - 1];
        ++values.all;
        values.disturbed += has(measured.flags, Flag::disturbed) ? 1 : 0;
    }

    /// Launches that have values of the group; one for simulations, which do not differ.
    static void leave_launches(AlgorithmGroup& group, const std::set<std::size_t>& launches) {
        group.launches = group.simulated ? std::min<std::size_t>(1, launches.size()) : launches.size();
        for (AlgorithmTimes& member : group.members) {
            std::vector<LaunchValues> left;
            for (const std::size_t each : launches)
                if (group.simulated && !left.empty())
                    for (const auto& [bytes, time_s] : member.launches[each])
                        left.front()[bytes] = time_s;
                else
                    left.push_back(std::move(member.launches[each]));
            member.launches = std::move(left);
        }
    }

    /// Where one algorithm has two names, a simulation measures one of them.
    static void take_from_equal_members(AlgorithmGroup& group) {
        std::vector<LaunchValues*> values;
        for (AlgorithmTimes& member : group.members)
            if (!member.word.empty())
                values.push_back(&member.launches.front());
        take_from_equals(values, [](double value_s) { return value_s; });
    }

    std::map<std::tuple<std::string, int, std::string>, Making> made_;
    std::map<std::tuple<std::string, int, std::string>, std::string> refused_; ///< operation, ranks, word
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

const AlgorithmGroup* most_disturbed(const AlgorithmStudy& study) {
    const AlgorithmGroup* most = nullptr;
    for (const AlgorithmGroup& group : study.groups)
        if (group.disturbed > (most ? most->disturbed : 0))
            most = &group;
    return most;
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

TuningTarget tuning_target(const AlgorithmFindings& found) {
    const Run& run = found.study.newest;
    TuningTarget target;
    target.library = run.mpi_library;
    target.layer = layer_of_files(found);
    target.database = found.study.database;
    target.run = run.uuid;
    target.hosts = run.machine.empty() ? run.host : run.machine;
    target.placement = run.placement;
    for (const int ranks : found.study.ranks)
        target.ranks += (target.ranks.empty() ? "" : ", ") + std::to_string(ranks);
    if (const AlgorithmGroup* const group = most_disturbed(found.study)) {
        target.disturbed = group->disturbed;
        target.launches = group->launches;
    }
    target.gain = found.rule.gain;
    return target;
}

} // namespace skampi
