// SPDX-License-Identifier: GPL-2.0-or-later
#include "close_to.hpp"
#include "drawing/plot.hpp"
#include "formats/web/html_figure.hpp"

#include "base/text.hpp"
#include "scratch_folder.hpp"
#include "text_file.hpp"

#include "../tool/invented_results.hpp"

#include <algorithm>
#include <doctest/doctest.h>
#include <fstream>
#include <iterator>
#include <set>
#include <sstream>

using namespace skampi;

namespace {

/// Every printable character of ASCII before every digit, behind an accent and a quote, which make gnuplot's
/// strings awkward whether LaTeX or gnuplot itself sets the text.
std::vector<std::string> awkward_texts() {
    std::vector<std::string> texts;
    for (char c = ' '; c <= '~'; ++c)
        for (char digit = '0'; digit <= '9'; ++digit)
            texts.push_back(std::string("é'") + c + digit + digit + "x");
    for (const char* text : {"é+4jobname +4LaTeX", "Café+2", "André 2.5 GHz", "'''1''2'3'", "1'2'34'5",
                             "Müller ß", "5 µs ± 1 × 2"})
        texts.emplace_back(text);
    return texts;
}

/// A figure as high as the texts need to stand below each other, on its vertical axis.
Figure figure_with_ticks(const std::vector<std::string>& labels) {
    constexpr double line_cm = 0.5;
    Figure figure;
    figure.id = "labels";
    figure.height_cm = line_cm * static_cast<double>(labels.size());
    Panel panel;
    panel.title = "Café+2'3";
    panel.y.high = static_cast<double>(labels.size());
    for (std::size_t i = 0; i < labels.size(); ++i)
        panel.y.ticks.push_back({static_cast<double>(i), labels[i]});
    panel.layers.push_back({.label = "André 2.5 GHz", .points = {{0, 1, 1, 1}, {1, 2, 2, 2}}});
    figure.panels.push_back(panel);
    return figure;
}

void draw(const Figure& figure, PlotTarget target, const std::string& directory) {
    const std::vector<Figure> figures{figure};
    check_plots(run_all(prepare_plots(figures, target, directory, 1), 1), figures, target, directory);
}

std::string output_of(std::vector<std::string> arguments, const std::string& directory,
                      const std::string& input = {}) {
    Command command;
    command.argv = std::move(arguments);
    command.directory = directory;
    command.input = input;
    command.environment = {{"LC_ALL", "C.UTF-8"}};
    command.max_output_bytes = std::size_t{1} << 24;
    command.timeout_s = 50;
    const ChildResult result = run(std::move(command));
    INFO(result.out << result.err);
    REQUIRE(result.ok());
    return result.out;
}

std::multiset<std::string> lines_in_any_order(const std::string& text) {
    std::istringstream stream(text);
    std::multiset<std::string> lines;
    for (std::string line; std::getline(stream, line);)
        lines.insert(line);
    return lines;
}

std::string without_blanks(std::string text) {
    std::erase_if(text, [](char c) { return c == ' ' || c == '\f'; });
    return text;
}

} // namespace

TEST_CASE("gnuplot reads every text as it was, whatever stands before a digit") {
    const ScratchFolder folder;
    std::string script = "set print '-'\n";
    std::string expected;
    for (const std::string& text : awkward_texts())
        for (const std::string& shown : {text, for_latex(text)}) {
            script += "print " + for_gnuplot_string(shown) + "\n";
            expected += shown + "\n";
        }
    CHECK(output_of({"gnuplot", "-d", "-"}, folder.path(), script) == expected);
}

TEST_CASE("curves over one another differ without their colours") {
    const ScratchFolder folder;
    Figure figure = figure_with_ticks({"0", "1"});
    figure.panels.front().layers.clear();
    for (int colour = 0; colour < 4; ++colour)
        figure.panels.front().layers.push_back({LayerStyle::error_points,
                                                colour,
                                                "curve " + std::to_string(colour),
                                                {{0, 1, 1, 1, false}, {1, 2, 2, 2, false}}});
    draw(figure, PlotTarget::latex, folder.path());
    std::set<std::string> dashes;
    std::set<std::string> signs;
    std::istringstream script(read(folder / "labels.gp"));
    const auto behind = [](const std::string& line, const std::string& word) {
        const std::size_t begin = line.find(word) + word.size();
        return line.substr(begin, line.find(' ', begin) - begin);
    };
    for (std::string line; std::getline(script, line);) {
        if (line.find("$p1_") == std::string::npos || line.find(" using ") == std::string::npos)
            continue;
        if (line.find("with lines ") != std::string::npos)
            dashes.insert(behind(line, "dashtype "));
        if (line.find("pointtype ") != std::string::npos)
            signs.insert(behind(line, "pointtype "));
    }
    CHECK(dashes.size() == 3); // and the first one, which has none
    CHECK(signs.size() == 4);
}

TEST_CASE("every text stands in a PDF drawing as it was, set by LaTeX") {
    const ScratchFolder folder;
    const std::vector<std::string> texts = awkward_texts();
    // No page of TeX's is longer than 16384 pt.
    constexpr std::size_t most_of_a_page = 200;
    std::string document = "\\documentclass{article}\\usepackage[T1]{fontenc}\\usepackage{textcomp}"
                           "\\usepackage{charter}\\usepackage{graphicx}\\usepackage{xcolor}\n"
                           "\\paperwidth=24cm\\paperheight=104cm\\textheight=102cm\\topmargin=-2.5cm"
                           "\\headheight=0pt\\headsep=0pt\\oddsidemargin=4cm\\textwidth=17cm\\parindent=0pt\n"
                           "\\pagestyle{empty}\\begin{document}\n";
    std::string tex;
    for (std::size_t begin = 0; begin < texts.size(); begin += most_of_a_page) {
        const auto first = texts.begin() + static_cast<std::ptrdiff_t>(begin);
        const auto count = std::min(most_of_a_page, texts.size() - begin);
        Figure figure = figure_with_ticks({first, first + static_cast<std::ptrdiff_t>(count)});
        figure.id += std::to_string(begin);
        draw(figure, PlotTarget::latex, folder.path());
        tex += read(folder / (figure.id + ".tex"));
        document += "\\input{" + figure.id + ".tex}\\newpage\n";
    }
    for (const std::string& text : texts) {
        CAPTURE(text);
        std::string label = for_latex(text);
        for (std::size_t at = 0; (at = label.find("\\%", at)) != std::string::npos;)
            label.replace(at, 2, "\\symbol{37}"); // gnuplot cuts a tick's label that has a percent sign
        CHECK(tex.find("\\relax{}" + label + "}") != std::string::npos);
    }

    std::ofstream(folder / "all.tex") << document << "\\end{document}\n";
    output_of({"pdflatex", "-no-shell-escape", "-interaction=nonstopmode", "-halt-on-error", "all.tex"},
              folder.path());
    const std::multiset<std::string> lines = lines_in_any_order(
        without_blanks(output_of({"pdftotext", "-layout", "all.pdf", "-"}, folder.path())));
    for (const std::string& text : texts) {
        CAPTURE(text);
        CHECK(lines.contains(without_blanks(text)));
    }
}

TEST_CASE("LaTeX sets every letter that stays as it is in its texts") {
    std::string document = "\\documentclass{article}\\usepackage[T1]{fontenc}\\usepackage{textcomp}"
                           "\\usepackage{charter}\\usepackage[scaled=0.88]{helvet}\\usepackage{courier}\n"
                           "\\begin{document}\n";
    for (char32_t code = 0xA0; code < 0x2200; ++code) {
        std::string letter{static_cast<char>(0xC0 | (code >> 6)), static_cast<char>(0x80 | (code & 0x3F))};
        if (code >= 0x800)
            letter = {static_cast<char>(0xE0 | (code >> 12)), static_cast<char>(0x80 | ((code >> 6) & 0x3F)),
                      static_cast<char>(0x80 | (code & 0x3F))};
        if (for_latex(letter) == letter)
            document += letter + " \\textsf{" + letter + "} \\texttt{\\textbf{" + letter + "}}\n";
    }
    const ScratchFolder folder;
    std::ofstream(folder / "all.tex") << document << "\\end{document}\n";
    output_of({"pdflatex", "-no-shell-escape", "-interaction=nonstopmode", "-halt-on-error", "all.tex"},
              folder.path());
    CHECK(read(folder / "all.log").find("Missing character") == std::string::npos);
}

TEST_CASE("the legend has a strip of its own, and each label once") {
    Figure figure;
    CHECK(legend_of(figure).height_cm == 0);
    CHECK(drawn_height_cm(figure) == figure.height_cm);
    const Layer value{LayerStyle::error_points, 0, "a label", {}};
    figure.panels = {Panel{}, Panel{}};
    figure.panels[0].layers = {
        value, {LayerStyle::model, 1, "another", {}}, {LayerStyle::faint_line, -1, "", {}}};
    figure.panels[1].layers = {value};
    const Legend legend = legend_of(figure);
    REQUIRE(legend.entries.size() == 2);
    CHECK(legend.entries[0]->label == "a label");
    CHECK(legend.entries[1]->label == "another");
    CHECK(drawn_height_cm(figure) == close_to(figure.height_cm + legend.height_cm));
    // Labels too long to stand side by side have a row each.
    figure.panels[0].layers[1].label = std::string(120, 'x');
    CHECK(legend_of(figure).places.back().row == 1);
    CHECK(legend_of(figure).height_cm == close_to(legend.height_cm + Legend::row_cm));
    // Two that fit into a row begin at places of their own.
    figure.panels[0].layers[1].label = "another";
    const Legend short_ones = legend_of(figure);
    CHECK(short_ones.places[0].row == 0);
    CHECK(short_ones.places[1].row == 0);
    CHECK(short_ones.places[1].x_cm > short_ones.places[0].x_cm + Legend::sample_cm);
}

TEST_CASE("nothing is drawn across a jump, and error bars are no fence") {
    Curve curve;
    curve.stored.suite = test::full_plan({}).front().suite;
    for (std::int64_t argument = 1; argument <= 200; ++argument) {
        StoredMeasurement point;
        point.measurement.argument = point.measurement.message_bytes = argument;
        point.measurement.value_s = argument <= 100 ? 1e-6 : 3e-6;
        point.measurement.standard_error_s = 1e-8;
        point.measurement.summary.count = 20;
        curve.points.push_back(point);
    }
    CostModel model;
    model.segments = {{1, 100, 100, 1e-6, 0, 0, 0, 0, {}}, {101, 200, 100, 3e-6, 0, 0, 0, 0, {}}};
    model.jumps = {{100, 101, 2e-6, 2}};
    const Figure figure = suite_figure("f001", curve, model);
    for (const Panel& panel : figure.panels)
        for (const Layer& layer : panel.layers) {
            if (layer.style != LayerStyle::error_points)
                continue;
            REQUIRE(layer.points.size() == 200);
            std::size_t bars = 0;
            for (const PlotPoint& point : layer.points) {
                CHECK(point.gap_before == (point.x == 101));
                CHECK(point.high > point.low); // it is known, drawn or not
                bars += point.bar_hidden ? 0 : 1;
            }
            CHECK(bars <= 41); // 2.5 % of the axis apart
            CHECK(bars >= 10);
        }

    // Whoever looks for the error of a value finds that of each.
    const std::string page = figure_html(figure, [](const std::string&) { return std::string(); });
    const auto count = [&](const std::string& text) {
        std::size_t found = 0;
        for (std::size_t at = page.find(text); at != std::string::npos; at = page.find(text, at + 1))
            ++found;
        return found;
    };
    CHECK(count("<tr><td>") == 2 * 200); // time and bandwidth
    CHECK(count("990.0 ns to 1.010 µs") == 100);
    CHECK(count("<td>\n") == 0);
    const std::size_t bars = page.find("class=\"bars c0\"");
    REQUIRE(bars != std::string::npos);
    const std::string drawn = page.substr(bars, page.find("/>", bars) - bars);
    CHECK(std::ranges::count(drawn, 'm') <= 41);
    // A path for each table of values, with as many points.
    const std::size_t places = page.find("dots c0 many at");
    REQUIRE(places != std::string::npos);
    const std::string points = page.substr(places, page.find("/>", places) - places);
    CHECK(std::ranges::count(points, 'z') == 200);
}
