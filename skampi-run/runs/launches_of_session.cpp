#include "runs/launches_of_session.hpp"

#include <set>
#include <utility>

namespace skampi {

std::vector<EndedLaunch> launches_of_session(const Database& database, const std::string& session_uuid) {
    std::vector<EndedLaunch> launches;
    std::set<std::pair<int, std::string>> places;
    for (const RunId id : database.runs()) {
        Run run = database.run(id);
        const SessionPlace place = run.session_place;
        if (run.kind == "raw" && !run.ended_utc.empty() && place.session == session_uuid &&
            places.emplace(place.round, run.variant).second)
            launches.push_back({id, std::move(run), place});
    }
    return launches;
}

} // namespace skampi
