// SPDX-License-Identifier: LGPL-2.1-or-later
#include "launches/launch_values.hpp"

#include "skalib/curve.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <iterator>

namespace skampi {

LaunchValues::Values::const_iterator LaunchValues::lower_bound(std::int64_t argument) const {
    return std::ranges::lower_bound(values_, argument, {}, &Values::value_type::first);
}

double& LaunchValues::operator[](std::int64_t argument) {
    const auto place = lower_bound(argument);
    return place != values_.end() && place->first == argument
               ? values_[static_cast<std::size_t>(place - values_.cbegin())].second
               : values_.emplace(place, argument, 0)->second;
}

double& LaunchValues::at(std::int64_t argument) {
    assert(contains(argument));
    return (*this)[argument];
}

double LaunchValues::at(std::int64_t argument) const {
    assert(contains(argument));
    return lower_bound(argument)->second;
}

LaunchValues::Values::const_iterator LaunchValues::find(std::int64_t argument) const {
    const auto place = lower_bound(argument);
    return place != values_.end() && place->first == argument ? place : values_.end();
}

std::optional<double> LaunchValues::interpolated(std::int64_t argument) const {
    const auto behind = lower_bound(argument);
    if (behind == values_.end())
        return std::nullopt;
    if (behind->first == argument)
        return behind->second;
    if (behind == values_.begin())
        return std::nullopt;
    const auto place = skalib::place_on_curve(std::prev(behind), std::next(behind), argument,
                                              [](const auto& point) { return point.first; });
    return place ? std::optional(std::lerp(place->left->second, place->right->second, place->share))
                 : std::nullopt;
}

void LaunchValues::erase(std::int64_t argument) {
    std::erase_if(values_, [argument](const auto& value) { return value.first == argument; });
}

} // namespace skampi
