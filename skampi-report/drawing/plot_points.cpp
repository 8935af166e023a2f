// SPDX-License-Identifier: GPL-2.0-or-later
#include "drawing/plot_points.hpp"

#include "model/quantity.hpp"
#include "words/suite_words.hpp"

#include <algorithm>

namespace skampi {

namespace {

/// "threads", "distance [m]"
std::string argument_title_of(const OperationInfo& operation) {
    const std::string name =
        operation.argument_name.empty() ? "argument" : shortened(operation.argument_name, 40);
    const std::string& unit = operation.argument_unit;
    return unit.empty() || unit == name ? name : name + " [" + shortened(unit, 20) + "]";
}

} // namespace

bool log_argument(const Curve& curve) {
    return on_log_scale(curve.suite());
}

AxisQuantity argument_quantity(const Curve& curve) {
    return curve.suite().varied == Varied::message_length ? AxisQuantity::bytes : AxisQuantity::count;
}

std::string argument_title(const Curve& curve) {
    switch (curve.suite().varied) {
    case Varied::message_length:
        return std::string(length_word(curve.suite())) + " [bytes]";
    case Varied::nodes:
        return "ranks";
    case Varied::chunks:
        return "chunks";
    case Varied::argument:
        return argument_title_of(curve.suite().operation);
    case Varied::none:
        break;
    }
    return "argument";
}

void mark_gaps(std::vector<PlotPoint>& points, const Axis& x) {
    for (std::size_t i = 1; i < points.size(); ++i)
        if (x.zero_at && points[i - 1].x == *x.zero_at)
            points[i].gap_before = true;
}

void mark_jumps(std::vector<PlotPoint>& points, const Axis& x, const CostModel& model) {
    const auto gap_at = [&](auto&& is_behind) {
        if (const auto behind = std::ranges::find_if(points, is_behind); behind != points.end())
            behind->gap_before = true;
    };
    for (const CostJump& jump : model.jumps) {
        const double after = position(x, jump.after);
        const double before = position(x, jump.before);
        gap_at([&](const PlotPoint& point) { return point.x > after; });
        gap_at([&](const PlotPoint& point) { return point.x >= before; });
    }
}

void keep_within(Panel& panel) {
    for (Layer& layer : panel.layers)
        for (PlotPoint& point : layer.points)
            for (double* const value : {&point.y, &point.low, &point.high})
                *value = std::clamp(*value, panel.y.low, panel.y.high);
}

std::vector<double> ordinates(const std::vector<PlotPoint>& points, bool with_bars) {
    std::vector<double> values;
    for (const PlotPoint& point : points) {
        values.push_back(point.y);
        if (with_bars) {
            values.push_back(point.low);
            values.push_back(point.high);
        }
    }
    return values;
}

void append(std::vector<double>& values, const std::vector<double>& more) {
    values.insert(values.end(), more.begin(), more.end());
}

} // namespace skampi
