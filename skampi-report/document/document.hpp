#pragma once

#include "analysis/comparison.hpp"
#include "analysis/subject.hpp"
#include "analysis/trust.hpp"
#include "document/headline.hpp"
#include "drawing/figure.hpp"
#include "subject/content.hpp"

#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

namespace skampi {

// The report, once, for every format that shows pages. All texts are plain, of any content: each format
// escapes them at its own border.

enum class Tone { plain, remark, warning };

struct Paragraph {
    std::string text;
    Tone tone = Tone::plain;
};

struct Fact {
    std::string name;
    std::string value;
};

struct FactList {
    std::string title; ///< may be empty
    std::vector<Fact> facts;
};

enum class Column {
    text,   ///< as wide as its longest entry
    number, ///< flush right
    prose,  ///< wraps
};

struct Table {
    std::string title; ///< may be empty
    std::vector<std::string> header;
    std::vector<Column> columns; ///< one per header
    std::vector<std::vector<std::string>> rows;
    bool dense = false; ///< long and narrow: on paper in two columns of the page
};

/// What belongs to a plot: how it was measured, and beside one another facts and tables with some words.
struct FactsAndTable {
    FactList facts;
    Table table;
    std::vector<std::string> notes; ///< below the tables
    FactList setup = {};            ///< above both; on paper as running text
    Table below = {};               ///< below the table
};

struct FigureBlock {
    Figure figure;
    std::string caption;
    std::string in_characters = {}; ///< lines for readers in a terminal; may be empty
    std::size_t suites =
        0; ///< of small plots, one for each: how many suites there are; 0 = they are not of suites
};
/// The caption, which of small plots begins with how many of the suites are drawn.
[[nodiscard]] std::string caption_text(const FigureBlock& block);

/// Text whose line ends and spaces count.
struct Verbatim {
    std::string text;
};

using Block = std::variant<Paragraph, FactList, Table, FactsAndTable, FigureBlock, Verbatim>;

struct Section {
    std::string title;
    std::vector<Block> blocks;
    std::vector<Section> subsections;
    bool begins_page = false; ///< on paper
};

struct Cover {
    std::string title;
    std::string subtitle;
    std::string answer; ///< a few sentences; the first one says what is bad, if anything is
    FactList system;
    FactList trust;
    std::vector<Table> winners; ///< in a comparison: who is faster where
    Table headlines;            ///< may have no rows
    std::optional<FigureBlock> overview;
};

struct Document {
    Cover cover;
    Paper paper = Paper::a4;
    std::vector<Section> sections;
};

struct DatabaseComparison;

struct DocumentOptions {
    std::string title;      ///< empty = made from the run
    bool baseline = false;  ///< the last subject is the baseline of all others
    bool box_plots = false; ///< of the single measurements, with every suite
    Content content = {};   ///< which chapters, in which order, and comparisons of one's own
};

/// Builds the report from what was read. The first subject is shown in full; further ones are compared with
/// it (or all with the baseline).
/// @param subjects at least one
[[nodiscard]] Document build_document(const std::vector<Subject>& subjects, const DocumentOptions& options);

/// How much a text report shows.
struct Brevity {
    std::size_t most_rows = 0;  ///< of each table of values; 0 = all
    bool only_decision = false; ///< of a comparison: no suites but those that differ most
};
/// The same in short, for a first look: first page, per suite a plot, its values and what is flagged, and the
/// comparison of the databases.
[[nodiscard]] Document build_brief_document(const std::vector<Subject>& subjects,
                                            const DocumentOptions& options, const Brevity& brevity);

/// What the first page of a comparison says first: what makes it doubtful, and the verdicts.
[[nodiscard]] std::string comparison_answer(const std::vector<const Subject*>& subjects,
                                            std::span<const DatabaseComparison> comparisons);

/// All subjects against the baseline (the last one), or against the first.
[[nodiscard]] std::vector<DatabaseComparison> compare_subjects(const std::vector<Subject>& subjects,
                                                               bool baseline);

/// All figures of a document, in its order.
[[nodiscard]] std::vector<Figure> all_figures(const Document& document);

} // namespace skampi
