// SPDX-License-Identifier: LGPL-2.1-or-later
#include "skalib/statistics.hpp"

#include <algorithm>
#include <boost/math/distributions/binomial.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <cassert>
#include <cmath>
#include <limits>
#include <map>
#include <numbers>
#include <numeric>
#include <stdexcept>

namespace skalib {
namespace {

double mean_of(std::span<const double> values) {
    return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

std::vector<double> sorted_copy(std::span<const double> values) {
    std::vector<double> sorted(values.begin(), values.end());
    if (!std::is_sorted(sorted.begin(), sorted.end())) // as what was merged is already
        std::sort(sorted.begin(), sorted.end());
    return sorted;
}

/// Values cut at each end; at least one value always remains.
std::size_t cut_at_each_end(std::size_t count, double cut_quantile) {
    // 0.29 * 100 is just below 29 in binary: the summand keeps such a product from losing one.
    const double share = std::floor(cut_quantile * static_cast<double>(count) + 1e-9);
    return std::min(static_cast<std::size_t>(share), (count - 1) / 2);
}

/// Square of the standard error of a mean whose values come in clusters: the sums of the deviations in each
/// take the place of single deviations. 0 = not two clusters.
/// @param cluster_of maps a place in values to its cluster
template <typename ClusterOf>
double clustered_variance(std::span<const double> values, double mean, const ClusterOf& cluster_of) {
    std::map<std::int64_t, double> sums;
    for (std::size_t i = 0; i < values.size(); ++i)
        sums[cluster_of(i)] += values[i] - mean;
    if (sums.size() < 2)
        return 0;
    double squares = 0;
    for (const auto& [cluster, sum] : sums)
        squares += sum * sum;
    const auto clusters = static_cast<double>(sums.size());
    const auto count = static_cast<double>(values.size());
    return clusters / (clusters - 1) * squares / (count * count);
}

/// Standard error of the mean of values (in the order of origins): the largest of what values, batches and
/// passes give, each taken for independent. With few clusters an error is small by chance: never below that
/// of independent values.
double error_of_mean(std::span<const double> values, std::span<const Origin> origins) {
    RunningStatistics each;
    for (const double value : values)
        each.add(value);
    double variance = each.standard_error() * each.standard_error();
    if (!origins.empty()) {
        variance = std::max(
            {variance,
             clustered_variance(values, each.mean(), [&](std::size_t i) { return origins[i].batch; }),
             clustered_variance(values, each.mean(), [&](std::size_t i) { return origins[i].pass; })});
    }
    return std::sqrt(variance);
}

/// Standard error of the mean of the values between two order statistics: those beyond are replaced by them,
/// and the result is scaled by the share kept (for equal tails that is Tukey & McLaughlin 1963).
double error_of_part(std::span<const double> values, std::span<const Origin> origins, double low, double high,
                     double share_kept) {
    std::vector<double> winsorised(values.begin(), values.end());
    for (double& value : winsorised)
        value = std::clamp(value, low, high);
    return error_of_mean(winsorised, origins) / share_kept;
}

/// Standard error of the median (Woodruff 1952): that of the share of values below it, carried over to the
/// values by the quantiles that far away.
double error_of_median(std::span<const double> values, std::span<const double> sorted,
                       std::span<const Origin> origins) {
    const double median = quantile(sorted, 0.5);
    std::vector<double> below;
    below.reserve(values.size());
    for (const double value : values)
        below.push_back(value < median ? 1 : value > median ? 0 : 0.5);
    const double share = error_of_mean(below, origins);
    return (quantile(sorted, 0.5 + share) - quantile(sorted, 0.5 - share)) / 2;
}

/// How far the minimum is above the least possible value: as far, about, as the next larger one is above it
/// (Robson & Whitlock 1964). Each cluster counts with its minimum.
double error_of_minimum(std::span<const double> sorted, std::span<const double> values,
                        std::span<const Origin> origins) {
    if (sorted.size() < 2)
        return 0;
    double error = sorted[1] - sorted[0];
    for (const bool of_passes : {false, true}) {
        std::map<std::int64_t, double> minima;
        for (std::size_t i = 0; i < origins.size(); ++i) {
            const auto place = minima.emplace(of_passes ? origins[i].pass : origins[i].batch, values[i]);
            place.first->second = std::min(place.first->second, values[i]);
        }
        if (minima.size() < 2)
            continue;
        std::vector<double> ascending;
        for (const auto& [cluster, minimum] : minima)
            ascending.push_back(minimum);
        std::nth_element(ascending.begin(), ascending.begin() + 1, ascending.end());
        error = std::max(error, ascending[1] - sorted[0]);
    }
    return error;
}

void require_confidence(double confidence) {
    if (!(confidence > 0 && confidence < 1))
        throw std::invalid_argument("confidence must lie between 0 and 1");
}

} // namespace

void RunningStatistics::add(double value) {
    ++count_;
    const double from_old_mean = value - mean_;
    mean_ += from_old_mean / static_cast<double>(count_);
    squares_ += from_old_mean * (value - mean_);
}

double RunningStatistics::variance() const {
    return count_ < 2 ? 0 : squares_ / static_cast<double>(count_ - 1);
}

double RunningStatistics::standard_error() const {
    return count_ < 2 ? 0 : std::sqrt(variance() / static_cast<double>(count_));
}

double Summary::value(ValueKind kind) const {
    switch (kind) {
    case ValueKind::cut_mean:
        return cut_mean;
    case ValueKind::lower:
        return lower;
    case ValueKind::median:
        return median;
    case ValueKind::minimum:
        return minimum;
    }
    throw std::invalid_argument("no such kind of value");
}

double Summary::standard_error(ValueKind kind) const {
    switch (kind) {
    case ValueKind::cut_mean:
        return cut_standard_error;
    case ValueKind::lower:
        return lower_standard_error;
    case ValueKind::median:
        return median_standard_error;
    case ValueKind::minimum:
        return minimum_standard_error;
    }
    throw std::invalid_argument("no such kind of value");
}

Summary Summary::unknown() {
    constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
    return {.count = 0,
            .mean_all = unknown,
            .standard_error_all = unknown,
            .cut_count = 0,
            .cut_mean = unknown,
            .cut_standard_error = unknown,
            .lower = unknown,
            .minimum = unknown,
            .quartile25 = unknown,
            .median = unknown,
            .quartile75 = unknown,
            .maximum = unknown,
            .lower_standard_error = unknown,
            .median_standard_error = unknown,
            .minimum_standard_error = unknown};
}

Summary summarise(std::span<const double> values, double cut_quantile, std::span<const Origin> origins) {
    if (!(cut_quantile >= 0 && cut_quantile < 0.5))
        throw std::invalid_argument("cut_quantile must be at least 0 and below 0.5");
    if (!origins.empty() && origins.size() != values.size())
        throw std::invalid_argument("origins must be as many as values, or none");
    Summary summary;
    if (values.empty())
        return summary;

    const std::vector<double> sorted = sorted_copy(values);
    const std::span<const double> all(sorted);
    const std::size_t count = sorted.size();

    RunningStatistics every;
    for (const double value : sorted)
        every.add(value);
    summary.count = every.count();
    summary.mean_all = every.mean();
    summary.standard_error_all = every.standard_error();

    const std::size_t cut = cut_at_each_end(count, cut_quantile);
    const auto kept = all.subspan(cut, count - 2 * cut);
    summary.cut_count = static_cast<std::int64_t>(kept.size());
    summary.cut_mean = mean_of(kept);
    const auto share_of = [&](std::size_t some) {
        return static_cast<double>(some) / static_cast<double>(count);
    };
    summary.cut_standard_error =
        error_of_part(values, origins, sorted[cut], sorted[count - 1 - cut], share_of(kept.size()));

    const std::size_t lower_begin = count / 20;
    const std::size_t lower_end = (count + 1) / 2;
    summary.lower = mean_of(all.subspan(lower_begin, lower_end - lower_begin));
    summary.lower_standard_error = error_of_part(values, origins, sorted[lower_begin], sorted[lower_end - 1],
                                                 share_of(lower_end - lower_begin));

    summary.minimum = sorted.front();
    summary.quartile25 = quantile(all, 0.25);
    summary.median = quantile(all, 0.5);
    summary.quartile75 = quantile(all, 0.75);
    summary.maximum = sorted.back();
    summary.median_standard_error = error_of_median(values, all, origins);
    summary.minimum_standard_error = error_of_minimum(all, values, origins);
    return summary;
}

double quantile(std::span<const double> sorted, double share) {
    assert(!sorted.empty());
    const double position = std::clamp(share, 0.0, 1.0) * static_cast<double>(sorted.size() - 1);
    const auto below = static_cast<std::size_t>(position);
    const std::size_t above = std::min(below + 1, sorted.size() - 1);
    return std::lerp(sorted[below], sorted[above], position - static_cast<double>(below));
}

namespace {

double nth(std::vector<double>& values, std::size_t place) {
    const auto nth = values.begin() + static_cast<std::ptrdiff_t>(place);
    std::nth_element(values.begin(), nth, values.end());
    return *nth;
}

} // namespace

double median(std::vector<double> values) {
    return median_in_place(values);
}

double median_in_place(std::span<double> values) {
    if (values.empty())
        return 0;
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::ranges::nth_element(values, middle);
    return values.size() % 2 == 1 ? *middle
                                  : std::lerp(*std::max_element(values.begin(), middle), *middle, 0.5);
}

double lower_median(std::vector<double> values) {
    return values.empty() ? 0 : nth(values, (values.size() - 1) / 2);
}

double upper_median(std::vector<double> values) {
    return values.empty() ? 0 : nth(values, values.size() / 2);
}

double median_absolute_deviation(std::span<const double> values) {
    std::vector<double> deviations(values.begin(), values.end());
    const double middle = median(deviations);
    for (double& value : deviations)
        value = std::abs(value - middle);
    return median(std::move(deviations));
}

namespace {

/// Intervals of the median between order statistics: from the r-th smallest to the r-th largest value.
class OrderIntervals {
public:
    explicit OrderIntervals(std::size_t count)
        : count_(count)
        , below_median_(static_cast<double>(count), 0.5) {}

    /// The interval of a rank misses the median when fewer values than it fall on one side of it.
    [[nodiscard]] double level(std::size_t rank) const {
        return 1 - 2 * boost::math::cdf(below_median_, static_cast<double>(rank - 1));
    }
    /// The largest rank that still has the level; 1, the whole range, where none has.
    [[nodiscard]] std::size_t largest_with(double confidence) const {
        std::size_t rank = 1;
        std::size_t too_large = (count_ + 1) / 2 + 1;
        while (too_large - rank > 1) {
            const std::size_t middle = rank + (too_large - rank) / 2;
            (level(middle) >= confidence ? rank : too_large) = middle;
        }
        return rank;
    }

private:
    std::size_t count_;
    boost::math::binomial_distribution<double> below_median_;
};

} // namespace

double sign_test(std::size_t fewer, std::size_t all) {
    if (all == 0)
        return 1;
    const boost::math::binomial_distribution<double> one_sign(static_cast<double>(all), 0.5);
    return std::min(1.0, 2 * boost::math::cdf(one_sign, static_cast<double>(fewer)));
}

Interval median_interval(std::span<const double> values, double confidence) {
    require_confidence(confidence);
    if (values.empty())
        return {};
    const std::vector<double> sorted = sorted_copy(values);
    const OrderIntervals intervals(sorted.size());
    const std::size_t rank = intervals.largest_with(confidence);
    return {sorted[rank - 1], sorted[sorted.size() - rank], std::max(0.0, intervals.level(rank))};
}

namespace {

constexpr std::size_t fewest_in_series = 8; // with fewer its bias is as large as the result

/// Ranks, the mean where values are equal, less their mean.
std::vector<double> centred_ranks(std::span<const double> values) {
    const std::vector<double> sorted = sorted_copy(values);
    std::vector<double> ranks;
    for (const double value : values) {
        const auto [first, last] = std::equal_range(sorted.begin(), sorted.end(), value);
        ranks.push_back(static_cast<double>((first - sorted.begin()) + (last - sorted.begin()) - 1) / 2 -
                        static_cast<double>(values.size() - 1) / 2);
    }
    return ranks;
}

/// Farther from the middle by the square root of what the values are worth; the whole range at most.
/// @param low, middle, high places among the sorted values
Interval widened(std::span<const double> sorted, double low, double middle, double high, double confidence,
                 double correlation) {
    const double factor = 1 / std::sqrt(independent_share(correlation));
    const double last = static_cast<double>(sorted.size() - 1);
    low = middle - (middle - low) * factor;
    high = middle + (high - middle) * factor;
    if (low >= 0 && high <= last)
        return {quantile(sorted, low / last), quantile(sorted, high / last), confidence};
    const double alike = 0.5 + std::asin(correlation) / std::numbers::pi;
    return {sorted.front(), sorted.back(), std::min(confidence, 1 - std::pow(alike, last))};
}

/// The same about the middle of all.
Interval widened(std::span<const double> sorted, double low, double confidence, double correlation) {
    const double last = static_cast<double>(sorted.size() - 1);
    return widened(sorted, low, last / 2, last - low, confidence, correlation);
}

} // namespace

double independent_share(double correlation) {
    return (1 - correlation) / (1 + correlation);
}

double serial_correlation(std::span<const std::vector<double>> series) {
    double products_sum = 0;
    double degrees = 0;
    for (const std::vector<double>& values : series) {
        if (values.size() < fewest_in_series)
            continue;
        const std::vector<double> ranks = centred_ranks(values);
        double products = 0;
        double squares = 0;
        for (std::size_t i = 0; i < ranks.size(); ++i) {
            products += i > 0 ? ranks[i - 1] * ranks[i] : 0;
            squares += ranks[i] * ranks[i];
        }
        if (!(squares > 0))
            continue; // all are equal
        const auto count = static_cast<double>(values.size());
        products_sum += count * products / squares + 1;
        degrees += count - 4;
    }
    constexpr double most = 0.9;          // then they are nearly one value, however many they are
    constexpr double fewest_degrees = 10; // of one series of eight it scatters by 0.6
    return degrees >= fewest_degrees ? std::clamp(products_sum / degrees, 0.0, most) : 0;
}

Interval interpolated_median_interval(std::span<const double> values, double confidence, double correlation) {
    require_confidence(confidence);
    if (values.empty())
        return {};
    const std::vector<double> sorted = sorted_copy(values);
    const std::size_t count = sorted.size();
    const OrderIntervals intervals(count);
    // Between this order statistic and the next from both ends, which have at least and less than the level.
    const std::size_t rank = intervals.largest_with(confidence);
    const double level = intervals.level(rank);
    if (level <= confidence) { // the whole range is not even enough
        if (correlation > 0 && count > 1)
            return widened(sorted, 0, level, correlation);
        return {sorted[rank - 1], sorted[count - rank], std::max(0.0, level)};
    }
    const double next = 2 * (rank + 1) <= count + 1 ? intervals.level(rank + 1) : 0;
    const double part = (level - confidence) / (level - next);
    const auto from_end = static_cast<double>(rank);
    const double between = static_cast<double>(count) - from_end;
    const double inwards = between * part / (from_end + (between - from_end) * part);
    if (correlation > 0)
        return widened(sorted, from_end - 1 + inwards, confidence, correlation);
    const auto at = [&](std::size_t place) { return sorted[place - 1]; };
    return {std::lerp(at(rank), at(rank + 1), inwards),
            std::lerp(at(count - rank + 1), at(count - rank), inwards), confidence};
}

Middle weighted_middle(std::span<const double> weights) {
    constexpr double near_boundary = 0.25; // of the mean weight
    const double total = std::accumulate(weights.begin(), weights.end(), 0.0);
    const double near = near_boundary * total / static_cast<double>(weights.size());
    Middle middle;
    double reached = 0;
    for (std::size_t place = 0; place < weights.size(); ++place) {
        if (reached < total / 2 - near)
            middle.low = place;
        if (reached < total / 2 + near)
            middle.high = place;
        reached += weights[place];
    }
    return middle;
}

namespace {

/// The sum of weights that each count or not with a chance of 1/2.
class RandomSum {
public:
    explicit RandomSum(std::span<const double> weights)
        : count_(weights.size()) {
        constexpr std::size_t most_exact = 16;
        for (const double weight : weights) {
            total_ += weight;
            squares_ += weight * weight;
        }
        if (count_ > most_exact)
            return;
        for (std::size_t i = 0; i < count_; ++i) {
            std::vector<double>& sums = i % 2 == 0 ? some_ : others_;
            for (std::size_t each = 0, all = sums.size(); each < all; ++each)
                sums.push_back(sums[each] + weights[i]);
        }
        std::ranges::sort(some_);
        std::ranges::sort(others_);
    }
    [[nodiscard]] double total() const { return total_; }
    /// The chance that it is no larger.
    [[nodiscard]] double at_most(double sum) const {
        if (some_.size() == 1)
            return 0.5 * std::erfc((total_ / 2 - sum) * std::sqrt(2 / squares_));
        std::size_t smaller = 0;
        std::size_t fit = others_.size();
        for (const double each : some_) {
            while (fit > 0 && each + others_[fit - 1] > sum)
                --fit;
            smaller += fit;
        }
        return std::ldexp(static_cast<double>(smaller), -static_cast<int>(count_));
    }

private:
    std::size_t count_;
    double total_ = 0;
    double squares_ = 0;
    std::vector<double> some_ = {0};   ///< the sums of every other weight, ascending; none beyond 16 weights
    std::vector<double> others_ = {0}; ///< those of the others
};

/// How far from an end, in places, the values begin that the test does not reject. At a value, half of its
/// weight counts on either side. Between two places as by Hettmansperger & Sheather.
/// @param weights from that end
double place_from_end(std::span<const double> weights, const RandomSum& sum, double tail) {
    double passed = 0;
    double before = sum.at_most(weights[0] / 2);
    if (before >= tail)
        return 0;
    for (std::size_t place = 1; place < weights.size(); ++place) {
        passed += weights[place - 1];
        const double next = std::min(0.5, sum.at_most(passed + weights[place] / 2));
        if (next > tail) {
            const double part = (tail - before) / (next - before);
            const double share = passed / sum.total();
            return static_cast<double>(place - 1) +
                   (1 - share) * part / (share * (1 - part) + (1 - share) * part);
        }
        before = next;
    }
    return static_cast<double>(weights.size() - 1);
}

} // namespace

Interval weighted_median_interval(std::span<const double> ascending, std::span<const double> weights,
                                  double confidence, double correlation) {
    if (weights.size() != ascending.size())
        throw std::invalid_argument("weights must be as many as values");
    if (std::ranges::adjacent_find(weights, std::ranges::not_equal_to()) == weights.end())
        return interpolated_median_interval(ascending, confidence, correlation);
    require_confidence(confidence);
    const RandomSum sum(weights);
    const double tail = (1 - confidence) / 2;
    const double last = static_cast<double>(ascending.size() - 1);
    const double low = place_from_end(weights, sum, tail);
    const std::vector<double> from_high(weights.rbegin(), weights.rend());
    const double high = last - place_from_end(from_high, sum, tail);
    const double level = std::min(confidence, 1 - std::pow(0.5, last));
    const Middle middle = weighted_middle(weights);
    return widened(ascending, low, static_cast<double>(middle.low + middle.high) / 2, high, level,
                   correlation);
}

Interval mean_interval(std::span<const double> values, double confidence, double correlation) {
    require_confidence(confidence);
    RunningStatistics statistics;
    for (const double value : values)
        statistics.add(value);
    if (values.size() < 2)
        return {statistics.mean(), statistics.mean(), 0};
    const auto count = static_cast<double>(values.size());
    const double degrees = std::max(1.0, count * independent_share(correlation) - 1);
    const double half_width = student_upper_quantile(degrees, (1 - confidence) / 2) *
                              statistics.standard_error() / std::sqrt(independent_share(correlation));
    return {statistics.mean() - half_width, statistics.mean() + half_width, confidence};
}

double student_upper_quantile(double degrees, double tail) {
    if (!(degrees > 0) || !(tail > 0 && tail < 1))
        throw std::invalid_argument(
            "Student's t: degrees of freedom must be above 0, the tail between 0 and 1");
    const boost::math::students_t_distribution<double> student(degrees);
    return boost::math::quantile(boost::math::complement(student, tail));
}

double student_two_sided(double degrees, double t) {
    if (!(degrees > 0) || std::isnan(t))
        throw std::invalid_argument("Student's t: degrees of freedom must be above 0, t a number");
    const boost::math::students_t_distribution<double> student(degrees);
    return std::isinf(t) ? 0 : 2 * boost::math::cdf(boost::math::complement(student, std::fabs(t)));
}

} // namespace skalib
