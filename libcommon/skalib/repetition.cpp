// SPDX-License-Identifier: LGPL-2.1-or-later
#include "skalib/repetition.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace skalib {
namespace {

/// Values above zero have a standard error of at most their mean (cut means of not much more): beyond this
/// relative error there are values on both sides of zero, and repeating them settles nothing. Without
/// max_count such a measurement ends after hopeless_factor times min_count values.
constexpr double hopeless_error = 4;
constexpr std::int64_t hopeless_factor = 16;

/// Predictions fall short by a little again and again. Asking for at least this share of what is there bounds
/// the number of rounds by O(log n) and costs at most as much too many.
constexpr std::int64_t least_growth_divisor = 8;

std::int64_t saturating_sum(std::int64_t a, std::int64_t b) {
    return a > std::numeric_limits<std::int64_t>::max() - b ? std::numeric_limits<std::int64_t>::max()
                                                            : a + b;
}

/// Rounded up. Compared as double first: infinity and numbers beyond int64 cannot be converted.
std::int64_t between(double number, std::int64_t least, std::int64_t most) {
    return number >= static_cast<double>(most)
               ? most
               : std::clamp(static_cast<std::int64_t>(std::ceil(number)), least, most);
}

constexpr std::int64_t beyond_all = std::int64_t{1} << 50; ///< values, where no limit is nearer

} // namespace

RepetitionControl::RepetitionControl(const RepetitionLimits& limits, double clock_resolution_s,
                                     ValueKind value)
    : limits_(limits)
    , clock_resolution_s_(clock_resolution_s)
    , value_(value) {
    if (limits.min_count < 1)
        throw std::invalid_argument("min_count must be at least 1");
    if (limits.max_count && *limits.max_count < 1)
        throw std::invalid_argument("max_count must be at least 1");
    if (!(limits.max_relative_error > 0) || !std::isfinite(limits.max_relative_error))
        throw std::invalid_argument("max_relative_error must be above 0");
    if (!(limits.cut_quantile >= 0 && limits.cut_quantile < 0.5))
        throw std::invalid_argument("cut_quantile must be at least 0 and below 0.5");
    if (limits.max_time_s && !(*limits.max_time_s >= 0))
        throw std::invalid_argument("max_time_s must be at least 0");
    if (!(clock_resolution_s >= 0) || !std::isfinite(clock_resolution_s))
        throw std::invalid_argument("clock_resolution_s must be at least 0");
}

void RepetitionControl::add(double value_s, std::int64_t calls) {
    if (!std::isfinite(value_s))
        throw std::invalid_argument("a single measurement must be a finite number");
    values_.push_back(value_s);
    all_.add(value_s);
    total_s_ += value_s * static_cast<double>(calls);
    summary_.reset();
}

void RepetitionControl::add(double value_s, std::int64_t calls, const Origin& origin) {
    add(value_s, calls);
    origins_.push_back(origin);
}

void RepetitionControl::set_time_used(double time_s) {
    time_used_s_ = time_s;
}

Summary RepetitionControl::summary() const {
    if (!summary_)
        summary_ = summarise(values_, limits_.cut_quantile, origins_);
    return *summary_;
}

double RepetitionControl::mean() const {
    return limits_.estimator == ErrorEstimator::classic ? all_.mean() : summary().value(value_);
}

double RepetitionControl::standard_error() const {
    return limits_.estimator == ErrorEstimator::classic ? all_.standard_error()
                                                        : summary().standard_error(value_);
}

double RepetitionControl::relative_error() const {
    if (all_.count() < 2)
        return std::numeric_limits<double>::infinity();
    const double error = standard_error();
    return error == 0 ? 0 : error / std::abs(mean());
}

/// For values above zero the error may be many times their cut mean when passes differ: that of independent
/// values counts.
bool RepetitionControl::is_around_zero() const {
    if (origins_.empty() || limits_.estimator == ErrorEstimator::classic)
        return true;
    const Summary independent = summarise(values_, limits_.cut_quantile);
    return independent.standard_error(value_) > hopeless_error * std::abs(independent.value(value_));
}

double RepetitionControl::total_needed_s() const {
    return clock_resolution_s_ / limits_.max_relative_error;
}

StopReason RepetitionControl::reason() const {
    const std::int64_t count = all_.count();
    if (count >= limits_.min_count && count >= 2 && relative_error() <= limits_.max_relative_error) {
        // Values that are all zero add nothing to the total however often they are repeated.
        const bool total_can_grow = total_s_ > 0;
        if (!total_can_grow || total_s_ >= total_needed_s())
            return StopReason::repeatable;
    }
    if (limits_.max_count && count >= *limits_.max_count)
        return StopReason::max_count;
    if (limits_.max_time_s && time_used_s_ >= *limits_.max_time_s)
        return StopReason::time_limit;
    if (!limits_.max_count && count / hopeless_factor >= limits_.min_count &&
        (mean() <= 0 || (relative_error() > hopeless_error && is_around_zero())))
        return StopReason::max_count;
    return StopReason::none;
}

double RepetitionControl::predicted() const {
    const auto n = static_cast<double>(all_.count());
    const double too_large_by = relative_error() / limits_.max_relative_error;
    const double by_error = n * too_large_by * too_large_by;
    return total_s_ > 0 ? std::max(by_error, n * total_needed_s() / total_s_) : by_error;
}

std::int64_t RepetitionControl::missing_to(std::int64_t target) const {
    const std::int64_t count = all_.count();
    if (limits_.max_count)
        target = std::min(target, *limits_.max_count);
    std::int64_t more = target - count;
    if (limits_.max_time_s && count > 0 && time_used_s_ > 0) {
        // What has been used up to now includes the warm-up, so this errs towards asking once more.
        const double affordable =
            (*limits_.max_time_s - time_used_s_) / (time_used_s_ / static_cast<double>(count));
        if (affordable < static_cast<double>(more))
            more = std::max<std::int64_t>(1, static_cast<std::int64_t>(std::ceil(affordable)));
    }
    return more;
}

std::int64_t RepetitionControl::wanted() const {
    if (reason() != StopReason::none)
        return 0;
    const std::int64_t count = all_.count();
    if (count < limits_.min_count)
        return missing_to(limits_.min_count);
    const std::int64_t least = saturating_sum(count, std::max<std::int64_t>(1, count / least_growth_divisor));
    return missing_to(between(predicted(), least, saturating_sum(count, count)));
}

std::int64_t RepetitionControl::expected() const {
    const std::int64_t count = all_.count();
    if (reason() != StopReason::none)
        return count;
    return count + missing_to(count < limits_.min_count ? limits_.min_count
                                                        : between(predicted(), count, beyond_all));
}

std::int64_t block_size(double duration_s, double target_s) {
    if (!(duration_s < target_s))
        return 1;
    // A duration of zero (not resolved) would ask for infinitely many.
    constexpr double most = 1e6;
    const double calls = duration_s > 0 ? target_s / duration_s : most;
    // 4e-6 / 1e-6 must give 4, not 5, in spite of the last bit.
    return static_cast<std::int64_t>(std::clamp(std::ceil(calls * (1 - 1e-12)), 1.0, most));
}

} // namespace skalib
