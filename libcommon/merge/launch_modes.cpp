#include "merge/launch_modes.hpp"

#include "model/adjusted.hpp"
#include "skalib/statistics.hpp"

#include <algorithm>
#include <cmath>

namespace skampi {

namespace {

/// How much wider than the spread of either side a gap between modes is, at least.
constexpr double spread_factor = 3;

/// How much of all launches is a mode, at least, where there are few; of many one launch's worth is enough.
constexpr double smallest_share = 0.05;

/// The observations, but those made where launches hardly ever are: within a mode's width around them there
/// are those of one launch alone, or less than smallest_share of what all launches observed, and less than
/// one launch did. Each launch weighs the same, however much it observed.
std::vector<Observation> where_launches_are(std::span<const Observation> ascending) {
    struct Launch {
        std::size_t observations = 0;
        std::size_t near = 0; ///< of them
    };
    std::vector<Launch> launches;
    for (const Observation& each : ascending) {
        if (each.run >= launches.size())
            launches.resize(each.run + 1);
        ++launches[each.run].observations;
    }
    const auto all =
        std::ranges::count_if(launches, [](const Launch& each) { return each.observations > 0; });
    const double enough = std::min(1.0, smallest_share * static_cast<double>(all));
    constexpr double rounding = 1e-9;
    const double reach = std::sqrt(mode_ratio);
    std::size_t launches_near = 0;
    double weight = 0;
    const auto add = [&](const Observation& each, bool enters) {
        Launch& launch = launches[each.run];
        const double own = 1 / static_cast<double>(launch.observations);
        if (enters) {
            weight += own;
            launches_near += launch.near++ == 0 ? 1 : 0;
        } else {
            weight -= own;
            launches_near -= --launch.near == 0 ? 1 : 0;
        }
    };
    std::vector<Observation> found;
    found.reserve(ascending.size());
    std::size_t begin = 0;
    std::size_t end = 0;
    for (const Observation& middle : ascending) {
        for (; end < ascending.size() && ascending[end].signal <= middle.signal * reach; ++end)
            add(ascending[end], true);
        for (; ascending[begin].signal * reach < middle.signal; ++begin)
            add(ascending[begin], false);
        if (launches_near > 1 && weight > enough - rounding)
            found.push_back(middle);
    }
    return found;
}

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

std::vector<double> mode_bounds(std::vector<Observation> ascending) {
    std::sort(ascending.begin(), ascending.end(), [](const Observation& a, const Observation& b) {
        return a.signal != b.signal ? a.signal < b.signal : a.run < b.run;
    });
    // Between large gaps lie modes, and launches that are alone with what they saw.
    std::vector<std::span<const Observation>> modes;
    const std::vector<Observation> shared = where_launches_are(ascending);
    const std::span<const Observation> all(shared);
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
