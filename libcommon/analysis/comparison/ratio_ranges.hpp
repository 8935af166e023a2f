#pragma once

#include "analysis/comparison/launch_scores.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace skampi {

/// Neighbouring arguments at which two sides compare alike.
struct RatioRange {
    std::int64_t from = 0;
    std::int64_t to = 0;
    PooledComparison pooled; ///< of these arguments
};

/// Cuts a suite where its ratio changes by more than its launches' scatter and a few percent: the partition
/// of the logarithms of its ratios into constant pieces that has the least sum of squares, in units of
/// LaunchScores::own_errors(), plus a penalty for each piece. One range where it changes nowhere; points that
/// are two quantities belong to none.
/// @param points that the scores are made of   @param statements_in_family as of LaunchScores::pooled()
[[nodiscard]] std::vector<RatioRange> ratio_ranges(const std::vector<PointComparison>& points,
                                                   const LaunchScores& scores,
                                                   std::size_t statements_in_family);

} // namespace skampi
