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
};

/// The value at an argument, linearly interpolated between its neighbours (SKaLib 3.4.2: 1020 from 1008 and
/// 1024), as are its error, weight and node times (none where the neighbours differ in number). None outside
/// the curve's range: nothing is extrapolated.
/// @param curve ascending arguments
[[nodiscard]] std::optional<CurvePoint> interpolate(std::span<const CurvePoint> curve, std::int64_t argument);

enum class Grid {
    union_, ///< every argument any run has
    first,  ///< the arguments of the first run (SKaLib's way)
    common, ///< only arguments all runs have
};

enum class MergedValue { median, mean, minimum };

/// What a run weighs in the median.
enum class Weights {
    count, ///< its single measurements (SKaLib 3.4): a noisy run, which is repeated most, weighs most
    equal, ///< each run the same: the run is the unit of replication
};

struct MergedPoint {
    std::int64_t argument = 0;
    double value = 0;
    double standard_error = 0; ///< of the run chosen (median, minimum), between runs (mean of several)
    double count = 0;          ///< sum of the runs' numbers of single measurements
    std::size_t runs = 0;      ///< how many contributed
    std::size_t chosen = 0;    ///< index of the run whose value it is (for mean: nearest)
    bool chosen_interpolated = false;
    double minimum = 0; ///< smallest and largest value of the runs
    double maximum = 0;
    double mad = 0;                 ///< median absolute deviation between the runs
    double between_runs_error = 0;  ///< sd / sqrt(runs), the error between launches; 0 for one run
    Interval median_interval;       ///< distribution-free, of the runs' values
    std::vector<double> node_times; ///< those of the chosen run
    std::vector<std::optional<WeightedValue>> sources; ///< per run; none = abstained
    std::vector<bool> source_interpolated;
};

/// Merges the curves of one suite from several runs (AMR, SKaLib 3.4). The order of the runs changes only the
/// indices (and, with Grid::first, the grid). The mean is that of the runs, each counted once: the run is the
/// unit of replication. A point without weight says that nothing can be had
/// there: its run abstains at this argument, and interpolates over it elsewhere. An argument no run has a
/// value for gives no point.
/// @param runs curves with ascending arguments
[[nodiscard]] std::vector<MergedPoint> merge_curves(std::span<const std::vector<CurvePoint>> runs, Grid grid,
                                                    MergedValue value, Weights weights = Weights::count);

} // namespace skalib
#pragma GCC visibility pop
