// SPDX-License-Identifier: LGPL-2.1-or-later
#include "base/terminal_table.hpp"

#include "base/utf8.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

namespace skampi {

namespace {

using Cells = std::vector<std::vector<std::string>>;

class TableWriter {
public:
    TableWriter(std::size_t width, bool colours, const std::vector<StyledCell>& styles)
        : width_(width)
        , colours_(colours)
        , styles_(styles) {}

    std::string operator()(const Cells& cells, const std::vector<CellKind>& columns) {
        if (const Layout layout = layout_of(cells, columns); !layout.widths.empty())
            write_rows(cells, columns, layout, 0);
        else if (!write_in_two_parts(cells, columns))
            write_rows_apart(cells);
        return std::move(text_);
    }

private:
    static constexpr const char* colour_header = "\x1b[4m";
    static constexpr std::size_t margin = 2;

    struct Layout {
        std::vector<std::size_t> widths; ///< empty = the table does not fit
        std::size_t gap = 3;             ///< between columns
    };

    /// A cell on lines of at most so many characters. Numbers stay with their units; a longer word is broken.
    static std::vector<std::string> cell_lines(const std::string& cell, CellKind column, std::size_t width) {
        if (character_count(cell) <= width)
            return {cell};
        std::vector<std::string> lines = wrapped(breakable(cell, column, width), width);
        for (std::string& line : lines)
            std::ranges::replace(line, glue, ' ');
        return lines;
    }

    /// A cell with blanks only where a line may end, and glue for those within a number and its unit.
    static std::string breakable(const std::string& cell, CellKind column, std::size_t width) {
        // The number a cell begins with: "0.398 - 0.425", "1.234 µs" of "1.234 µs (flagged)".
        const std::size_t number = column == CellKind::number ? std::min(cell.find(" ("), cell.size()) : 0;
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
    static std::size_t least_width(const std::string& cell, CellKind column) {
        constexpr std::size_t longest_word = 16; // longer ones are broken
        std::size_t widest = 0;
        for (const std::string& word : wrapped(breakable(cell, column, longest_word), 0))
            widest = std::max(widest, character_count(word));
        return widest;
    }

    /// How the rows of a table fit into the terminal's lines. Headers give way first and prose, down to a
    /// width in which it still reads, then all cells that are more than a number.
    [[nodiscard]] Layout layout_of(const Cells& cells, const std::vector<CellKind>& columns) const {
        constexpr std::size_t readable = 24;
        const std::size_t count = columns.size();
        std::vector<std::size_t> natural(count), comfortable(count), least(count);
        for (std::size_t i = 0; i < count; ++i)
            for (const std::vector<std::string>& row : cells) {
                const std::size_t width = character_count(row[i]);
                const bool header = &row == &cells.front();
                std::size_t least_here = least_width(row[i], header ? CellKind::text : columns[i]);
                if (i == 0 && !header && width <= width_ / 2) // a name, which people search for
                    least_here = width;
                natural[i] = std::max(natural[i], width);
                least[i] = std::max(least[i], least_here);
                comfortable[i] = std::max({comfortable[i], least_here,
                                           header                          ? 0
                                           : columns[i] == CellKind::prose ? std::min(width, readable)
                                                                           : width});
            }
        for (const auto& [floor, gap] :
             {std::pair{comfortable, std::size_t{3}}, {comfortable, 2}, {least, 2}}) {
            const std::size_t around = margin + gap * (count - 1);
            const std::size_t room = width_ - std::min(width_, around);
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

    /// The text of a cell's line in the cell's style.
    [[nodiscard]] std::string styled(const std::string& text, std::size_t row, std::size_t column) const {
        const auto style = std::ranges::find_if(
            styles_, [&](const StyledCell& each) { return each.row == row && each.column == column; });
        return !colours_ || text.empty() || style == styles_.end() ? text : style->style + text + "\x1b[0m";
    }

    /// @param left_out columns of the whole table between the first one and the second of these
    void write_rows(const Cells& cells, const std::vector<CellKind>& columns, const Layout& layout,
                    std::size_t left_out) {
        const auto& [widths, gap] = layout;
        // Numbers with words behind them, which take several lines, do not stand under one another.
        std::vector<bool> right;
        for (std::size_t i = 0; i < widths.size(); ++i)
            right.push_back(
                columns[i] == CellKind::number &&
                std::all_of(cells.begin() + 1, cells.end(), [&widths = widths, i](const auto& row) {
                    return character_count(row[i]) <= widths[i];
                }));
        for (const std::vector<std::string>& row : cells) {
            const bool header = &row == &cells.front();
            const auto number = static_cast<std::size_t>(&row - cells.data());
            std::vector<std::vector<std::string>> lines;
            std::size_t height = 0;
            for (std::size_t i = 0; i < row.size(); ++i) {
                lines.push_back(cell_lines(row[i], header ? CellKind::text : columns[i], widths[i]));
                height = std::max(height, lines.back().size());
            }
            for (std::size_t k = 0; k < height; ++k) {
                std::string line;
                for (std::size_t i = 0; i < row.size(); ++i) {
                    const std::string cell = k < lines[i].size() ? lines[i][k] : std::string();
                    const std::string room(widths[i] - std::min(widths[i], character_count(cell)), ' ');
                    const std::string text = styled(cell, number, i == 0 ? 0 : i + left_out);
                    line += std::string(i == 0 ? margin : gap, ' ') + (right[i] ? room + text : text + room);
                }
                line.erase(line.find_last_not_of(' ') + 1);
                if (colours_ && header && k + 1 == height && line.size() > margin)
                    line = std::string(margin, ' ') + colour_header + line.substr(margin) + "\x1b[0m";
                text_ += line + "\n";
            }
        }
    }

    /// For a table that is too wide: as many columns as fit, then the others, each time behind the first one.
    /// @return false where these do not fit either: nothing is written then
    bool write_in_two_parts(const Cells& cells, const std::vector<CellKind>& columns) {
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
            const std::vector<CellKind> columns_above = part(columns, 0, first);
            const Layout layout_above = layout_of(above, columns_above);
            if (layout_above.widths.empty())
                continue;
            const Cells below = part_of_rows(first, columns.size());
            const std::vector<CellKind> columns_below = part(columns, first, columns.size());
            const Layout layout_below = layout_of(below, columns_below);
            if (layout_below.widths.empty())
                return false;
            write_rows(above, columns_above, layout_above, 0);
            text_ += "\n";
            write_rows(below, columns_below, layout_below, first - 1);
            return true;
        }
        return false;
    }

    /// For a table that is too wide: each row as several lines, named by the header.
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

    /// Words from a column on, further lines from `indent` on. Ends the line.
    void wrap(const std::string& text, std::size_t column, std::size_t indent) {
        const auto room = [&](std::size_t used) { return width_ - std::min(width_, used); };
        const std::vector<std::string> lines = wrapped(text, room(indent), room(column));
        for (std::size_t i = 0; i < lines.size(); ++i)
            text_ += (i == 0 ? "" : std::string(indent, ' ')) + lines[i] + "\n";
    }

    std::size_t width_;
    bool colours_;
    const std::vector<StyledCell>& styles_;
    std::string text_;
};

} // namespace

std::string terminal_table(const std::vector<std::vector<std::string>>& cells,
                           const std::vector<CellKind>& columns, std::size_t width, bool colours,
                           const std::vector<StyledCell>& styles) {
    return TableWriter(width, colours, styles)(cells, columns);
}

} // namespace skampi
