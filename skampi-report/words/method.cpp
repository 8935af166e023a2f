// SPDX-License-Identifier: GPL-2.0-or-later
#include "words/method.hpp"

#include "contest/estimate.hpp"
#include "words/value_words.hpp"

#include <fmt/format.h>

namespace skampi {

namespace {

MethodPart times_part(const MeasuredKinds& kinds) {
    MethodPart part{
        "What the times mean",
        {fmt::format(
            "A single measurement is one timed call. Where one call is too short for the clock, a block of calls is "
            "timed and the time is divided by their number. A measurement is the value at one argument, formed from "
            "many single measurements. A suite is the measurements of one operation over one varied parameter; it says "
            "what its times are{}. A run is all suites, measured once by one "
            "launch of the program.",
            kinds.ranks ? ", between which ranks, and how they start" : "")}};
    if (!kinds.ranks)
        return part;
    part.paragraphs.emplace_back(
        "Half of a round trip is shown only where the text says so: among the headlines, and in bandwidth, which is "
        "message length by half of the round trip. Where a call moves several messages, bandwidth and message rate "
        "count all of them; that of a collective operation does not count how often an algorithm sends the data. "
        "Bandwidth is always computed from the summarised time; rates are not averaged. 1 GB/s is 10^9 bytes a "
        "second, 1 KiB is 1024 bytes.");
    return part;
}

MethodPart repetition_part(const MeasuredKinds& kinds) {
    return {
        "Repetition: automatic standard error control (ASEC)",
        {},
        {},
        {"After every change of the argument the operation is warmed up; those calls are not stored. Then it is "
         "repeated at least the minimum number of times, until the standard error is at most the largest one "
         "allowed. Each suite shows this limit. A point that reaches the maximum number of repetitions or the time "
         "limit first is flagged not repeatable or timed out. Blocks are long enough to keep resolution and cost of the "
         "clock below the error wanted.",
         fmt::format(
             "Each suite says how its value is formed. The default is the mean after cutting a quarter at each end, so "
             "that interrupts by the operating system do not count. The overhead (the same loop around an empty "
             "operation) is measured in each suite{}, and subtracted, unless the "
             "parameter file says @ABSOLUTE. Quartile band and median in the plots are over all single measurements.",
             kinds.ranks ? " for each way to start the ranks" : "")}};
}

MethodPart refinement_part() {
    return {
        "Arguments: automatic parameter refinement (APR)",
        {},
        {},
        {"Dynamic scales begin with equidistant arguments (by ratio on logarithmic scales). Then they divide the "
         "segment in which linear interpolation is worst, until every segment is good enough, or the maximum number "
         "of steps or the time of the suite is used up. Dense points therefore mark places where the behaviour "
         "changes."}};
}

MethodPart errors_part(const MeasuredKinds& kinds) {
    MethodPart part{
        "Errors, launches and merging",
        {fmt::format(
            "The error of a single run is its repeatability: how far the value would change within the same launch, "
            "not in the next one. From launch to launch memory placement, the state of the machine and its clock change, "
            "and values change by much more. The error between launches comes from merging several of them (AMR). "
            "A value is settled if the error between launches, as a standard error, is at most what was asked for; with one "
            "launch nobody knows. "
            "Statements about a difference therefore count launches, not single measurements. With fewer than {0} "
            "launches there is no interval. A difference is stated from {0} launches on, of which one may be left out.",
            launches_needed)}};
    if (kinds.merged) {
        part.paragraphs.emplace_back(
            "Merging (AMR): the value at each argument is the weighted median of the launches' values. Unless the run was "
            "merged with other weights, a launch weighs 1 / (tau^2 + se^2), with the variance tau^2 between the launches "
            "and its own standard error se. "
            "Where a launch lacks the argument, its value is interpolated between the neighbours, never extrapolated. "
            "Intervals are distribution-free: they come from the order of the launches' values and their weights. Launches that follow one "
            "another find the machine in similar states. From eight launches on, their likeness is estimated from all "
            "points of a suite, and its intervals are widened accordingly. Intervals of fewer launches hold for launches "
            "made within the same minutes, not for those of another hour.");
        part.details.emplace_back(
            "A merged value is flagged not repeatable where one of its launches is; unreliable, timed out, disturbed or in "
            "several modes where half of them are; and scattered where its interval is wider than a tenth of it. Six "
            "launches or more with a narrower interval make up for not repeatable and timed out. Disturbed launches, "
            "unreliable ones (but for those whose overhead is only longer than the value) and those that timed out at an "
            "error above 5 % do not count while enough others exist. Where nearly all are such, the "
            "launches with a slowed probe are left out first. A doubtful value whose probe belongs to no state of the "
            "machine never counts.");
    }
    if (kinds.compared) {
        part.paragraphs.emplace_back(
            "Comparisons between databases use Welch's interval of the logarithms of the launches' values. Of the 5 % by "
            "which any difference may be false, half is for suites as wholes, a quarter each for classes of "
            "lengths and for single arguments, by Holm's steps. The ratio shown is the middle of that interval.");
        part.details.push_back(fmt::format(
            "Launches in a row are alike and count for fewer. From {} launches of a side on their likeness is estimated, "
            "of fewer it is taken for 0.5. Where both sides hold the same launch, nothing is judged. The interval "
            "includes rounding to the clock's step.",
            launches_to_tell_likeness));
    }
    return part;
}

MethodPart starts_part(const MeasuredKinds& kinds) {
    MethodPart part{"Synchronisation of collective operations", {}};
    const auto add = [&](Synchronization start, const char* text) {
        if (kinds.starts.contains(start))
            part.details.emplace_back(text);
    };
    add(Synchronization::window,
        "Window: all ranks start at an agreed global time, for which offset and drift of their clocks are estimated "
        "beforehand. Ranks of one host read one clock. For several hosts the first page says within what bound their "
        "clocks agree, usually half a round trip: the ranks may start that unevenly. Single measurements for which a "
        "rank came late are discarded and counted.");
    add(Synchronization::barrier,
        "Barrier: MPI_Barrier brings the ranks together and its time is subtracted, as in the original SKaMPI. Small "
        "values also contain how unevenly the ranks leave the barrier.");
    add(Synchronization::dissemination,
        "Dissemination: as barrier, with a barrier of our own, so that the library's "
        "algorithm does not influence the operation's time.");
    add(Synchronization::barrier_before,
        "Barrier before: each rank times its own call after an MPI_Barrier, and the longest of these durations is the "
        "time, as some other benchmarks define it. It contains neither the wait for a rank that left the barrier later "
        "nor the whole path from the first rank to the last. Such times are shorter than those of windows, and "
        "comparable only with each other.");
    return part;
}

MethodPart models_part() {
    return {
        "Cost models",
        {},
        {},
        {"t(m) = a + b m is fitted piecewise to what most launches measured. The breakpoints minimise the sum of squared relative residuals plus a "
         "penalty for each piece (twice that of the Bayesian information criterion), over all ways to cut the curve "
         "into pieces of at least three points (the first and the last may be shorter). A negative a has no physical "
         "meaning: it is where the line of its piece would begin. \"Worst error\" is the largest relative distance of "
         "a measured point from its piece. A piece of one or two points is not fitted. Errors of a and b are those "
         "between launches: each launch is fitted by itself. With one launch they are unknown.",
         "Where two pieces fit clearly better than two lines that meet, and most launches show it, the time jumps: "
         "the library changes its protocol or algorithm. The size is the mean over the launches that measured both sides, without the extremes: the medians in the tables may give another one. A table "
         "shows it, and the cause where the run holds evidence: a setting of the library with this value, another "
         "operation that jumps at the same length (eager limit), or a cache of known size. Dotted lines in the plots "
         "mark jumps."}};
}

MethodPart flags_part(const MeasuredKinds& kinds) {
    MethodPart part{
        "What the flags say",
        {"Where a point saw several modes of the machine, its suite shows their times and shares (of the launches "
         "where several are merged, else of the single measurements). The value is that of the mode in which most "
         "launches were over the suite, or in which the only launch was longest."}};
    for (const Flag flag : all_flags())
        if (has(kinds.flags, flag))
            part.terms.push_back({flag_text(static_cast<Flags>(flag)), flag_sentence(flag)});
    return part;
}

} // namespace

std::vector<MethodPart> method_parts(const MeasuredKinds& kinds) {
    std::vector<MethodPart> parts{times_part(kinds), repetition_part(kinds), refinement_part(),
                                  errors_part(kinds)};
    if (!kinds.starts.empty())
        parts.push_back(starts_part(kinds));
    parts.push_back(models_part());
    if (kinds.flags != 0)
        parts.push_back(flags_part(kinds));
    return parts;
}

} // namespace skampi
