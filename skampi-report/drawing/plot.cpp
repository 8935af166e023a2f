// SPDX-License-Identifier: GPL-2.0-or-later
#include "drawing/plot.hpp"

#include "base/file.hpp"
#include "base/scratch_directory.hpp"

#include "base/error.hpp"
#include "base/text.hpp"
#include "base/utf8.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <gnuplot-iostream.h>

namespace skampi {

namespace {

/// Okabe & Ito's colours, which people who confuse red and green can distinguish, and which differ in grey.
constexpr std::array<const char*, 7> palette{"#0072B2", "#D55E00", "#009E73", "#CC79A7",
                                             "#E69F00", "#56B4E9", "#000000"};
/// Colours hardly differ in grey print: further curves also differ in their dashes and signs.
constexpr std::array<const char*, 7> dashes{"solid",  "(9,4)",         "(3,3)", "(10,3,2,3)",
                                            "(18,4)", "(6,2,2,2,2,2)", "(2,2)"};
constexpr std::array<int, 7> signs{7, 9, 5, 11, 13, 3, 1};
constexpr const char* grey_colour = "#8C8C8C";
constexpr const char* axis_grey = "#404040";
constexpr const char* grid_grey = "#D9D9D9";

/// Room in cm that ticks and titles take around the drawing area.
struct Margins {
    double left, right, bottom, top;
};
constexpr Margins full_margins{1.75, 0.45, 0.98, 0.20};
constexpr Margins small_margins{0.80, 0.12, 0.36, 0.44};

const char* colour(int index) {
    return index < 0 ? grey_colour : palette[static_cast<std::size_t>(index) % palette.size()];
}

/// no_heat, and levels of inferno (van der Walt & Smith 2015). Their lightness (CIE L*) falls in steps of 12
/// to 14, also in grey print, where viridis has steps of 8. The last step is larger, because dark greys are
/// hard to distinguish.
const char* heat_colour(int level) {
    constexpr std::array<const char*, heat_levels + 1> colours{"#FFFFFF", "#F1ED71", "#FAB922", "#F68515",
                                                               "#DF5537", "#B0325A", "#721A6D", "#1B0C41"};
    return colours[static_cast<std::size_t>(std::clamp(level, no_heat, heat_levels - 1) - no_heat)];
}

const char* dash(int index) {
    return index < 0 ? dashes.front() : dashes[static_cast<std::size_t>(index) % dashes.size()];
}

int sign(int index) {
    return index < 0 ? signs.front() : signs[static_cast<std::size_t>(index) % signs.size()];
}

class Script {
public:
    Script(Gnuplot& gnuplot, const Figure& figure, PlotTarget target)
        : gnuplot_(gnuplot)
        , figure_(figure)
        , target_(target) {}

    void write() {
        begin();
        for (std::size_t i = 0; i < figure_.panels.size(); ++i)
            write_panel(figure_.panels[i], i);
        write_legend();
        gnuplot_ << "unset multiplot\nset output\n";
    }

private:
    /// The terminal's input for exactly this text.
    [[nodiscard]] std::string for_terminal(const std::string& plain) const {
        if (target_ != PlotTarget::latex)
            return printable(plain);
        // LaTeX terminals take a leading [ or { as a request for alignment.
        return "\\relax{}" + for_latex(plain);
    }

    [[nodiscard]] std::string text(const std::string& plain) const {
        return for_gnuplot_string(for_terminal(plain));
    }

    /// The label of a tick. gnuplot takes a label with a percent sign for a number format, which it cuts
    /// after about fifty characters, in LaTeX in the middle of a command: there it gets no such label.
    [[nodiscard]] std::string tick_text(const std::string& plain) const {
        const bool latex = target_ == PlotTarget::latex;
        const std::string_view percent = latex ? "\\%" : "%";
        const std::string_view instead = latex ? "\\symbol{37}" : "%%";
        std::string label = for_terminal(plain);
        for (std::size_t at = 0; (at = label.find(percent, at)) != std::string::npos; at += instead.size())
            label.replace(at, percent.size(), instead);
        return for_gnuplot_string(label);
    }

    /// Drawn by hand, in cm: gnuplot's own keys choose their columns themselves.
    void write_legend() {
        const Legend legend = legend_of(figure_);
        const std::vector<const Layer*>& entries = legend.entries;
        if (entries.empty())
            return;
        gnuplot_ << fmt::format(
            "set lmargin at screen 0\nset rmargin at screen 1\n"
            "set bmargin at screen 0\nset tmargin at screen {:.4f}\n"
            "unset logscale\nunset arrow\nunset label\nunset border\nunset tics\nunset grid\n"
            "unset xlabel\nunset ylabel\nset xrange [0:{:.3f}]\nset yrange [0:{:.3f}]\n",
            legend.height_cm / drawn_height_cm(figure_), figure_.width_cm, legend.height_cm);
        for (std::size_t i = 0; i < entries.size(); ++i) {
            const double x = legend.places[i].x_cm;
            const double y =
                legend.height_cm - Legend::row_cm * (static_cast<double>(legend.places[i].row) + 0.5);
            gnuplot_ << fmt::format("set label {} at first {:.3f},{:.3f} left\n", text(entries[i]->label),
                                    x + legend.sample_cm + 0.12, y);
            Layer sample = *entries[i];
            sample.points = {{x, y, y - 0.1, y + 0.1, false},
                             {x + legend.sample_cm, y, y - 0.1, y + 0.1, false}};
            if (sample.style == LayerStyle::error_points || sample.style == LayerStyle::open_points ||
                sample.style == LayerStyle::large_points)
                sample.points = {{x + legend.sample_cm / 2, y, y - 0.13, y + 0.13, false}};
            if (entries[i]->style == LayerStyle::cells)
                sample.points = {{x + legend.sample_cm / 2, y, 0.13, 0.13, false}};
            write_data(fmt::format("$legend{}", i + 1), sample);
            if (!is_curve(*entries[i]))
                continue;
            Layer line = *entries[i];
            line.points = {{x, y, y, y, false}, {x + legend.sample_cm, y, y, y, false}};
            write_data(fmt::format("$line{}", i + 1), line);
        }
        gnuplot_ << "plot ";
        for (std::size_t i = 0; i < entries.size(); ++i) {
            gnuplot_ << (i == 0 ? "" : ", \\\n     ");
            if (is_curve(*entries[i])) {
                write_layer(fmt::format("$line{}", i + 1), {LayerStyle::line, entries[i]->colour, "", {}},
                            "notitle");
                gnuplot_ << ", \\\n     ";
            }
            write_layer(fmt::format("$legend{}", i + 1), *entries[i], "notitle");
        }
        gnuplot_ << "\n";
    }

    static bool is_curve(const Layer& layer) { return layer.style == LayerStyle::error_points; }

    void begin() {
        gnuplot_ << "reset\nset encoding utf8\n";
        gnuplot_ << terminal();
        gnuplot_ << fmt::format("set border 3 linecolor rgb '{}' linewidth 0.7\n"
                                "set tics nomirror out scale 0.5,0.25\n"
                                "set errorbars small\n"
                                "set key top left Left reverse noautotitle samplen 1.6 spacing 1.1 width 0\n"
                                "set multiplot\n",
                                axis_grey);
    }

    [[nodiscard]] std::string terminal() const {
        const double width_cm = figure_.width_cm;
        const double height_cm = drawn_height_cm(figure_);
        const int letters = figure_.small ? 6 : 8;
        constexpr double svg_per_cm = 96 / 2.54;
        constexpr double png_per_cm = 300 / 2.54;
        switch (target_) {
        case PlotTarget::svg:
            return fmt::format(
                "set terminal svg noenhanced size {:.0f},{:.0f} font 'Helvetica,{}' background "
                "'white'\nset output '{}.svg'\n",
                svg_per_cm * width_cm, svg_per_cm * height_cm, letters * 4 / 3, figure_.id);
        case PlotTarget::png:
            return fmt::format(
                "set terminal pngcairo noenhanced size {:.0f},{:.0f} font 'Helvetica,{}' fontscale "
                "3.1 linewidth 3 pointscale 3\nset output '{}.png'\n",
                png_per_cm * width_cm, png_per_cm * height_cm, letters, figure_.id);
        case PlotTarget::pdf:
            return fmt::format("set terminal pdfcairo noenhanced size {:.3f}cm,{:.3f}cm font 'Helvetica,{}'\n"
                               "set output '{}.pdf'\n",
                               width_cm, height_cm, letters, figure_.id);
        default:
            return fmt::format("set terminal cairolatex pdf input size {:.3f}cm,{:.3f}cm font ',{}'\n"
                               "set output '{}.tex'\n",
                               width_cm, height_cm, letters, figure_.id);
        }
    }

    void write_panel(const Panel& panel, std::size_t index) {
        Margins margins = figure_.small ? small_margins : full_margins;
        constexpr double wider_letters_cm = 0.35; // than those of the document
        if (!figure_.small && target_ != PlotTarget::latex)
            margins.left += wider_letters_cm;
        margins.left = figure_.left_margin_cm.value_or(margins.left);
        const auto columns = static_cast<std::size_t>(std::max(1, figure_.columns));
        const std::size_t rows = (figure_.panels.size() + columns - 1) / columns;
        const double cell_width = figure_.width_cm / static_cast<double>(columns);
        const double cell_height = figure_.height_cm / static_cast<double>(rows);
        const double left = cell_width * static_cast<double>(index % columns);
        const double top = drawn_height_cm(figure_) - cell_height * static_cast<double>(index / columns);
        gnuplot_ << fmt::format("set lmargin at screen {:.4f}\nset rmargin at screen {:.4f}\n"
                                "set bmargin at screen {:.4f}\nset tmargin at screen {:.4f}\n",
                                (left + margins.left) / figure_.width_cm,
                                (left + cell_width - margins.right) / figure_.width_cm,
                                (top - cell_height + margins.bottom) / drawn_height_cm(figure_),
                                (top - margins.top) / drawn_height_cm(figure_));
        gnuplot_ << "unset logscale\nunset arrow\nunset label\n";
        write_axis('x', panel.x);
        write_axis('y', panel.y);
        write_marks(panel);
        gnuplot_ << "unset key\n";
        if (figure_.small)
            gnuplot_ << fmt::format("set label {} at screen {:.4f}, graph 1 offset 0,1.0 left\n",
                                    text(panel.title), (left + 0.15) / figure_.width_cm);
        for (std::size_t layer = 0; layer < panel.layers.size(); ++layer)
            write_data(block_name(index, layer), panel.layers[layer]);
        // A series of one point or none leaves gnuplot nothing to choose a range from: ranges are always set.
        gnuplot_ << "plot ";
        for (std::size_t layer = 0; layer < panel.layers.size(); ++layer) {
            gnuplot_ << (layer == 0 ? "" : ", \\\n     ");
            write_layer(block_name(index, layer), panel.layers[layer], "notitle");
        }
        if (panel.layers.empty())
            gnuplot_ << "NaN";
        gnuplot_ << "\n";
    }

    void write_axis(char name, const Axis& axis) {
        gnuplot_ << fmt::format("{}set logscale {}\n", axis.log ? "" : "un", name);
        gnuplot_ << fmt::format("set {}range [{:.10g}:{:.10g}]\n", name, axis.low, axis.high);
        std::string ticks;
        for (const Tick& tick : axis.ticks)
            ticks += fmt::format("{}{} {:.10g}", ticks.empty() ? "" : ", ", tick_text(tick.label), tick.at);
        std::string grid;
        if (!figure_.small)
            for (const double at : axis.minor_ticks)
                ticks += fmt::format("{}'' {:.10g} 1", ticks.empty() ? "" : ", ", at);
        gnuplot_ << fmt::format("set {}tics ({}) {}\n", name, ticks,
                                figure_.small ? (name == 'y' ? "offset 0.6,0" : "offset 0,0.5")
                                              : "offset 0,0");
        if (!figure_.small) {
            gnuplot_ << fmt::format("set grid {}tics linetype 1 linecolor rgb '{}' linewidth 0.4\n", name,
                                    grid_grey);
            const std::string place = name == 'x' ? "offset 0,0.3" : "offset 1.2,0";
            gnuplot_ << fmt::format("set {}label {} {}\n", name, text(axis.title), place);
        }
    }

    void write_marks(const Panel& panel) {
        if (panel.x.zero_at && panel.x.gap_at > 0)
            gnuplot_ << fmt::format("set label '//' at first {:.10g}, graph 0 center front\n",
                                    panel.x.gap_at);
        for (const double at : panel.vertical_marks)
            gnuplot_ << fmt::format("set arrow from first {0:.10g}, graph 0 to first {0:.10g}, "
                                    "graph 1 nohead back dashtype (2,3) linewidth 1.5 linecolor rgb '{1}'\n",
                                    at, axis_grey);
        if (panel.horizontal_mark)
            gnuplot_ << fmt::format("set arrow from graph 0, first {0:.10g} to graph 1, "
                                    "first {0:.10g} nohead back linewidth 1 linecolor rgb '{1}'\n",
                                    *panel.horizontal_mark, axis_grey);
    }

    static std::string block_name(std::size_t panel, std::size_t layer) {
        return fmt::format("$p{}_{}", panel + 1, layer + 1);
    }

    /// Columns: x, y, low, high. An empty line interrupts a curve.
    void write_data(const std::string& block, const Layer& layer) {
        gnuplot_ << block << " << EOD\n";
        for (const PlotPoint& point : layer.points)
            gnuplot_ << fmt::format("{}{:.10g} {:.10g} {:.10g} {:.10g}\n", point.gap_before ? "\n" : "",
                                    point.x, point.y, point.bar_hidden ? point.y : point.low,
                                    point.bar_hidden ? point.y : point.high);
        if (layer.points.empty())
            gnuplot_ << "NaN NaN NaN NaN\n";
        gnuplot_ << "EOD\n";
    }

    void write_layer(const std::string& block, const Layer& layer, const std::string& title) {
        const char* rgb = colour(layer.colour);
        const bool many = layer.points.size() > 60;
        switch (layer.style) {
        case LayerStyle::band:
            gnuplot_ << fmt::format("{} using 1:3:4 with filledcurves fillcolor rgb '{}' fillstyle "
                                    "transparent solid 0.3 noborder {}",
                                    block, rgb, title);
            break;
        case LayerStyle::line:
            gnuplot_ << fmt::format("{} using 1:2 with lines linewidth {} linecolor rgb '{}' dashtype {} {}",
                                    block, figure_.small ? 1.2 : 0.7, rgb, dash(layer.colour), title);
            break;
        case LayerStyle::faint_line:
            gnuplot_ << fmt::format("{} using 1:2 with lines linewidth 0.5 linecolor rgb '#A8A8A8' {}", block,
                                    title);
            break;
        case LayerStyle::median:
            gnuplot_ << fmt::format("{} using 1:2 with lines linewidth 0.6 linecolor rgb '#202020' {}", block,
                                    title);
            break;
        case LayerStyle::large_points:
            gnuplot_ << fmt::format("{} using 1:2 with points pointtype 7 pointsize {} linecolor rgb '{}' {}",
                                    block, figure_.small ? 0.3 : 0.42, rgb, title);
            break;
        case LayerStyle::error_points:
            if (layer.colour > 0) { // the bars would be dashed with the line
                gnuplot_ << fmt::format(
                    "{0} using 1:2 with lines linewidth 1.1 linecolor rgb '{1}' dashtype {2} notitle, \\\n"
                    "     {0} using 1:2:3:4 with yerrorbars pointtype {3} pointsize {4} linewidth 1.1 "
                    "linecolor rgb '{1}' {5}",
                    block, rgb, dash(layer.colour), sign(layer.colour), many ? 0.24 : 0.34, title);
                break;
            }
            gnuplot_ << fmt::format(
                "{} using 1:2:3:4 with yerrorlines pointtype 7 pointsize {} linewidth 1.1 linecolor rgb "
                "'{}' {}",
                block, many ? 0.16 : 0.24, rgb, title);
            break;
        case LayerStyle::open_points:
            gnuplot_ << fmt::format("{} using 1:2 with points pointtype 6 pointsize {} linewidth {} "
                                    "linecolor rgb '{}' {}",
                                    block, layer.points.size() > 20 ? 0.35 : 0.6,
                                    layer.points.size() > 20 ? 0.7 : 1.3, rgb, title);
            break;
        case LayerStyle::whiskers:
            gnuplot_ << fmt::format("{} using 1:2:3:4 with xerrorbars pointtype -1 linewidth 1 linecolor rgb "
                                    "'{}' {}",
                                    block, rgb, title);
            break;
        case LayerStyle::boxes:
            gnuplot_ << fmt::format(
                "{0} using 1:2:3:4:($2-{1:.4g}):($2+{1:.4g}) with boxxyerror fillcolor rgb '{2}' fillstyle "
                "solid 0.35 border linecolor rgb '{2}' linewidth 0.7 {3}",
                block, layer.half_height, rgb, title);
            break;
        case LayerStyle::bars:
            gnuplot_ << fmt::format("{0} using 1:($2-{1:.4g}):(0):({2:.4g}) with vectors nohead linewidth 2 "
                                    "linecolor rgb '{3}' {4}",
                                    block, layer.half_height, 2 * layer.half_height, rgb, title);
            break;
        case LayerStyle::cells:
            // The border narrows the fine gaps that viewers show between neighbours.
            gnuplot_ << fmt::format(
                "{0} using 1:2:($1-$3):($1+$3):($2-$3):($2+$3) with boxxyerror fillcolor rgb '{1}' "
                "fillstyle solid border linecolor rgb '{2}' linewidth 0.8 {3}",
                block, heat_colour(layer.colour),
                layer.colour == no_heat ? axis_grey : heat_colour(layer.colour), title);
            break;
        case LayerStyle::crosses:
            gnuplot_ << fmt::format("{} using 1:2 with points pointtype 2 pointsize 0.4 linewidth 1 "
                                    "linecolor rgb '{}' {}",
                                    block, axis_grey, title);
            break;
        case LayerStyle::model:
            gnuplot_ << fmt::format(
                "{} using 1:2 with lines dashtype (5,4) linewidth 1.6 linecolor rgb '{}' {}", block, rgb,
                title);
            break;
        }
    }

    Gnuplot& gnuplot_;
    const Figure& figure_;
    PlotTarget target_;
};

/// A layer that is drawn in characters, and with which.
struct CharacterLayer {
    const Layer* layer;
    char sign;
};

/// The first letter of a word of the label that no other layer has, else any of its letters.
char free_letter(const std::string& label, const std::vector<CharacterLayer>& taken) {
    std::string initials, letters;
    for (std::size_t i = 0; i < label.size(); ++i)
        if (std::isalpha(static_cast<unsigned char>(label[i])) != 0)
            (i == 0 || label[i - 1] == ' ' ? initials : letters) += label[i];
    for (const char letter : initials + letters)
        if (std::ranges::find(taken, letter, &CharacterLayer::sign) == taken.end())
            return letter;
    return '+';
}

/// A terminal shows few things well: values and flagged values, no bands, no models. One curve is plain; each
/// of several has its letter.
std::vector<CharacterLayer> character_layers(const Panel& panel) {
    std::vector<CharacterLayer> drawn;
    const bool single = std::ranges::count(panel.layers, LayerStyle::error_points, &Layer::style) == 1;
    char next = 'A';
    for (const Layer& layer : panel.layers)
        if (layer.style == LayerStyle::error_points && !layer.points.empty())
            drawn.push_back({&layer, single ? 'o' : next++});
    for (const Layer& layer : panel.layers)
        if (layer.style == LayerStyle::open_points && !layer.points.empty())
            drawn.push_back({&layer, free_letter(layer.label, drawn)});
    return drawn;
}

/// "A a.db, B b.db, f flagged", below the drawing, where no curve can cover it.
std::string character_legend(const Panel& panel) {
    std::string text;
    for (const auto& [layer, sign] : character_layers(panel))
        if (!layer->label.empty())
            text += fmt::format("{}{} {}", text.empty() ? "" : ", ", sign, printable(layer->label));
    return text;
}

/// A figure's first panel in characters.
class CharacterScript {
public:
    CharacterScript(Gnuplot& gnuplot, bool colours, int columns, const Figure& figure)
        : gnuplot_(gnuplot)
        , colours_(colours)
        , columns_(std::min(columns - 2, 78))
        , figure_(figure) {}

    void write() {
        const Panel& panel = figure_.panels.front();
        gnuplot_ << fmt::format("reset\nset encoding utf8\n"
                                "set terminal dumb size {},{} noenhanced {}\nset output '{}.txt'\n"
                                "set border 3\nset tics out\nunset key\n",
                                columns_, rows, colours_ ? "ansi" : "mono", figure_.id);
        write_axis('x', panel.x);
        write_axis('y', panel.y);
        for (const double at : panel.vertical_marks)
            gnuplot_ << fmt::format(
                "set arrow from first {0:.10g}, graph 0 to first {0:.10g}, graph 1 nohead\n", at);
        std::string plots;
        std::size_t curves = 0;
        std::size_t number = 0;
        for (const auto& [layer, sign] : character_layers(panel)) {
            const std::string block = fmt::format("$l{}", ++number);
            gnuplot_ << block << " << EOD\n";
            for (const PlotPoint& point : layer->points)
                gnuplot_ << fmt::format("{}{:.10g} {:.10g}\n", point.gap_before ? "\n" : "", point.x,
                                        point.y);
            gnuplot_ << "EOD\n";
            if (!plots.empty())
                plots += ", \\\n     ";
            if (layer->style == LayerStyle::open_points)
                plots += fmt::format("{} using 1:2 with points pointtype '{}' notitle", block, sign);
            else
                plots +=
                    fmt::format("{0} using 1:2 with lines linetype {1} notitle, {0} using 1:2 with points "
                                "pointtype '{2}' linetype {1} notitle",
                                block, ++curves, sign);
        }
        gnuplot_ << "plot " << (plots.empty() ? "NaN notitle" : plots) << "\nset output\n";
    }

private:
    static constexpr int rows = 18;

    void write_axis(char name, const Axis& axis) {
        std::string ticks;
        for (const Tick& tick : axis.ticks) {
            std::string label = printable(tick.label);
            for (std::size_t at = 0; (at = label.find('%', at)) != std::string::npos; at += 2)
                label.insert(at, 1, '%');
            ticks +=
                fmt::format("{}{} {:.10g}", ticks.empty() ? "" : ", ", for_gnuplot_string(label), tick.at);
        }
        gnuplot_ << fmt::format("{0}set logscale {1}\nset {1}range [{2:.10g}:{3:.10g}]\n"
                                "set {1}tics ({4}) nomirror\n",
                                axis.log ? "" : "un", name, axis.low, axis.high, ticks);
        if (name == 'x')
            gnuplot_ << fmt::format("set xlabel {}\n", for_gnuplot_string(printable(axis.title)));
    }

    Gnuplot& gnuplot_;
    bool colours_;
    int columns_;
    const Figure& figure_;
};

/// The line of gnuplot's output with the error.
std::string complaint(const std::string& output) {
    std::string first;
    for (std::size_t begin = 0; begin < output.size();) {
        const std::size_t end = std::min(output.find('\n', begin), output.size());
        const std::string line = output.substr(begin, end - begin);
        begin = end + 1;
        if (line.find_first_not_of(" \t\r^") == std::string::npos ||
            line.find("warning:") != std::string::npos)
            continue;
        if (line.find(" line ") != std::string::npos)
            return line;
        if (first.empty())
            first = line;
    }
    return first.empty() ? "no message" : first;
}

/// The endings of the files that a script makes.
std::vector<std::string> extensions(PlotTarget target) {
    switch (target) {
    case PlotTarget::latex:
        return {".tex", ".pdf"};
    case PlotTarget::svg:
        return {".svg"};
    case PlotTarget::png:
        return {".png"};
    case PlotTarget::pdf:
        return {".pdf"};
    case PlotTarget::characters:
    case PlotTarget::coloured_characters:
        break;
    }
    return {".txt"};
}

/// Lines without the spaces at their ends, and without empty ones at the beginning and the end.
std::string trimmed_lines(std::istream& stream) {
    std::string text;
    std::size_t empty = 0;
    for (std::string line; std::getline(stream, line);) {
        if (const std::size_t feed = line.find('\f'); feed != std::string::npos)
            line.erase(0, feed + 1);
        line.erase(line.find_last_not_of(' ') + 1);
        if (line.empty()) {
            ++empty;
            continue;
        }
        if (!text.empty())
            text.append(empty, '\n');
        empty = 0;
        text += line + "\n";
    }
    return text;
}

/// @throws SystemError when the file cannot be written whole
void write_script(const Figure& figure, PlotTarget target, const std::string& directory, int columns) {
    const std::string path = directory + "/" + figure.id + ".gp";
    std::FILE* file = std::fopen(path.c_str(), "w");
    if (!file)
        throw SystemError(fmt::format("{}: cannot be written: {}", printable(path), std::strerror(errno)));
    bool good = false;
    try {
        Gnuplot gnuplot(file); // closes the file
        if (target == PlotTarget::characters || target == PlotTarget::coloured_characters)
            CharacterScript(gnuplot, target == PlotTarget::coloured_characters, columns, figure).write();
        else
            Script(gnuplot, figure, target).write();
        gnuplot.flush();
        good = gnuplot.good();
    } catch (const std::ios_base::failure&) {
        good = false;
    }
    if (!good)
        throw SystemError(fmt::format("{}: cannot be written whole (disk full?)", printable(path)));
}

} // namespace

std::vector<Command> prepare_plots(std::span<const Figure> figures, PlotTarget target,
                                   const std::string& directory, int jobs, int columns) {
    std::vector<Command> commands;
    if (figures.empty())
        return commands;
    if (!find_program("gnuplot"))
        throw SystemError("gnuplot not found: needed to draw the figures, install the package gnuplot-nox");
    std::filesystem::create_directories(directory);
    for (const Figure& figure : figures)
        write_script(figure, target, directory, columns);
    // Few enough that gnuplot's start does not count, enough that no core waits long for the last one.
    const std::size_t batches =
        std::min(figures.size(), static_cast<std::size_t>(jobs) * (figures.size() > 40 ? 3u : 1u));
    commands.resize(batches);
    for (Command& command : commands) {
        command.argv = {"gnuplot", "-d"}; // -d: no user's .gnuplot changes our drawings
        command.directory = directory;
        command.environment = {{"LC_ALL", "C.UTF-8"}};
        command.timeout_s = 600;
    }
    for (std::size_t i = 0; i < figures.size(); ++i)
        commands[i % batches].argv.push_back(figures[i].id + ".gp");
    return commands;
}

void check_plots(std::span<const ChildResult> results, std::span<const Figure> figures, PlotTarget target,
                 const std::string& directory) {
    for (const ChildResult& result : results)
        if (!result.ok())
            throw SystemError(fmt::format("gnuplot failed ({}): {}", result.describe_end(),
                                          printable(complaint(result.err))));
    for (const Figure& figure : figures)
        for (const std::string& extension : extensions(target)) {
            std::error_code error;
            const auto size = std::filesystem::file_size(directory + "/" + figure.id + extension, error);
            if (error || size == 0)
                throw SystemError(
                    fmt::format("gnuplot left no drawing {}{} (disk full?)", figure.id, extension));
        }
}

void make_drawings_relocatable(std::span<const Figure> figures, const std::string& directory) {
    // LaTeX before 2020-10 finds drawings by \graphicspath only.
    constexpr std::string_view path_of_file =
        "\\edef\\skampipath{\\ifdefined\\CurrentFilePath\\CurrentFilePath\\fi}%\n"
        "\\ifx\\skampipath\\empty\\else\\edef\\skampipath{\\skampipath/}\\fi\n";
    for (const Figure& figure : figures) {
        const std::string path = directory + "/" + figure.id + ".tex";
        if (!std::filesystem::exists(path))
            continue;
        std::string text = file_text(path);
        const std::string name = "]{" + figure.id + "}";
        if (const std::size_t at = text.find(name); at != std::string::npos)
            text.insert(at + 2, "\\skampipath ");
        write_file(path, std::string(path_of_file) + text);
    }
}

std::map<std::string, std::string> draw_characters(std::span<const Figure> figures, bool colours, int columns,
                                                   int jobs) {
    std::map<std::string, std::string> drawings;
    if (figures.empty() || !find_program("gnuplot"))
        return drawings;
    const PlotTarget target = colours ? PlotTarget::coloured_characters : PlotTarget::characters;
    const ScratchDirectory scratch;
    check_plots(run_all(prepare_plots(figures, target, scratch.path(), jobs, columns), jobs), figures, target,
                scratch.path());
    for (const Figure& figure : figures) {
        std::ifstream stream(scratch.path() + "/" + figure.id + ".txt", std::ios::binary);
        drawings[figure.id] = trimmed_lines(stream);
        if (std::string legend = character_legend(figure.panels.front()); !legend.empty())
            for (const std::string& line : wrapped(legend, static_cast<std::size_t>(columns - 4)))
                drawings[figure.id] += "    " + line + "\n";
    }
    return drawings;
}

} // namespace skampi
