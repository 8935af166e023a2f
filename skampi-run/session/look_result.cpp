#include "session/look_result.hpp"

#include "store/database.hpp"

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

} // namespace skampi
