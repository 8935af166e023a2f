#pragma once

#include "subject.hpp"

#include <map>
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

/// Why nothing is said of a difference. In the order in which the reasons are looked for.
enum class Unjudged {
    started_differently, ///< one side in windows, the other between barriers: two quantities
    few_launches,        ///< fewer than needed on one side
    not_above_zero,      ///< a launch has a value that has no ratio
    several_modes, ///< one side was in several modes of the machine, and what is compared lies a mode apart
    no_scatter,    ///< neither scatter between the launches nor the clock's step is known
};
/// "because the ranks were started differently", "for want of launches", ...
[[nodiscard]] std::string unjudged_text(Unjudged reason);
/// How many points are not judged for which reason.
using UnjudgedCounts = std::map<Unjudged, std::size_t>;
/// "for want of launches"; of several reasons each with its number.
[[nodiscard]] std::string unjudged_text(const UnjudgedCounts& counts);

/// Two values at one argument.
struct PointComparison {
    std::int64_t argument = 0;
    /// Geometric means over the launches where there is an interval, else the values shown of both curves:
    /// ratio, its interval and its direction never come from different data.
    double first_s = 0;
    double second_s = 0;
    double ratio = 1;               ///< second / first
    bool interpolated = false;      ///< one side has no measurement there, but neighbours on both sides
    std::size_t first_launches = 0; ///< with a value there; of same_launches those that have both
    std::size_t second_launches = 0;
    std::optional<double> ratio_low;  ///< interval of the ratio over launches, corrected for the number of
    std::optional<double> ratio_high; ///< points; none with fewer launches than needed
    std::optional<Unjudged> unjudged; ///< why there is no interval
    [[nodiscard]] bool judged() const { return ratio_low.has_value(); }
    [[nodiscard]] bool faster() const { return judged() && *ratio_high < 1; } ///< the second, significantly
    [[nodiscard]] bool slower() const { return judged() && *ratio_low > 1; }
    /// The interval is clear of 1.
    [[nodiscard]] bool significant() const { return faster() || slower(); }
};

/// What the significant points of the second side say together. Word and number belong to one another: that
/// one side is faster is said without its points only where most of them say so.
enum class Outcome {
    none,   ///< nowhere
    faster, ///< the second at half of the points judged or more, and nowhere slower
    slower,
    few_faster, ///< at fewer, and nowhere slower
    few_slower,
    both, ///< faster at some, slower at others
};
[[nodiscard]] Outcome outcome(std::size_t faster, std::size_t slower, std::size_t judged);

struct CurveComparison {
    std::vector<PointComparison> points; ///< ascending argument, the first curve's where both have a value
    double mean_ratio = 1;               ///< geometric mean of the ratios
    std::size_t launches = 0;            ///< the smaller side's, at the point that has most
    /// "2 launches; 5 needed for a statement about significance", or what the intervals say.
    std::string significance;
    [[nodiscard]] std::size_t judged() const; ///< points with an interval
    [[nodiscard]] std::size_t faster() const; ///< points at which the second is significantly faster
    [[nodiscard]] std::size_t slower() const;
    [[nodiscard]] UnjudgedCounts unjudged() const;
};

/// Variance of the logarithm of a value that was rounded to the clock's step: the greatest that an error of
/// at most half a step can have. That of a uniform error, a third of it, would let two sides whose launches
/// all fell on neighbouring steps differ significantly, though what was rounded may be the same.
[[nodiscard]] double rounding_variance(const Curve& curve, double value_s);

/// Whether the ranks of a measurement were started at an agreed time; none where they need no common start.
[[nodiscard]] std::optional<bool> in_windows(const Suite& suite, const Measurement& measurement);

/// Compares two curves at the first one's arguments, as far as the second one's range covers them. Values
/// that are not above zero are left out; where a launch has such a one the point is not judged, because what
/// lies below the measurable has no ratio and leaving it out would favour the other side; nor is it where the
/// ranks of one side started in windows and those of the other behind a barrier, nor where a side was in
/// several modes of the machine and the two values are mode_ratio apart: which mode most of its launches hit
/// says nothing of what is compared. The interval of the
/// ratio is Student's t (independent: Welch's) on the logarithms of the launches' values, at a level of
/// 1 - 0.05 / points_in_family (Bonferroni).
///
/// To the variance of each side's mean comes that of rounding to the clock's step, step^2 / 4 (the greatest
/// an error of half a step can have), undivided by the number of launches: all of them may have been rounded
/// the same way, so that values that agree to the last digit are no certainty. The step of a value is the
/// clock's resolution by the calls timed as a block. Where neither scatter nor a resolution is known the
/// point is not judged.
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
