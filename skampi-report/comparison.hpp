#pragma once

#include "subject.hpp"

#include <optional>
#include <string>
#include <vector>

namespace skampi {

/// Launches each side needs before anything is said about significance. Single measurements of one launch
/// share its memory placement and its state of the machine: they are no replication.
constexpr std::size_t launches_needed = 5;

/// How launches of the two sides belong together.
enum class Pairing {
    same_launches, ///< two suites measured in the same launches: compared launch by launch
    independent,   ///< two databases
};

/// Two values at one argument.
struct PointComparison {
    std::int64_t argument = 0;
    double first_s = 0;
    double second_s = 0;
    double ratio = 1;          ///< second / first
    bool interpolated = false; ///< one side has no measurement there, but neighbours on both sides
    std::size_t first_launches = 0;
    std::size_t second_launches = 0;
    std::optional<double> ratio_low;  ///< interval of the ratio over launches, corrected for the number of
    std::optional<double> ratio_high; ///< points; none with fewer launches than needed
    /// The interval is clear of 1.
    [[nodiscard]] bool significant() const { return ratio_low && (*ratio_low > 1 || *ratio_high < 1); }
};

struct CurveComparison {
    std::vector<PointComparison> points; ///< ascending argument, the first curve's where both have a value
    double mean_ratio = 1;               ///< geometric mean of the ratios
    std::size_t launches = 0;            ///< the smaller side's, at the point that has least
    /// "2 launches; 5 needed for a statement about significance", or what the intervals say.
    std::string significance;
    [[nodiscard]] std::size_t faster() const; ///< points at which the second is significantly faster
    [[nodiscard]] std::size_t slower() const;
};

/// Compares two curves at the first one's arguments, as far as the second one's range covers them. Values
/// that are not above zero are left out. The interval of the ratio is Student's t (independent: Welch's) on
/// the logarithms of the launches' values, at a level of 1 - 0.05 / points_in_family (Bonferroni).
/// @param points_in_family how many points are compared in all; 0 = those of this comparison
[[nodiscard]] CurveComparison compare(const Curve& first, const Curve& second, Pairing pairing,
                                      std::size_t points_in_family = 0);

/// A row of the paper's standard list of comparisons (appendix A, 6.1 - 6.15).
struct StandardPair {
    std::string title;
    const Curve* first = nullptr;
    const Curve* second = nullptr;
};

/// Those of the standard list for which the subject has both suites with points, in the list's order.
[[nodiscard]] std::vector<StandardPair> standard_comparisons(const Subject& subject);

} // namespace skampi
