// SPDX-License-Identifier: LGPL-2.1-or-later
#include "suite/window_control.hpp"

#include "skalib/statistics.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace skampi {
namespace {

constexpr double many_late = 0.1;     // share of missed windows that requires longer ones
constexpr int late_series_bound = 6;  // then windows are given up for barriers
constexpr int hopeless_series_as = 2; // late ones: hardly anything is left of it
constexpr int batches_begun_late = 4; // in a row, to conclude that none will be in time
constexpr int most_given_up = 4;      // visits: then windows are given up for good
constexpr double margin_s = 2e-6;
constexpr double longest_empty_window_s = 1e-4;
constexpr double room_for_scatter = 1.3; // over what 95 % of the calls need

} // namespace

void WindowControl::start(CallTimes& calls) {
    if (calls.window_s == 0)
        calls.window_s = 2 * std::max(calls.estimate_s, calls.warm_up_span_s) + 2 * margin_s;
}

double WindowControl::empty_window_s(const CallTimes& calls) {
    return std::clamp(calls.window_s, 2 * margin_s, longest_empty_window_s);
}

void WindowControl::count_late(CallTimes& calls, int weight) {
    late_series_ += weight;
    calls.late_series += weight;
    // Windows cannot be kept on this machine now: barriers are used, and the flag says so.
    if (std::max(late_series_, calls.late_series) >= late_series_bound)
        synchronization_ = Synchronization::dissemination;
}

void WindowControl::give_up_here() {
    synchronization_ = Synchronization::dissemination;
    here_only_ = ++given_up_ < most_given_up;
}

void WindowControl::next_visit() {
    if (std::exchange(here_only_, false))
        synchronization_ = Synchronization::window;
}

void WindowControl::finished(const SeriesOrder& order, const SeriesResult& result, CallTimes& calls) {
    if (order.window_s == 0)
        return;
    std::int64_t late = 0;
    std::int64_t all = 0;
    std::vector<double> elapsed_s;
    for (const Batch& batch : result.batches) {
        late_batches_ = batch.duration_s.empty() ? late_batches_ + 1 : 0;
        late += batch.late;
        all += batch.late + static_cast<std::int64_t>(batch.duration_s.size());
        elapsed_s.insert(elapsed_s.end(), batch.duration_s.begin(), batch.duration_s.end());
    }
    if (static_cast<double>(late) > many_late * static_cast<double>(all)) {
        // Late calls follow each other without a pause: their duration is known, though not their value.
        if (!order.empty)
            calls.window_s = 2 * std::max(calls.window_s, calls.wall_s);
        // Each batch agrees on its start anew: where all begin late, no window would be long enough.
        count_late(calls, late_batches_ >= batches_begun_late ? late_series_bound
                          : windows_are_hopeless(all, late)   ? hopeless_series_as
                                                              : 1);
        return;
    }
    if (order.empty)
        return; // nothing is learnt about the operation's windows
    late_series_ = calls.late_series = 0;
    if (!result.span_s.empty()) // the rank that keeps time may end before others
        elapsed_s = result.span_s;
    std::ranges::sort(elapsed_s);
    if (!elapsed_s.empty()) {
        const double needed_s = room_for_scatter * skalib::quantile(elapsed_s, 0.95) + margin_s;
        // Growing is bounded, so that one disturbed series does not cost a suite its time.
        calls.window_s = std::min(needed_s, 2 * calls.window_s);
    }
}

} // namespace skampi
