// SPDX-License-Identifier: LGPL-2.1-or-later
#include "suite/point.hpp"

#include <algorithm>
#include <cmath>

namespace skampi {

void CallTimes::learn(const SeriesOrder& order, const SeriesResult& result, double clock_resolution_s) {
    std::int64_t calls = result.warm_up_calls;
    for (const Batch& batch : result.batches) {
        calls += (std::ssize(batch.duration_s) + batch.late) * batch.block;
        if (!batch.duration_s.empty() && estimate_s > 0)
            estimate_s =
                std::min(estimate_s, std::max(std::ranges::min(batch.duration_s), clock_resolution_s));
    }
    if (calls > 0 && !order.alone)
        wall_s = result.inside_s / static_cast<double>(calls);
    if (result.warm_up_span_s > 0)
        warm_up_span_s = result.warm_up_span_s;
    if (result.warm_up_call_s > 0 && estimate_s == 0)
        estimate_s = result.warm_up_call_s;
}

int majority_mode(const Points& points, const skalib::ModeSplit& split) {
    if (split.count() == 1)
        return 0;
    std::vector<double> time_s(split.count());
    for (const auto& [argument, there] : points)
        for (std::size_t i = 0; i < there.batches.size(); ++i) {
            const Batch& batch = there.batches[i];
            if (batch.probe_before_s <= 0)
                continue;
            if (const auto mode = split.mode(batch.probe_before_s, batch.probe_after_s))
                time_s[*mode] += there.batch_time_s[i];
        }
    return static_cast<int>(std::ranges::max_element(time_s) - time_s.begin());
}

Synchronization majority_synchronization(const Points& points, Synchronization now) {
    std::map<Synchronization, std::int64_t> usable; // batches
    for (const auto& [argument, there] : points)
        for (const Batch& batch : there.batches)
            usable[batch.synchronization] += !batch.dropped && !batch.duration_s.empty() ? 1 : 0;
    const auto most = std::ranges::max_element(usable, {}, [](const auto& kind) { return kind.second; });
    return most == usable.end() ? now : most->first;
}

std::optional<skalib::SegmentError> worst_segment(const skalib::RefinementLimits& arguments,
                                                  const Points& points) {
    skalib::Refinement curve(arguments);
    for (const auto& [argument, there] : points) {
        const Measurement& m = there.measurement;
        if (there.impossible || !std::isfinite(m.value_s))
            curve.exclude(argument);
        else
            curve.add(argument, m.value_s, std::isfinite(m.standard_error_s) ? m.standard_error_s : 0);
    }
    return curve.worst_segment();
}

double share_of_visits(const Points& points, int passes, std::size_t planned) {
    int visits = 0;
    for (const auto& [argument, there] : points)
        visits += there.finished || there.impossible ? passes : std::min(there.visits, passes);
    return visits / (static_cast<double>(passes) * static_cast<double>(std::max(points.size(), planned)));
}

} // namespace skampi
