#include "document/sections/suite_tables.hpp"

#include "analysis/models/suite_findings.hpp"
#include "analysis/subject/launches_left_out.hpp"
#include "analysis/trust/value_error.hpp"
#include "model/measured_value.hpp"
#include "model/quantity.hpp"
#include "words/growth_words.hpp"
#include "words/suite_facts.hpp"
#include "words/suite_words.hpp"
#include "words/value_words.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <set>
#include <string>
#include <utility>

namespace skampi {

namespace {

void leave_out_empty_last_column(Table& table) {
    if (std::ranges::any_of(table.rows, [](const auto& row) { return !row.back().empty(); }))
        return;
    table.header.pop_back();
    table.columns.pop_back();
    for (auto& row : table.rows)
        row.pop_back();
}

} // namespace

Table overlap_table(const Curve& curve) {
    constexpr std::size_t most = 12;
    Table table;
    table.title = "Overlap of the operation with computation of equal length";
    table.header = {"at", "alone", "computation", "together", "overlap"};
    table.columns = {ColumnKind::number, ColumnKind::number, ColumnKind::number, ColumnKind::number,
                     ColumnKind::number};
    const std::size_t rows = std::min(most, curve.points.size());
    for (std::size_t row = 0; row < rows; ++row) {
        const std::size_t i = rows == 1 ? 0 : row * (curve.points.size() - 1) / (rows - 1);
        const Measurement& m = curve.points[i].measurement;
        if (m.alone_s > 0)
            table.rows.push_back({argument_text(curve, m.argument),
                                  format_measured(m.alone_s, 4, curve.units.time),
                                  format_measured(m.computation_s, 4, curve.units.time),
                                  format_measured(m.value_s, 4, curve.units.time),
                                  m.value_s > 0 ? format_percent(overlap(m)) : "not known"});
    }
    return table;
}

Table model_table(const Curve& curve, const CostModel& model) {
    Table table;
    const bool bytes = curve.suite().varied == Varied::message_length;
    table.title = std::string("Fitted cost model ") + (bytes ? "t(m) = a + b m" : "t(n) = a + b n");
    if (const std::string errors = errors_text(model); !errors.empty())
        table.title += " (" + errors + ")";
    if (std::ranges::any_of(model.segments, [](const CostSegment& segment) {
            return segment.is_fitted() && segment.alpha_s < 0;
        }))
        table.title += "; a negative a has no physical meaning";
    const double step = bytes ? 1024 : 1;
    table.header = {"from", "to", "points", "a", bytes ? "b per KiB" : "b per step", "worst error"};
    table.columns = {ColumnKind::number, ColumnKind::number, ColumnKind::number,
                     ColumnKind::number, ColumnKind::number, ColumnKind::number};
    for (const CostSegment& segment : model.segments) {
        std::vector<std::string> cells{argument_text(curve, segment.first),
                                       argument_text(curve, segment.last), std::to_string(segment.points)};
        if (segment.is_fitted())
            cells.insert(cells.end(), {coefficient_text(segment.alpha_s, segment.alpha_error_s,
                                                        segment.errors, curve.units.time),
                                       coefficient_text(step * segment.beta_s, step * segment.beta_error_s,
                                                        segment.errors, curve.units.time),
                                       format_percent(segment.worst_error)});
        else
            cells.insert(cells.end(), {"too few", "too few", "unknown"});
        table.rows.push_back(std::move(cells));
    }
    return table;
}

Table jumps_table(const Curve& curve, const CostModel& model, const JumpCauses& causes) {
    Table table;
    table.header = {"jump from", "to", "by", "share", "launches", "cause"};
    table.columns = {ColumnKind::number, ColumnKind::number, ColumnKind::number,
                     ColumnKind::number, ColumnKind::text,   ColumnKind::text};
    for (const CostJump& jump : model.jumps) {
        const char* sign = jump.time_s > 0 ? "+" : "";
        table.rows.push_back({argument_text(curve, jump.after), argument_text(curve, jump.before),
                              sign + format_time(jump.time_s, 3, curve.units.time),
                              sign + format_percent(jump.share), confirmation_text(jump),
                              cause_text(causes.of(curve, jump))});
    }
    leave_out_empty_last_column(table);
    return table;
}

namespace {

std::string adjusted_text(const StoredMeasurement& point, TimeUnit unit) {
    return has_adjusted(point) ? format_measured(point.measurement.adjusted_s, 4, unit) : std::string();
}

std::string other_state_text(const StoredMeasurement& point, TimeUnit unit) {
    const ModeValue* const other = most_common_other_mode(point.measurement);
    return other ? format_measured(other->value_s, 4, unit) : std::string();
}

bool is_power_of_two(std::int64_t argument) {
    return argument >= 0 && (argument & (argument - 1)) == 0;
}

/// At most `most` places out of `count`, spread over them, the ends among them.
std::vector<std::size_t> spread_over(std::size_t count, std::size_t most) {
    const std::size_t rows = std::min(most, count);
    std::vector<std::size_t> places;
    for (std::size_t row = 0; row < rows; ++row)
        places.push_back(rows == 1 ? 0 : row * (count - 1) / (rows - 1));
    return places;
}

/// The rows of a table of at most so many (0 = all): what people ask for first, which are the powers of two,
/// the ends, and both sides of jumps; where there are hardly any of these arguments spread over all.
std::vector<const StoredMeasurement*> chosen_points(const Curve& curve, std::size_t most,
                                                    const std::vector<CostJump>& jumps) {
    constexpr std::size_t fewest = 6;
    std::vector<const StoredMeasurement*> powers, chosen;
    for (const StoredMeasurement& point : curve.points)
        if (is_power_of_two(point.measurement.argument))
            powers.push_back(&point);
    const bool all = most == 0 || curve.points.size() <= most;
    if (all || powers.size() < fewest) {
        for (const std::size_t place : spread_over(curve.points.size(), all ? curve.points.size() : most))
            chosen.push_back(&curve.points[place]);
        return chosen;
    }
    std::set<const StoredMeasurement*> wanted{&curve.points.front(), &curve.points.back()};
    for (const StoredMeasurement& point : curve.points)
        if (std::ranges::any_of(jumps,
                                [&](const CostJump& jump) {
                                    return point.measurement.argument == jump.after ||
                                           point.measurement.argument == jump.before;
                                }) &&
            2 * wanted.size() < most)
            wanted.insert(&point);
    for (const std::size_t place : spread_over(powers.size(), most - wanted.size()))
        wanted.insert(powers[place]);
    for (const StoredMeasurement& point : curve.points)
        if (wanted.contains(&point))
            chosen.push_back(&point);
    return chosen;
}

} // namespace

Table values_table(const Curve& curve, std::size_t most, const std::vector<CostJump>& jumps) {
    const auto bandwidth = [&](const StoredMeasurement& point) {
        const double bytes = bytes_moved(curve, point.measurement);
        return bytes > 0 && above_zero(point.measurement)
                   ? format_bandwidth(bytes / point.measurement.value_s, 4, curve.units.bandwidth)
                   : std::string();
    };
    const bool of_length = curve.suite().varied == Varied::message_length;
    const bool any_bandwidth =
        of_length && std::ranges::any_of(curve.points, [&](const StoredMeasurement& point) {
            return !bandwidth(point).empty();
        });
    const bool any_merged = std::ranges::any_of(
        curve.points, [](const StoredMeasurement& point) { return point.merge && point.merge->runs > 1; });
    Table table;
    // One notation for the whole column, and one that says every argument exactly.
    const bool in_bytes = of_length && std::ranges::any_of(curve.points, [](const StoredMeasurement& point) {
                              constexpr std::int64_t longest = 9999;
                              return point.measurement.argument > longest &&
                                     format_bytes(point.measurement.argument).ends_with(" B");
                          });
    table.header = {in_bytes    ? "bytes"
                    : of_length ? "length"
                                : "at",
                    "time", error_column(any_merged ? error_bars_of(curve) : ErrorKind::repeatability)};
    table.columns = {ColumnKind::number, ColumnKind::number, ColumnKind::number};
    if (any_bandwidth) {
        table.header.emplace_back("bandwidth");
        table.columns.push_back(ColumnKind::number);
    }
    const bool any_state = std::ranges::any_of(curve.points, [](const StoredMeasurement& point) {
        return most_common_other_mode(point.measurement);
    });
    if (any_state) {
        table.header.emplace_back("other state");
        table.columns.push_back(ColumnKind::number);
    }
    const bool any_adjusted = std::ranges::any_of(curve.points, has_adjusted);
    if (any_adjusted) {
        table.header.emplace_back("adjusted");
        table.columns.push_back(ColumnKind::number);
    }
    table.header.emplace_back("flags");
    table.columns.push_back(ColumnKind::text);
    const std::vector<const StoredMeasurement*> chosen = chosen_points(curve, most, jumps);
    if (chosen.size() < curve.points.size())
        table.title = fmt::format("{} of {} arguments", chosen.size(), curve.points.size());
    for (const StoredMeasurement* const each : chosen) {
        const StoredMeasurement& point = *each;
        std::vector<std::string> cells{in_bytes ? std::to_string(point.measurement.argument)
                                                : argument_text(curve, point.measurement.argument),
                                       value_in_table(curve, point),
                                       error_numbers(value_error(point), curve.units.time)};
        if (any_bandwidth)
            cells.push_back(bandwidth(point));
        if (any_state)
            cells.push_back(other_state_text(point, curve.units.time));
        if (any_adjusted)
            cells.push_back(adjusted_text(point, curve.units.time));
        cells.push_back(flag_letters(point.measurement.flags));
        table.rows.push_back(std::move(cells));
    }
    leave_out_empty_last_column(table);
    return table;
}

std::vector<Table> tables_without_plot(const std::vector<const Curve*>& curves) {
    Table values;
    values.header = {"suite", "at", "value", "error", "quartiles", "single", "remarks"};
    values.columns = {ColumnKind::prose,  ColumnKind::number, ColumnKind::number, ColumnKind::prose,
                      ColumnKind::number, ColumnKind::number, ColumnKind::prose};
    Table without;
    without.header = {"suite", "has no value"};
    without.columns = {ColumnKind::prose, ColumnKind::prose};
    for (const Curve* curve : curves) {
        const std::string name = shortened(title_of(*curve), 60);
        if (curve->points.empty()) {
            without.rows.push_back({name, without_points_text(curve->stored)});
            continue;
        }
        const std::string missing = without_time_text(points_without_time(*curve));
        if (std::ranges::none_of(curve->points, [](const StoredMeasurement& point) {
                return above_zero(point.measurement);
            })) {
            without.rows.push_back({name, missing});
            continue;
        }
        if (!missing.empty())
            values.rows.push_back({name, "", "none", "", "", "", missing});
        for (const StoredMeasurement& point : curve->points) {
            const Measurement& measurement = point.measurement;
            if (!above_zero(measurement))
                continue;
            const skalib::Summary& summary = measurement.summary;
            std::string words = flag_text(measurement.flags);
            if (const std::string who = who_takes_part(*curve); !who.empty())
                words = words.empty() ? who : fmt::format("{}. {}", words, who);
            values.rows.push_back(
                {name,
                 curve->suite().varied == Varied::none ? "" : argument_text(*curve, measurement.argument),
                 value_in_table(*curve, point), error_text(value_error(point), curve->units.time),
                 summary.count > 1
                     ? format_time_range(summary.quartile25, summary.quartile75, 3, curve->units.time)
                     : "",
                 std::to_string(summary.count), std::move(words)});
        }
    }
    std::vector<Table> tables;
    for (Table* table : {&values, &without})
        if (!table->rows.empty())
            tables.push_back(std::move(*table));
    return tables;
}

} // namespace skampi
