#pragma once

#include "analysis/comparison/database_comparison.hpp"
#include "analysis/subject/comparable.hpp"
#include "analysis/subject/subject.hpp"
#include "analysis/turns/turn_differences.hpp"
#include "model/session.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace skampi {

// Which variant of a session is faster, from launches in turns. What a round shares, whatever it is, is in
// both launches of a pair and falls out of their ratio.

/// How the ranks of a suite were started in the launches of a session, where not all could keep windows.
struct TurnsStarts {
    Synchronization compared = Synchronization::window; ///< those that were started otherwise are left out
    std::size_t rounds = 0;         ///< in which the suite was measured by several launches
    std::size_t alike = 0;          ///< of these, all in the way that is compared
    std::optional<int> given_up_in; ///< the session chose barriers after windows were given up in this round
    bool operator==(const TurnsStarts&) const = default;
};

/// Launches of a variant that were made on another machine, with another library or other bound ranks than
/// its first one: their rounds are compared with the others as if they were not.
struct TurnsMove {
    std::size_t variant = 0;              ///< its place in the session
    int round = 0;                        ///< the first such
    std::vector<std::string> differences; ///< surroundings_differ()
};

/// What the launches of a session measured.
struct SessionLaunches {
    Session session;
    /// As session.variants. Their curves hold what each launch measured itself, in whatever state of the
    /// machine.
    std::vector<Subject> variants;
    /// Of each variant: in which round which launch counts, by its uuid.
    std::vector<std::map<int, std::string>> launches;
    std::vector<std::set<int>> failed; ///< of each variant: rounds in which a launch gave no run
    double round_s = 0;           ///< that the launches of a round took together, on average; 0 = not known
    std::vector<TurnsMove> moves; ///< the first of each variant; mostly none
    std::map<std::string, TurnsStarts> starts; ///< of suites, by name: only those with several starts
};

/// The smallest and the largest ratio of several statements; of those without a difference it is 1.
struct RatioSpan {
    double low = 1;
    double high = 1;
};

/// One statement: all arguments of a suite, or those of a class of lengths, of a variant against the
/// reference.
struct TurnsStatement {
    std::optional<MessageSize> size; ///< none = all arguments together
    std::size_t rounds = 0;          ///< whose pairs it rests on
    std::size_t outliers = 0;        ///< further rounds that lie far from these (outliers())
    std::size_t outliers_slower = 0; ///< of these: in which the variant was slower than in these rounds
    double outlier_ratio = 1;        ///< median of the outliers
    double error = 0;                ///< of its interval: its share of the session's
    double ratio = 1;                ///< time of the variant / time of the reference
    std::optional<double> low;       ///< interval of the ratio
    std::optional<double> high;
    bool equal = false; ///< within the session's margin
    /// Outliers that lie on one side, and not on that of a difference that is found. Then it is open.
    bool contradicted = false;
    /// Its median does not tell its lengths, whether it is decided or not: they lie between these ratios. So
    /// it is of a class each length of which is in TurnsSuite::ranges, or one in them differs by more than
    /// 10 % and twice as much as the class (logarithms); and of all arguments together, where there are
    /// classes, if the intervals of two lie apart, by more than half of the larger difference.
    std::optional<RatioSpan> span = {};
    /// A tenth of the rounds or more are outliers, and too many of them lie on one side for chance: the
    /// variant may cause them.
    [[nodiscard]] bool outliers_on_one_side() const;
    std::optional<Unjudged> unjudged; ///< why there is no interval
    /// After so many rounds in all it would be decided in 9 of 10 cases, as much as rounds scatter; none = it
    /// is decided, or not known.
    std::optional<std::size_t> rounds_to_decide;
    [[nodiscard]] bool judged() const { return low.has_value(); }
    [[nodiscard]] bool faster() const { return judged() && !contradicted && *high < 1; } ///< the variant
    [[nodiscard]] bool slower() const { return judged() && !contradicted && *low > 1; }
    [[nodiscard]] bool different() const { return faster() || slower(); }
    [[nodiscard]] bool open() const { return !different() && !equal; }
    /// As the tables say it: where there is a span, they have that.
    [[nodiscard]] bool open_in_tables() const { return open() && !span; }
};

/// Neighbouring arguments that differ alike (their intervals overlap), and not as the statement says in which
/// they are (also not at all, where that says that they differ): what the median over a class hides.
struct TurnsRange {
    std::int64_t from = 0;
    std::int64_t to = 0;
    /// The mean over them; its interval is the union of theirs, each with an error such that 5 % of sessions
    /// have any false one.
    TurnsStatement statement;
    double reference_s = 0; ///< of one argument: median over its rounds of what the reference took
    RatioSpan ratios = {};  ///< of its arguments; set where there are several
    /// Of its arguments, or of its only one.
    [[nodiscard]] RatioSpan spread() const {
        return from == to ? RatioSpan{statement.ratio, statement.ratio} : ratios;
    }
};

/// Arguments at which launches have no value of their own.
struct TurnsMissing {
    std::size_t arguments = 0;   ///< at which some do
    std::int64_t most_at = 0;    ///< where most do
    std::size_t rounds_left = 0; ///< there, with values of both launches
    std::size_t rounds = 0;      ///< that count, and whose launches have values of the suite
};

/// A state of the machine that few pairs of launches met.
struct TurnsStateMet {
    TurnsState state;
    std::size_t pairs = 0;
    double usual_probe_s = 0; ///< of the state that most met
};

/// A suite of a variant and of the reference; where the difference is another one in each state of the
/// machine, what pairs of launches in one of the states say of it: these are its rounds then.
struct TurnsSuite {
    const Curve* reference = nullptr; ///< not null
    const Curve* variant = nullptr;   ///< null = the variant has no such suite
    Comparability comparability;
    bool compared = false; ///< both have values of one quantity
    /// Empty where it is not compared; else the first is that of all arguments, the others by length, where
    /// there are several classes.
    std::vector<TurnsStatement> statements;
    std::vector<TurnsRange> points;  ///< of each argument, ascending, with the error of single arguments
    std::vector<TurnsRange> ranges;  ///< ascending; mostly none
    std::optional<TurnsRange> worst; ///< the argument with the largest ratio that has an interval
    TurnsMissing missing;
    /// Rounds whose launches met two states of the machine, where the times show it, and in how many of these
    /// the variant's was the slower one.
    std::size_t states_apart = 0;
    std::size_t variant_in_slower = 0;
    /// What the states change was estimated and taken out; else these rounds are left out, or, where the
    /// suite is judged for each state, their launches are paired anew (states_of()).
    bool states_taken_out = false;
    /// Likewise what the speed of the cores changes, and the rounds with those of one launch more than a
    /// tenth slower.
    bool core_speed_taken_out = false;
    std::size_t core_speeds_apart = 0;
    std::optional<TurnsState> state = {}; ///< none = of whatever state
    /// A state that few of its pairs met, beside that or those which are judged.
    std::optional<TurnsStateMet> hardly_met = {};
    /// On which its statements and ranges rest, at most.
    [[nodiscard]] std::size_t rounds() const;
    [[nodiscard]] const TurnsStatement* of_size(MessageSize size) const;
    /// Of the class of lengths in which an argument is; where there are no classes, of all. @pre compared
    [[nodiscard]] const TurnsStatement& statement_around(std::int64_t argument) const;
    /// Whether a statement of this suite is about an argument: that of all is, or that of its class of
    /// lengths.
    [[nodiscard]] bool is_about(const TurnsStatement& statement, std::int64_t argument) const;
};

struct TurnsVariant {
    std::size_t place = 0;  ///< in session.variants, above 0
    std::size_t rounds = 0; ///< in which both it and the reference were launched
    std::size_t failed = 0; ///< in which it gave no run
    /// In the order of the reference. A suite whose difference depends on the state of the machine has two in
    /// a row, the faster state first.
    std::vector<TurnsSuite> suites;
    std::vector<const Curve*> only_here;         ///< suites that the reference does not have
    [[nodiscard]] std::size_t open() const;      ///< statements
    [[nodiscard]] bool depends_on_state() const; ///< a difference does
    [[nodiscard]] bool found_any() const;        ///< a difference, also of lengths alone
    /// In each suite as a whole. @pre a race ends on that
    [[nodiscard]] bool slower_everywhere() const;
};

/// A look at a session.
struct TurnsLook {
    int number = 0;   ///< from 1; 0 = none yet
    int looks = 1;    ///< in all
    int rounds = 0;   ///< that are looked at
    double share = 1; ///< of the session's error that its statements have
};

struct Turns {
    const SessionLaunches* of = nullptr; ///< not null
    TurnsLook look;
    bool simulated = false;                         ///< all are: one round is enough
    std::vector<TurnsVariant> variants;             ///< all but the reference
    [[nodiscard]] std::size_t open() const;         ///< statements
    [[nodiscard]] std::size_t contradicted() const; ///< of these
    [[nodiscard]] std::size_t different() const;    ///< statements that found a difference
    [[nodiscard]] bool depends_on_state() const;    ///< a difference of a variant does
    [[nodiscard]] bool has_ranges() const;          ///< of any suite
    [[nodiscard]] bool found_any() const;           ///< a difference, also of lengths alone
    [[nodiscard]] bool open_in_tables() const;      ///< any statement
    /// After so many rounds all but what is contradicted or has a span would be decided
    /// (TurnsStatement::rounds_to_decide); none = that is not known of each, or nothing is open.
    [[nodiscard]] std::optional<std::size_t> rounds_to_decide() const;
};

/// Rounds that have all their launches, or their failures.
[[nodiscard]] int complete_rounds(const SessionLaunches& launches);

/// All looks at a session (rounds_of_looks()). Each has a share of the error in proportion to its rounds:
/// with few of them little can be decided, whatever the share. A fixed number of rounds is looked at once.
[[nodiscard]] std::vector<TurnsLook> looks_of(const Session& session);

/// The look that is due. Of a session that goes on it is the last one reached, since any further one would
/// have an error of its own. Of one that has ended it is that at its last round; where no look decided that
/// it ends, all error that is left is for this one.
[[nodiscard]] TurnsLook look_due(const SessionLaunches& launches);

/// Judges the first rounds of a session.
///
/// A round's difference is the median over a suite's arguments, weighted by argument_weights(), of the
/// logarithms of the variant's time by the reference's. Where one of the two has no value of its own at an
/// argument, but neighbours on both sides, it is interpolated; where more than half of the arguments lack a
/// partner, the round has no difference.
///
/// Where the times of a suite follow the state of the machine that its launches met, it is taken out: slopes
/// over the differences of probes and of core speeds whose estimates lie 3.5 standard errors from 0, each for
/// a degree of freedom. Rounds whose launches met two states, by their probes, are left out instead if the
/// interval of all arguments becomes shorter by 40 % (at all, where no slope counts). Between probes
/// of one state there is no slope, and the difference that they usually have is none: the probe is a call of
/// the library or setting. Where nothing says which probes are of one state, or one variant's is always the
/// slower one, the probe is not asked at all; likewise the speed of the cores where it always differs. From
/// launches_to_exclude rounds on outliers() are left out, too; if these are a tenth or more and lie on one
/// side against what the others say, it is open (TurnsStatement::contradicted).
///
/// Where the difference itself is another one in each of the two states that most pairs of launches met
/// (turns_by_state()), each of these is judged from its pairs alone (states_of()), with half of the suite's
/// error; those in a third state are left out (TurnsSuite::hardly_met).
///
/// The interval is Student's of the mean over rounds, with the variance of rounding to the clock's step.
/// Launches in a row may be alike for however long: since the order of each round is drawn anew, which
/// variant gains from that is independent from round to round (so no independent_launches()). Its error is
/// that of the look, in equal shares over variants and suites; half of a suite's is for all arguments, half
/// for the classes of lengths. A statement is equal where both one-sided tests of that error reject the
/// margin (Schuirmann 1987). Beside these statements each argument is compared in the same way, without
/// interpolation, with a further error of the look's share over all of them. Ranges are made of those that
/// differ by more than the margin where their class does not, or not in that direction, and of those whose
/// interval excludes the ratio of a class that differs, while their own lies outside of its interval by more
/// than the margin. Where a statement does not tell its lengths (TurnsStatement::span), ranges are made of
/// all in it that differ by more than the margin. Of simulations each round says the same: one is enough, and
/// the clock's step is the interval.
///
/// Pure: the same launches give the same findings.
[[nodiscard]] Turns judge_turns(const SessionLaunches& launches, const TurnsLook& look);

} // namespace skampi
