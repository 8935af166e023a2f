#pragma once

#include "analysis/subject.hpp"
#include "document/model.hpp"
#include "formats/format.hpp"

#include <span>
#include <string>
#include <vector>

namespace skampi {

// One plot or one table of a report, to be taken along into somebody's own text.

/// What is taken: suites of this name or pattern of all subjects.
struct Extract {
    enum class Kind { none, plot, table };
    Kind kind = Kind::none;
    std::string pattern;
};

/// The endings that a plot or a table can have: ".svg, .png".
[[nodiscard]] std::string endings_of(Extract::Kind kind);

/// Writes it whole or not at all.
/// @throws InputError where no suite is meant, or several that no plot can show together, or the ending is
/// none of endings_of()
Written write_extract(const Extract& extract, const std::vector<Subject>& subjects, const Destination& to);

/// The plot as LaTeX for pgfplots, its data inside: a picture for each panel.
[[nodiscard]] std::string pgfplots_text(const Figure& figure);
/// The values drawn: panel, series, argument, value and its interval, in bytes and seconds.
[[nodiscard]] std::string plot_csv(const Figure& figure);
/// A table as LaTeX for booktabs.
[[nodiscard]] std::string booktabs_text(const Table& table);

} // namespace skampi
