// SPDX-License-Identifier: LGPL-2.1-or-later
#include "skalib/refinement.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>

namespace skalib {
namespace {

constexpr double most_first_arguments = 1e6;

/// How far a prediction error must exceed another to be taken for a jump. A jump makes the ratio to its
/// neighbours grow without bound as its segment shrinks; equal noise on all points keeps it around 1. Where a
/// smooth curve bends, the predictions from both sides differ by the ratio of (c - a) to (d - b), by the step
/// width or less.
constexpr double jump_stands_out = 2;

/// In standard errors: the error from which a prediction counts, the error of both in a segment together, and
/// the error of the other one from which a prediction could have shown a jump. Noise meets all three in one
/// segment of a hundred.
constexpr double counts_beyond = 1;
constexpr double together_beyond = 3;
constexpr double conclusive = 2;

struct Point {
    double argument = 0;
    double value = 0;
    double standard_error = 0;
};

double relative(double difference, double reference) {
    return difference == 0 ? 0 : std::abs(difference) / std::abs(reference);
}

struct Miss {
    double distance = 0; ///< of the predicted value from the measured one
    double standard_error = 0;
    [[nodiscard]] double in_standard_errors() const { return relative(distance, standard_error); }
};

/// How well the line through two points, drawn on, meets a third. With r, the ratio of the lengths, the line
/// ends at (1 + r) through - r from; the values' errors are independent, so their squares add up with the
/// squares of these factors.
Miss miss(const Point& from, const Point& through, const Point& target) {
    const double r = (target.argument - through.argument) / (through.argument - from.argument);
    return {through.value + r * (through.value - from.value) - target.value,
            std::hypot(r * from.standard_error, (1 + r) * through.standard_error, target.standard_error)};
}

void require_possible(const RefinementLimits& limits) {
    if (limits.start < 0)
        throw std::invalid_argument("start must be at least 0");
    if (limits.end < limits.start)
        throw std::invalid_argument("end must be at least start");
    if (!std::isfinite(limits.stepwidth))
        throw std::invalid_argument("stepwidth must be a finite number");
    const bool is_chosen = limits.stepwidth <= 0 && limits.stepwidth == std::round(limits.stepwidth);
    if (!is_chosen && !(limits.stepwidth > (is_log(limits.scale) ? 1 : 0)))
        throw std::invalid_argument(is_log(limits.scale) ? "stepwidth must be above 1 on a logarithmic scale"
                                                         : "stepwidth must be above 0");
    if (limits.multiple_of < 0)
        throw std::invalid_argument("multiple_of must be at least 0");
    if (limits.min_distance < 0)
        throw std::invalid_argument("min_distance must be at least 0");
    if (limits.max_distance && *limits.max_distance < 1)
        throw std::invalid_argument("max_distance must be at least 1");
    if (limits.max_steps && *limits.max_steps < 1)
        throw std::invalid_argument("max_steps must be at least 1");
    if (!(limits.max_relative_error >= 0))
        throw std::invalid_argument("max_relative_error must be at least 0");
}

/// The arguments between start and end before rounding.
std::vector<double> grid(const RefinementLimits& limits) {
    const auto end = static_cast<double>(limits.end);
    const auto start = static_cast<double>(limits.start);
    std::vector<double> arguments;
    if (limits.start == limits.end)
        return arguments;
    const double first = is_log(limits.scale) && limits.start == 0
                             ? static_cast<double>(std::max<std::int64_t>(1, limits.multiple_of))
                             : start;
    const double steps = is_log(limits.scale) ? std::log(end / first) / std::log(limits.stepwidth)
                                              : (end - first) / limits.stepwidth;
    if (steps > most_first_arguments)
        throw std::invalid_argument(
            "stepwidth is so small that the first pass has more than a million arguments");
    // Each argument from its number, not from the one before: rounding errors do not add up.
    for (std::int64_t k = 0;; ++k) {
        const auto number = static_cast<double>(k);
        const double argument = is_log(limits.scale) ? first * std::pow(limits.stepwidth, number)
                                                     : first + number * limits.stepwidth;
        if (!(argument < end))
            return arguments;
        arguments.push_back(argument);
    }
}

/// So many of them, evenly spread, with the first and the last. @param most at least 1
std::vector<std::int64_t> thinned(const std::vector<std::int64_t>& arguments, std::size_t most) {
    if (arguments.size() <= most)
        return arguments;
    std::vector<std::int64_t> kept{arguments.front()};
    for (std::size_t i = 1; i < most; ++i)
        kept.push_back(arguments[(i * (arguments.size() - 1) + (most - 1) / 2) / (most - 1)]);
    return kept;
}

} // namespace

RefinementLimits within_multiples(RefinementLimits limits) {
    limits.multiple_of = std::max<std::int64_t>(1, limits.multiple_of);
    const std::int64_t multiple = limits.multiple_of;
    limits.end -= limits.end % multiple;
    if (const std::int64_t above = limits.start % multiple; above != 0) {
        const std::int64_t below = limits.start - above;
        constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
        limits.start = below > most - multiple ? most : below + multiple;
    }
    return limits;
}

double best_stepwidth(Scale scale, std::int64_t start, std::int64_t end, int jumps) {
    const auto first = static_cast<double>(std::max<std::int64_t>(start, 1));
    const auto last = static_cast<double>(std::max(start, end));
    if (!is_log(scale))
        return std::max(1.0, std::floor((last - static_cast<double>(start)) * std::log(2.0) / jumps));
    // Where a jump lies and how finely it is located are the same for both.
    const auto measurements = [&](double ratio) {
        return std::log(std::max(last / first, 1.0)) / std::log(ratio) + jumps * std::log2(ratio - 1);
    };
    const double fine = std::sqrt(2.0);
    return measurements(fine) < measurements(2) ? fine : 2;
}

double stepwidth_of(const RefinementLimits& limits) {
    if (limits.stepwidth > 0)
        return limits.stepwidth;
    return best_stepwidth(limits.scale, limits.start, limits.end,
                          limits.stepwidth < 0 ? static_cast<int>(-limits.stepwidth) : usual_jumps);
}

Refinement::Refinement(const RefinementLimits& limits)
    : limits_(limits) {
    require_possible(limits);
    limits_ = within_multiples(limits);
    if (limits_.start > limits_.end)
        throw std::invalid_argument("there is no multiple of " + std::to_string(limits_.multiple_of) +
                                    " from " + std::to_string(limits.start) + " to " +
                                    std::to_string(limits.end));
    limits_.min_distance = std::max<std::int64_t>(1, limits.min_distance);
    limits_.stepwidth = stepwidth_of(limits_);

    const std::int64_t apart = is_dynamic(limits_.scale) ? limits_.min_distance : 1;
    first_pass_.push_back(limits_.start);
    for (const double argument : grid(limits_)) {
        const auto multiple = static_cast<double>(limits_.multiple_of);
        const double rounded = std::round(argument / multiple) * multiple;
        if (!(rounded < static_cast<double>(limits_.end)))
            continue;
        const auto candidate = static_cast<std::int64_t>(rounded);
        if (candidate - first_pass_.back() >= apart && limits_.end - candidate >= apart)
            first_pass_.push_back(candidate);
    }
    if (limits_.end > limits_.start)
        first_pass_.push_back(limits_.end);
    if (is_dynamic(limits_.scale) && limits_.max_steps)
        first_pass_ = thinned(first_pass_, static_cast<std::size_t>(*limits_.max_steps));
}

void Refinement::add(std::int64_t argument, double value, double standard_error) {
    if (!std::isfinite(value))
        throw std::invalid_argument("a measured value must be a finite number");
    if (!std::isfinite(standard_error) || standard_error < 0)
        throw std::invalid_argument("a standard error must be a finite number, at least 0");
    points_[argument] = value;
    standard_errors_[argument] = standard_error;
    excluded_.erase(argument);
}

void Refinement::exclude(std::int64_t argument) {
    excluded_.insert(argument);
    points_.erase(argument);
    standard_errors_.erase(argument);
}

std::optional<std::int64_t> Refinement::next_of_first_pass() const {
    const auto open = std::find_if(first_pass_.begin(), first_pass_.end(), [this](std::int64_t argument) {
        return !points_.contains(argument) && !excluded_.contains(argument);
    });
    return open == first_pass_.end() ? std::nullopt : std::optional(*open);
}

std::optional<std::int64_t> Refinement::next_looked_at() const {
    const auto fits = [this](std::int64_t argument) {
        if (argument < limits_.start || argument > limits_.end || argument % limits_.multiple_of != 0 ||
            excluded_.contains(argument))
            return false;
        const auto above = points_.lower_bound(argument);
        return (above == points_.end() || above->first - argument >= limits_.min_distance) &&
               (above == points_.begin() || argument - std::prev(above)->first >= limits_.min_distance);
    };
    const auto open = std::ranges::find_if(looked_at_, fits);
    return open == looked_at_.end() ? std::nullopt : std::optional(*open);
}

bool Refinement::holds_located_jump(const Segment& segment) const {
    return segment.width() / 2 < smallest_distance() &&
           segment.prediction_error() > limits_.max_relative_error;
}

std::vector<SegmentError> Refinement::located_jumps() const {
    std::vector<SegmentError> located;
    for (const Segment& segment : segments())
        if (holds_located_jump(segment))
            located.push_back({segment.begin, segment.end, segment.key()});
    return located;
}

std::vector<Refinement::Segment> Refinement::segments() const {
    std::vector<Segment> segments;
    if (points_.size() < 2)
        return segments;
    std::vector<Point> points;
    points.reserve(points_.size());
    for (const auto& [argument, value] : points_)
        points.push_back({static_cast<double>(argument), value, standard_errors_.at(argument)});
    segments.reserve(points_.size() - 1);
    std::size_t i = 0;
    for (auto left = points_.begin(), right = std::next(left); right != points_.end(); ++left, ++right, ++i) {
        const Point& b = points[i];
        const Point& c = points[i + 1];
        std::optional<Miss> left_miss;
        std::optional<Miss> right_miss;
        if (i > 0)
            left_miss = miss(points[i - 1], b, c);
        if (i + 2 < points.size())
            right_miss = miss(points[i + 2], c, b);
        const double together = std::hypot(left_miss ? left_miss->in_standard_errors() : 0,
                                           right_miss ? right_miss->in_standard_errors() : 0);
        const auto prediction = [&](const std::optional<Miss>& missed, const std::optional<Miss>& other,
                                    double reference) {
            if (!missed)
                return Prediction{};
            const bool explained =
                together <= together_beyond ||
                (missed->in_standard_errors() <= counts_beyond &&
                 (!other || std::abs(other->distance) > conclusive * missed->standard_error));
            return Prediction{
                explained ? 0 : relative(missed->distance, reference),
                relative(std::abs(missed->distance) + missed->standard_error, reference),
            };
        };
        segments.push_back({left->first, right->first, prediction(left_miss, right_miss, b.value),
                            prediction(right_miss, left_miss, c.value),
                            relative(c.argument - b.argument, b.argument)});
    }
    return segments;
}

std::optional<std::int64_t> Refinement::dividing_argument(const Segment& segment) const {
    const std::int64_t multiple = limits_.multiple_of;
    if ((segment.end - segment.begin) / 2 < limits_.min_distance)
        return std::nullopt;
    const std::int64_t least = segment.begin + limits_.min_distance;
    const std::int64_t most = segment.end - limits_.min_distance;
    // In multiples, so that every candidate is one.
    const std::int64_t first = least / multiple + (least % multiple != 0 ? 1 : 0);
    const std::int64_t last = most / multiple;
    if (first > last)
        return std::nullopt;

    const auto begin = static_cast<double>(segment.begin);
    const auto end = static_cast<double>(segment.end);
    const double ideal =
        is_log(limits_.scale) ? std::sqrt(std::max(1.0, begin)) * std::sqrt(end) : begin + (end - begin) / 2;
    // The lower part is a whole number of the smallest distances, so that the division can go on down to
    // exactly that; with any other cut most parts would end between one and two distances wide, too narrow to
    // be divided.
    const std::int64_t step =
        limits_.min_distance / multiple + (limits_.min_distance % multiple != 0 ? 1 : 0);
    const auto nearest = [&](double argument) {
        const double steps =
            std::round((argument / static_cast<double>(multiple) - static_cast<double>(first)) /
                       static_cast<double>(step));
        const std::int64_t most_steps = (last - first) / step;
        if (steps <= 0)
            return first;
        return first + step * (steps >= static_cast<double>(most_steps) ? most_steps
                                                                        : static_cast<std::int64_t>(steps));
    };

    // Where one argument fails its neighbours mostly fail too: a quarter of the segment is kept clear on both
    // sides, so that a segment costs a few failures at most.
    const std::int64_t clear = std::max<std::int64_t>(1, (segment.end - segment.begin) / 4);
    const auto inside_begin = excluded_.upper_bound(segment.begin);
    const auto inside_end = excluded_.lower_bound(segment.end);
    std::vector<std::int64_t> candidates{nearest(ideal)};
    for (auto excluded = inside_begin; excluded != inside_end; ++excluded) {
        const std::int64_t below = (*excluded - clear) / multiple;
        if (below >= first && below <= last)
            candidates.push_back(below);
        if (*excluded > segment.end - clear)
            continue; // beyond the segment
        const std::int64_t above = (*excluded + clear) / multiple + 1;
        if (above >= first && above <= last)
            candidates.push_back(above);
    }
    std::optional<std::int64_t> best;
    double best_distance = std::numeric_limits<double>::infinity();
    for (const std::int64_t candidate : candidates) {
        const std::int64_t argument = candidate * multiple;
        const bool allowed = std::none_of(inside_begin, inside_end, [&](std::int64_t excluded) {
            return std::abs(excluded - argument) < clear;
        });
        const double distance = std::abs(static_cast<double>(argument) - ideal);
        if (allowed && distance < best_distance) {
            best = argument;
            best_distance = distance;
        }
    }
    return best;
}

bool Refinement::stands_out(const std::vector<Segment>& all, std::size_t i) const {
    double neighbours = 0;
    if (i > 0)
        neighbours = all[i - 1].prediction_error();
    if (i + 1 < all.size())
        neighbours = std::max(neighbours, all[i + 1].prediction_error());
    const double error = all[i].prediction_error();
    return error > limits_.max_relative_error && error >= jump_stands_out * neighbours;
}

/// One neighbour predicts the segment, the other misses it, and it may be the first that is mistaken.
bool Refinement::maybe_by_chance(const std::vector<Segment>& all, std::size_t i) const {
    const double allowed = limits_.max_relative_error;
    const Segment& segment = all[i];
    if (i == 0 || i + 1 == all.size() || segment.relative_width <= allowed)
        return false;
    const bool left_misses = segment.from_left.error > segment.from_right.error;
    const Prediction& wrong = left_misses ? segment.from_left : segment.from_right;
    const Prediction& right = left_misses ? segment.from_right : segment.from_left;
    if (right.error > allowed || wrong.error <= allowed || wrong.error < jump_stands_out * right.at_most)
        return false;
    const std::int64_t far_end = left_misses ? segment.end : segment.begin;
    if (std::binary_search(first_pass_.begin(), first_pass_.end(), far_end))
        return true;
    const Segment& missing = left_misses ? all[i - 1] : all[i + 1];
    const double beyond = (left_misses ? missing.from_left : missing.from_right).error;
    return beyond <= allowed && segment.width() >= missing.width();
}

/// The measurements that locating a jump may take: log2(sigma / x_min) by SKaLib 3.3.1, with the width of the
/// segment of the first pass for sigma, and half as many again.
double Refinement::cost_of_jump(std::int64_t argument) const {
    const auto above = std::upper_bound(first_pass_.begin(), first_pass_.end(), argument);
    if (above == first_pass_.begin() || above == first_pass_.end()) // added from outside of the limits
        return 0;
    const auto width = static_cast<double>(*above - *std::prev(above));
    return 1.5 * std::max(0.0, std::log2(width / static_cast<double>(smallest_distance())));
}

/// What the jumps located so far left of the measurements they may take; negative when more were made.
double Refinement::spare(const std::vector<Segment>& all) const {
    double spare =
        static_cast<double>(first_pass_.size()) - static_cast<double>(points_.size() + excluded_.size());
    for (const Segment& segment : all)
        if (holds_located_jump(segment))
            spare += cost_of_jump(segment.begin);
    return spare;
}

std::optional<std::int64_t> Refinement::next() const {
    if (const auto open = next_of_first_pass())
        return open;
    if (!is_dynamic(limits_.scale))
        return std::nullopt;
    if (limits_.max_steps &&
        static_cast<std::int64_t>(points_.size() + excluded_.size()) >= *limits_.max_steps)
        return std::nullopt;
    if (const auto open = next_looked_at())
        return open;

    const std::vector<Segment> all = segments();
    const double left_over = spare(all);
    std::vector<const Segment*> wanting;
    for (std::size_t i = 0; i < all.size(); ++i)
        if (all[i].key() > limits_.max_relative_error || stands_out(all, i) ||
            (limits_.max_distance && all[i].width() > *limits_.max_distance) ||
            (maybe_by_chance(all, i) && left_over + cost_of_jump(all[i].begin) >= 1))
            wanting.push_back(&all[i]);
    // The larger key first; of equal ones the smaller argument, so that the choice depends on nothing else.
    const auto later = [](const Segment* a, const Segment* b) {
        return a->key() != b->key() ? a->key() < b->key() : a->begin > b->begin;
    };
    std::make_heap(wanting.begin(), wanting.end(), later);
    while (!wanting.empty()) {
        if (const auto argument = dividing_argument(*wanting.front()))
            return argument;
        std::pop_heap(wanting.begin(), wanting.end(), later);
        wanting.pop_back();
    }
    return std::nullopt;
}

double Refinement::largest_key() const {
    if (next_of_first_pass())
        return std::numeric_limits<double>::infinity();
    const std::optional<SegmentError> worst = worst_segment();
    return worst ? worst->key : 0;
}

std::optional<SegmentError> Refinement::worst_segment() const {
    std::optional<SegmentError> worst;
    if (next_of_first_pass())
        return worst;
    for (const Segment& segment : segments())
        if (!worst || segment.key() > worst->key)
            worst = {segment.begin, segment.end, segment.key()};
    return worst;
}

} // namespace skalib
