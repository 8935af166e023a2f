// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#pragma GCC visibility push(default) // the public part of the shared library
namespace skalib {

/// Running mean and variance by Welford's update, which loses fewer digits than a sum of squares.
class RunningStatistics {
public:
    void add(double value);
    [[nodiscard]] std::int64_t count() const { return count_; }
    [[nodiscard]] double mean() const { return mean_; }
    /// Unbiased variance, SKaLib eq. 3.3 squared; 0 for fewer than two values.
    [[nodiscard]] double variance() const;
    /// Standard error of the mean, SKaLib eq. 3.2 and 3.4; 0 for fewer than two values.
    [[nodiscard]] double standard_error() const;

private:
    std::int64_t count_ = 0;
    double mean_ = 0;
    double squares_ = 0; ///< sum of squared deviations from the mean
};

/// Which value of a measurement is reported (parameter file: Value).
enum class ValueKind {
    cut_mean, ///< mean after cutting cut_quantile at each end (SKaLib 3.2.2), the default
    lower,    ///< mean of the values between the 5 % and the 50 % quantile
    median,
    minimum,
};

/// How the standard error that stops the repetition is estimated.
enum class ErrorEstimator {
    trimmed, ///< of the trimmed mean, from the winsorised variance (Tukey & McLaughlin 1963)
    classic, ///< of the mean of all values, SKaLib eq. 3.4
};

/// Statistics of the single measurements of one measurement, in the unit of the values.
struct Summary {
    std::int64_t count = 0; ///< all values
    double mean_all = 0;
    double standard_error_all = 0; ///< SKaLib eq. 3.4 over all values
    std::int64_t cut_count = 0;    ///< values left after the cut
    double cut_mean = 0;           ///< mean of those
    double cut_standard_error = 0; ///< from the winsorised variance
    double lower = 0;              ///< mean of the 5-50 % quantile range
    double minimum = 0;
    double quartile25 = 0;
    double median = 0;
    double quartile75 = 0;
    double maximum = 0;
    double lower_standard_error = 0;
    double median_standard_error = 0;  ///< from order statistics around it (Woodruff 1952)
    double minimum_standard_error = 0; ///< distance to the next larger one (Robson & Whitlock 1964)

    /// The value of this kind.
    [[nodiscard]] double value(ValueKind kind) const;
    /// The standard error of that value.
    [[nodiscard]] double standard_error(ValueKind kind) const;
    /// The summary of unknown values, or of none: counts are 0, everything else is NaN.
    [[nodiscard]] static Summary unknown();
};

/// The batch and pass of a value. Values of one batch are correlated, and so are the batches of one pass: a
/// state of the machine, or another program on its cores, lasts for a while.
struct Origin {
    std::int64_t pass = 0;
    std::int64_t batch = 0; ///< counted over all passes
    bool operator==(const Origin&) const = default;
};

/// Summarises values (any order; empty gives a Summary of zeros).
/// @param cut_quantile share cut off at each end, 0 <= cut_quantile < 0.5
/// @param origins of the values, in their order; empty = the values are independent. Otherwise each error is
/// the largest of those for independent values, independent batches and independent passes (clustered
/// standard errors), except standard_error_all, which is SKaLib's formula.
/// @throws std::invalid_argument when cut_quantile is outside that range, or origins has another length
[[nodiscard]] Summary summarise(std::span<const double> values, double cut_quantile,
                                std::span<const Origin> origins = {});

/// Quantile by linear interpolation between order statistics (type 7 of Hyndman & Fan 1996).
/// @param sorted ascending, not empty   @param share 0..1
[[nodiscard]] double quantile(std::span<const double> sorted, double share);

/// The median, of an even number the mean of the middle two: quantile(0.5). Any order; 0 for none.
[[nodiscard]] double median(std::vector<double> values);
/// The same, of values whose order may change.
[[nodiscard]] double median_in_place(std::span<double> values);
/// The median, of an even number the smaller of the middle two. It is one of the values, never a mixture of
/// two states of the machine. Any order; 0 for none.
[[nodiscard]] double lower_median(std::vector<double> values);
/// The same with the larger of the middle two.
[[nodiscard]] double upper_median(std::vector<double> values);

/// Median absolute deviation from the median, not scaled. Empty gives 0.
[[nodiscard]] double median_absolute_deviation(std::span<const double> values);
/// The standard deviation of normal values is so many times it.
inline constexpr double deviation_by_mad = 1.4826;

/// A two-sided interval [low, high].
struct Interval {
    double low = 0;
    double high = 0;
    double confidence = 0; ///< the level reached; 0 = no interval can be given
};

/// Serial correlation, 0..1: the lag-1 autocorrelation of the ranks (ranks limit the weight of outliers),
/// corrected for its bias of about -1 / count (Kendall 1954), and averaged over several series of one origin,
/// with more weight for longer ones. Negative values count as 0: a few values that seem to alternate do not
/// make a result more certain. Series of fewer than eight values are ignored. The result is 0 unless the
/// others have at least ten values in total beyond the first four of each.
[[nodiscard]] double serial_correlation(std::span<const std::vector<double>> series);

/// The effective sample size as a share of the number of values: (1 - r) / (1 + r), as in a first-order
/// autoregression with serial correlation r.
/// @param correlation serial_correlation()
[[nodiscard]] double independent_share(double correlation);

/// Distribution-free interval of the median from order statistics (binomial ranks).
/// The level reached is in `confidence`. With too few values for the wanted level, the interval is the whole
/// range, with the level of that range.
[[nodiscard]] Interval median_interval(std::span<const double> values, double confidence);

/// The same with exactly the wanted level, if there are enough values: interpolated between neighbouring
/// order statistics (Hettmansperger & Sheather 1986), whose levels differ much for few values (97.9 % and
/// 89.1 % for ten). It is only approximately distribution-free.
/// @param correlation of successive values (serial_correlation()): n values are worth n (1 - r) / (1 + r)
/// independent ones, so the order statistics move away from the middle by the square root of that. If they
/// would leave the range, the interval is the whole range with the level 1 - (1/2 + asin(r) / pi)^(n - 1):
/// that of n signs, each equal to the one before with the probability in parentheses.
[[nodiscard]] Interval interpolated_median_interval(std::span<const double> values, double confidence,
                                                    double correlation = 0);

/// The places of the values whose mean is the weighted median.
struct Middle {
    std::size_t low = 0;
    std::size_t high = 0;
};
/// Where the weights of ascending values reach half of their sum: at one place or, if that is within a
/// quarter of the mean weight from the boundary of two, at both. Of alike weights the middle one or two.
/// @param weights above 0, not empty
[[nodiscard]] Middle weighted_middle(std::span<const double> weights);

/// The interval of the weighted median: the values that a two-sided sign test, in which each value counts
/// with its weight, does not reject, interpolated as by interpolated_median_interval(), which it equals where
/// all weights are equal. Exact over all signs for up to 16 values, from the normal approximation beyond.
/// @param ascending values  @param weights theirs, above 0
[[nodiscard]] Interval weighted_median_interval(std::span<const double> ascending,
                                                std::span<const double> weights, double confidence,
                                                double correlation = 0);

/// The two-sided sign test: the probability that of so many values with either sign alike so few, or fewer,
/// have one of them.
/// @pre fewer <= all / 2
[[nodiscard]] double sign_test(std::size_t fewer, std::size_t all);

/// Student's t interval of the mean of values, one per launch. With fewer than two values confidence is 0.
/// @param correlation of successive values, as in interpolated_median_interval()
[[nodiscard]] Interval mean_interval(std::span<const double> values, double confidence,
                                     double correlation = 0);

/// The value that Student's t exceeds with the probability `tail` (0 < tail < 1).
/// @param degrees of freedom, > 0, any real number
/// @throws std::invalid_argument
[[nodiscard]] double student_upper_quantile(double degrees, double tail);
/// The probability of a Student's t as far from 0 as t.
/// @throws std::invalid_argument as above
[[nodiscard]] double student_two_sided(double degrees, double t);

} // namespace skalib
#pragma GCC visibility pop
