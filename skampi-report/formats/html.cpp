#include "formats/html.hpp"

#include "formats/replaced_directory.hpp"
#include "plot.hpp"
#include "scratch_directory.hpp"

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/text.hpp"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>

namespace skampi {

namespace fs = std::filesystem;

namespace {

/// By this file we know a directory again as our own.
constexpr const char* mark = ".skampi-report";

constexpr const char* style = R"(
:root { --accent: #0072B2; --warning: #B04A00; --grey: #606060; --line: #D9D9D9; }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 62rem; padding: 1.5rem; color: #1a1a1a; background: #fff;
       font: 16px/1.5 Charter, "Bitstream Charter", Georgia, serif; }
h1, h2, h3, h4, table, nav, dl, figcaption { font-family: Helvetica, Arial, sans-serif; }
h1 { color: var(--accent); margin: 0; }
h2 { color: var(--accent); border-top: 2px solid var(--accent); padding-top: .6rem; margin-top: 2.5rem; }
h3 { margin-top: 2rem; overflow-wrap: anywhere; }
h4 { color: var(--accent); margin: .8rem 0 .3rem; }
.subtitle { margin: 0 0 .8rem; color: var(--grey); font-family: Helvetica, Arial, sans-serif; }
.answer { font-size: 1.2rem; border-left: 4px solid var(--accent); padding-left: .8rem; }
.boxes { display: flex; flex-wrap: wrap; gap: 1.5rem; }
.boxes > div { flex: 1 1 20rem; min-width: 0; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .1rem .9rem; font-size: .85rem; margin: .4rem 0; }
dt { color: var(--grey); max-width: 14rem; overflow-wrap: anywhere; }
dd { margin: 0; overflow-wrap: anywhere; min-width: 0; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; font-size: .85rem; margin: .6rem 0; border-top: 2px solid #1a1a1a;
        border-bottom: 2px solid #1a1a1a; }
th { border-bottom: 1px solid #1a1a1a; text-align: left; }
th, td { padding: .15rem .7rem .15rem 0; vertical-align: top; }
td.prose { overflow-wrap: anywhere; min-width: 6rem; }
.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
figure { margin: 1rem 0; }
figure img { max-width: 100%; height: auto; display: block; }
figcaption { font-size: .85rem; color: var(--grey); }
pre { font-size: .8rem; white-space: pre-wrap; overflow-wrap: anywhere; background: #f6f6f6; padding: .6rem; }
.remark { color: var(--grey); font-style: italic; }
.note { font: .85rem/1.4 Helvetica, Arial, sans-serif; }
.warning { color: var(--warning); font-size: .9rem; }
nav { font-size: .9rem; columns: 2 22rem; }
nav ul { list-style: none; margin: 0; padding-left: 1rem; }
nav > ul { padding: 0; }
nav a { color: inherit; text-decoration: none; overflow-wrap: anywhere; }
nav a:hover { text-decoration: underline; }
@media print { nav { columns: 1; } figure, table { break-inside: avoid; } }
)";

const char* column_class(Column column) {
    switch (column) {
    case Column::text:
        return "text";
    case Column::number:
        return "number";
    case Column::prose:
        return "prose";
    }
    return "";
}

class Writer {
public:
    std::string operator()(const Paragraph& paragraph) const {
        const char* name = paragraph.tone == Tone::plain     ? "plain"
                           : paragraph.tone == Tone::warning ? "warning"
                                                             : "remark";
        return fmt::format("<p class=\"{}\">{}</p>\n", name, for_html(paragraph.text));
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
        std::string text = title(table.title) + "<div class=\"scroll\"><table>\n<thead><tr>";
        for (std::size_t i = 0; i < table.header.size(); ++i)
            text += fmt::format("<th scope=\"col\" class=\"{}\">{}</th>", column_class(table.columns[i]),
                                for_html(table.header[i]));
        text += "</tr></thead>\n<tbody>\n";
        for (const auto& row : table.rows) {
            text += "<tr>";
            for (std::size_t i = 0; i < row.size(); ++i)
                text +=
                    fmt::format("<td class=\"{}\">{}</td>", column_class(table.columns[i]), for_html(row[i]));
            text += "</tr>\n";
        }
        return text + "</tbody></table></div>\n";
    }

    std::string operator()(const FactsAndTable& both) const {
        std::string text =
            "<div class=\"boxes\"><div>" +
            (both.setup.facts.empty() ? std::string() : (*this)(both.setup)) + (*this)(both.facts) +
            "</div><div>" + (*this)(both.table) + (*this)(both.below);
        for (const std::string& note : both.notes)
            text += "<p class=\"note\">" + for_html(note) + "</p>\n";
        return text + "</div></div>\n";
    }

    std::string operator()(const FigureBlock& block) const {
        return fmt::format("<figure><img src=\"figures/{}.svg\" alt=\"{}\" loading=\"lazy\" "
                           "width=\"{:.0f}\" height=\"{:.0f}\"><figcaption>{}</figcaption></figure>\n",
                           block.figure.id, for_html(block.figure.description), block.figure.width_cm * 48,
                           drawn_height_cm(block.figure) * 48, for_html(block.caption));
    }

    std::string operator()(const Verbatim& verbatim) const {
        return "<pre>" + for_html(verbatim.text) + "</pre>\n";
    }

private:
    static std::string title(const std::string& text) {
        return text.empty() ? "" : "<h4>" + for_html(text) + "</h4>\n";
    }
};

std::string anchor(std::size_t section) {
    return fmt::format("s{}", section + 1);
}
std::string anchor(std::size_t section, std::size_t part) {
    return fmt::format("s{}-{}", section + 1, part + 1);
}

void write_file(const fs::path& path, const std::string& text) {
    OutputFile file(path.string());
    file.write(text);
    file.commit();
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
    if (!fs::is_empty(path, error) && !fs::exists(path / mark, error))
        throw InputError(fmt::format("{}: exists and was not made by skampi-report, "
                                     "expected a new or empty directory",
                                     printable(path.string())));
}

} // namespace

std::string html_page(const Document& document) {
    const Writer writer;
    const Cover& cover = document.cover;
    std::string text = "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                       "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                       "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
                       "img-src 'self' file:; style-src 'unsafe-inline'\">\n<title>";
    text += for_html(cover.title) + "</title>\n<style>" + style + "</style>\n</head>\n<body>\n";
    text += "<h1>" + for_html(cover.title) + "</h1>\n<p class=\"subtitle\">" + for_html(cover.subtitle) +
            "</p>\n";
    text += "<p class=\"answer\">" + for_html(cover.answer) + "</p>\n";
    text += "<div class=\"boxes\"><div>" + writer(cover.system) + "</div><div>" + writer(cover.trust) +
            "</div></div>\n";
    for (const Table& winners : cover.winners)
        text += writer(winners);
    text += writer(cover.headlines);
    if (cover.overview)
        text += writer(*cover.overview);
    text += "<p>Data: <a href=\"result.csv\">result.csv</a>, <a href=\"result.json\">result.json</a></p>\n";
    text += "<h2>Contents</h2>\n<nav><ul>\n";
    for (std::size_t i = 0; i < document.sections.size(); ++i) {
        const Section& section = document.sections[i];
        text += fmt::format("<li><a href=\"#{}\">{} {}</a>", anchor(i), i + 1, for_html(section.title));
        if (!section.subsections.empty()) {
            text += "<ul>\n";
            for (std::size_t j = 0; j < section.subsections.size(); ++j)
                text += fmt::format("<li><a href=\"#{}\">{}.{} {}</a></li>\n", anchor(i, j), i + 1, j + 1,
                                    for_html(section.subsections[j].title));
            text += "</ul>";
        }
        text += "</li>\n";
    }
    text += "</ul></nav>\n<main>\n";
    for (std::size_t i = 0; i < document.sections.size(); ++i) {
        const Section& section = document.sections[i];
        text += fmt::format("<h2 id=\"{}\">{} {}</h2>\n", anchor(i), i + 1, for_html(section.title));
        for (const Block& block : section.blocks)
            text += std::visit(writer, block);
        for (std::size_t j = 0; j < section.subsections.size(); ++j) {
            const Section& part = section.subsections[j];
            text += fmt::format("<h3 id=\"{}\">{}.{} {}</h3>\n", anchor(i, j), i + 1, j + 1,
                                for_html(part.title));
            for (const Block& block : part.blocks)
                text += std::visit(writer, block);
        }
    }
    return text + "</main>\n</body>\n</html>\n";
}

Rendered write_html(const Document& document, const std::string& csv, const std::string& json,
                    const std::string& output, const RenderOptions& options) {
    const fs::path path = report_directory(output);
    check_replaceable(path);
    const ScratchDirectory scratch(path.string());
    const fs::path site = fs::path(scratch.path()) / "site";
    const fs::path drawings = site / "figures";
    fs::create_directories(drawings);
    const std::vector<Figure> figures = all_figures(document);
    const std::vector<ChildResult> results =
        run_all(prepare_plots(figures, PlotTarget::svg, drawings.string(), options.jobs), options.jobs);
    std::error_code error;
    if (options.keep) {
        fs::create_directories(*options.keep, error);
        if (!error)
            fs::copy(drawings, fs::path(*options.keep) / "figures",
                     fs::copy_options::recursive | fs::copy_options::overwrite_existing, error);
        if (error)
            throw SystemError(fmt::format("{}: scripts cannot be kept there: {}", printable(*options.keep),
                                          error.message()));
    }
    check_plots(results, figures, PlotTarget::svg, drawings.string());
    for (const Figure& figure : figures)
        fs::remove(drawings / (figure.id + ".gp"), error);
    write_file(site / "index.html", html_page(document));
    write_file(site / "result.csv", csv);
    write_file(site / "result.json", json);
    write_file(site / mark, "This directory was made by skampi-report and may be replaced by it.\n");

    // The former report goes only when the new one is complete.
    replace_directory(site, path, scratch.path());
    return {figures.size(), 0};
}

} // namespace skampi
