// SPDX-License-Identifier: GPL-2.0-or-later
#include "drawing/distribution_figure.hpp"

#include "skalib/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <utility>

namespace skampi {

namespace {

/// The most steps drawn of a curve, about: more than a plot can show.
constexpr std::size_t most_steps = 400;

/// The places of the steps drawn: spread over the values, with all of the largest ones.
std::vector<std::size_t> steps_of(std::size_t count) {
    constexpr std::size_t tail = most_steps / 4;
    const std::size_t stride =
        count <= most_steps ? 1 : (count - tail + most_steps - tail - 1) / (most_steps - tail);
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < count; i += i + tail >= count ? 1 : stride)
        places.push_back(i);
    return places;
}

Layer steps_layer(const Distribution& distribution, int colour, const Axis& x) {
    Layer layer{LayerStyle::line, colour, distribution.label, {}};
    const std::vector<double>& times = distribution.times_s;
    double share = 0;
    for (const std::size_t place : steps_of(times.size())) {
        if (!can_be_drawn(times[place]) || (x.log && times[place] <= 0))
            continue;
        const double at = std::max(times[place], x.low);
        const double reached = static_cast<double>(place + 1) / static_cast<double>(times.size());
        layer.points.push_back({at, share, share, share, false});
        layer.points.push_back({at, reached, reached, reached, false});
        share = reached;
    }
    return layer;
}

Layer quantiles_layer(const Distribution& distribution, int colour, const Axis& x) {
    Layer layer{LayerStyle::large_points, colour, "", {}};
    for (const double share : {0.5, 0.95, 0.99}) {
        const double at = skalib::quantile(distribution.times_s, share);
        if (can_be_drawn(at) && !(x.log && at <= 0))
            layer.points.push_back({at, share, share, share, true});
    }
    return layer;
}

} // namespace

Figure distribution_figure(const std::string& id, std::span<const Distribution> distributions,
                           const Units& units) {
    constexpr double log_from_ratio = 30;
    std::vector<double> all;
    double least = 0;
    double most = 0;
    for (const Distribution& each : distributions)
        for (const double time_s : each.times_s) {
            all.push_back(time_s);
            if (time_s > 0) {
                least = least == 0 ? time_s : std::min(least, time_s);
                most = std::max(most, time_s);
            }
        }
    Panel panel;
    panel.x = value_axis(all, AxisQuantity::time, most > log_from_ratio * least, "time", 7, units);
    if (panel.x.log)
        panel.x.high *= 1.3; // so that the last label is inside the drawing
    panel.y.title = "share of the single measurements";
    panel.y.high = 1.02;
    for (const int percent : {0, 25, 50, 75, 95, 100})
        panel.y.ticks.push_back({percent / 100.0, fmt::format("{} %", percent)});
    int colour = 0;
    for (const Distribution& each : distributions) {
        panel.layers.push_back(steps_layer(each, colour, panel.x));
        panel.layers.push_back(quantiles_layer(each, colour, panel.x));
        ++colour;
    }
    Figure figure;
    figure.id = id;
    figure.width_cm = 11;
    figure.height_cm = 6;
    figure.panels.push_back(std::move(panel));
    figure.description = "Distribution of the single measurements.";
    return figure;
}

} // namespace skampi
