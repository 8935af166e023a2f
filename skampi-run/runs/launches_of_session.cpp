#include "runs/launches_of_session.hpp"

#include <optional>
#include <set>
#include <utility>

namespace skampi {

std::vector<EndedLaunch> launches_of_session(const Database& database, const std::string& session_uuid) {
    std::vector<EndedLaunch> launches;
    std::set<std::pair<int, std::string>> places;
    for (const RunId id : database.runs()) {
        Run run = database.run(id);
        const auto told = run.facts.find(fact_session_place);
        if (run.kind != "raw" || run.ended_utc.empty() || told == run.facts.end())
            continue;
        const std::optional<SessionPlace> place = parse_session_place(told->second);
        if (place && place->session == session_uuid && places.emplace(place->round, run.variant).second)
            launches.push_back({id, std::move(run), *place});
    }
    return launches;
}

} // namespace skampi
