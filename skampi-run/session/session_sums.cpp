#include "session/session_sums.hpp"

#include "runs/status.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <set>

namespace skampi {

SessionSums sums_of_session(const Database& database, const std::string& session_uuid) {
    SessionSums sums;
    std::map<int, std::set<std::string>> rounds;
    for (const RunId id : database.runs()) {
        const Run run = database.run(id);
        const auto told = run.facts.find(fact_session_place);
        if (run.kind != "raw" || run.ended_utc.empty() || told == run.facts.end())
            continue;
        const std::optional<SessionPlace> place = parse_session_place(told->second);
        if (!place || place->session != session_uuid || !rounds[place->round].insert(run.variant).second)
            continue;
        const RunSums of_run = sums_of_run(database, id);
        ++sums.launches;
        if (of_run.failed > 0 || of_run.wrong > 0)
            ++sums.failed;
        else if (of_run.missing > 0)
            ++sums.incomplete;
    }
    sums.rounds = static_cast<int>(
        std::ranges::count_if(rounds, [](const auto& round) { return round.second.size() > 1; }));
    sums.failed += std::ssize(database.session_failures(session_uuid));
    return sums;
}

std::string session_line(const SessionSums& sums, const std::optional<SessionStatements>& statements,
                         bool done) {
    const bool incomplete = sums.failed == 0 && sums.incomplete > 0;
    const std::string how = done         ? "OK"
                            : incomplete ? fmt::format("INCOMPLETE {} of {} launches lack points,",
                                                       sums.incomplete, sums.launches)
                                         : "FAILED";
    return fmt::format("SKAMPI: {} rounds={} launches={}{} failed={}", how, sums.rounds, sums.launches,
                       statements ? fmt::format(" decided={} open={}", statements->decided, statements->open)
                                  : "",
                       sums.failed);
}

} // namespace skampi
