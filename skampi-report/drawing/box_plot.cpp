// SPDX-License-Identifier: GPL-2.0-or-later
#include "drawing/box_plot.hpp"

#include "model/quantity.hpp"
#include "skalib/statistics.hpp"

#include "base/text.hpp"
#include "base/utf8.hpp"

#include <algorithm>
#include <cmath>

namespace skampi {

namespace {

/// Times that cover more than this factor can be distinguished on a logarithmic axis only.
constexpr double log_from_ratio = 30;

bool drawable(const Box& box) {
    return can_be_drawn(box.minimum) && can_be_drawn(box.median) && can_be_drawn(box.maximum);
}

/// Characters of a name next to its row.
constexpr std::size_t longest_row_name = 34;

bool has_quartiles(const Box& box) {
    return box.lower_quartile && can_be_drawn(*box.lower_quartile) && can_be_drawn(*box.upper_quartile);
}

std::string line_of(const Box& box, const Axis& axis, std::size_t width) {
    const auto place = [&](double value) {
        const double share = !axis.log ? (value - axis.low) / (axis.high - axis.low)
                             : value <= axis.low
                                 ? 0
                                 : std::log(value / axis.low) / std::log(axis.high / axis.low);
        return static_cast<std::size_t>(
            std::lround(std::clamp(share, 0.0, 1.0) * static_cast<double>(width - 1)));
    };
    std::string text(width, ' ');
    const auto draw = [&](double from, double to, char line, char begin, char end) {
        const std::size_t first = std::min(place(from), place(to));
        const std::size_t last = std::max(place(from), place(to));
        std::fill(text.begin() + static_cast<std::ptrdiff_t>(first),
                  text.begin() + static_cast<std::ptrdiff_t>(last) + 1, line);
        text[first] = begin;
        text[last] = end;
    };
    draw(box.minimum, box.maximum, '-', '|', '|');
    if (has_quartiles(box))
        draw(*box.lower_quartile, *box.upper_quartile, '=', '[', ']');
    text[place(box.median)] = '#';
    return text;
}

/// The axis all boxes of a plot share.
Axis box_axis(const std::vector<BoxRow>& rows, TimeUnit unit) {
    std::vector<double> all;
    for (const BoxRow& row : rows)
        for (const std::optional<Box>& box : row.boxes)
            if (box && drawable(*box))
                all.insert(all.end(), {box->minimum, box->median, box->maximum});
    double least = 0;
    double most = 0;
    for (const double value : all)
        if (value > 0) {
            least = least == 0 ? value : std::min(least, value);
            most = std::max(most, value);
        }
    return value_axis(all, AxisQuantity::time, most > log_from_ratio * least, "", 7, {.time = unit});
}

Figure drawn_boxes(const std::string& id, const std::vector<BoxRow>& rows,
                   const std::vector<std::string>& groups, Axis axis) {
    Figure figure;
    figure.id = id;
    Panel panel;
    panel.x = std::move(axis);
    const auto count = static_cast<double>(rows.size());
    panel.y.low = 0.4;
    panel.y.high = count + 0.6 + (groups.size() > 1 ? 0.5 * static_cast<double>(groups.size()) : 0.0);
    std::size_t longest = 0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const std::string name = shortened_name(rows[i].name, longest_row_name);
        longest = std::max(longest, name.size());
        panel.y.ticks.push_back({count - static_cast<double>(i), name});
    }
    const double half_height = 0.36 / static_cast<double>(groups.size());
    for (std::size_t group = 0; group < groups.size(); ++group) {
        const int colour = static_cast<int>(group);
        Layer whiskers{LayerStyle::whiskers, colour, "", {}};
        Layer boxes{LayerStyle::boxes, colour, groups.size() > 1 ? groups[group] : "", {}};
        Layer medians{LayerStyle::bars, colour, "", {}};
        Layer means{LayerStyle::crosses, colour, "", {}};
        const double shift =
            half_height * (static_cast<double>(groups.size()) - 1 - 2 * static_cast<double>(group));
        for (std::size_t i = 0; i < rows.size(); ++i) {
            const std::optional<Box>& box = rows[i].boxes[group];
            if (!box || !drawable(*box))
                continue;
            const double y = count - static_cast<double>(i) + shift;
            // Values not above 0 begin at a logarithmic axis; parts outside an axis end at its edge.
            const auto shown = [&](double value) { return std::clamp(value, panel.x.low, panel.x.high); };
            whiskers.points.push_back(
                {shown(box->median), y, shown(box->minimum), shown(box->maximum), false});
            medians.points.push_back({shown(box->median), y, 0, 0, false});
            if (can_be_drawn(box->mean) && box->mean <= panel.x.high)
                means.points.push_back({shown(box->mean), y, 0, 0, false});
            if (has_quartiles(*box))
                boxes.points.push_back(
                    {shown(box->median), y, shown(*box->lower_quartile), shown(*box->upper_quartile), false});
        }
        for (Layer* layer : {&whiskers, &boxes, &medians, &means}) {
            layer->half_height = 0.8 * half_height;
            panel.layers.push_back(std::move(*layer));
        }
    }
    figure.left_margin_cm = 1.0 + 0.14 * static_cast<double>(longest);
    figure.height_cm = 1.3 + (groups.size() > 1 ? 0.75 : 0.55) * panel.y.high;
    figure.panels.push_back(std::move(panel));
    figure.description = "Box plots of " + count_of(rows.size(), "pattern") + ".";
    return figure;
}

/// The axis for shares of the medians: as wide as most boxes need.
Axis share_axis(const std::vector<BoxRow>& rows) {
    std::vector<double> widths; // distances of quartiles from their medians
    double lowest = 1;
    double highest = 1;
    for (const BoxRow& row : rows)
        for (const std::optional<Box>& box : row.boxes)
            if (box && drawable(*box)) {
                if (has_quartiles(*box))
                    widths.push_back(std::max(*box->upper_quartile - 1, 1 - *box->lower_quartile));
                lowest = std::min(lowest, box->minimum);
                highest = std::max(highest, box->maximum);
            }
    constexpr double boxes_each_side = 5;
    constexpr double least = 0.01; // of equal values
    // Not the widest: one extreme argument would turn all other boxes into lines.
    const double typical = skalib::median(std::move(widths));
    const double reach = std::max(least, boxes_each_side * typical);
    Axis axis = value_axis({std::max({0.0, lowest, 1 - reach}), std::min(highest, 1 + reach)},
                           AxisQuantity::ratio, false, "time / median of its argument", 9);
    axis.low =
        std::max(axis.low, std::min(1 - 0.1 * reach, std::max({0.0, lowest, 1 - reach}) - 0.05 * reach));
    axis.high = std::max(1 + 0.1 * reach, std::min(highest, 1 + reach));
    std::erase_if(axis.ticks, [&](const Tick& tick) { return tick.at < axis.low || tick.at > axis.high; });
    return axis;
}

} // namespace

Figure box_figure(const std::string& id, const std::vector<BoxRow>& rows,
                  const std::vector<std::string>& groups, TimeUnit unit) {
    return drawn_boxes(id, rows, groups, box_axis(rows, unit));
}

Figure share_box_figure(const std::string& id, std::vector<BoxRow> rows) {
    for (BoxRow& row : rows)
        for (std::optional<Box>& box : row.boxes) {
            if (!box || !(box->median > 0)) {
                box.reset();
                continue;
            }
            const double median = box->median;
            for (double* value : {&box->minimum, &box->median, &box->maximum, &box->mean})
                *value /= median;
            if (box->lower_quartile && box->upper_quartile) {
                *box->lower_quartile /= median;
                *box->upper_quartile /= median;
            }
        }
    return drawn_boxes(id, rows, {""}, share_axis(rows));
}

std::string box_characters(const std::vector<BoxRow>& rows, const std::vector<std::string>& groups,
                           TimeUnit unit) {
    constexpr std::size_t width = 60;
    const Axis axis = box_axis(rows, unit);
    std::vector<std::string> names;
    std::size_t longest = 0;
    for (const BoxRow& row : rows)
        longest = std::max(longest, character_count(names.emplace_back(
                                        printable(shortened_name(row.name, longest_row_name)))));
    std::string text;
    for (std::size_t i = 0; i < rows.size(); ++i)
        for (std::size_t group = 0; group < groups.size(); ++group) {
            const std::string name = group == 0 ? names[i] : "";
            text += name + std::string(longest - character_count(name), ' ') + "  ";
            if (const std::optional<Box>& box = rows[i].boxes[group]; box && drawable(*box))
                text +=
                    line_of(*box, axis, width) + (groups.size() > 1 ? "  " + printable(groups[group]) : "");
            text += '\n';
        }
    const std::string low = format_time(axis.low, 3, unit);
    const std::string high = format_time(axis.high, 3, unit);
    const std::size_t used = character_count(low) + character_count(high);
    return text + std::string(longest + 2, ' ') + low + std::string(width > used ? width - used : 1, ' ') +
           high + (axis.log ? " (logarithmic)" : "") + "\n" + std::string(longest + 2, ' ') +
           "|---| smallest to largest, [==] quartiles, # median\n";
}

} // namespace skampi
