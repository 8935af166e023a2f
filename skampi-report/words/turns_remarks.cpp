#include "analysis/trust/doubt.hpp"
#include "contest/idle_settings.hpp"
#include "model/launch_command.hpp"
#include "skalib/statistics.hpp"
#include "launches/library_name.hpp"
#include "words/doubt_words.hpp"
#include "words/section_words.hpp"
#include "words/suite_words.hpp"
#include "words/system_facts.hpp"
#include "words/turns_names.hpp"
#include "words/turns_verdict.hpp"
#include "words/turns_words.hpp"

#include "base/text.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <optional>
#include <utility>

namespace skampi {

namespace {

/// What was done about rounds in two states.
const char* treatment(const TurnsSuite& suite) {
    if (suite.state)
        return "Each of these launches is compared with one of another round that met its state, where there is one.";
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

/// Rounds of a variant in which its launch and the reference's met two states of the machine.
struct Apart {
    const TurnsVariant* variant;
    const TurnsSuite* worst; ///< the suite with most such rounds
    bool differ;             ///< suites in how many rounds
    /// May be the variant's own doing.
    [[nodiscard]] bool one_sided() const {
        constexpr std::size_t enough = 3; // by chance all of so many lie on one side in a quarter of cases
        constexpr double chance = 1.0 / 16;
        return (worst->states_apart >= enough && always()) ||
               skalib::sign_test(fewer(), worst->states_apart) <= chance;
    }
    [[nodiscard]] bool always() const { return fewer() == 0; }

private:
    [[nodiscard]] std::size_t fewer() const {
        return std::min(worst->variant_in_slower, worst->states_apart - worst->variant_in_slower);
    }
};

std::optional<Apart> states_apart(const TurnsVariant& variant) {
    Apart apart{&variant, nullptr, false};
    for (const TurnsSuite& suite : variant.suites) {
        if (suite.states_apart == 0)
            continue;
        apart.differ = apart.differ || (apart.worst && suite.states_apart != apart.worst->states_apart);
        if (!apart.worst || suite.states_apart > apart.worst->states_apart)
            apart.worst = &suite;
    }
    return apart.worst ? std::optional(apart) : std::nullopt;
}

/// "up to 4 of 94 rounds"
std::string rounds_apart(const Apart& apart) {
    return fmt::format("{}{} of {}", apart.differ ? "up to " : "", apart.worst->states_apart,
                       count_of(apart.variant->rounds, "round"));
}

/// One remark of all variants whose rounds were treated alike.
std::string states_text(const Turns& turns, const std::vector<Apart>& alike) {
    std::vector<std::string> where;
    for (const Apart& apart : alike)
        where.push_back(fmt::format("{} the launches of {} and {} met two states of the machine{}",
                                    rounds_apart(apart), variant_name(turns, apart.variant->place),
                                    reference_name(turns),
                                    who_was_slower(turns, *apart.variant, *apart.worst)));
    for (std::size_t i = 1; i < alike.size(); ++i)
        where[i] = fmt::format("in {} those of {} and {}{}", rounds_apart(alike[i]),
                               variant_name(turns, alike[i].variant->place), reference_name(turns),
                               who_was_slower(turns, *alike[i].variant, *alike[i].worst));
    return fmt::format("In {}. {}", fmt::join(where, ", "), treatment(*alike.front().worst));
}

void add_states(const Turns& turns, std::vector<std::string>& remarks) {
    std::array<std::vector<Apart>, 2> treated; // left out, taken out
    std::vector<std::string> slowed;
    std::size_t most_slowed = 0; // rounds
    for (const TurnsVariant& variant : turns.variants) {
        if (std::ranges::any_of(variant.suites, &TurnsSuite::core_speed_taken_out))
            slowed.push_back(variant_name(turns, variant.place));
        for (const TurnsSuite& suite : variant.suites)
            most_slowed = std::max(most_slowed, suite.core_speeds_apart);
        const std::optional<Apart> apart = states_apart(variant);
        if (!apart)
            continue;
        if (!apart->one_sided()) {
            treated[apart->worst->states_taken_out ? 1 : 0].push_back(*apart);
            continue;
        }
        remarks.push_back(fmt::format(
            "In {} the probes (a short fixed exchange that tells the machine's state) of {} and {} were far apart, "
            "{} in the same direction: the probe is a call of the library, so this may be the variant and not "
            "the machine. {}",
            rounds_apart(*apart), variant_name(turns, variant.place), reference_name(turns),
            apart->always() ? "always" : "mostly", treatment(*apart->worst)));
    }
    for (const std::vector<Apart>& alike : treated)
        if (!alike.empty())
            remarks.push_back(states_text(turns, alike));
    if (slowed.empty())
        return;
    slowed.push_back(reference_name(turns));
    remarks.push_back(fmt::format(
        "Other work slowed the cores of some launches of {}{}. What that changes was estimated from all rounds and "
        "taken out of the times.",
        enumeration(slowed),
        most_slowed == 0 ? std::string()
                         : fmt::format(": in up to {} of {}, those of one launch were more than 10 % slower "
                                       "than those of the other",
                                       most_slowed, count_of(turns.look.rounds, "round"))));
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

/// Of single arguments that launches have no value of.
void add_missing_values(const Turns& turns, const TurnsVariant& variant, std::vector<std::string>& remarks) {
    std::vector<std::string> suites;
    for (const TurnsSuite& suite : variant.suites)
        if (const TurnsMissing& missing = suite.missing; missing.arguments > 0)
            suites.push_back(fmt::format("{} at {}, most often at {} ({} of {} have both)",
                                         turns_suite_name(suite), count_of(missing.arguments, "length"),
                                         argument_text(*suite.reference, missing.most_at),
                                         missing.rounds_left, rounds_of(suite, missing.rounds)));
    constexpr std::size_t most = 3;
    const std::size_t more = suites.size() - std::min(most, suites.size());
    suites.resize(suites.size() - more);
    if (!suites.empty())
        remarks.push_back(fmt::format("Some launches of {} or {} have no value: {}{}.",
                                      variant_name(turns, variant.place), reference_name(turns),
                                      fmt::join(suites, "; "),
                                      more > 0 ? "; " + count_of(more, "suite") + " more" : ""));
}

/// Rounds that lie far from all others and are left out; those on one side stand in the answer.
void add_rounds_left_out(const Turns& turns, std::vector<std::string>& remarks) {
    if (const auto some = rounds_left_out(turns, false); !some.empty())
        remarks.push_back(
            fmt::format("Rounds far from all others are left out: {}. If the machine was in another "
                        "state in these, it has another answer there.",
                        fmt::join(some, "; ")));
}

/// Rounds whose launches were not started alike, after windows were given up for all later launches.
std::string given_up_text(const std::string& suites, const TurnsStarts& starts) {
    const std::string compared =
        starts.alike == starts.rounds
            ? "all " + count_of(starts.rounds, "round")
            : fmt::format("{} of {}", starts.alike, count_of(starts.rounds, "round"));
    return fmt::format(
        "{}: a launch of round {} could not keep the windows in which ranks start together, so the later "
        "launches started them between barriers. {}.",
        suites, *starts.given_up_in,
        starts.compared == Synchronization::window
            ? fmt::format("The launches in windows are still more: they are compared, in {}", compared)
            : fmt::format("Launches between barriers are compared, in {}", compared));
}

/// Suites of which some launches lost their windows: "MPI_Bcast (in 34 of 40 rounds)".
/// @param compared how the launches began that are compared
std::string some_without_windows(const Turns& turns, Synchronization compared) {
    std::vector<std::string> suites;
    for (const auto& [suite, starts] : turns.of->starts)
        if (!starts.given_up_in && starts.compared == compared && starts.alike != starts.rounds)
            suites.push_back(fmt::format("{} (in {} of {})", shortened_name(suite, 40), starts.alike,
                                         count_of(starts.rounds, "round")));
    if (suites.empty())
        return {};
    return fmt::format(
        "Some launches could not keep the windows in which ranks start together, and started them "
        "between barriers. Only launches {} are compared: {}. With Synchronization = barrier all "
        "launches start alike.",
        compared == Synchronization::window ? "in windows" : "between barriers", few_names(suites));
}

void add_starts(const Turns& turns, std::vector<std::string>& remarks) {
    std::vector<std::pair<TurnsStarts, std::vector<std::string>>> groups;
    for (const auto& [suite, starts] : turns.of->starts) {
        if (starts.rounds == 0 || !starts.given_up_in)
            continue;
        const auto known = std::ranges::find(groups, starts, [](const auto& group) { return group.first; });
        auto& names = known == groups.end() ? groups.emplace_back(starts, std::vector<std::string>()).second
                                            : known->second;
        names.push_back(shortened_name(suite, 40));
    }
    for (const auto& [starts, names] : groups)
        remarks.push_back(given_up_text(few_names(names), starts));
    for (const Synchronization compared : {Synchronization::window, Synchronization::barrier})
        if (std::string text = some_without_windows(turns, compared); !text.empty())
            remarks.push_back(std::move(text));
}

/// A session that was decided so soon that a machine may have stayed in one state all the time.
void add_short_session(const Turns& turns, std::vector<std::string>& remarks) {
    constexpr double short_s = 60;
    const double took_s = turns.of->round_s * turns.look.rounds;
    if (turns.simulated || !turns.found_any() || turns.depends_on_state() || !(took_s > 0) ||
        took_s >= short_s)
        return;
    remarks.push_back(fmt::format(
        "The {} took {}. A machine that changes its state more slowly was seen in one state alone, and may have "
        "another answer in another one: --rounds 60..200 goes on for longer before it looks.",
        count_of(turns.look.rounds, "round"), rough_time(took_s)));
}

/// Where no difference is found, but single lengths may differ by much, as those at a threshold do.
void add_open_lengths(const Turns& turns, std::vector<std::string>& remarks) {
    if (turns.simulated || turns.found_any() || shared_cores(turns.of->variants))
        return;
    LargestOpen largest;
    for (const TurnsVariant& variant : turns.variants)
        for (const TurnsSuite& suite : variant.suites)
            if (suite.compared)
                add_single_lengths(largest, suite);
    if (largest.ratio() > most_telling_bound)
        remarks.push_back(
            "Single lengths are known less well than a class of them. What acts at few lengths, as a threshold does, is "
            "found in fewer rounds if the lengths around it are measured alone: Start_Argument and End_Argument in a "
            "parameter file of your own.");
}

} // namespace

std::vector<Fact> turns_variants(const Turns& turns) {
    constexpr std::size_t most_characters = 350;
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
        if (std::vector<std::string> names = settings_read(*turns.of, place); !names.empty()) {
            for (std::string& name : names)
                name = printable(name);
            parts.push_back(fmt::format("the library read {}", few_names(names)));
        }
        const bool differs = place > 0 && turns.variants[place - 1].found_any(); // something read them
        if (std::vector<std::string> names = settings_not_asked(*turns.of, place);
            !names.empty() && !differs) {
            for (std::string& name : names)
                name = printable(name);
            parts.push_back(fmt::format("whether anything read {} is not known", few_names(names)));
        }
        std::erase(parts, "");
        add_known(facts, variant_name(turns, place),
                  shortened(fmt::format("{}", fmt::join(parts, "; ")), most_characters));
    }
    return facts;
}

std::vector<std::string> turns_warnings(const Turns& turns) {
    std::vector<std::string> warnings;
    for (const TurnsMove& move : turns.of->moves)
        warnings.push_back(fmt::format(
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
        warnings.push_back(doubt_text(*found) + ".");
        break;
    }
    for (const TurnsVariant& variant : turns.variants)
        if (variant.failed > 0)
            warnings.push_back(fmt::format("{} gave no run in {}.", variant_name(turns, variant.place),
                                           count_of(variant.failed, "round")));
    return warnings;
}

std::vector<std::string> turns_remarks(const Turns& turns) {
    std::vector<std::string> remarks;
    for (const TurnsVariant& variant : turns.variants) {
        if (turns.of->session.race && variant.slower_everywhere() &&
            variant.rounds < static_cast<std::size_t>(turns.look.rounds))
            remarks.push_back(fmt::format("{} left the race after {}: it was slower in every suite.",
                                          variant_name(turns, variant.place),
                                          count_of(variant.rounds, "round")));
        add_missing(turns, variant, remarks);
        add_missing_values(turns, variant, remarks);
    }
    add_rounds_left_out(turns, remarks);
    add_states(turns, remarks);
    add_short_session(turns, remarks);
    add_open_lengths(turns, remarks);
    add_starts(turns, remarks);
    if (std::string each = turns_rounds_for_each(turns); !each.empty())
        remarks.push_back(std::move(each));
    const std::vector<Variant>& variants = turns.of->session.variants;
    const bool of_file = std::ranges::any_of(
        variants, [](const Variant& each) { return each.settings.contains(tuning_content_variable); });
    if (const std::string variable = algorithm_variable(variants); !variable.empty() && !of_file)
        remarks.push_back(fmt::format(
            "{} chooses an algorithm. Where that cannot be used, a library may take another one without a word. A "
            "suite with the key Algorithm has no value there, and compares algorithms within the same launches.",
            printable(variable)));
    if (turns.of->session.end == SessionEnd::time)
        remarks.push_back(fmt::format("The session ended at its time limit, after {}.",
                                      count_of(static_cast<std::size_t>(turns.look.rounds), "round")));
    else if (turns.of->session.end == SessionEnd::rounds && turns.open_in_tables() && !turns.simulated &&
             !all_idle(turns))
        remarks.push_back(fmt::format(
            "The session ended after its {}. More rounds need a new session from its first round on: going on "
            "would raise the probability of a false statement.",
            count_of(turns.look.rounds, "round")));
    return remarks;
}

} // namespace skampi
