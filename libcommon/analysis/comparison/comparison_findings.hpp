#pragma once

#include "analysis/comparison/comparison.hpp"
#include "analysis/comparison/launch_scores.hpp"
#include "analysis/comparison/ratio_ranges.hpp"
#include "analysis/inference/launch_design.hpp"
#include "analysis/subject/subject.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace skampi {

/// Columns of the table that decides.
enum class MessageSize {
    small,  ///< to 1 KiB
    medium, ///< to 64 KiB
    large,
};
[[nodiscard]] MessageSize size_of_message(std::int64_t bytes);

/// What makes a comparison of two databases doubtful, or narrows it.
enum class ComparisonDoubtKind {
    unknown_ranks,        ///< of one side it is not known on how many ranks it ran
    probes_differ,        ///< the machine's probes differ by more than 5 %, within one state
    clocks_differ,        ///< the core clocks differ by more than 5 %
    throughputs_differ,   ///< so do the cores' additions per cycle: other work used the cores of one side
    plans_differ,         ///< the measurement plans differ: only suites of the same operation are compared
    only_in_reference,    ///< suites without anything to compare with
    only_in_other,        ///< likewise
    other_quantity,       ///< suites that measure two quantities: not judged
    computed_differently, ///< suites whose values are formed in two ways
    unknown_fields,       ///< suites of which one side does not say all fields that matter
    windows_given_up,     ///< at some points one side fell back to barriers: not judged
    launches_in_a_row,    ///< few launches of a side were made one after the other
    times_unknown,        ///< or nobody knows when: they are taken for independent
};

/// A doubt with its figures; those that do not belong to it are empty.
struct ComparisonDoubt {
    ComparisonDoubtKind doubt = ComparisonDoubtKind::plans_differ;
    double reference = 0; ///< number of ranks, probe in seconds, clock in Hz; 0 = not known
    double other = 0;
    std::size_t suites = 0;
    std::size_t points = 0;
    std::vector<FieldDifference> fields = {};  ///< that these suites differ in
    std::vector<std::string> names = {};       ///< titles of suites, or names of unknown fields
    std::vector<LaunchesInARow> in_a_row = {}; ///< the sides
};

/// The two ran on different numbers of ranks.
struct OtherRanks {
    int reference = 0; ///< of the runs; 0 = not known
    int other = 0;
    std::vector<std::size_t> suites; ///< of the verdict, places in DatabaseComparison::suites
    std::size_t of_suites = 0;       ///< of the verdict in all
    [[nodiscard]] bool of_runs() const { return ranks_differ(reference, other); }
    [[nodiscard]] bool any() const { return of_runs() || !suites.empty(); }
};

/// In which states of the machine the points of the verdict were measured, as far as its probes know.
struct MachineStates {
    std::size_t points = 0;
    std::size_t in_common_mode = 0; ///< compared in a state that both sides saw, instead of the values shown
    std::size_t common_states = 0;  ///< that these are of; of a suite
    std::size_t by_one_rule = 0;    ///< of other launches than those shown, in_common_launches()
    std::size_t other_slower = 0;   ///< points whose probes are of two states, longer in `other`
    double other_slower_ratio = 1;  ///< median, above 1
    std::size_t reference_slower = 0;  ///< likewise longer in the reference
    double reference_slower_ratio = 1; ///< median, above 1
    bool other_machine = false;        ///< the machines or their CPUs are known to differ
    /// LaunchDesign::other_software: a probe is a call of the library, and need not tell of the machine then.
    bool other_software = false;
    [[nodiscard]] std::size_t apart() const { return other_slower + reference_slower; }
};

/// What is said of the two databases as wholes.
enum class VerdictKind {
    nothing_in_common, ///< no suite has points of both
    open,              ///< no suite of the verdict could be judged
    no_difference,     ///< in none that could be judged
    explained,         ///< likewise, but some differ as measured: the state of the machine explains it
    faster,            ///< the other is, wherever there is a difference
    slower,
    mixed,
};

/// From this ratio on (or 1 by it) what may be chance is worth a word.
constexpr double large_ratio = 1.25;

/// Where a suite differs, or may. A suite whose ratio changes has an effect for each range that differs.
/// Ratios from large_ratio on that are not certain are effects, too, but not those that the machine's state
/// explains.
struct Effect {
    enum class Where {
        whole,  ///< at all arguments alike
        range,  ///< at neighbouring ones: a place in its ranges
        points, ///< at neighbouring arguments that each differ by themselves, in one direction
        size,   ///< at messages of a size, which neither its points nor the whole show
    };
    std::size_t suite = 0; ///< place in DatabaseComparison::suites
    Where where = Where::whole;
    std::size_t range = 0;
    MessageSize size = MessageSize::small;
    std::int64_t from = 0; ///< of points: the first of the arguments
    std::int64_t to = 0;
    double ratio = 1;               ///< of its middle, where arguments differ among themselves
    std::optional<double> low = {}; ///< its interval; of several points their least and greatest ratio
    std::optional<double> high = {};
    bool sure = true;                         ///< else large, but within what launches scatter
    std::optional<std::size_t> launches = {}; ///< of each side would decide it; none = they would not
    std::size_t usable = 0;                   ///< launches behind it, of the side that has fewer
};

/// The suites of the verdict, by what was found of them; numbers are places in DatabaseComparison::suites.
struct Verdict {
    VerdictKind kind = VerdictKind::nothing_in_common;
    std::vector<std::size_t> faster; ///< largest difference first
    std::vector<std::size_t> slower; ///< likewise
    std::vector<std::size_t> few_faster;
    std::vector<std::size_t> few_slower;
    std::vector<std::size_t> both;
    /// Without a difference as a whole, or not judged, but with one by length of the messages.
    std::vector<std::size_t> at_sizes;
    std::vector<std::size_t> none;      ///< without a difference
    std::vector<std::size_t> explained; ///< significant as measured, not at an equal state
    std::vector<Effect> effects;        ///< the largest first
    std::optional<double> detectable;   ///< in all of `none`: a ratio of so much (or 1 by it) would be found
    /// Launches of each side that would decide what is not certain; 0 = nothing is known to.
    std::size_t launches_to_decide = 0;
    std::size_t open = 0;       ///< suites that could not be judged
    UnjudgedCounts reasons;     ///< of these
    bool partly_judged = false; ///< some of these are, at single points or sizes of messages
    std::size_t suites = 0;
    std::size_t points = 0;
    /// Geometric mean of time of other / time of reference, over the judged points, where none is judged over
    /// those that are comparable; none where there are none. Every suite counts alike, and in it every
    /// doubling of the argument, however many points lie there.
    std::optional<double> mean_ratio;
    std::size_t mean_points = 0; ///< it is made of
    std::size_t mean_suites = 0;
};

/// All matching suites of two databases.
///
/// What is said of them errs in at most 5 % of all comparisons of equals: a third of that is for the points,
/// a third for the suites as wholes, a third for the messages of one size.
struct DatabaseComparison {
    struct Suite {
        const Curve* reference = nullptr;
        const Curve* other = nullptr;
        CurveComparison curves;
        PooledComparison whole;         ///< all arguments together
        std::vector<RatioRange> ranges; ///< the arguments, cut where the ratio changes
        std::size_t in_common_mode = 0; ///< points compared in a mode that is not that of the values shown
        std::size_t common_states = 0;  ///< of the machine that these are of
        std::size_t by_one_rule = 0;    ///< points compared by in_common_launches()
        /// Where the messages have a length: of those that belong to it.
        std::map<MessageSize, PooledComparison> by_size;
        bool in_verdict = true; ///< in_verdict() of the comparison
        /// Whether anything can be said of it: a difference was found somewhere, or looked for in all
        /// arguments together or at half of them or more.
        [[nodiscard]] bool judged() const;
        /// Of the suite as a whole together with its points. @pre judged()
        [[nodiscard]] Outcome outcome() const;
        /// How much faster or slower it is: as a whole, else at the points that say so.
        [[nodiscard]] double ratio_found() const;
        /// Why it is not judged. @pre not judged()
        [[nodiscard]] Unjudged reason() const;
        /// The sizes of messages at which a difference was found that neither the suite as a whole nor its
        /// points show.
        [[nodiscard]] std::vector<MessageSize> sizes_alone() const;
        /// A difference was found.
        [[nodiscard]] bool differs() const {
            return (judged() && outcome() != Outcome::none) || !sizes_alone().empty();
        }
    };
    const Subject* reference = nullptr;
    const Subject* other = nullptr;
    std::vector<Suite> suites;
    SharedLaunches launches_of_both; ///< of these suites: with any that are shared nothing is judged
    std::size_t points = 0;          ///< at which both have a time
    std::size_t judged = 0;          ///< points with an interval
    std::size_t faster = 0;          ///< points at which `other` is significantly faster
    std::size_t slower = 0;
    UnjudgedCounts unjudged;
    std::size_t launches = 0; ///< the smaller side's, at the point that has most
    Verdict verdict;
    OtherRanks ranks;
    LaunchDesign design;
    MachineStates states;
    std::vector<ComparisonDoubt> doubts;
};

/// Whether both sides are simulated: their launches do not differ.
[[nodiscard]] bool both_simulated(const DatabaseComparison& comparison);

/// The middle of what a side's measurements of the compared suites say of the machine's state; 0 = nothing.
[[nodiscard]] double median_state(const DatabaseComparison& comparison,
                                  const Curve* DatabaseComparison::Suite::*side, double Measurement::*state);
/// The same of the probes of the launches that are compared: of the reference, of the other.
[[nodiscard]] std::pair<double, double> median_probes(const DatabaseComparison& comparison);
[[nodiscard]] bool differs_by_5_percent(double a, double b);

} // namespace skampi
