// SPDX-License-Identifier: GPL-2.0-or-later
#include "formats/web/html.hpp"

#include "base/replaced_directory.hpp"
#include "base/scratch_directory.hpp"
#include "formats/web/html_figure.hpp"
#include "html_embedded.hpp"

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/text.hpp"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fmt/format.h>
#include <iterator>
#include <map>
#include <span>
#include <string_view>
#include <utility>

namespace skampi {

namespace fs = std::filesystem;

namespace {

std::string with_command_below(const std::string& text, const std::string& command) {
    return for_html(text) +
           (command.empty() ? "" : "<code class=\"command\">" + for_html(command) + "</code>");
}

/// This file marks a directory as our own.
constexpr const char* report_mark = ".skampi-report";

/// The most columns of a table with classes in the style: .n3 = the cells of the third column are numbers.
constexpr std::size_t styled_columns = 10;

/// The class that the style knows such a column by.
const char* column_class(ColumnKind column) {
    switch (column) {
    case ColumnKind::text:
        return "text";
    case ColumnKind::number:
        return "number";
    case ColumnKind::prose:
        return "prose";
    }
    return "";
}

/// " class="t1 n2"": what the cells of each column are.
std::string column_classes(const Table& table) {
    std::string classes;
    for (std::size_t i = 0; i < std::min(styled_columns, table.columns.size()); ++i)
        classes += fmt::format("{}{}{}", i == 0 ? "" : " ", column_class(table.columns[i])[0], i + 1);
    return " class=\"" + classes + "\"";
}

/// " class="worse"" of a cell that says something of a difference; empty of most.
std::string cell_class(const Table& table, std::size_t row, std::size_t column) {
    std::string classes = column < styled_columns ? "" : column_class(table.columns[column]);
    const auto cell = std::ranges::find_if(
        table.tints, [&](const TintedCell& each) { return each.row == row && each.column == column; });
    if (cell != table.tints.end())
        classes += fmt::format("{}{}", classes.empty() ? "" : " ",
                               cell->tint == Tint::worse    ? "worse"
                               : cell->tint == Tint::better ? "better"
                                                            : "same");
    return classes.empty() ? classes : " class=\"" + classes + "\"";
}

class HtmlWriter {
public:
    explicit HtmlWriter(AnchorOf anchor_of)
        : anchor_of_(std::move(anchor_of)) {}

    std::string operator()(const Paragraph& paragraph) const {
        const char* name = paragraph.tone == Tone::plain     ? "plain"
                           : paragraph.tone == Tone::warning ? "warning"
                                                             : "remark";
        return fmt::format("<p class=\"{}\">{}</p>\n", name,
                           with_command_below(paragraph.text, paragraph.command));
    }

    std::string operator()(const FactList& list) const {
        std::string text = title(list.title) + "<dl>\n";
        for (const Fact& fact : list.facts)
            text += "<dt>" + for_html(fact.name) + "</dt><dd>" + for_html(fact.value) + "</dd>\n";
        return text + "</dl>\n";
    }

    std::string operator()(const Table& table) const {
        if (table.rows.empty())
            return {};
        std::string text = title(table.title) + "<div class=\"scroll\" tabindex=\"0\"><table" +
                           column_classes(table) + ">\n<thead><tr>";
        for (std::size_t i = 0; i < table.header.size(); ++i)
            text += fmt::format("<th scope=\"col\" class=\"{}\">{}</th>", column_class(table.columns[i]),
                                for_html(table.header[i]));
        text += "</tr></thead>\n<tbody>\n";
        for (const auto& row : table.rows) {
            text += "<tr>";
            for (std::size_t i = 0; i < row.size(); ++i)
                text += fmt::format("<td{}>{}",
                                    cell_class(table, static_cast<std::size_t>(&row - table.rows.data()), i),
                                    for_html(row[i]));
            text += "\n"; // end tags of cells and rows are left out: HTML does not need them
        }
        text += "</tbody></table></div>\n";
        for (const std::string& note : table.notes)
            text += "<p class=\"note\">" + for_html(note) + "</p>\n";
        return text;
    }

    std::string operator()(const FactsAndTable& both) const {
        std::string text = "<div class=\"boxes\"><div>" +
                           (both.setup.facts.empty() ? std::string() : (*this)(both.setup)) +
                           (*this)(both.facts) + "</div><div>" + (*this)(both.table) + (*this)(both.below);
        for (const std::string& note : both.notes)
            text += "<p class=\"note\">" + for_html(note) + "</p>\n";
        return text + "</div></div>\n";
    }

    std::string operator()(const FigureBlock& block) const {
        return fmt::format("<figure>\n{}<figcaption>{}</figcaption></figure>\n",
                           figure_html(block.figure, anchor_of_), for_html(caption_text(block)));
    }

    std::string operator()(const Verbatim& verbatim) const {
        return "<pre>" + for_html(verbatim.text) + "</pre>\n";
    }

private:
    static std::string title(const std::string& text) {
        return text.empty() ? "" : "<h4>" + for_html(text) + "</h4>\n";
    }

    AnchorOf anchor_of_;
};

std::string anchor(std::size_t section) {
    return fmt::format("s{}", section + 1);
}
/// For a suite its name: the address does not change when suites are added. For other parts their place.
std::string anchor(const Document& document, std::size_t section, std::size_t part) {
    const Section& shown = document.sections[section].subsections[part];
    if (!shown.folded)
        return fmt::format("s{}-{}", section + 1, part + 1);
    std::string name = "suite-";
    for (const char c : shown.title)
        name += std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-' ? c : '.';
    // Names that differ in other characters alone.
    const auto same =
        std::ranges::count(document.sections[section].subsections, shown.title, &Section::title);
    const bool plain = name.find('.') == std::string::npos && same == 1;
    return plain ? name : fmt::format("{}.{}-{}", name, section + 1, part + 1);
}

/// Where the sections of a document are.
AnchorOf anchors_of(const Document& document) {
    std::map<std::string, std::string> anchors;
    for (std::size_t i = 0; i < document.sections.size(); ++i)
        for (std::size_t j = 0; j < document.sections[i].subsections.size(); ++j)
            anchors.try_emplace(document.sections[i].subsections[j].title, anchor(document, i, j));
    return [anchors = std::move(anchors)](const std::string& title) {
        const auto found = anchors.find(title);
        return found == anchors.end() ? std::string() : found->second;
    };
}

std::string contents(const Document& document) {
    std::string text = "<nav class=\"contents\" aria-label=\"Contents\"><ul>\n";
    for (std::size_t i = 0; i < document.sections.size(); ++i) {
        const Section& section = document.sections[i];
        text += fmt::format("<li><a href=\"#{}\">{} {}</a>", anchor(i), i + 1, for_html(section.title));
        if (!section.subsections.empty()) {
            text += "<ul>\n";
            for (std::size_t j = 0; j < section.subsections.size(); ++j)
                text += fmt::format("<li><a href=\"#{}\">{}.{} {}</a></li>\n", anchor(document, i, j), i + 1,
                                    j + 1, for_html(section.subsections[j].title));
            text += "</ul>";
        }
        text += "</li>\n";
    }
    return text + "</ul></nav>\n";
}

/// A file inside a link, with which a page alone brings its data along.
std::string data_link(const std::string& text) {
    std::string link = "data:text/csv;charset=utf-8,";
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (byte < 0x80 &&
            (std::isalnum(byte) != 0 || std::string_view("-._,").find(c) != std::string_view::npos))
            link += c;
        else
            fmt::format_to(std::back_inserter(link), "%{:02X}", byte);
    }
    return link;
}

/// @throws InputError when what stands at the path is not ours to replace
void check_replaceable(const fs::path& path) {
    std::error_code error;
    const fs::file_status status = fs::symlink_status(path, error);
    if (!fs::exists(status))
        return;
    if (!fs::is_directory(status))
        throw InputError(
            fmt::format("{}: exists and is no directory, expected a new name for the HTML report",
                        printable(path.string())));
    if (!fs::is_empty(path, error) && !fs::exists(path / report_mark, error))
        throw InputError(fmt::format("{}: exists and was not made by skampi-report, "
                                     "expected a new or empty directory",
                                     printable(path.string())));
}

} // namespace

std::string html_shell(const HtmlShell& shell) {
    std::string scripts = fmt::format("'{}'", embedded::page_script_hash);
    for (const std::string_view hash : shell.script_hashes)
        scripts += fmt::format(" '{}'", hash);
    if (shell.script_files)
        scripts += " 'self' file:";
    std::string text = fmt::format(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src {}; "
        "style-src '{}'; img-src data:; base-uri 'none'; form-action 'none'\">\n"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
        "<meta name=\"generator\" content=\"skampi-report " SKAMPI_VERSION "\">\n"
        "<title>{}</title>\n<style>",
        scripts, embedded::page_style_hash, for_html(shell.title));
    text += embedded::page_style;
    text += "</style>\n</head>\n<body>\n";
    text += shell.body;
    text += "<script>";
    text += embedded::page_script;
    return text + "</script>\n" + shell.behind_script + "</body>\n</html>\n";
}

std::string html_page(const Document& document, const PageData& data) {
    const HtmlWriter writer(anchors_of(document));
    const Cover& cover = document.cover;
    std::string text = "<a class=\"skip\" href=\"#contents\">To the contents</a>\n";
    if (!data.back.empty())
        text += fmt::format("<p class=\"note\"><a href=\"{}\">All results</a></p>\n", for_html(data.back));
    text += "<h1>" + for_html(cover.title) + "</h1>\n<p class=\"subtitle\">" + for_html(cover.subtitle) +
            "</p>\n";
    text += "<p class=\"answer\">" + with_command_below(cover.answer.text, cover.answer.command) + "</p>\n";
    for (const std::string& finding : cover.findings)
        text += writer(Paragraph{finding, Tone::warning});
    text += "<div class=\"boxes\"><div>" + writer(cover.system) + "</div><div>" + writer(cover.trust) +
            "</div></div>\n";
    for (const Table& winners : cover.winners)
        text += writer(winners);
    for (const std::string& remark : cover.remarks)
        text += writer(Paragraph{remark, Tone::remark});
    text += writer(cover.headlines);
    if (cover.overview)
        text += writer(*cover.overview);
    text +=
        all_figures(document).empty()
            ? "<p class=\"hint\">A click on the head of a table sorts it.</p>\n"
            : "<p class=\"hint\">In the plots: values under the pointer, drag to zoom, double click for the whole; with "
              "the keyboard arrows, + and -, Escape. A click on the legend switches a series, one on the head of a "
              "table sorts it.</p>\n";
    if (!data.links.empty())
        text += "<p class=\"note\">Data: " + data.links + "</p>\n";
    text += "<h2 id=\"contents\">Contents</h2>\n<div class=\"page\">" + contents(document) + "<main>\n";
    for (std::size_t i = 0; i < document.sections.size(); ++i) {
        const Section& section = document.sections[i];
        text += fmt::format("<h2 id=\"{}\">{} {}</h2>\n", anchor(i), i + 1, for_html(section.title));
        for (const Block& block : section.blocks)
            text += std::visit(writer, block);
        for (std::size_t j = 0; j < section.subsections.size(); ++j) {
            const Section& part = section.subsections[j];
            std::span<const Block> blocks = part.blocks;
            const std::string place = anchor(document, i, j);
            text += fmt::format("{}<h3 id=\"{}\">{}.{} {}</h3>\n",
                                part.folded ? "<details class=\"part\"><summary>" : "", place, i + 1, j + 1,
                                for_html(part.title));
            if (part.folded) {
                text += fmt::format("<p class=\"line\">{}</p></summary>\n",
                                    for_html(std::get<Paragraph>(blocks.front()).text));
                blocks = blocks.subspan(1);
            }
            for (const Block& block : blocks)
                text += std::visit(writer, block);
            text += part.folded ? "</details>\n" : "";
        }
    }
    text += "</main></div>\n";
    return html_shell({cover.title, std::move(text), {}, {}, false});
}

std::string csv_link(const std::string& csv) {
    if (csv.empty() || csv.size() > most_csv_bytes_in_page)
        return {};
    return "<a download=\"result.csv\" href=\"" + data_link(csv) + "\">result.csv</a> (in this page)";
}

void write_html_folder(const Document& document, const std::string& csv, const std::string& json,
                       const std::string& output) {
    const fs::path path = report_directory(output);
    check_replaceable(path);
    const ScratchDirectory scratch(path.string());
    const fs::path site = fs::path(scratch.path()) / "site";
    fs::create_directory(site);
    write_file(
        site / "index.html",
        html_page(document,
                  {"<a href=\"result.csv\">result.csv</a>, <a href=\"result.json\">result.json</a>", {}}));
    write_file(site / "result.csv", csv);
    write_file(site / "result.json", json);
    write_file(site / report_mark, "This directory was made by skampi-report and may be replaced by it.\n");

    // The former report goes only when the new one is complete.
    replace_directory(site, path, scratch.path());
}

} // namespace skampi
