// SPDX-License-Identifier: GPL-2.0-or-later
#include "cube/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <stdexcept>
#include <utility>

namespace skampi::cube {

namespace {

std::string text_of(double value) {
    if (!std::isfinite(value))
        throw std::invalid_argument("a Cube statistics file holds finite numbers only");
    return fmt::format("{}", value);
}

std::string text_of(const WholeNumber& number) {
    if (const std::int64_t* exact = std::get_if<std::int64_t>(&number))
        return fmt::format("{}", *exact);
    if (!std::isfinite(std::get<double>(number)))
        throw std::invalid_argument("a Cube statistics file holds finite numbers only");
    return fmt::format("{:.0f}", std::get<double>(number));
}

template <typename Value>
const Value& needed(const std::optional<Value>& value, const char* what) {
    if (!value)
        throw std::invalid_argument(fmt::format("this dialect of Cube statistics files needs {}", what));
    return *value;
}

bool is_finite(const Instance& instance) {
    return std::isfinite(instance.enter_s) && std::isfinite(instance.exit_s) && std::isfinite(instance.duration_s) &&
           (!instance.marker_s || std::isfinite(*instance.marker_s));
}

bool is_finite(const PatternStatistics& pattern) {
    const auto finite = [](const auto&... values) { return (std::isfinite(values) && ...); };
    return (!pattern.moments || finite(pattern.moments->mean_s, pattern.moments->median_s, pattern.moments->minimum_s,
                                       pattern.moments->maximum_s, pattern.moments->sum_s)) &&
           (!pattern.variance_s2 || finite(*pattern.variance_s2)) &&
           (!pattern.quartiles || finite(pattern.quartiles->lower_s, pattern.quartiles->upper_s));
}

} // namespace

std::string write_statistics(const StatisticsFile& file) {
    const bool documented = file.dialect == Dialect::documented;
    std::vector<std::vector<std::string>> rows;
    rows.push_back({file.dialect == Dialect::expert ? "Pattern Name" : "PatternName"});
    if (documented)
        rows.front().emplace_back("MetricID");
    for (const char* column :
         {"Count", "Mean", "Median", "Minimum", "Maximum", "Sum", "Variance", "Quartil25", "Quartil75"})
        rows.front().emplace_back(column);
    for (const PatternStatistics& pattern : file.patterns) {
        if (pattern.name.empty() || pattern.name.front() == '-' ||
            pattern.name.find_first_of(std::string_view(" \t\r\n\v\f\0", 7)) != std::string::npos)
            throw std::invalid_argument(
                "a pattern's name in a Cube statistics file has no white space and does not "
                "begin with '-': " +
                pattern.name);
        std::vector<std::string>& row = rows.emplace_back(std::vector{pattern.name});
        if (documented)
            row.push_back(text_of(needed(pattern.metric_id, "metric ids")));
        row.push_back(text_of(pattern.count));
        if (pattern.moments) {
            const Moments& m = *pattern.moments;
            for (const double value : {m.mean_s, m.median_s, m.minimum_s, m.maximum_s, m.sum_s})
                row.push_back(text_of(value));
            if (pattern.variance_s2) {
                row.push_back(text_of(*pattern.variance_s2));
                if (pattern.quartiles) {
                    row.push_back(text_of(pattern.quartiles->lower_s));
                    row.push_back(text_of(pattern.quartiles->upper_s));
                }
            }
        }
    }
    std::vector<std::size_t> widths(rows.front().size(), 0);
    for (const auto& row : rows)
        for (std::size_t i = 0; i < row.size(); ++i)
            widths[i] = std::max(widths[i], row[i].size());

    std::string text;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        std::string line = fmt::format("{:<{}}", rows[i].front(), widths.front());
        for (std::size_t column = 1; column < rows[i].size(); ++column)
            line += fmt::format(" {:>{}}", rows[i][column], widths[column]);
        text += line.substr(0, line.find_last_not_of(' ') + 1) + '\n';
        if (i == 0)
            continue;
        for (const Instance& instance : file.patterns[i - 1].severest) {
            text += fmt::format("- cnode{} {} enter: {} exit: {} duration: {}",
                                file.dialect == Dialect::scout ? "" : ":", text_of(instance.cnode),
                                text_of(instance.enter_s), text_of(instance.exit_s),
                                text_of(instance.duration_s));
            if (file.dialect == Dialect::scout)
                text += " rank: " + text_of(needed(instance.rank, "a rank of every instance"));
            if (file.dialect == Dialect::expert)
                text += fmt::format(" markerTime: {} markerLoc: {}",
                                    text_of(needed(instance.marker_s, "a marker of every instance")),
                                    text_of(needed(instance.marker_location, "a marker of every instance")));
            text += '\n';
        }
        // All writers of these files end a pattern with a blank line.
        text += '\n';
    }
    return text;
}

ConvertedStatistics converted(StatisticsFile file, Dialect dialect) {
    ConvertedStatistics result{std::move(file), {}};
    result.file.dialect = dialect;
    std::int64_t number = 0;
    for (PatternStatistics& pattern : result.file.patterns) {
        if (dialect == Dialect::documented && !pattern.metric_id) {
            pattern.metric_id = number;
            ++result.losses.numbered_patterns;
        }
        ++number;
        if (!is_finite(pattern)) {
            pattern.moments.reset();
            pattern.variance_s2.reset();
            pattern.quartiles.reset();
            ++result.losses.patterns_not_finite;
        }
        result.losses.instances += std::erase_if(pattern.severest, [&](const Instance& instance) {
            return !is_finite(instance) || (dialect == Dialect::scout && !instance.rank) ||
                   (dialect == Dialect::expert && !(instance.marker_s && instance.marker_location));
        });
    }
    return result;
}

} // namespace skampi::cube
