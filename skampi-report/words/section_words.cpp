// SPDX-License-Identifier: GPL-2.0-or-later
#include "words/section_words.hpp"

#include "model/launch_command.hpp"
#include "model/quantity.hpp"
#include "words/suite_words.hpp"

#include <fmt/format.h>

namespace skampi {

std::string points_left_out(std::size_t count) {
    return fmt::format("{} measured with another number of ranks than the rest of {} left out.",
                       count_of(count, "point"), count == 1 ? "its curve is" : "their curves are");
}

std::string few_names(std::vector<std::string> names, std::size_t most) {
    if (const std::size_t count = names.size(); count > most) {
        names.resize(most);
        names.push_back(fmt::format("{} more", count - most));
    }
    return enumeration(names);
}

std::string another_state_note(const SuitesInAnotherState& apart) {
    return fmt::format("{} The machine was {} than in the other suites (its probe took {} instead of {}): "
                       "compare marked suites only with marked ones.",
                       other_state_mark, apart.slower ? "slower" : "faster", format_time(apart.probe_s, 3),
                       format_time(apart.others_probe_s, 3));
}

std::string family_caption(const std::vector<std::string>& labels, bool with_ratio) {
    return fmt::format("Time with {}{}.", shortened(enumeration(labels), 120),
                       with_ratio ? ", and its ratio to that with " + labels.front() : "");
}

std::vector<std::string> states_labels(const LaunchesAtPoints& shown, const LaunchesAtPoints& others) {
    const auto text = [](const LaunchesAtPoints& launches) {
        return (launches.fewest < launches.most ? fmt::format("{} to ", launches.fewest) : std::string()) +
               count_of(launches.most, "launch", "launches");
    };
    return {text(shown) + ", shown", text(others) + ", another state"};
}

std::string states_caption(const std::vector<std::string>& labels, bool with_ratio) {
    return with_ratio
               ? fmt::format("The machine was in several states. Time of {}, and its ratio to that of {}.",
                             labels.back(), labels.front())
               : "The machine was in several states. Time of " + enumeration(labels) + ".";
}

std::string single_measurements_caption(std::size_t drawn, std::size_t all, bool merged) {
    return fmt::format(
        "Single measurements at {} of {}, by the median of each: quartiles, median (bar), mean (cross), and lines from "
        "the smallest to the largest, which continue where they meet the edge.{}",
        drawn, count_of(all, "argument"),
        merged
            ? " Smallest, largest, mean and count are those of all launches; quartiles and median those of the "
              "launches whose value is shown."
            : "");
}

std::string ratios_caption(const std::string& reference) {
    return fmt::format(
        "Time divided by that in {}: above 1 is slower. All plots have the same axis, the largest "
        "difference first. Band: interval of the ratio. Dots: significant.",
        reference);
}

std::string turns_ratios_caption(const std::string& reference) {
    return fmt::format(
        "Time relative to that of {} at each argument, from the rounds of the table. Bands: intervals; points: "
        "differences. Above 1: slower.",
        reference);
}

std::string more_than_shown(const std::string& database) {
    return fmt::format(
        "Plots and tables: skampi-report {} --suite PATTERN, or --full; as a file: --plot SUITE -o plot.svg, --table "
        "SUITE -o table.csv. Everything in a browser: -o report.html.",
        as_typed(database));
}

std::string lengths_at_borders(std::size_t suites) {
    return fmt::format(
        "{} of one length each, at borders between algorithms, {} part of \"Which algorithm\" and "
        "not listed.",
        count_of(suites, "suite"), suites == 1 ? "is" : "are");
}

} // namespace skampi
