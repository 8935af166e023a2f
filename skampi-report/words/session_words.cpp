// SPDX-License-Identifier: GPL-2.0-or-later
#include "words/session_words.hpp"

#include "analysis/trust/doubt.hpp"
#include "contest/idle_settings.hpp"
#include "launches/library_name.hpp"
#include "model/launch_command.hpp"
#include "model/quantity.hpp"
#include "words/contest_words.hpp"
#include "words/doubt_words.hpp"
#include "words/section_words.hpp"
#include "words/system_facts.hpp"

#include "base/text.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <functional>

namespace skampi {

namespace {

constexpr std::size_t affordable_rounds = 1000;

double largest_effect(const VariantContest& variant) {
    const auto effects = variant.contest.effects();
    return effects.empty() ? 0 : effects.front().second->certain_effect();
}

/// What a variant changes without any effect: no time says anything about it.
std::string idle_text(const SessionContest& session) {
    const std::vector<IdleSetting> settings = idle_settings(*session.of);
    std::string text;
    for (const VariantContest& variant : session.variants) {
        std::vector<std::string> parts;
        for (const IdleSetting& each : settings)
            if (each.variant == variant.place)
                parts.push_back(each.why == IdleSetting::Why::same_value
                                    ? fmt::format("{} is {} in both", printable(each.name),
                                                  each.value.empty() ? "empty" : printable(each.value))
                                    : fmt::format("the library does not use {}", printable(each.name)));
        if (!parts.empty())
            text += fmt::format("{}: {}. ", enumeration(parts),
                                is_idle(*session.of, variant.place)
                                    ? fmt::format("{} and {} ran the same settings", variant_name(session, 0),
                                                  variant_name(session, variant.place))
                                    : fmt::format("{} and {} differ only in their other settings",
                                                  variant_name(session, variant.place),
                                                  variant_name(session, 0)));
    }
    return text;
}

/// A variant whose ranks are bound otherwise than those of the reference, with another library: what
/// launchers do by default is no property of a library. None = there is none.
const VariantContest* bound_differently(const SessionContest& session) {
    const std::optional<Run>& reference = session.of->variants.front().run;
    for (const VariantContest& variant : session.variants) {
        const std::optional<Run>& run = session.of->variants[variant.place].run;
        if (reference && run && !reference->binding.empty() && !run->binding.empty() &&
            reference->binding != run->binding && reference->mpi_library != run->mpi_library)
            return &variant;
    }
    return nullptr;
}

/// By itself, when the same command is called again.
bool goes_on(const SessionContest& session) {
    const Session& made = session.of->session;
    return made.decides && made.ended_utc.empty() && session.look.rounds < made.most_rounds;
}

std::string again(const SessionContest& session, const Session& wanted, bool same_file) {
    const Subject& reference = session.of->variants.front();
    return reference.run ? session_command(wanted, *reference.run,
                                           same_file ? reference.path : next_database(reference.path))
                         : std::string();
}

/// The command of a session in which the ranks of all variants are bound; empty where none is known.
std::string bound_command(const SessionContest& session) {
    Session wanted = session.of->session;
    for (std::size_t place = 0; place < wanted.variants.size(); ++place) {
        const std::optional<Run>& run = session.of->variants[place].run;
        if (!run || binding_of(run->rank_facts).most <= 1)
            continue;
        Variant& variant = wanted.variants[place];
        variant.launch = bound_launch(variant.launch.empty() ? wanted.launch : variant.launch, run->launcher);
        if (variant.launch.empty())
            return {};
    }
    return again(session, wanted, false);
}

/// "529 rounds (about 37 min) would decide it in 9 of 10 cases:" and the command.
TextAndCommand rounds_to_make(const SessionContest& session, std::size_t rounds) {
    constexpr double spare = 1.2; // rounds do not all take the same time
    constexpr double minute_s = 60;
    Session wanted = session.of->session;
    const double time_s = session.of->round_s * static_cast<double>(rounds);
    const bool same =
        wanted.end == SessionEnd::time && rounds <= static_cast<std::size_t>(wanted.most_rounds);
    wanted.most_rounds = std::max(wanted.most_rounds, static_cast<int>(rounds));
    if (wanted.time_limit_s > 0)
        wanted.time_limit_s = std::max(same ? wanted.time_limit_s + minute_s : minute_s,
                                       minute_s * std::ceil(spare * time_s / minute_s));
    std::string command = again(session, wanted, same);
    const std::string text =
        fmt::format("{}{} would decide it in 9 of 10 cases{}", count_of(rounds, "round"),
                    time_s > 0 ? fmt::format(" (about {})", rough_time(time_s)) : "",
                    same ? "" : ", in a new session, since the rounds of one are fixed when it begins");
    if (command.empty())
        return {fmt::format("{}: the same command with --fresh --rounds {}..{}.", text, wanted.first_look,
                            rounds)};
    return {text + ":", std::move(command)};
}

} // namespace

std::string variant_name(const SessionContest& session, std::size_t place) {
    constexpr std::size_t most_characters = 40;
    return shortened_name(session.of->session.variants[place].name, most_characters);
}

std::string session_launches(const SessionContest& session) {
    return session.look.rounds == 0
               ? std::string()
               : fmt::format("{} in {}", count_of(session.of->session.variants.size(), "variant"),
                             count_of(session.look.rounds, "round"));
}

std::string session_answer(const SessionContest& session) {
    const std::string idle = idle_text(session);
    if (session.look.number == 0)
        return fmt::format(
            "{}Nothing is decided yet: the first look is after {}, and {} complete.", idle,
            count_of(session.of->session.first_look, "round"),
            complete_rounds(*session.of) == 1 ? "1 is" : fmt::format("{} are", complete_rounds(*session.of)));
    std::vector<const VariantContest*> variants;
    for (const VariantContest& variant : session.variants)
        variants.push_back(&variant);
    std::ranges::stable_sort(variants, std::greater(),
                             [](const auto* each) { return largest_effect(*each); });
    std::string text = idle;
    if (const VariantContest* const variant = bound_differently(session))
        text += fmt::format(
            "This is no fair comparison of libraries: the ranks of {} are bound {}, those of {} {}. ",
            variant_name(session, 0), printable(session.of->variants.front().run->binding),
            variant_name(session, variant->place),
            printable(session.of->variants[variant->place].run->binding));
    for (const VariantContest* variant : variants)
        text += contest_answer(variant->contest, variant_name(session, variant->place),
                               variant_name(session, 0)) +
                " ";
    text += session.simulated ? std::string("Simulated launches do not scatter.")
                              : count_of(session.look.rounds, "round") + ".";
    return text;
}

TextAndCommand session_next(const SessionContest& session) {
    const Session& made = session.of->session;
    const std::size_t open = session.open();
    if (bound_differently(session) != nullptr) {
        std::string command = bound_command(session);
        return {std::string("Bind the ranks of all variants to a core each and measure again") +
                    (command.empty() ? "; launch='...' of a variant sets the launcher's options." : ":"),
                std::move(command)};
    }
    if (session.simulated || (open == 0 && session.look.number > 0 && !goes_on(session)))
        return {};
    if (all_idle(session))
        return {
            "Correct what the variants change, and compare again into a new file: more rounds of the same settings "
            "decide nothing."};
    const std::string what = open > 0 ? count_of(open, "statement is open. ", "statements are open. ") : "";
    if (session.look.number == 0 || goes_on(session)) {
        std::string command = again(session, made, true);
        return {what + (command.empty() ? "Call the same command again: the session goes on."
                                        : "The session goes on by the same command:"),
                std::move(command)};
    }
    if (const std::optional<SharedCores> shared = shared_cores(session.of->variants))
        return {fmt::format("{}More rounds do not help where ranks share cores: {}.", what,
                            shared->by_binding() ? "bind each rank to a core of its own"
                                                 : "start no more ranks than there are cores")};
    const std::optional<std::size_t> rounds = session.rounds_to_decide();
    if (!rounds || *rounds > affordable_rounds)
        return {what + "No affordable number of rounds is known to decide all of it; a wider --margin may."};
    TextAndCommand more = rounds_to_make(session, *rounds);
    more.text = what + more.text;
    return more;
}

TextAndCommand session_again(const SessionContest& session) {
    if (!session_next(session).command.empty())
        return {};
    std::string command = again(session, session.of->session, false);
    if (command.empty())
        return {};
    return {"To measure this once more, into another file:", std::move(command)};
}

std::vector<Fact> session_variants(const SessionContest& session) {
    constexpr std::size_t most_characters = 350;
    const auto names_text = [](std::vector<std::string> names) {
        for (std::string& name : names)
            name = printable(name);
        return few_names(std::move(names));
    };
    std::vector<Fact> facts;
    for (std::size_t place = 0; place < session.of->session.variants.size(); ++place) {
        std::vector<std::string> parts;
        if (const std::optional<Run>& run = session.of->variants[place].run) {
            parts = {library_name(*run), ranks_placed(*run)};
            if (!parts.back().empty())
                parts.back() = "ranks: " + parts.back();
        }
        parts.push_back(printable(variant_text(session.of->session.variants[place])));
        if (const auto names = settings_read(*session.of, place); !names.empty())
            parts.push_back(fmt::format("the library read {}", names_text(names)));
        if (const auto names = settings_not_asked(*session.of, place);
            !names.empty() && !(place > 0 && session.variants[place - 1].found_any()))
            parts.push_back(fmt::format("whether anything read {} is not known", names_text(names)));
        std::erase(parts, "");
        add_known(facts, variant_name(session, place),
                  shortened(fmt::format("{}", fmt::join(parts, "; ")), most_characters));
    }
    return facts;
}

std::vector<std::string> session_warnings(const SessionContest& session) {
    std::vector<std::string> warnings;
    for (const TurnsMove& move : session.of->moves)
        warnings.push_back(
            fmt::format("From round {} on {} was launched otherwise than before: {}. Measure again, into a "
                        "new file.",
                        move.round, variant_name(session, move.variant), fmt::join(move.differences, "; ")));
    for (const Subject& subject : session.of->variants) { // what makes every time doubtful is of all variants
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
    for (const VariantContest& variant : session.variants)
        if (variant.failed > 0)
            warnings.push_back(fmt::format("{} gave no run in {}.", variant_name(session, variant.place),
                                           count_of(variant.failed, "round")));
    return warnings;
}

namespace {

void add_states(const SessionContest& session, std::vector<std::string>& remarks) {
    std::vector<std::string> suites;
    std::array<double, 2> probes_s{};
    for (const VariantContest& variant : session.variants)
        for (const SuiteContest& suite : variant.contest.suites)
            if (suite.state) {
                probes_s[suite.state->slower ? 1 : 0] = suite.state->probe_s;
                if (!suite.state->slower)
                    suites.push_back(shortened_name(title_of(*suite.reference), 40));
            }
    if (!suites.empty())
        remarks.push_back(
            fmt::format("The difference depends on the state of the machine in {}: each state is judged "
                        "from pairs of launches that both met it. The probe (an exchange of one byte) "
                        "takes {} in the faster state, {} in the slower one.",
                        few_names(suites), format_time(probes_s[0], 3), format_time(probes_s[1], 3)));
}

void add_outliers(const SessionContest& session, std::vector<std::string>& remarks) {
    std::vector<std::string> suites;
    for (const VariantContest& variant : session.variants)
        for (const SuiteContest& suite : variant.contest.suites)
            for (const Statement& each : suite.statements)
                if (each.why == Why::outliers)
                    suites.push_back(fmt::format("{}{} ({} of {})", suite_name(suite),
                                                 place_text(suite, each.place), each.outliers,
                                                 count_of(each.outliers + each.reference, "round")));
    if (!suites.empty())
        remarks.push_back(
            fmt::format("Rounds far from all others lie on one side and contradict these, so it is open: "
                        "{}.",
                        few_names(suites)));
}

/// Suites of which not all launches began alike.
void add_starts(const SessionContest& session, std::vector<std::string>& remarks) {
    std::vector<std::string> suites;
    for (const auto& [suite, starts] : session.of->starts)
        if (starts.alike < starts.rounds)
            suites.push_back(
                fmt::format("{} ({} of {}, {})", shortened_name(suite, 40), starts.alike,
                            count_of(starts.rounds, "round"),
                            starts.compared == Synchronization::window ? "in windows" : "between barriers"));
    if (!suites.empty())
        remarks.push_back(
            fmt::format("Some launches could not keep the windows in which ranks start together. Only "
                        "launches that began alike are compared: {}. With Synchronization = barrier all "
                        "launches start alike.",
                        few_names(suites)));
}

void add_not_compared(const SessionContest& session, const VariantContest& variant,
                      std::vector<std::string>& remarks) {
    std::vector<std::string> missing;
    for (const SuiteContest& suite : variant.contest.suites)
        if (!suite.compared())
            missing.push_back(suite_name(suite));
    for (const Curve* curve : variant.contest.only_in_subject)
        missing.push_back(shortened_name(title_of(*curve), 40));
    if (!missing.empty())
        remarks.push_back(
            fmt::format("{} against {}: {} cannot be compared, because one side has no values of the same "
                        "quantity: {}.",
                        variant_name(session, variant.place), variant_name(session, 0),
                        count_of(missing.size(), "suite"), few_names(missing)));
}

} // namespace

std::vector<std::string> session_remarks(const SessionContest& session) {
    const Session& made = session.of->session;
    std::vector<std::string> remarks;
    add_states(session, remarks);
    add_outliers(session, remarks);
    for (const VariantContest& variant : session.variants) {
        if (made.race && variant.slower_everywhere() &&
            variant.rounds < static_cast<std::size_t>(session.look.rounds))
            remarks.push_back(fmt::format("{} left the race after {}: it was slower in every suite.",
                                          variant_name(session, variant.place),
                                          count_of(variant.rounds, "round")));
        add_not_compared(session, variant, remarks);
    }
    add_starts(session, remarks);
    const bool of_file = std::ranges::any_of(
        made.variants, [](const Variant& each) { return each.settings.contains(tuning_content_variable); });
    if (const std::string variable = algorithm_variable(made.variants); !variable.empty() && !of_file)
        remarks.push_back(
            fmt::format("{} chooses an algorithm. Where that cannot be used, a library may take another one "
                        "in silence; the key Algorithm of a parameter file leaves such values out.",
                        printable(variable)));
    if (made.end == SessionEnd::time)
        remarks.push_back(fmt::format("The session ended at its time limit, after {}.",
                                      count_of(session.look.rounds, "round")));
    return remarks;
}

std::string session_method(const SessionContest& session) {
    if (session.simulated)
        return "Simulated launches do not scatter: one round is enough, and a difference counts where it exceeds a step "
               "of the clock.";
    return fmt::format(
        "Variants were launched in turns, each once a round, in an order drawn for each round. Intervals "
        "are those of the mean ratio over rounds, at equal probes and core speeds where times follow "
        "them. The chance of any false difference in this session is at most {}, all statements and "
        "looks together. This was look {} of {}.",
        format_percent(session.of->session.error), session.look.number, session.look.looks);
}

} // namespace skampi
