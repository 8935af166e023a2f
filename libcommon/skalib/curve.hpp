// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <algorithm>
#include <iterator>
#include <optional>

#pragma GCC visibility push(default) // the public part of the shared library
namespace skalib {

/// Where an argument lies on a curve: at one of its points, or between two neighbours.
template <typename Iterator>
struct CurvePlace {
    Iterator left;
    Iterator right;   ///< left, where the curve has a point at the argument
    double share = 0; ///< of the distance from left to right, for std::lerp
    [[nodiscard]] bool at_point() const { return left == right; }
};

/// Finds the place of linear interpolation (SKaLib 3.4.2). None outside the curve's range: nothing is
/// extrapolated. Differences are those of the arguments, so whole numbers stay exact.
/// @param begin,end points with ascending arguments   @param argument_of a point's argument
template <typename Iterator, typename Argument, typename ArgumentOf>
[[nodiscard]] std::optional<CurvePlace<Iterator>>
place_on_curve(Iterator begin, Iterator end, Argument argument, ArgumentOf&& argument_of) {
    const Iterator right = std::lower_bound(begin, end, argument, [&](const auto& point, Argument wanted) {
        return argument_of(point) < wanted;
    });
    if (right == end)
        return std::nullopt;
    if (argument_of(*right) == argument)
        return CurvePlace<Iterator>{right, right, 0};
    if (right == begin)
        return std::nullopt;
    const Iterator left = std::prev(right);
    return CurvePlace<Iterator>{left, right,
                                static_cast<double>(argument - argument_of(*left)) /
                                    static_cast<double>(argument_of(*right) - argument_of(*left))};
}

} // namespace skalib
#pragma GCC visibility pop
