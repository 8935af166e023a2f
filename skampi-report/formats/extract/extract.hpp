// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "document/model.hpp"
#include "formats/format.hpp"
#include "launches/single_times.hpp"
#include "launches/subject.hpp"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace skampi {

// One plot or one table of a report, to be taken along into somebody's own text.

/// What is taken: suites of these names or patterns of all subjects.
struct Extract {
    enum class Kind { none, plot, table };
    Kind kind = Kind::none;
    std::vector<std::string> patterns;
    /// What a plot shows.
    enum class Shows {
        curves,    ///< times, and what is shown with them: bandwidths, or ratios of several suites
        time,      ///< the times alone
        bandwidth, ///< the bandwidths alone
        boxes,     ///< box plots of one suite's single measurements, by argument
        shares,    ///< distribution functions of the single measurements
    };
    Shows shows = Shows::curves;
    std::string ending = {};             ///< ".csv": what is written; empty = what the output's name ends in
    bool all_columns = false;            ///< of a table for LaTeX, though it is too wide
    std::optional<double> width_cm = {}; ///< of a plot, or of the text around a LaTeX table; none = a page's
    std::int64_t multiple_of = 1; ///< only arguments that are multiples of it
};

/// The kinds of plots by the words of --kind.
struct PlotKind {
    const char* word;
    Extract::Shows shows;
};
[[nodiscard]] std::span<const PlotKind> plot_kinds();

/// The endings that a plot or a table can have: ".svg, .png".
[[nodiscard]] std::string endings_of(Extract::Kind kind);

/// The ending of what --format asks for on standard output: ".csv"; of a table without it ".txt".
/// @throws InputError where it is no text
[[nodiscard]] std::string ending_on_standard_output(Extract::Kind kind, const std::string& format);

/// Writes it whole or not at all.
/// @throws InputError where no suite is meant, or several that no plot can show together, or the ending is
/// none of endings_of(), or what is to be shown is not stored
Written write_extract(const Extract& extract, const std::vector<Subject>& subjects,
                      const SingleTimesOf& single_times_of, const Destination& to);

/// The values drawn: panel, series, argument, value and its interval, in bytes and seconds.
[[nodiscard]] std::string plot_csv(const Figure& figure);
/// A table as LaTeX for booktabs, with notes below it.
[[nodiscard]] std::string booktabs_text(const Table& table, const std::vector<std::string>& notes = {});
/// Leaves out adjusted values, bandwidths, times in another state and flags, in this order, until a table
/// fits the width of the text. @return the columns left out
std::vector<std::string> fit_width(Table& table, double text_cm);

} // namespace skampi
