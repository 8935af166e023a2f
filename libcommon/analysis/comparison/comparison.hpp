#pragma once

#include "analysis/inference/launch_difference.hpp"
#include "analysis/inference/mean_difference.hpp"
#include "analysis/subject/comparable.hpp"
#include "analysis/subject/subject.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace skampi {

/// How launches of the two sides belong together.
enum class Pairing {
    same_launches, ///< two suites measured in the same launches: compared launch by launch
    independent,   ///< two databases
    overlapping,   ///< two databases that have launches in common: neither independent nor pairs
};

/// Why a difference is not judged, in the order in which the reasons are looked for.
enum class Unjudged {
    shared_launches,       ///< launches are on both sides: they are compared with themselves
    other_quantity,        ///< the suites measure two quantities (CurveComparison::comparability)
    other_ranks,           ///< measured on different numbers of ranks: two quantities
    started_differently,   ///< one side in windows, the other between barriers: two quantities
    few_launches,          ///< fewer than needed on one side
    launches_in_a_row,     ///< few in a row, and nothing tells in which state of the machine
    not_above_zero,        ///< a launch has a value that has no ratio
    several_modes,         ///< one side was in several modes of the machine, and values or probes lie a mode
                           ///< apart; of same_launches the probes do
    disturbed_on_one_side, ///< other work made the values of one side longer, and not those of the other
    no_scatter,            ///< neither scatter between the launches nor the clock's step is known
};
/// How many points are not judged for which reason.
using UnjudgedCounts = std::map<Unjudged, std::size_t>;

/// A ratio as measured, where the one that counts is that at an equal state of the machine.
struct AsMeasured {
    double ratio = 1;
    double low = 1;
    double high = 1;
    /// The ratio at an equal state is not known, but how much the machine may explain: its interval covers
    /// both ends.
    bool bounded = false;
    bool explained = false; ///< significant as measured, and not at an equal state
};

/// What is known of two sides' launches beyond their values.
struct LaunchRule {
    StateUse state = StateUse::nothing;
    bool in_a_row = false; ///< few on a side, and not in turns: without a state of the machine not judged
    StatePriors priors = {};
};

/// Two values at one argument.
struct PointComparison {
    std::int64_t argument = 0;
    /// Geometric means over the launches where there is an interval, else the values shown of both curves:
    /// ratio, its interval and its direction never come from different data.
    double first_s = 0;
    double second_s = 0;
    double ratio = 1;               ///< second / first; of judged ones at an equal state of the machine
    double probe_s = 0;             ///< of the first, where the ratio is known
    double probe_ratio = 0;         ///< of the probes of the machine's state, second / first; 0 = not known
    bool interpolated = false;      ///< one side has no measurement there, but neighbours on both sides
    std::size_t first_launches = 0; ///< with a value there; of same_launches those that have both
    std::size_t second_launches = 0;
    std::optional<double> ratio_low;  ///< interval of the ratio over launches, corrected for the number of
    std::optional<double> ratio_high; ///< points; none with fewer launches than needed
    std::optional<AsMeasured> as_measured; ///< where the state of the machine counts
    std::optional<Unjudged> unjudged;      ///< why there is no interval
    /// Started alike, in one mode or in modes that do not matter, all launches with a value above zero: what
    /// they say here may be pooled with other arguments, however few they are.
    bool poolable = true;
    /// Both sides are times of one quantity. Of two a ratio means nothing, and no range and no mean has it.
    bool comparable = true;
    /// Both sides have a probe, and these are of two states of the machine.
    [[nodiscard]] bool in_other_state() const;
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
    Comparability comparability;         ///< of the curves
    std::vector<PointComparison> points; ///< ascending argument, the first curve's where both have a value
    double mean_ratio = 1;               ///< geometric mean of the ratios that count; 1 where none does
    std::size_t launches = 0;            ///< the smaller side's, at the point that has most
    bool simulated = false;              ///< both sides are: only the clock's step counts
    [[nodiscard]] std::size_t judged() const; ///< points with an interval
    [[nodiscard]] std::size_t faster() const; ///< points at which the second is significantly faster
    [[nodiscard]] std::size_t slower() const;
    [[nodiscard]] UnjudgedCounts unjudged() const;
    /// The points that ranges and means of ratios are made of: the judged ones, where none is judged those
    /// that are comparable.
    [[nodiscard]] std::vector<const PointComparison*> counting() const;
};

/// Compares two curves at the first one's arguments, as far as the second one's range covers them. Values
/// that are not above zero are left out; where a launch has such a one the point is not judged, because what
/// lies below the measurable has no ratio and leaving it out would favour the other side; nor is it where the
/// two are points of two quantities (comparability(), compare_points()), nor where a side was in several
/// modes of the machine and the two values, or their probes, are mode_ratio apart: which mode most of its
/// launches hit says nothing about what is compared. Two suites of the same launches are not judged wherever
/// the probes are mode_ratio apart. Overlapping ones are judged nowhere: a launch that is on both sides makes
/// them more alike than two samples are. The interval of the ratio is Student's t (independent: Welch's) on
/// the logarithms of the launches' values (launch_difference()), at a level of 1 - 0.05 / points_in_family
/// (Bonferroni). Launches count as independent_launches(); of pairs the suite decides whose are more alike.
///
/// To the variance of each side's mean comes that of rounding to the clock's step, step^2 / 4 (the greatest
/// an error of half a step can have), undivided by the number of launches: all of them may have been rounded
/// the same way, so that values that agree to the last digit are no certainty. The step of a value is the
/// clock's resolution by the calls timed as a block. Where neither scatter nor a resolution is known the
/// point is not judged.
/// @param points_in_family how many points are compared in all; 0 = those of this comparison
/// @param on_purpose none = whatever is asked for: only a different start of the ranks is not judged
[[nodiscard]] CurveComparison compare(const Curve& first, const Curve& second, Pairing pairing,
                                      std::size_t points_in_family = 0,
                                      std::optional<OnPurpose> on_purpose = std::nullopt,
                                      const LaunchRule& rule = {});

/// None where the state of the machine does not count.
[[nodiscard]] std::optional<AsMeasured> as_measured(const LaunchDifference& found);

/// A launch's time with what it recorded of the machine's state.
[[nodiscard]] LaunchScore launch_score(const Curve& curve, const std::string& uuid, double log_time);

/// At how many arguments compare() has something to set side by side.
[[nodiscard]] std::size_t common_arguments(const Curve& first, const Curve& second);

/// Launches that say something of two sides.
struct SharedLaunches {
    std::size_t shared = 0; ///< that are on both
    std::size_t of_first = 0;
    std::size_t of_second = 0;
    [[nodiscard]] bool same() const { return shared > 0 && shared == of_first && shared == of_second; }
};
/// Counts the launches with values (of any mode), by their uuids: a copy of a database, or one merged of its
/// runs, holds the same.
[[nodiscard]] SharedLaunches shared_launches(const std::vector<const Curve*>& first,
                                             const std::vector<const Curve*>& second);

} // namespace skampi
