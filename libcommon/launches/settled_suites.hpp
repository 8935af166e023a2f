// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "launches/subject.hpp"
#include "model/precision.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace skampi {

/// Fewer launches have no interval of 95 %.
constexpr int fewest_to_settle = 6;

/// What the launches so far show of a suite.
struct SettledSuite {
    std::string name;
    std::vector<std::int64_t> arguments = {}; ///< with a value above zero, ascending
    std::set<std::int64_t> open = {};         ///< of these: the interval is too wide, or not known yet
    /// Median over the points of the standard deviation between launches by the value, from the median
    /// absolute deviation; 0 = not known.
    double scatter = 0;
    /// So many launches would settle it, if its intervals shrink with their square root.
    double launches_needed = 0;

    [[nodiscard]] std::size_t settled_points() const { return arguments.size() - open.size(); }
    [[nodiscard]] bool settled(double share) const {
        return static_cast<double>(settled_points()) >= share * static_cast<double>(arguments.size());
    }
};

/// Half of the interval between launches by the value; none where there is no such interval.
[[nodiscard]] std::optional<double> relative_half_width(const StoredMeasurement& point);

/// The suites of merged launches in the order of the plan, without those that have no value.
[[nodiscard]] std::vector<SettledSuite> settled_suites(const Subject& launches, const Precision& precision);

} // namespace skampi
