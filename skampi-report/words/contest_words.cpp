// SPDX-License-Identifier: GPL-2.0-or-later
#include "words/contest_words.hpp"

#include "contest/estimate.hpp"
#include "model/launch_command.hpp"
#include "model/quantity.hpp"
#include "words/next_step.hpp"
#include "words/section_words.hpp"
#include "words/suite_words.hpp"

#include "base/text.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <utility>

namespace skampi {

std::string size_text(MessageSize size) {
    switch (size) {
    case MessageSize::small:
        return "to 1 KiB";
    case MessageSize::medium:
        return "1 to 64 KiB";
    case MessageSize::large:
        break;
    }
    return "above 64 KiB";
}

std::string place_text(const SuiteContest& suite, const Place& place) {
    switch (place.kind) {
    case Place::Kind::whole:
        return {};
    case Place::Kind::size:
        return place.size() == MessageSize::large    ? " above 64 KiB"
               : place.size() == MessageSize::medium ? " from 1 to 64 KiB"
                                                     : " up to 1 KiB";
    case Place::Kind::range:
    case Place::Kind::point:
        break;
    }
    return place.from == place.to ? " at " + argument_text(*suite.reference, place.from)
                                  : " from " + arguments_text(*suite.reference, place.from, place.to);
}

std::string suite_name(const SuiteContest& suite, std::size_t most_characters) {
    return shortened_name(title_of(*suite.reference), most_characters) +
           (!suite.state          ? ""
            : suite.state->slower ? " in the slower machine state"
                                  : " in the faster machine state");
}

std::string reason_text(Why why) {
    switch (why) {
    case Why::none:
        break;
    case Why::only_in_reference:
        return "one side does not measure it";
    case Why::other_quantity:
        return "the sides measure different quantities";
    case Why::no_values:
        return "one side has no time";
    case Why::other_ranks:
        return "the numbers of ranks differ";
    case Why::other_start:
        return "the ranks were started differently";
    case Why::shared_launches:
        return "both sides hold the same launches";
    case Why::few_launches:
        return fmt::format("fewer than {} usable launches", launches_needed);
    case Why::machine_states:
        return "library and machine state cannot be separated";
    case Why::no_scatter:
        return "neither scatter nor clock step is known";
    case Why::outliers:
        return "outliers on one side";
    case Why::launches_in_a_row:
        return "launches in a row";
    case Why::scatter:
        return "launches scatter too much";
    }
    return {};
}

namespace {

/// "reported time" of reported_time
std::string key_in_words(std::string_view field) {
    std::string text(field);
    std::ranges::replace(text, '_', ' ');
    return text;
}

} // namespace

std::string fields_text(const std::vector<FieldDifference>& differences) {
    const auto shown = [](const std::string& text) { return text.empty() ? std::string("none") : text; };
    std::vector<std::string> texts;
    for (const FieldDifference& each : differences)
        texts.push_back(
            fmt::format("{} ({} and {})", key_in_words(each.field), shown(each.first), shown(each.second)));
    return enumeration(texts);
}

namespace {

/// How times compare, with the interval: "5.2 % slower (4.1 to 6.3 %)". @pre it is judged
std::string difference_text(const Statement& statement) {
    const std::string ratio = slower_text(statement.ratio);
    if (slower_text(statement.low) == ratio && slower_text(statement.high) == ratio) // simulated ones
        return ratio;
    return fmt::format("{} ({})", ratio, slower_interval(statement.ratio, statement.low, statement.high));
}

/// "3 %", "2.5 times": how far a ratio may be away from 1.
std::string most_text(const Statement& statement) {
    const double most = std::max(statement.high, 1 / statement.low);
    constexpr double twice = 2;
    return most >= twice ? format_times(most) : format_percent(most - 1);
}

} // namespace

std::string statement_text(const Statement& statement) {
    if (statement.different())
        return difference_text(statement);
    if (statement.verdict == Verdict::equal)
        return "equal";
    if (!statement.judged() || statement.why == Why::outliers || statement.why == Why::launches_in_a_row)
        return "open: " + reason_text(statement.why);
    return statement.none_found()
               ? fmt::format("none found (at most {})", most_text(statement))
               : fmt::format("unknown ({} to {})", slower_text(statement.low), slower_text(statement.high));
}

std::string suite_text(const SuiteContest& suite) {
    return "not compared: " + reason_text(suite.why) +
           (suite.why == Why::other_quantity ? ": " + fields_text(suite.comparability.other_quantity)
                                             : std::string());
}

// --- answers

namespace {

std::string largest_text(const Contest& contest) {
    const auto effects = contest.effects();
    if (effects.empty())
        return {};
    const auto& [suite, statement] = effects.front();
    return fmt::format("{}{} is {}", suite_name(*suite), place_text(*suite, statement->place),
                       difference_text(*statement));
}

/// Suites of the answer that are open, by whether a difference of a quarter would have been found.
std::pair<std::size_t, std::size_t> open_suites(const Contest& contest) {
    std::pair<std::size_t, std::size_t> counts; // none found, unknown
    for (const SuiteContest* suite : contest.with(Verdict::open)) {
        const bool none = suite->largest() == nullptr && suite->whole()->none_found();
        ++(none ? counts.first : counts.second);
    }
    return counts;
}

/// The reason of most suites of which nothing is known.
Why usual_reason(const Contest& contest) {
    std::map<Why, std::size_t> counts;
    for (const SuiteContest& suite : contest.suites)
        if (suite.in_answer && !suite.largest())
            ++counts[suite.compared() ? suite.whole()->why : suite.why];
    counts.erase(Why::none);
    const auto most = std::ranges::max_element(counts, {}, [](const auto& each) { return each.second; });
    return most == counts.end() ? Why::none : most->first;
}

} // namespace

std::string contest_answer(const Contest& contest, const std::string& subject, const std::string& reference) {
    const std::size_t slower = contest.with(Verdict::slower).size();
    const std::size_t faster = contest.with(Verdict::faster).size();
    const std::size_t equal = contest.with(Verdict::equal).size();
    const auto [none, unknown] = open_suites(contest);
    std::size_t mixed = 0;
    for (const SuiteContest* suite : contest.with(Verdict::open))
        mixed += suite->largest() ? 1 : 0;
    std::vector<std::string> counts;
    const auto add = [&](std::size_t count, const char* what) {
        if (count > 0)
            counts.push_back(fmt::format("{} in {}", what, count_of(count, "suite")));
    };
    add(slower, "slower");
    add(faster, "faster");
    add(mixed, "faster and slower");
    add(equal, "equal");
    add(none, "without a difference found");
    if (unknown > mixed)
        counts.push_back(fmt::format("unknown in {} ({})", count_of(unknown - mixed, "suite"),
                                     reason_text(usual_reason(contest))));
    if (counts.empty())
        return fmt::format("{} and {} cannot be compared: {}.", subject, reference,
                           contest.suites.empty() ? "no suite is measured in both"
                                                  : reason_text(usual_reason(contest)));
    const std::string largest = largest_text(contest);
    return fmt::format("{} against {}: {}{}.", subject, reference,
                       largest.empty() ? std::string() : largest + ". It is ", enumeration(counts));
}

std::string contest_name(const Contest& contest) {
    return fmt::format("{} against {}", contest.subject->label, contest.reference->label);
}

std::string contest_answer(const Contest& contest) {
    for (const ContestDoubt& doubt : contest.doubts)
        if (doubt.kind == ContestDoubtKind::shared_launches)
            return doubt_sentence(contest, doubt);
    std::string text = contest_answer(contest, contest.subject->label, contest.reference->label);
    if (!contest.simulated && contest.launches > 0)
        text += fmt::format(" {} or more of each side.", count_of(contest.launches, "launch", "launches"));
    for (const ContestDoubt& doubt : contest.doubts)
        if (doubt.kind == ContestDoubtKind::ranks_differ)
            text = doubt_sentence(contest, doubt) + " " + text;
    return text;
}

std::string contests_answer(std::span<const Contest> contests) {
    std::vector<std::string> different;
    std::size_t none = 0;
    Why why = Why::none;
    for (const Contest* contest : largest_effect_first(contests)) {
        if (std::string largest = largest_text(*contest); !largest.empty())
            different.push_back(contest->subject->label + ": " + largest);
        else if (contest->with(Verdict::open).size() == open_suites(*contest).first && contest->any_judged())
            ++none;
        else
            why = usual_reason(*contest);
    }
    const std::size_t unknown = contests.size() - different.size() - none;
    const std::size_t differ = different.size();
    std::string text =
        fmt::format("{} of {} differ from {}", differ, contests.size(), contests.front().reference->label);
    constexpr std::size_t most = 3;
    if (differ > most)
        different.resize(most);
    if (differ > 0)
        text += fmt::format("{}{}", differ > most ? ", most of all " : ". ", fmt::join(different, "; "));
    if (none > 0)
        text += fmt::format(". Without a difference found: {}", none);
    if (unknown > 0)
        text += fmt::format(". Unknown: {} ({})", unknown, reason_text(why));
    return text + ".";
}

std::string doubt_sentence(const Contest& contest, const ContestDoubt& doubt) {
    using Kind = ContestDoubtKind;
    const std::string& reference = contest.reference->label;
    const std::string& subject = contest.subject->label;
    constexpr std::size_t most_names = 4;
    std::vector<std::string> shown;
    for (const std::string& name : doubt.names)
        shown.push_back(shortened_name(doubt.kind == Kind::unknown_fields ? key_in_words(name) : name, 40));
    const std::string names = few_names(std::move(shown), most_names);
    const std::string suites = count_of(doubt.suites, "suite");
    const auto both = [&](const std::string& of_subject, const std::string& of_reference) {
        return fmt::format("{} in {}, {} in {}", of_subject, subject, of_reference, reference);
    };
    switch (doubt.kind) {
    case Kind::shared_launches:
        return fmt::format(
            "{} and {} hold {} in common, so nothing is judged: these would be compared with themselves.",
            subject, reference, count_of(doubt.points, "launch", "launches"));
    case Kind::ranks_differ: {
        const auto ranks = [](double count) {
            return count > 0 ? fmt::format("{:.0f}", count) : std::string("unknown");
        };
        return fmt::format("The numbers of ranks differ: {}.",
                           both(ranks(doubt.subject), ranks(doubt.reference)));
    }
    case Kind::in_a_row:
        return fmt::format(
            "The launches of {} followed closely on one another. Such launches are alike, so {}. "
            "Launch both sides in turns (skampi-run compare), or spread the launches.",
            enumeration(doubt.names), "only differences larger than this likeness explains are stated");
    case Kind::states_apart:
        return fmt::format(
            "The two sides met different machine states: the probe (an exchange of one byte) takes {}.{}",
            both(format_time(doubt.subject), format_time(doubt.reference)),
            contest.design.by_probe ? "" : " Machine or library may be the cause.");
    case Kind::state_counts:
        return fmt::format("{} as measured (up to {}), but not at an equal state of the machine: {}.",
                           count_of(doubt.suites, "suite differs", "suites differ"),
                           slower_text(doubt.subject), names);
    case Kind::plans_differ:
        return "The measurement plans differ; only suites of the same operation are compared.";
    case Kind::only_in_reference:
    case Kind::only_in_subject: {
        const bool here = doubt.kind == Kind::only_in_reference;
        return fmt::format("{} of {} {} no counterpart in {}: {}.", suites, here ? reference : subject,
                           doubt.suites == 1 ? "has" : "have", here ? subject : reference, names);
    }
    case Kind::other_quantity:
        return fmt::format("{} cannot be compared, because the two sides measure different quantities: {}.",
                           suites, fields_text(doubt.fields));
    case Kind::computed_differently:
        return fmt::format("{} the value differently, which explains part of the difference: {}.",
                           count_of(doubt.suites, "suite computes", "suites compute"),
                           fields_text(doubt.fields));
    case Kind::other_start:
        return fmt::format(
            "At {} of {} one side started in windows and the other between barriers, because windows "
            "could not be kept. These are not compared.",
            count_of(doubt.points, "argument"), suites);
    case Kind::clocks_differ:
        return fmt::format("The core clocks differ by more than 5 %: {}.",
                           both(fmt::format("{:.2f} GHz", doubt.subject / 1e9),
                                fmt::format("{:.2f} GHz", doubt.reference / 1e9)));
    case Kind::throughputs_differ:
        return fmt::format(
            "Other work used the cores of one side: additions per cycle are {}.",
            both(fmt::format("{:.2f}", doubt.subject), fmt::format("{:.2f}", doubt.reference)));
    case Kind::probes_differ:
        return fmt::format("The probes of the machine differ by more than 5 %: {}.",
                           both(format_time(doubt.subject), format_time(doubt.reference)));
    case Kind::unknown_fields:
        return fmt::format("In {} one side does not state {}: these are taken to be equal.", suites, names);
    case Kind::times_unknown:
        return fmt::format("When the launches of {} were made is unknown. They are taken for independent.",
                           enumeration(doubt.names));
    }
    return {};
}

std::string contest_note(const Contest& contest) {
    if (contest.simulated)
        return "Simulated launches do not scatter: a difference is larger than a step of the clock.";
    return fmt::format(
        "In brackets: the interval over launches. Equal: within {}. None found: a difference of 25 % is "
        "excluded, {} is not. The chance of any false difference is {}; single lengths have wider "
        "intervals for that.",
        format_percent(contest.rule.margin), format_percent(contest.rule.margin),
        format_percent(contest.rule.error));
}

TextAndCommand contest_next(const Contest& contest) {
    constexpr std::size_t most = 200; // what needs more has a cause that launches do not remove
    const Subject& reference = *contest.reference;
    const Subject& subject = *contest.subject;
    if (!reference.run || !subject.run || contest.simulated || contest.shared_launches > 0 ||
        reference.run->ranks != subject.run->ranks)
        return {};
    std::size_t wanted = 0;
    bool in_turns = false;
    for (const SuiteContest* suite : contest.with(Verdict::open)) {
        const Statement& whole = *suite->whole();
        in_turns = in_turns || whole.why == Why::launches_in_a_row || whole.why == Why::machine_states;
        wanted =
            std::max(wanted, whole.why == Why::few_launches ? launches_needed : whole.needed.value_or(0));
    }
    if (!in_turns && (wanted <= contest.launches || wanted > most))
        return {};
    if (std::string turns = compare_command(*reference.run, *subject.run, next_database(reference.path));
        !turns.empty())
        return {"To decide what is open, both sides in turns:", std::move(turns)};
    if (wanted <= contest.launches || wanted > most)
        return {};
    const bool added = takes_more_launches(reference) && takes_more_launches(subject);
    const auto file = [&](const Subject& side) { return added ? side.path : next_database(side.path); };
    std::string command = launch_command(*reference.run, reference.run->ranks,
                                         added ? wanted - contest.launches : wanted, file(reference));
    if (command.empty())
        return {};
    return {fmt::format("To decide what is open, both sides, this and the same with {}:",
                        as_typed(file(subject))),
            std::move(command)};
}

// --- gates

namespace {

/// "above 64 KiB: ratio 2.57, 2.40 to 2.80"
std::string finding_text(const GateResult& result, const GateFinding& finding) {
    const Statement& statement = *finding.statement;
    const std::string place = place_text(*result.suite, statement.place);
    return fmt::format("{}ratio {}, {} to {}", place.empty() ? "" : place.substr(1) + ": ",
                       format_ratio(statement.ratio), format_ratio(statement.low),
                       format_ratio(statement.high));
}

std::string limit_text(const Gate& gate) {
    return gate.limit == gate.margin ? fmt::format("limit {}", format_ratio(gate.limit))
                                     : fmt::format("limit {}, to be excluded {}", format_ratio(gate.limit),
                                                   format_ratio(gate.margin));
}

} // namespace

std::string gate_message(const GateResult& result) {
    const GateFinding* const decisive = result.decisive();
    if (result.outcome() != GateOutcome::open)
        return fmt::format("{}: {} ({})", result.passed() ? "passes" : "fails",
                           finding_text(result, *decisive), limit_text(*result.gate));
    const std::string remedy =
        decisive && decisive->launches
            ? fmt::format("; {} launches of each side would decide it", *decisive->launches)
            : "";
    if (decisive && decisive->statement->judged())
        return fmt::format("undecided: {} ({}){}", finding_text(result, *decisive), limit_text(*result.gate),
                           remedy);
    if (!decisive && result.suite->compared() && result.there < result.wanted)
        return fmt::format("undecided: the other side has no time at {}",
                           count_of(result.wanted - result.there, "argument"));
    return fmt::format("undecided: {}{}{}", reason_text(result.why()),
                       result.why() == Why::other_quantity
                           ? fmt::format(" ({})", fields_text(result.suite->comparability.other_quantity))
                           : "",
                       remedy);
}

std::vector<std::string> gate_lines(const std::vector<GateResult>& results, GateOutcome outcome) {
    std::vector<std::string> lines;
    for (const GateResult& result : results)
        if (result.outcome() == outcome)
            lines.push_back(fmt::format("--fail-if '{}': {}: {} {}", printable(result.gate->text),
                                        printable(contest_name(*result.contest)),
                                        printable(result.suite->reference->suite().name),
                                        gate_message(result)));
    return lines;
}

std::vector<std::string> gate_doubts(const std::vector<GateResult>& results) {
    std::vector<std::string> doubts;
    const Contest* before = nullptr;
    for (const GateResult& result : results) {
        if (result.outcome() != GateOutcome::failed || result.contest == before)
            continue;
        before = result.contest;
        for (const ContestDoubt& doubt : before->doubts)
            if (doubt.kind <= ContestDoubtKind::state_counts || doubt.kind == ContestDoubtKind::times_unknown)
                doubts.push_back(printable(doubt_sentence(*before, doubt)));
    }
    return doubts;
}

} // namespace skampi
