// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "skalib/statistics.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#pragma GCC visibility push(default) // the public part of the shared library
namespace skalib {

/// One measured value with its weight.
struct WeightedValue {
    double value = 0;
    double standard_error = 0;
    double weight = 0; ///< number of single measurements, interpolated where the value is
};

/// Index of the weighted median (SKaLib 3.4.1: 899/10, 901/4, 910/4 -> 899): the first value, ascending, at
/// which the weights reach half of their sum. Does not depend on the order given: ties in value are broken by
/// standard error, then weight.
/// @throws std::invalid_argument for no values, a negative weight, or a total weight of zero
[[nodiscard]] std::size_t weighted_median(std::span<const WeightedValue> values);

/// A point of one run's curve.
struct CurvePoint {
    std::int64_t argument = 0;
    WeightedValue value;
    std::vector<double> node_times; ///< per rank, may be empty
    bool doubtful = false;          ///< unreliable: it counts only where there are not enough other values
};

/// The value at an argument, linearly interpolated between its neighbours (SKaLib 3.4.2: 1020 from 1008 and
/// 1024). Error, weight and node times are interpolated too; node times are empty where the neighbours have
/// different numbers of them. It is doubtful if a neighbour is. None outside the curve's range.
/// @param curve ascending arguments
[[nodiscard]] std::optional<CurvePoint> interpolate(std::span<const CurvePoint> curve, std::int64_t argument);

enum class Grid {
    union_, ///< every argument of any run
    first,  ///< the arguments of the first run (SKaLib's way)
    common, ///< only arguments all runs have
};

enum class MergedValue { median, mean, minimum };

/// The weight of a run in the median.
enum class Weights {
    count, ///< its single measurements (SKaLib 3.4): a noisy run is repeated most and weighs most
    equal, ///< the same for each run
    /// 1 / (tau^2 + se^2): se is the run's standard error, tau^2 the variance between the runs, from their
    /// median absolute deviation less their own errors, but a quarter of it at least. A run that does not
    /// know its error has the median of the others'.
    precision,
};

struct MergedPoint {
    std::int64_t argument = 0;
    double value = 0;
    double standard_error = 0;  ///< within runs: of those that make the value; not the error between launches
    double count = 0;           ///< single measurements of the runs used
    std::size_t runs = 0;       ///< number of runs used
    std::size_t chosen = 0;     ///< index of the run that gave the value (for mean: the nearest)
    std::size_t chosen_too = 0; ///< of the other one where it is the mean of two; else the same as chosen
    bool chosen_interpolated = false; ///< one of them is
    double minimum = 0;               ///< smallest and largest value of the runs used
    double maximum = 0;
    double mad = 0;                 ///< median absolute deviation between them
    double between_runs_error = 0;  ///< sd / sqrt(runs), the error between launches; 0 for one run
    Interval interval;              ///< of this kind of value, from the runs used; none for a minimum
    std::vector<double> node_times; ///< those of the chosen run, the means of those of two
    std::vector<std::optional<WeightedValue>> sources; ///< per run; none = abstained
    std::vector<bool> source_interpolated;
    std::vector<bool> left_out; ///< per run: its value is doubtful, and there were enough others
};

/// Whether there are enough good values to leave the doubtful ones out.
[[nodiscard]] constexpr bool enough_without(std::size_t sound, std::size_t doubtful) {
    constexpr std::size_t enough_for_a_spread = 3;
    return sound >= enough_for_a_spread || sound > doubtful;
}

/// The value of one run at one argument.
struct Contribution {
    std::size_t run = 0;
    CurvePoint point;
    bool interpolated = false;
};

/// Whether the doubtful ones are left out: there are enough others (enough_without()), or all others, at
/// least two or one against four, are faster than most doubtful ones by a tenth. A disturbance makes a value
/// longer, so two undisturbed values are better than many disturbed ones far above them.
[[nodiscard]] bool leaves_doubtful_out(std::span<const Contribution> contributions);

/// How the values of several runs become one.
struct MergeMethod {
    MergedValue value = MergedValue::median;
    Weights weights = Weights::count;
    double correlation = 0; ///< of runs that follow one another (serial_correlation()): widens the interval
};

/// Merges the values of several runs at one argument, as merge_curves() does.
/// @param contributions any order, at most one per run, weights above 0, not empty
/// @param runs how many there are, with those that have no value
[[nodiscard]] MergedPoint merge_contributions(std::int64_t argument, std::vector<Contribution> contributions,
                                              std::size_t runs, const MergeMethod& method);

/// Merges the curves of one suite from several runs (AMR, SKaLib 3.4). The order of the runs changes only the
/// indices (and, with Grid::first, the grid). The mean counts each run once: the run is the unit of
/// replication. A point with weight 0 means that the run has no value there: it abstains at this argument and
/// ignores the point when it interpolates. An argument without any value gives no point.
///
/// With Weights::count, SKaLib's method, the median is one of the values, and none is left out. Otherwise it
/// is the mean of two (weighted_middle()), or the smaller of these where they differ by a factor of 1.4,
/// because no run measured a time between them; and doubtful values are left out where leaves_doubtful_out().
/// The interval of a median is distribution-free (weighted_median_interval()), that of a mean is Student's;
/// both take the runs for independent.
/// @param runs curves with ascending arguments
[[nodiscard]] std::vector<MergedPoint> merge_curves(std::span<const std::vector<CurvePoint>> runs, Grid grid,
                                                    MergedValue value, Weights weights = Weights::count);

} // namespace skalib
#pragma GCC visibility pop
