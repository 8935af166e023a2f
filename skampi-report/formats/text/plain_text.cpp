#include "formats/text/plain_text.hpp"

#include "base/text.hpp"
#include "base/utf8.hpp"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>
#include <sstream>
#include <utility>

namespace skampi {

namespace {

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);)
        lines.push_back(printable(line));
    return lines;
}

class Terminal {
public:
    Terminal(const Drawings& drawings, const TextStyle& style)
        : drawings_(drawings)
        , style_(style) {}

    std::string operator()(const Document& document) {
        const Cover& cover = document.cover;
        title(cover.title);
        if (!cover.subtitle.empty())
            prose(cover.subtitle, 0);
        text_ += "\n";
        prose(cover.answer, 0);
        text_ += "\n";
        for (const Table& winners : cover.winners)
            (*this)(winners);
        (*this)(cover.headlines);
        (*this)(cover.system);
        (*this)(cover.trust);
        for (const Section& section : document.sections)
            write(section, 0);
        while (text_.ends_with("\n\n"))
            text_.pop_back();
        return std::move(text_);
    }

    void operator()(const Paragraph& paragraph) {
        if (paragraph.tone == Tone::warning)
            start(colour_warning);
        prose(paragraph.text, 0);
        if (paragraph.tone == Tone::warning)
            end();
        text_ += "\n";
    }

    void operator()(const FactList& list) {
        if (list.facts.empty())
            return;
        title(list.title);
        std::size_t width = 0;
        for (const Fact& fact : list.facts)
            width = std::max(width, character_count(printable(fact.name)));
        width = std::min(width, style_.columns / 3);
        for (const Fact& fact : list.facts) {
            const std::string name = printable(fact.name);
            text_ += "  " + name;
            const std::size_t column = std::max(width, character_count(name)) + 4;
            text_.append(column - 2 - character_count(name), ' ');
            wrap(printable(fact.value), column, std::min(column, width + 4));
        }
        text_ += "\n";
    }

    void operator()(const Table& table) {
        if (table.rows.empty())
            return;
        title(table.title);
        const Cells cells = cells_of(table);
        if (const Layout layout = layout_of(cells, table.columns); !layout.widths.empty())
            write_rows(cells, table.columns, layout);
        else if (!write_in_two_parts(cells, table.columns))
            write_rows_apart(cells);
        text_ += "\n";
    }

    void operator()(const FactsAndTable& both) {
        if (!both.setup.facts.empty())
            (*this)(both.setup);
        (*this)(both.facts);
        (*this)(both.table);
        (*this)(both.below);
        for (const std::string& note : both.notes) {
            prose(note, 0);
            text_ += "\n";
        }
    }

    void operator()(const FigureBlock& block) {
        const auto drawing = drawings_.find(block.figure.id);
        if (drawing == drawings_.end())
            return;
        text_ += drawing->second;
        text_ += "\n";
    }

    void operator()(const Verbatim& verbatim) {
        for (const std::string& line : lines_of(verbatim.text))
            text_ += "  " + line + "\n";
        text_ += "\n";
    }

private:
    static constexpr const char* colour_title = "\x1b[1m";
    static constexpr const char* colour_header = "\x1b[4m";
    static constexpr const char* colour_warning = "\x1b[33m";

    void start(const char* sequence) {
        if (style_.colours)
            text_ += sequence;
    }
    void end() {
        if (style_.colours)
            text_ += "\x1b[0m";
    }
    [[nodiscard]] std::string emphasised(const std::string& text) const {
        return style_.colours ? colour_title + text + "\x1b[0m" : text;
    }

    void title(const std::string& text) {
        if (!text.empty())
            for (const std::string& line : wrapped(printable(text), style_.columns))
                text_ += emphasised(line) + "\n";
    }

    void write(const Section& section, std::size_t depth) {
        title(section.title);
        if (!style_.colours || depth == 0)
            text_ += std::string(std::min(character_count(printable(section.title)), style_.columns),
                                 depth == 0 ? '=' : '-') +
                     "\n";
        text_ += "\n";
        for (const Block& block : section.blocks)
            std::visit(*this, block);
        for (const Section& part : section.subsections)
            write(part, depth + 1);
    }

    void prose(const std::string& text, std::size_t indent) {
        text_.append(indent, ' ');
        wrap(printable(text), indent, indent);
    }

    /// Words from a column on, further lines from `indent` on. Ends the line.
    void wrap(const std::string& text, std::size_t column, std::size_t indent) {
        const auto room = [&](std::size_t used) { return style_.columns - std::min(style_.columns, used); };
        const std::vector<std::string> lines = wrapped(text, room(indent), room(column));
        for (std::size_t i = 0; i < lines.size(); ++i)
            text_ += (i == 0 ? "" : std::string(indent, ' ')) + lines[i] + "\n";
    }

    using Cells = std::vector<std::vector<std::string>>; ///< the header's first, as many in each row

    static Cells cells_of(const Table& table) {
        Cells cells{table.header};
        cells.insert(cells.end(), table.rows.begin(), table.rows.end());
        for (std::vector<std::string>& row : cells) {
            row.resize(table.header.size());
            for (std::string& cell : row)
                cell = printable(cell);
        }
        return cells;
    }

    static constexpr std::size_t margin = 2;

    struct Layout {
        std::vector<std::size_t> widths; ///< empty = the table does not fit
        std::size_t gap = 3;             ///< between columns
    };

    /// A cell on lines of at most so many characters. Numbers keep their units beside them, a longer word is
    /// broken.
    static std::vector<std::string> cell_lines(const std::string& cell, ColumnKind column,
                                               std::size_t width) {
        if (character_count(cell) <= width)
            return {cell};
        std::vector<std::string> lines = wrapped(breakable(cell, column, width), width);
        for (std::string& line : lines)
            std::ranges::replace(line, glue, ' ');
        return lines;
    }

    /// A cell with blanks only where a line may end, and glue for those within a number and its unit.
    static std::string breakable(const std::string& cell, ColumnKind column, std::size_t width) {
        // The number a cell begins with: "0.398 - 0.425", "1.234 µs" of "1.234 µs (flagged)".
        const std::size_t number = column == ColumnKind::number ? std::min(cell.find(" ("), cell.size()) : 0;
        const auto is_digit = [&](std::size_t at) { return cell[at] >= '0' && cell[at] <= '9'; };
        std::string words;
        std::size_t in_word = 0;
        std::size_t after_sign = 0;  // behind which a long word is best broken; 0 = nowhere
        std::size_t behind_sign = 0; // characters
        for (std::size_t at = 0; at < cell.size();) {
            const std::string_view character = first_characters(std::string_view(cell).substr(at), 1);
            const bool before_unit = at > 0 && at + 1 < cell.size() && is_digit(at - 1) &&
                                     !is_digit(at + 1) && cell[at + 1] != '(';
            if (character == " " && at >= number && !before_unit) {
                words += ' ';
                in_word = after_sign = 0;
            } else {
                ++behind_sign;
                if (++in_word > width && at >= number) {
                    words.insert(after_sign > 0 ? after_sign : words.size(), 1, ' ');
                    in_word = after_sign > 0 ? behind_sign : 1;
                    after_sign = 0;
                }
                if (character == " ")
                    words += glue;
                else
                    words += character;
                if (character == "-" || character == "_" || character == "/") {
                    after_sign = words.size();
                    behind_sign = 0;
                }
            }
            at += character.size();
        }
        return words;
    }

    static constexpr char glue = '\0'; // no printable text holds it

    /// How wide the longest line of a cell is that may have as many lines as it wants.
    static std::size_t least_width(const std::string& cell, ColumnKind column) {
        constexpr std::size_t longest_word = 16; // longer ones are broken
        std::size_t widest = 0;
        if (column == ColumnKind::number) {
            for (const std::string& line : cell_lines(cell, column, longest_word))
                widest = std::max(widest, character_count(line));
            return widest;
        }
        for (const std::string& word : wrapped(breakable(cell, column, longest_word), 0))
            widest = std::max(widest, character_count(word));
        return widest;
    }

    /// How the rows of a table fit into the terminal's lines. Headers give way first and prose, down to a
    /// width in which it still reads, then all cells that are more than a number.
    [[nodiscard]] Layout layout_of(const Cells& cells, const std::vector<ColumnKind>& columns) const {
        constexpr std::size_t readable = 24;
        const std::size_t count = columns.size();
        std::vector<std::size_t> natural(count), comfortable(count), least(count);
        for (std::size_t i = 0; i < count; ++i)
            for (const std::vector<std::string>& row : cells) {
                const std::size_t width = character_count(row[i]);
                const bool header = &row == &cells.front();
                const std::size_t least_here = least_width(row[i], header ? ColumnKind::text : columns[i]);
                natural[i] = std::max(natural[i], width);
                least[i] = std::max(least[i], least_here);
                comfortable[i] = std::max({comfortable[i], least_here,
                                           header                            ? 0
                                           : columns[i] == ColumnKind::prose ? std::min(width, readable)
                                                                             : width});
            }
        for (const auto& [floor, gap] :
             {std::pair{comfortable, std::size_t{3}}, {comfortable, 2}, {least, 2}}) {
            const std::size_t around = margin + gap * (count - 1);
            const std::size_t room = style_.columns - std::min(style_.columns, around);
            std::vector<std::size_t> widths = floor;
            std::size_t used = 0;
            std::size_t widest = 0;
            for (std::size_t i = 0; i < count; ++i) {
                used += widths[i];
                widest = std::max(widest, natural[i]);
            }
            if (used > room)
                continue;
            // What is left goes to the narrowest of those that want more.
            for (std::size_t level = 1; level <= widest; ++level)
                for (std::size_t i = 0; i < count && used < room; ++i)
                    if (widths[i] < std::min(level, natural[i])) {
                        ++widths[i];
                        ++used;
                    }
            return {widths, gap};
        }
        return {};
    }

    void write_rows(const Cells& cells, const std::vector<ColumnKind>& columns, const Layout& layout) {
        const auto& [widths, gap] = layout;
        // Numbers with words behind them, which take several lines, do not stand under one another.
        std::vector<bool> right;
        for (std::size_t i = 0; i < widths.size(); ++i)
            right.push_back(columns[i] == ColumnKind::number &&
                            std::all_of(cells.begin() + 1, cells.end(), [&](const auto& row) {
                                return character_count(row[i]) <= widths[i];
                            }));
        for (const std::vector<std::string>& row : cells) {
            const bool header = &row == &cells.front();
            std::vector<std::vector<std::string>> lines;
            std::size_t height = 0;
            for (std::size_t i = 0; i < row.size(); ++i) {
                lines.push_back(cell_lines(row[i], header ? ColumnKind::text : columns[i], widths[i]));
                height = std::max(height, lines.back().size());
            }
            for (std::size_t k = 0; k < height; ++k) {
                std::string line;
                for (std::size_t i = 0; i < row.size(); ++i) {
                    const std::string cell = k < lines[i].size() ? lines[i][k] : std::string();
                    const std::string room(widths[i] - std::min(widths[i], character_count(cell)), ' ');
                    line += std::string(i == 0 ? margin : gap, ' ') + (right[i] ? room + cell : cell + room);
                }
                line.erase(line.find_last_not_of(' ') + 1);
                if (style_.colours && header && k + 1 == height && line.size() > margin)
                    line = std::string(margin, ' ') + colour_header + line.substr(margin) + "\x1b[0m";
                text_ += line + "\n";
            }
        }
    }

    /// Of a table that is too wide: as many columns as fit, then the others, behind the first one again.
    /// @return false where these do not fit either: nothing is written then
    bool write_in_two_parts(const Cells& cells, const std::vector<ColumnKind>& columns) {
        const auto part = [](const auto& whole, std::size_t from, std::size_t to) {
            auto some = whole;
            some.assign(whole.begin() + static_cast<std::ptrdiff_t>(from),
                        whole.begin() + static_cast<std::ptrdiff_t>(to));
            if (from > 0)
                some.insert(some.begin(), whole.front());
            return some;
        };
        const auto part_of_rows = [&](std::size_t from, std::size_t to) {
            Cells some;
            for (const std::vector<std::string>& row : cells)
                some.push_back(part(row, from, to));
            return some;
        };
        for (std::size_t first = columns.size(); first-- > 2;) {
            const Cells above = part_of_rows(0, first);
            const std::vector<ColumnKind> columns_above = part(columns, 0, first);
            const Layout layout_above = layout_of(above, columns_above);
            if (layout_above.widths.empty())
                continue;
            const Cells below = part_of_rows(first, columns.size());
            const std::vector<ColumnKind> columns_below = part(columns, first, columns.size());
            const Layout layout_below = layout_of(below, columns_below);
            if (layout_below.widths.empty())
                return false;
            write_rows(above, columns_above, layout_above);
            text_ += "\n";
            write_rows(below, columns_below, layout_below);
            return true;
        }
        return false;
    }

    /// Of a table that is too wide: each row as lines of its own, named by the header.
    void write_rows_apart(const Cells& cells) {
        for (std::size_t i = 1; i < cells.size(); ++i)
            for (std::size_t column = 0; column < cells[i].size(); ++column) {
                if (cells[i][column].empty())
                    continue;
                const std::string& name = cells.front()[column];
                const std::size_t indent = column == 0 ? margin : 2 * margin;
                text_.append(indent, ' ');
                wrap(column == 0 || name.empty() ? cells[i][column] : name + ": " + cells[i][column], indent,
                     2 * margin);
            }
    }

    const Drawings& drawings_;
    const TextStyle& style_;
    std::string text_;
};

/// One line of text that Markdown takes for nothing else.
std::string for_markdown(const std::string& text) {
    const std::string line = printable(text);
    std::string safe;
    for (std::size_t i = 0; i < line.size(); ++i) {
        const char c = line[i];
        switch (c) {
        case '&':
            safe += "&amp;";
            break;
        case '<':
            safe += "&lt;";
            break;
        case '>':
            safe += "&gt;";
            break;
        case '@': // the name of somebody who would be told
            safe += "&#64;";
            break;
        case ':': // a picture's name, or an address; not a time of day
            if (i + 1 < line.size() &&
                (std::isalpha(static_cast<unsigned char>(line[i + 1])) || line[i + 1] == '/'))
                safe += "&#58;";
            else
                safe += c;
            break;
        case '\\':
        case '`':
        case '*':
        case '_':
        case '{':
        case '[':
        case ']':
        case '#':
        case '!':
        case '|':
        case '~':
        case '$':
        case '^':
            safe += '\\';
            safe += c;
            break;
        default:
            safe += c;
        }
    }
    // What begins a list or a line below a heading.
    if (!safe.empty() && (safe.front() == '-' || safe.front() == '+' || safe.front() == '='))
        safe.insert(0, "\\");
    const std::size_t digits = safe.find_first_not_of("0123456789");
    if (digits != 0 && digits != std::string::npos && safe.compare(digits, 2, ". ") == 0)
        safe.insert(digits, "\\");
    return safe;
}

class Markdown {
public:
    explicit Markdown(const Drawings& drawings)
        : drawings_(drawings) {}

    std::string operator()(const Document& document) {
        const Cover& cover = document.cover;
        text_ += "# " + for_markdown(cover.title) + "\n\n";
        if (!cover.subtitle.empty())
            text_ += for_markdown(cover.subtitle) + "\n\n";
        text_ += "**" + for_markdown(cover.answer) + "**\n\n";
        for (const Table& winners : cover.winners)
            (*this)(winners);
        (*this)(cover.headlines);
        (*this)(cover.system);
        (*this)(cover.trust);
        for (const Section& section : document.sections)
            write(section, 2);
        while (text_.ends_with("\n\n"))
            text_.pop_back();
        return std::move(text_);
    }

    void operator()(const Paragraph& paragraph) {
        text_ += (paragraph.tone == Tone::warning ? "> " : "") + for_markdown(paragraph.text) + "\n\n";
    }

    void operator()(const FactList& list) {
        Table table;
        table.title = list.title;
        table.header = {"", ""};
        table.columns = {ColumnKind::text, ColumnKind::prose};
        for (const Fact& fact : list.facts)
            table.rows.push_back({fact.name, fact.value});
        (*this)(table);
    }

    void operator()(const Table& table) {
        if (table.rows.empty())
            return;
        if (!table.title.empty())
            text_ += "**" + for_markdown(table.title) + "**\n\n";
        row(table.header);
        text_ += "|";
        for (std::size_t i = 0; i < table.header.size(); ++i)
            text_ +=
                i < table.columns.size() && table.columns[i] == ColumnKind::number ? " ---: |" : " --- |";
        text_ += "\n";
        for (const auto& cells : table.rows)
            row(cells);
        text_ += "\n";
    }

    void operator()(const FactsAndTable& both) {
        if (!both.setup.facts.empty())
            (*this)(both.setup);
        (*this)(both.facts);
        (*this)(both.table);
        (*this)(both.below);
        for (const std::string& note : both.notes)
            text_ += for_markdown(note) + "\n\n";
    }

    void operator()(const FigureBlock& block) {
        const auto drawing = drawings_.find(block.figure.id);
        if (drawing != drawings_.end())
            fenced(drawing->second);
    }

    void operator()(const Verbatim& verbatim) {
        std::string text;
        for (const std::string& line : lines_of(verbatim.text))
            text += line + "\n";
        fenced(text);
    }

private:
    /// A fence longer than any run of backquotes inside cannot be ended by it.
    void fenced(const std::string& text) {
        std::size_t longest = 0;
        std::size_t run = 0;
        for (const char c : text)
            longest = std::max(longest, run = c == '`' ? run + 1 : 0);
        const std::string fence(std::max<std::size_t>(3, longest + 1), '`');
        text_ += fence + "text\n" + text + (text.ends_with('\n') ? "" : "\n") + fence + "\n\n";
    }

    void row(const std::vector<std::string>& cells) {
        text_ += "|";
        for (const std::string& cell : cells)
            text_ += " " + for_markdown(cell) + " |";
        text_ += "\n";
    }

    void write(const Section& section, std::size_t depth) {
        text_ += std::string(depth, '#') + " " + for_markdown(section.title) + "\n\n";
        for (const Block& block : section.blocks)
            std::visit(*this, block);
        for (const Section& part : section.subsections)
            write(part, depth + 1);
    }

    const Drawings& drawings_;
    std::string text_;
};

} // namespace

std::string plain_text(const Document& document, const Drawings& drawings, const TextStyle& style) {
    return Terminal(drawings, style)(document);
}

std::string markdown(const Document& document, const Drawings& drawings) {
    return Markdown(drawings)(document);
}

} // namespace skampi
