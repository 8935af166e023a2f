// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "drawing/figure.hpp"
#include "document/paper.hpp"
#include "words/fact.hpp"
#include "words/text_and_command.hpp"

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace skampi {

// The report, once, for every format that shows pages. All texts are plain, of any content: each format
// escapes them at its own border.

/// How much room there must be for a block or a section to be shown (cut.hpp).
enum class Rank {
    decision,  ///< one screen
    overview,  ///< a few pages
    detail,    ///< where its suites were asked for
    reference, ///< everything
};

enum class Tone { plain, remark, warning };

struct Paragraph {
    std::string text;
    Tone tone = Tone::plain;
    std::string command = {}; ///< that the text ends with; empty = none
    Rank rank = Rank::decision;
};

struct FactList {
    std::string title; ///< may be empty
    std::vector<Fact> facts;
    Rank rank = Rank::decision;
    std::size_t essential = 0; ///< so many of the first facts are shown where the others are not
};

enum class ColumnKind {
    text,   ///< as wide as its longest entry
    number, ///< flush right
    prose,  ///< wraps
};

/// What a cell says of a difference. A terminal shows it as a colour; the cell's text says it, too.
enum class Tint { better, worse, same };
struct TintedCell {
    std::size_t row = 0; ///< 0 = the first below the header
    std::size_t column = 0;
    Tint tint = Tint::same;
};

struct Table {
    std::string title; ///< may be empty
    std::vector<std::string> header;
    std::vector<ColumnKind> columns; ///< one per header
    std::vector<std::vector<std::string>> rows;
    bool dense = false;                  ///< long and narrow: on paper in two columns of the page
    std::vector<std::string> notes = {}; ///< below it: what marks in its cells mean
    std::vector<TintedCell> tints = {};
    std::size_t details = 0; ///< so many of the last columns are left out where one screen has to do
    Rank rank = Rank::decision;
    /// All rows, those first that stay where there is no room for all; empty = as they stand.
    std::vector<std::size_t> by_importance = {};
};

/// Columns but the first in which every row is empty.
void leave_out_empty_columns(Table& table);

/// The text of a plot: how it was measured, and side by side facts and tables with some words.
struct FactsAndTable {
    FactList facts;
    Table table;
    std::vector<std::string> notes; ///< below the tables
    FactList setup = {};            ///< above both; on paper as running text
    Table below = {};               ///< below the table
    Rank rank = Rank::decision;
};

struct FigureBlock {
    Figure figure;
    std::string caption;
    std::string in_characters = {}; ///< lines for readers in a terminal; may be empty
    std::size_t suites =
        0; ///< of small plots, one for each: how many suites there are; 0 = they are not of suites
    Rank rank = Rank::decision;
};
/// The caption, which of small plots begins with how many of the suites are drawn.
[[nodiscard]] std::string caption_text(const FigureBlock& block);

/// Text whose line ends and spaces count.
struct Verbatim {
    std::string text;
    Rank rank = Rank::decision;
};

using Block = std::variant<Paragraph, FactList, Table, FactsAndTable, FigureBlock, Verbatim>;

struct Section {
    std::string title;
    std::vector<Block> blocks;
    std::vector<Section> subsections;
    bool begins_page = false; ///< on paper
    /// Parts with a plot each: from many on a few pages only small plots, in two columns.
    bool as_cards = false;
    bool folded = false; ///< in a browser: behind the first block, a paragraph
    Rank rank = Rank::decision;
};

/// Adds a paragraph, unless there is nothing to say.
void add_known(Section& section, TextAndCommand known, Tone tone = Tone::plain);

struct Cover {
    std::string title;
    std::string subtitle;
    TextAndCommand answer; ///< a few sentences: the answer in numbers, its reliability, what to do next
    std::vector<std::string> findings = {}; ///< the most serious, one sentence each, the most serious first
    FactList system;
    FactList trust;
    std::vector<Table> winners; ///< in a comparison: who is faster where; also of algorithms
    std::vector<std::string> remarks =
        {};          ///< what a reader of these tables should know, a few sentences each
    Table headlines; ///< may have no rows
    std::optional<FigureBlock> overview;
};

struct Document {
    Cover cover;
    Paper paper = Paper::a4;
    std::vector<Section> sections;
    bool brief = false; ///< on paper: no table of contents
    std::string more;   ///< how to see what a shorter form leaves out
};

/// Figures as lines of characters, by their ids. A missing one is not shown.
using Drawings = std::map<std::string, std::string>;

/// All figures of a document, in its order.
[[nodiscard]] std::vector<const FigureBlock*> figure_blocks(const Document& document);
[[nodiscard]] std::vector<Figure> all_figures(const Document& document);

} // namespace skampi
