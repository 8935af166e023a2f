#include "words/trust_words.hpp"

#include "analysis/comparison.hpp"
#include "model/quantity.hpp"
#include "subject/library_name.hpp"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>

namespace skampi {

namespace {

/// What has to be known before any value of a subject is believed, each a part of a sentence; none = nothing.
/// @param launches whether too few of them are among it
std::vector<std::string> shortcomings(const Subject& subject, const Trust& trust, bool launches) {
    std::vector<std::string> found = run_doubts(subject);
    bool total_told = false;
    const auto of_values = [&](std::int64_t count, const char* singular, const char* plural) {
        if (count <= 0)
            return;
        const char* const said = count == 1 ? singular : plural;
        found.push_back(total_told
                            ? fmt::format("{} {}", count, said)
                            : fmt::format("{} of {} {}", count, count_of(trust.points, "value"), said));
        total_told = true;
    };
    of_values(trust.wrong_result, "is missing: the operation delivered wrong data",
              "are missing: the operation delivered wrong data");
    if (trust.no_value == trust.points && trust.points > 1)
        found.push_back(fmt::format("none of the {} values could be measured", trust.points));
    else
        of_values(trust.no_value, "could not be measured", "could not be measured");
    of_values(trust.not_above_zero, "is below what can be measured", "are below what can be measured");
    // The flag goes with those too.
    of_values(std::max<std::int64_t>(0, trust.unreliable - trust.not_above_zero), "is unreliable",
              "are unreliable");
    of_values(trust.disturbed, "was disturbed", "were disturbed");
    of_values(trust.several_modes, "saw several states of the machine", "saw several states of the machine");
    of_values(trust.unsynchronised, "was taken between barriers because windows could not be kept",
              "were taken between barriers because windows could not be kept");
    // Without a value nothing settles: these are told already.
    if (trust.no_value > 0)
        of_values(trust.values_not_settled, "of those with a value did not settle",
                  "of those with a value did not settle");
    else
        of_values(trust.values_not_settled, "did not settle", "did not settle");
    of_values(trust.one_launch, "rests on one launch", "rest on one launch");
    of_values(trust.few_launches, "rests on two to four launches", "rest on two to four launches");
    of_values(trust.scattered, "rests on launches that lie far apart", "rest on launches that lie far apart");
    if (subject.run && is_simulated(*subject.run))
        launches = false; // they do not differ
    if (launches && trust.launches <= 1)
        found.push_back("one launch says nothing of the error between launches");
    else if (launches && trust.launches < launches_needed)
        found.push_back(fmt::format("{} launches are too few for an interval", trust.launches));
    return found;
}

std::string as_sentence(const std::vector<std::string>& parts) {
    std::string text = fmt::format("{}.", fmt::join(parts, "; "));
    text.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(text.front())));
    return text;
}

/// ", 2 of them in the state shown": where values rest on fewer launches than were merged; empty where all
/// count.
std::string launches_behind(const Trust& trust) {
    if (trust.launches == 0 || trust.launches >= trust.launches_merged)
        return {};
    return fmt::format(", {} of them {}", trust.launches,
                       trust.of_other_states
                           ? "in the state shown"
                           : "with values that count: the others are in doubt, or have none");
}

} // namespace

std::string trust_in_short(const Subject& subject) {
    const Trust trust = assess(subject);
    return fmt::format(
        "{} of {} settled; {}", trust.settled, count_of(trust.points, "point"),
        trust.noise_between_launches
            ? fmt::format("run-to-run noise {} over {}", format_percent(*trust.noise_between_launches),
                          count_of(static_cast<std::int64_t>(trust.launches), "launch", "launches"))
        : trust.launches > 1
            ? fmt::format("noise of its {} not known",
                          count_of(static_cast<std::int64_t>(trust.launches), "launch", "launches"))
        : subject.run && is_simulated(*subject.run) ? "simulated, so launches do not differ"
                                                    : "one launch, so its noise is not known");
}

std::string descriptive_answer(const Subject& subject) {
    if (!subject.run)
        return "Descriptive: this database holds no run.";
    const Trust trust = assess(subject);
    if (trust.points == 0) {
        const std::vector<std::string> bad = shortcomings(subject, trust, false);
        return (bad.empty() ? "" : as_sentence(bad) + " ") +
               (subject.ended ? "Nothing could be measured."
                              : "Descriptive: nothing has been measured to the end yet.");
    }
    std::size_t suites = 0;
    for (const Curve& curve : subject.curves)
        suites += curve.points.empty() ? 0 : 1;
    const std::string& library = subject.run->mpi_library;
    std::string where =
        library.empty() || library == library_without_mpi ? "" : " of " + library_name(*subject.run);
    if (subject.run->ranks > 0)
        where += fmt::format(" on {}", count_of(subject.run->ranks, "rank"));
    const std::string launches =
        !subject.other_parts.empty()
            ? fmt::format("each from one launch, of {} that share the suites", subject.other_parts.size() + 1)
        : std::max(trust.launches, trust.launches_merged) <= 1
            ? "from one launch"
            : fmt::format("merged from {} launches{}{}", std::max(trust.launches, trust.launches_merged),
                          subject.merged_here ? " in this file" : "", launches_behind(trust));
    const std::vector<std::string> bad = shortcomings(subject, trust, true);
    return fmt::format("{}Descriptive: {}{}, {}, {}{}.", bad.empty() ? "" : as_sentence(bad) + " ",
                       count_of(static_cast<std::int64_t>(suites), "suite"), where,
                       count_of(trust.points, "point"), bad.empty() ? "all settled, " : "", launches);
}

std::string doubts_about(const Subject& subject) {
    if (!subject.run)
        return {};
    const std::vector<std::string> bad = shortcomings(subject, assess(subject), false);
    return bad.empty() ? std::string()
                       : fmt::format("In {}: {}. ", shortened(subject.label, 30), fmt::join(bad, "; "));
}

} // namespace skampi
