// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "analysis/models/suite_findings.hpp"
#include "model/suite.hpp"

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

namespace skampi {

// Sentences that introduce or explain sections, tables and plots.

/// "a, b and c"; of more than `most` the first of them and how many more.
[[nodiscard]] std::string few_names(std::vector<std::string> names, std::size_t most = 4);
/// Behind the names of suites that met another state of the machine than the others of their table.
inline constexpr const char* other_state_mark = "*";
/// "* The machine was slower than in the other suites ...": below the table.
[[nodiscard]] std::string another_state_note(const SuitesInAnotherState& apart);
/// That some points of a family's curves have another number of ranks than the others.
[[nodiscard]] std::string points_left_out(std::size_t count);
[[nodiscard]] std::string family_caption(const std::vector<std::string>& labels, bool with_ratio);
/// How many launches the values of a curve rest on, from point to point.
struct LaunchesAtPoints {
    int fewest = 0;
    int most = 0;
    void add(int launches) {
        fewest = most == 0 ? launches : std::min(fewest, launches);
        most = std::max(most, launches);
    }
};
/// "3 to 9 launches, shown" and "1 launch, another state"
[[nodiscard]] std::vector<std::string> states_labels(const LaunchesAtPoints& shown,
                                                     const LaunchesAtPoints& others);
[[nodiscard]] std::string states_caption(const std::vector<std::string>& labels, bool with_ratio);
/// @param drawn,all arguments @param merged whether the values are merged from launches
[[nodiscard]] std::string single_measurements_caption(std::size_t drawn, std::size_t all, bool merged);

/// Of the small plots of a comparison.
[[nodiscard]] std::string ratios_caption(const std::string& reference);
/// The same of variants launched in turns.
[[nodiscard]] std::string turns_ratios_caption(const std::string& reference);
/// Where a short report goes on. @param database that it is made from
[[nodiscard]] std::string more_than_shown(const std::string& database);
/// That suites of one length, at borders between algorithms, are not listed.
[[nodiscard]] std::string lengths_at_borders(std::size_t suites);
/// What the plots of suites show.
inline constexpr const char* suite_plots_introduction =
    "In the plots, points with error bars are the values and open circles flagged ones; grey lines are single launches, "
    "a band quartiles of the single measurements, dashed lines the fitted cost model, and dotted lines jumps.";

inline constexpr const char* over_ranks_caption = "Time over the number of ranks at chosen arguments.";
inline constexpr const char* over_ranks_with_forms_caption =
    "Time over the number of ranks at chosen arguments; dashed: the forms of growth that fit.";
inline constexpr const char* overview_caption =
    "time over the varied parameter, all with the same range of times.";
inline constexpr const char* variants_introduction =
    "Times over all launches of each variant, of two variants in a state of the machine that both met. Whether variants "
    "differ is decided round by round: the table of the session says so.";
inline constexpr const char* algorithms_caption =
    "Time of each algorithm over the varied parameter, all with the same range of times.";
inline constexpr const char* study_caption =
    "Time over the number of ranks, a curve for each message length, all with the same range of times.";
inline constexpr const char* ranks_introduction =
    "These suites were measured with different numbers of ranks.";
inline constexpr const char* merged_runs_columns =
    "Points: arguments for which the run has a value. Chosen: the run's value is the median. Time / merged time: median "
    "over the run's points.";
/// Behind the caption of a plot of bandwidth with the rate of memcpy in it.
inline constexpr const char* copies_caption =
    " Dotted: memcpy in the same run, a limit for messages that are copied at least once.";
inline constexpr const char* tail_note =
    "95 %, 99 %: so many of all single measurements took at most so long, disturbed ones included.";
inline constexpr const char* no_description =
    "The parameter file describes neither the node nor the network (@NODE, @NETWORK).";
inline constexpr const char* no_parameter_text = "The database does not hold the text of the parameter file.";

} // namespace skampi
