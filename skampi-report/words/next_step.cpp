// SPDX-License-Identifier: GPL-2.0-or-later
#include "words/next_step.hpp"

#include "analysis/trust/doubt.hpp"
#include "contest/estimate.hpp"
#include "launches/launches_left_out.hpp"
#include "model/launch_command.hpp"
#include "model/quantity.hpp"
#include "model/series.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <optional>

namespace skampi {

bool takes_more_launches(const Subject& subject) {
    return (subject.merged_here || subject.run->kind == "raw") && subject.other_parts.empty();
}

namespace {

/// A command that makes enough launches: those that are missing into the file that is shown, or, where none
/// can be added to it, all into another one.
/// @param launches in all   @param what begins the text
/// @param fresh what the file holds is of no use
TextAndCommand measuring(const Subject& subject, std::string what, int ranks, std::size_t launches,
                         bool bound = false, bool fresh = false) {
    const bool advice = bound || fresh || ranks != subject.run->ranks; // also without a command
    const bool added = takes_more_launches(subject) && !bound && !fresh && ranks == subject.run->ranks;
    const std::size_t made =
        added ? std::max(subject.launches(), static_cast<std::size_t>(subject.run->merged_runs)) : 0;
    const std::size_t missing = launches > made ? launches - made : 1;
    std::string command = launch_command(*subject.run, ranks, missing,
                                         added ? subject.path : next_database(subject.path), bound);
    if (command.empty())
        return {advice ? what + "." : ""};
    if (!was_tuned(*subject.run))
        what +=
            fmt::format(", {}{}{}", missing, added ? " more launch" : " launch", missing == 1 ? "" : "es") +
            (added ? "" : " into another file");
    return {what + ":", std::move(command)};
}

/// More launches than anybody makes for it.
constexpr std::size_t most_launches_asked = 40;

/// So many that enough are in one state of the machine, if they fall into states as those did that there are.
std::size_t launches_for_one_state(std::size_t made, std::size_t shown) {
    shown = std::max<std::size_t>(shown, 1);
    return (launches_needed * std::max(made, shown) + shown - 1) / shown; // rounded up
}

/// Of those that would be enough as many as anybody makes.
std::size_t launches_asked(const Trust& trust) {
    return std::min(launches_for_one_state(trust.launches_merged, trust.launches), most_launches_asked);
}

/// Launches fall into states where ranks move between cores: binding helps while there are cores to spare.
/// Else the state shown needs launches enough.
TextAndCommand step_of_states(const Subject& subject, const Trust& trust) {
    const Binding binding = binding_of(subject.run->rank_facts);
    if (binding.most > 1 && !binding.full && can_be_bound(*subject.run))
        return measuring(subject, "Bind the ranks and measure again", subject.run->ranks, launches_needed,
                         true);
    std::size_t shown = trust.launches;
    if (const LaunchesInStates states = launches_in_states(subject); states.curve)
        shown = std::min(shown, states.met_shown());
    if (trust.few_launches > 0) // some values rest on fewer
        shown = std::min(shown, launches_needed - 1);
    const std::size_t launches = launches_for_one_state(trust.launches_merged, shown);
    if (shown >= launches_needed || launches > trust.launches_merged + most_launches_asked)
        return {};
    return measuring(subject, fmt::format("To have {} launches in the same machine state", launches_needed),
                     subject.run->ranks, launches);
}

/// @param bound also fewer ranks need to be bound: else two of them may share a core all the same
TextAndCommand cores_for_ranks(const Subject& subject, const SharedCores& shared, bool bound) {
    if (!shared.by_binding() && shared.cores < 2) // one rank sends no message
        return {"Use more cores."};
    const std::string asked = shared.by_binding() ? "Bind each rank to a core of its own" : "Use fewer ranks";
    const int ranks = shared.by_binding() ? subject.run->ranks : static_cast<int>(shared.cores);
    const bool one_host = shared.ranks >= subject.run->ranks; // of several it is not known how many fit
    const std::string what = asked + (shared.by_binding() ? "" : ", or more cores");
    return one_host ? measuring(subject, what, ranks, launches_needed, bound, true)
                    : TextAndCommand{what + "."};
}

std::int64_t unreliable_between_barriers(const Subject& subject) {
    std::int64_t unreliable = 0;
    for (const Curve& curve : subject.curves)
        if (curve.suite().operation.pattern == Pattern::collective &&
            curve.suite().synchronization == Synchronization::barrier)
            unreliable += std::ranges::count_if(curve.points, [](const StoredMeasurement& point) {
                return has(point.measurement.flags, Flag::unreliable);
            });
    return unreliable;
}

constexpr const char* beside_machines =
    "If other work on its cores stays, only a host of your own gives undisturbed times; settings can be compared all the "
    "same, launched in turns (skampi-run compare). Measure again at another time";

} // namespace

std::string measure_undisturbed(const Run& run) {
    const std::string quiet = "Measure again while nothing else uses the cores";
    return has_fact(run, fact_hypervisor)
               ? quiet + ", neither here nor in other virtual machines of the same host"
               : quiet;
}

TextAndCommand next_step(const Subject& subject, const Trust& trust) {
    if (!subject.run || is_simulated(*subject.run))
        return {};
    if (const std::optional<SharedCores> shared = shared_cores(*subject.run))
        return cores_for_ranks(subject, *shared, shared->by_binding());
    if (const std::optional<SharedCores> shared = shared_threads(*subject.run))
        return cores_for_ranks(subject, *shared, true);
    const std::vector<Doubt> of_run = run_doubts(subject);
    if (std::ranges::find(of_run, DoubtKind::one_rank, &Doubt::kind) != of_run.end())
        return measuring(subject, "Measure with two ranks or more", 2, launches_needed);
    if (!subject.ended) {
        const std::string text =
            takes_more_launches(subject) && subject.run->variant.empty()
                ? launch_command(*subject.run, subject.run->ranks, 1, subject.path, false)
                : std::string();
        return text.empty() ? TextAndCommand()
                            : TextAndCommand{"Unless it still measures, this goes on with it:", text};
    }
    if (trust.points == 0)
        return {};
    constexpr std::int64_t many = 5; // one of so many values
    if (many * trust.wrong_result > trust.points)
        return {
            "Wrong data are a mistake of the MPI library, or of your own operation: update it, or report it to its "
            "developers."};
    const LaunchesWithoutCore lost = launches_without_core(subject);
    if (many * trust.disturbed > trust.points || trust.rests_on_undisturbed() ||
        static_cast<std::size_t>(many) * lost.uuids.size() > lost.launches) {
        const bool stay = neighbours_of(*subject.run) == Neighbours::machines;
        return measuring(subject, stay ? std::string(beside_machines) : measure_undisturbed(*subject.run),
                         subject.run->ranks, launches_asked(trust), false, true);
    }
    if (many * unreliable_between_barriers(subject) > trust.points)
        return {
            "Times between barriers are those of a call and a barrier, less that of a barrier, which varies by more than "
            "short calls take: measure them with Synchronization = window."};
    if (trust.launches < launches_needed)
        return measuring(subject, "Next", subject.run->ranks, launches_asked(trust));
    if (trust.of_other_states || 2 * trust.several_modes > trust.points)
        return step_of_states(subject, trust);
    return {};
}

TextAndCommand settling_step(const Subject& subject, const Trust& trust) {
    constexpr double most_launches = 100; // a spread that needs more has a cause that launches do not remove
    if (!trust.launches_to_settle || *trust.launches_to_settle > most_launches ||
        (subject.run && was_tuned(*subject.run))) // tune launches until it has decided
        return {};
    const auto wanted = static_cast<std::size_t>(*trust.launches_to_settle);
    if (wanted <= trust.launches)
        return {};
    // Some of them will meet another state of the machine, or be left out, as some of these did.
    const double share =
        static_cast<double>(trust.launches) /
        static_cast<double>(std::max({trust.launches, trust.launches_merged, std::size_t{1}}));
    return measuring(subject,
                     fmt::format("To bring the error of 9 in 10 points to {}",
                                 trust.error_asked_for
                                     ? fmt::format("the {} asked for", format_percent(*trust.error_asked_for))
                                     : "what was asked for"),
                     subject.run->ranks,
                     static_cast<std::size_t>(std::ceil(static_cast<double>(wanted) / share)));
}

} // namespace skampi
