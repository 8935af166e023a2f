#include "words/next_step.hpp"

#include "contest/estimate.hpp"
#include "launches/launches_left_out.hpp"
#include "analysis/trust/doubt.hpp"
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

/// Into the file that is shown if launches can be added to it, else into one beside it.
/// @param fresh what the file holds is of no use
std::string command(const Subject& subject, int ranks, std::size_t launches, bool bound = false,
                    bool fresh = false) {
    const bool same_series = takes_more_launches(subject) && !bound && !fresh && ranks == subject.run->ranks;
    return launch_command(*subject.run, ranks, launches,
                          same_series ? subject.path : next_database(subject.path), bound);
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
    if (const std::string text = command(subject, subject.run->ranks, launches_needed, true);
        binding.most > 1 && !binding.full && !text.empty() && can_be_bound(*subject.run))
        return {"Bind the ranks and measure again:", text};
    std::size_t shown = trust.launches;
    if (const LaunchesInStates states = launches_in_states(subject); states.curve)
        shown = std::min(shown, states.met_shown());
    if (trust.few_launches > 0) // some values rest on fewer
        shown = std::min(shown, launches_needed - 1);
    if (shown >= launches_needed)
        return {};
    std::size_t launches = launches_for_one_state(trust.launches_merged, shown);
    if (takes_more_launches(subject) && launches > trust.launches_merged)
        launches -= trust.launches_merged;
    if (launches > most_launches_asked)
        return {};
    const std::string text = command(subject, subject.run->ranks, launches);
    if (text.empty())
        return {};
    return {fmt::format("To have {} launches in the same machine state:", launches_needed), text};
}

/// @param command empty = none is known
TextAndCommand asking(const std::string& what, const std::string& command) {
    return {what + (command.empty() ? "." : ":"), command};
}

/// @param bound also fewer ranks need to be bound: else two of them may share a core all the same
TextAndCommand cores_for_ranks(const Subject& subject, const SharedCores& shared, bool bound) {
    if (!shared.by_binding() && shared.cores < 2) // one rank sends no message
        return {"Use more cores."};
    const std::string asked = shared.by_binding() ? "Bind each rank to a core of its own" : "Use fewer ranks";
    const int ranks = shared.by_binding() ? subject.run->ranks : static_cast<int>(shared.cores);
    const bool one_host = shared.ranks >= subject.run->ranks; // of several nobody knows how many fit
    const std::string text = one_host ? command(subject, ranks, launches_needed, bound) : "";
    return asking(asked + (shared.by_binding() ? "" : ", or more cores"), text);
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
    if (std::ranges::find(of_run, DoubtKind::one_rank, &Doubt::kind) != of_run.end()) {
        const std::string text = command(subject, 2, launches_needed);
        return asking("Measure with two ranks or more", text);
    }
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
        static_cast<std::size_t>(many) * lost.uuids.size() > lost.launches ||
        largest_contradiction(subject, static_cast<Flags>(Flag::disturbed))) {
        const std::string text = command(subject, subject.run->ranks, launches_asked(trust), false, true);
        const bool stay = neighbours_of(*subject.run) == Neighbours::machines;
        return asking(stay ? std::string(beside_machines) : measure_undisturbed(*subject.run), text);
    }
    if (trust.launches < launches_needed) {
        const std::string text = command(subject, subject.run->ranks, launches_asked(trust));
        return text.empty() ? TextAndCommand{fmt::format("Launch it {} times to know the error.",
                                                         launches_asked(trust))}
                            : TextAndCommand{"Next:", text};
    }
    if (trust.of_other_states || 2 * trust.several_modes > trust.points)
        return step_of_states(subject, trust);
    return {};
}

TextAndCommand settling_step(const Subject& subject, const Trust& trust) {
    constexpr double most_launches = 100; // a spread that needs more has a cause that launches do not remove
    if (!trust.launches_to_settle || *trust.launches_to_settle > most_launches ||
        (subject.run && has_fact(*subject.run, fact_tune_words))) // tune launches until it has decided
        return {};
    const auto wanted = static_cast<std::size_t>(*trust.launches_to_settle);
    if (wanted <= trust.launches)
        return {};
    const bool added = takes_more_launches(subject);
    // Some of them will meet another state of the machine, or be left out, as some of these did.
    const double share =
        static_cast<double>(trust.launches) /
        static_cast<double>(std::max({trust.launches, trust.launches_merged, std::size_t{1}}));
    const auto launches = static_cast<std::size_t>(
        std::ceil(static_cast<double>(added ? wanted - trust.launches : wanted) / share));
    const std::string text = command(subject, subject.run->ranks, launches);
    if (text.empty())
        return {};
    return {fmt::format("About {}{} launches would bring the error of 9 in 10 points to {}:", launches,
                        added ? " more" : "",
                        trust.error_asked_for
                            ? fmt::format("the {} asked for", format_percent(*trust.error_asked_for))
                            : "what was asked for"),
            text};
}

} // namespace skampi
