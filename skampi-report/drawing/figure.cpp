// SPDX-License-Identifier: GPL-2.0-or-later
#include "drawing/figure.hpp"

#include "drawing/plot_points.hpp"
#include "drawing/ratio_figure.hpp"

#include "words/suite_words.hpp"
#include "words/value_words.hpp"

#include "analysis/models/curve_model.hpp"
#include "analysis/models/suite_findings.hpp"
#include "analysis/trust/value_error.hpp"
#include "contest/contest.hpp"
#include "model/quantity.hpp"

#include "base/utf8.hpp"
#include "skalib/refinement.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <map>
#include <stdexcept>

namespace skampi {

namespace {

constexpr int main_colour = 0;
constexpr int flagged_colour = 1;
constexpr int model_colour = 1;
constexpr int grey = -1;
constexpr std::size_t most_launches_drawn = 40;
/// Largest by smallest of several curves' values: beyond, an axis from zero hides the smaller curves.
constexpr double widest_from_zero = 20;

/// No time is below zero: such a value could not be measured, so no axis shows it.
bool showable(double value) {
    return can_be_drawn(value) && value > 0;
}

/// Over message lengths on a log scale times cover decades; everything else is read best from zero.
bool log_value(const Curve& curve) {
    return log_argument(curve);
}

std::vector<std::int64_t> arguments_of(const std::vector<const Curve*>& curves) {
    std::vector<std::int64_t> arguments;
    for (const Curve* curve : curves)
        for (const StoredMeasurement& point : curve->points)
            arguments.push_back(point.measurement.argument);
    return arguments;
}

/// Points between two gaps: a line does not show them.
std::vector<PlotPoint> unconnected(const std::vector<PlotPoint>& points) {
    std::vector<PlotPoint> alone;
    for (std::size_t i = 0; i < points.size(); ++i)
        if ((i == 0 || points[i].gap_before) && (i + 1 == points.size() || points[i + 1].gap_before))
            alone.push_back(points[i]);
    return alone;
}

/// Where arguments are close together, error bars would hide the curve: only some are drawn.
void thin_out_bars(std::vector<PlotPoint>& points, const Axis& x) {
    constexpr double least_distance = 0.025; // of the axis
    const auto place = [&](double at) { return x.log ? std::log(at) : at; };
    const double width = place(x.high) - place(x.low);
    double last = -std::numeric_limits<double>::infinity();
    for (PlotPoint& point : points) {
        point.bar_hidden = place(point.x) - last < least_distance * width;
        if (!point.bar_hidden)
            last = place(point.x);
    }
}

/// Whether values are read better on a log axis: they span more than that.
bool spans(const std::vector<double>& values, double factor) {
    double low = std::numeric_limits<double>::infinity();
    double high = 0;
    for (const double value : values)
        if (showable(value)) {
            low = std::min(low, value);
            high = std::max(high, value);
        }
    return high > factor * low;
}

std::vector<PlotPoint> value_points(const Curve& curve, const Axis& x, bool log) {
    std::vector<PlotPoint> points;
    for (const StoredMeasurement* point : dependable_points(curve)) {
        const double value = point->measurement.value_s;
        if (!showable(value))
            continue;
        ErrorBar bar = error_bar(*point);
        if (!showable(bar.low))
            bar.low = log ? value : 0;
        if (!showable(bar.high))
            bar.high = value;
        points.push_back({position(x, point->measurement.argument), value, bar.low, bar.high, false});
    }
    mark_gaps(points, x);
    return points;
}

/// For refined scales: the points that every launch measures.
std::vector<PlotPoint> first_pass_points(const Curve& curve, const std::vector<PlotPoint>& values,
                                         const Axis& x) {
    skalib::RefinementLimits limits = curve.suite().arguments;
    std::vector<PlotPoint> points;
    if (!skalib::is_dynamic(limits.scale) || curve.points.empty())
        return points;
    if (curve.suite().end_is_max)
        limits.end = curve.points.back().measurement.argument;
    std::vector<std::int64_t> first_pass;
    try {
        first_pass = skalib::Refinement(skalib::within_multiples(limits)).first_pass();
    } catch (const std::invalid_argument&) { // a file without them
        return points;
    }
    for (const std::int64_t argument : first_pass) {
        const double at = position(x, argument);
        const auto value = std::ranges::find(values, at, &PlotPoint::x);
        if (value != values.end())
            points.push_back({at, value->y, value->y, value->y, false});
    }
    // If all are, there is nothing to distinguish.
    if (points.size() == values.size())
        points.clear();
    return points;
}

std::vector<PlotPoint> bandwidth_points(const Curve& curve, const Axis& x) {
    std::vector<PlotPoint> points;
    for (const StoredMeasurement* point : dependable_points(curve)) {
        const Measurement& measurement = point->measurement;
        const double bytes = bytes_moved(curve, measurement);
        if (!(bytes > 0) || !showable(measurement.value_s))
            continue;
        // Bandwidth of the summarised time: rates are never averaged.
        const ErrorBar bar = error_bar(*point);
        const double value = bytes / measurement.value_s;
        points.push_back({position(x, measurement.argument), value, bar.high > 0 ? bytes / bar.high : value,
                          bar.low > 0 ? bytes / bar.low : value, false});
    }
    return points;
}

/// @param first_positive the smallest argument of the curve above zero
std::vector<PlotPoint> model_points(const CostModel& model, const Axis& x, double first_positive) {
    std::vector<PlotPoint> points;
    for (const CostSegment& segment : model.segments) {
        const double last = static_cast<double>(segment.last);
        const double first = std::max(static_cast<double>(segment.first), x.log ? first_positive : 0.0);
        if (first > last)
            continue;
        // A straight line is bent by log axes: drawn through enough points to look right.
        constexpr int steps = 24;
        bool begins = true;
        for (int i = 0; i <= steps; ++i) {
            const double share = static_cast<double>(i) / steps;
            const double at = x.log ? first * std::pow(last / first, share) : first + share * (last - first);
            const double value = segment.at(at);
            if (!showable(value))
                continue;
            points.push_back({at, value, value, value, begins});
            begins = false;
        }
    }
    return points;
}

/// The number of ranks at which a form of growth is drawn next: forms step at powers of two.
std::int64_t next_ranks(std::int64_t ranks) {
    constexpr std::int64_t steps_per_doubling = 32;
    const auto power = static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(ranks)));
    if (power == ranks)
        return ranks + 1;
    return std::min(power, ranks + std::max<std::int64_t>(1, ranks / steps_per_doubling));
}

std::vector<PlotPoint> growth_points(const GrowthModel& model, const Axis& x) {
    std::vector<PlotPoint> points;
    for (std::int64_t ranks = model.first; ranks <= model.last; ranks = next_ranks(ranks))
        if (const double value = model.at(ranks); showable(value))
            points.push_back({position(x, ranks), value, value, value, points.empty()});
    return points;
}

constexpr const char* quartiles_label = "quartiles";
constexpr const char* median_label = "median";

/// Quartiles and median of the single measurements.
struct QuartileLayers {
    Layer quartiles{LayerStyle::band, main_colour, quartiles_label, {}};
    Layer median{LayerStyle::median, main_colour, median_label, {}};
};

QuartileLayers quartile_layers(const Curve& curve, const Axis& x, const CostModel& model) {
    QuartileLayers layers;
    for (const StoredMeasurement& point : curve.points) {
        const skalib::Summary& summary = point.measurement.summary;
        if (summary.count < 2 || !showable(summary.quartile25) || !showable(summary.quartile75) ||
            !showable(summary.median))
            continue;
        const double at = position(x, point.measurement.argument);
        layers.quartiles.points.push_back(
            {at, summary.median, summary.quartile25, summary.quartile75, false});
        layers.median.points.push_back({at, summary.median, summary.median, summary.median, false});
    }
    const auto has_width = [](const PlotPoint& point) { return point.high > point.low; };
    if (std::ranges::none_of(layers.quartiles.points, has_width))
        return {}; // a simulation
    for (Layer* layer : {&layers.quartiles, &layers.median}) {
        mark_gaps(layer->points, x);
        mark_jumps(layer->points, x, model);
    }
    return layers;
}

/// Values of other modes than the one shown, as times or as bandwidths.
Layer modes_layer(const Curve& curve, const Axis& x, AxisQuantity quantity) {
    constexpr double least_share = 0.05;
    Layer modes{LayerStyle::open_points, grey, "other states of the machine", {}};
    for (const StoredMeasurement& point : curve.points)
        for (const ModeValue& mode : point.measurement.modes) {
            if (mode.mode == point.measurement.mode || mode.share < least_share || !showable(mode.value_s))
                continue;
            const double y = quantity == AxisQuantity::time
                                 ? mode.value_s
                                 : bytes_moved(curve, point.measurement) / mode.value_s;
            if (showable(y))
                modes.points.push_back({position(x, point.measurement.argument), y, y, y, false});
        }
    return modes;
}

Layer flagged_layer(const Curve& curve, const Axis& x) {
    constexpr Flags doubtful = Flag::not_repeatable | Flag::timed_out | static_cast<Flags>(Flag::unreliable) |
                               static_cast<Flags>(Flag::disturbed) |
                               static_cast<Flags>(Flag::unsynchronised) | static_cast<Flags>(Flag::scattered);
    Layer flagged{LayerStyle::open_points, flagged_colour, "flagged", {}};
    for (const StoredMeasurement& point : curve.points)
        if ((point.measurement.flags & doubtful) != 0 && showable(point.measurement.value_s))
            flagged.points.push_back(
                {position(x, point.measurement.argument), point.measurement.value_s, 0, 0, false});
    // If nearly all are, the marks hide the values and distinguish nothing: the suite's line counts them.
    if (10 * flagged.points.size() > 9 * curve.points.size())
        flagged.points.clear();
    return flagged;
}

/// Whether a line between these two neighbouring arguments of a launch would hide a part of the curve that it
/// did not measure.
bool lacks_many_points(const Curve& curve, std::int64_t before, std::int64_t argument) {
    constexpr std::int64_t wide = 8;
    constexpr std::ptrdiff_t many = 4;
    if (before <= 0 || argument <= wide * before)
        return false;
    return std::ranges::count_if(curve.points, [&](const StoredMeasurement& point) {
               return point.measurement.argument > before && point.measurement.argument < argument;
           }) >= many;
}

/// The launches behind merged values, a line for each.
std::vector<Layer> launch_layers(const Curve& curve, const Axis& x, const CostModel& model) {
    std::vector<Layer> layers;
    const std::vector<std::string> uuids = curve.launches_with_values();
    if (uuids.size() < 2)
        return layers;
    // From very many, a selection spread over all: more lines become a grey area and a slow drawing.
    const std::size_t step = (uuids.size() + most_launches_drawn - 1) / most_launches_drawn;
    for (std::size_t number = 0; number < uuids.size(); number += step) {
        Layer& layer = layers.emplace_back(Layer{LayerStyle::faint_line, grey, "", {}});
        if (layers.size() == 1)
            layer.label = step > 1 ? "some launches" : "launches";
        std::int64_t before = 0;
        for (const auto& [argument, value] : curve.launches.at(uuids[number]).values)
            if (showable(value)) {
                layer.points.push_back(
                    {position(x, argument), value, value, value, lacks_many_points(curve, before, argument)});
                before = argument;
            }
        mark_gaps(layer.points, x);
        mark_jumps(layer.points, x, model);
    }
    return layers;
}

double first_positive_argument(const Curve& curve) {
    for (const StoredMeasurement& point : curve.points)
        if (point.measurement.argument > 0)
            return static_cast<double>(point.measurement.argument);
    return 1;
}

/// @param growth drawn in the place of the pieces of the model; none = they are drawn
Panel time_panel(const Curve& curve, const CostModel& model, const std::optional<GrowthModel>& growth) {
    Panel panel;
    const bool log = log_value(curve);
    panel.x = argument_axis(arguments_of({&curve}), argument_quantity(curve), log_argument(curve),
                            argument_title(curve));
    const bool of_launches = error_bars_of(curve) != ErrorKind::repeatability;
    Layer values{LayerStyle::error_points, main_colour,
                 of_launches ? "value and " + error_column(error_bars_of(curve)) : "value ± standard error",
                 value_points(curve, panel.x, log)};
    std::vector<double> all = ordinates(values.points, true);
    thin_out_bars(values.points, panel.x);
    mark_jumps(values.points, panel.x, model);

    Layer first_pass{LayerStyle::large_points, main_colour, "first pass",
                     first_pass_points(curve, values.points, panel.x)};
    auto [quartiles, median] = quartile_layers(curve, panel.x, model);
    Layer modes = modes_layer(curve, panel.x, AxisQuantity::time);
    Layer flagged = flagged_layer(curve, panel.x);
    for (const PlotPoint& point : quartiles.points) {
        all.push_back(point.low);
        all.push_back(point.high);
    }
    append(all, ordinates(modes.points, false));
    append(all, ordinates(flagged.points, false));
    for (Layer& layer : launch_layers(curve, panel.x, model)) {
        append(all, ordinates(layer.points, false));
        panel.layers.push_back(std::move(layer));
    }
    panel.y = value_axis(all, AxisQuantity::time, log, "time", 6, curve.units);
    const auto add = [&](Layer& layer) {
        if (!layer.points.empty())
            panel.layers.push_back(std::move(layer));
    };
    add(quartiles);
    add(median);
    panel.layers.push_back(std::move(values));
    if (growth)
        panel.layers.push_back(
            {LayerStyle::model, model_colour, "form of growth", growth_points(*growth, panel.x)});
    else if (!model.segments.empty())
        panel.layers.push_back({LayerStyle::model, model_colour, "fitted model",
                                model_points(model, panel.x, first_positive_argument(curve))});
    for (Layer* layer : {&first_pass, &modes, &flagged})
        add(*layer);
    for (const CostJump& jump : model.jumps) {
        const double after = position(panel.x, jump.after);
        const double before = position(panel.x, jump.before);
        panel.vertical_marks.push_back(panel.x.log ? std::sqrt(after * before) : 0.5 * (after + before));
    }
    return panel;
}

/// The rate of memcpy at lengths that the curve has, too.
Layer copies_layer(const Curve& copies, const Curve& curve, const Axis& x) {
    constexpr int copies_colour = 6;
    Layer layer{LayerStyle::line, copies_colour, "memcpy", {}};
    const std::int64_t first = curve.points.front().measurement.argument;
    const std::int64_t last = curve.points.back().measurement.argument;
    for (const PlotPoint& point : bandwidth_points(copies, x))
        if (point.x >= position(x, first) && point.x <= position(x, last))
            layer.points.push_back(point);
    return layer;
}

std::optional<Panel> bandwidth_panel(const Curve& curve, const CostModel& model, const Curve* copies) {
    if (curve.suite().varied != Varied::message_length)
        return std::nullopt;
    Panel panel;
    panel.x = argument_axis(arguments_of({&curve}), AxisQuantity::bytes, log_argument(curve),
                            argument_title(curve));
    Layer values{LayerStyle::error_points, main_colour, "", bandwidth_points(curve, panel.x)};
    if (values.points.size() < 2)
        return std::nullopt;
    std::vector<double> all = ordinates(values.points, true);
    const bool log = log_argument(curve) && spans(all, 100);
    if (copies) {
        panel.layers.push_back(copies_layer(*copies, curve, panel.x));
        append(all, ordinates(panel.layers.back().points, false));
    }
    Layer modes = modes_layer(curve, panel.x, AxisQuantity::bandwidth);
    append(all, ordinates(modes.points, false));
    panel.y = value_axis(all, AxisQuantity::bandwidth, log, "bandwidth", 6, curve.units);
    thin_out_bars(values.points, panel.x);
    mark_jumps(values.points, panel.x, model);
    panel.layers.push_back(std::move(values));
    if (!modes.points.empty()) {
        modes.label.clear(); // the panel of times has it in the legend
        panel.layers.push_back(std::move(modes));
    }
    return panel;
}

} // namespace

bool drawable(const Curve& curve) {
    if (curve.suite().varied == Varied::none)
        return false;
    std::size_t points = 0;
    for (const StoredMeasurement& point : curve.points)
        points += showable(point.measurement.value_s) ? 1 : 0;
    return points >= 2;
}

void leave_out_quartiles_behind_launches(Figure& figure) {
    for (Panel& panel : figure.panels)
        if (std::ranges::find(panel.layers, LayerStyle::faint_line, &Layer::style) != panel.layers.end())
            std::erase_if(panel.layers, [](const Layer& layer) {
                return layer.label == quartiles_label || layer.label == median_label;
            });
}

Figure beside_others(Figure figure) {
    leave_out_quartiles_behind_launches(figure);
    figure.panels.resize(1);
    figure.columns = 1;
    figure.width_cm = 8.1;
    figure.height_cm = 3.5;
    for (Layer& layer : figure.panels.front().layers)
        layer.label.clear();
    return figure;
}

Figure suite_figure(const std::string& id, const Curve& curve, const CostModel& model, const Curve* copies) {
    Figure figure;
    figure.id = id;
    const std::optional<GrowthModel> growth = form_of_growth(curve);
    figure.panels.push_back(time_panel(curve, growth ? CostModel() : model, growth));
    if (std::optional<Panel> bandwidth = bandwidth_panel(curve, model, copies)) {
        bandwidth->vertical_marks = figure.panels.front().vertical_marks;
        figure.panels.push_back(std::move(*bandwidth));
    }
    figure.columns = static_cast<int>(figure.panels.size());
    if (figure.columns == 1)
        figure.width_cm = 11;
    figure.description = fmt::format("Time over {} of {}.", to_text(curve.suite().varied), title_of(curve));
    return figure;
}

namespace {

/// Several curves over one another; each is broken where it jumps.
Panel overlay_panel(const std::vector<const Curve*>& curves, const std::vector<std::string>& labels,
                    const std::vector<CostModel>& models, AxisQuantity quantity) {
    const Curve& first = *curves.front();
    const bool log_x = std::ranges::any_of(curves, [](const Curve* curve) { return log_argument(*curve); });
    const bool of_times = quantity == AxisQuantity::time;
    std::vector<double> values;
    for (const Curve* curve : curves)
        for (const StoredMeasurement& point : curve->points)
            values.push_back(point.measurement.value_s);
    const bool log_times = log_x || spans(values, widest_from_zero);
    Panel panel;
    panel.x = argument_axis(arguments_of(curves), argument_quantity(first), log_x, argument_title(first));
    std::vector<double> all;
    for (std::size_t i = 0; i < curves.size(); ++i) {
        Layer layer{LayerStyle::error_points, static_cast<int>(i), labels[i],
                    of_times ? value_points(*curves[i], panel.x, log_times)
                             : bandwidth_points(*curves[i], panel.x)};
        append(all, ordinates(layer.points, true));
        thin_out_bars(layer.points, panel.x);
        mark_jumps(layer.points, panel.x, models[i]);
        panel.layers.push_back(std::move(layer));
    }
    panel.y = value_axis(all, quantity, of_times ? log_times : log_x && spans(all, 100),
                         of_times ? "time" : "bandwidth", 6, first.units);
    return panel;
}

std::vector<CostModel> models_of(const std::vector<const Curve*>& curves) {
    std::vector<CostModel> models;
    for (const Curve* curve : curves)
        models.push_back(curve_model(*curve));
    return models;
}

} // namespace

Figure bandwidths_figure(const std::string& id, const std::vector<const Curve*>& curves,
                         const std::vector<std::string>& labels) {
    Figure figure;
    figure.id = id;
    figure.panels.push_back(overlay_panel(curves, labels, models_of(curves), AxisQuantity::bandwidth));
    figure.description = fmt::format("Bandwidth of {} over message length.", enumeration(labels));
    return figure;
}

Figure overlay_figure(const std::string& id, const std::vector<const Curve*>& curves,
                      const std::vector<std::string>& labels,
                      const std::vector<const SuiteContest*>& contests) {
    Figure figure;
    figure.id = id;
    figure.columns = 2;
    const Curve& first = *curves.front();
    const std::vector<CostModel> models = models_of(curves);
    Panel times = overlay_panel(curves, labels, models, AxisQuantity::time);

    Panel ratios;
    ratios.x = times.x;
    ratios.horizontal_mark = 1;
    std::vector<double> all_ratios;
    for (std::size_t i = 1; i < curves.size(); ++i) {
        const SuiteContest contest =
            i - 1 < contests.size() && contests[i - 1]
                ? *contests[i - 1]
                : judge_suites(first, *curves[i], Pairing::independent, std::nullopt);
        for (Layer& layer : ratio_layers(contest, ratios.x, static_cast<int>(i), LayerStyle::error_points,
                                         {models.front(), models[i]})) {
            append(all_ratios, ordinates(layer.points, false));
            ratios.layers.push_back(std::move(layer));
        }
    }
    ratios.y = ratio_axis(all_ratios, "time / time of first");
    keep_within(ratios);
    figure.panels.push_back(std::move(times));
    constexpr double widest_ratios = 100; // beyond, they are of messages of several lengths
    all_ratios.push_back(1);
    if (all_ratios.size() > 1 && !spans(all_ratios, widest_ratios))
        figure.panels.push_back(std::move(ratios));
    else
        figure.columns = 1;
    figure.description =
        fmt::format("Time of {} over {}.", enumeration(labels), to_text(first.suite().varied));
    return figure;
}

Figure over_ranks_figure(const std::string& id, const std::vector<RankCurve>& curves) {
    Figure figure;
    figure.id = id;
    figure.width_cm = 11;
    std::vector<std::int64_t> ranks;
    std::vector<double> all;
    for (const RankCurve& curve : curves)
        for (const RankCurve::Point& point : curve.points) {
            ranks.push_back(point.ranks);
            all.push_back(point.point->measurement.value_s);
        }
    const auto [fewest, most] = std::ranges::minmax(ranks);
    constexpr std::int64_t widest_linear = 8;
    Panel panel;
    panel.x = argument_axis(ranks, AxisQuantity::count, most > widest_linear * fewest, "ranks");
    const bool log = spans(all, widest_from_zero);
    int colour = 0;
    for (const RankCurve& curve : curves) {
        Layer layer{LayerStyle::error_points, colour++, curve.label, {}};
        std::vector<CostPoint> to_fit;
        for (const RankCurve::Point& point : curve.points) {
            const double value = point.point->measurement.value_s;
            ErrorBar bar = error_bar(*point.point);
            if (!showable(bar.low))
                bar.low = log ? value : 0;
            if (!showable(bar.high))
                bar.high = value;
            layer.points.push_back({position(panel.x, point.ranks), value, bar.low, bar.high, false});
            to_fit.push_back(cost_point(point.ranks, *point.point));
        }
        if (!curve.growth)
            mark_jumps(layer.points, panel.x, fit_cost_model(to_fit));
        append(all, ordinates(layer.points, true));
        const int own_colour = layer.colour;
        panel.layers.push_back(std::move(layer));
        if (curve.growth)
            panel.layers.push_back(
                {LayerStyle::model, own_colour, "", growth_points(*curve.growth, panel.x)});
    }
    panel.y = value_axis(all, AxisQuantity::time, log, "time", 6, curves.front().units);
    figure.panels.push_back(std::move(panel));
    figure.description = "Time over the number of ranks.";
    return figure;
}

Figure overview_figure(const std::string& id, const std::vector<std::vector<const Curve*>>& plots,
                       const std::vector<std::string>& labels, std::size_t most) {
    Figure figure;
    figure.id = id;
    figure.small = true;
    std::vector<double> all;
    std::optional<Units> units; // of all, where they have the same
    bool same_units = true;
    std::map<Pattern, std::vector<double>> of_pattern;
    std::vector<Pattern> patterns;
    std::vector<Varied> varied;
    for (const std::vector<const Curve*>& curves : plots) {
        const auto some = std::ranges::find_if(curves, [](const Curve* curve) { return curve != nullptr; });
        if (some == curves.end() || !drawable(**some))
            continue;
        const Curve& first = **some;
        if (figure.panels.size() == most)
            break;
        Panel panel;
        panel.title = title_of(first);
        panel.section = suite_heading(first);
        varied.push_back(first.suite().varied);
        std::vector<const Curve*> drawn;
        for (const Curve* curve : curves)
            if (curve)
                drawn.push_back(curve);
        same_units = same_units && (!units || *units == first.units);
        units = first.units;
        panel.x = argument_axis(arguments_of(drawn),
                                first.suite().varied == Varied::message_length ? AxisQuantity::bytes_with_unit
                                                                               : AxisQuantity::count,
                                log_argument(first), "", 4);
        patterns.push_back(first.suite().operation.pattern);
        for (std::size_t i = 0; i < curves.size(); ++i) {
            if (!curves[i])
                continue;
            panel.layers.push_back({LayerStyle::line, static_cast<int>(i),
                                    i < labels.size() ? labels[i] : std::string(),
                                    value_points(*curves[i], panel.x, true)});
            mark_jumps(panel.layers.back().points, panel.x, curve_model(*curves[i]));
            append(of_pattern[patterns.back()], ordinates(panel.layers.back().points, false));
            if (std::vector<PlotPoint> alone = unconnected(panel.layers.back().points); !alone.empty())
                panel.layers.push_back({LayerStyle::large_points, static_cast<int>(i), "", std::move(alone)});
        }
        figure.panels.push_back(std::move(panel));
    }
    // One range of times for all, so that longer times are visible at once.
    for (const auto& [pattern, times] : of_pattern)
        append(all, times);
    constexpr double widest = 1e8; // beyond it each curve would be a straight line
    const bool one_range = !spans(all, widest);
    for (std::size_t i = 0; i < figure.panels.size(); ++i)
        figure.panels[i].y = value_axis(one_range ? all : of_pattern[patterns[i]], AxisQuantity::time, true,
                                        "", 4, same_units ? units.value_or(Units{}) : Units{});
    set_small_columns(figure);
    for (std::size_t i = 0; i < figure.panels.size(); ++i) {
        const std::string over = varied[i] == Varied::nodes      ? " [ranks]"
                                 : varied[i] == Varied::chunks   ? " [chunks]"
                                 : varied[i] == Varied::argument ? " [argument]"
                                                                 : "";
        std::string& title = figure.panels[i].title;
        // The axis has a title where there is room.
        if (title.size() + over.size() <= longest_small_title(figure))
            title += over;
    }
    arrange_small_panels(figure);
    figure.description = fmt::format("Small plots of {}.", count_of(figure.panels.size(), "suite"));
    return figure;
}

} // namespace skampi
