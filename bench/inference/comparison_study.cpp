// SPDX-License-Identifier: GPL-2.0-or-later
// How often comparisons and gates are right: invented launches with known truth, and real ones in a row.
#include "study.hpp"

#include "contest/contest.hpp"
#include "contest/gate.hpp"
#include "launches/read_subjects.hpp"
#include "model/machine_state.hpp"
#include "skalib/statistics.hpp"
#include "store/database.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <random>
#include <utility>

namespace skampi::bench {

namespace {

constexpr std::array<std::int64_t, 9> arguments{1, 16, 64, 256, 1024, 4096, 16384, 65536, 262144};

/// Distributions of logarithms, all of mean 0 and deviation 1.
enum class Tails {
    normal,
    student, ///< of 3 degrees of freedom: a launch now and then lies far away
    skewed,  ///< exponential: launches are longer, never much shorter
};

/// How invented launches scatter.
struct Scatter {
    std::size_t launches = 10;
    std::size_t suites = 6;
    double launch = 0.02;          ///< of a suite in a launch
    Tails tails = Tails::normal;   ///< of that
    double point = 0.01;           ///< of each of its points beside that
    double shared = 0;             ///< share of `launch` that all suites of a launch have in common
    double state = 0;              ///< of the probe
    double least_elasticity = 0.7; ///< with which times follow it: that of the first suite
    double most_elasticity = 0.7;  ///< that of the last
    double alike = 0;              ///< correlation of the state with that of the launch before
    double bad_launch = 1;         ///< factor of the first launch
    double slow_share = 0;         ///< launches in a slow state, which the probe shows
    double slow_factor = 1;
    double factor = 1; ///< the truth
};

class Inventor {
public:
    explicit Inventor(std::uint64_t seed)
        : random_(seed) {}

    /// A database. The state of the machine goes on from the one before.
    Subject database(const std::string& label, const Scatter& scatter) {
        Subject subject;
        subject.label = subject.path = label;
        for (std::size_t i = 0; i < scatter.suites; ++i)
            subject.curves.push_back(empty_curve(i));
        for (std::size_t launch = 0; launch < scatter.launches; ++launch)
            add_launch(subject, label + std::to_string(launch), launch == 0 ? scatter.bad_launch : 1,
                       scatter);
        for (Curve& curve : subject.curves)
            for (StoredMeasurement& point : curve.points)
                point.measurement.value_s = middle(curve, point.measurement.argument);
        return subject;
    }

private:
    double normal() { return normal_(random_); }

    double shift(Tails tails) {
        switch (tails) {
        case Tails::normal:
            return normal();
        case Tails::student:
            return student_(random_) / std::sqrt(3);
        case Tails::skewed:
            return exponential_(random_) - 1;
        }
        return 0;
    }

    static double middle(const Curve& curve, std::int64_t argument) {
        std::vector<double> values;
        for (const auto& [uuid, launch] : curve.launches)
            values.push_back(launch.values.at(argument));
        return skalib::median(std::move(values));
    }

    static Curve empty_curve(std::size_t number) {
        Curve curve;
        Suite& suite = curve.stored.suite;
        suite.name = "suite " + std::to_string(number);
        suite.operation.name = "MPI_Bcast";
        suite.operation.pattern = Pattern::collective;
        suite.operation.meaning = Meaning::collective;
        suite.varied = Varied::message_length;
        for (const std::int64_t argument : arguments) {
            StoredMeasurement point;
            point.finished = true;
            point.measurement.argument = point.measurement.message_bytes = argument;
            point.measurement.summary.count = 100;
            curve.points.push_back(point);
        }
        return curve;
    }

    void add_launch(Subject& subject, const std::string& uuid, double bad, const Scatter& scatter) {
        state_ = scatter.alike * state_ + std::sqrt(1 - scatter.alike * scatter.alike) * normal();
        const bool slow = uniform_(random_) < scatter.slow_share;
        const double slowness = slow ? scatter.slow_factor : 1;
        const double of_all = shift(scatter.tails);
        for (std::size_t i = 0; i < subject.curves.size(); ++i) {
            Curve& curve = subject.curves[i];
            const double elasticity = std::lerp(
                scatter.least_elasticity, scatter.most_elasticity,
                static_cast<double>(i) / std::max<double>(1, static_cast<double>(scatter.suites) - 1));
            const double of_launch =
                std::sqrt(scatter.shared) * of_all + std::sqrt(1 - scatter.shared) * shift(scatter.tails);
            SuiteLaunch& launch = curve.launches[uuid];
            launch.probe_s = 3e-7 * slowness * std::exp(scatter.state * state_ + 0.002 * normal());
            launch.core_speed = 3.6e9 * std::exp(0.005 * normal());
            const double common =
                elasticity * scatter.state * state_ + scatter.launch * of_launch + std::log(slowness * bad);
            for (const std::int64_t argument : arguments)
                launch.values[argument] = scatter.factor * (1e-6 + 1e-9 * static_cast<double>(argument)) *
                                          std::exp(common + scatter.point * normal());
        }
    }

    std::mt19937_64 random_;
    std::normal_distribution<double> normal_;
    std::student_t_distribution<double> student_{3};
    std::exponential_distribution<double> exponential_;
    std::uniform_real_distribution<double> uniform_;
    double state_ = 0;
};

/// What is judged of a pair of databases.
struct Found {
    bool differs = false;
    bool slower_everywhere = false;
};

bool is_slower(const SuiteContest& suite) {
    return suite.whole() && suite.whole()->verdict == Verdict::slower;
}

bool differs(const SuiteContest& suite) {
    return std::ranges::any_of(suite.statements, &Statement::different);
}

Found found_in(const Contest& contest) {
    return {std::ranges::any_of(contest.suites, differs), std::ranges::all_of(contest.suites, is_slower)};
}

/// Shares of pairs of invented databases.
struct Shares {
    double differ = 0;        ///< any suite does
    double slower_suites = 0; ///< of the suites those that are slower as a whole
};

Shares shares_of(const StudyOptions& options, const Scatter& first, const Scatter& second) {
    Inventor inventor(options.seed);
    Shares shares;
    for (int i = 0; i < options.series; ++i) {
        const Subject a = inventor.database("a", first);
        const Subject b = inventor.database("b", second);
        const Contest contest = judge_databases(a, b);
        shares.differ += found_in(contest).differs ? 1 : 0;
        shares.slower_suites += static_cast<double>(std::ranges::count_if(contest.suites, is_slower)) /
                                static_cast<double>(contest.suites.size());
    }
    shares.differ /= options.series;
    shares.slower_suites /= options.series;
    return shares;
}

void add_false_differences(const StudyOptions& options, std::vector<StudyRow>& rows) {
    for (const std::size_t launches : {5U, 10U, 20U}) {
        const Scatter equal{.launches = launches};
        rows.push_back(
            {fmt::format("equals differ anywhere: {} and {} launches, six suites", launches, launches),
             shares_of(options, equal, equal).differ, 0, 0.05});
        for (const auto& [tails, name] : {std::pair(Tails::student, "with far ones (t of 3 degrees)"),
                                          std::pair(Tails::skewed, "skewed (exponential)")})
            rows.push_back({fmt::format("the same, launches {}: {}", name, launches),
                            shares_of(options, {.launches = launches, .tails = tails},
                                      {.launches = launches, .tails = tails})
                                .differ,
                            0, 0.05});
        const Scatter drifting{.launches = launches, .state = 0.03, .alike = 0.7};
        rows.push_back(
            {fmt::format("the same in a row, the probe drifts by 3 %, correlation 0.7: {}", launches),
             shares_of(options, drifting, drifting).differ, 0, 0.05});
        Scatter shared = drifting;
        shared.shared = 0.8;
        rows.push_back({fmt::format("the same, suites share 80 % of what shifts a launch: {}", launches),
                        shares_of(options, shared, shared).differ, 0, 0.05});
        Scatter unlike = drifting;
        unlike.least_elasticity = 0;
        unlike.most_elasticity = 1;
        rows.push_back({fmt::format("the same, suites follow the probe by 0 to 1 of it: {}", launches),
                        shares_of(options, unlike, unlike).differ, 0, 0.05});
    }
}

void add_power(const StudyOptions& options, std::vector<StudyRow>& rows) {
    const auto power = [&](Scatter scatter) {
        Scatter slower = scatter;
        slower.factor = 1.05;
        slower.bad_launch = 1;
        return shares_of(options, scatter, slower).slower_suites;
    };
    rows.push_back({"5 % in all points found, of suites: 10 launches", power({}), 0.9, 1});
    rows.push_back({"the same, a launch of one side x 1.5", power({.bad_launch = 1.5}), 0.9, 1});
    rows.push_back({"the same, 40 % of the launches x 1.25, and so the probe",
                    power({.slow_share = 0.4, .slow_factor = 1.25}), 0.9, 1});
    rows.push_back(
        {"the same in a row, the probe drifts by 3 %", power({.state = 0.03, .alike = 0.7}), 0.9, 1});
}

/// Which share of the suites a gate says what of.
double gate_share(const StudyOptions& options, std::size_t launches, double truth, GateOutcome outcome) {
    Inventor inventor(options.seed);
    const std::vector<Gate> gates{parse_gate("> 1.05")};
    std::size_t suites = 0;
    std::size_t found = 0;
    for (int i = 0; i < options.series; ++i) {
        const Subject a = inventor.database("a", {.launches = launches, .suites = 1});
        const Subject b = inventor.database("b", {.launches = launches, .suites = 1, .factor = truth});
        const std::vector<Contest> comparisons{judge_databases(a, b)};
        for (const GateResult& result : check_gates(gates, comparisons)) {
            ++suites;
            found += result.outcome() == outcome ? 1 : 0;
        }
    }
    return static_cast<double>(found) / static_cast<double>(suites);
}

void add_gates(const StudyOptions& options, std::vector<StudyRow>& rows) {
    for (const std::size_t launches : {3U, 5U, 10U, 20U}) {
        rows.push_back({fmt::format("gate > 1.05 fails equals: {} launches", launches),
                        gate_share(options, launches, 1, GateOutcome::failed), 0, 0.05});
        rows.push_back({fmt::format("gate > 1.05 fails what is slower by 5 %: {} launches", launches),
                        gate_share(options, launches, 1.05, GateOutcome::failed), 0, 0.05});
        rows.push_back({fmt::format("gate > 1.05 passes what is slower by 5 %: {} launches", launches),
                        gate_share(options, launches, 1.05, GateOutcome::passed), 0, 0.05});
    }
    rows.push_back(
        {"gate > 1.05 passes equals: 20 launches", gate_share(options, 20, 1, GateOutcome::passed), 0.9, 1});
    rows.push_back({"gate > 1.05 fails what is slower by 15 %: 10 launches",
                    gate_share(options, 10, 1.15, GateOutcome::failed), 0.9, 1});
}

// --- real launches in a row

/// Launches of one state in the order in which they were made.
/// @param quiet those that no other work disturbed
std::vector<Subject> launches_of_one_state(const std::string& path, bool quiet) {
    const Database database = Database::open(path);
    std::vector<Subject> launches;
    std::vector<double> probes;
    for (const RunId id : database.runs()) {
        Subject launch = read_run(database, id);
        std::size_t disturbed = 0;
        std::size_t points = 0;
        for (Curve& curve : launch.curves)
            for (const StoredMeasurement& point : curve.points) {
                ++points;
                if ((point.measurement.flags & static_cast<Flags>(Flag::disturbed)) == 0)
                    continue;
                ++disturbed;
                for (auto& [uuid, launch] : curve.launches)
                    if (quiet)
                        launch.values.erase(point.measurement.argument);
            }
        if (points == 0 || (quiet && 5 * disturbed > points))
            continue;
        for (const auto& [uuid, own] : launch.curves.front().launches)
            probes.push_back(own.probe_s);
        launches.push_back(std::move(launch));
    }
    const double usual_s = skalib::median(probes);
    std::erase_if(launches, [&](const Subject& launch) {
        return std::ranges::any_of(launch.curves, [&](const Curve& curve) {
            return curve.launches.empty() || !in_one_mode(curve.launches.begin()->second.probe_s, usual_s);
        });
    });
    return launches;
}

/// Launches put together as one database; the values shown are their medians.
/// @param factor makes it slower
Subject together(std::span<const Subject> launches, const std::string& label, double factor) {
    Subject subject = launches.front();
    subject.label = label;
    for (std::size_t i = 0; i < subject.curves.size(); ++i) {
        Curve& curve = subject.curves[i];
        curve.launches.clear();
        for (const Subject& each : launches)
            for (const auto& [uuid, launch] : each.curves[i].launches) {
                curve.launches[uuid] = launch;
                for (auto& [argument, value] : curve.launches[uuid].values)
                    value *= factor;
            }
        for (StoredMeasurement& point : curve.points) {
            std::vector<double> values;
            for (const auto& [uuid, launch] : curve.launches)
                if (const auto place = launch.values.find(point.measurement.argument);
                    place != launch.values.end())
                    values.push_back(place->second);
            if (!values.empty())
                point.measurement.value_s = skalib::median(std::move(values));
        }
    }
    return subject;
}

void add_real(const std::string& kind, const std::vector<Subject>& launches, std::vector<StudyRow>& rows) {
    for (const std::size_t size : {5U, 10U}) {
        std::size_t pairs = 0;
        std::size_t differ = 0;
        std::size_t suites = 0;
        std::size_t suites_differ = 0;
        std::size_t found = 0;
        for (std::size_t begin = 0; begin + 2 * size <= launches.size(); ++begin) {
            const std::span<const Subject> all(launches);
            const Subject a = together(all.subspan(begin, size), "a", 1);
            const Subject b = together(all.subspan(begin + size, size), "b", 1);
            const Subject slower = together(all.subspan(begin + size, size), "c", 1.05);
            const Contest contest = judge_databases(a, b);
            ++pairs;
            differ += found_in(contest).differs ? 1 : 0;
            for (const SuiteContest& suite : contest.suites) {
                ++suites;
                suites_differ += differs(suite) ? 1 : 0;
            }
            for (const SuiteContest& suite : judge_databases(a, slower).suites)
                found += is_slower(suite) ? 1 : 0;
        }
        if (pairs == 0)
            continue;
        const auto share = [](std::size_t part, std::size_t of) {
            return static_cast<double>(part) / static_cast<double>(of);
        };
        rows.push_back(
            {fmt::format("real, {2}, {0} launches against the next {0} ({1} pairs): differ anywhere", size,
                         pairs, kind),
             share(differ, pairs), 0, 0.05});
        rows.push_back({fmt::format("the same of {} suites, each by itself", suites),
                        share(suites_differ, suites), 0, 0.05});
        rows.push_back({"the same: 5 % in all points of a suite found", share(found, suites)});
    }
}

} // namespace

std::vector<StudyRow> comparison_study(const StudyOptions& options) {
    std::vector<StudyRow> rows;
    add_false_differences(options, rows);
    add_power(options, rows);
    add_gates(options, rows);
    if (!options.database.empty()) {
        add_real("undisturbed", launches_of_one_state(options.database, true), rows);
        add_real("all", launches_of_one_state(options.database, false), rows);
    }
    return rows;
}

} // namespace skampi::bench
