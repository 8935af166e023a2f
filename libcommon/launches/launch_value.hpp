#pragma once

#include <boost/container/flat_map.hpp>
#include <cstdint>
#include <optional>

namespace skampi {

/// What a launch says at an argument: its own value, or on the straight line between its neighbours. None
/// outside its range.
/// @param values LaunchValues
[[nodiscard]] std::optional<double> value_at(const boost::container::flat_map<std::int64_t, double>& values,
                                             std::int64_t argument);

} // namespace skampi
