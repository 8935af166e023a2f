#pragma once

#include "analysis/comparison.hpp"

#include <cstdint>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

namespace skampi {

/// What several arguments of two suites say together: a shift that they share.
struct PooledComparison {
    std::size_t arguments = 0;      ///< that it rests on
    std::size_t first_launches = 0; ///< with a value at half of these or more
    std::size_t second_launches = 0;
    /// Second / first: over the launches where there is an interval, else the median of the ratios of the
    /// points that are comparable; 1 where there are none.
    double ratio = 1;
    std::optional<double> ratio_low; ///< corrected for the number of statements
    std::optional<double> ratio_high;
    /// A ratio of so much (or 1 by it) would be found: in 9 of 10 cases, of simulations, whose clock is exact
    /// but for its step, always.
    std::optional<double> detectable;
    bool simulated = false;           ///< both sides are
    std::optional<Unjudged> unjudged; ///< why there is no interval; none where there are no arguments, too
    [[nodiscard]] bool judged() const { return ratio_low.has_value(); }
    [[nodiscard]] bool faster() const { return judged() && *ratio_high < 1; } ///< the second, significantly
    [[nodiscard]] bool slower() const { return judged() && *ratio_low > 1; }
};

/// What each launch of two databases says of a suite, for statements that pool arguments.
///
/// A launch's score is the median, over the arguments, of the logarithms of its times by the middle of both
/// sides: one bad argument is nothing to it, and a launch that lacks some arguments has one all the same; of
/// less than half of them it has none. Scores are compared over launches by Welch's interval, because what
/// shifts a launch shifts all its arguments, and these are no replication. To the variance comes that of
/// rounding to the clock's step, as at a point.
class LaunchScores {
public:
    /// @param points of compare(first, second, Pairing::independent); those that are not poolable are left
    /// out
    LaunchScores(const Curve& first, const Curve& second, const std::vector<PointComparison>& points);

    /// Of the arguments least <= argument <= most, at a level of 1 - 0.05 / statements_in_family.
    /// @param statements_in_family how many are made in all, at least 1
    [[nodiscard]] PooledComparison pooled(std::size_t statements_in_family,
                                          std::int64_t least = std::numeric_limits<std::int64_t>::min(),
                                          std::int64_t most = std::numeric_limits<std::int64_t>::max()) const;

private:
    using Side = std::vector<std::pair<std::size_t, double>>; ///< launch and its logarithm by the middle
    struct Argument {
        std::int64_t argument = 0;
        double log_ratio = 0;             ///< of the values shown
        bool comparable = true;           ///< the ratio means something
        std::optional<Unjudged> left_out; ///< it is not pooled
        double rounding_variance = 0;     ///< of both sides' logarithms
        Side first;
        Side second;
    };
    /// The arguments of one statement.
    struct Pool {
        std::vector<const Argument*> arguments;
        std::vector<double> shown;        ///< logarithms of ratios
        std::vector<double> rounding;     ///< variances
        std::optional<Unjudged> left_out; ///< why the first of those left out is not pooled
    };
    [[nodiscard]] Pool pool(std::int64_t least, std::int64_t most) const;
    [[nodiscard]] static std::vector<double> scores(const std::vector<const Argument*>& arguments,
                                                    Side Argument::*side, std::size_t launches);

    std::vector<Argument> arguments_;
    std::size_t first_launches_ = 0;
    std::size_t second_launches_ = 0;
    double first_correlation_ = 0;
    double second_correlation_ = 0;
    bool simulated_ = false;
};

} // namespace skampi
