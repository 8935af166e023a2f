// SPDX-License-Identifier: LGPL-2.1-or-later
#include "model/launch_time.hpp"

#include "base/utc.hpp"

#include <algorithm>

namespace skampi {

bool LaunchesInTime::of_one_session() const {
    return in_a_row() && length_s < seconds_per_day;
}

LaunchesInTime launches_in_time(std::vector<LaunchTime> times) {
    constexpr double close_s = 3600;
    LaunchesInTime found;
    if (times.empty())
        return found;
    std::ranges::sort(times, {}, &LaunchTime::begin_s);
    found.pairs = times.size() - 1;
    double end_s = times.front().end_s;
    for (std::size_t i = 1; i < times.size(); ++i) {
        found.close += times[i].begin_s - times[i - 1].end_s < close_s ? 1 : 0;
        end_s = std::max(end_s, times[i].end_s);
    }
    found.length_s = end_s - times.front().begin_s;
    return found;
}

} // namespace skampi
