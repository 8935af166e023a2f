// SPDX-License-Identifier: LGPL-2.1-or-later
#include "launches/session_launches.hpp"

#include "launches/comparable.hpp"
#include "launches/read_subjects.hpp"
#include "model/field_text.hpp"
#include "model/session_start.hpp"

#include "base/error.hpp"
#include "base/text.hpp"
#include "base/utc.hpp"
#include "merge/run_group.hpp"
#include "model/launch_surroundings.hpp"
#include "model/machine_states.hpp"
#include "skalib/statistics.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace skampi {

namespace {

/// The share of a suite's arguments that a launch began in each way.
using Shares = std::map<Synchronization, double>;

Shares shares_of(const Curve& curve) {
    Shares shares;
    double all = 0;
    for (const StoredMeasurement& point : curve.points)
        if (const auto start = start_of(curve, point.measurement)) {
            ++shares[*start];
            ++all;
        }
    for (auto& [start, share] : shares)
        share /= all;
    return shares;
}

/// One suite in all launches.
struct StartsOfSuite {
    std::map<int, std::map<std::size_t, Shares>> rounds; ///< and variants
    std::optional<int> given_up_in;
};

double share_in(const Shares& shares, Synchronization start) {
    const auto found = shares.find(start);
    return found == shares.end() ? 0 : found->second;
}

/// How much of the rounds remains if this start is compared; the reference is the first of each round.
double left_of_rounds(const StartsOfSuite& suite, Synchronization start) {
    double left = 0;
    for (const auto& [round, launches] : suite.rounds)
        for (const auto& [variant, shares] : launches)
            if (variant > 0 && launches.contains(0))
                left += std::min(share_in(launches.at(0), start), share_in(shares, start));
    return left;
}

/// Without a pair of any start: how much of the launches was started so.
double left_of_launches(const StartsOfSuite& suite, Synchronization start) {
    double left = 0;
    for (const auto& [round, launches] : suite.rounds)
        for (const auto& [variant, shares] : launches)
            left += share_in(shares, start);
    return left;
}

TurnsStarts judged(const StartsOfSuite& suite, const std::set<Synchronization>& kinds) {
    TurnsStarts starts;
    std::pair<double, double> most{-1, -1};
    for (const Synchronization kind : kinds)
        if (const std::pair left{left_of_rounds(suite, kind), left_of_launches(suite, kind)}; left > most) {
            most = left;
            starts.compared = kind;
        }
    for (const auto& [round, launches] : suite.rounds) {
        if (launches.size() < 2)
            continue;
        ++starts.rounds;
        starts.alike += std::ranges::all_of(
            launches, [&](const auto& launch) { return share_in(launch.second, starts.compared) > 0.5; });
    }
    starts.given_up_in = suite.given_up_in;
    return starts;
}

} // namespace

std::map<std::string, TurnsStarts> starts_of_session(const std::vector<LaunchOfSession>& launches) {
    std::map<std::string, StartsOfSuite> suites;
    for (const LaunchOfSession& launch : launches)
        for (const Curve& curve : launch.measured.curves) {
            Shares shares = shares_of(curve);
            if (shares.empty())
                continue;
            StartsOfSuite& suite = suites[curve.suite().name];
            suite.rounds[launch.round][launch.variant] = std::move(shares);
            if (const auto fact = curve.stored.facts.find(fact_windows_given_up_in_round);
                fact != curve.stored.facts.end())
                suite.given_up_in = static_cast<int>(integer_from(fact->second).value_or(1));
        }
    std::map<std::string, TurnsStarts> starts;
    for (const auto& [name, suite] : suites) {
        std::set<Synchronization> kinds;
        for (const auto& [round, of_round] : suite.rounds)
            for (const auto& [variant, shares] : of_round)
                for (const auto& [kind, share] : shares)
                    kinds.insert(kind);
        if (kinds.size() > 1 || suite.given_up_in)
            starts.emplace(name, judged(suite, kinds));
    }
    return starts;
}

void leave_out_other_starts(Subject& launch, const std::map<std::string, TurnsStarts>& starts) {
    for (Curve& curve : launch.curves) {
        const auto of_suite = starts.find(curve.suite().name);
        if (of_suite == starts.end())
            continue;
        const auto is_other = [&](const StoredMeasurement& point) {
            const auto start = start_of(curve, point.measurement);
            return start && *start != of_suite->second.compared;
        };
        for (const StoredMeasurement& point : curve.points)
            if (is_other(point))
                for (auto& [uuid, own] : curve.launches) {
                    own.values.erase(point.measurement.argument);
                    own.abstentions.insert(point.measurement.argument);
                    own.other_start = true;
                }
        std::erase_if(curve.points, is_other);
    }
}

void leave_out_without_core(Curve& curve) {
    std::vector<double> probes_s;
    for (const auto& [uuid, launch] : curve.launches)
        if (launch.probe_s > 0)
            probes_s.push_back(launch.probe_s);
    if (probes_s.empty())
        return;
    std::ranges::sort(probes_s);
    curve.probe_with_core_s = probes_s[probes_s.size() / 4];
    for (auto& [uuid, launch] : curve.launches)
        if (lost_core(launch.probe_s, curve.probe_with_core_s)) {
            launch.without_core_s = launch.probe_s;
            launch.values.clear();
        }
}

namespace {

Session chosen_session(const Database& database, const std::string& uuid) {
    std::vector<Session> sessions = database.sessions();
    if (sessions.empty())
        throw InputError(fmt::format("{}: holds no session of variants in turns, expected a database that "
                                     "skampi-run compare wrote",
                                     printable(database.path())));
    if (uuid.empty())
        return std::move(sessions.back());
    const auto found = std::ranges::find(sessions, uuid, &Session::uuid);
    if (found != sessions.end())
        return std::move(*found);
    std::vector<std::string> known;
    for (const Session& session : sessions)
        known.push_back(printable(session.uuid));
    throw InputError(fmt::format("--session {}: {} has no such session, expected one of {}", printable(uuid),
                                 printable(database.path()), fmt::join(known, ", ")));
}

/// Adds the launch's own values to those of its variant; what is shown of a suite is its first launch's.
void add_launch(Subject& variant, Subject launch) {
    if (!variant.run) {
        launch.label = std::move(variant.label);
        variant = std::move(launch);
        return;
    }
    for (Curve& curve : launch.curves) {
        const auto own = std::ranges::find(variant.curves, curve.suite().name,
                                           [](const Curve& each) { return each.suite().name; });
        if (own == variant.curves.end()) {
            variant.curves.push_back(std::move(curve));
            continue;
        }
        if (own->points.empty())
            own->points = std::move(curve.points);
        own->launches.merge(curve.launches);
    }
    std::ranges::move(launch.shown_runs, std::back_inserter(variant.shown_runs));
    variant.launch_times.merge(launch.launch_times);
}

/// Finds the first launch of each variant that differs from its first one in what must not differ.
class Moves {
public:
    explicit Moves(std::size_t variants)
        : first_(variants) {}
    /// @param run in the order of the file
    void add(std::size_t variant, int round, const Run& run) {
        if (!first_[variant]) {
            first_[variant] = run;
            return;
        }
        if (std::ranges::find(found_, variant, &TurnsMove::variant) != found_.end())
            return;
        if (auto differences = surroundings_differ(*first_[variant], run); !differences.empty())
            found_.push_back({variant, round, std::move(differences)});
    }
    [[nodiscard]] std::vector<TurnsMove> found() && { return std::move(found_); }

private:
    std::vector<std::optional<Run>> first_;
    std::vector<TurnsMove> found_;
};

/// The duration of a round: from the begin of its first launch to that of the next round's, on average
/// without interruptions (starts are known to the second); for a single round, that of its launches together.
double round_s(const std::vector<LaunchOfSession>& launches) {
    std::map<int, double> begins_s;
    double sum_s = 0;
    for (const LaunchOfSession& launch : launches) {
        const std::optional<double> begin_s = utc_seconds(launch.measured.run->started_utc);
        const std::optional<double> end_s = utc_seconds(launch.measured.run->ended_utc);
        if (!begin_s || !end_s)
            continue;
        sum_s += std::max(*end_s - *begin_s, 0.0);
        const auto known = begins_s.try_emplace(launch.round, *begin_s).first;
        known->second = std::min(known->second, *begin_s);
    }
    std::vector<double> periods_s;
    for (auto round = begins_s.begin(); round != begins_s.end(); ++round)
        if (const auto next = std::next(round); next != begins_s.end() && next->first == round->first + 1)
            periods_s.push_back(next->second - round->second);
    if (periods_s.empty())
        return begins_s.empty() ? 0 : sum_s;
    constexpr double interrupted = 5;
    const double longest_s = interrupted * std::max(1.0, skalib::median(periods_s));
    std::erase_if(periods_s, [&](double period_s) { return period_s > longest_s; });
    return std::accumulate(periods_s.begin(), periods_s.end(), 0.0) / static_cast<double>(periods_s.size());
}

/// A layer below MPI does not list its variables: only what it wrote while it ran is known.
/// @param unused of each variant
void add_unused_settings(std::vector<Subject>& variants, const std::vector<std::set<std::string>>& unused) {
    const auto add = [](std::optional<Run>& run, const std::string& name) {
        if (run)
            run->facts.try_emplace(std::string(fact_setting_unknown) + name, name);
    };
    const std::optional<Run>& reference = variants.front().run;
    for (std::size_t i = 0; i < variants.size(); ++i)
        for (const std::string& name : unused[i]) {
            add(variants[i].run, name);
            // The reference does not set it, so no layer wrote about it.
            if (reference && variants[i].run && reference->mpi_library == variants[i].run->mpi_library)
                add(variants.front().run, name);
        }
}

} // namespace

SessionLaunches read_session(const Database& database, const std::string& uuid) {
    SessionLaunches read;
    read.session = chosen_session(database, uuid);
    const std::vector<Variant>& variants = read.session.variants;
    read.variants.resize(variants.size());
    read.launches.resize(variants.size());
    read.failed.resize(variants.size());
    const auto place_of = [&](const std::string& name) {
        return static_cast<std::size_t>(
            std::distance(variants.begin(), std::ranges::find(variants, name, &Variant::name)));
    };
    for (const SessionFailure& failure : database.session_failures(read.session.uuid))
        if (const std::size_t place = place_of(failure.variant); place < variants.size())
            read.failed[place].insert(failure.round);
    std::vector<LaunchOfSession> launches;
    std::vector<std::set<std::string>> unused(variants.size());
    Moves moves(variants.size());
    for (const RunId id : database.runs()) {
        const Run run = database.run(id);
        const int round = run.session_place.round;
        const std::size_t place = place_of(run.variant);
        if (run.kind != "raw" || !has_ended(run) || run.session_place.session != read.session.uuid ||
            place == variants.size() || !read.launches[place].try_emplace(round, run.uuid).second)
            continue;
        moves.add(place, round, run);
        launches.push_back({place, round, read_run(database, id)});
    }
    read.round_s = round_s(launches);
    read.moves = std::move(moves).found();
    read.starts = starts_of_session(launches);
    for (std::size_t i = 0; i < variants.size(); ++i) {
        read.variants[i].path = database.path();
        read.variants[i].label = variants[i].name;
    }
    for (LaunchOfSession& launch : launches) {
        for (const Event& event : launch.measured.events)
            if (event.kind == event_unused_setting)
                unused[launch.variant].insert(event.text);
        leave_out_other_starts(launch.measured, read.starts);
        add_launch(read.variants[launch.variant], std::move(launch.measured));
    }
    for (Subject& variant : read.variants)
        std::ranges::for_each(variant.curves, leave_out_without_core);
    add_unused_settings(read.variants, unused);
    return read;
}

} // namespace skampi
