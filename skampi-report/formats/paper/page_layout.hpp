#pragma once

#include "document/model.hpp"

#include <cstddef>

namespace skampi {

// How much room the parts of a document take on paper, as latex_document() sets them: estimated, rather too
// large than too small, because figures are drawn before LaTeX knows.

constexpr double text_width_cm = 16.6;
/// Letter paper is wider and lower; the text is as wide on both.
[[nodiscard]] constexpr double text_height_cm(Paper paper) {
    return paper == Paper::a4 ? 26.4 : 24.6;
}
/// Average width of a character of tables.
constexpr double table_character_cm = 0.135;
constexpr double column_gap_cm = 0.30;
/// Tables with more rows may be broken over pages.
constexpr std::size_t longest_unbroken_table = 14;
/// Lists with more facts are set in two columns of the page.
constexpr std::size_t longest_single_column = 14;
/// Facts of a suite, left of its tables.
constexpr double suite_facts_cm = 8.3;
constexpr double suite_tables_cm = text_width_cm - suite_facts_cm - 0.4;

/// What stands where below a plot, so that both columns are about equally high.
struct SuiteColumns {
    bool below_at_left = false; ///< the second table below the facts, not below the first table
    bool notes_at_left = true;
    double height_cm = 0;
};
[[nodiscard]] SuiteColumns suite_columns(const FactsAndTable& both);

/// The name column of a list of facts.
[[nodiscard]] double fact_name_cm(const FactList& list, double width_cm);
/// One per column of the table; columns of prose give way where all are too wide together.
[[nodiscard]] std::vector<double> column_widths_cm(const Table& table, double width_cm);

[[nodiscard]] double height_cm(const Block& block);
/// With its heading, without its subsections.
[[nodiscard]] double height_cm(const Section& section);

/// Whether a section stays on one page as a whole: it has a figure and fits on one.
[[nodiscard]] bool stays_together(const Section& section, Paper paper);

/// What a section has at least on the page that its heading is on: all of one that stays together; else what
/// is not broken, or some lines, with the introduction before it.
[[nodiscard]] double beginning_cm(const Section& section, Paper paper);

/// Whether the heading of a section stands on one page with its first part: there is little between them.
[[nodiscard]] bool introduces_first_part(const Section& section);

/// Whether the contents begin on a page of their own: the first page is nearly full, and they do not fit on
/// what is left of it.
[[nodiscard]] bool fills_a_page(const Document& document);
/// Whether the first page's texts leave no room for the plots, which then stand on the next one, with the
/// contents below them.
[[nodiscard]] bool overview_begins_page(const Cover& cover, Paper paper);

/// Distributes sections over pages: marks those that begin one, and makes the plots of a page higher where
/// room would be left, so that no page stays emptier than it must. Of tables of very many values some rows
/// stay. The overview fills the first page.
void fill_pages(Document& document);

} // namespace skampi
