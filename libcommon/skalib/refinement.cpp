#include "skalib/refinement.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace skalib {
namespace {

constexpr double most_first_arguments = 1e6;

/// How far a segment's prediction error must exceed its neighbours' to be taken for a jump. A jump makes this
/// ratio grow without bound as its segment shrinks; equal noise on all points keeps it around 1.
constexpr double jump_stands_out = 2;

struct Point {
    double argument = 0;
    double value = 0;
};

/// The line through two points, drawn on to a third argument.
double extrapolate(const Point& from, const Point& through, double argument) {
    const double slope = (through.value - from.value) / (through.argument - from.argument);
    return through.value + slope * (argument - through.argument);
}

double relative(double difference, double reference) {
    return difference == 0 ? 0 : std::abs(difference) / std::abs(reference);
}

void require_possible(const RefinementLimits& limits) {
    if (limits.start < 0)
        throw std::invalid_argument("start must be at least 0");
    if (limits.end < limits.start)
        throw std::invalid_argument("end must be at least start");
    if (!std::isfinite(limits.stepwidth))
        throw std::invalid_argument("stepwidth must be a finite number");
    if (is_log(limits.scale) ? !(limits.stepwidth > 1) : !(limits.stepwidth > 0))
        throw std::invalid_argument(is_log(limits.scale) ? "stepwidth must be above 1 on a logarithmic scale"
                                                         : "stepwidth must be above 0");
    if (limits.multiple_of < 0)
        throw std::invalid_argument("multiple_of must be at least 0");
    if (limits.min_distance < 0)
        throw std::invalid_argument("min_distance must be at least 0");
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

} // namespace

Refinement::Refinement(const RefinementLimits& limits)
    : limits_(limits) {
    require_possible(limits);
    limits_.multiple_of = std::max<std::int64_t>(1, limits.multiple_of);
    limits_.min_distance = std::max<std::int64_t>(1, limits.min_distance);

    first_pass_.push_back(limits_.start);
    for (const double argument : grid(limits_)) {
        const auto multiple = static_cast<double>(limits_.multiple_of);
        const double rounded = std::round(argument / multiple) * multiple;
        if (rounded > static_cast<double>(first_pass_.back()) && rounded < static_cast<double>(limits_.end))
            first_pass_.push_back(static_cast<std::int64_t>(rounded));
    }
    if (limits_.end > limits_.start)
        first_pass_.push_back(limits_.end);
}

void Refinement::add(std::int64_t argument, double value) {
    if (!std::isfinite(value))
        throw std::invalid_argument("a measured value must be a finite number");
    points_[argument] = value;
    excluded_.erase(argument);
}

void Refinement::exclude(std::int64_t argument) {
    excluded_.insert(argument);
    points_.erase(argument);
}

std::optional<std::int64_t> Refinement::next_of_first_pass() const {
    const auto open = std::find_if(first_pass_.begin(), first_pass_.end(), [this](std::int64_t argument) {
        return !points_.contains(argument) && !excluded_.contains(argument);
    });
    return open == first_pass_.end() ? std::nullopt : std::optional(*open);
}

std::vector<Refinement::Segment> Refinement::segments() const {
    std::vector<Segment> segments;
    if (points_.size() < 2)
        return segments;
    segments.reserve(points_.size() - 1);
    const auto point = [](std::map<std::int64_t, double>::const_iterator i) {
        return Point{static_cast<double>(i->first), i->second};
    };
    for (auto left = points_.begin(), right = std::next(left); right != points_.end(); ++left, ++right) {
        const Point b = point(left);
        const Point c = point(right);
        double prediction_error = std::numeric_limits<double>::infinity();
        if (left != points_.begin()) {
            const double predicted = extrapolate(point(std::prev(left)), b, c.argument);
            prediction_error = std::min(prediction_error, relative(predicted - c.value, b.value));
        }
        if (const auto after = std::next(right); after != points_.end()) {
            const double predicted = extrapolate(point(after), c, b.argument);
            prediction_error = std::min(prediction_error, relative(predicted - b.value, c.value));
        }
        const double width = relative(c.argument - b.argument, b.argument);
        segments.push_back({left->first, right->first, prediction_error, std::min(prediction_error, width)});
    }
    return segments;
}

std::optional<std::int64_t> Refinement::dividing_argument(const Segment& segment) const {
    const std::int64_t multiple = limits_.multiple_of;
    if (segment.end - segment.begin < 2 * limits_.min_distance)
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
        const std::int64_t above = (*excluded + clear) / multiple + 1;
        for (const std::int64_t candidate : {below, above})
            if (candidate >= first && candidate <= last)
                candidates.push_back(candidate);
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

std::optional<std::int64_t> Refinement::next() const {
    if (const auto open = next_of_first_pass())
        return open;
    if (!is_dynamic(limits_.scale))
        return std::nullopt;
    if (limits_.max_steps &&
        static_cast<std::int64_t>(points_.size() + excluded_.size()) >= *limits_.max_steps)
        return std::nullopt;

    const double allowed = limits_.max_relative_error;
    const std::vector<Segment> all = segments();
    std::vector<const Segment*> wanting;
    for (std::size_t i = 0; i < all.size(); ++i) {
        double neighbours = 0;
        if (i > 0)
            neighbours = all[i - 1].prediction_error;
        if (i + 1 < all.size())
            neighbours = std::max(neighbours, all[i + 1].prediction_error);
        const double error = all[i].prediction_error;
        if (all[i].key > allowed || (error > allowed && error >= jump_stands_out * neighbours))
            wanting.push_back(&all[i]);
    }
    // The larger key first; of equal ones the smaller argument, so that the choice depends on nothing else.
    const auto later = [](const Segment* a, const Segment* b) {
        return a->key != b->key ? a->key < b->key : a->begin > b->begin;
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
    double largest = 0;
    for (const Segment& segment : segments())
        largest = std::max(largest, segment.key);
    return largest;
}

} // namespace skalib
