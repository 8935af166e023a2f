#include "document/sections/single_measurements.hpp"

#include "drawing/box_plot.hpp"
#include "model/measured_value.hpp"
#include "model/quantity.hpp"
#include "words/section_words.hpp"
#include "words/suite_words.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace skampi {

std::vector<Block> single_measurements_blocks(const Curve& curve, FigureNames& names) {
    std::vector<const StoredMeasurement*> points;
    for (const StoredMeasurement& point : curve.points)
        if (point.measurement.summary.count > 1 && above_zero(point.measurement))
            points.push_back(&point);
    if (points.empty())
        return {};
    constexpr std::size_t most = 12;
    const std::size_t count = std::min(most, points.size());
    std::vector<BoxRow> rows;
    Table table;
    table.header = {"at", "single", "smallest", "quartile", "median", "quartile", "largest", "mean"};
    table.columns.assign(table.header.size(), ColumnKind::number);
    for (std::size_t row = 0; row < count; ++row) {
        const StoredMeasurement& point = *points[count == 1 ? 0 : row * (points.size() - 1) / (count - 1)];
        const skalib::Summary& summary = point.measurement.summary;
        rows.push_back({argument_text(curve, point.measurement.argument),
                        {Box{summary.minimum, summary.median, summary.maximum, summary.mean_all,
                             summary.quartile25, summary.quartile75}}});
        std::vector<std::string> cells{rows.back().name, format_count(summary.count)};
        for (const double time_s : {summary.minimum, summary.quartile25, summary.median, summary.quartile75,
                                    summary.maximum, summary.mean_all})
            cells.push_back(format_measured(time_s, 4, curve.units.time));
        table.rows.push_back(std::move(cells));
    }
    const bool merged = points.front()->merge.has_value();
    FigureBlock block{share_box_figure(names.next(), rows),
                      single_measurements_caption(count, curve.points.size(), merged)};
    block.in_characters = box_characters(rows, {""}, curve.units.time);
    return {std::move(block), std::move(table)};
}

} // namespace skampi
