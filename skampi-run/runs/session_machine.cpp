#include "runs/session_machine.hpp"

#include "base/error.hpp"
#include "base/text.hpp"
#include "model/launch_surroundings.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <string>
#include <vector>

namespace skampi {
namespace {

/// The first launch of each variant.
std::vector<const Run*> first_launches(const std::vector<EndedLaunch>& launches) {
    std::vector<const Run*> first;
    for (const EndedLaunch& launch : launches)
        if (std::ranges::find(first, launch.run.variant, &Run::variant) == first.end())
            first.push_back(&launch.run);
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

void check_session_machine(const std::string& database, const Session& session,
                           const std::vector<EndedLaunch>& launches, const Run& run) {
    const std::vector<const Run*> first = first_launches(launches);
    std::vector<std::string> differences;
    const Run* before = nullptr;
    if (const auto own = std::ranges::find(first, run.variant, &Run::variant); own != first.end()) {
        before = *own;
        differences = surroundings_differ(*before, run);
    } else {
        for (const Run* other : first)
            if (differences.empty() && are_started_alike(session, run.variant, other->variant)) {
                before = other;
                differences = machines_differ(*other, run);
            }
    }
    if (!differences.empty())
        throw InputError(fmt::format(
            "{}: found a launch of variant {} that differs from {} in the same session: {}; "
            "expected the same machine, library and binding for all rounds. Begin a session in a new file (-d); "
            "where nodes are alike, name them by @MACHINE in the parameter file",
            printable(database), printable(run.variant),
            before->variant == run.variant ? "an earlier one"
                                           : "one of variant " + printable(before->variant),
            fmt::join(differences, "; ")));
}

} // namespace skampi
