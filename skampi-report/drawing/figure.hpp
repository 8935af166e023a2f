// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "analysis/models/cost_model.hpp"
#include "analysis/models/growth_model.hpp"
#include "contest/contest.hpp"
#include "drawing/panel.hpp"
#include "launches/subject.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace skampi {

/// Whether a curve can be drawn: at least two arguments with a value its axes can show.
[[nodiscard]] bool drawable(const Curve& curve);

/// In small plots they are behind the launches, if these are drawn.
void leave_out_quartiles_behind_launches(Figure& figure);
/// Its first panel as one of many small plots, without a legend.
[[nodiscard]] Figure beside_others(Figure figure);

/// One suite: time over the argument and, for message lengths, bandwidth in a second panel. Value with error
/// bars, median and quartiles, other launches in the back, flagged points marked, fitted model and jumps.
/// Over ranks the model is the form of growth, if there is one, and there are no jumps.
/// @param copies memcpy, whose rate is drawn with the bandwidth (copy_bound()); null = none
[[nodiscard]] Figure suite_figure(const std::string& id, const Curve& curve, const CostModel& model,
                                  const Curve* copies = nullptr);

/// Several curves in one panel, with the ratio of each to the first in another. Each is broken where it
/// jumps, a ratio where one of its two curves jumps.
/// @param labels one per curve @param comparisons of each but the first with the first; null = made here
[[nodiscard]] Figure overlay_figure(const std::string& id, const std::vector<const Curve*>& curves,
                                    const std::vector<std::string>& labels,
                                    const std::vector<const SuiteContest*>& contests = {});

/// Bandwidths of several curves over the message length in one panel.
[[nodiscard]] Figure bandwidths_figure(const std::string& id, const std::vector<const Curve*>& curves,
                                       const std::vector<std::string>& labels);

/// The values of several jobs, or of suites of a family, at one argument.
struct RankCurve {
    std::string label;
    struct Point {
        int ranks = 0;
        const StoredMeasurement* point = nullptr;
    };
    std::vector<Point> points; ///< ascending ranks
    Units units = {};
    std::optional<GrowthModel> growth = {}; ///< a form that fits
};
/// Times over the number of ranks, a curve per argument, with its form of growth or broken where it jumps.
[[nodiscard]] Figure over_ranks_figure(const std::string& id, const std::vector<RankCurve>& curves);

/// Small multiples, at most `most` of them: a plot for each entry, which holds the curves of one plot (null =
/// none; the first existing one names the plot). All have one range of times, except kinds of operations that
/// differ by orders of magnitude.
/// @param labels one per curve of an entry; empty = there is no legend
[[nodiscard]] Figure overview_figure(const std::string& id,
                                     const std::vector<std::vector<const Curve*>>& plots,
                                     const std::vector<std::string>& labels, std::size_t most);

} // namespace skampi
