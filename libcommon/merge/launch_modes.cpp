#include "merge/launch_modes.hpp"

#include "model/adjusted.hpp"
#include "skalib/statistics.hpp"

#include <algorithm>
#include <cmath>

namespace skampi {

namespace {

/// How much wider than the spread of either side a gap between modes is, at least.
constexpr double spread_factor = 3;

bool of_several_launches(std::span<const Observation> observations) {
    return std::any_of(observations.begin(), observations.end(),
                       [&](const Observation& each) { return each.run != observations.front().run; });
}

/// Distance between the quartiles of the logarithms.
double log_spread(std::span<const Observation> ascending) {
    std::vector<double> logs;
    logs.reserve(ascending.size());
    for (const Observation& each : ascending)
        logs.push_back(std::log(each.signal));
    return skalib::quantile(logs, 0.75) - skalib::quantile(logs, 0.25);
}

} // namespace

std::vector<double> mode_bounds(std::span<const Observation> observations) {
    std::vector<Observation> ascending(observations.begin(), observations.end());
    std::sort(ascending.begin(), ascending.end(), [](const Observation& a, const Observation& b) {
        return a.signal != b.signal ? a.signal < b.signal : a.run < b.run;
    });
    // Between large gaps lie modes, and launches that are alone with what they saw.
    std::vector<std::span<const Observation>> modes;
    const std::span<const Observation> all(ascending);
    for (std::size_t begin = 0, end = 1; begin < all.size(); begin = end++) {
        while (end < all.size() && all[end].signal < mode_ratio * all[end - 1].signal)
            ++end;
        const auto between_gaps = all.subspan(begin, end - begin);
        if (!of_several_launches(between_gaps))
            continue;
        if (!modes.empty()) {
            const std::span<const Observation> former = modes.back();
            const double width = std::log(between_gaps.front().signal / former.back().signal);
            if (width < spread_factor * std::max(log_spread(former), log_spread(between_gaps))) {
                modes.back() = {former.data(), all.data() + end};
                continue;
            }
        }
        modes.push_back(between_gaps);
    }
    std::vector<double> bounds;
    for (std::size_t mode = 1; mode < modes.size(); ++mode)
        bounds.push_back(std::sqrt(modes[mode - 1].back().signal * modes[mode].front().signal));
    return bounds;
}

std::size_t mode_of(double signal, std::span<const double> bounds) {
    return static_cast<std::size_t>(std::upper_bound(bounds.begin(), bounds.end(), signal) - bounds.begin());
}

} // namespace skampi
