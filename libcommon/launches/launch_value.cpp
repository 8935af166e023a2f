#include "launches/launch_value.hpp"

#include "skalib/curve.hpp"

#include <cmath>
#include <iterator>

namespace skampi {

std::optional<double> value_at(const boost::container::flat_map<std::int64_t, double>& values,
                               std::int64_t argument) {
    const auto behind = values.lower_bound(argument);
    if (behind == values.end())
        return std::nullopt;
    if (behind->first == argument)
        return behind->second;
    if (behind == values.begin())
        return std::nullopt;
    // The neighbours are found by the map, which is faster.
    const auto place = skalib::place_on_curve(std::prev(behind), std::next(behind), argument,
                                              [](const auto& point) { return point.first; });
    return place ? std::optional(std::lerp(place->left->second, place->right->second, place->share))
                 : std::nullopt;
}

} // namespace skampi
