// SPDX-License-Identifier: LGPL-2.1-or-later
#include "session/session_sums.hpp"

#include "runs/earlier_launches.hpp"
#include "runs/status.hpp"
#include "store/database.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <map>

namespace skampi {
namespace {

bool is_known(const Statement& statement, double half_width) {
    return statement.judged() && (statement.high - statement.low) / 2 <= half_width * statement.ratio;
}

/// Counts undecided statements.
void count_open(const SessionContest& session, const std::set<std::string>& awaited, double half_width,
                LookResult& result) {
    std::set<std::string> unheard = awaited;
    for (const VariantContest& variant : session.variants)
        for (const SuiteContest& suite : variant.contest.suites) {
            const std::string& name = suite.reference->suite().name;
            unheard.erase(name);
            for (const Statement& each : suite.statements) {
                const bool asked = awaited.empty()
                                       ? is_asked(each)
                                       : awaited.contains(name) && each.place.kind == Place::Kind::whole;
                if (asked && each.verdict == Verdict::open)
                    ++(is_known(each, half_width) ? result.known : result.open);
            }
        }
    result.open += unheard.size();
}

} // namespace

LookResult look_result(const SessionContest& session, const std::set<std::string>& awaited,
                       double half_width) {
    LookResult result;
    count_open(session, awaited, half_width, result);
    for (const VariantContest& variant : session.variants) {
        if (variant.slower_everywhere())
            result.slower_everywhere.push_back(session.of->session.variants[variant.place].name);
        for (const SuiteContest& suite : variant.contest.suites)
            for (const Statement& each : suite.statements) {
                result.statements += is_asked(each) ? 1 : 0;
                result.different += is_asked(each) && each.different() ? 1 : 0;
                result.ranges += each.place.kind == Place::Kind::range && each.different() ? 1 : 0;
            }
    }
    return result;
}

LookResult look_at(const Database& database, const std::string& session, const std::set<std::string>& awaited,
                   double half_width) {
    const SessionLaunches launches = read_session(database, session);
    return look_result(judge_session(launches, look_due(launches)), awaited, half_width);
}

SessionSums sums_of_session(const Database& database, const std::string& session_uuid) {
    SessionSums sums;
    std::map<int, int> rounds; // their launches
    for (const EndedLaunch& launch : launches_of_session(database, session_uuid)) {
        const RunSums of_run = sums_of_run(database, launch.id);
        ++rounds[launch.place.round];
        ++sums.launches;
        if (of_run.failed > 0 || of_run.wrong > 0)
            ++sums.failed;
        else if (of_run.missing > 0)
            ++sums.incomplete;
    }
    sums.rounds =
        static_cast<int>(std::ranges::count_if(rounds, [](const auto& round) { return round.second > 1; }));
    sums.failed += std::ssize(database.session_failures(session_uuid));
    return sums;
}

std::string session_line(const SessionSums& sums, const LookResult& look, bool done) {
    const bool incomplete = sums.failed == 0 && sums.incomplete > 0;
    const std::string how = done         ? "OK"
                            : incomplete ? fmt::format("INCOMPLETE {} of {} launches lack points,",
                                                       sums.incomplete, sums.launches)
                                         : "FAILED";
    return fmt::format("SKAMPI: {} rounds={} launches={} decided={} open={} found={} failed={}", how,
                       sums.rounds, sums.launches, look.statements - look.open - look.known,
                       look.open + look.known, look.different + look.ranges, sums.failed);
}

} // namespace skampi
