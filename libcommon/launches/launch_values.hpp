// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace skampi {

/// What a launch measured of a suite: argument -> seconds, ascending. In one piece of memory: of a thousand
/// launches the nodes of maps would be most of the memory.
class LaunchValues {
    using Values = std::vector<std::pair<std::int64_t, double>>;

public:
    /// The value at an argument; 0 is put there where there is none.
    double& operator[](std::int64_t argument);
    /// @pre contains(argument)
    [[nodiscard]] double& at(std::int64_t argument);
    [[nodiscard]] double at(std::int64_t argument) const;
    [[nodiscard]] bool contains(std::int64_t argument) const { return find(argument) != end(); }
    [[nodiscard]] Values::const_iterator find(std::int64_t argument) const;
    /// The value at an argument, or on the straight line between its neighbours; none outside their range.
    [[nodiscard]] std::optional<double> interpolated(std::int64_t argument) const;

    void erase(std::int64_t argument);
    void clear() { values_.clear(); }
    void shrink_to_fit() { values_.shrink_to_fit(); }
    [[nodiscard]] bool empty() const { return values_.empty(); }
    [[nodiscard]] std::size_t size() const { return values_.size(); }
    [[nodiscard]] Values::iterator begin() { return values_.begin(); } ///< arguments are not to be changed
    [[nodiscard]] Values::iterator end() { return values_.end(); }
    [[nodiscard]] Values::const_iterator begin() const { return values_.begin(); }
    [[nodiscard]] Values::const_iterator end() const { return values_.end(); }
    /// The first that is not below an argument.
    [[nodiscard]] Values::const_iterator lower_bound(std::int64_t argument) const;

private:
    Values values_;
};

} // namespace skampi
