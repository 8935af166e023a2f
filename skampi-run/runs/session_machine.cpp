#include "runs/session_machine.hpp"

#include "base/error.hpp"
#include "base/text.hpp"
#include "model/launch_surroundings.hpp"
#include "runs/launches_of_session.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <string>
#include <vector>

namespace skampi {
namespace {

/// The first launch of each variant.
std::vector<Run> first_launches(const Database& database, const std::string& session_uuid) {
    std::vector<Run> first;
    for (EndedLaunch& launch : launches_of_session(database, session_uuid))
        if (std::ranges::find(first, launch.run.variant, &Run::variant) == first.end())
            first.push_back(std::move(launch.run));
    return first;
}

/// Whether two variants leave it to the same launcher where the ranks run.
bool are_started_alike(const Session& session, const std::string& one, const std::string& other) {
    const auto first = std::ranges::find(session.variants, one, &Variant::name);
    const auto second = std::ranges::find(session.variants, other, &Variant::name);
    return first != session.variants.end() && second != session.variants.end() &&
           first->launch == second->launch && first->arguments == second->arguments;
}

} // namespace

void check_session_machine(const Database& database, const SessionPlace& place, const Run& run) {
    const std::vector<Run> launches = first_launches(database, place.session);
    std::vector<std::string> differences;
    const Run* before = nullptr;
    if (const auto own = std::ranges::find(launches, run.variant, &Run::variant); own != launches.end()) {
        before = &*own;
        differences = surroundings_differ(*before, run);
    } else {
        const std::vector<Session> sessions = database.sessions();
        const auto session = std::ranges::find(sessions, place.session, &Session::uuid);
        for (const Run& other : launches)
            if (differences.empty() && session != sessions.end() &&
                are_started_alike(*session, run.variant, other.variant)) {
                before = &other;
                differences = machines_differ(other, run);
            }
    }
    if (!differences.empty())
        throw InputError(fmt::format(
            "{}: found a launch of variant {} that differs from {} in the same session: {}; "
            "expected the same machine, library and binding for all rounds. Begin a session in a new file (-d); "
            "where nodes are alike, name them by @MACHINE in the parameter file",
            printable(database.path()), printable(run.variant),
            before->variant == run.variant ? "an earlier one"
                                           : "one of variant " + printable(before->variant),
            fmt::join(differences, "; ")));
}

} // namespace skampi
