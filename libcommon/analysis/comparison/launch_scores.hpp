#pragma once

#include "analysis/comparison/comparison.hpp"

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
    std::size_t first_excluded = 0; ///< of these, because they lie far from the others of their side
    std::size_t second_excluded = 0;
    /// Second / first: over the launches where there is an interval, at an equal state of the machine; else
    /// the median of the ratios of the points that are comparable; 1 where there are none.
    double ratio = 1;
    std::optional<double> ratio_low; ///< corrected for the number of statements
    std::optional<double> ratio_high;
    std::optional<AsMeasured> as_measured; ///< where the state of the machine counts
    /// A ratio of so much (or 1 by it) would be found: in 9 of 10 cases, of simulations, whose clock is exact
    /// but for its step, always.
    std::optional<double> detectable;
    /// Of pairs of launches, one of each side: the least and the greatest ratio; no level. None where a side
    /// has no launch.
    std::optional<double> least;
    std::optional<double> greatest;
    double first_spread = 0; ///< standard deviations of the launches' logarithms; 0 = not known
    double second_spread = 0;
    double error = family_error;      ///< of the interval, with the family in mind
    bool simulated = false;           ///< both sides are
    std::optional<Unjudged> unjudged; ///< why there is no interval; none where there are no arguments, too
    [[nodiscard]] bool judged() const { return ratio_low.has_value(); }
    [[nodiscard]] bool faster() const { return judged() && *ratio_high < 1; } ///< the second, significantly
    [[nodiscard]] bool slower() const { return judged() && *ratio_low > 1; }
    [[nodiscard]] bool explained() const { return as_measured && as_measured->explained; }
};

/// How much each argument counts where several are put together: as much of the axis of logarithms as it
/// stands for, so that where refinement placed many they do not count more. The mean is 1.
/// @param arguments ascending
[[nodiscard]] std::vector<double> argument_weights(const std::vector<std::int64_t>& arguments);

/// What each launch of two databases says of a suite, for statements that pool arguments.
///
/// A launch's score is the median, over the arguments, of the logarithms of its times by the middle of both
/// sides, weighted by argument_weights(): one bad argument is nothing to it, and a launch that lacks some
/// arguments has one all the same; of less than half of them it has none. Scores are compared by
/// launch_difference(), because what shifts a launch shifts all its arguments, and these are no replication.
/// To the variance comes that of rounding to the clock's step, as at a point.
class LaunchScores {
public:
    /// @param points of compare(first, second, Pairing::independent); those that are not poolable are left
    /// out
    LaunchScores(const Curve& first, const Curve& second, const std::vector<PointComparison>& points,
                 const LaunchRule& rule = {});

    /// Of the arguments least <= argument <= most, at a level of 1 - 0.05 / statements_in_family.
    /// @param statements_in_family how many are made in all, at least 1
    [[nodiscard]] PooledComparison pooled(std::size_t statements_in_family,
                                          std::int64_t least = std::numeric_limits<std::int64_t>::min(),
                                          std::int64_t most = std::numeric_limits<std::int64_t>::max()) const;

    /// slopes_shown() of all arguments together; none of simulated ones.
    [[nodiscard]] std::optional<StatePriors> slopes() const;

    /// What the ratio at an argument scatters beside a shift that all arguments share: logarithms, in the
    /// order of the points; 0 = not known.
    [[nodiscard]] std::vector<double> own_errors() const;

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
        std::vector<double> weights;
        std::vector<double> shown; ///< logarithms of ratios
        std::vector<double> shown_weights;
        std::vector<double> rounding;     ///< variances
        std::optional<Unjudged> left_out; ///< why the first of those left out is not pooled
    };
    [[nodiscard]] Pool pool(std::int64_t least, std::int64_t most) const;
    /// @param launches with their states; in their order
    [[nodiscard]] static std::vector<LaunchScore> scores(const Pool& pool, Side Argument::*side,
                                                         const std::vector<LaunchScore>& launches);
    void judge(PooledComparison& result, const std::vector<LaunchScore>& first,
               const std::vector<LaunchScore>& second, double rounding) const;

    std::vector<Argument> arguments_;
    std::vector<LaunchScore> first_launches_; ///< without a time yet
    std::vector<LaunchScore> second_launches_;
    double first_correlation_ = 0;
    double second_correlation_ = 0;
    LaunchRule rule_;
    bool simulated_ = false;
};

} // namespace skampi
