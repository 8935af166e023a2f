// SPDX-License-Identifier: GPL-2.0-or-later
#include "drawing/ratio_figure.hpp"

#include "analysis/models/curve_model.hpp"
#include "drawing/plot_points.hpp"
#include "model/quantity.hpp"
#include "words/suite_words.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <utility>

namespace skampi {

namespace {

/// The range of the common axis: found differences, suites as wholes, and the most usual of the single points
/// without a finding.
std::vector<double> ratios_that_count(const std::vector<RatioPlot>& plots) {
    std::vector<double> ratios, uncertain;
    for (const RatioPlot& plot : plots)
        for (const SuiteContest* suite : plot.against) {
            if (!suite || !suite->compared())
                continue;
            if (can_be_drawn(suite->whole()->ratio))
                ratios.push_back(suite->whole()->ratio);
            for (const Statement* point : suite->of_kind(Place::Kind::point))
                if (point->different())
                    ratios.push_back(point->ratio);
                else if (can_be_drawn(point->ratio) && point->ratio > 0)
                    uncertain.push_back(std::fabs(std::log(point->ratio)));
        }
    std::ranges::sort(uncertain);
    if (!uncertain.empty())
        ratios.push_back(std::exp(uncertain[uncertain.size() * 9 / 10]));
    return ratios;
}

Panel ratio_panel(const RatioPlot& plot, const Axis& y, const std::vector<std::string>& labels) {
    Panel panel;
    const Curve& reference = *plot.reference;
    panel.title = title_of(reference) + plot.state;
    panel.section = suite_heading(reference);
    std::vector<std::int64_t> arguments;
    for (const StoredMeasurement& point : reference.points)
        arguments.push_back(point.measurement.argument);
    panel.x = argument_axis(arguments,
                            reference.suite().varied == Varied::message_length ? AxisQuantity::bytes_with_unit
                                                                               : AxisQuantity::count,
                            log_argument(reference), "", 4);
    panel.y = y;
    panel.horizontal_mark = 1;
    for (std::size_t i = 0; i < plot.against.size(); ++i)
        if (const SuiteContest* suite = plot.against[i]; suite && suite->compared())
            for (Layer& layer :
                 ratio_layers(*suite, panel.x, static_cast<int>(i), LayerStyle::line,
                              {curve_model(*suite->reference), curve_model(*suite->subject)})) {
                if (layer.style == LayerStyle::line && labels.size() > 1)
                    layer.label = labels[i];
                panel.layers.push_back(std::move(layer));
            }
    keep_within(panel);
    return panel;
}

} // namespace

std::vector<Layer> ratio_layers(const SuiteContest& suite, const Axis& x, int colour, LayerStyle style,
                                const std::vector<CostModel>& broken) {
    Layer band{LayerStyle::band, colour, "", {}};
    Layer line{style, colour, "", {}};
    Layer found{LayerStyle::large_points, colour, "", {}};
    bool gap = false;
    for (const Statement* point : suite.of_kind(Place::Kind::point)) {
        if (!can_be_drawn(point->ratio) || !(point->ratio > 0)) {
            gap = true;
            continue;
        }
        const double at = position(x, point->place.from);
        const bool judged = point->judged();
        line.points.push_back({at, point->ratio, judged ? point->low : point->ratio,
                               judged ? point->high : point->ratio, gap, true});
        gap = false;
        if (judged)
            band.points.push_back({at, point->ratio, point->low, point->high, false});
        if (point->different())
            found.points.push_back({at, point->ratio, point->ratio, point->ratio, false});
    }
    for (Layer* layer : {&band, &line}) {
        mark_gaps(layer->points, x);
        for (const CostModel& model : broken)
            mark_jumps(layer->points, x, model);
    }
    std::vector<Layer> layers;
    for (Layer* layer : {&band, &line, &found})
        if (!layer->points.empty())
            layers.push_back(std::move(*layer));
    return layers;
}

Figure ratios_figure(const std::string& id, const std::vector<RatioPlot>& plots,
                     const std::vector<std::string>& labels, std::size_t most) {
    Figure figure;
    figure.id = id;
    figure.small = true;
    const Axis y = ratio_axis(ratios_that_count(plots), "", 5);
    for (const RatioPlot& plot : plots) {
        if (figure.panels.size() == most)
            break;
        if (Panel panel = ratio_panel(plot, y, labels); !panel.layers.empty())
            figure.panels.push_back(std::move(panel));
    }
    arrange_small_panels(figure);
    figure.description = fmt::format("Ratios of {}.", count_of(figure.panels.size(), "suite"));
    return figure;
}

} // namespace skampi
