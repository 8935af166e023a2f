// SPDX-License-Identifier: LGPL-2.1-or-later
#include "suite/series_plan.hpp"

#include "model/pattern.hpp"
#include "skalib/clock.hpp"
#include "suite/window_control.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

namespace skampi {
namespace {

constexpr double shortest_limit_in_batches = 100; // so that one 100 times slower lasts as long
constexpr std::int64_t lead_in_share = 4;         // a fourth of a batch, or
constexpr double lead_in_s = 60e-6;               // what short calls need in any
constexpr double longest_for_agreement_s = 2e-3;  // still below a scheduler slice
constexpr double warm_up_time_share = 0.25;       // of a visit's, at most, where calls take long
constexpr double probe_time_share = 0.05;         // the same, of two probes in a visit that is brief

std::int64_t ceil_div(double a, double b) {
    return static_cast<std::int64_t>(std::ceil(a / b));
}

std::int64_t batches_of(std::int64_t count, std::int64_t per_batch) {
    return (count + per_batch - 1) / per_batch;
}

} // namespace

SeriesPlan::SeriesPlan(const Suite& suite, const Tempo& tempo)
    : suite_(suite)
    , tempo_(tempo) {}

void SeriesPlan::finished(const SeriesResult& result) {
    if (result.agreement_s > 0)
        agreement_s_ = result.agreement_s;
    if (result.probe_cost_s > 0)
        probe_cost_s_ = result.probe_cost_s;
}

bool SeriesPlan::in_windows(Synchronization synchronization) const {
    return row_of(suite_.operation.pattern).starts_together && synchronization == Synchronization::window;
}

bool SeriesPlan::has_warm_buffers() const {
    return suite_.buffers == BufferPolicy::warm || suite_.buffers == BufferPolicy::warm_4k;
}

/// A running batch cannot be protected from disturbances, so it is short.
double SeriesPlan::batch_s() const {
    double length_s =
        std::max(tempo_.batch_s, std::min(agreement_s_ / tempo_.agreement_share, longest_for_agreement_s));
    for (const std::optional<double>& limit_s : {suite_.max_suite_time_s, suite_.repetition.max_time_s})
        if (limit_s)
            length_s = std::min(length_s, *limit_s / shortest_limit_in_batches);
    return length_s;
}

std::int64_t SeriesPlan::look_every(double batch_s) const {
    return std::max<std::int64_t>(1, ceil_div(tempo_.look_s, std::max(batch_s, tempo_.clock_resolution_s)));
}

std::int64_t SeriesPlan::block_of(const Point& point, bool acts_between_calls) const {
    if (!point.batches.empty())
        return point.batches.front().block;
    const bool one_call =
        !row_of(suite_.operation.pattern).in_blocks || !has_warm_buffers() || acts_between_calls;
    if (one_call)
        return 1;
    // Powers of two, so that few overheads need to be known.
    const double call_s = point.calls.estimate_s - tempo_.clock_cost_s;
    const std::int64_t least = skalib::block_size(std::max(call_s, 1e-10), tempo_.block_s);
    std::int64_t block = 1;
    while (block < least)
        block *= 2;
    return block;
}

double SeriesPlan::call_s(const CallTimes& calls, Synchronization synchronization) const {
    const double estimate_s = std::max(calls.estimate_s, tempo_.clock_resolution_s / 10);
    if (!row_of(suite_.operation.pattern).starts_together)
        return estimate_s;
    return synchronization == Synchronization::window ? std::max(calls.window_s, estimate_s) : 3 * estimate_s;
}

double SeriesPlan::single_s(const CallTimes& calls, Synchronization synchronization,
                            std::int64_t block) const {
    return std::max(call_s(calls, synchronization), calls.wall_s) * static_cast<double>(block);
}

SeriesOrder SeriesPlan::values(const CallTimes& calls, std::int64_t count, std::int64_t block,
                               Synchronization synchronization) const {
    const double one_s = single_s(calls, synchronization, block);
    SeriesOrder order;
    order.block = block;
    order.synchronization = synchronization;
    order.window_s = in_windows(synchronization) ? calls.window_s : 0;
    order.per_batch = std::clamp<std::int64_t>(static_cast<std::int64_t>(batch_s() / one_s), 1, count);
    order.batches = batches_of(count, order.per_batch);
    if (row_of(suite_.operation.pattern).starts_together)
        order.lead_in = std::min(tempo_.most_lead_in, std::max(order.per_batch / lead_in_share,
                                                               static_cast<std::int64_t>(lead_in_s / one_s)));
    const double planned_s = one_s * static_cast<double>(order.lead_in + order.per_batch);
    order.probe_every =
        tempo_.probe_share <= 0 ? 0
        : probe_cost_s_ > 0
            ? std::max<std::int64_t>(1, ceil_div(probe_cost_s_ / tempo_.probe_share, planned_s))
            : order.batches;
    order.look_every = look_every(planned_s);
    return order;
}

bool SeriesPlan::has_time_for_probes(double visit_s) const {
    return 2 * probe_cost_s_ < probe_time_share * visit_s;
}

SeriesOrder SeriesPlan::empty_calls(const CallTimes& calls, std::int64_t block,
                                    Synchronization synchronization, double budget_s) const {
    SeriesOrder order;
    order.empty = true;
    order.block = block;
    order.synchronization = synchronization;
    order.window_s = in_windows(synchronization) ? WindowControl::empty_window_s(calls) : 0;
    const double one_s = std::max(calls.wall_s * static_cast<double>(block), order.window_s);
    order.per_batch =
        std::clamp<std::int64_t>(static_cast<std::int64_t>(batch_s() / one_s), 1, tempo_.overhead_per_batch);
    order.batches = batches_of(tempo_.overhead_batches * tempo_.overhead_per_batch, order.per_batch);
    order.probe_every = tempo_.probe_share > 0 && 2 * probe_cost_s_ < budget_s ? order.batches : 0;
    order.look_every = look_every(one_s * static_cast<double>(order.per_batch));
    order.warm_up = calls.wall_s < tempo_.longest_warm_up_s ? tempo_.min_warm_up : 0;
    order.least_batches = 1;
    return order;
}

std::int64_t SeriesPlan::warm_up(const CallTimes& calls) const {
    const double one_s = has_warm_buffers() ? calls.estimate_s : std::max(calls.estimate_s, calls.wall_s);
    return std::clamp(ceil_div(tempo_.warm_up_s, one_s), tempo_.min_warm_up, tempo_.max_warm_up);
}

double SeriesPlan::longest_first_warm_up_s(double visit_s) {
    return warm_up_time_share * visit_s;
}

std::int64_t SeriesPlan::least_warm_up(const CallTimes& calls, double visit_s) const {
    const double all_s = calls.wall_s * static_cast<double>(tempo_.min_warm_up);
    return all_s > longest_first_warm_up_s(visit_s) ? 1 : tempo_.min_warm_up;
}

} // namespace skampi
