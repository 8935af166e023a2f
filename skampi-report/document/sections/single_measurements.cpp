// SPDX-License-Identifier: GPL-2.0-or-later
#include "document/sections/single_measurements.hpp"

#include "model/measured_value.hpp"
#include "model/quantity.hpp"
#include "skalib/statistics.hpp"
#include "words/section_words.hpp"
#include "words/suite_words.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace skampi {

std::vector<const StoredMeasurement*> points_with_quartiles(const Curve& curve) {
    std::vector<const StoredMeasurement*> points;
    for (const StoredMeasurement& point : curve.points)
        if (point.measurement.summary.count > 1 && above_zero(point.measurement))
            points.push_back(&point);
    return points;
}

BoxRow box_row(const Curve& curve, const StoredMeasurement& point) {
    const skalib::Summary& summary = point.measurement.summary;
    return {argument_text(curve, point.measurement.argument),
            {Box{summary.minimum, summary.median, summary.maximum, summary.mean_all, summary.quartile25,
                 summary.quartile75}}};
}

std::vector<Block> single_measurements_blocks(const Material& material, const Curve& curve) {
    const std::vector<const StoredMeasurement*> points = points_with_quartiles(curve);
    if (points.empty())
        return {};
    std::vector<SingleTimes> single;
    if (material.options.single_times_of)
        single = material.options.single_times_of(material.subject(), curve);
    constexpr std::size_t most = 12;
    const std::size_t count = std::min(most, points.size());
    std::vector<BoxRow> rows;
    Table table;
    table.header = {"at", "single", "smallest", "quartile", "median", "quartile", "largest", "mean"};
    if (!single.empty())
        table.header.insert(table.header.end() - 2, {"95 %", "99 %"});
    table.columns.assign(table.header.size(), ColumnKind::number);
    for (std::size_t row = 0; row < count; ++row) {
        const StoredMeasurement& point = *points[count == 1 ? 0 : row * (points.size() - 1) / (count - 1)];
        const skalib::Summary& summary = point.measurement.summary;
        rows.push_back(box_row(curve, point));
        std::vector<std::string> cells{rows.back().name, format_count(summary.count)};
        const auto add = [&](double time_s) {
            cells.push_back(format_measured(time_s, 4, curve.units.time));
        };
        for (const double time_s : {summary.minimum, summary.quartile25, summary.median, summary.quartile75})
            add(time_s);
        if (!single.empty()) {
            const auto times = std::ranges::find(single, point.measurement.argument, &SingleTimes::argument);
            for (const double share : {0.95, 0.99})
                if (times == single.end())
                    cells.emplace_back();
                else
                    add(skalib::quantile(times->times_s, share));
        }
        for (const double time_s : {summary.maximum, summary.mean_all})
            add(time_s);
        table.rows.push_back(std::move(cells));
    }
    if (!single.empty())
        table.notes.push_back(tail_note);
    const bool merged = points.front()->merge.has_value();
    FigureBlock block{share_box_figure(material.names.next(), rows),
                      single_measurements_caption(count, curve.points.size(), merged)};
    block.in_characters = box_characters(rows, {""}, curve.units.time);
    return {std::move(block), std::move(table)};
}

} // namespace skampi
