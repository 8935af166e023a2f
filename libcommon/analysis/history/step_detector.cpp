// SPDX-License-Identifier: LGPL-2.1-or-later
#include "analysis/history/step_detector.hpp"

#include "analysis/history/two_states.hpp"
#include "skalib/statistics.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>
#include <utility>

namespace skampi {

namespace {

constexpr double nothing = -std::numeric_limits<double>::infinity();
constexpr double certain = 50; // more than any number of runs and lines asks for
/// A step that was not found so many values behind it is not looked for any longer.
constexpr std::size_t longest_after = 64;
/// So many runs are remembered, three times as many: the noise is known then to 5 %.
constexpr std::size_t memory = 3 * longest_after;
/// The noise of the first level is not known from fewer values; that of a later one from those before it.
constexpr std::size_t least_before_first = 16;
constexpr std::size_t least_before_next = least_between_changes;
/// Where so many values are left, the noise is that of these alone.
constexpr std::size_t enough_for_noise = 48;

/// Of `count` values the last ones.
std::vector<double> step_shape(std::size_t count, std::size_t after) {
    std::vector<double> shape(count, 0.0);
    std::fill(shape.end() - static_cast<std::ptrdiff_t>(after), shape.end(), 1.0);
    return shape;
}

/// How many of the last values the noise is estimated without, for a place before the last `after` ones:
/// where there are enough others, as many for several places.
std::size_t left_out(std::size_t count, std::size_t after) {
    const std::size_t group = std::max<std::size_t>(16, std::bit_ceil(after));
    return count >= group + enough_for_noise ? group : after;
}

/// Whether the newest value and enough others lie beyond the middle between the levels before and behind.
bool stays(std::span<const double> values, std::size_t after) {
    const auto median_of = [](std::span<const double> part) {
        return skalib::median({part.begin(), part.end()});
    };
    const std::span<const double> behind = values.last(after);
    const std::span<const double> before = values.first(values.size() - after);
    const double old_level = median_of(before.last(std::min(before.size(), longest_after)));
    const double new_level = median_of(behind);
    const auto beyond = [&](double value) {
        return std::fabs(value - new_level) < std::fabs(value - old_level);
    };
    return beyond(values.back()) &&
           std::ranges::count_if(behind, beyond) >= static_cast<std::ptrdiff_t>(least_between_changes);
}

/// How many of the newest values all lie on one side of the level before them, twice as far as anything that
/// lasted there: 90 % of the values, and the medians of any five in a row. 0 = fewer than five.
/// @param earlier deviations from the level before that, which count as well
std::size_t beyond_all(std::span<const double> values, std::span<const double> earlier,
                       std::size_t least_before) {
    constexpr double least_change = 0.05; // equal values may change by less without a reason
    constexpr double few = 0.1;           // values, however far away, are no level
    if (values.size() < least_before + least_between_changes)
        return 0;
    const std::span<const double> before = values.first(values.size() - least_between_changes);
    const double level = skalib::median({before.begin(), before.end()});
    std::vector<double> deviations(earlier.begin(), earlier.end());
    for (const double each : before)
        deviations.push_back(each - level);
    double farthest = 0;
    for (const double each : smoothed(deviations))
        farthest = std::max(farthest, std::fabs(each));
    for (double& each : deviations)
        each = std::fabs(each);
    std::ranges::sort(deviations);
    const double bound =
        std::max(least_change, 2 * std::max(farthest, skalib::quantile(deviations, 1 - few)));
    const double side = values.back() > level ? 1 : -1;
    std::size_t count = 0;
    while (count + least_before < values.size() && side * (values[values.size() - 1 - count] - level) > bound)
        ++count;
    return count < least_between_changes ? 0 : count;
}

} // namespace

void StepDetector::add(double value) {
    values_.push_back(std::log(value));
    log_evidence_ = nothing;
    after_ = beyond_ = 0;
    if (!ready())
        return;
    const std::size_t first = values_.size() - std::min(values_.size(), memory);
    std::vector<double> values(values_.begin() + static_cast<std::ptrdiff_t>(first), values_.end());
    if (const std::optional<double> bound = state_bound(values)) {
        const std::vector<double> states = values;
        level_states(values, states, *bound);
    }
    const auto begin = values.begin() + static_cast<std::ptrdiff_t>(std::max(begin_, first) - first);
    present_.assign(begin, values.end());
    earlier_.assign(values.begin() + static_cast<std::ptrdiff_t>(std::max(before_, first) - first), begin);
    const double level = skalib::median(earlier_);
    for (double& each : earlier_)
        each -= level;
}

StepDetector::Level StepDetector::level_without(std::size_t last) const {
    const std::vector<double> part(present_.begin(), present_.end() - static_cast<std::ptrdiff_t>(last));
    const double level = skalib::median(part);
    std::vector<double> deviations;
    if (part.size() < enough_for_noise)
        deviations.assign(earlier_.end() - static_cast<std::ptrdiff_t>(
                                               std::min(earlier_.size(), 2 * enough_for_noise - part.size())),
                          earlier_.end());
    for (const double each : part)
        deviations.push_back(each - level);
    return {level, noise_of(deviations, usual_)};
}

std::vector<double> StepDetector::white(const Level& level) const {
    std::vector<double> deviations = present_;
    for (double& each : deviations)
        each -= level.level;
    return whitened(deviations, level.noise);
}

std::optional<StepDetector::Correlation> StepDetector::correlation() const {
    constexpr std::size_t enough = 8; // of fewer values it is chance
    const std::size_t without = left_out(present_.size(), least_between_changes);
    if (present_.size() < without + enough)
        return std::nullopt;
    return Correlation{level_without(without).noise.found, static_cast<double>(present_.size() - without)};
}

void StepDetector::look(const UsualCorrelation& usual) {
    usual_ = usual;
    if (!ready())
        return;
    // A step that so many lines and runs ask for is about as large, in standard errors: this mixture of sizes
    // finds it with the fewest runs.
    constexpr double usual_strength = 5.5;
    constexpr double prior = usual_strength * usual_strength;
    constexpr double most_strength = 30; // exp() of more is infinite
    const std::size_t n = present_.size();
    const std::size_t least_before = begin_ == 0 ? least_before_first : least_before_next;
    const std::vector<double> level_shape(n, 1.0);
    double evidence = 0;
    std::size_t last = least_between_changes - 1;
    strength_ = 0;
    std::size_t without = 0;
    Level level;
    std::vector<double> values;
    // Of places that lie long ago not each is tried: its neighbour is hardly less probable.
    for (std::size_t after = least_between_changes; after <= longest_after && after + least_before <= n;
         after += 1 + after / 16) {
        if (const std::size_t wanted = left_out(n, after); wanted != without) {
            without = wanted;
            level = level_without(without);
            values = white(level);
        }
        const ShapeSize size = size_of_last(values, level.noise, {level_shape, step_shape(n, after)});
        const double z =
            std::min(most_strength, as_normal(size.size / size.error, level.noise.degrees_of_level(after)));
        // It stands for all places since the one before.
        evidence += static_cast<double>(after - last) * std::exp(0.5 * z * z * prior / (1 + prior)) /
                    std::sqrt(1 + prior);
        last = after;
        if (z > strength_) {
            strength_ = z;
            after_ = after;
        }
    }
    if (evidence > 0)
        log_evidence_ = std::log(evidence);
    // Where single runs were far away, or a state lasted for some runs, neighbours look alike, and clipped
    // values say little of a large change.
    beyond_ = beyond_all(present_, earlier_, least_before);
    if (beyond_ > 0)
        log_evidence_ = certain;
}

std::optional<StepDetector::Step> StepDetector::step() const {
    // In standard errors, next to a straight line: less makes steps of more than one drifting year in ten.
    constexpr double least_next_to_drift = 3.7;
    constexpr std::size_t shortest_drift = 32; // what changes within fewer runs is a step
    if (beyond_ > 0)
        return Step{values_.size() - beyond_, strength_};
    if (after_ == 0)
        return std::nullopt;
    const std::size_t n = present_.size();
    const std::size_t least_before = begin_ == 0 ? least_before_first : least_before_next;
    const Level level = level_without(left_out(n, after_));
    const std::vector<double> values = white(level);
    const auto deviate = [&](std::vector<std::vector<double>>&& shapes) {
        shapes.insert(shapes.begin(), std::vector<double>(n, 1.0));
        const ShapeSize size = size_of_last(values, level.noise, std::move(shapes));
        return as_normal(size.size / size.error, level.noise.degrees);
    };
    double as_line = 0; // a straight change that began then, or later by a half, a quarter ...
    for (std::size_t length = n; length >= std::min(n, shortest_drift); length /= 2) {
        std::vector<double> line(n, 0.0);
        std::iota(line.end() - static_cast<std::ptrdiff_t>(length), line.end(), 1.0);
        as_line = std::max(as_line, deviate({std::move(line)}));
    }
    std::vector<double> line(n);
    std::iota(line.begin(), line.end(), 0.0);
    double as_step = 0;
    double next_to_line = 0;
    std::size_t best_after = 0;
    for (std::size_t after = least_between_changes; after <= longest_after && after + least_before <= n;
         ++after) {
        const std::vector<double> step = step_shape(n, after);
        as_step = std::max(as_step, deviate({step}));
        if (const double own = deviate({line, step}); own > next_to_line) {
            next_to_line = own;
            best_after = after;
        }
    }
    if (next_to_line < least_next_to_drift || as_step < as_line || !stays(present_, best_after))
        return std::nullopt;
    return Step{values_.size() - best_after, strength_};
}

void StepDetector::accept(const Step& step) {
    before_ = begin_;
    begin_ = step.at;
    log_evidence_ = nothing;
    after_ = beyond_ = 0;
}

} // namespace skampi
