#include "session/session_sums.hpp"

#include "runs/earlier_launches.hpp"
#include "runs/status.hpp"
#include "store/database.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <map>

namespace skampi {
namespace {

std::size_t open_of(const SessionContest& session, const std::set<std::string>& awaited) {
    std::size_t open = 0;
    std::set<std::string> unheard = awaited;
    for (const VariantContest& variant : session.variants)
        for (const SuiteContest& suite : variant.contest.suites) {
            const std::string& name = suite.reference->suite().name;
            const Statement* const whole = suite.whole();
            open += awaited.contains(name) && whole && whole->verdict == Verdict::open ? 1 : 0;
            unheard.erase(name);
        }
    return open + unheard.size();
}

} // namespace

LookResult look_result(const SessionContest& session, const std::set<std::string>& awaited) {
    LookResult result{.open = awaited.empty() ? session.open() : open_of(session, awaited)};
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

LookResult look_at(const Database& database, const std::string& session,
                   const std::set<std::string>& awaited) {
    const SessionLaunches launches = read_session(database, session);
    return look_result(judge_session(launches, look_due(launches)), awaited);
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
                       sums.rounds, sums.launches, look.statements - look.open, look.open,
                       look.different + look.ranges, sums.failed);
}

} // namespace skampi
