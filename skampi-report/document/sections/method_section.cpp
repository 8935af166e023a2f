#include "document/sections/method_section.hpp"

#include "analysis/comparison.hpp"
#include "model/quantity.hpp"
#include "words/error_statement.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <set>

namespace skampi {

namespace {

Section part(const char* title, std::vector<std::string> paragraphs) {
    Section section;
    section.title = title;
    for (std::string& text : paragraphs)
        section.blocks.push_back(Paragraph{std::move(text), Tone::plain});
    return section;
}

template <typename Predicate>
bool any_suite(const std::vector<Subject>& subjects, Predicate wanted) {
    for (const Subject& subject : subjects)
        for (const Curve& curve : subject.curves)
            if (wanted(curve.suite()))
                return true;
    return false;
}

} // namespace

Section method_section(const std::vector<Subject>& subjects) {
    Section section;
    section.title = "How it was measured";

    std::vector<std::string> times{
        "A single measurement is one timed call, or a timed block of several calls where one call is too "
        "short for the clock; its time is then the block's divided by the number of calls. "
        "A measurement is the value at one argument, formed from many single measurements. "
        "A suite is the measurements of one operation over one varied parameter, "
        "a run all suites measured once by one launch of the program."};
    const auto any_of_meaning = [&](Meaning meaning) {
        return any_suite(subjects, [meaning](const Suite& s) { return s.operation.meaning == meaning; });
    };
    const bool halved = std::ranges::any_of(
        subjects, [](const Subject& subject) { return std::ranges::any_of(subject.curves, &Curve::halved); });
    if (halved)
        times.push_back(
            "Half round trips: a message there and one back are timed on the measuring rank, and half "
            "of that is what is shown here; result files hold the whole.");
    else if (any_of_meaning(Meaning::round_trip))
        times.push_back(
            "Round trips: the time is that of a message there and one back, "
            "on the measuring rank. Half of it is given only where the text says half round trip: "
            "among the headlines, and in bandwidth, which is message length by half of the "
            "round trip.");
    if (any_of_meaning(Meaning::exchange))
        times.push_back("Exchanges (MPI_Sendrecv): both ranks send and receive in the same call, "
                        "so the time is not halved and bandwidth is message length by time, "
                        "that of one direction.");
    if (any_of_meaning(Meaning::window))
        times.push_back("Windows of messages: the time is that of the whole window; "
                        "bandwidth and message rate count all its messages.");
    if (any_of_meaning(Meaning::one_sided) || any_of_meaning(Meaning::one_way))
        times.push_back("Calls that get no answer have the time of a call, one-sided ones with their "
                        "synchronisation.");
    if (any_suite(subjects, [](const Suite& s) { return s.operation.pattern == Pattern::ping_pong; }))
        times.push_back("The partner is the rank with the largest latency to the measuring rank, "
                        "unless the parameter file asks for another one; the facts of each suite say which "
                        "it is and what of the machine the two share.");
    if (any_suite(subjects, [](const Suite& s) { return s.operation.pattern == Pattern::collective; }))
        times.push_back(
            "Collective operations: depending on the suite, "
            "the time is that of one rank, the longest of the ranks' own, or lasts until the last rank has left; "
            "the facts of each suite say which. Bandwidth is message length by time; "
            "it does not count how often an algorithm sends the data.");
    times.push_back("Where a call moves several messages, bandwidth and message rate count all of them. "
                    "Bandwidth is always computed from the summarised time; rates are not averaged. "
                    "1 GB/s is 10^9 bytes a second, 1 KiB is 1024 bytes.");
    section.subsections.push_back(part("What the times mean", std::move(times)));

    section.subsections.push_back(part(
        "Repetition: automatic standard error control (ASEC)",
        {"After every change of the argument the operation is warmed up; those calls are not stored. "
         "Then it is repeated at least the minimum number of times and until the standard error is "
         "below the maximum allowed one (given with each suite), "
         "or the maximum number of repetitions or the time limit is reached: "
         "such points are flagged unsettled or timed out. "
         "Blocks are long enough for resolution and cost of the clock to stay below the error wanted.",
         "The value is formed from the single measurements as the suite's facts say, "
         "usually the mean after cutting a quarter at each end, "
         "so that interrupts by the operating system do not count. "
         "The overhead (the same loop around an empty operation) "
         "is measured in each suite, for each way of starting the ranks, and subtracted, unless the parameter file says @ABSOLUTE. "
         "The quartile band and the median in the plots are over all single measurements."}));

    section.subsections.push_back(
        part("Arguments: automatic parameter refinement (APR)",
             {"Dynamic scales begin with equidistant arguments (by ratio on logarithmic scales) "
              "and then divide the segment in which linear interpolation is worst, "
              "until every segment is good enough, the maximum number of steps, "
              "or the time of the suite is used up. Dense points therefore mark places where the behaviour "
              "changes."}));

    std::vector<std::string> errors{fmt::format(
        "The error of a single run is labelled repeatability within this run: "
        "it says how well the value would come out again in the same launch, not in the next. "
        "Memory placement, the state of the machine and its clock change from launch to launch by much "
        "more. The honest error comes from several launches merged (AMR); "
        "the unit of replication in every statement about a difference is therefore the launch. "
        "With fewer than {} launches no interval and no statement about significance is given.",
        launches_needed)};
    if (std::any_of(subjects.begin(), subjects.end(),
                    [](const Subject& s) { return s.run && s.run->kind == "merged"; }))
        errors.push_back(
            "Merging (AMR): the value at each argument is the median of the launches' values, "
            "each launch counted once; "
            "where a launch lacks the argument it is interpolated between its neighbours, "
            "never extrapolated. Intervals are distribution-free, from the order of the launches' values. "
            "Launches that follow one another meet the machine in like states: from eight launches on, how much alike "
            "they are is found from all points of a suite, and its intervals are as much wider; fewer cannot tell, and "
            "their intervals hold for launches made in the same minutes, not for those of another hour. "
            "A merged value is flagged unsettled or unreliable where one of the launches is that it rests on, timed "
            "out, disturbed or in several modes where half of them are, and scattered where its interval is "
            "wider than a tenth of it; six launches or more whose interval is not so wide settle it. Disturbed and unreliable launches, and those that timed out at an error "
            "above 5 %, do not count while enough others are there; where nearly all are such, those go first whose probe was slowed, and a doubtful "
            "value whose probe belongs to no state of the machine counts nowhere.");
    if (subjects.size() > 1)
        errors.push_back(
            "Comparisons between databases use Welch's interval of the logarithms of the launches' values, "
            "with Bonferroni's correction: of the 5 % one half is shared by the points compared, the other by the "
            "suites as wholes. "
            "The ratio shown is the middle of that interval, so that size, direction and significance of a "
            "difference come from the same data. " +
            fmt::format(
                "From {} launches of a side on they count for fewer where those in a row are alike, as in merged "
                "intervals; of fewer that is hardly known, and they are taken for independent: where each "
                "resembles the one before (correlation 0.3) a difference of equal machines is then found in "
                "4 to 19 of 100 comparisons instead of at most 5. ",
                launches_to_tell_likeness) +
            "A launch that is "
            "on both sides would be compared with itself, and then nothing is said of significance. Rounding to the clock's step is part of the interval: "
            "values that agree to the last digit are no certainty.");
    section.subsections.push_back(part("Errors, launches and merging", std::move(errors)));

    if (any_suite(subjects, [](const Suite& s) { return s.operation.pattern == Pattern::collective; })) {
        std::vector<std::string> starts;
        const auto used = [&](Synchronization kind) {
            return any_suite(subjects, [&](const Suite& s) {
                return s.operation.pattern == Pattern::collective && s.synchronization == kind;
            });
        };
        if (used(Synchronization::window))
            starts.push_back("Window: all ranks start at an agreed global time; "
                             "offset and drift of their clocks are estimated beforehand. "
                             "Ranks of one host read one clock. Of several hosts the first page says within "
                             "what their clocks agree in any case, as a rule half a round trip: "
                             "as unevenly may their ranks begin. "
                             "Single measurements for which a rank came late are discarded and counted.");
        if (used(Synchronization::barrier))
            starts.push_back(
                "Barrier: the ranks are brought together by MPI_Barrier and its time is subtracted, "
                "as in the original SKaMPI. How unevenly ranks leave the barrier leaks into small values.");
        if (used(Synchronization::dissemination))
            starts.push_back("Dissemination: as barrier, with a barrier of our own, "
                             "so that the library's algorithm does not leak into the operation's time.");
        if (used(Synchronization::barrier_before))
            starts.push_back(
                "Barrier before: each rank times its own call behind an MPI_Barrier, and the longest of these "
                "durations is the time, as some other benchmarks define it. It holds no wait for a rank that left "
                "the barrier later, and not the whole path from the first rank to the last: "
                "such times are shorter than those of windows, and comparable only with each other.");
        section.subsections.push_back(part("Synchronisation of collective operations", std::move(starts)));
    }
    section.subsections.push_back(part(
        "Cost models",
        {"t(m) = a + b m is fitted piecewise: the breakpoints minimise the sum of squared relative "
         "residuals plus a penalty for each piece (twice that of the Bayesian information criterion), "
         "over all ways to cut the curve into pieces of at least three points (the first and the last may be "
         "shorter). "
         "A negative a is no time, but where the line of its piece would begin. "
         "\"Worst\" is the largest relative distance of a measured point from its piece. "
         "Where two pieces fit clearly better than two lines that meet, the time jumps, "
         "usually because the library changes its protocol or algorithm: dotted lines in the plots, and a table of "
         "where, by how much, and what such a jump is as a rule."}));
    FactList flags;
    for (const Flag flag : all_flags())
        if (std::ranges::any_of(subjects, [&](const Subject& subject) {
                return std::ranges::any_of(subject.curves, [&](const Curve& curve) {
                    return std::ranges::any_of(curve.points, [&](const StoredMeasurement& point) {
                        return has(point.measurement.flags, flag);
                    });
                });
            }))
            flags.facts.push_back({flag_text(static_cast<Flags>(flag)), flag_sentence(flag)});
    if (!flags.facts.empty()) {
        Section meanings;
        meanings.title = "What the flags say";
        meanings.blocks.push_back(Paragraph{
            "Where a point saw several modes of the machine, the facts of its suite tell their times and "
            "shares (of the launches where several are merged, else of the single measurements). "
            "The value is that of the mode in which most launches were over the suite, "
            "or in which the only launch was longest.",
            Tone::plain});
        meanings.blocks.push_back(std::move(flags));
        section.subsections.push_back(std::move(meanings));
    }
    return section;
}

} // namespace skampi
