#include "words/verdict_words.hpp"

#include "model/quantity.hpp"
#include "words/comparison_words.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <utility>
#include <vector>

namespace skampi {

namespace {

std::string counted(std::size_t count, const std::string& singular, const std::string& plural = {}) {
    return count_of(static_cast<std::int64_t>(count), singular, plural);
}

std::string suites_text(std::size_t count) {
    return counted(count, "suite");
}

/// At most `most` names, and how many more there are.
std::string first_names(std::vector<std::string> names, std::size_t most) {
    if (const std::size_t count = names.size(); count > most) {
        names.resize(most);
        names.push_back(fmt::format("{} more", count - most));
    }
    return enumeration(names);
}

std::string name_of(const DatabaseComparison::Suite& suite) {
    return shortened_name(title_of(*suite.reference), 40);
}

/// What a suite says in a verdict.
std::string change_of(const DatabaseComparison::Suite& suite) {
    const CurveComparison& curves = suite.curves;
    switch (suite.outcome()) {
    case Outcome::none:
        break;
    case Outcome::faster:
    case Outcome::slower:
        return change_text(suite.ratio_found());
    case Outcome::few_faster:
        return fmt::format("at {} of {}", curves.faster(), curves.points.size());
    case Outcome::few_slower:
        return fmt::format("at {} of {}", curves.slower(), curves.points.size());
    case Outcome::both:
        return fmt::format("faster at {}, slower at {}", curves.faster(), curves.slower());
    }
    return {};
}

/// "to 1 KiB +5.2 %"
std::string sizes_of(const DatabaseComparison::Suite& suite) {
    std::vector<std::string> sizes;
    for (const MessageSize size : suite.sizes_alone())
        sizes.push_back(size_text(size) + " " + change_text(suite.by_size.at(size).ratio));
    return enumeration(sizes);
}

/// "MPI_Bcast +5.2 %, MPI_Reduce +3.1 % and 2 more"
std::string first_few(const DatabaseComparison& comparison, const std::vector<std::size_t>& places,
                      std::string (*what)(const DatabaseComparison::Suite&) = change_of) {
    std::vector<std::string> texts;
    for (const std::size_t place : places)
        texts.push_back(name_of(comparison.suites[place]) + " " + what(comparison.suites[place]));
    constexpr std::size_t most = 3;
    return first_names(std::move(texts), most);
}

/// "it takes 1.20 times as long on average over 30 points of 5 suites"
std::string mean_text(const Verdict& verdict) {
    return verdict.mean_ratio
               ? fmt::format("it {} on average over {} of {}", format_time_ratio(*verdict.mean_ratio),
                             counted(verdict.mean_points, "point"), suites_text(verdict.mean_suites))
               : std::string();
}

std::string at_sizes_text(const DatabaseComparison& comparison) {
    const std::vector<std::size_t>& places = comparison.verdict.at_sizes;
    return places.empty() ? ""
                          : fmt::format("; {} only at some message lengths ({})",
                                        counted(places.size(), "suite differs", "suites differ"),
                                        first_few(comparison, places, sizes_of));
}

std::string open_verdict(const DatabaseComparison& comparison) {
    const Verdict& verdict = comparison.verdict;
    const std::string mean = mean_text(verdict);
    const bool few_launches = comparison.launches < launches_needed &&
                              comparison.launches_of_both.shared == 0 && verdict.mean_ratio;
    const std::string why =
        few_launches
            ? fmt::format("each side needs {} launches at an argument, and there {} at most {}",
                          launches_needed, comparison.launches == 1 ? "is" : "are", comparison.launches)
            : fmt::format("{}: {}",
                          verdict.partly_judged ? "no suite could be judged as a whole"
                                                : "nothing could be judged",
                          reasons_text(verdict.reasons));
    return fmt::format("No verdict on {} against {} ({}){}{}{}.", comparison.other->label,
                       comparison.reference->label, why, at_sizes_text(comparison), mean.empty() ? "" : "; ",
                       mean);
}

/// Who differs in which suites: "is slower than A in 2 of 5 suites (...), at some arguments of 1 (...)".
std::string difference_text(const DatabaseComparison& comparison) {
    const Verdict& verdict = comparison.verdict;
    const bool mixed = verdict.kind == VerdictKind::mixed;
    const std::string of_all = fmt::format(" of {}", suites_text(verdict.suites));
    std::string text =
        mixed ? fmt::format("differs from {}: ", comparison.reference->label)
              : fmt::format("is {} than {} ", verdict.kind == VerdictKind::faster ? "faster" : "slower",
                            comparison.reference->label);
    bool first = true;
    const auto add = [&](const char* direction, const char* where, const std::vector<std::size_t>& places) {
        if (places.empty())
            return;
        text += fmt::format("{}{}{} {}{} ({})", first ? "" : ", ", mixed ? direction : "", where,
                            places.size(), first ? of_all : "", first_few(comparison, places));
        first = false;
    };
    const bool faster_first = verdict.faster.size() > verdict.slower.size();
    if (faster_first)
        add("faster ", "in", verdict.faster);
    add("slower ", "in", verdict.slower);
    if (!faster_first)
        add("faster ", "in", verdict.faster);
    add("faster ", "at some arguments of", verdict.few_faster);
    add("slower ", "at some arguments of", verdict.few_slower);
    add("faster or slower, depending on the argument, ", "in", verdict.both);
    return text;
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
    return fmt::format("Not interleaved: {}. Launches close in time are alike, and fewer than {} cannot show "
                       "how much: what was special to that time counts as a difference. Interleave the "
                       "launches of both sides, or spread them over hours.",
                       enumeration(sides), launches_to_tell_likeness);
}

} // namespace

std::string verdict(const DatabaseComparison& comparison) {
    const std::string& other = comparison.other->label;
    const std::string& reference = comparison.reference->label;
    const Verdict& verdict = comparison.verdict;
    const std::string mean = mean_text(verdict);
    const std::string seen = verdict.detectable
                                 ? fmt::format(" (a difference of {} would have been detected)",
                                               detectable_text(*verdict.detectable))
                                 : "";
    std::string rest;
    if (verdict.open > 0)
        rest = fmt::format("; {} could not be judged: {}", verdict.open, reasons_text(verdict.reasons));
    rest += at_sizes_text(comparison);
    switch (verdict.kind) {
    case VerdictKind::nothing_in_common:
        return fmt::format("{} and {} cannot be compared: they have no measurements in common.", other,
                           reference);
    case VerdictKind::open:
        return open_verdict(comparison);
    case VerdictKind::no_difference:
        return fmt::format("No difference between {} and {} was found in {}{}{}; {}.", other, reference,
                           suites_text(verdict.none), seen, rest, mean);
    case VerdictKind::faster:
    case VerdictKind::slower:
    case VerdictKind::mixed:
        break;
    }
    if (verdict.none > 0)
        rest = fmt::format("; in {} no difference was found{}", verdict.none, seen) + rest;
    // The mean is that of all points, and those without a difference may have it on the other side.
    const double mean_ratio = verdict.mean_ratio.value_or(1);
    const bool contradicted = (verdict.kind == VerdictKind::faster && mean_ratio > 1) ||
                              (verdict.kind == VerdictKind::slower && mean_ratio < 1);
    return fmt::format("{} {}{};{} {}.", other, difference_text(comparison), rest, contradicted ? " but" : "",
                       mean);
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
                       other, reference, first_names(std::move(names), most));
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
                          shared == 1 ? "launch" : counted(shared, "launch", "launches"));
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
    const std::string common =
        common_state_sentence(states.in_common_mode, states.common_states, counted(states.points, "point"),
                              comparison.reference->label, comparison.other->label);
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
                                                                         counted(states.points, "point"));
    return (common.empty() ? "" : common + " ") +
           (states.other_machine
                ? fmt::format("{} machines differ in speed: {}, so the times are not only those of the MPI "
                              "library.",
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
                           doubt.suites == 1 ? "has" : "have", in, first_names(std::move(names), most));
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
                           counted(doubt.suites, "suite computes", "suites compute"),
                           fields_text(doubt.fields));
    case ComparisonDoubtKind::unknown_fields: {
        std::vector<std::string> names;
        for (const std::string& name : doubt.names)
            names.push_back(field_text(name));
        constexpr std::size_t most = 4;
        return fmt::format("In {} one side does not state {}: these are taken to be equal.",
                           suites_text(doubt.suites), first_names(std::move(names), most));
    }
    case ComparisonDoubtKind::windows_given_up:
        return fmt::format("At {} of {} one side started in windows and the other between barriers, because "
                           "windows could not be kept. These are not judged.",
                           counted(doubt.points, "argument"), suites_text(doubt.suites));
    case ComparisonDoubtKind::launches_in_a_row:
        return in_a_row_sentence(comparison, doubt);
    }
    return {};
}

std::string size_text(MessageSize size) {
    switch (size) {
    case MessageSize::small:
        return "to 1 KiB";
    case MessageSize::medium:
        return "to 64 KiB";
    case MessageSize::large:
        break;
    }
    return "longer";
}

std::string cell_text(const PooledComparison& pooled) {
    if (!pooled.judged())
        return "open";
    if (pooled.faster() || pooled.slower())
        return change_text(pooled.ratio);
    return fmt::format("none ({})", detectable_text(*pooled.detectable));
}

std::string winner_text(const DatabaseComparison& comparison, const DatabaseComparison::Suite& suite,
                        bool with_reason) {
    const std::string reference = shortened(comparison.reference->label, 24);
    const std::string other = shortened(comparison.other->label, 24);
    if (const std::vector<MessageSize> sizes = suite.sizes_alone(); !sizes.empty()) {
        std::vector<std::string> texts;
        for (const MessageSize size : sizes)
            texts.push_back((suite.by_size.at(size).faster() ? other : reference) + " " + size_text(size));
        return enumeration(texts);
    }
    if (!suite.judged())
        return "open" + (with_reason ? ": " + reason_text(suite.reason()) : std::string());
    const CurveComparison& curves = suite.curves;
    switch (suite.outcome()) {
    case Outcome::none:
        return "no difference found";
    case Outcome::faster:
        return other;
    case Outcome::slower:
        return reference;
    case Outcome::few_faster:
        return fmt::format("{} at {} of {}", other, curves.faster(), curves.points.size());
    case Outcome::few_slower:
        return fmt::format("{} at {} of {}", reference, curves.slower(), curves.points.size());
    case Outcome::both:
        break;
    }
    return "depends on the argument";
}

std::string winners_title(const DatabaseComparison& comparison) {
    const UnjudgedCounts& reasons = comparison.verdict.reasons;
    return fmt::format("Time of {} against that of {}, by message length; none = no difference found (one of "
                       "that size would have been detected{}){}",
                       shortened(comparison.other->label, 30), shortened(comparison.reference->label, 30),
                       both_simulated(comparison) ? "" : " with 90 % power",
                       // One reason for all is said once; else each suite has its own.
                       reasons.size() == 1 ? "; open = not judged: " + reason_text(reasons.begin()->first)
                                           : "");
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
