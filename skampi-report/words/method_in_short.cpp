#include "words/method.hpp"

#include "analysis/comparison/comparison.hpp"
#include "words/value_words.hpp"

#include <fmt/format.h>

namespace skampi {

MethodPart method_in_brief(const MeasuredKinds& kinds) {
    MethodPart part{"How it was measured", {}};
    const auto has = [&](Meaning meaning) { return kinds.meanings.contains(meaning); };
    std::string times =
        "A single measurement is one timed call, or a block of calls where one is too short for the "
        "clock. A value is formed from many of them at one argument, by default as the mean of the "
        "middle half, without the overhead of an empty operation.";
    if (kinds.halved)
        times += " Round trips are shown halved.";
    else if (has(Meaning::round_trip))
        times += " Ping-pongs are round trips: bandwidth is message length by half of the time.";
    if (has(Meaning::exchange))
        times += " MPI_Sendrecv is an exchange: bandwidth is message length by time.";
    if (kinds.patterns.contains(Pattern::collective))
        times += kinds.until_last
                     ? " Of a collective operation it is the time until the last rank has left."
                     : " Whose time it is of a collective operation says its suite in the HTML report.";
    part.paragraphs.push_back(std::move(times));
    std::string repeated =
        kinds.until_precise
            ? "Each argument is repeated until the standard error is as small as the suite asks."
        : kinds.fixed_times ? "Each argument is repeated a fixed number of times."
                            : "";
    if (kinds.refined)
        repeated +=
            (repeated.empty() ? "" : " ") +
            std::string(
                "Further arguments are measured where straight lines between the present ones are worst.");
    if (!repeated.empty())
        part.paragraphs.push_back(std::move(repeated));
    std::string errors =
        kinds.simulated
            ? "Times are simulated: launches do not differ, and an error is a step of the clock."
            : "The error of one launch is its repeatability. Launches differ by more: only several of them, "
              "merged, show the error between launches.";
    if (kinds.merged)
        errors += " A merged value is the median of the launches' values, with a distribution-free interval.";
    if (kinds.compared)
        errors += fmt::format(
            " Comparisons are Welch's interval of the logarithms of the launches' values, corrected "
            "for the number of points; fewer than {} launches give no interval.",
            launches_needed);
    part.paragraphs.push_back(std::move(errors));
    part.paragraphs.emplace_back(
        "The HTML report describes the method in full, and shows the values, the machine, "
        "the run and its parameter file; --full puts them on paper.");
    for (const Flag flag : all_flags())
        if (skampi::has(kinds.flags, flag))
            part.terms.push_back(
                {flag_letters(static_cast<Flags>(flag)) + ", " + flag_text(static_cast<Flags>(flag)),
                 flag_sentence(flag)});
    return part;
}

} // namespace skampi
