#include "words/turns_words.hpp"

#include "analysis/trust/doubt.hpp"
#include "contest/idle_settings.hpp"
#include "model/launch_command.hpp"
#include "model/quantity.hpp"
#include "model/series.hpp"
#include "words/doubt_words.hpp"
#include "words/section_words.hpp"
#include "words/suite_words.hpp"
#include "words/turns_names.hpp"
#include "words/turns_verdict.hpp"
#include "words/verdict_words.hpp"

#include "base/text.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <limits>

namespace skampi {

namespace {

/// "79 rounds, of which 77 at most count"; those in states of the machine are counted where these are told
std::string rounds_that_count(const Turns& turns) {
    if (turns.simulated)
        return "simulated launches do not scatter";
    std::string text = count_of(turns.look.rounds, "round");
    std::size_t most = 0;
    for (const TurnsVariant& variant : turns.variants)
        for (const TurnsSuite& suite : variant.suites)
            if (!suite.state)
                most = std::max(most, suite.rounds());
    if (most > 0 && most < static_cast<std::size_t>(turns.look.rounds))
        text += fmt::format(", of which {} at most count", most);
    if (turns.found_any())
        text += fmt::format(
            "; the chance that any of these differences is false is at most {}{}",
            format_percent(turns.of->session.error),
            turns.different() > 0 && turns.has_ranges()
                ? fmt::format(", and {} more for single lengths", format_percent(turns.of->session.error))
                : "");
    return text;
}

std::string library_of(const Turns& turns, std::size_t place) {
    const std::optional<Run>& run = turns.of->variants[place].run;
    const auto name =
        run ? run->facts.find("mpi library, short") : std::map<std::string, std::string>::const_iterator();
    return run && name != run->facts.end() ? printable(name->second) : "the MPI library";
}

/// What a variant changes without any effect comes first: no time says anything about it. A sentence each,
/// with a blank behind it; empty = there is none.
std::string idle_settings_text(const Turns& turns) {
    const std::vector<IdleSetting> settings = idle_settings(*turns.of);
    std::string text;
    for (std::size_t place = 1; place < turns.of->variants.size(); ++place) {
        std::vector<std::string> parts;
        std::vector<std::string> unknown;
        std::vector<std::string> unused; // UCX has no list of its variables: it wrote that nothing used one
        for (const IdleSetting& each : settings)
            if (each.variant == place && each.why == IdleSetting::Why::unknown)
                (each.name.starts_with("UCX_") ? unused : unknown).push_back(printable(each.name));
            else if (each.variant == place)
                parts.push_back(fmt::format("{} is {} in both", printable(each.name),
                                            each.value.empty() ? "empty" : printable(each.value)));
        if (!unknown.empty())
            parts.push_back(fmt::format("{} {} not known to {}", few_names(unknown),
                                        unknown.size() == 1 ? "is" : "are", library_of(turns, place)));
        if (!unused.empty())
            parts.push_back(fmt::format("UCX did not use {}", few_names(unused)));
        if (parts.empty())
            continue;
        text += fmt::format("{}: {}. ", fmt::join(parts, ", "),
                            is_idle(*turns.of, place)
                                ? fmt::format("{} and {} ran the same settings", reference_name(turns),
                                              variant_name(turns, place))
                                : fmt::format("{} and {} differ only in their other settings",
                                              variant_name(turns, place), reference_name(turns)));
    }
    return text;
}

/// A variant whose ranks are bound otherwise than those of the reference, with another library: what
/// launchers do when nobody says it is no property of a library. None = there is none.
const TurnsVariant* bound_differently(const Turns& turns) {
    const std::optional<Run>& reference = turns.of->variants.front().run;
    for (const TurnsVariant& variant : turns.variants) {
        const std::optional<Run>& run = turns.of->variants[variant.place].run;
        if (reference && run && !reference->binding.empty() && !run->binding.empty() &&
            reference->binding != run->binding && reference->mpi_library != run->mpi_library)
            return &variant;
    }
    return nullptr;
}

/// A sentence with a blank behind it; empty = it is fair.
std::string unfair_text(const Turns& turns) {
    const TurnsVariant* const variant = bound_differently(turns);
    if (variant == nullptr)
        return {};
    return fmt::format(
        "This is no fair comparison of libraries, because the ranks are bound differently ({} in {}; {} in {}). ",
        printable(turns.of->variants.front().run->binding), reference_name(turns),
        printable(turns.of->variants[variant->place].run->binding), variant_name(turns, variant->place));
}

/// The command of a session in which the ranks of all variants are bound; empty where none is known.
std::string bound_command(const Turns& turns) {
    Session session = turns.of->session;
    for (std::size_t place = 0; place < session.variants.size(); ++place) {
        const std::optional<Run>& run = turns.of->variants[place].run;
        if (!run || binding_of(run->rank_facts).most <= 1)
            continue;
        Variant& variant = session.variants[place];
        const std::string& words = variant.launch.empty() ? session.launch : variant.launch;
        const std::string bound = bound_launch(words, run->launcher);
        if (bound.empty())
            return {};
        variant.launch = bound;
    }
    const Subject& reference = turns.of->variants.front();
    return session_command(session, reference.run.value_or(Run()), next_database(reference.path));
}

} // namespace

namespace {

/// With a blank before it; empty = no difference depends on it.
std::string by_state_text(const Turns& turns) {
    std::array<double, 2> probe_s{};
    std::array<std::size_t, 2> pairs{};
    for (const TurnsVariant& variant : turns.variants)
        for (const TurnsSuite& suite : variant.suites)
            if (suite.state) {
                const std::size_t state = suite.state->slower ? 1 : 0;
                if (const std::size_t met = suite.rounds(); met > pairs[state] || probe_s[state] == 0) {
                    probe_s[state] = suite.state->probe_s;
                    pairs[state] = met;
                }
            }
    return probe_s[0] > 0
               ? fmt::format(
                     " The difference depends on the state of the machine, and each state is judged from pairs "
                     "of launches that both met it, of one round or of two: a probe (a short exchange) "
                     "takes {} in the faster state (up to {}) and {} in the slower one (up to {}).",
                     format_time(probe_s[0], 3), count_of(pairs[0], "pair"), format_time(probe_s[1], 3),
                     pairs[1])
               : std::string();
}

/// Of a state of the machine in which too few rounds were; with a blank before it, empty = there is none.
std::string state_hardly_met_text(const Turns& turns) {
    std::optional<TurnsStateMet> met;
    std::vector<std::string> of;
    std::size_t suites = 0;
    bool third = false; // beside two that are judged
    for (const TurnsVariant& variant : turns.variants)
        for (const TurnsSuite& suite : variant.suites) {
            suites += suite.compared && !(suite.state && suite.state->slower) ? 1 : 0;
            if (!suite.hardly_met)
                continue;
            third = third || suite.state;
            if (const std::string name = shortened_name(title_of(*suite.reference), 40);
                std::ranges::find(of, name) == of.end())
                of.push_back(name);
            if (!met || suite.hardly_met->pairs > met->pairs)
                met = suite.hardly_met;
        }
    if (!met || turns.simulated)
        return {};
    const std::string takes = third ? format_time(met->state.probe_s, 3)
                                    : fmt::format("{} and not {}", format_time(met->state.probe_s, 3),
                                                  format_time(met->usual_probe_s, 3));
    return fmt::format(" A {} state of the machine (its probe, a short exchange, takes {}) was met by {} of "
                       "launches in {} only: what holds in it{} is not known.",
                       third               ? "third"
                       : met->state.slower ? "slower"
                                           : "faster",
                       takes, count_of(met->pairs, "pair"), count_of(turns.look.rounds, "round"),
                       of.size() == suites ? std::string() : " of " + few_names(of));
}

} // namespace

std::string turns_answer(const Turns& turns) {
    const Session& session = turns.of->session;
    const std::string idle = idle_settings_text(turns);
    if (turns.look.number == 0)
        return fmt::format(
            "{}Nothing is decided yet: the first look is after {}, and {} complete.", idle,
            count_of(session.first_look, "round"),
            complete_rounds(*turns.of) == 1 ? "1 is" : fmt::format("{} are", complete_rounds(*turns.of)));
    std::vector<const TurnsVariant*> largest_first;
    for (const TurnsVariant& variant : turns.variants)
        largest_first.push_back(&variant);
    std::ranges::stable_sort(largest_first, std::greater{},
                             [](const TurnsVariant* variant) { return largest_certain_effect(*variant); });
    std::vector<std::string> sentences;
    for (const TurnsVariant* variant : largest_first)
        sentences.push_back(variant_text(turns, *variant));
    const std::vector<std::string> left_out = rounds_left_out(turns, true);
    return fmt::format("{}{}{}; {}.{}{}{}", idle, unfair_text(turns), fmt::join(sentences, ". "),
                       rounds_that_count(turns), by_state_text(turns), state_hardly_met_text(turns),
                       left_out.empty()
                           ? std::string()
                           : fmt::format(" Left out, because they lie far from all others on one side: {}.{}",
                                         fmt::join(left_out, "; "),
                                         turns.contradicted() == 0
                                             ? ""
                                             : " They contradict the other rounds, so it is open there."));
}

namespace {

constexpr std::size_t affordable_rounds = 1000;

/// A cell that the tables call open: none that they tell as a span.
struct OpenCell {
    const TurnsVariant* variant;
    const TurnsSuite* suite;
    const TurnsStatement* statement;
};

std::vector<OpenCell> open_cells(const Turns& turns) {
    std::vector<OpenCell> cells;
    for (const TurnsVariant& variant : turns.variants)
        for (const TurnsSuite& suite : variant.suites)
            for (const TurnsStatement& each : suite.statements)
                if (each.open_in_tables())
                    cells.push_back({&variant, &suite, &each});
    return cells;
}

/// By itself, when the same command is called again.
bool goes_on(const Turns& turns) {
    const Session& session = turns.of->session;
    return session.decides && session.ended_utc.empty() && turns.look.rounds < session.most_rounds;
}

/// "20 rounds (about 2 min)"
std::string rounds_and_time(const Turns& turns, std::size_t rounds) {
    const double time_s = turns.of->round_s * static_cast<double>(rounds);
    return count_of(rounds, "round") + (time_s > 0 ? fmt::format(" (about {})", rough_time(time_s)) : "");
}

/// What to type for so many rounds: the same session for longer, or a new one in another file.
std::string command_for_rounds(const Turns& turns, std::size_t rounds, bool same_session) {
    Session session = turns.of->session;
    session.most_rounds = std::max(session.most_rounds, static_cast<int>(rounds));
    constexpr double spare = 1.2; // rounds do not all take the same time
    constexpr double minute_s = 60;
    if (session.time_limit_s > 0)
        session.time_limit_s = std::max(
            same_session ? session.time_limit_s + minute_s : minute_s,
            minute_s * std::ceil(spare * turns.of->round_s * static_cast<double>(rounds) / minute_s));
    const Subject& reference = turns.of->variants.front();
    return session_command(session, reference.run.value_or(Run()),
                           same_session ? reference.path : next_database(reference.path));
}

/// "529 rounds (about 37 min) would decide each in 9 of 10 cases (a new session, ...):" and its command.
TextAndCommand rounds_to_make(const Turns& turns, std::size_t rounds, const std::string& what) {
    const Session& session = turns.of->session;
    const bool needs_time =
        session.end == SessionEnd::time && rounds <= static_cast<std::size_t>(session.most_rounds);
    const std::string again = command_for_rounds(turns, rounds, needs_time);
    std::string text = fmt::format(
        "{} would decide {} in 9 of 10 cases{}:", rounds_and_time(turns, rounds), what,
        again.empty() || needs_time
            ? (session.time_limit_s > 0 && !again.empty() ? " (--time has a reserve)" : "")
        : session.time_limit_s > 0
            ? " (a new session, since the rounds of one are fixed when it begins; --time has a reserve)"
            : " (a new session, since the rounds of one are fixed when it begins)");
    if (again.empty())
        text += needs_time ? std::string(" the same command with a longer --time goes on.")
                           : fmt::format(" the same command with --fresh --rounds {}..{}.",
                                         session.first_look, rounds);
    return {std::move(text), again};
}

/// Where not all open cells can be decided: what decides some of them, or how to be content with less.
TextAndCommand next_of_undecidable(const Turns& turns, const std::vector<OpenCell>& cells) {
    const Session& session = turns.of->session;
    std::size_t decidable = 0;
    std::size_t rounds = 0;
    LargestOpen excluded;
    for (const OpenCell& cell : cells) {
        excluded.add(*cell.statement);
        if (cell.statement->contradicted || !cell.statement->rounds_to_decide ||
            *cell.statement->rounds_to_decide > affordable_rounds)
            continue;
        ++decidable;
        rounds = std::max(rounds, *cell.statement->rounds_to_decide);
    }
    if (decidable > 0) {
        TextAndCommand more = rounds_to_make(
            turns, rounds, decidable == 1 ? "1 of them" : fmt::format("{} of them, each", decidable));
        return {". If it matters: " + more.text, std::move(more.command)};
    }
    if (session.end == SessionEnd::time && turns.look.rounds < session.most_rounds)
        return {fmt::format(". The same command with a longer --time goes on, to {} rounds at most.",
                            session.most_rounds)};
    if (!std::isfinite(excluded.ratio())) // of one that is not judged no number of rounds is known
        return {"."};
    constexpr double most_margin = 0.1; // nobody is content to know less
    const double wider = std::ceil(100 * (excluded.ratio() - 1)) / 100;
    return {!(wider <= most_margin)
                ? ". No affordable number of rounds would prove all of it."
                : fmt::format(". No affordable number of rounds would prove all of it. If a difference of {} "
                              "does not matter, --margin {:.0f}% would have ended it.",
                              format_percent(wider), 100 * wider)};
}

} // namespace

std::string turns_rounds_for_each(const Turns& turns) {
    if (turns.simulated || turns.look.number == 0 || goes_on(turns) || shared_cores(turns.of->variants) ||
        bound_differently(turns) != nullptr || all_idle(turns))
        return {};
    struct Needed {
        std::size_t rounds;
        std::string of;
    };
    const std::vector<OpenCell> cells = open_cells(turns);
    std::vector<Needed> all;
    std::size_t too_many = 0;
    for (const auto& [variant, suite, each] : cells)
        if (each->rounds_to_decide && *each->rounds_to_decide > affordable_rounds)
            ++too_many;
        else if (each->rounds_to_decide)
            all.push_back(
                {*each->rounds_to_decide,
                 fmt::format("{}{}{}",
                             turns.variants.size() > 1 ? variant_name(turns, variant->place) + ", "
                                                       : std::string(),
                             turns_suite_name(*suite),
                             each->size || suite->statements.size() == 1 ? messages_text(each->size)
                                                                         : " over all lengths together")});
    if (all.empty() || cells.size() < 2)
        return {};
    std::ranges::stable_sort(all, {}, &Needed::rounds);
    constexpr std::size_t most = 4;
    std::vector<std::string> texts;
    for (std::size_t i = 0; i < std::min(most, all.size()); ++i)
        texts.push_back(fmt::format("{} after {}", all[i].of, rounds_and_time(turns, all[i].rounds)));
    if (all.size() > most)
        texts.push_back(fmt::format("{} more", all.size() - most));
    if (too_many > 0)
        texts.push_back(
            fmt::format("{} after more than {} rounds", count_of(too_many, "cell"), affordable_rounds));
    const std::size_t unknown = cells.size() - all.size() - too_many;
    return fmt::format("Open cells would each be decided in 9 of 10 cases: {}{}.", fmt::join(texts, "; "),
                       unknown == 0 ? ""
                                    : fmt::format("; for {} no number of rounds can be estimated",
                                                  count_of(unknown, "cell")));
}

TextAndCommand turns_next_step(const Turns& turns) {
    const Session& session = turns.of->session;
    const std::vector<OpenCell> cells = open_cells(turns);
    const std::size_t open = cells.size();
    if (turns.simulated ||
        (open == 0 && turns.look.number > 0 && !goes_on(turns) && bound_differently(turns) == nullptr))
        return {};
    if (bound_differently(turns) != nullptr) {
        const std::string again = bound_command(turns);
        return {std::string("Bind the ranks of all variants to a core each and measure again") +
                    (again.empty() ? "; launch='...' of a variant sets the launcher's options." : ":"),
                again};
    }
    if (all_idle(turns))
        return {
            "Correct what the variants change, and compare again into a new file: more rounds of the same settings "
            "decide nothing."};
    if (turns.look.number == 0 || goes_on(turns)) {
        const Subject& reference = turns.of->variants.front();
        const std::string again = session.decides && reference.run
                                      ? session_command(session, *reference.run, reference.path)
                                      : std::string();
        return {(open > 0 ? fmt::format("{} open. ", count_of(open, "statement is", "statements are")) : "") +
                    (again.empty() ? "Call the same command again: the session goes on."
                                   : "The session goes on by the same command:"),
                again};
    }
    const std::optional<std::size_t> rounds = turns.rounds_to_decide();
    const auto contradicted = static_cast<std::size_t>(
        std::ranges::count_if(cells, [](const OpenCell& cell) { return cell.statement->contradicted; }));
    const bool found = turns.found_any();
    const std::string what = fmt::format(
        "{} open: neither different nor proven to be equal within {}{}{}",
        count_of(open, "cell of the table is", "cells of the table are"), margin_text(turns),
        contradicted == 0      ? ""
        : contradicted == open ? ", because of the rounds left out"
                               : fmt::format(", {} of them because of the rounds left out", contradicted),
        found ? ". The differences found do not depend on these cells" : "");
    if (const std::optional<SharedCores> shared = shared_cores(turns.of->variants))
        return {fmt::format("{}. More rounds do not help where ranks share cores: {}.", what,
                            shared->by_binding() ? "bind each rank to a core of its own"
                                                 : "start no more ranks than there are cores")};
    if (!rounds || *rounds > affordable_rounds) {
        TextAndCommand next = next_of_undecidable(turns, cells);
        return {what + next.text, std::move(next.command)};
    }
    TextAndCommand more = rounds_to_make(turns, *rounds,
                                         contradicted > 0 ? "the others"
                                         : open == 1      ? "it"
                                                          : "each");
    return {fmt::format("{}. {}{}", what, found ? "If it matters: " : "", more.text),
            std::move(more.command)};
}

namespace {

/// Each suite over the message length does.
bool reuses_buffers(const Turns& turns) {
    const std::vector<Curve>& curves = turns.of->variants.front().curves;
    const auto has_messages = [](const Curve& curve) {
        return curve.suite().varied == Varied::message_length;
    };
    return std::ranges::any_of(curves, has_messages) && std::ranges::all_of(curves, [&](const Curve& curve) {
               const BufferPolicy buffers = curve.suite().buffers;
               return !has_messages(curve) || buffers == BufferPolicy::warm ||
                      buffers == BufferPolicy::warm_4k;
           });
}

} // namespace

std::string turns_method(const Turns& turns) {
    if (turns.simulated)
        return "Simulated launches do not scatter: one round is enough, and a difference counts where it exceeds a "
               "step of the clock.";
    return fmt::format(
        "Variants were launched in turns, each once a round, in an order drawn for each round. A round's ratio is "
        "the median over a suite's arguments of the two launches of that round; intervals are those of the mean "
        "over rounds. The probability of any false difference in this session is at most {}, all statements and "
        "looks together, and so is that of any false equality; for single arguments it is as much again. This was "
        "look {} of {}.{}",
        format_percent(turns.of->session.error), turns.look.number, turns.look.looks,
        reuses_buffers(turns)
            ? " Each call sent the same message again (Buffers = warm); programs that write "
              "a new message each time meet the times of Buffers = rewritten."
            : "");
}

TextAndCommand turns_command(const Turns& turns) {
    if (!turns_next_step(turns).command.empty())
        return {}; // a longer one
    const Subject& reference = turns.of->variants.front();
    std::string command =
        session_command(turns.of->session, reference.run.value_or(Run()), next_database(reference.path));
    if (command.empty())
        return {};
    return {"To measure this once more, into another file:", std::move(command)};
}

} // namespace skampi
