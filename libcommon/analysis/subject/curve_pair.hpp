#pragma once

#include "analysis/subject/subject.hpp"

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace skampi {

/// A point of the first of two curves and the two of the second that it is compared with, often the same.
struct Opposite {
    std::size_t own = 0; ///< places in the curves
    std::size_t left = 0;
    std::size_t right = 0;
};
/// Those with probes on both sides.
[[nodiscard]] std::vector<Opposite> opposite_points(const Curve& first, const Curve& second);

/// What the launches say at a point in one mode.
struct InMode {
    ModeValue mode;
    std::map<std::string, double> launches = {};
    std::map<std::string, LaunchState> states = {}; ///< of those that are not shown
    /// Other launches that say nothing there, nor are interpolated; none = all others.
    std::optional<std::set<std::string>> left_out = {};
};
/// Makes a curve say at a point what other launches say than those shown: value, probe and interval are those
/// of the mode; the repeatability is not known.
void take_launches(Curve& curve, StoredMeasurement& point, const InMode& taken);

/// What launches met at the arguments at which they are taken.
class StatesTaken {
public:
    void add(const InMode& taken);
    void give_to(Curve& curve) const;

private:
    std::map<std::string, std::vector<LaunchState>> met_;
};

} // namespace skampi
