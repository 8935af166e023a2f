// SPDX-License-Identifier: LGPL-2.1-or-later
#include "clock/clock_model.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace skampi {
namespace {

constexpr std::size_t most_sights = 32; // at one every 10 s five minutes, in which temperatures change
constexpr double set_margin_s = 1e-6;

} // namespace

/// An old sight says less about the present line.
double ClockHistory::bound_of(const ClockSight& sight) const {
    return sight.bound_s + wander_ * (sights_.back().local_s - sight.local_s);
}

// A line through [low, high] of a sight i and of a later one j reaches at most high_j + (high_j - low_i) *
// (t - t_j) / (t_j - t_i) at t. The least of these over all pairs is reached by one that passes all sights
// (linear programming in two dimensions: two constraints decide).

ClockHistory::Limit ClockHistory::highest(double local_s) const {
    Limit least{.at_s = 0, .offset_s = std::numeric_limits<double>::infinity(), .slope = 0};
    for (std::size_t j = 0; j < sights_.size(); ++j) {
        const double high_s = sights_[j].offset_s + bound_of(sights_[j]);
        double slope = largest_drift;
        for (std::size_t i = 0; i < j; ++i)
            slope = std::min(slope, (high_s - sights_[i].offset_s + bound_of(sights_[i])) /
                                        (sights_[j].local_s - sights_[i].local_s));
        const Limit limit{sights_[j].local_s, high_s, slope};
        if (limit.at(local_s) < least.at(local_s))
            least = limit;
    }
    return least;
}

ClockHistory::Limit ClockHistory::lowest(double local_s) const {
    Limit most{.at_s = 0, .offset_s = -std::numeric_limits<double>::infinity(), .slope = 0};
    for (std::size_t j = 0; j < sights_.size(); ++j) {
        const double low_s = sights_[j].offset_s - bound_of(sights_[j]);
        double slope = -largest_drift;
        for (std::size_t i = 0; i < j; ++i)
            slope = std::max(slope, (low_s - sights_[i].offset_s - bound_of(sights_[i])) /
                                        (sights_[j].local_s - sights_[i].local_s));
        const Limit limit{sights_[j].local_s, low_s, slope};
        if (limit.at(local_s) > most.at(local_s))
            most = limit;
    }
    return most;
}

ClockHistory::Range ClockHistory::possible(double local_s) const {
    const double wandered_s = wander_ * (local_s - sights_.back().local_s);
    return {lowest(local_s).at(local_s) - wandered_s, highest(local_s).at(local_s) + wandered_s};
}

double ClockHistory::bound_s(double local_s) const {
    if (sights_.empty())
        return std::numeric_limits<double>::infinity();
    const double offset_s = model_.to_global(local_s) - local_s;
    const Range range = possible(local_s);
    return std::max(range.high_s - offset_s, offset_s - range.low_s);
}

double ClockHistory::growth(double local_s) const {
    if (sights_.empty())
        return 0;
    return std::max({highest(local_s).slope - model_.drift, model_.drift - lowest(local_s).slope, 0.0}) +
           wander_;
}

double ClockHistory::baseline_s() const {
    return sights_.empty() ? 0 : sights_.back().local_s - sights_.front().local_s;
}

ClockHistory::Check ClockHistory::add(const ClockSight& sight) {
    Check check;
    if (!sights_.empty()) {
        check.age_s = sight.local_s - sights_.back().local_s;
        const double elapsed_s = std::max(check.age_s, 0.0);
        check.deviation_s = std::abs(model_.to_global(sight.local_s) - sight.local_s - sight.offset_s);
        // The smallest distance between the former sights and this one.
        const auto beyond_s = [&] {
            const Range range = possible(sights_.back().local_s + elapsed_s);
            return std::max({sight.offset_s - sight.bound_s - range.high_s,
                             range.low_s - sight.offset_s - sight.bound_s, 0.0});
        };
        const double gap_s = beyond_s();
        check.predicted_s = bound_s(sights_.back().local_s + elapsed_s) + sight.bound_s;
        check.held = gap_s <= 0;
        check.was_set = check.age_s <= 0 || gap_s > 2 * largest_drift * elapsed_s + set_margin_s;
        if (!check.held)
            // The model may be nearer than the sights leave possible.
            check.predicted_s = std::min(check.predicted_s, std::max(check.deviation_s - gap_s, 0.0));
        if (check.was_set) {
            check.held = false;
            sights_.clear();
        } else if (!check.held) {
            wander_ = std::max(2 * wander_, 2 * gap_s / elapsed_s);
            if (beyond_s() > 0)
                sights_.clear();
        }
    }
    sights_.push_back(sight);
    if (sights_.size() > most_sights)
        sights_.pop_front();
    fit();
    return check;
}

void ClockHistory::fit() {
    const double now_s = sights_.back().local_s;
    double weights = 0;
    double mean_t = 0;
    double mean_offset = 0;
    const auto weight_of = [&](const ClockSight& sight) {
        const double bound_s = std::max(bound_of(sight), 1e-9);
        return 1 / (bound_s * bound_s);
    };
    // Against the newest: offsets may be as large as the clocks are old, their differences are small.
    const double origin_s = sights_.back().offset_s;
    for (const ClockSight& sight : sights_) {
        weights += weight_of(sight);
        mean_t += weight_of(sight) * (sight.local_s - now_s);
        mean_offset += weight_of(sight) * (sight.offset_s - origin_s);
    }
    mean_t /= weights;
    mean_offset /= weights;
    double with_t = 0;
    double of_t = 0;
    for (const ClockSight& sight : sights_) {
        const double t = sight.local_s - now_s - mean_t;
        with_t += weight_of(sight) * t * (sight.offset_s - origin_s - mean_offset);
        of_t += weight_of(sight) * t * t;
    }
    if (of_t > 0) // a single sight does not show it: the previous one is the best guess
        model_.drift = with_t / of_t;
    model_.drift = std::clamp(model_.drift, -largest_drift, largest_drift);
    model_.reference_s = now_s;
    model_.offset_s = origin_s + mean_offset - model_.drift * mean_t;
    // An impossible line is no best guess, even if it fits well.
    const Range range = possible(now_s);
    model_.offset_s = range.low_s <= range.high_s ? std::clamp(model_.offset_s, range.low_s, range.high_s)
                                                  : (range.low_s + range.high_s) / 2;
}

} // namespace skampi
