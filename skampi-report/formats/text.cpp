#include "formats/text.hpp"

#include "base/text.hpp"
#include "base/utf8.hpp"

#include <algorithm>

namespace skampi {

namespace {

constexpr std::size_t line_width = 100;
/// Cells that may wrap are cut instead: a line of a table stays a line.
constexpr std::size_t widest_cell = 60;

std::string padded(const std::string& text, std::size_t width, bool right) {
    const std::size_t length = character_count(text);
    const std::string blanks(width > length ? width - length : 0, ' ');
    return right ? blanks + text : text + blanks;
}

/// Lines of at most line_width characters, broken at blanks.
std::string wrapped(const std::string& text) {
    const std::string plain = printable(text);
    std::string lines;
    std::size_t column = 0;
    for (std::size_t begin = 0; begin < plain.size();) {
        const std::size_t end = std::min(plain.find(' ', begin), plain.size());
        const std::string word = plain.substr(begin, end - begin);
        const std::size_t length = character_count(word);
        if (column > 0 && column + 1 + length > line_width) {
            lines += '\n';
            column = 0;
        }
        lines += (column > 0 ? " " : "") + word;
        column += length + (column > 0 ? 1 : 0);
        begin = end + 1;
    }
    return lines + "\n";
}

std::string underlined(const std::string& title, char line) {
    const std::string plain = printable(title);
    return plain + "\n" + std::string(character_count(plain), line) + "\n\n";
}

std::string trimmed(std::string line) {
    line.erase(line.find_last_not_of(' ') + 1);
    return line;
}

class Writer {
public:
    std::string operator()(const Paragraph& paragraph) const {
        return wrapped((paragraph.tone == Tone::warning ? "! " : "") + paragraph.text) + "\n";
    }

    std::string operator()(const FactList& list) const {
        std::string text = title(list.title);
        std::size_t widest = 0;
        for (const Fact& fact : list.facts)
            widest = std::max(widest, character_count(printable(fact.name)));
        for (const Fact& fact : list.facts)
            text +=
                trimmed("  " + padded(printable(fact.name), widest, false) + "  " + printable(fact.value)) +
                "\n";
        return text + "\n";
    }

    std::string operator()(const Table& table) const {
        if (table.rows.empty())
            return {};
        std::vector<std::vector<std::string>> rows{table.header};
        rows.insert(rows.end(), table.rows.begin(), table.rows.end());
        std::vector<std::size_t> widths(table.header.size(), 0);
        for (std::vector<std::string>& row : rows)
            for (std::size_t i = 0; i < row.size(); ++i) {
                row[i] = printable(row[i]);
                if (i + 1 < row.size() && character_count(row[i]) > widest_cell)
                    row[i] = std::string(first_characters(row[i], widest_cell - 3)) + "...";
                widths[i] = std::max(widths[i], character_count(row[i]));
            }
        std::string text = title(table.title);
        for (const std::vector<std::string>& row : rows) {
            std::string line;
            for (std::size_t i = 0; i < row.size(); ++i)
                line += "  " + padded(row[i], widths[i], table.columns[i] == Column::number);
            text += trimmed(line) + "\n";
            if (&row == &rows.front()) {
                for (const std::size_t width : widths)
                    text += "  " + std::string(width, '-');
                text += "\n";
            }
        }
        return text + "\n";
    }

    std::string operator()(const FactsAndTable& both) const {
        std::string text = (*this)(both.facts) + (*this)(both.table);
        for (const std::string& note : both.notes)
            text += wrapped(note);
        return text + "\n";
    }

    std::string operator()(const FigureBlock& block) const {
        return (block.in_characters.empty() ? "" : block.in_characters + "\n") + wrapped(block.caption) +
               "\n";
    }

    std::string operator()(const Verbatim& verbatim) const {
        std::string text;
        for (std::size_t begin = 0; begin < verbatim.text.size();) {
            const std::size_t end = std::min(verbatim.text.find('\n', begin), verbatim.text.size());
            text += trimmed("    " + printable(verbatim.text.substr(begin, end - begin))) + "\n";
            begin = end + 1;
        }
        return text + "\n";
    }

    std::string section(const Section& section, const std::string& number, char line) const {
        std::string text = underlined(number + " " + section.title, line);
        for (const Block& block : section.blocks)
            text += std::visit(*this, block);
        for (std::size_t i = 0; i < section.subsections.size(); ++i)
            text += this->section(section.subsections[i], number + "." + std::to_string(i + 1), '-');
        return text;
    }

private:
    static std::string title(const std::string& text) { return text.empty() ? "" : printable(text) + "\n"; }
};

} // namespace

std::string text_document(const Document& document) {
    const Writer writer;
    const Cover& cover = document.cover;
    std::string text = underlined(cover.title + (cover.subtitle.empty() ? "" : ": " + cover.subtitle), '=') +
                       wrapped(cover.answer) + "\n" + writer(cover.system) + writer(cover.trust) +
                       writer(cover.headlines) + (cover.overview ? writer(*cover.overview) : "");
    for (std::size_t i = 0; i < document.sections.size(); ++i)
        text += writer.section(document.sections[i], std::to_string(i + 1), '=');
    return text;
}

} // namespace skampi
