// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "document/model.hpp"

#include <cstddef>
#include <vector>

namespace skampi {

// What latex_document() decides about sizes: widths of columns, by the lengths of their texts, and heights of
// plots. LaTeX decides the page breaks, because it knows all heights.

constexpr double text_width_cm = 16.6;
constexpr double column_gap_cm = 0.30;
/// Tables with more rows may be broken over pages.
constexpr std::size_t longest_unbroken_table = 14;
/// Lists with more facts are set in two columns of the page.
constexpr std::size_t longest_single_column = 14;
/// Two columns side by side.
constexpr double half_width_cm = (text_width_cm - 0.4) / 2;

/// The name column of a list of facts.
[[nodiscard]] double fact_name_cm(const FactList& list, double width_cm);
/// One per column of the table; columns of prose give way where all are too wide together.
[[nodiscard]] std::vector<double> column_widths_cm(const Table& table, double width_cm);

/// Small multiples, a figure for each of their rows, so that a page may end between them. Any other figure
/// is the only one.
[[nodiscard]] std::vector<Figure> figures_by_rows(const Figure& figure);

/// All drawings that latex_document() expects.
[[nodiscard]] std::vector<Figure> figures_on_paper(const Document& document);

} // namespace skampi
