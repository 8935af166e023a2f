// SPDX-License-Identifier: GPL-2.0-or-later
#include "formats/paper/latex.hpp"

#include "formats/paper/page_layout.hpp"

#include "base/text.hpp"
#include "base/utf8.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <fmt/format.h>
#include <span>
#include <string_view>
#include <utility>

namespace skampi {

namespace {

constexpr std::size_t most_verbatim_lines = 3000;
/// Longer texts are set small and in two columns.
constexpr std::ptrdiff_t longest_one_column_text = 12;

constexpr const char* document_class = R"(% Made by skampi-report; to be set by pdflatex.
\documentclass[10pt,{0}]{{article}}
\usepackage[{0},left={1},right={1},top=1.8cm,bottom=1.5cm,headsep=0.35cm,footskip=0.75cm]{{geometry}}
)";
static_assert(std::string_view(document_class).starts_with(made_by_skampi_report));
constexpr const char* preamble = R"(\usepackage[T1]{fontenc}
\usepackage{textcomp}
\usepackage{charter}
\usepackage[scaled=0.88]{helvet}
\usepackage{courier}
\usepackage{graphicx}
\usepackage{xcolor}
\usepackage{array}
\usepackage{booktabs}
\usepackage{longtable}
\usepackage{multicol}
\usepackage[font={footnotesize,sf},labelfont=bf,skip=1pt,hypcap=false]{caption}
\usepackage{fancyhdr}
\definecolor{skaccent}{HTML}{0072B2}
\definecolor{skwarning}{HTML}{B04A00}
\definecolor{skgrey}{HTML}{606060}
\definecolor{skworse}{HTML}{B3261E}
\definecolor{skbetter}{HTML}{006B4F}
\makeatletter
\renewcommand\section{\@startsection{section}{1}{\z@}{-3.2ex plus -1ex minus -.2ex}{1.6ex plus .2ex}%
  {\normalfont\sffamily\Large\bfseries\color{skaccent}}}
\renewcommand\subsection{\@startsection{subsection}{2}{\z@}{-2.2ex plus -.6ex minus -.2ex}{0.5ex plus .2ex}%
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
\newbox\sktogetherbox
\newdimen\sktogetherheight
% All of it on one page.
\newcommand{\sktogether}[1]{\par\setbox\sktogetherbox=\vbox{\prevdepth=0pt #1\par}\skput\sktogetherbox}
\newcommand{\skput}[1]{\sktogetherheight=\ht#1\advance\sktogetherheight by \dp#1%
  \skneed\sktogetherheight
  \sktogetherheight=\dp#1\unvbox#1\prevdepth=\sktogetherheight}
% Two parts, each on one page, and both on one unless more than a third of a page would stay empty.
\newbox\skfirstbox
\newbox\sksecondbox
\newcommand{\sktwoparts}[2]{\par\setbox\skfirstbox=\vbox{\prevdepth=0pt #1\par}%
  \setbox\sksecondbox=\vbox{\prevdepth=0pt #2\par}%
  \begingroup\dimen0=\ht\skfirstbox\advance\dimen0 by \ht\sksecondbox
  \dimen2=\pagegoal\advance\dimen2 by -\pagetotal
  \ifdim\dimen0>\dimen2 \ifdim\dimen2<0.33\textheight \skneed{\dimen0}\fi\fi\endgroup
  \skput\skfirstbox\skput\sksecondbox}
% Two columns: facts and tables, then two texts, each below the shorter column.
\newbox\skleftbox
\newbox\skrightbox
\newbox\skmorebox
\newcommand{\skbox}[2]{\setbox#1=\vbox{\hsize=\skhalfwidth\linewidth=\hsize\columnwidth=\hsize
  \parskip=4pt\parindent=0pt #2\par}}
\newcommand{\skadd}[1]{\skbox\skmorebox{#1}%
  \ifdim\ht\skleftbox>\ht\skrightbox \setbox\skrightbox=\vbox{\unvbox\skrightbox\unvbox\skmorebox}%
  \else \setbox\skleftbox=\vbox{\unvbox\skleftbox\unvbox\skmorebox}\fi}
\newcommand{\skcolumns}[4]{\par\skbox\skleftbox{#1}\skbox\skrightbox{#2}\skadd{#3}\skadd{#4}%
  \noindent\hbox to \linewidth{\vtop{\kern0pt\unvbox\skleftbox}\hfil\vtop{\kern0pt\unvbox\skrightbox}}\par}
\newcommand{\skline}[1]{{\raggedright\noindent\hangindent=2em\hangafter=1 \strut#1\par}}
\setlength{\multicolsep}{4pt}
% Else columns go to the next page and leave the heading before them, whose room is seen to, behind.
\setlength{\premulticols}{0pt}
\setlength{\columnsep}{0.6cm}
\setlength{\aboverulesep}{0.25ex}
\setlength{\belowrulesep}{0.35ex}
\newcommand{\sktable}{\fontsize{8}{8.8}\selectfont\sffamily}
\newcommand{\skfact}[2]{{\noindent\hangindent=1em\hangafter=1 \textcolor{skgrey}{#1}\quad #2\par}}
\newcommand{\skrow}[1]{\noindent\hbox{\strut#1}\par}
\newcommand{\skhead}[1]{\textbf{#1}}
\newcommand{\sklist}[1]{{\sffamily\bfseries\color{skaccent}#1\par\nobreak}}
)";

/// Links of the contents. Bookmarks and properties are made below by what pdfTeX itself has: hyperref would
/// read bookmarks from a file DOCUMENT.out, which another program may have written.
constexpr const char* links = R"(\usepackage[hidelinks,bookmarks=false]{hyperref}
\makeatletter
\let\PDF@FinishDoc\@empty
\makeatother
)";
constexpr const char* bookmark_place =
    R"(\newcommand{\skdest}[1]{\leavevmode\raise 1.2em\hbox{\pdfdest name{#1} xyz}}
)";

/// As many characters as the properties of a file show.
std::string first_characters_of(const std::string& text) {
    return std::string(first_characters(text, 250));
}

/// Of a bookmark: a PDF string that pdfTeX writes as it is, in ASCII.
std::string for_outline(const std::string& text) {
    std::string plain;
    for (const char c : to_valid_utf8(text)) {
        const auto byte = static_cast<unsigned char>(c);
        if ((byte & 0xC0U) == 0x80U) // the rest of a letter
            continue;
        if (byte > 0x7E || byte < 0x20)
            plain += '?';
        else if (std::isalnum(byte) != 0 || std::string_view(" .,:-").find(c) != std::string_view::npos)
            plain += c;
        else
            plain += fmt::format("\\string\\{:03o}", static_cast<unsigned>(byte));
    }
    return plain;
}

/// As a PDF string of UTF-16 in hexadecimal digits, which no text can end.
std::string hexadecimal(const std::string& text) {
    std::string digits = "<FEFF";
    for_each_character(text, [&](const Utf8Character& character, std::string_view) {
        constexpr char32_t first_pair = 0x10000;
        const char32_t letter = character.valid ? character.code : U'?';
        if (letter < first_pair)
            digits += fmt::format("{:04X}", static_cast<unsigned>(letter));
        else
            digits += fmt::format("{:04X}{:04X}", 0xD800U + ((letter - first_pair) >> 10U),
                                  0xDC00U + ((letter - first_pair) & 0x3FFU));
    });
    return digits + ">";
}

/// @param fixed all columns have a width of their own: a table over several pages gets its natural ones only
/// in a further run of LaTeX, and its head would not align with its columns
std::string column_specification(const Table& table, double width_cm, bool fixed) {
    const std::vector<double> widths = column_widths_cm(table, width_cm);
    std::string specification = "@{}";
    for (std::size_t column = 0; column < table.columns.size(); ++column) {
        const ColumnKind kind = table.columns[column];
        if (kind != ColumnKind::prose && !fixed)
            specification += kind == ColumnKind::number ? "r" : "l";
        else
            specification +=
                fmt::format(">{{\\{}\\arraybackslash}}p{{{:.2f}cm}}",
                            kind == ColumnKind::number ? "raggedleft" : "raggedright", widths[column]);
    }
    return specification + "@{}";
}

std::string table_head(const std::vector<std::string>& cells) {
    std::string row;
    for (std::size_t i = 0; i < cells.size(); ++i)
        row += (i == 0 ? "\\skhead{" : " & \\skhead{") + for_latex(cells[i]) + "}";
    return row + " \\\\\n";
}

/// A row with the colours of its cells.
std::string table_row(const Table& table, std::size_t row) {
    std::string text;
    for (std::size_t column = 0; column < table.rows[row].size(); ++column) {
        std::string cell = for_latex(table.rows[row][column]);
        for (const TintedCell& each : table.tints)
            if (each.row == row && each.column == column)
                cell = fmt::format("\\textcolor{{{}}}{{{}}}",
                                   each.tint == Tint::worse    ? "skworse"
                                   : each.tint == Tint::better ? "skbetter"
                                                               : "skgrey",
                                   cell);
        text += (column == 0 ? "" : " & ") + cell;
    }
    return text + " \\\\\n";
}

std::string notes_text(const Table& table) {
    std::string text;
    for (const std::string& note : table.notes)
        text += "\n\\smallskip{\\raggedright " + for_latex(note) + "\\par}";
    return text;
}

std::string table_text(const Table& table, double width_cm, bool breakable) {
    if (table.header.empty() || table.rows.empty())
        return {};
    const bool broken = breakable && table.rows.size() > longest_unbroken_table;
    std::string text;
    if (broken && !table.title.empty())
        text += "\\skneed{2.5cm}\n"; // title, header and first rows
    text += "{\\sktable\n";
    if (!table.title.empty())
        text += "\\sklist{" + for_latex(table.title) + "}\n";
    const std::string specification = column_specification(table, width_cm, broken);
    const std::string head = table_head(table.header);
    if (broken)
        text += "\\begin{longtable}[l]{" + specification + "}\n\\toprule\n" + head +
                "\\midrule\\endhead\n\\bottomrule\\endfoot\n";
    else
        text += "\\begin{tabular}{" + specification + "}\n\\toprule\n" + head + "\\midrule\n";
    for (std::size_t row = 0; row < table.rows.size(); ++row)
        text += table_row(table, row);
    text += broken ? "\\end{longtable}" : "\\bottomrule\n\\end{tabular}\\par";
    return text + notes_text(table) + "}\n";
}

/// Rows that may be broken anywhere, in two columns of the page.
std::string dense_text(const Table& table) {
    constexpr double width_cm = (text_width_cm - 0.6) / 2;
    // Each column as wide as its longest entry in these letters, the last one takes the rest.
    constexpr double character_cm = 0.112;
    std::vector<double> widths;
    double used_cm = 0;
    for (std::size_t column = 0; column + 1 < table.header.size(); ++column) {
        std::size_t longest = character_count(table.header[column]);
        for (const auto& row : table.rows)
            longest = std::max(longest, character_count(row[column]));
        widths.push_back(0.22 + character_cm * static_cast<double>(longest));
        used_cm += widths.back();
    }
    widths.push_back(std::max(0.5, width_cm - used_cm - 0.2));
    const auto line = [&](const std::vector<std::string>& cells, bool head) {
        std::string text = "\\skrow{";
        for (std::size_t column = 0; column < cells.size(); ++column) {
            const std::string cell =
                head ? "\\skhead{" + for_latex(cells[column]) + "}" : for_latex(cells[column]);
            const bool last = column + 1 == cells.size();
            // Long words on flags go on below.
            text += last ? fmt::format("\\hspace{{0.2cm}}\\parbox[t]{{{:.2f}cm}}{{\\raggedright {}\\strut}}",
                                       widths[column], cell)
                         : fmt::format("\\hbox to {:.2f}cm{{\\hss {}}}", widths[column], cell);
        }
        return text + "}\n";
    };
    std::string text = "{\\sktable\\fontsize{7}{7.8}\\selectfont\\setlength{\\parskip}{0pt}\n"
                       "\\begin{multicols}{2}[\\sklist{" +
                       for_latex(table.title) + "}]\n" + line(table.header, true);
    for (const auto& row : table.rows)
        text += line(row, false);
    return text + "\\end{multicols}" + notes_text(table) + "}\n";
}

std::string facts_text(const FactList& list, double width_cm) {
    std::string text = "{\\sktable\n";
    if (!list.title.empty())
        text += "\\sklist{" + for_latex(list.title) + "}\n";
    if (list.facts.empty())
        return text + "}\n";
    const double name_cm = fact_name_cm(list, width_cm);
    const double value_cm = width_cm - name_cm - column_gap_cm;
    const std::string specification = fmt::format(
        "@{{}}>{{\\raggedright\\arraybackslash}}p{{{:.2f}cm}}>{{\\raggedright\\arraybackslash}}p{{{:.2f}cm}}@{{}}",
        name_cm, value_cm);
    text += "\\begin{tabular}[t]{" + specification + "}\n";
    for (const Fact& fact : list.facts)
        text += "\\textcolor{skgrey}{" + for_latex(fact.name) + "} & " + for_latex(fact.value) + " \\\\\n";
    return text + "\\end{tabular}\\par}\n";
}

/// In two columns of the page, each fact a paragraph that may be broken.
std::string long_facts_text(const FactList& list) {
    std::string text = "{\\sktable\\setlength{\\parskip}{1pt}\n";
    if (!list.title.empty())
        text += "\\sklist{" + for_latex(list.title) + "}\n";
    text += "\\begin{multicols}{2}\\raggedright\n";
    for (const Fact& fact : list.facts)
        text += "\\skfact{" + for_latex(fact.name) + "}{" + for_latex(fact.value) + "}\n";
    return text + "\\end{multicols}}\n";
}

/// Running text.
std::string run_in_text(const FactList& list) {
    if (list.facts.empty())
        return {};
    std::string text = "{\\sktable\\fontsize{7.4}{8.4}\\selectfont\\raggedright ";
    for (const Fact& fact : list.facts)
        text += fmt::format("{}\\textcolor{{skgrey}}{{{}}} {}", &fact == &list.facts.front() ? "" : "\\quad ",
                            for_latex(fact.name), for_latex(fact.value));
    // The columns below begin with the room of a line.
    return text + "\\par}\\vspace{-9pt}\n";
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
    const bool columns = std::ranges::count(verbatim.text, '\n') > longest_one_column_text;
    std::string text = "\\begingroup\\setlength{\\parskip}{0pt}\\ttfamily";
    text += columns ? "\\fontsize{6.5}{7.8}\\selectfont\\begin{multicols}{2}\n" : "\\footnotesize\n";
    std::size_t lines = 0;
    for (std::size_t begin = 0; begin < verbatim.text.size();) {
        std::size_t end = std::min(verbatim.text.find('\n', begin), verbatim.text.size());
        std::string line = verbatim.text.substr(begin, end - begin);
        begin = end + 1;
        if (!line.empty() && line.back() == '\r')
            line.pop_back();
        if (++lines > most_verbatim_lines) {
            text += "\\skline{\\textit{further lines are left out}}\n";
            break;
        }
        text += "\\skline{" + spaced(line) + "}\n";
    }
    return text + (columns ? "\\end{multicols}" : "") + "\\endgroup\n";
}

/// A command stands in lines of its own, unhyphenated.
std::string with_command(const std::string& text, const std::string& command) {
    return for_latex(text) + (command.empty()
                                  ? ""
                                  : "\\par{\\small\\upshape\\ttfamily\\raggedright\\hyphenpenalty=10000 " +
                                        for_latex(command) + "\\par}");
}

class LatexWriter {
public:
    /// @param brief there are no contents
    LatexWriter(std::string figure_directory, bool brief)
        : figure_directory_(std::move(figure_directory))
        , brief_(brief) {}

    std::string figure(const FigureBlock& block) const {
        return "\\smallskip\\begin{minipage}{\\linewidth}\\centering\n" + drawing(block.figure) +
               caption(block) + "\\end{minipage}\\par\\smallskip\n";
    }

    /// The plots of the first page: a page may end between their rows.
    std::string overview(const FigureBlock& block) const {
        const std::vector<Figure> rows = figures_by_rows(block.figure);
        if (rows.size() == 1)
            return figure(block);
        std::string text = "\\smallskip{\\centering\\setlength{\\parskip}{0pt}\n";
        for (const Figure& row : rows)
            text += (&row == &rows.back() ? "\\nobreak " : "") + drawing(row) + "\\par\n";
        return text + "\\nobreak" + caption(block) + "}\\smallskip\n";
    }

    std::string operator()(const Paragraph& paragraph) const {
        const std::string text = with_command(paragraph.text, paragraph.command);
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
    std::string operator()(const FactList& list) const {
        return list.facts.size() > longest_single_column ? long_facts_text(list)
                                                         : facts_text(list, text_width_cm);
    }
    std::string operator()(const Table& table) const {
        if (table.dense && !table.rows.empty())
            return dense_text(table);
        return "\\smallskip\n" + table_text(table, text_width_cm, true) + "\\smallskip\n";
    }
    std::string operator()(const FactsAndTable& both) const {
        std::string notes;
        for (const std::string& note : both.notes)
            notes += "{\\sktable\\raggedright\\smallskip " + for_latex(note) + "\\par}\n";
        return run_in_text(both.setup) + "\\skcolumns{" + facts_text(both.facts, half_width_cm) + "}{" +
               table_text(both.table, half_width_cm, false) + "}{" +
               table_text(both.below, half_width_cm, false) + "}{" + notes + "}\\smallskip\n";
    }
    std::string operator()(const FigureBlock& block) const { return figure(block); }
    std::string operator()(const Verbatim& verbatim) const { return verbatim_text(verbatim); }

    std::string section(const Section& section, const char* command) const {
        std::string text = section.begins_page ? "\\newpage\n" : "";
        std::span<const Section> parts = section.subsections;
        if (!section.as_cards && introduces_first_part(section)) {
            text += with_heading(parts.front(), "subsection",
                                 heading_and_blocks(section, command, section.blocks));
            parts = parts.subspan(1);
        } else
            text += with_heading(section, command, {});
        if (section.as_cards)
            return text + cards(parts);
        for (const Section& part : parts)
            text += this->section(part, "subsection");
        return text;
    }

private:
    std::string drawing(const Figure& figure) const {
        return fmt::format("\\skampifigure{{{}/{}.tex}}{{{:.3f}cm}}{{{:.3f}cm}}{{{}}}\n", figure_directory_,
                           figure.id, figure.width_cm, drawn_height_cm(figure),
                           figure.small ? "\\sffamily\\fontsize{6}{7}" : "\\sffamily\\fontsize{8}{9.6}");
    }
    static std::string caption(const FigureBlock& block) {
        if (block.caption.empty() && block.suites == 0)
            return {};
        return "\\captionof{figure}{" + for_latex(caption_text(block)) + "}\n";
    }

    /// The bookmark of a section, and the title with the place that it leads to.
    [[nodiscard]] std::pair<std::string, std::string> marked(const Section& section) const {
        const std::string name = "sk" + std::to_string(++marks_);
        const std::size_t parts = section.subsections.size();
        return {fmt::format("\\pdfoutline goto name{{{}}}{} {{{}}}%\n", name,
                            parts > 0 ? " count " + std::to_string(parts) : "", for_outline(section.title)),
                "\\skdest{" + name + "}" + for_latex(section.title)};
    }

    /// Short parts side by side, two in a row; a page may end between the rows.
    std::string cards(std::span<const Section> parts) const {
        std::string text;
        for (std::size_t i = 0; i < parts.size(); ++i) {
            auto [mark, title] = marked(parts[i]);
            if (!brief_)
                mark += "\\phantomsection\\addcontentsline{toc}{subsection}{" + for_latex(parts[i].title) +
                        "}%\n";
            text += fmt::format("{}\\begin{{minipage}}[t]{{{:.2f}cm}}\\vspace{{0pt}}\\parskip=2pt\n{}"
                                "{{\\sffamily\\bfseries\\raggedright {}\\par}}\n"
                                "{{\\footnotesize\\sffamily\\raggedright\n{}}}\\end{{minipage}}{}",
                                i % 2 == 0 ? "\\noindent" : "", half_width_cm, mark, title,
                                blocks_text(parts[i].blocks),
                                i % 2 == 0 && i + 1 < parts.size() ? "\\hfill\n" : "\\par\\medskip\n");
        }
        return text;
    }

    /// A chapter that says little before its first part: a page has both headings or none.
    static bool introduces_first_part(const Section& section) {
        constexpr std::size_t longest_introduction = 500; // characters
        std::size_t length = 0;
        for (const Block& block : section.blocks) {
            const auto* paragraph = std::get_if<Paragraph>(&block);
            if (!paragraph)
                return false;
            length += paragraph->text.size();
        }
        return !section.subsections.empty() && length <= longest_introduction;
    }

    std::string heading_and_blocks(const Section& section, const char* command,
                                   std::span<const Block> blocks) const {
        const auto [mark, title] = marked(section);
        return mark + fmt::format("\\{}[{{{}}}]{{{}}}\n", command, for_latex(section.title), title) +
               blocks_text(blocks);
    }

    std::string blocks_text(std::span<const Block> blocks) const {
        std::string text;
        for (const Block& block : blocks)
            text += std::visit(*this, block);
        return text;
    }

    /// @param before what stands with the heading
    std::string with_heading(const Section& section, const char* command, const std::string& before) const {
        const std::span<const Block> blocks = section.blocks;
        const auto whole = static_cast<std::size_t>(std::ranges::find_if(blocks, is_whole) - blocks.begin());
        const bool has_whole = whole < blocks.size() && std::ranges::all_of(blocks.first(whole), is_boxed);
        if (!has_whole)
            return (section.blocks.empty() && before.empty() ? "\\skneed{6cm}\n" : "\\skneed{4cm}\n") +
                   before + heading_and_blocks(section, command, blocks);
        const std::string first = before + heading_and_blocks(section, command, blocks.first(whole + 1));
        const std::span<const Block> rest = blocks.subspan(whole + 1);
        if (!rest.empty() && std::ranges::all_of(rest, is_boxed))
            return "\\sktwoparts{" + first + "}{" + blocks_text(rest) + "}\n";
        return "\\sktogether{" + first + "}\n" + blocks_text(rest);
    }

    /// Not broken over pages.
    static bool is_whole(const Block& block) {
        return is_boxed(block) && !std::holds_alternative<Paragraph>(block);
    }
    /// Fits into a box, which is not broken over pages.
    static bool is_boxed(const Block& block) {
        if (const auto* table = std::get_if<Table>(&block))
            return !table->dense && table->rows.size() <= longest_unbroken_table;
        if (const auto* facts = std::get_if<FactList>(&block))
            return facts->facts.size() <= longest_single_column;
        return !std::holds_alternative<Verbatim>(block);
    }

    std::string figure_directory_;
    bool brief_;
    mutable int marks_ = 0; ///< so many bookmarks are made
};

} // namespace

std::string latex_document(const Document& document, const std::string& figure_directory) {
    const LatexWriter writer(figure_directory, document.brief);
    const Cover& cover = document.cover;
    std::string text = fmt::format(document_class, document.paper == Paper::a4 ? "a4paper" : "letterpaper",
                                   document.paper == Paper::a4 ? "2.2cm" : "2.495cm"); // of text equally wide
    text += preamble;
    text += document.brief ? "" : links;
    text += bookmark_place;
    text += fmt::format("\\newdimen\\skhalfwidth \\skhalfwidth={:.2f}cm\n", half_width_cm);
    text += "\\graphicspath{{" + figure_directory + "/}}\n";
    text += "\\fancyhead[L]{\\footnotesize\\sffamily\\color{skgrey}" + for_latex(cover.title) + "}\n";
    text += "\\fancyhead[R]{\\footnotesize\\sffamily\\color{skgrey}" + for_latex(cover.subtitle) + "}\n";
    const std::string title = cover.title + ": " + cover.subtitle;
    const std::string subject = first_characters_of(cover.answer.line());
    text += fmt::format("\\pdfinfo{{/Title {} /Subject {} /Creator (skampi-report)}}\n", hexadecimal(title),
                        hexadecimal(subject));
    text += "\\begin{document}\n\\thispagestyle{empty}\n";
    text +=
        "{\\sffamily\\LARGE\\bfseries\\raggedright\\color{skaccent}" + for_latex(cover.title) + "\\par}\n";
    if (!cover.subtitle.empty())
        text += "{\\sffamily\\large\\raggedright " + for_latex(cover.subtitle) + "\\par}\n";
    text += "\\smallskip{\\color{skaccent}\\hrule height 0.8pt}\\smallskip\n";
    text += "{\\large\\raggedright " + with_command(cover.answer.text, cover.answer.command) +
            "\\par}\n\\medskip\n";
    for (const std::string& finding : cover.findings)
        text += writer(Paragraph{finding, Tone::warning});
    text += cover.findings.empty() ? "" : "\\medskip\n";
    const bool alone = cover.trust.facts.empty();
    const double box_cm = alone ? text_width_cm : (text_width_cm - 0.6) / 2;
    text += fmt::format("\\begin{{minipage}}[t]{{{:.2f}cm}}\\vspace{{0pt}}\n{}\\end{{minipage}}{}\n", box_cm,
                        facts_text(cover.system, box_cm), alone ? "\\par" : "\\hfill");
    if (!alone)
        text += fmt::format("\\begin{{minipage}}[t]{{{:.2f}cm}}\\vspace{{0pt}}\n{}\\end{{minipage}}\\par\n",
                            box_cm, facts_text(cover.trust, box_cm));
    for (const Table& winners : cover.winners)
        text +=
            "\\medskip\n\\sktogether{" + table_text(winners, text_width_cm, false) + "}\n"; // title and table
    for (const std::string& remark : cover.remarks)
        text += writer(Paragraph{remark, Tone::remark});
    text += "\\medskip\n" + table_text(cover.headlines, text_width_cm, false);
    if (cover.overview)
        text += writer.overview(*cover.overview);
    if (!document.brief)
        text += "\\bigskip\\skneed{4cm}\n{\\small\\setlength{\\parskip}{0pt}"
                "\\begin{multicols}{2}\\tableofcontents\\end{multicols}}\n";
    for (const Section& section : document.sections)
        text += writer.section(section, "section");
    return text + "\\end{document}\n";
}

std::string latex_contents(const Document& document) {
    std::string text;
    if (document.brief)
        return text;
    for (std::size_t i = 0; i < document.sections.size(); ++i) {
        const Section& section = document.sections[i];
        text += fmt::format("\\contentsline {{section}}{{\\numberline {{{0}}}{1}}}{{1}}{{section.{0}}}%\n",
                            i + 1, for_latex(section.title));
        for (std::size_t j = 0; j < section.subsections.size(); ++j)
            text += fmt::format("\\contentsline {{subsection}}{{\\numberline "
                                "{{{0}.{1}}}{2}}}{{1}}{{subsection.{0}.{1}}}%\n",
                                i + 1, j + 1, for_latex(section.subsections[j].title));
    }
    return text;
}

} // namespace skampi
