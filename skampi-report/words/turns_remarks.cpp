#include "analysis/doubt.hpp"
#include "model/launch_command.hpp"
#include "subject/library_name.hpp"
#include "words/doubt_words.hpp"
#include "words/system_facts.hpp"
#include "words/turns_names.hpp"
#include "words/turns_words.hpp"

#include "base/text.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

namespace skampi {

namespace {

/// What was done about rounds in two states.
const char* treatment(const TurnsSuite& suite) {
    return suite.states_taken_out
               ? "What the two states change was estimated from these rounds and taken out of the times."
               : "These rounds are left out.";
}

/// " (in 2 of them b met the slower one)"; empty where that is none of them.
std::string who_was_slower(const Turns& turns, const TurnsVariant& variant, const TurnsSuite& suite) {
    if (suite.variant_in_slower == 0)
        return {};
    const std::string name = variant_name(turns, variant.place);
    if (suite.variant_in_slower < suite.states_apart)
        return fmt::format(" (in {} of them {} met the slower one)", suite.variant_in_slower, name);
    return suite.states_apart == 1 ? fmt::format(" ({} met the slower one)", name)
                                   : fmt::format(" (in all of them {} met the slower one)", name);
}

void add_states(const Turns& turns, const TurnsVariant& variant, std::vector<std::string>& remarks) {
    const TurnsSuite* worst = nullptr;
    bool by_speed = false;
    bool differ = false; // suites in how many rounds
    for (const TurnsSuite& suite : variant.suites) {
        differ = differ || (worst && suite.states_apart > 0 && suite.states_apart != worst->states_apart);
        if (suite.states_apart > 0 && (!worst || suite.states_apart > worst->states_apart))
            worst = &suite;
        by_speed = by_speed || suite.core_speed_taken_out;
    }
    const char* const up_to = differ ? "up to " : "";
    constexpr std::size_t enough = 3; // by chance all of so many lie on one side in a quarter of cases
    if (worst && worst->states_apart >= enough &&
        (worst->variant_in_slower == 0 || worst->variant_in_slower == worst->states_apart))
        remarks.push_back(fmt::format(
            "In {}{} of {} the probes of {} and {} were far apart, always in the same direction: the probe is a "
            "call of the library, so this may be the variant and not the machine. {}",
            up_to, worst->states_apart, count_of(variant.rounds, "round"), variant_name(turns, variant.place),
            reference_name(turns), treatment(*worst)));
    else if (worst)
        remarks.push_back(fmt::format(
            "In {}{} of {} the launches of {} and {} met two states of the machine{}. {}", up_to,
            worst->states_apart, count_of(variant.rounds, "round"), variant_name(turns, variant.place),
            reference_name(turns), who_was_slower(turns, variant, *worst), treatment(*worst)));
    if (by_speed)
        remarks.push_back(fmt::format(
            "Other work slowed the cores in some launches of {} and {}. What that changes was estimated from all "
            "rounds and taken out of the times.",
            variant_name(turns, variant.place), reference_name(turns)));
}

void add_missing(const Turns& turns, const TurnsVariant& variant, std::vector<std::string>& remarks) {
    std::vector<std::string> missing;
    for (const TurnsSuite& suite : variant.suites)
        if (!suite.compared)
            missing.push_back(turns_suite_name(suite));
    for (const Curve* curve : variant.only_here)
        missing.push_back(shortened_name(title_of(*curve), 40));
    if (!missing.empty())
        remarks.push_back(
            fmt::format("{} against {}: {} cannot be compared, because one side has no values of the "
                        "same quantity: {}.",
                        variant_name(turns, variant.place), reference_name(turns),
                        count_of(missing.size(), "suite"), few_names(missing)));
}

/// Rounds whose launches were not started alike, and what was done about it.
std::string starts_text(const std::string& suites, const TurnsStarts& starts) {
    const bool in_windows = starts.compared == Synchronization::window;
    const std::string compared = fmt::format("{} of {}", starts.alike, count_of(starts.rounds, "round"));
    if (starts.given_up_in)
        return fmt::format(
            "{}: a launch of round {} could not keep the windows in which ranks start together, so the later "
            "launches started them between barriers. {}.",
            suites, *starts.given_up_in,
            in_windows
                ? fmt::format("The launches in windows are still more: they are compared, in {}", compared)
                : fmt::format("Launches between barriers are compared, in {}", compared));
    return fmt::format(
        "{}: some launches could not keep the windows in which ranks start together, and started them between "
        "barriers. Only launches {} are compared, in {}; `Synchronization = barrier` starts all launches alike.",
        suites, in_windows ? "in windows" : "between barriers", compared);
}

void add_starts(const Turns& turns, std::vector<std::string>& remarks) {
    std::vector<std::pair<TurnsStarts, std::vector<std::string>>> groups;
    for (const auto& [suite, starts] : turns.of->starts) {
        if (starts.rounds == 0 || (!starts.given_up_in && starts.alike == starts.rounds))
            continue;
        const auto known = std::ranges::find(groups, starts, [](const auto& group) { return group.first; });
        auto& names = known == groups.end() ? groups.emplace_back(starts, std::vector<std::string>()).second
                                            : known->second;
        names.push_back(shortened_name(suite, 40));
    }
    for (const auto& [starts, names] : groups)
        remarks.push_back(starts_text(few_names(names), starts));
}

} // namespace

std::vector<Fact> turns_variants(const Turns& turns) {
    constexpr std::size_t most_characters = 200;
    std::vector<Fact> facts;
    for (std::size_t place = 0; place < turns.of->session.variants.size(); ++place) {
        const std::optional<Run>& run = turns.of->variants[place].run;
        std::vector<std::string> parts;
        if (run) {
            parts = {library_name(*run), ranks_placed(*run)};
            if (!parts.back().empty())
                parts.back() = "ranks: " + parts.back();
        }
        parts.push_back(printable(variant_text(turns.of->session.variants[place])));
        std::erase(parts, "");
        add_known(facts, variant_name(turns, place),
                  shortened(fmt::format("{}", fmt::join(parts, "; ")), most_characters));
    }
    return facts;
}

std::vector<std::string> turns_remarks(const Turns& turns) {
    std::vector<std::string> remarks;
    for (const TurnsMove& move : turns.of->moves)
        remarks.push_back(fmt::format(
            "From round {} on {} was launched otherwise than before: {}. Rounds of two machines, libraries or bindings "
            "are no rounds of one session: measure again, into a new file.",
            move.round, variant_name(turns, move.variant), fmt::join(move.differences, "; ")));
    for (const Subject& subject : turns.of->variants) { // what makes every time doubtful is of all variants
        const std::vector<Doubt> of_run = run_doubts(subject);
        const auto found = std::ranges::find_if(of_run, [](const Doubt& doubt) {
            return doubt.kind == DoubtKind::shared_cores || doubt.kind == DoubtKind::shared_threads ||
                   doubt.kind == DoubtKind::one_rank;
        });
        if (found == of_run.end())
            continue;
        remarks.push_back(doubt_text(*found) + ".");
        break;
    }
    for (const TurnsVariant& variant : turns.variants) {
        if (variant.failed > 0)
            remarks.push_back(fmt::format("{} gave no run in {}.", variant_name(turns, variant.place),
                                          count_of(variant.failed, "round")));
        if (turns.of->session.race && variant.slower_everywhere() &&
            variant.rounds < static_cast<std::size_t>(turns.look.rounds))
            remarks.push_back(fmt::format("{} left the race after {}: it was slower in every suite.",
                                          variant_name(turns, variant.place),
                                          count_of(variant.rounds, "round")));
        add_states(turns, variant, remarks);
        add_missing(turns, variant, remarks);
    }
    add_starts(turns, remarks);
    if (std::string each = turns_rounds_for_each(turns); !each.empty())
        remarks.push_back(std::move(each));
    if (turns.of->session.end == SessionEnd::time)
        remarks.push_back(fmt::format("The session ended at its time limit, after {}.",
                                      count_of(static_cast<std::size_t>(turns.look.rounds), "round")));
    else if (turns.of->session.end == SessionEnd::rounds && turns.open() > 0 && !turns.simulated)
        remarks.push_back(fmt::format("The session ended after its {}; more are made with a larger --rounds.",
                                      count_of(turns.look.rounds, "round")));
    return remarks;
}

} // namespace skampi
