// SPDX-License-Identifier: GPL-2.0-or-later
#include "document/sections/suite_tables.hpp"

#include "analysis/models/suite_findings.hpp"
#include "analysis/trust/value_error.hpp"
#include "launches/launches_left_out.hpp"
#include "model/bus_bandwidth.hpp"
#include "model/measured_value.hpp"
#include "model/quantity.hpp"
#include "words/growth_words.hpp"
#include "words/suite_facts.hpp"
#include "words/suite_words.hpp"
#include "words/value_words.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <fmt/format.h>
#include <functional>
#include <string>
#include <utility>

namespace skampi {

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
    leave_out_empty_columns(table);
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

/// What people ask for first: the ends, both sides of jumps and the powers of two, each spread over the
/// table.
std::vector<std::size_t> rows_by_importance(const Curve& curve, const std::vector<CostJump>& jumps) {
    std::vector<std::pair<int, std::size_t>> rows;
    std::size_t powers = 0;
    for (std::size_t i = 0; i < curve.points.size(); ++i) {
        const std::int64_t at = curve.points[i].measurement.argument;
        const bool at_jump = std::ranges::any_of(
            jumps, [&](const CostJump& jump) { return at == jump.after || at == jump.before; });
        // Every second one, of the others every second, and so on: any number of them is spread.
        constexpr int always = 200;
        constexpr int power = 100;
        const bool is_power = is_power_of_two(at);
        const int spread = std::countr_zero(is_power ? powers++ : i);
        rows.emplace_back(at_jump || i == 0 || i + 1 == curve.points.size() ? always
                          : is_power                                        ? power + spread
                                                                            : spread,
                          i);
    }
    std::ranges::stable_sort(rows, std::ranges::greater{}, &std::pair<int, std::size_t>::first);
    std::vector<std::size_t> places;
    for (const auto& [weight, row] : rows)
        places.push_back(row);
    return places;
}

} // namespace

Table values_table(const Curve& curve, const std::vector<CostJump>& jumps) {
    const auto bandwidth = [&](const StoredMeasurement& point) {
        const double bytes = bytes_moved(curve, point.measurement);
        return bytes > 0 && above_zero(point.measurement)
                   ? format_bandwidth(bytes / point.measurement.value_s, 4, curve.units.bandwidth)
                   : std::string();
    };
    // That of shorter messages is latency.
    const auto bus = [&](const StoredMeasurement& point) {
        constexpr std::int64_t shortest_bytes = 65536;
        const OperationInfo& operation = curve.suite().operation;
        const double share = bus_share(operation.name, operation.pattern, point.measurement.ranks);
        return curve.bus_column && operation.pattern == Pattern::collective && !std::isnan(share) &&
                       point.measurement.message_bytes >= shortest_bytes && above_zero(point.measurement)
                   ? format_bandwidth(share * bytes_moved(curve, point.measurement) /
                                          point.measurement.value_s,
                                      4, curve.units.bandwidth)
                   : std::string();
    };
    const bool of_length = curve.suite().varied == Varied::message_length;
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
                    "time",
                    error_column(any_merged ? error_bars_of(curve) : ErrorKind::repeatability),
                    "bandwidth",
                    "bus bandwidth",
                    "other state",
                    "adjusted",
                    "flags"};
    table.columns.assign(table.header.size(), ColumnKind::number);
    table.columns.back() = ColumnKind::text;
    table.title = "Values";
    table.by_importance = rows_by_importance(curve, jumps);
    for (const StoredMeasurement& point : curve.points) {
        table.rows.push_back(
            {curve.suite().varied == Varied::none ? ""
             : in_bytes                           ? std::to_string(point.measurement.argument)
                                                  : argument_text(curve, point.measurement.argument),
             value_in_table(curve, point.measurement), error_numbers(value_error(point), curve.units.time),
             of_length ? bandwidth(point) : "", bus(point), other_state_text(point, curve.units.time),
             adjusted_text(point, curve.units.time), flag_letters(point.measurement.flags)});
    }
    return table;
}

} // namespace skampi
