#include "launches/session_starts.hpp"

#include "launches/comparable.hpp"
#include "model/field_text.hpp"
#include "model/session_start.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

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

/// How much is left of the rounds if those started so are compared; the reference is the first of each round.
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
                for (auto& [uuid, values] : curve.launches) {
                    values.erase(point.measurement.argument);
                    curve.abstentions[uuid].insert(point.measurement.argument);
                    curve.launches_of_other_start.insert(uuid);
                }
        std::erase_if(curve.points, is_other);
    }
}

} // namespace skampi
