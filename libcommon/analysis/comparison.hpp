#pragma once

#include "analysis/comparable.hpp"
#include "analysis/subject.hpp"

#include <limits>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace skampi {

/// Launches each side needs before anything is said about significance. Single measurements of one launch
/// share its memory placement and its state of the machine: they are no replication. Of simulated runs one
/// is enough: the clock's step is all that two of them can differ by.
constexpr std::size_t launches_needed = 5;

/// From so many launches of a side on it counts how alike those in a row are. Of fewer that is hardly known,
/// and to allow for it would hide differences where launches are not alike at all
/// (docs/decisions/launches-in-a-row.md).
constexpr std::size_t launches_to_tell_likeness = 15;
/// As how many independent ones launches count.
/// @param correlation of those in a row (Curve::correlation)
[[nodiscard]] double independent_launches(std::size_t launches, double correlation);

/// How launches of the two sides belong together.
enum class Pairing {
    same_launches, ///< two suites measured in the same launches: compared launch by launch
    independent,   ///< two databases
    overlapping,   ///< two databases that have launches in common: neither independent nor pairs
};

/// Why nothing is said of a difference. In the order in which the reasons are looked for.
enum class Unjudged {
    shared_launches,     ///< launches are on both sides: they are compared with themselves
    other_quantity,      ///< the suites measure two quantities (CurveComparison::comparability)
    other_ranks,         ///< measured on different numbers of ranks: two quantities
    started_differently, ///< one side in windows, the other between barriers: two quantities
    few_launches,        ///< fewer than needed on one side
    not_above_zero,      ///< a launch has a value that has no ratio
    several_modes, ///< one side was in several modes of the machine, and values or probes lie a mode apart;
                   ///< of same_launches the probes do
    no_scatter,    ///< neither scatter between the launches nor the clock's step is known
};
/// "because the ranks were started differently", "for want of launches that count", ...
[[nodiscard]] std::string unjudged_text(Unjudged reason);
/// How many points are not judged for which reason.
using UnjudgedCounts = std::map<Unjudged, std::size_t>;
/// "for want of launches that count"; of several reasons each with its number.
[[nodiscard]] std::string unjudged_text(const UnjudgedCounts& counts);

/// Two values at one argument.
struct PointComparison {
    std::int64_t argument = 0;
    /// Geometric means over the launches where there is an interval, else the values shown of both curves:
    /// ratio, its interval and its direction never come from different data.
    double first_s = 0;
    double second_s = 0;
    double ratio = 1;               ///< second / first
    double probe_ratio = 0;         ///< of the probes of the machine's state, second / first; 0 = not known
    bool interpolated = false;      ///< one side has no measurement there, but neighbours on both sides
    std::size_t first_launches = 0; ///< with a value there; of same_launches those that have both
    std::size_t second_launches = 0;
    std::optional<double> ratio_low;  ///< interval of the ratio over launches, corrected for the number of
    std::optional<double> ratio_high; ///< points; none with fewer launches than needed
    std::optional<Unjudged> unjudged; ///< why there is no interval
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
    /// "2 launches; 5 needed for a statement about significance", or what the intervals say.
    std::string significance;
    [[nodiscard]] std::size_t judged() const; ///< points with an interval
    [[nodiscard]] std::size_t faster() const; ///< points at which the second is significantly faster
    [[nodiscard]] std::size_t slower() const;
    [[nodiscard]] UnjudgedCounts unjudged() const;
    /// The points that ranges and means of ratios are made of: the judged ones, where none is judged those
    /// that are comparable.
    [[nodiscard]] std::vector<const PointComparison*> counting() const;
};

/// Variance of the logarithm of a value that was rounded to the clock's step: the greatest that an error of
/// at most half a step can have. That of a uniform error, a third of it, would let two sides whose launches
/// all fell on neighbouring steps differ significantly, though what was rounded may be the same.
[[nodiscard]] double rounding_variance(const Curve& curve, double value_s);

/// Compares two curves at the first one's arguments, as far as the second one's range covers them. Values
/// that are not above zero are left out; where a launch has such a one the point is not judged, because what
/// lies below the measurable has no ratio and leaving it out would favour the other side; nor is it where the
/// two are points of two quantities (comparability(), compare_points()), nor where a side was in several
/// modes of the machine and the two values, or the probes beside them, are mode_ratio apart: which
/// mode most of its launches hit says nothing of what is compared; two suites of the same launches are not
/// judged wherever the probes are mode_ratio apart. Overlapping ones are judged nowhere: a launch that is on
/// both sides makes them more alike than two samples are. The interval of the
/// ratio is Student's t (independent: Welch's) on the logarithms of the launches' values, at a level of
/// 1 - 0.05 / points_in_family (Bonferroni). Launches count as independent_launches(); of pairs the suite
/// decides whose are more alike.
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
                                      std::optional<OnPurpose> on_purpose = std::nullopt);

/// Two curves in modes of the machine that both saw.
struct InCommonModes {
    Curve first;
    Curve second;
    std::size_t points =
        0; ///< of the first that were apart and are in one mode now; 0 = the curves are empty
    std::size_t states = 0; ///< of the machine that these are of
    /// What is compared: what is of one state, where there is any, else the curve as it is shown.
    [[nodiscard]] const Curve& first_or(const Curve& shown) const { return points > 0 ? first : shown; }
    [[nodiscard]] const Curve& second_or(const Curve& shown) const { return points > 0 ? second : shown; }
};
/// Where probes say that the values of two curves at an argument (between two of the second curve's, where it
/// lacks the argument) are of different modes, and both sides have launches in one mode, the values,
/// intervals and launches of that mode take their places: like is compared with like, whichever mode most
/// launches happened to hit. It is the state in which the sides with fewer launches have most of them, over
/// all these arguments together; where a side does not know that state, the next such one. What is of one
/// mode already is left alone.
[[nodiscard]] InCommonModes in_common_modes(const Curve& first, const Curve& second);

/// At how many arguments compare() has something to set side by side.
[[nodiscard]] std::size_t common_arguments(const Curve& first, const Curve& second);

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
    struct Argument {
        std::int64_t argument = 0;
        double log_ratio = 0;                              ///< of the values shown
        bool comparable = true;                            ///< the ratio means something
        std::optional<Unjudged> left_out;                  ///< it is not pooled
        double rounding_variance = 0;                      ///< of both sides' logarithms
        std::vector<std::pair<std::size_t, double>> first; ///< launch and its logarithm by the middle
        std::vector<std::pair<std::size_t, double>> second;
    };
    std::vector<Argument> arguments_;
    std::size_t first_launches_ = 0;
    std::size_t second_launches_ = 0;
    double first_correlation_ = 0;
    double second_correlation_ = 0;
    bool simulated_ = false;
};

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

/// A row of the paper's standard list of comparisons (appendix A, 6.1 - 6.15).
struct StandardPair {
    std::string title;
    const Curve* first = nullptr;
    const Curve* second = nullptr;
    OnPurpose on_purpose;
};

/// Those of the standard list for which the subject has both suites with points, in the list's order.
[[nodiscard]] std::vector<StandardPair> standard_comparisons(const Subject& subject);

} // namespace skampi
