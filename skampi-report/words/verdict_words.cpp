#include "words/verdict_words.hpp"

#include "analysis/trust/trust.hpp"
#include "model/launch_command.hpp"
#include "model/quantity.hpp"
#include "words/comparison_words.hpp"
#include "words/next_step.hpp"
#include "words/section_words.hpp"
#include "words/suite_words.hpp"

#include "base/text.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>
#include <limits>
#include <set>
#include <span>
#include <utility>
#include <vector>

namespace skampi {

namespace {

std::string suites_text(std::size_t count) {
    return count_of(count, "suite");
}

std::string name_of(const DatabaseComparison::Suite& suite) {
    return shortened_name(title_of(*suite.reference), 40);
}

/// " above 64 KiB" of the arguments that an effect is found at; empty = all.
std::string where_text(const DatabaseComparison::Suite& suite, const Effect& effect) {
    switch (effect.where) {
    case Effect::Where::whole:
        break;
    case Effect::Where::range:
        return range_text(suite, suite.ranges[effect.range]);
    case Effect::Where::points:
        return range_text(suite, {effect.from, effect.to, {}});
    case Effect::Where::size:
        return ", messages " + size_text(effect.size);
    }
    return {};
}

/// "MPI_Alltoall above 64 KiB: 2.57 times slower (2.40 to 2.80)"
std::string effect_text(const DatabaseComparison& comparison, const Effect& effect) {
    const DatabaseComparison::Suite& suite = comparison.suites[effect.suite];
    const std::string begin = name_of(suite) + where_text(suite, effect) + ": ";
    if (!effect.sure)
        return begin + slower_text(effect.ratio) + "?";
    const bool has_width = effect.low && effect.high && // simulated ones have none
                           slower_text(*effect.low) != slower_text(*effect.high);
    return begin + slower_text(effect.ratio) +
           (has_width ? fmt::format(" ({})", slower_interval(effect.ratio, *effect.low, *effect.high)) : "");
}

/// Of those that are asked: why they are not certain, and what would decide them.
std::string unsure_text(std::span<const Effect> said) {
    std::size_t fewest = std::numeric_limits<std::size_t>::max();
    std::size_t most = 0;
    std::size_t more = 0;
    for (const Effect& effect : said)
        if (!effect.sure) {
            fewest = std::min(fewest, effect.usable);
            most = std::max(most, effect.usable);
            if (effect.launches && *effect.launches > effect.usable)
                more = std::max(more, *effect.launches - effect.usable);
        }
    return fmt::format(
        "? = not certain with {}{}{}", fewest < most ? fmt::format("{} to ", fewest) : std::string(),
        count_of(most, "launch", "launches"),
        more > 0 ? fmt::format("; {} more usable ones of each side would decide it", more) : "");
}

/// The largest effects, a sentence each, and how many more there are.
void add_effects(const DatabaseComparison& comparison, std::vector<std::string>& sentences) {
    constexpr std::size_t most = 3;
    const std::vector<Effect>& effects = comparison.verdict.effects;
    std::size_t slower = 0;
    std::size_t faster = 0;
    std::string said; // a question ends itself
    const std::size_t shown = effects.size() == most + 1 ? effects.size() : std::min(most, effects.size());
    for (std::size_t i = 0; i < effects.size(); ++i)
        if (i < shown)
            said += (said.empty()          ? ""
                     : said.ends_with('?') ? " "
                                           : ". ") +
                    effect_text(comparison, effects[i]);
        else if (effects[i].sure)
            ++(effects[i].ratio > 1 ? slower : faster);
    const std::span<const Effect> first(effects.data(), shown);
    if (!std::ranges::all_of(first, &Effect::sure))
        said += (said.ends_with('?') ? " " : ". ") + unsure_text(first);
    if (!said.empty())
        sentences.push_back(std::move(said));
    std::vector<std::string> rest;
    if (slower > 0)
        rest.push_back(fmt::format("slower {}", slower == 1 ? "once" : fmt::format("{} times", slower)));
    if (faster > 0)
        rest.push_back(fmt::format("faster {}", faster == 1 ? "once" : fmt::format("{} times", faster)));
    if (!rest.empty())
        sentences.push_back(fmt::format("With smaller differences: {}", enumeration(rest)));
}

/// "MPI_Bcast: 4.7 % slower as measured, 0.3 % at an equal machine state, which explains it"
std::string explained_text(const DatabaseComparison::Suite& suite) {
    const AsMeasured& measured = *suite.whole.as_measured;
    return fmt::format(
        "{}: {} as measured ({}); {}", name_of(suite), slower_text(measured.ratio),
        slower_interval(measured.ratio, measured.low, measured.high),
        measured.bounded
            ? std::string("the probe of the machine differs by enough to explain it, or the library "
                          "makes it differ")
            : fmt::format("at an equal state of the machine (probe, core speed) {}: the machine "
                          "explains it",
                          slower_text(suite.whole.ratio)));
}

void add_explained(const DatabaseComparison& comparison, std::vector<std::string>& sentences) {
    constexpr std::size_t most = 3;
    const std::vector<std::size_t>& explained = comparison.verdict.explained;
    for (std::size_t i = 0; i < std::min(most, explained.size()); ++i)
        sentences.push_back(explained_text(comparison.suites[explained[i]]));
    if (explained.size() > most)
        sentences.push_back(fmt::format("The machine may explain the differences of {} more",
                                        suites_text(explained.size() - most)));
    if (!explained.empty())
        sentences.push_back("Launches of both sides in turns would show which it is");
}

/// "On average over 5 suites it takes 1.20 times as long"
void add_mean(const Verdict& verdict, std::vector<std::string>& sentences) {
    if (verdict.mean_ratio)
        sentences.push_back(fmt::format("On average over {} it {}", suites_text(verdict.mean_suites),
                                        format_time_ratio(*verdict.mean_ratio)));
}

std::string open_reason(const DatabaseComparison& comparison) {
    const Verdict& verdict = comparison.verdict;
    const bool few_launches = comparison.launches < launches_needed &&
                              comparison.launches_of_both.shared == 0 && verdict.mean_ratio;
    if (few_launches)
        return fmt::format("each side needs {} launches at an argument, and there {} at most {}",
                           launches_needed, comparison.launches == 1 ? "is" : "are", comparison.launches);
    return fmt::format(
        "{}: {}", verdict.partly_judged ? "no suite could be judged as a whole" : "nothing could be judged",
        reasons_text(verdict.reasons));
}

/// " (text)", or nothing of an empty one
std::string in_brackets(const std::string& text) {
    return text.empty() ? text : " (" + text + ")";
}

constexpr std::size_t most_names = 3;

/// The first of the suites of which something is said.
template <typename Is>
std::string names_of_suites(const DatabaseComparison& comparison, const Is& is) {
    std::vector<std::string> names;
    for (const DatabaseComparison::Suite& suite : comparison.suites)
        if (is(suite))
            names.push_back(name_of(suite));
    return few_names(std::move(names), most_names);
}

/// That no difference was found, in which suites, and what would have been.
void add_no_difference(const DatabaseComparison& comparison, std::vector<std::string>& sentences) {
    const Verdict& verdict = comparison.verdict;
    std::vector<std::string> names;
    for (const std::size_t place : verdict.none)
        if (std::ranges::find(verdict.effects, place, &Effect::suite) == verdict.effects.end())
            names.push_back(name_of(comparison.suites[place]));
    if (names.empty())
        return;
    const std::size_t count = names.size();
    std::vector<std::string> more{few_names(std::move(names), most_names)};
    if (verdict.detectable)
        more.push_back(fmt::format("one of {} would have been found", detectable_text(*verdict.detectable)));
    const std::string seen = in_brackets(fmt::format("{}", fmt::join(more, "; ")));
    sentences.push_back(count < verdict.suites
                            ? fmt::format("No difference in {}{}",
                                          count_of(count, verdict.effects.empty() ? "suite" : "other suite"),
                                          seen)
                            : fmt::format("No difference was found in {}{}", suites_text(count), seen));
}

/// A side of a comparison.
const std::string& label_of(const DatabaseComparison& comparison, bool other) {
    return other ? comparison.other->label : comparison.reference->label;
}

std::string minutes_text(double time_s) {
    constexpr double minute_s = 60;
    constexpr double hour_s = 3600;
    return time_s < 2 * minute_s ? fmt::format("{:.0f} s", time_s)
           : time_s < 2 * hour_s ? fmt::format("{:.0f} min", time_s / minute_s)
                                 : fmt::format("{:.1f} h", time_s / hour_s);
}

std::string in_a_row_sentence(const DatabaseComparison& comparison, const ComparisonDoubt& doubt) {
    std::vector<std::string> sides;
    for (const LaunchesInARow& side : doubt.in_a_row)
        sides.push_back(fmt::format("{} {} launches of {} ran within {}", side.all ? "the" : "most of the",
                                    side.launches, label_of(comparison, side.of_other),
                                    minutes_text(side.length_s)));
    const char* const counts =
        comparison.design.state == StateUse::covariates
            ? "The comparison is made at an equal state of the machine, as far as probe and "
              "core speed show it; what else was special to that time counts as a difference."
            : "What was special to that time counts as a difference.";
    return fmt::format("Not interleaved: {}. Launches close in time are alike, and fewer than {} cannot show "
                       "how much. {} skampi-run compare launches both sides in turns.",
                       enumeration(sides), launches_to_tell_likeness, counts);
}

/// Why: an operation that both measure is another quantity in each, or there is none.
std::string nothing_in_common(const Subject& other, const Subject& reference) {
    std::string why;
    std::set<std::string> operations;
    for (const Curve& curve : reference.curves)
        for (const Curve& candidate : other.curves) {
            if (candidate.suite().operation.name != curve.suite().operation.name)
                continue;
            operations.insert(curve.suite().operation.name);
            const Comparability both = comparability(curve, candidate);
            if (why.empty() && !both.other_quantity.empty())
                why = fmt::format("{} is measured in both, but as two quantities: {}",
                                  printable(curve.suite().operation.name), fields_text(both.other_quantity));
            else if (why.empty())
                why = fmt::format("{} is measured in both, but at no argument in both",
                                  printable(curve.suite().operation.name));
        }
    if (why.empty())
        why = "no operation is measured in both";
    else if (operations.size() > 1)
        why += fmt::format("; the same holds for {}", count_of(operations.size() - 1, "other operation"));
    return fmt::format("{} and {} cannot be compared: {}.", other.label, reference.label, why);
}

} // namespace

std::string range_text(const DatabaseComparison::Suite& suite, const RatioRange& range) {
    const auto text = [&](std::int64_t argument) { return argument_text(*suite.reference, argument); };
    if (range.from == range.to)
        return " at " + text(range.from);
    const auto own = std::ranges::find(suite.ranges, range.from, &RatioRange::from);
    if (own == suite.ranges.end())
        return fmt::format(" from {} to {}", text(range.from), text(range.to));
    if (own == suite.ranges.begin())
        return " up to " + text(range.to);
    if (own + 1 == suite.ranges.end())
        return " above " + text(std::prev(own)->to);
    return fmt::format(" from {} to {}", text(range.from), text(range.to));
}

std::string verdict(const DatabaseComparison& comparison) {
    const std::string& other = comparison.other->label;
    const std::string& reference = comparison.reference->label;
    const Verdict& verdict = comparison.verdict;
    if (verdict.kind == VerdictKind::nothing_in_common)
        return nothing_in_common(*comparison.other, *comparison.reference);
    const bool open = verdict.kind == VerdictKind::open;
    const bool asked = open && !verdict.effects.empty(); // what is large is said first, as a question
    std::vector<std::string> sentences;
    if (open && !asked)
        sentences.push_back(
            fmt::format("No verdict on {} against {} ({})", other, reference, open_reason(comparison)));
    add_effects(comparison, sentences);
    if (asked)
        sentences.push_back("Nothing is certain: " + open_reason(comparison));
    add_explained(comparison, sentences);
    add_no_difference(comparison, sentences);
    if (!open && verdict.open > 0)
        sentences.push_back(fmt::format(
            "{} could not be judged{}: {}", suites_text(verdict.open),
            in_brackets(names_of_suites(
                comparison, [](const DatabaseComparison::Suite& suite) { return !suite.judged(); })),
            reasons_text(verdict.reasons)));
    if (open && !asked)
        add_mean(verdict, sentences);
    return fmt::format("{}{}.", open && !asked ? "" : fmt::format("{} against {}: ", other, reference),
                       fmt::join(sentences, ". "));
}

std::string other_ranks(const DatabaseComparison& comparison) {
    const OtherRanks& ranks = comparison.ranks;
    if (!ranks.any())
        return {};
    const std::string& reference = comparison.reference->label;
    const std::string& other = comparison.other->label;
    const std::string suites = fmt::format("{} of {}", ranks.suites.size(), suites_text(ranks.of_suites));
    if (ranks.of_runs())
        return fmt::format("{} ran on {}, {} on {}{}.", other, count_of(ranks.other, "rank"), reference,
                           ranks.reference,
                           ranks.suites.empty() ? "" : ": " + suites + " depend on that and are not judged");
    std::vector<std::string> names;
    for (const std::size_t place : ranks.suites)
        names.push_back(name_of(comparison.suites[place]));
    constexpr std::size_t most = 3;
    return fmt::format("{} ran on other numbers of ranks in {} than in {} and are not judged: {}.", suites,
                       other, reference, few_names(std::move(names), most));
}

std::string launches_in_common(const DatabaseComparison& comparison) {
    const SharedLaunches& launches = comparison.launches_of_both;
    if (launches.shared == 0)
        return {};
    const std::string& reference = comparison.reference->label;
    const std::string& other = comparison.other->label;
    const std::size_t shared = launches.shared;
    const std::string all = shared == 1 ? "the launch" : fmt::format("all {} launches", shared);
    std::string who;
    if (launches.same())
        who = fmt::format("{} and {} hold the same {}", reference, other,
                          shared == 1 ? "launch" : count_of(shared, "launch", "launches"));
    else if (shared == launches.of_second)
        who = fmt::format("{} holds {} of {} among its {}", reference, all, other, launches.of_first);
    else if (shared == launches.of_first)
        who = fmt::format("{} holds {} of {} among its {}", other, all, reference, launches.of_second);
    else
        who = fmt::format("{} of the {} launches of {} {} among the {} of {}", shared, launches.of_second,
                          other, shared == 1 ? "is" : "are", launches.of_first, reference);
    return who + ". Significance is not judged: they would be compared with themselves.";
}

std::string other_state(const DatabaseComparison& comparison) {
    const MachineStates& states = comparison.states;
    std::string common =
        common_state_sentence(states.in_common_mode, states.common_states, count_of(states.points, "point"),
                              comparison.reference->label, comparison.other->label);
    if (states.by_one_rule > 0)
        common +=
            fmt::format("{}At {} of {} the comparison uses other launches than the values of each file: "
                        "one rule for both sides chooses them (machine state, disturbed or not).",
                        common.empty() ? "" : " ", states.by_one_rule, count_of(states.points, "point"));
    if (states.apart() == 0)
        return common;
    const bool other_longer = states.other_slower >= states.reference_slower;
    const std::string& longer = label_of(comparison, other_longer);
    const std::string& shorter = label_of(comparison, !other_longer);
    const double more = other_longer ? states.other_slower_ratio : states.reference_slower_ratio;
    const double less = other_longer ? states.reference_slower_ratio : states.other_slower_ratio;
    const std::size_t reverse = std::min(states.other_slower, states.reference_slower);
    const std::string probes =
        fmt::format("probes took {} as long in {} as in {}{}", format_times(more), longer, shorter,
                    reverse == 0 ? ""
                                 : fmt::format(" (at {} of these {} as long in {})", reverse,
                                               format_times(less), shorter));
    const std::string at = states.apart() == states.points ? "The"
                                                           : fmt::format("At {} of {} the", states.apart(),
                                                                         count_of(states.points, "point"));
    return (common.empty() ? "" : common + " ") +
           (states.other_machine
                ? fmt::format("{} machines differ in speed: {}, so the times are not only those of the MPI "
                              "library.",
                              at, probes)
            : states.other_software
                ? fmt::format(
                      "{} {}. A probe is an exchange of one byte by the library; library, settings or placement "
                      "differ, so the machine may have been in the same state.",
                      at, probes)
                : fmt::format("{} machine was in another state: its {}, so differences of the times may come "
                              "from that.",
                              at, probes));
}

std::string doubt_sentence(const DatabaseComparison& comparison, const ComparisonDoubt& doubt) {
    const std::string& reference = comparison.reference->label;
    const std::string& other = comparison.other->label;
    const auto lonely = [&](const std::string& of, const std::string& in) {
        std::vector<std::string> names;
        for (const std::string& name : doubt.names)
            names.push_back(shortened(name, 40));
        constexpr std::size_t most = 4;
        return fmt::format("{} of {} {} no counterpart in {}: {}.", suites_text(doubt.suites), of,
                           doubt.suites == 1 ? "has" : "have", in, few_names(std::move(names), most));
    };
    const auto ranks = [](double count) {
        return count > 0 ? fmt::format("{:.0f}", count) : std::string("unknown");
    };
    switch (doubt.doubt) {
    case ComparisonDoubtKind::unknown_ranks:
        return fmt::format("The number of ranks differs: {} in {}, {} in {}.", ranks(doubt.other), other,
                           ranks(doubt.reference), reference);
    case ComparisonDoubtKind::probes_differ:
        return fmt::format("The machine's probes differ by more than 5 %: {} in {}, {} in {}. Part of any "
                           "difference may come from that.",
                           format_time(doubt.other), other, format_time(doubt.reference), reference);
    case ComparisonDoubtKind::clocks_differ:
        return fmt::format("The core clocks differ by more than 5 %: {:.2f} GHz in {}, {:.2f} GHz in {}.",
                           doubt.other / 1e9, other, doubt.reference / 1e9, reference);
    case ComparisonDoubtKind::throughputs_differ:
        return fmt::format(
            "Other work used the cores in {}: they made {:.2f} additions per cycle there, {:.2f} "
            "in {}. Part of any difference may come from that.",
            doubt.other < doubt.reference ? other : reference, std::min(doubt.other, doubt.reference),
            std::max(doubt.other, doubt.reference), doubt.other < doubt.reference ? reference : other);
    case ComparisonDoubtKind::plans_differ:
        return "The measurement plans differ; only suites of the same operation are compared.";
    case ComparisonDoubtKind::only_in_reference:
        return lonely(reference, other);
    case ComparisonDoubtKind::only_in_other:
        return lonely(other, reference);
    case ComparisonDoubtKind::other_quantity:
        return fmt::format("{} cannot be compared, because the two sides measure different quantities: {}.",
                           suites_text(doubt.suites), fields_text(doubt.fields));
    case ComparisonDoubtKind::computed_differently:
        return fmt::format("{} the value differently, which explains part of the difference: {}.",
                           count_of(doubt.suites, "suite computes", "suites compute"),
                           fields_text(doubt.fields));
    case ComparisonDoubtKind::unknown_fields: {
        std::vector<std::string> names;
        for (const std::string& name : doubt.names)
            names.push_back(key_in_words(name));
        constexpr std::size_t most = 4;
        return fmt::format("In {} one side does not state {}: these are taken to be equal.",
                           suites_text(doubt.suites), few_names(std::move(names), most));
    }
    case ComparisonDoubtKind::windows_given_up:
        return fmt::format("At {} of {} one side started in windows and the other between barriers, because "
                           "windows could not be kept. These are not judged.",
                           count_of(doubt.points, "argument"), suites_text(doubt.suites));
    case ComparisonDoubtKind::launches_in_a_row:
        return in_a_row_sentence(comparison, doubt);
    case ComparisonDoubtKind::times_unknown:
        return fmt::format(
            "When the launches of {} were made is not known. They are taken for independent; launches "
            "close in time are alike, and a difference may be that of the hour.",
            enumeration(doubt.names));
    }
    return {};
}

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

std::string cell_text(const PooledComparison& pooled) {
    if (!pooled.judged())
        return "open";
    if (pooled.faster() || pooled.slower())
        return change_text(pooled.ratio);
    if (pooled.explained())
        return "explained";
    return fmt::format("none ({})", detectable_text(*pooled.detectable));
}

namespace {

std::vector<const Effect*> sure_effects(const DatabaseComparison& comparison,
                                        const DatabaseComparison::Suite& suite) {
    std::vector<const Effect*> effects;
    for (const Effect& effect : comparison.verdict.effects)
        if (effect.sure && &comparison.suites[effect.suite] == &suite)
            effects.push_back(&effect);
    return effects;
}

} // namespace

std::string winner_text(const DatabaseComparison& comparison, const DatabaseComparison::Suite& suite,
                        bool with_reason) {
    const std::string reference = shortened(comparison.reference->label, 24);
    const std::string other = shortened(comparison.other->label, 24);
    std::vector<std::string> texts;
    for (const Effect* effect : sure_effects(comparison, suite))
        texts.push_back((effect->ratio < 1 ? other : reference) + (effect->where == Effect::Where::size
                                                                       ? " " + size_text(effect->size)
                                                                       : where_text(suite, *effect)));
    if (!texts.empty())
        return enumeration(texts);
    return suite.whole.explained() ? "neither: the machine may explain it"
           : suite.judged()        ? "no difference found"
                            : "open" + (with_reason ? ": " + reason_text(suite.reason()) : std::string());
}

std::string winners_title(const DatabaseComparison& comparison) {
    return fmt::format("Time of {} against that of {}, by message length",
                       shortened(comparison.other->label, 30), shortened(comparison.reference->label, 30));
}

std::string winners_note(const DatabaseComparison& comparison) {
    const UnjudgedCounts& reasons = comparison.verdict.reasons;
    const auto any = [&](bool explained) {
        const auto is = [&](const PooledComparison& cell) {
            return cell.judged() && !cell.faster() && !cell.slower() && cell.explained() == explained;
        };
        return std::ranges::any_of(comparison.suites, [&](const DatabaseComparison::Suite& suite) {
            return suite.in_verdict &&
                   (is(suite.whole) ||
                    std::ranges::any_of(suite.by_size, [&](const auto& each) { return is(each.second); }));
        });
    };
    std::vector<std::string> parts;
    if (any(false))
        parts.push_back(fmt::format("none (5 %) = no difference found; one of 5 % would have been detected{}",
                                    both_simulated(comparison) ? "" : " with 90 % power"));
    if (any(true))
        parts.push_back("explained = a difference as measured that the state of the machine may explain");
    // One reason for all is said once; else each suite has its own.
    if (reasons.size() == 1)
        parts.push_back("open = not judged: " + reason_text(reasons.begin()->first));
    return parts.empty() ? "" : fmt::format("{}.", fmt::join(parts, ". "));
}

std::string whole_text(const DatabaseComparison& comparison, const DatabaseComparison::Suite& suite) {
    const bool differs = suite.whole.faster() || suite.whole.slower();
    return !differs && !sure_effects(comparison, suite).empty() ? "varies" : cell_text(suite.whole);
}

namespace {

bool mostly_disturbed(const Subject& subject) {
    const Trust trust = assess(subject);
    return 2 * trust.disturbed > trust.points;
}

} // namespace

TextAndCommand comparison_next_step(const DatabaseComparison& comparison) {
    const Subject& reference = *comparison.reference;
    const Subject& other = *comparison.other;
    if (!reference.run || !other.run || both_simulated(comparison) ||
        comparison.launches_of_both.shared > 0 || comparison.ranks.of_runs())
        return {};
    const bool disturbed = mostly_disturbed(reference) || mostly_disturbed(other);
    const std::size_t wanted = comparison.verdict.launches_to_decide;
    if (!disturbed && wanted == 0)
        return {};
    const std::string what = disturbed ? measure_undisturbed(*reference.run) : "To decide it";
    if (std::string turns = compare_command(*reference.run, *other.run, next_database(reference.path));
        !turns.empty())
        return {what + ", both sides in turns:", std::move(turns)};
    // What is disturbed is of no use beside better launches, and merged values take none in.
    const bool added = !disturbed && takes_more_launches(reference) && takes_more_launches(other);
    const std::size_t launches = disturbed ? launches_needed : added ? wanted - comparison.launches : wanted;
    const auto file = [&](const Subject& side) { return added ? side.path : next_database(side.path); };
    std::string command = launch_command(*reference.run, reference.run->ranks, launches, file(reference));
    if (command.empty())
        return {};
    return {fmt::format("{}, both sides, this and the same with {}:", what, as_typed(file(other))),
            std::move(command)};
}

std::string judging_method(const Subject& reference, bool simulated) {
    const std::string ratios = fmt::format("A ratio is the time of the other database divided by that of {}: "
                                           "below 1 the other is faster. ",
                                           reference.label);
    if (simulated)
        return ratios +
               "Simulated launches do not differ: a difference is significant when it exceeds a step "
               "of the clock on either side.";
    return ratios +
           fmt::format("A difference is significant when the interval of the ratio over launches, corrected "
                       "for the number of points and suites compared, excludes 1. That takes at least {} "
                       "usable launches on both sides: in the machine state compared, and without doubts. "
                       "The typical ratio of a suite is that of the launches' medians over its arguments: it "
                       "finds a shift that all arguments share and no single one shows.",
                       launches_needed);
}

} // namespace skampi
