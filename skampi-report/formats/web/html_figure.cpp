// SPDX-License-Identifier: GPL-2.0-or-later
#include "formats/web/html_figure.hpp"

#include "base/text.hpp"
#include "base/utc.hpp"
#include "base/utf8.hpp"
#include "model/quantity.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fmt/format.h>
#include <iterator>
#include <vector>

namespace skampi {

namespace {

/// A place within the drawing, in its own units.
struct PixelPlace {
    double x = 0;
    double y = 0;
};

/// How large a drawing is and its letters are. A full one is about as wide as a narrow telephone, so that
/// letters are never much smaller than those of the text.
struct Measures {
    double width;
    double height;
    double character; ///< width of a letter, generously
    double top;
    double right;
    double bottom;
    double least_left;
    double most_left;
};
constexpr Measures full{440, 280, 7.2, 26, 14, 46, 42, 190};
constexpr Measures small{180, 112, 5.6, 8, 17, 18, 30, 72};

/// With the unit behind it where one was chosen: "time=ms".
std::string quantity_name(const Axis& axis) {
    const auto in = [](const std::string& name, const char* unit) {
        return *unit ? name + "=" + unit : name;
    };
    switch (axis.quantity) {
    case AxisQuantity::bytes:
    case AxisQuantity::bytes_with_unit:
        return "bytes";
    case AxisQuantity::count:
        return "count";
    case AxisQuantity::time:
        return in("time", unit_name(axis.units.time));
    case AxisQuantity::bandwidth:
        return in("bandwidth", unit_name(axis.units.bandwidth));
    case AxisQuantity::ratio:
        return "ratio";
    case AxisQuantity::date:
        return "date";
    }
    return "count";
}

std::string number_text(const Axis& axis, double value) {
    switch (axis.quantity) {
    case AxisQuantity::bytes:
    case AxisQuantity::bytes_with_unit:
        return format_bytes(static_cast<std::int64_t>(std::llround(value)));
    case AxisQuantity::count:
        return fmt::format("{:.10g}", value);
    case AxisQuantity::time:
        return format_time(value, 4, axis.units.time);
    case AxisQuantity::bandwidth:
        return format_bandwidth(value, 4, axis.units.bandwidth);
    case AxisQuantity::ratio:
        return format_ratio(value);
    case AxisQuantity::date: {
        std::string moment = utc_text(value * seconds_per_day + 0.5).substr(0, 16);
        moment[10] = ' '; // between day and time
        return moment;
    }
    }
    return {};
}

/// "990.0 to 995.0 ns"
std::string range_text(const Axis& axis, double low, double high) {
    std::string from = number_text(axis, low);
    const std::string to = number_text(axis, high);
    const std::size_t unit = from.rfind(' ');
    if (unit != std::string::npos && to.ends_with(from.substr(unit)))
        from.erase(unit);
    return from + " to " + to;
}

std::string argument_text(const Axis& axis, double at) {
    return number_text(axis, axis.zero_at && at == *axis.zero_at ? 0 : at);
}

/// Which entry of the legend switches a layer: that of its label, of a layer without one that of its kind.
/// -1 = none.
int series_of(const Legend& legend, const Layer& layer) {
    const auto entry = std::ranges::find_if(legend.entries, [&](const Layer* each) {
        return each->style == layer.style &&
               (layer.label.empty() ? each->colour == layer.colour : each->label == layer.label);
    });
    return entry == legend.entries.end() ? -1
                                         : static_cast<int>(std::distance(legend.entries.begin(), entry));
}

std::string colour_class(int colour) {
    constexpr int colours = 7;
    return colour < 0 ? "grey" : fmt::format("c{}", colour % colours);
}

/// The data of a path, as short as they can be: in tenths, each place relative to the one before.
class PathData {
public:
    void move(PixelPlace at) {
        add('m', at);
        begin_x_ = x_;
        begin_y_ = y_;
    }
    void line(PixelPlace at) { add('l', at); }
    void close() {
        text_ += last_ = 'z';
        x_ = begin_x_;
        y_ = begin_y_;
    }
    /// A line of no length, whose round ends make it a point.
    void point(PixelPlace at) {
        move(at);
        close();
    }
    [[nodiscard]] bool empty() const { return text_.empty(); }
    [[nodiscard]] const std::string& text() const { return text_; }

private:
    void add(char command, PixelPlace at) {
        const long x = std::lround(10 * at.x);
        const long y = std::lround(10 * at.y);
        const bool goes_on = command == 'l' && (last_ == 'm' || last_ == 'l'); // further pairs are lines
        if (!goes_on)
            text_ += last_ = command;
        number(x - x_, goes_on);
        number(y - y_, true);
        x_ = x;
        y_ = y;
    }
    void number(long tenths, bool separate) {
        if (separate && tenths >= 0)
            text_ += ' ';
        const long size = std::labs(tenths);
        if (tenths < 0)
            text_ += '-';
        if (size >= 10 || size == 0)
            text_ += std::to_string(size / 10);
        if (size % 10 != 0)
            text_ += fmt::format(".{}", size % 10);
    }

    std::string text_;
    char last_ = ' ';
    long x_ = 0, y_ = 0, begin_x_ = 0, begin_y_ = 0;
};

class PanelWriter {
public:
    PanelWriter(const Figure& figure, const Legend& legend, std::size_t index)
        : figure_(figure)
        , legend_(legend)
        , panel_(figure.panels[index])
        , index_(index)
        , measures_(figure.small ? small : full) {
        std::size_t longest = 1;
        for (const Tick& tick : panel_.y.ticks)
            longest = std::max(longest, character_count(tick.label));
        left_ = std::clamp(measures_.character * static_cast<double>(longest) + 12, measures_.least_left,
                           measures_.most_left);
        label_characters_ = static_cast<std::size_t>((left_ - 10) / measures_.character);
        height_ = measures_.height;
        const bool square = std::ranges::any_of(
            panel_.layers, [](const Layer& layer) { return layer.style == LayerStyle::cells; });
        if (square)
            height_ = width_of_box() + measures_.top + measures_.bottom;
        if (boxes()) // a row for each box
            height_ = std::max(120.0, measures_.top + measures_.bottom + 26 * (panel_.y.high - panel_.y.low));
    }

    [[nodiscard]] std::string drawing() const {
        std::string text =
            fmt::format("<svg class=\"plot\" viewBox=\"0 0 {:.0f} {:.0f}\" role=\"img\" aria-label=\"{}\" "
                        "data-box=\"{:.1f} {:.1f} {:.1f} {:.1f}\" data-x=\"{}\" data-y=\"{}\">\n",
                        measures_.width, height_, for_html(description()), left_, measures_.top,
                        width_of_box(), height_of_box(), axis_data(panel_.x, quantity_name(panel_.x)),
                        axis_data(panel_.y, boxes() ? "names" : quantity_name(panel_.y)));
        const std::string clip = fmt::format("clip-{}-{}", figure_.id, index_ + 1);
        text += fmt::format("<clipPath id=\"{}\"><rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" "
                            "height=\"{:.1f}\"/></clipPath>\n",
                            clip, left_, measures_.top - 4, width_of_box() + 4, height_of_box() + 8);
        text += "<g class=\"axis x\">" + axis_x() + "</g>\n<g class=\"axis y\">" + axis_y() + "</g>\n";
        text += fmt::format("<path class=\"frame\" d=\"M{0:.1f} {1:.1f}V{2:.1f}H{3:.1f}\"/>\n", left_,
                            measures_.top, bottom(), left_ + width_of_box());
        text += fmt::format("<g class=\"data\" clip-path=\"url(#{})\">\n", clip);
        const auto mark = [](const char* classes, PixelPlace from, PixelPlace to) {
            PathData d;
            d.move(from);
            d.line(to);
            return path(classes, -1, d);
        };
        for (const double at : panel_.vertical_marks)
            text += mark("mark", {x(at), measures_.top}, {x(at), bottom()});
        if (panel_.horizontal_mark)
            text += mark("mark level", {left_, y(*panel_.horizontal_mark)},
                         {left_ + width_of_box(), y(*panel_.horizontal_mark)});
        for (const Layer& layer : panel_.layers)
            text += drawn(layer);
        text += "</g>\n";
        if (panel_.x.zero_at && panel_.x.gap_at > 0)
            text += fmt::format(
                "<text class=\"gap\" x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">//</text>\n",
                x(panel_.x.gap_at), bottom() + 4);
        if (!figure_.small) {
            text += fmt::format(
                "<text class=\"title\" x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{}</text>\n",
                left_ + width_of_box() / 2, height_ - 6, for_html(panel_.x.title));
            text +=
                fmt::format("<text class=\"title\" x=\"4\" y=\"13\">{}</text>\n", for_html(panel_.y.title));
        }
        return text + "</svg>";
    }

    /// The values a pointer can be on, a table for each series in the order of the drawing's paths "at",
    /// which hold their places.
    [[nodiscard]] std::string values() const {
        std::string tables;
        for (const Layer& layer : panel_.layers)
            if (has_values(layer))
                tables += values_of(layer);
        return tables;
    }

private:
    [[nodiscard]] bool boxes() const {
        return std::ranges::any_of(panel_.layers,
                                   [](const Layer& layer) { return layer.style == LayerStyle::whiskers; });
    }

    [[nodiscard]] std::string description() const {
        if (!panel_.title.empty())
            return panel_.title;
        return panel_.y.title.empty() ? figure_.description : panel_.y.title + " over " + panel_.x.title;
    }

    [[nodiscard]] double width_of_box() const { return measures_.width - left_ - measures_.right; }
    [[nodiscard]] double height_of_box() const { return height_ - measures_.top - measures_.bottom; }
    [[nodiscard]] double bottom() const { return height_ - measures_.bottom; }

    static double share(const Axis& axis, double value) {
        const double part =
            axis.log ? (std::log(value) - std::log(axis.low)) / (std::log(axis.high) - std::log(axis.low))
                     : (value - axis.low) / (axis.high - axis.low);
        // Values far outside, or infinite ones, must not make the drawing unreadable for a browser.
        return std::isnan(part) ? 0 : std::clamp(part, -9.0, 10.0);
    }
    [[nodiscard]] double x(double value) const { return left_ + width_of_box() * share(panel_.x, value); }
    [[nodiscard]] double y(double value) const { return bottom() - height_of_box() * share(panel_.y, value); }

    static std::string axis_data(const Axis& axis, const std::string& quantity) {
        return fmt::format("{} {:.10g} {:.10g} {} {}", axis.log ? "log" : "linear", axis.low, axis.high,
                           quantity,
                           axis.zero_at ? fmt::format("{:.10g} {:.10g}", *axis.zero_at, axis.gap_at) : "");
    }

    /// A line for each tick, as one path.
    static std::string grid(const PathData& d) {
        return d.empty() ? "" : "<path class=\"grid\" d=\"" + d.text() + "\"/>";
    }

    [[nodiscard]] std::string axis_x() const {
        std::string text;
        PathData lines;
        for (const Tick& tick : panel_.x.ticks) {
            const double at = x(tick.at);
            if (!figure_.small) {
                lines.move({at, measures_.top});
                lines.line({at, bottom()});
            }
            text += fmt::format("<text x=\"{:.4g}\" y=\"{:.4g}\">{}</text>", at,
                                bottom() + (figure_.small ? 12 : 17), for_html(tick.label));
        }
        return grid(lines) + text;
    }

    [[nodiscard]] std::string axis_y() const {
        std::string text;
        PathData lines;
        for (const Tick& tick : panel_.y.ticks) {
            const double at = y(tick.at);
            if (!figure_.small && !boxes()) {
                lines.move({left_, at});
                lines.line({left_ + width_of_box(), at});
            }
            text += fmt::format("<text x=\"{:.4g}\" y=\"{:.4g}\">{}</text>", left_ - 5, at + 4,
                                for_html(shortened(tick.label, label_characters_)));
        }
        return grid(lines) + text;
    }

    /// Whether a pointer can be on its points.
    static bool has_values(const Layer& layer) {
        return !layer.points.empty() &&
               (layer.style == LayerStyle::error_points || layer.style == LayerStyle::open_points);
    }

    [[nodiscard]] std::string values_of(const Layer& layer) const {
        const auto has_bar = [&](const PlotPoint& point) {
            return layer.style == LayerStyle::error_points && (point.low != point.y || point.high != point.y);
        };
        const bool bars = std::ranges::any_of(layer.points, has_bar);
        const int series = series_of(legend_, layer);
        const std::string& name =
            series < 0 ? layer.label : legend_.entries[static_cast<std::size_t>(series)]->label;
        std::string text = fmt::format(
            "<div class=\"scroll\"><table class=\"values\" data-panel=\"{}\" data-series=\"{}\">{}\n"
            "<thead><tr><th>{}<th>{}{}</thead>\n<tbody>\n",
            index_, series, name.empty() ? "" : "<caption>" + for_html(name) + "</caption>",
            for_html(panel_.x.title), for_html(panel_.y.title), bars ? "<th>from, to" : "");
        // Without end tags, which HTML does not need: rows are most of a large page.
        for (const PlotPoint& point : layer.points)
            text += fmt::format("<tr><td>{}<td>{}{}{}\n", for_html(argument_text(panel_.x, point.x)),
                                for_html(number_text(panel_.y, point.y)), bars ? "<td>" : "",
                                has_bar(point) ? for_html(range_text(panel_.y, point.low, point.high)) : "");
        return text + "</tbody></table></div>\n";
    }

    static std::string path(const std::string& classes, int series, const PathData& d) {
        if (d.empty())
            return {};
        return series < 0 ? fmt::format("<path class=\"{}\" d=\"{}\"/>\n", classes, d.text())
                          : fmt::format("<path class=\"{}\" data-series=\"{}\" d=\"{}\"/>\n", classes, series,
                                        d.text());
    }
    [[nodiscard]] PixelPlace place(double at_x, double at_y) const { return {x(at_x), y(at_y)}; }

    [[nodiscard]] PathData line(const Layer& layer) const {
        PathData d;
        for (const PlotPoint& point : layer.points)
            if (d.empty() || point.gap_before)
                d.move(place(point.x, point.y));
            else
                d.line(place(point.x, point.y));
        return d;
    }

    /// One path for any number of points.
    [[nodiscard]] PathData dots(const Layer& layer) const {
        PathData d;
        for (const PlotPoint& point : layer.points)
            d.point(place(point.x, point.y));
        return d;
    }

    [[nodiscard]] PathData error_bars(const Layer& layer) const {
        PathData d;
        for (const PlotPoint& point : layer.points)
            if (point.low < point.high && !point.bar_hidden) {
                d.move(place(point.x, point.low));
                d.line(place(point.x, point.high));
            }
        return d;
    }

    /// The areas between low and high, a closed one for each piece without a gap.
    [[nodiscard]] PathData areas(const Layer& layer) const {
        PathData d;
        for (std::size_t begin = 0; begin < layer.points.size();) {
            std::size_t end = begin + 1;
            while (end < layer.points.size() && !layer.points[end].gap_before)
                ++end;
            d.move(place(layer.points[begin].x, layer.points[begin].low));
            for (std::size_t i = begin + 1; i < end; ++i)
                d.line(place(layer.points[i].x, layer.points[i].low));
            for (std::size_t i = end; i > begin; --i)
                d.line(place(layer.points[i - 1].x, layer.points[i - 1].high));
            d.close();
            begin = end;
        }
        return d;
    }

    [[nodiscard]] PathData whiskers(const Layer& layer) const {
        PathData d;
        for (const PlotPoint& point : layer.points) {
            d.move(place(point.low, point.y));
            d.line(place(point.high, point.y));
        }
        return d;
    }

    [[nodiscard]] PathData boxes_of(const Layer& layer) const {
        PathData d;
        for (const PlotPoint& point : layer.points) {
            d.move(place(point.low, point.y - layer.half_height));
            d.line(place(point.high, point.y - layer.half_height));
            d.line(place(point.high, point.y + layer.half_height));
            d.line(place(point.low, point.y + layer.half_height));
            d.close();
        }
        return d;
    }

    [[nodiscard]] PathData cells(const Layer& layer) const {
        PathData d;
        for (const PlotPoint& point : layer.points) {
            const double size = point.low;
            d.move(place(point.x - size, point.y - size));
            d.line(place(point.x + size, point.y - size));
            d.line(place(point.x + size, point.y + size));
            d.line(place(point.x - size, point.y + size));
            d.close();
        }
        return d;
    }

    [[nodiscard]] PathData upright_bars(const Layer& layer) const {
        PathData d;
        for (const PlotPoint& point : layer.points) {
            d.move(place(point.x, point.y - layer.half_height));
            d.line(place(point.x, point.y + layer.half_height));
        }
        return d;
    }

    [[nodiscard]] PathData crosses(const Layer& layer) const {
        constexpr double arm = 3;
        PathData d;
        for (const PlotPoint& point : layer.points) {
            const PixelPlace at = place(point.x, point.y);
            d.move({at.x - arm, at.y - arm});
            d.line({at.x + arm, at.y + arm});
            d.move({at.x - arm, at.y + arm});
            d.line({at.x + arm, at.y - arm});
        }
        return d;
    }

    [[nodiscard]] std::string drawn(const Layer& layer) const {
        const int series = series_of(legend_, layer);
        const std::string colour = colour_class(layer.colour);
        const std::string many = layer.points.size() > 60 ? " many" : "";
        const std::string at = figure_.small ? "" : " at"; // where the values of a table are
        switch (layer.style) {
        case LayerStyle::band:
            return path("band " + colour, series, areas(layer));
        case LayerStyle::line:
            return path("line " + colour, series, line(layer));
        case LayerStyle::faint_line:
            return path("faint", series, line(layer));
        case LayerStyle::model:
            return path("model " + colour, series, line(layer));
        case LayerStyle::error_points:
            return path("bars " + colour, series, error_bars(layer)) +
                   path("curve " + colour, series, line(layer)) +
                   path("dots " + colour + many + at, series, dots(layer));
        case LayerStyle::median:
            return path("line median " + colour, series, line(layer));
        case LayerStyle::large_points:
            return path("dots " + colour, series, dots(layer));
        case LayerStyle::open_points:
            // Many rings would cover the drawing.
            if (constexpr std::size_t most_rings = 100; layer.points.size() > most_rings)
                return path("dots many " + colour + at, series, dots(layer));
            return path("rings " + colour + at, series, dots(layer)) + path("holes", series, dots(layer));
        case LayerStyle::whiskers:
            return path("bars " + colour, series, whiskers(layer));
        case LayerStyle::boxes:
            return path("box " + colour, series, boxes_of(layer));
        case LayerStyle::bars:
            return path("bar " + colour, series, upright_bars(layer));
        case LayerStyle::cells:
            return path(fmt::format("cells h{}", layer.colour), series, cells(layer));
        case LayerStyle::crosses:
            return path("cross", series, crosses(layer));
        }
        return {};
    }

    const Figure& figure_;
    const Legend& legend_;
    const Panel& panel_;
    std::size_t index_;
    Measures measures_;
    double left_ = 0;
    double height_ = 0;
    std::size_t label_characters_ = 0;
};

std::string sample(const Layer& layer) {
    const std::string colour = colour_class(layer.colour);
    const char* straight = "M1 6L21 6";
    std::string paths;
    const auto add = [&](const std::string& classes, const char* d) {
        paths += fmt::format("<path class=\"{}\" d=\"{}\"/>", classes, d);
    };
    switch (layer.style) {
    case LayerStyle::band:
        add("band " + colour, "M1 1L21 1L21 11L1 11Z");
        break;
    case LayerStyle::line:
        add("line " + colour, straight);
        break;
    case LayerStyle::faint_line:
        add("faint", straight);
        break;
    case LayerStyle::model:
        add("model " + colour, straight);
        break;
    case LayerStyle::error_points:
        add("bars " + colour, "M11 0L11 12");
        add("curve " + colour, straight);
        add("dots " + colour, "M11 6L11 6");
        break;
    case LayerStyle::median:
        add("line median " + colour, straight);
        break;
    case LayerStyle::large_points:
        add("dots " + colour, "M11 6L11 6");
        break;
    case LayerStyle::open_points:
        add("rings " + colour, "M11 6L11 6");
        add("holes", "M11 6L11 6");
        break;
    case LayerStyle::whiskers:
    case LayerStyle::bars:
        add("bars " + colour, straight);
        break;
    case LayerStyle::boxes:
        add("box " + colour, "M3 2L19 2L19 10L3 10Z");
        break;
    case LayerStyle::cells:
        add(fmt::format("cells h{}", layer.colour), "M6 1L16 1L16 11L6 11Z");
        break;
    case LayerStyle::crosses:
        add("cross", "M8 3L14 9M8 9L14 3");
        break;
    }
    return "<svg class=\"sample\" viewBox=\"0 0 22 12\" aria-hidden=\"true\">" + paths + "</svg>";
}

} // namespace

std::string figure_html(const Figure& figure, const AnchorOf& anchor_of) {
    const Legend legend = legend_of(figure);
    std::string text =
        fmt::format("<div class=\"{}\" id=\"{}\">\n", figure.small ? "panels small" : "panels", figure.id);
    std::string values;
    for (std::size_t i = 0; i < figure.panels.size(); ++i) {
        const PanelWriter writer(figure, legend, i);
        const std::string& title = figure.panels[i].title;
        if (figure.small) {
            const std::string anchor = anchor_of(figure.panels[i].section);
            const std::string inside = fmt::format("<span>{}</span>\n{}", for_html(title), writer.drawing());
            text += anchor.empty() ? "<div class=\"panel\">" + inside + "</div>\n"
                                   : fmt::format("<a class=\"panel\" href=\"#{}\">{}</a>\n", anchor, inside);
        } else {
            text += "<div class=\"panel\">" + writer.drawing() + "</div>\n";
            values += writer.values();
        }
    }
    text += "</div>\n";
    if (!legend.entries.empty()) {
        text += "<ul class=\"legend\">\n";
        for (std::size_t i = 0; i < legend.entries.size(); ++i)
            text += fmt::format("<li data-series=\"{}\">{} {}</li>\n", i, sample(*legend.entries[i]),
                                for_html(legend.entries[i]->label));
        text += "</ul>\n";
    }
    if (!values.empty())
        text += "<details class=\"behind\"><summary>Values of this plot</summary>\n<div class=\"tables\">\n" +
                values + "</div></details>\n";
    return text;
}

} // namespace skampi
