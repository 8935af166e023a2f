// SPDX-License-Identifier: GPL-2.0-or-later
#include "formats/text/plain_text.hpp"

#include "base/terminal_table.hpp"
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

std::vector<std::vector<std::string>> cells_of(const Table& table) {
    std::vector<std::vector<std::string>> cells{table.header};
    cells.insert(cells.end(), table.rows.begin(), table.rows.end());
    for (std::vector<std::string>& row : cells) {
        row.resize(table.header.size());
        for (std::string& cell : row)
            cell = printable(cell);
    }
    return cells;
}

std::vector<CellKind> kinds_of(const Table& table) {
    std::vector<CellKind> kinds;
    for (const ColumnKind column : table.columns)
        kinds.push_back(column == ColumnKind::number  ? CellKind::number
                        : column == ColumnKind::prose ? CellKind::prose
                                                      : CellKind::text);
    return kinds;
}

/// Slower red, faster green, no difference grey: the words of the cells say it, too.
std::vector<StyledCell> styles_of(const Table& table) {
    std::vector<StyledCell> styles;
    for (const TintedCell& cell : table.tints)
        styles.push_back({cell.row + 1, cell.column,
                          cell.tint == Tint::worse    ? "\x1b[31m"
                          : cell.tint == Tint::better ? "\x1b[32m"
                                                      : "\x1b[90m"});
    return styles;
}

/// Goes through a document in the order of reading. Self writes the cover's beginning, headings and blocks.
template <typename Self>
class InOrder {
public:
    std::string operator()(const Document& document) {
        const Cover& cover = document.cover;
        self().begin_cover(cover);
        for (const std::string& finding : cover.findings)
            self()(Paragraph{finding, Tone::warning});
        for (const Table& winners : cover.winners)
            self()(winners);
        for (const std::string& remark : cover.remarks)
            self()(Paragraph{remark, Tone::remark});
        self()(cover.headlines);
        self()(cover.system);
        self()(cover.trust);
        if (cover.overview)
            self()(*cover.overview);
        for (const Section& section : document.sections)
            write(section, 0);
        while (text_.ends_with("\n\n"))
            text_.pop_back();
        return std::move(text_);
    }

    void operator()(const FactsAndTable& both) {
        self()(both.setup);
        self()(both.facts);
        self()(both.table);
        self()(both.below);
        for (const std::string& note : both.notes)
            self()(Paragraph{note});
    }

protected:
    std::string text_;

private:
    Self& self() { return static_cast<Self&>(*this); }

    void write(const Section& section, std::size_t depth) {
        if (!section.title.empty())
            self().heading(section.title, depth);
        for (const Block& block : section.blocks)
            std::visit(self(), block);
        for (const Section& part : section.subsections)
            write(part, depth + 1);
    }
};

class Terminal : public InOrder<Terminal> {
public:
    using InOrder::operator();

    Terminal(const Drawings& drawings, const TextStyle& style)
        : drawings_(drawings)
        , style_(style) {}

    void operator()(const Paragraph& paragraph) {
        if (paragraph.tone == Tone::warning)
            start(colour_warning);
        prose(paragraph.text, paragraph.command);
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
        text_ += terminal_table(cells_of(table), kinds_of(table), style_.columns, style_.colours,
                                styles_of(table));
        for (const std::string& note : table.notes) {
            text_ += "  ";
            wrap(printable(note), 2, 2);
        }
        text_ += "\n";
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

    void begin_cover(const Cover& cover) {
        if (cover.title.empty())
            return; // a section alone
        title(cover.title);
        if (!cover.subtitle.empty())
            prose(cover.subtitle);
        text_ += "\n";
        prose(cover.answer.text, cover.answer.command);
        text_ += "\n";
    }

    void heading(const std::string& text, std::size_t depth) {
        title(text);
        if (!style_.colours || depth == 0)
            text_ += std::string(std::min(character_count(printable(text)), style_.columns),
                                 depth == 0 ? '=' : '-') +
                     "\n";
        text_ += "\n";
    }

private:
    static constexpr const char* colour_title = "\x1b[1m";
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

    void prose(const std::string& text, const std::string& command = {}) {
        wrap(printable(text), 0, 0);
        if (!command.empty()) // unbroken: a broken command would run in pieces when pasted
            text_ += "  " + printable(command) + "\n";
    }

    /// Words from a column on, further lines from `indent` on. Ends the line.
    void wrap(const std::string& text, std::size_t column, std::size_t indent) {
        const auto room = [&](std::size_t used) { return style_.columns - std::min(style_.columns, used); };
        const std::vector<std::string> lines = wrapped(text, room(indent), room(column));
        for (std::size_t i = 0; i < lines.size(); ++i)
            text_ += (i == 0 ? "" : std::string(indent, ' ')) + lines[i] + "\n";
    }

    const Drawings& drawings_;
    const TextStyle& style_;
};

/// Markdown; empty where there is no command.
std::string code_block(const std::string& command) {
    return command.empty() ? command : "    " + printable(command) + "\n\n";
}

/// One line of text without any meaning in Markdown.
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
        case '@': // a name: GitLab and GitHub would notify that person
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

class Markdown : public InOrder<Markdown> {
public:
    using InOrder::operator();

    explicit Markdown(const Drawings& drawings)
        : drawings_(drawings) {}

    void begin_cover(const Cover& cover) {
        heading(cover.title, 0, "#");
        if (!cover.subtitle.empty())
            text_ += for_markdown(cover.subtitle) + "\n\n";
        text_ += "**" + for_markdown(cover.answer.text) + "**\n\n" + code_block(cover.answer.command);
    }

    void heading(const std::string& text, std::size_t depth, const char* first = "##") {
        text_ += first + std::string(depth, '#') + " " + for_markdown(text) + "\n\n";
    }

    void operator()(const Paragraph& paragraph) {
        text_ += (paragraph.tone == Tone::warning ? "> " : "") + for_markdown(paragraph.text) + "\n\n" +
                 code_block(paragraph.command);
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
        for (const std::string& note : table.notes)
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

    const Drawings& drawings_;
};

} // namespace

std::string plain_text(const Document& document, const Drawings& drawings, const TextStyle& style) {
    return Terminal(drawings, style)(document);
}

std::string markdown(const Document& document, const Drawings& drawings) {
    return Markdown(drawings)(document);
}

} // namespace skampi
