// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tuning/stays.hpp"

#include "skalib/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>

namespace skampi {
namespace {

/// With fewer, one that something else disturbed would be most of them.
constexpr std::ptrdiff_t few_stays = 3;
/// Of a normal distribution: from the median distance to the error of the median.
constexpr double error_of_median = skalib::deviation_by_mad * 1.2533;

} // namespace

Stays stays_at(const Measurement& measured, const std::vector<Batch>& batches) {
    std::map<int, std::vector<double>> durations;
    for (const Batch& batch : batches)
        if (!batch.dropped && !batch.dirty)
            durations[batch.pass].insert(durations[batch.pass].end(), batch.duration_s.begin(),
                                         batch.duration_s.end());
    Stays stays;
    stays.value_s = measured.value_s;
    stays.relative_error = measured.standard_error_s / measured.value_s;
    for (auto& [pass, duration_s] : durations) {
        if (duration_s.empty())
            continue;
        const double time_s = skalib::median(duration_s) - measured.overhead_s;
        if (time_s > 0)
            stays.median_s[pass] = time_s;
    }
    return stays;
}

AgainstDefault in_same_stays(const Stays& one, const Stays& usual) {
    std::vector<double> logs;
    for (const auto& [pass, time_s] : one.median_s)
        if (const auto there = usual.median_s.find(pass); there != usual.median_s.end())
            logs.push_back(std::log(time_s / there->second));
    const double of_values = std::hypot(one.relative_error, usual.relative_error);
    if (std::ssize(logs) < few_stays)
        return {std::log(one.value_s / usual.value_s), of_values};
    const double middle = skalib::median(logs);
    for (double& log : logs)
        log = std::abs(log - middle);
    const double of_stays =
        error_of_median * skalib::median(logs) / std::sqrt(static_cast<double>(logs.size()));
    return {middle, std::max(of_stays, of_values)};
}

} // namespace skampi
