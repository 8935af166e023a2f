// SPDX-License-Identifier: GPL-2.0-or-later
// What LaTeX is told about pages: which parts stay together. How high they are it measures itself.

#include "contains.hpp"
#include "formats/extract/extract.hpp"
#include "formats/paper/latex.hpp"
#include "formats/paper/page_layout.hpp"

#include <doctest/doctest.h>

using namespace skampi;

namespace {

Table table_of(std::size_t rows) {
    return {"", {"a"}, {ColumnKind::number}, std::vector<std::vector<std::string>>(rows, {"1"})};
}

std::string latex_of(std::vector<Section> sections) {
    Document document;
    document.sections = std::move(sections);
    return latex_document(document, "figures");
}

/// The argument of a command, from the brace that opens it.
std::string argument_at(const std::string& text, std::size_t begin) {
    int depth = 0;
    for (std::size_t at = begin; at < text.size(); ++at) {
        depth += text[at] == '{' ? 1 : text[at] == '}' ? -1 : 0;
        if (depth == 0)
            return text.substr(begin, at - begin + 1);
    }
    return {};
}

/// The argument of the command where the document uses it first.
std::string kept_by(const std::string& text, const std::string& command) {
    const std::size_t body = text.find("\\begin{document}");
    const std::size_t at = text.find(command + "{", body);
    return at == std::string::npos ? std::string() : argument_at(text, at + command.size());
}

FigureBlock plot(std::size_t panels, int columns) {
    FigureBlock block;
    block.figure.id = "f1";
    block.figure.small = panels > 2;
    block.figure.columns = columns;
    block.figure.height_cm = 6;
    block.figure.panels.resize(panels);
    block.figure.panels.front().layers.push_back({LayerStyle::line, 0, "first", {}});
    return block;
}

} // namespace

TEST_CASE("a page ends neither behind a heading nor behind a short introduction") {
    const Paragraph introduction{"What it introduces.", Tone::plain};
    const std::string kept =
        kept_by(latex_of({{"Chapter", {introduction}, {{"Values", {table_of(10)}, {}}}}}), "\\sktogether");
    for (const char* part : {"\\section[", "What it introduces.", "\\subsection[", "\\bottomrule"})
        CHECK(contains(kept, part));

    const std::string facts =
        kept_by(latex_of({{"Facts", {FactList{"", {{"name", "value"}}}}, {}}}), "\\sktogether");
    CHECK(contains(facts, "\\section["));
    CHECK(contains(facts, "value"));

    // What is broken over pages has some of it behind its heading.
    const std::string broken = latex_of({{"Long", {table_of(200)}, {}}});
    CHECK(contains(broken, "\\skneed{4cm}\n\\pdfoutline "));
    CHECK(contains(broken, "\\begin{longtable}"));
}

TEST_CASE("a plot stays with its title, and with its facts where a page has room for both") {
    FactsAndTable facts;
    facts.facts.facts = {{"name", "value"}};
    FigureBlock drawn = plot(1, 1);
    drawn.caption = "What it shows.";
    const std::string text = latex_of({{"Suite", {drawn, facts}, {}}});
    const std::string first = kept_by(text, "\\sktwoparts");
    CHECK(contains(first, "\\section["));
    CHECK(contains(first, "\\captionof"));
    CHECK_FALSE(contains(first, "\\skcolumns"));
    const std::size_t second = text.find(first) + first.size();
    CHECK(contains(argument_at(text, second), "\\skcolumns"));
}

TEST_CASE("small plots are drawn by rows, between which a page may end, with one legend") {
    const Figure figure = plot(8, 4).figure;
    const std::vector<Figure> rows = figures_by_rows(figure);
    REQUIRE(rows.size() == 2);
    CHECK(rows[0].id != rows[1].id);
    CHECK(rows[0].panels.size() + rows[1].panels.size() == 8);
    CHECK(rows[0].height_cm + rows[1].height_cm == figure.height_cm);
    CHECK(legend_of(rows[0]).entries.size() + legend_of(rows[1]).entries.size() == 1);
    CHECK(figures_by_rows(plot(2, 2).figure).size() == 1);
}

TEST_CASE("a table that is taken along fits a page, and says below it what is needed to read it") {
    const auto values = [](const char* error) {
        return Table{"",
                     {"at", "time", "interval", "bandwidth", "adjusted", "flags"},
                     {ColumnKind::number, ColumnKind::number, ColumnKind::number, ColumnKind::number,
                      ColumnKind::number, ColumnKind::text},
                     {{"1 KiB", "1.487 us", error, "688.6 MB/s", "1.488 us", "T D S"}}};
    };
    Table wide = values("1.264 us to 1.950 us");
    CHECK(fit_width(wide, 12.1) == std::vector<std::string>{"adjusted"});
    CHECK(wide.header == std::vector<std::string>{"at", "time", "interval", "bandwidth", "flags"});
    CHECK(wide.rows[0] ==
          std::vector<std::string>{"1 KiB", "1.487 us", "1.264 us to 1.950 us", "688.6 MB/s", "T D S"});
    CHECK(wide.columns.size() == 5);
    Table wider = values("1.264 us to 1.950 us and much more of it");
    CHECK(fit_width(wider, 12.1) == std::vector<std::string>{"adjusted", "bandwidth"});
    Table column = values("1.264 us to 1.950 us"); // of a page with two
    CHECK(fit_width(column, 8.4) == std::vector<std::string>{"adjusted", "bandwidth"});
    CHECK(fit_width(column, 7) == std::vector<std::string>{"flags"});
    Table narrow = values("2 us");
    CHECK(fit_width(narrow, 12.1).empty());
    CHECK(narrow.header.size() == 6);
    const std::string text = booktabs_text(wide, {"Interval: 95 % & more.", "Flags: T timed out."});
    CHECK(contains(text, "\\end{tabular}\n\\par\\smallskip\n{\\footnotesize"));
    CHECK(contains(text, "Interval: 95 \\% \\& more."));
    CHECK(contains(text, "Flags: T timed out."));
    CHECK_FALSE(contains(booktabs_text(wide), "footnotesize"));
    CHECK_FALSE(contains(text, "longtable"));
    wide.rows.resize(41, wide.rows.front()); // more than a page holds
    const std::string several_pages = booktabs_text(wide);
    CHECK(contains(several_pages, "\\usepackage{booktabs,longtable}"));
    CHECK(contains(several_pages, "\\midrule\n\\endhead\n"));
    CHECK(several_pages.ends_with("\\end{longtable}\n"));
}
