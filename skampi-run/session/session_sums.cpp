#include "session/session_sums.hpp"

#include "runs/launches_of_session.hpp"
#include "runs/status.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <map>

namespace skampi {

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
