#include "skalib/statistics.hpp"

#include <algorithm>
#include <boost/math/distributions/binomial.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <cassert>
#include <cmath>
#include <limits>
#include <numeric>
#include <stdexcept>

namespace skalib {
namespace {

double mean_of(std::span<const double> values) {
    return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

std::vector<double> sorted_copy(std::span<const double> values) {
    std::vector<double> sorted(values.begin(), values.end());
    std::sort(sorted.begin(), sorted.end());
    return sorted;
}

/// Values cut at each end; at least one value always remains.
std::size_t cut_at_each_end(std::size_t count, double cut_quantile) {
    // 0.29 * 100 is just below 29 in binary: the summand keeps such a product from losing one.
    const double share = std::floor(cut_quantile * static_cast<double>(count) + 1e-9);
    return std::min(static_cast<std::size_t>(share), (count - 1) / 2);
}

/// Standard error of the trimmed mean (Tukey & McLaughlin 1963): s_w / ((1 - 2g) sqrt(n)), with the standard
/// deviation s_w of the values after those cut are replaced by the nearest ones kept, and the share g cut.
double trimmed_standard_error(std::span<const double> sorted, std::size_t cut) {
    if (sorted.size() < 2)
        return 0;
    RunningStatistics winsorised;
    for (std::size_t i = 0; i < sorted.size(); ++i)
        winsorised.add(sorted[std::clamp(i, cut, sorted.size() - 1 - cut)]);
    const double kept = static_cast<double>(sorted.size() - 2 * cut) / static_cast<double>(sorted.size());
    return winsorised.standard_error() / kept;
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
            .maximum = unknown};
}

Summary summarise(std::span<const double> values, double cut_quantile) {
    if (!(cut_quantile >= 0 && cut_quantile < 0.5))
        throw std::invalid_argument("cut_quantile must be at least 0 and below 0.5");
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
    summary.cut_standard_error = trimmed_standard_error(all, cut);

    const std::size_t lower_begin = count / 20;
    const std::size_t lower_end = (count + 1) / 2;
    summary.lower = mean_of(all.subspan(lower_begin, lower_end - lower_begin));

    summary.minimum = sorted.front();
    summary.quartile25 = quantile(all, 0.25);
    summary.median = quantile(all, 0.5);
    summary.quartile75 = quantile(all, 0.75);
    summary.maximum = sorted.back();
    return summary;
}

double quantile(std::span<const double> sorted, double share) {
    assert(!sorted.empty());
    const double position = std::clamp(share, 0.0, 1.0) * static_cast<double>(sorted.size() - 1);
    const auto below = static_cast<std::size_t>(position);
    const std::size_t above = std::min(below + 1, sorted.size() - 1);
    return std::lerp(sorted[below], sorted[above], position - static_cast<double>(below));
}

double median_absolute_deviation(std::span<const double> values) {
    if (values.empty())
        return 0;
    std::vector<double> work = sorted_copy(values);
    const double median = quantile(work, 0.5);
    for (double& value : work)
        value = std::abs(value - median);
    std::sort(work.begin(), work.end());
    return quantile(work, 0.5);
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

Interval median_interval(std::span<const double> values, double confidence) {
    require_confidence(confidence);
    if (values.empty())
        return {};
    const std::vector<double> sorted = sorted_copy(values);
    const OrderIntervals intervals(sorted.size());
    const std::size_t rank = intervals.largest_with(confidence);
    return {sorted[rank - 1], sorted[sorted.size() - rank], std::max(0.0, intervals.level(rank))};
}

Interval interpolated_median_interval(std::span<const double> values, double confidence) {
    require_confidence(confidence);
    if (values.empty())
        return {};
    const std::vector<double> sorted = sorted_copy(values);
    const std::size_t count = sorted.size();
    const OrderIntervals intervals(count);
    // Between this order statistic and the next from both ends, which have at least and less than the level.
    const std::size_t rank = intervals.largest_with(confidence);
    const double level = intervals.level(rank);
    if (level <= confidence) // the whole range is not even enough
        return {sorted[rank - 1], sorted[count - rank], std::max(0.0, level)};
    const double next = 2 * (rank + 1) <= count + 1 ? intervals.level(rank + 1) : 0;
    const double part = (level - confidence) / (level - next);
    const auto from_end = static_cast<double>(rank);
    const double between = static_cast<double>(count) - from_end;
    const double inwards = between * part / (from_end + (between - from_end) * part);
    const auto at = [&](std::size_t place) { return sorted[place - 1]; };
    return {std::lerp(at(rank), at(rank + 1), inwards),
            std::lerp(at(count - rank + 1), at(count - rank), inwards), confidence};
}

Interval mean_interval(std::span<const double> values, double confidence) {
    require_confidence(confidence);
    RunningStatistics statistics;
    for (const double value : values)
        statistics.add(value);
    if (values.size() < 2)
        return {statistics.mean(), statistics.mean(), 0};
    const double half_width =
        student_upper_quantile(static_cast<double>(values.size() - 1), (1 - confidence) / 2) *
        statistics.standard_error();
    return {statistics.mean() - half_width, statistics.mean() + half_width, confidence};
}

double student_upper_quantile(double degrees, double tail) {
    if (!(degrees > 0) || !(tail > 0 && tail < 1))
        throw std::invalid_argument(
            "Student's t: degrees of freedom must be above 0, the tail between 0 and 1");
    const boost::math::students_t_distribution<double> student(degrees);
    return boost::math::quantile(boost::math::complement(student, tail));
}

} // namespace skalib
