#include "formats/paper/page_layout.hpp"

#include "base/utf8.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace skampi {

namespace {

// Lines of 10 point text and of the 8 point letters of tables, and how many characters they hold.
constexpr double text_line_cm = 0.424;
constexpr double text_character_cm = 0.165;
constexpr double table_line_cm = 0.312;
/// As a column of a table is planned a character has more room than it takes in running text.
constexpr double small_character_cm = 0.122;
constexpr double caption_line_cm = 0.34;
constexpr double paragraph_skip_cm = 0.15;
constexpr double small_skip_cm = 0.11;
/// Rules of a table with the room around them.
constexpr double table_rules_cm = 0.30;
constexpr double list_title_cm = 0.36;

constexpr double section_heading_cm = 1.45;
constexpr double subsection_heading_cm = 0.98;
/// Some lines before what they introduce.
constexpr double longest_introduction_cm = 2.6;

/// @param character_cm of average width
double lines(const std::string& text, double width_cm, double character_cm) {
    const auto characters = static_cast<double>(character_count(text));
    // Words are not broken: a line is filled to nine tenths on average.
    const double one = width_cm / character_cm;
    return characters <= one ? 1 : std::ceil(characters / (0.95 * one));
}

double facts_height_cm(const FactList& list, double width_cm) {
    const double name_cm = fact_name_cm(list, width_cm);
    const double value_cm = width_cm - name_cm - column_gap_cm;
    double height = list.title.empty() ? 0 : list_title_cm;
    for (const Fact& fact : list.facts)
        height += table_line_cm * std::max(lines(fact.name, name_cm, small_character_cm),
                                           lines(fact.value, value_cm, small_character_cm));
    return height;
}

double table_height_cm(const Table& table, double width_cm) {
    if (table.header.empty() || table.rows.empty())
        return 0;
    const std::vector<double> widths = column_widths_cm(table, width_cm);
    const auto row_lines = [&](const std::vector<std::string>& row) {
        double most = 1;
        for (std::size_t column = 0; column < row.size() && column < widths.size(); ++column)
            if (table.columns[column] == ColumnKind::prose)
                most = std::max(most, lines(row[column], widths[column], small_character_cm));
        return most;
    };
    double all = row_lines(table.header);
    for (const auto& row : table.rows)
        all += row_lines(row);
    return (table.title.empty() ? 0 : list_title_cm) + table_rules_cm + table_line_cm * all;
}

double run_in_height_cm(const FactList& list) {
    if (list.facts.empty())
        return 0;
    std::string all;
    for (const Fact& fact : list.facts)
        all += fact.name + " " + fact.value + "   ";
    constexpr double line_cm = 0.296;
    constexpr double character_cm = 0.113;
    return line_cm * lines(all, text_width_cm, character_cm);
}

struct HeightOf {
    double operator()(const Paragraph& paragraph) const {
        if (paragraph.tone == Tone::warning)
            return 0.08 + 0.34 * lines(paragraph.text, text_width_cm, 0.142);
        return paragraph_skip_cm + text_line_cm * lines(paragraph.text, text_width_cm, text_character_cm);
    }
    double operator()(const FactList& list) const {
        if (list.facts.size() <= longest_single_column)
            return paragraph_skip_cm + facts_height_cm(list, text_width_cm);
        return paragraph_skip_cm + 0.55 * facts_height_cm(list, (text_width_cm - 0.6) / 2);
    }
    double operator()(const Table& table) const {
        if (table.dense)
            return 0.4 + 0.5 * table_line_cm * static_cast<double>(table.rows.size() + 2);
        return 2 * small_skip_cm + paragraph_skip_cm + table_height_cm(table, text_width_cm);
    }
    double operator()(const FactsAndTable& both) const {
        return 2 * small_skip_cm + 2 * paragraph_skip_cm + run_in_height_cm(both.setup) +
               suite_columns(both).height_cm;
    }
    double operator()(const FigureBlock& block) const {
        return small_skip_cm + paragraph_skip_cm + drawn_height_cm(block.figure) +
               caption_line_cm * lines(caption_text(block), text_width_cm, small_character_cm);
    }
    double operator()(const Verbatim& verbatim) const {
        const auto count = static_cast<double>(std::ranges::count(verbatim.text, '\n') + 1);
        return 0.3 + 0.17 * count;
    }
};

/// Not broken over pages.
bool is_whole(const Block& block) {
    if (const auto* table = std::get_if<Table>(&block))
        return !table->dense && table->rows.size() <= longest_unbroken_table;
    if (const auto* facts = std::get_if<FactList>(&block))
        return facts->facts.size() <= longest_single_column;
    return std::holds_alternative<FigureBlock>(block) || std::holds_alternative<FactsAndTable>(block);
}

std::vector<FigureBlock*> figures_of(Section& section) {
    std::vector<FigureBlock*> figures;
    for (Block& block : section.blocks)
        if (auto* figure = std::get_if<FigureBlock>(&block))
            figures.push_back(figure);
    return figures;
}

/// What stands on the page that is being filled.
class Pages {
public:
    /// @param flowed_cm of texts before, of which used_cm stand on the page
    Pages(Paper paper, double used_cm, double flowed_cm)
        : text_height_cm_(text_height_cm(paper))
        , used_cm_(used_cm)
        , doubt_cm_(share_of_flowed * flowed_cm) {}

    /// Parts that stay on one page. @param first the one with whose heading the page would begin
    void together(std::vector<Section*> parts, Section& first) {
        double height = 0;
        for (const Section* part : parts)
            height += height_cm(*part);
        std::vector<FigureBlock*> all = here_;
        for (Section* part : parts)
            std::ranges::move(figures_of(*part), std::back_inserter(all));
        // What may not fit is not left to LaTeX: were it set on the next page, all that follows would be
        // planned for other pages than it is on.
        const double missing_cm = used_cm_ + doubt_cm_ + height - text_height_cm_;
        if (used_cm_ > 0 && missing_cm > 0) {
            if (shrink(all, missing_cm + reserve_cm)) {
                used_cm_ = text_height_cm_ - reserve_cm - doubt_cm_;
                here_ = std::move(all);
                return;
            }
            stretch(text_height_cm_ - used_cm_);
            first.begins_page = true;
            used_cm_ = 0;
            doubt_cm_ = 0;
            here_.clear();
            all.clear();
            for (Section* part : parts)
                std::ranges::move(figures_of(*part), std::back_inserter(all));
        }
        used_cm_ += height;
        here_ = std::move(all);
    }

    /// What is broken wherever a page ends, but not within what is kept whole. Where its page begins LaTeX
    /// decides, which knows what is left.
    /// @param beginning_cm what stands together at least
    void flowing(const Section& section, double heading_cm, double beginning_cm) {
        if (used_cm_ > 0 && used_cm_ + beginning_cm > text_height_cm_) {
            stretch(text_height_cm_ - used_cm_);
            if (used_cm_ + beginning_cm - doubt_cm_ > text_height_cm_) // it surely begins a page
                doubt_cm_ = 0;
            used_cm_ = 0;
        }
        flow(heading_cm, false);
        for (const Block& block : section.blocks)
            flow(height_cm(block), is_whole(block));
    }

private:
    static constexpr double reserve_cm = 0.3; // for what is estimated too small
    /// Of long text and tables the estimate is off by some lines.
    static constexpr double share_of_flowed = 0.08;

    void flow(double height, bool whole) {
        used_cm_ += height;
        doubt_cm_ += share_of_flowed * height;
        if (used_cm_ <= text_height_cm_)
            return;
        here_.clear();
        used_cm_ = whole ? height : std::fmod(used_cm_, text_height_cm_);
    }

    /// Plots give up what the last of them lacks, as long as they stay readable.
    /// @returns false, and nothing is changed, where that is not enough
    static bool shrink(const std::vector<FigureBlock*>& figures, double missing_cm) {
        constexpr double lowest_cm = 3.3;
        double available_cm = 0;
        for (const FigureBlock* block : figures)
            available_cm += shrinkable_cm(block->figure, lowest_cm);
        if (available_cm < missing_cm)
            return false;
        for (FigureBlock* block : figures)
            block->figure.height_cm -= shrinkable_cm(block->figure, lowest_cm) * missing_cm / available_cm;
        return true;
    }

    static double shrinkable_cm(const Figure& figure, double lowest_cm) {
        const bool one_row = static_cast<int>(figure.panels.size()) <= figure.columns;
        const bool box_plot = figure.left_margin_cm.has_value(); // as high as it has rows
        return one_row && !box_plot ? std::max(0.0, figure.height_cm - lowest_cm) : 0;
    }

    /// The plots of the page take what would be left, as far as they stay plots and not towers.
    void stretch(double left_cm) {
        constexpr double highest_cm = 9.5;
        constexpr double lowest_stacked_cm = 10;
        constexpr double highest_stacked_cm = 16;
        if (here_.empty())
            return;
        // Too high by a little they would not fit, and leave a page half empty: better a gap of some lines.
        const double each =
            std::max(0.0, left_cm - reserve_cm - 2 * doubt_cm_) / static_cast<double>(here_.size());
        for (FigureBlock* block : here_) {
            Figure& figure = block->figure;
            const double wanted_cm = figure.height_cm + each;
            if (figure.panels.size() == 2 && figure.columns == 2 && wanted_cm > lowest_stacked_cm)
                figure.columns = 1; // below one another, each as wide as the page
            figure.height_cm = std::max(
                figure.height_cm,
                std::min(figure.columns == 1 && figure.panels.size() == 2 ? highest_stacked_cm : highest_cm,
                         wanted_cm));
        }
        here_.clear();
    }

    double text_height_cm_;
    double used_cm_;
    double doubt_cm_; ///< by so much more, or less, may stand on the page
    std::vector<FigureBlock*> here_;
};

/// Without the overview.
double cover_height_cm(const Cover& cover) {
    constexpr double box_cm = (text_width_cm - 0.6) / 2;
    double used = 0.8 + (cover.subtitle.empty() ? 0 : 0.6) + 0.4;
    used += 0.5 * lines(cover.answer, text_width_cm, 0.19) + 0.3;
    used += std::max(facts_height_cm(cover.system, box_cm), facts_height_cm(cover.trust, box_cm)) + 0.5;
    for (const Table& table : cover.winners)
        used += table_height_cm(table, text_width_cm) + 0.5;
    return used + table_height_cm(cover.headlines, text_width_cm) + 0.5;
}

double whole_cover_height_cm(const Cover& cover) {
    return cover_height_cm(cover) + (cover.overview ? HeightOf()(*cover.overview) : 0.0);
}

constexpr double lowest_small_plots_cm = 1.8; // a row of them
constexpr double lowest_plot_cm = 4;

/// @param used_cm by what else stands on the page of the overview
void fill_cover(Cover& cover, double page_cm, double used_cm) {
    if (!cover.overview)
        return;
    Figure& figure = cover.overview->figure;
    const double used = used_cm + HeightOf()(*cover.overview) - figure.height_cm;
    if (!figure.small) {
        figure.height_cm = std::min(figure.height_cm, std::max(lowest_plot_cm, page_cm - used));
        return;
    }
    constexpr double highest_cm = 6;
    const auto columns = static_cast<std::size_t>(std::max(1, figure.columns));
    const auto rows_of = [&] { return (figure.panels.size() + columns - 1) / columns; };
    const double room = page_cm - used - 0.2;
    const auto fitting = static_cast<std::size_t>(std::max(1.0, std::floor(room / lowest_small_plots_cm)));
    if (rows_of() > fitting) {
        const std::string all = std::to_string(figure.panels.size());
        figure.panels.resize(fitting * columns);
        if (cover.overview->suites == 0)
            cover.overview->caption = "The first " + std::to_string(figure.panels.size()) + " of " + all +
                                      " drawn. " + cover.overview->caption;
    }
    const auto rows = static_cast<double>(rows_of());
    figure.height_cm = rows * std::clamp(room / rows, lowest_small_plots_cm, highest_cm);
}

double contents_height_cm(const Document& document) {
    constexpr double around_cm = 0.6;
    constexpr double chapter_cm = 0.7; // with the room above
    constexpr double line_cm = 0.38;
    constexpr double title_cm = 6.0; // of a column, without numbers
    constexpr double character_cm = 0.15;
    double all_cm = 0;
    for (const Section& section : document.sections) {
        all_cm += chapter_cm;
        for (const Section& part : section.subsections)
            all_cm += line_cm * lines(part.title, title_cm, character_cm);
    }
    return around_cm + 0.5 * all_cm;
}

/// What stands before the first part that is kept on one page, when the contents follow the overview.
double before_plots_cm(const Document& document) {
    double height = contents_height_cm(document);
    for (const Section& section : document.sections) {
        const auto kept = [&](const Section& each) { return stays_together(each, document.paper); };
        if (kept(section) || std::ranges::any_of(section.subsections, kept))
            break;
        height += section_heading_cm - subsection_heading_cm + height_cm(section);
        for (const Section& part : section.subsections)
            height += height_cm(part);
    }
    return height;
}

/// Small plots of few suites give way where the last lines of what follows them would have a page of their
/// own.
void make_room_below(Document& document) {
    constexpr double lowest_row_cm = 3;
    constexpr double reserve_cm = 0.3;
    Cover& cover = document.cover;
    if (!cover.overview || !cover.overview->figure.small || fills_a_page(document))
        return;
    Figure& figure = cover.overview->figure;
    const double above_cm = overview_begins_page(cover, document.paper) ? 0 : cover_height_cm(cover);
    const double missing = above_cm + HeightOf()(*cover.overview) + before_plots_cm(document) + reserve_cm -
                           text_height_cm(document.paper);
    const auto columns = static_cast<std::size_t>(std::max(1, figure.columns));
    const auto rows = static_cast<double>((figure.panels.size() + columns - 1) / columns);
    if (missing > 0 && figure.height_cm - missing >= lowest_row_cm * rows)
        figure.height_cm -= missing;
}

/// Of very many values a reader on paper wants some: all are a matter of a page that can be searched.
void thin_out(Table& table) {
    constexpr std::size_t most_rows = 400; // about three pages
    const std::size_t count = table.rows.size();
    if (!table.dense || count <= most_rows)
        return;
    std::vector<std::vector<std::string>> rows;
    for (std::size_t i = 0; i < most_rows; ++i)
        rows.push_back(std::move(table.rows[i * (count - 1) / (most_rows - 1)]));
    table.rows = std::move(rows);
    table.title += ": " + std::to_string(most_rows) + " of " + std::to_string(count) +
                   " (all of them are in reports in HTML and in .csv)";
}

void thin_out(std::vector<Section>& sections) {
    for (Section& section : sections) {
        for (Block& block : section.blocks)
            if (auto* table = std::get_if<Table>(&block))
                thin_out(*table);
        thin_out(section.subsections);
    }
}

} // namespace

SuiteColumns suite_columns(const FactsAndTable& both) {
    const double facts = facts_height_cm(both.facts, suite_facts_cm);
    const double table = table_height_cm(both.table, suite_tables_cm);
    const double gap = both.below.rows.empty() ? 0 : paragraph_skip_cm;
    const double below = table_height_cm(both.below, std::min(suite_facts_cm, suite_tables_cm)) + gap;
    double notes = 0;
    for (const std::string& note : both.notes)
        notes += small_skip_cm + paragraph_skip_cm +
                 table_line_cm * lines(note, std::min(suite_facts_cm, suite_tables_cm), small_character_cm);
    SuiteColumns best;
    best.height_cm = std::numeric_limits<double>::infinity();
    for (const bool below_at_left : {false, true})
        for (const bool notes_at_left : {true, false}) {
            const double left = facts + (below_at_left ? below : 0) + (notes_at_left ? notes : 0);
            const double right = table + (below_at_left ? 0 : below) + (notes_at_left ? 0 : notes);
            if (std::max(left, right) < best.height_cm)
                best = {below_at_left, notes_at_left, std::max(left, right)};
        }
    return best;
}

double fact_name_cm(const FactList& list, double width_cm) {
    std::size_t longest = 0;
    for (const Fact& fact : list.facts)
        longest = std::max(longest, character_count(fact.name));
    return std::clamp(static_cast<double>(longest) * table_character_cm + 0.1, 1.2,
                      std::min(0.42 * width_cm, 5.0));
}

std::vector<double> column_widths_cm(const Table& table, double width_cm) {
    const std::size_t columns = table.header.size();
    std::vector<double> widths(columns, 0);
    for (std::size_t column = 0; column < columns; ++column) {
        std::size_t longest = character_count(table.header[column]) + 1;
        for (const auto& row : table.rows)
            longest = std::max(longest, character_count(row[column]));
        widths[column] = static_cast<double>(longest) * table_character_cm + 0.05;
    }
    const double available = width_cm - column_gap_cm * static_cast<double>(columns);
    double fixed = 0;
    double prose = 0;
    for (std::size_t column = 0; column < columns; ++column)
        (table.columns[column] == ColumnKind::prose ? prose : fixed) += widths[column];
    double room = available - fixed;
    if (prose > 0) {
        room = std::max(room, available * 0.3);
        if (prose > room) {
            // Wide prose gives way first: short columns keep what they need.
            double low = 0;
            double high = room;
            for (int i = 0; i < 50; ++i) {
                const double cap = 0.5 * (low + high);
                double used = 0;
                for (std::size_t column = 0; column < columns; ++column)
                    if (table.columns[column] == ColumnKind::prose)
                        used += std::min(widths[column], cap);
                (used > room ? high : low) = cap;
            }
            for (std::size_t column = 0; column < columns; ++column)
                if (table.columns[column] == ColumnKind::prose)
                    widths[column] = std::min(widths[column], low);
        }
    }
    return widths;
}

double height_cm(const Block& block) {
    return std::visit(HeightOf(), block);
}

double height_cm(const Section& section) {
    double height = subsection_heading_cm + 0.5 * (lines(section.title, text_width_cm, 0.25) - 1);
    for (const Block& block : section.blocks)
        height += height_cm(block);
    return height;
}

bool stays_together(const Section& section, Paper paper) {
    return std::ranges::any_of(
               section.blocks,
               [](const Block& block) { return std::holds_alternative<FigureBlock>(block); }) &&
           height_cm(section) < text_height_cm(paper);
}

bool introduces_first_part(const Section& section) {
    if (section.subsections.empty() || std::ranges::any_of(section.blocks, is_whole))
        return false;
    double height = 0;
    for (const Block& block : section.blocks)
        height += height_cm(block);
    return height <= longest_introduction_cm;
}

double beginning_cm(const Section& section, Paper paper) {
    if (stays_together(section, paper))
        return height_cm(section);
    constexpr double some_lines_cm = 1.6;
    constexpr double unbroken_facts_cm = 5; // two columns of some lines are hard to follow over pages
    double height = height_cm(Section{section.title, {}, {}, false});
    double introduction = 0;
    for (const Block& block : section.blocks) {
        const double all = height_cm(block);
        if (is_whole(block))
            return std::min(height + all, text_height_cm(paper));
        // A short introduction goes with what it introduces.
        introduction += all;
        const double least_cm = std::holds_alternative<FactList>(block) ? unbroken_facts_cm : some_lines_cm;
        height += introduction > longest_introduction_cm ? std::min(all, least_cm) : all;
        if (introduction > longest_introduction_cm)
            return std::min(height, text_height_cm(paper));
    }
    if (!section.subsections.empty())
        height += beginning_cm(section.subsections.front(), paper);
    return std::min(height, text_height_cm(paper));
}

bool overview_begins_page(const Cover& cover, Paper paper) {
    if (!cover.overview)
        return false;
    const Figure& figure = cover.overview->figure;
    const double beside_plots = HeightOf()(*cover.overview) - figure.height_cm;
    return cover_height_cm(cover) + beside_plots + (figure.small ? lowest_small_plots_cm : lowest_plot_cm) >
           text_height_cm(paper);
}

bool fills_a_page(const Document& document) {
    const double page_cm = text_height_cm(document.paper);
    const double cover_cm = whole_cover_height_cm(document.cover);
    return !overview_begins_page(document.cover, document.paper) && cover_cm > 0.66 * page_cm &&
           cover_cm + contents_height_cm(document) > page_cm;
}

void fill_pages(Document& document) {
    const Paper paper = document.paper;
    thin_out(document.sections);
    const bool own_page = overview_begins_page(document.cover, paper);
    // Beside what stands below it an overview on a page of its own has half of it.
    fill_cover(document.cover, text_height_cm(paper),
               own_page ? 0.5 * text_height_cm(paper) : cover_height_cm(document.cover));
    make_room_below(document);
    const double contents_cm = contents_height_cm(document);
    double used_cm = contents_cm;
    if (own_page)
        used_cm += HeightOf()(*document.cover.overview);
    else if (!fills_a_page(document))
        used_cm += whole_cover_height_cm(document.cover);
    used_cm = std::fmod(used_cm, text_height_cm(paper));
    Pages pages(paper, used_cm, contents_cm);
    for (Section& section : document.sections) {
        std::size_t begin = 0;
        if (!section.subsections.empty() && stays_together(section.subsections.front(), paper)) {
            pages.together({&section, &section.subsections.front()}, section);
            begin = 1;
        } else {
            const double heading_cm =
                height_cm(Section{section.title, {}, {}, false}) + section_heading_cm - subsection_heading_cm;
            pages.flowing(section, heading_cm,
                          beginning_cm(section, paper) + section_heading_cm - subsection_heading_cm);
        }
        for (std::size_t i = begin; i < section.subsections.size(); ++i) {
            Section& part = section.subsections[i];
            if (stays_together(part, paper))
                pages.together({&part}, part);
            else
                pages.flowing(part, height_cm(Section{part.title, {}, {}, false}), beginning_cm(part, paper));
        }
    }
}

} // namespace skampi
