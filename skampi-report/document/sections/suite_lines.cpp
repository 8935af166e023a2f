// SPDX-License-Identifier: GPL-2.0-or-later
#include "document/sections/suite_lines.hpp"

#include "analysis/models/suite_findings.hpp"
#include "analysis/trust/headline.hpp"
#include "base/utf8.hpp"
#include "model/measured_value.hpp"
#include "model/quantity.hpp"
#include "words/section_words.hpp"
#include "words/suite_facts.hpp"
#include "words/suite_words.hpp"
#include "words/value_words.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace skampi {

namespace {

bool has_time(const StoredMeasurement* point) {
    return above_zero(point->measurement);
}

} // namespace

std::vector<const StoredMeasurement*> points_of_line(const Curve& curve) {
    std::vector<const StoredMeasurement*> drawn = dependable_points(curve);
    if (std::ranges::any_of(drawn, has_time))
        std::erase_if(drawn, std::not_fn(has_time));
    return drawn;
}

namespace {

/// "25.7 GB/s at 256 KiB"; for the last value, which is in the next column, without the length
std::string bandwidth_and_place(const Curve& curve, const StoredMeasurement& peak,
                                const StoredMeasurement& last) {
    const std::string bandwidth = bandwidth_at(curve, peak);
    const std::int64_t at = peak.measurement.argument;
    return bandwidth.empty() || at == last.measurement.argument
               ? bandwidth
               : fmt::format("{} at {}", bandwidth, argument_text(curve, at));
}

} // namespace

Table suite_lines(const std::vector<const Curve*>& curves) {
    Table table;
    table.header = {"suite", "from", "to", "bandwidth up to", "flagged"};
    table.columns = {ColumnKind::text, ColumnKind::number, ColumnKind::number, ColumnKind::number,
                     ColumnKind::text};
    const std::optional<SuitesInAnotherState> other_state = suites_in_another_state(curves);
    constexpr std::size_t longest_name = 48;
    constexpr std::size_t longest_line = 21; // of a name; a longer one takes several
    for (const Curve* const each : curves) {
        const Curve& curve = *each;
        std::string name = shortened_name(title_of(curve), longest_name);
        if (other_state && std::ranges::find(other_state->curves, each) != other_state->curves.end())
            name += other_state_mark;
        if (const std::string part = part_text(curve.stored, false); !part.empty())
            name += ", " + part;
        if (character_count(name) > longest_line)
            table.columns.front() = ColumnKind::prose;
        const std::vector<const StoredMeasurement*> drawn = points_of_line(curve);
        if (drawn.empty()) {
            table.rows.push_back({std::move(name), "no value", "", "", ""});
            continue;
        }
        const StoredMeasurement* const peak = peak_bandwidth(curve);
        table.rows.push_back({std::move(name), time_at(curve, *drawn.front()),
                              drawn.size() > 1 ? time_at_last(curve, *drawn.back()) : "",
                              peak != nullptr ? bandwidth_and_place(curve, *peak, *drawn.back()) : "",
                              flagged_text(curve)});
    }
    if (std::string times = times_note(curves); !times.empty())
        table.notes.push_back(std::move(times));
    if (std::string legend = flag_legend(flags_of(curves)); !legend.empty())
        table.notes.push_back(std::move(legend));
    if (other_state)
        table.notes.push_back(another_state_note(*other_state));
    leave_out_empty_columns(table);
    constexpr std::size_t most_with_flags = 6; // with more, the column is too wide for a screen
    if (table.header.back() == "flagged" && curves.size() > most_with_flags)
        table.details = 1;
    return table;
}

} // namespace skampi
