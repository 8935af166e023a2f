#include "formats/latex.hpp"

#include "base/text.hpp"
#include "base/utf8.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace skampi {

namespace {

constexpr double text_width_cm = 16.6;
/// Average width of a character of tables, set in Helvetica at footnote size.
constexpr double character_cm = 0.135;
constexpr double column_gap_cm = 0.30;
constexpr std::size_t longest_unbroken_table = 14;
constexpr std::size_t most_verbatim_lines = 3000;

constexpr const char* preamble = R"(% Made by skampi-report; to be set by pdflatex.
\documentclass[10pt,a4paper]{article}
\usepackage[T1]{fontenc}
\usepackage{textcomp}
\usepackage[a4paper,left=2.2cm,right=2.2cm,top=2.2cm,bottom=2.2cm,headsep=0.5cm]{geometry}
\usepackage{charter}
\usepackage[scaled=0.88]{helvet}
\usepackage{courier}
\usepackage{graphicx}
\usepackage{xcolor}
\usepackage{array}
\usepackage{booktabs}
\usepackage{longtable}
\usepackage[font={footnotesize,sf},labelfont=bf,skip=1pt,hypcap=false]{caption}
\usepackage{fancyhdr}
\usepackage[hidelinks,pdfusetitle=false,bookmarksnumbered,unicode]{hyperref}
\definecolor{skaccent}{HTML}{0072B2}
\definecolor{skwarning}{HTML}{B04A00}
\definecolor{skgrey}{HTML}{606060}
\makeatletter
\renewcommand\section{\@startsection{section}{1}{\z@}{-3.2ex plus -1ex minus -.2ex}{1.6ex plus .2ex}%
  {\normalfont\sffamily\Large\bfseries\color{skaccent}}}
\renewcommand\subsection{\@startsection{subsection}{2}{\z@}{-3.0ex plus -1ex minus -.2ex}{0.9ex plus .2ex}%
  {\normalfont\sffamily\large\bfseries\raggedright}}
% Room for numbers such as 12.345 in the table of contents.
\renewcommand*\l@subsection{\@dottedtocline{2}{1.5em}{3.4em}}
\makeatother
\setlength{\parindent}{0pt}
\setlength{\parskip}{4pt plus 1pt}
\setlength{\tabcolsep}{4.2pt}
\setlength{\LTpre}{4pt}
\setlength{\LTpost}{6pt}
\setlength{\headheight}{14pt}
\raggedbottom
\emergencystretch=3em
\hbadness=10000
\hfuzz=2pt
\pagestyle{fancy}
\fancyhf{}
\fancyfoot[R]{\footnotesize\sffamily\thepage}
\renewcommand{\headrulewidth}{0.3pt}
\newcommand{\skampifigure}[4]{\leavevmode\begingroup#4\selectfont\setlength{\parskip}{0pt}%
  \vbox to #3{\hsize=#2\vfil\hbox to #2{\hss\ifdefined\skampidraft\else\input{#1}\fi\hss}}\endgroup}
\newcommand{\skneed}[1]{\par\begingroup\dimen0=#1\dimen2=\pagegoal\advance\dimen2 by -\pagetotal
  \ifdim\dimen0>\dimen2 \ifdim\dimen2>0pt \vfil\break\fi\fi\endgroup}
\newcommand{\skline}[1]{{\footnotesize\ttfamily\raggedright\noindent\hangindent=2em\hangafter=1 \strut#1\par}}
\newcommand{\sktable}{\footnotesize\sffamily}
\newcommand{\skhead}[1]{\textbf{#1}}
\newcommand{\sklist}[1]{{\sffamily\bfseries\color{skaccent}#1\par\nobreak}}
)";

std::string heading(const std::string& title) {
    // The bookmark of the PDF viewer takes no commands: what is not plain is left out there.
    std::string plain;
    for (const char c : title)
        plain += std::isalnum(static_cast<unsigned char>(c)) || c == ' ' || c == '.' || c == ',' ||
                         c == '(' || c == ')' || c == '-' || c == ':'
                     ? c
                 : c == '_' ? ' '
                            : '?';
    return fmt::format("\\texorpdfstring{{{}}}{{{}}}", for_latex(title), plain);
}

std::vector<double> column_widths(const Table& table, double width_cm) {
    const std::size_t columns = table.header.size();
    std::vector<double> widths(columns, 0);
    for (std::size_t column = 0; column < columns; ++column) {
        std::size_t longest = character_count(table.header[column]) + 1;
        for (const auto& row : table.rows)
            longest = std::max(longest, character_count(row[column]));
        widths[column] = static_cast<double>(longest) * character_cm + 0.05;
    }
    const double available = width_cm - column_gap_cm * static_cast<double>(columns);
    double fixed = 0;
    double prose = 0;
    for (std::size_t column = 0; column < columns; ++column)
        (table.columns[column] == Column::prose ? prose : fixed) += widths[column];
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
                    if (table.columns[column] == Column::prose)
                        used += std::min(widths[column], cap);
                (used > room ? high : low) = cap;
            }
            for (std::size_t column = 0; column < columns; ++column)
                if (table.columns[column] == Column::prose)
                    widths[column] = std::min(widths[column], low);
        }
    }
    return widths;
}

std::string column_specification(const Table& table, double width_cm) {
    const std::vector<double> widths = column_widths(table, width_cm);
    std::string specification = "@{}";
    for (std::size_t column = 0; column < table.columns.size(); ++column) {
        switch (table.columns[column]) {
        case Column::text:
            specification += "l";
            break;
        case Column::number:
            specification += "r";
            break;
        case Column::prose:
            specification += fmt::format(">{{\\raggedright\\arraybackslash}}p{{{:.2f}cm}}", widths[column]);
            break;
        }
    }
    return specification + "@{}";
}

std::string table_row(const std::vector<std::string>& cells, bool head) {
    std::string row;
    for (std::size_t i = 0; i < cells.size(); ++i) {
        row += i == 0 ? "" : " & ";
        row += head ? "\\skhead{" + for_latex(cells[i]) + "}" : for_latex(cells[i]);
    }
    return row + " \\\\\n";
}

std::string table_text(const Table& table, double width_cm, bool breakable) {
    if (table.header.empty() || table.rows.empty())
        return {};
    std::string text = "{\\sktable\n";
    if (!table.title.empty())
        text += "\\sklist{" + for_latex(table.title) + "}\n";
    const std::string specification = column_specification(table, width_cm);
    const bool broken = breakable && table.rows.size() > longest_unbroken_table;
    const std::string head = table_row(table.header, true);
    if (broken)
        text += "\\begin{longtable}[l]{" + specification + "}\n\\toprule\n" + head +
                "\\midrule\\endhead\n\\bottomrule\\endfoot\n";
    else
        text += "\\begin{tabular}{" + specification + "}\n\\toprule\n" + head + "\\midrule\n";
    for (const auto& row : table.rows)
        text += table_row(row, false);
    text += broken ? "\\end{longtable}" : "\\bottomrule\n\\end{tabular}\\par";
    return text + "}\n";
}

std::string facts_text(const FactList& list, double width_cm, bool breakable) {
    std::string text = "{\\sktable\n";
    if (!list.title.empty())
        text += "\\sklist{" + for_latex(list.title) + "}\n";
    if (list.facts.empty())
        return text + "}\n";
    std::size_t longest = 0;
    for (const Fact& fact : list.facts)
        longest = std::max(longest, character_count(fact.name));
    const double name_cm =
        std::clamp(static_cast<double>(longest) * character_cm + 0.1, 1.2, std::min(0.42 * width_cm, 5.0));
    const double value_cm = width_cm - name_cm - column_gap_cm;
    const bool broken = breakable && list.facts.size() > longest_unbroken_table;
    const std::string specification = fmt::format(
        "@{{}}>{{\\raggedright\\arraybackslash}}p{{{:.2f}cm}}>{{\\raggedright\\arraybackslash}}p{{{:.2f}cm}}@{{}}",
        name_cm, value_cm);
    text += broken ? "\\begin{longtable}[l]{" + specification + "}\n"
                   : "\\begin{tabular}[t]{" + specification + "}\n";
    for (const Fact& fact : list.facts)
        text += "\\textcolor{skgrey}{" + for_latex(fact.name) + "} & " + for_latex(fact.value) + " \\\\\n";
    text += broken ? "\\end{longtable}" : "\\end{tabular}\\par";
    return text + "}\n";
}

/// One line of text in which every space counts.
std::string spaced(const std::string& line) {
    std::string text;
    std::size_t column = 0;
    for (std::size_t i = 0; i < line.size();) {
        std::size_t end = i;
        if (line[i] == ' ' || line[i] == '\t') {
            const std::size_t wanted = line[i] == ' ' ? 1 : 8 - column % 8;
            const bool alone = line[i] == ' ' && i > 0 && i + 1 < line.size() && line[i + 1] != ' ' &&
                               line[i - 1] != ' ' && line[i + 1] != '\t';
            for (std::size_t n = 0; n < wanted; ++n)
                text += alone ? " " : "\\ ";
            column += wanted;
            ++i;
            continue;
        }
        while (end < line.size() && line[end] != ' ' && line[end] != '\t')
            ++end;
        text += for_latex(line.substr(i, end - i));
        column += end - i;
        i = end;
    }
    return text;
}

std::string verbatim_text(const Verbatim& verbatim) {
    std::string text = "\\begingroup\\setlength{\\parskip}{0pt}\n";
    std::size_t lines = 0;
    for (std::size_t begin = 0; begin < verbatim.text.size();) {
        std::size_t end = std::min(verbatim.text.find('\n', begin), verbatim.text.size());
        std::string line = verbatim.text.substr(begin, end - begin);
        begin = end + 1;
        if (!line.empty() && line.back() == '\r')
            line.pop_back();
        if (++lines > most_verbatim_lines) {
            text += "\\skline{\\textit{the rest is left out}}\n";
            break;
        }
        text += "\\skline{" + spaced(line) + "}\n";
    }
    return text + "\\endgroup\n";
}

class Writer {
public:
    explicit Writer(std::string figure_directory)
        : figure_directory_(std::move(figure_directory)) {}

    std::string figure(const FigureBlock& block) const {
        const Figure& figure = block.figure;
        return fmt::format("\\smallskip\\begin{{minipage}}{{\\linewidth}}\\centering\n"
                           "\\skampifigure{{{}/{}.tex}}{{{:.3f}cm}}{{{:.3f}cm}}{{{}}}\n"
                           "\\captionof{{figure}}{{{}}}\n\\end{{minipage}}\\par\\smallskip\n",
                           figure_directory_, figure.id, figure.width_cm, drawn_height_cm(figure),
                           figure.small ? "\\sffamily\\fontsize{6}{7}" : "\\sffamily\\fontsize{8}{9.6}",
                           for_latex(block.caption));
    }

    std::string operator()(const Paragraph& paragraph) const {
        const std::string text = for_latex(paragraph.text);
        switch (paragraph.tone) {
        case Tone::plain:
            return text + "\\par\n";
        case Tone::remark:
            return "{\\itshape\\color{skgrey}" + text + "\\par}\n";
        case Tone::warning:
            return "{\\footnotesize\\parskip=2pt\\color{skwarning}" + text + "\\par}\n";
        }
        return {};
    }
    std::string operator()(const FactList& list) const { return facts_text(list, text_width_cm, true); }
    std::string operator()(const Table& table) const {
        return "\\smallskip\n" + table_text(table, text_width_cm, true) + "\\smallskip\n";
    }
    std::string operator()(const FactsAndTable& both) const {
        constexpr double left_cm = 8.6;
        constexpr double right_cm = text_width_cm - left_cm - 0.4;
        std::string notes;
        for (const std::string& note : both.notes)
            notes += "{\\sktable\\raggedright\\smallskip " + for_latex(note) + "\\par}\n";
        return fmt::format(
            "\\smallskip\n\\begin{{minipage}}[t]{{{:.2f}cm}}\\vspace{{0pt}}\n{}\\end{{minipage}}\\hfill\n"
            "\\begin{{minipage}}[t]{{{:.2f}cm}}\\vspace{{0pt}}\n{}{}\\end{{minipage}}\\par\\smallskip\n",
            left_cm, facts_text(both.facts, left_cm, false), right_cm,
            table_text(both.table, right_cm, false), notes);
    }
    std::string operator()(const FigureBlock& block) const { return figure(block); }
    std::string operator()(const Verbatim& verbatim) const { return verbatim_text(verbatim); }

    std::string section(const Section& section, const char* command) const {
        // Nor is a section's title left alone at the end of a page.
        double needed_cm = space_cm(section);
        if (needed_cm == 0 && !section.subsections.empty()) {
            needed_cm = space_cm(section.subsections.front());
            needed_cm += needed_cm > 0 ? 2.8 : 0;
        }
        std::string text = needed_cm > 0 ? fmt::format("\\skneed{{{:.2f}cm}}\n", needed_cm) : "";
        text += fmt::format("\\{}{{{}}}\n", command, heading(section.title));
        for (const Block& block : section.blocks)
            text += std::visit(*this, block);
        for (const Section& part : section.subsections)
            text += this->section(part, "subsection");
        return text;
    }

private:
    /// A heading stays on one page with its figure and what belongs to it.
    static double space_cm(const Section& section) {
        double height_cm = 0;
        for (const Block& block : section.blocks) {
            if (const auto* figure = std::get_if<FigureBlock>(&block))
                height_cm += drawn_height_cm(figure->figure) + 2.3;
            else if (const auto* both = std::get_if<FactsAndTable>(&block)) {
                // With its plot; what is said of flags and jumps may stand on the next page.
                height_cm += 0.345 * static_cast<double>(both->facts.facts.size());
                break;
            } else if (const auto* paragraph = std::get_if<Paragraph>(&block);
                       paragraph && paragraph->tone == Tone::warning)
                height_cm += 0.1 + 0.34 * std::ceil(static_cast<double>(paragraph->text.size()) / 120);
            else if (const auto* table = std::get_if<Table>(&block))
                height_cm += table->rows.size() > longest_unbroken_table
                                 ? 3.0
                                 : 1.9 + 0.36 * static_cast<double>(table->rows.size());
        }
        // What is longer than a page begins where it is.
        return height_cm < 24 ? height_cm : 0;
    }

    std::string figure_directory_;
};

} // namespace

std::string latex_document(const Document& document, const std::string& figure_directory) {
    const Writer writer(figure_directory);
    const Cover& cover = document.cover;
    std::string text = preamble;
    text += "\\graphicspath{{" + figure_directory + "/}}\n";
    text += "\\fancyhead[L]{\\footnotesize\\sffamily\\color{skgrey}" + for_latex(cover.title) + "}\n";
    text += "\\fancyhead[R]{\\footnotesize\\sffamily\\color{skgrey}" + for_latex(cover.subtitle) + "}\n";
    text += "\\begin{document}\n\\thispagestyle{empty}\n";
    text +=
        "{\\sffamily\\LARGE\\bfseries\\raggedright\\color{skaccent}" + for_latex(cover.title) + "\\par}\n";
    if (!cover.subtitle.empty())
        text += "{\\sffamily\\large\\raggedright " + for_latex(cover.subtitle) + "\\par}\n";
    text += "\\smallskip{\\color{skaccent}\\hrule height 0.8pt}\\smallskip\n";
    text += "{\\large\\raggedright " + for_latex(cover.answer) + "\\par}\n\\medskip\n";
    constexpr double box_cm = (text_width_cm - 0.6) / 2;
    for (const FactList* box : {&cover.system, &cover.trust})
        text +=
            fmt::format("\\begin{{minipage}}[t]{{{:.2f}cm}}\\vspace{{0pt}}\n{}\\end{{minipage}}{}\n", box_cm,
                        facts_text(*box, box_cm, false), box == &cover.system ? "\\hfill" : "\\par");
    text += "\\medskip\n" + table_text(cover.headlines, text_width_cm, false);
    if (cover.overview)
        text += writer.figure(*cover.overview);
    text += "\\clearpage\n\\tableofcontents\n\\clearpage\n";
    for (const Section& section : document.sections)
        text += writer.section(section, "section");
    return text + "\\end{document}\n";
}

std::string latex_contents(const Document& document) {
    std::string text;
    for (std::size_t i = 0; i < document.sections.size(); ++i) {
        const Section& section = document.sections[i];
        text += fmt::format("\\contentsline {{section}}{{\\numberline {{{0}}}{1}}}{{1}}{{section.{0}}}%\n",
                            i + 1, heading(section.title));
        for (std::size_t j = 0; j < section.subsections.size(); ++j)
            text += fmt::format("\\contentsline {{subsection}}{{\\numberline "
                                "{{{0}.{1}}}{2}}}{{1}}{{subsection.{0}.{1}}}%\n",
                                i + 1, j + 1, heading(section.subsections[j].title));
    }
    return text;
}

} // namespace skampi
