// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "launches/comparable.hpp"
#include "launches/launch_design.hpp"
#include "launches/subject.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace skampi {

// Which of two sides is faster, where, by how much, how certain: one finding for two databases, the variants
// of a session, two suites of one run. docs/judging.md has the method and its figures.

/// How launches of two sides belong together: what their difference is computed from.
enum class Pairing {
    independent,   ///< two databases: means over the launches of each
    in_turns,      ///< variants of a session: launches of one round
    same_launches, ///< two suites measured in the same launches
};

/// The subject against the reference.
enum class Verdict { faster, slower, equal, open, not_comparable };

/// Why a verdict is open, or two sides are not comparable; in the order in which the reasons are looked for.
enum class Why {
    none,
    only_in_reference, ///< the subject has no such suite
    other_quantity,    ///< the suites measure two quantities (SuiteContest::comparability)
    no_values,         ///< one side has no time above zero there
    other_ranks,       ///< on different numbers of ranks
    other_start,       ///< one side in windows, the other between barriers
    shared_launches,   ///< launches are on both sides: they would be compared with themselves
    few_launches,      ///< fewer than launches_needed on one side
    machine_states,    ///< other software, and probes of two states: library or machine may be the cause
    no_scatter,        ///< neither scatter between the launches nor the clock's step is known
    outliers,          ///< a tenth of the launches or more are far away and contradict the others
    launches_in_a_row, ///< launches close in time are correlated, and too few to show how much
    scatter,           ///< the interval holds 1 and is wider than the margin
};

/// Classes of message lengths: the columns of the table that decides.
enum class MessageSize {
    small,  ///< to 1 KiB
    medium, ///< to 64 KiB
    large,
};
[[nodiscard]] MessageSize size_of_message(std::int64_t bytes);

/// Arguments that a statement is about.
struct Place {
    enum class Kind {
        whole, ///< all arguments together
        size,  ///< a class of message lengths
        range, ///< neighbours with one difference, unlike that of their class
        point,
    };
    Kind kind = Kind::whole;
    std::int64_t from = 0;
    std::int64_t to = 0;
    [[nodiscard]] bool holds(std::int64_t argument) const { return from <= argument && argument <= to; }
    [[nodiscard]] MessageSize size() const { return size_of_message(from); } ///< @pre kind is size
    bool operator==(const Place&) const = default;
};

/// Sides are equal if their ratio differs from 1 by at most this share.
constexpr double default_equal_margin = 0.02;
/// "No difference found" is an answer only where a quarter would have been detected; else nothing is known.
constexpr double widest_answer = 1.25;

constexpr double no_number = std::numeric_limits<double>::quiet_NaN();

/// What is found at a place. Ratios are times of the subject by times of the reference.
struct Statement {
    Place place;
    Verdict verdict = Verdict::open;
    Why why = Why::none;
    double ratio =
        no_number; ///< geometric mean over launches, at an equal state of the machine where that matters
    double low = no_number; ///< interval of the ratio; none where nothing is judged
    double high = no_number;
    double error = 0;               ///< of the interval: its share of the contest's error
    double as_measured = no_number; ///< the ratio, where `ratio` is that at an equal state of the machine
    double reference_s = no_number; ///< geometric mean over the reference's launches; for points only
    std::size_t reference = 0;      ///< launches used; for pairs both numbers are the pairs
    std::size_t subject = 0;
    std::size_t outliers = 0;               ///< launches or pairs far from these, left out
    std::optional<std::size_t> needed = {}; ///< launches or pairs that would decide it in 9 of 10 cases
    double spread = 0;         ///< standard deviation of a ratio of two launches, logarithms; 0 = unknown
    bool interpolated = false; ///< a point that one side did not measure, between its neighbours

    [[nodiscard]] bool judged() const { return low == low; }
    [[nodiscard]] bool different() const { return verdict == Verdict::faster || verdict == Verdict::slower; }
    [[nodiscard]] bool decided() const { return different() || verdict == Verdict::equal; }
    /// No difference was found, and a quarter would have been detected.
    [[nodiscard]] bool none_found() const {
        return judged() && !different() && low * widest_answer > 1 && high < widest_answer;
    }
    /// How far the interval lies from 1, as a logarithm; 0 = it holds 1.
    [[nodiscard]] double certain_effect() const;
};

/// One of two states of the machine between which the difference changes.
struct ContestState {
    bool slower = false;
    double probe_s = 0; ///< median
};

/// A suite on both sides.
struct SuiteContest {
    const Curve* reference = nullptr; ///< not null
    const Curve* subject = nullptr;   ///< null = the subject has no such suite
    Comparability comparability = {};
    Why why = Why::none;                    ///< why it cannot be judged at all
    std::optional<ContestState> state = {}; ///< in which its launches are compared; none = in any state
    bool in_answer = true;                  ///< false = a local operation, and there are others
    std::size_t arguments = 0;              ///< at which both sides have a time
    std::vector<Statement> statements = {}; ///< the whole, classes of lengths, ranges, points; each ascending

    [[nodiscard]] const Statement* whole() const; ///< null = nothing is compared
    [[nodiscard]] const Statement* of_size(MessageSize size) const;
    /// The class of lengths that an argument is in; where there are no classes, the whole. @pre compared
    [[nodiscard]] const Statement& around(std::int64_t argument) const;
    [[nodiscard]] std::vector<const Statement*> of_kind(Place::Kind kind) const;
    [[nodiscard]] const Statement* point(std::int64_t argument) const;
    /// The verdict on the whole; faster or slower also where only classes or ranges differ, all in one
    /// direction; open where they contradict one another.
    [[nodiscard]] Verdict verdict() const;
    /// The statement with the largest certain effect, without points; null = nothing differs.
    [[nodiscard]] const Statement* largest() const;
    [[nodiscard]] bool compared() const { return !statements.empty(); }
};

/// What limits a contest or makes it doubtful, in the order of its weight.
enum class ContestDoubtKind {
    shared_launches, ///< launches are on both sides: nothing is judged
    ranks_differ,    ///< the sides ran on different numbers of ranks
    in_a_row,        ///< launches of a side were made one after the other
    states_apart,    ///< the sides met two states of the machine, by their probes
    state_counts,    ///< measured differences that vanish at an equal state of the machine
    plans_differ,
    only_in_reference, ///< suites
    only_in_subject,
    other_quantity,       ///< suites that measure two quantities
    computed_differently, ///< suites whose values are formed in two ways
    other_start,          ///< points measured in windows on one side, between barriers on the other
    clocks_differ,        ///< core clocks, by more than 5 %
    throughputs_differ,   ///< additions per cycle: other work used the cores of one side
    probes_differ,        ///< by more than 5 %, within one state
    unknown_fields,       ///< suites for which one side lacks a field that matters
    times_unknown,        ///< launches of unknown time count as independent
};

/// A doubt with its figures; those that do not belong to it are empty.
struct ContestDoubt {
    ContestDoubtKind kind = ContestDoubtKind::plans_differ;
    double reference = 0; ///< ranks, probe or length of time in seconds, clock in Hz; 0 = not known
    double subject = 0;
    std::size_t suites = 0;
    std::size_t points = 0;
    std::vector<FieldDifference> fields = {}; ///< that these suites differ in
    std::vector<std::string> names = {};      ///< titles of suites, names of fields, labels of sides
};

/// Requirements for a contest.
struct ContestRule {
    double error = 0.05;                  ///< the probability of any false difference in it
    double margin = default_equal_margin; ///< equal within this share
};

/// Two sides.
struct Contest {
    Pairing pairing = Pairing::independent;
    ContestRule rule = {};
    const Subject* reference = nullptr;             ///< not null
    const Subject* subject = nullptr;               ///< not null
    std::vector<SuiteContest> suites = {};          ///< in the order of the reference; one for each state
    std::vector<const Curve*> only_in_subject = {}; ///< suites
    std::size_t shared_launches = 0;                ///< that are on both sides
    LaunchDesign design = {};
    bool simulated = false;   ///< both sides are: their launches do not differ
    std::size_t launches = 0; ///< used by the statement with most, on the side with fewer
    std::vector<ContestDoubt> doubts = {};

    /// Suites of the answer, by verdict.
    [[nodiscard]] std::vector<const SuiteContest*> with(Verdict verdict) const;
    /// For suites in the answer, one statement for each that differs, the largest certain effect first.
    [[nodiscard]] std::vector<std::pair<const SuiteContest*, const Statement*>> effects() const;
    [[nodiscard]] bool any_judged() const;
};

/// Contests against one reference in the order of their largest certain effects, outliers first.
[[nodiscard]] std::vector<const Contest*> largest_effect_first(std::span<const Contest> contests);
/// With more of them a report has one table of all in place of one for each.
inline constexpr std::size_t most_contests_in_full = 2;

} // namespace skampi
