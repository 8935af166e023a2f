// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "contest/statement.hpp"
#include "launches/subject.hpp"
#include "tuning/algorithm_effect.hpp"
#include "tuning/rule.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace skampi {

// Which algorithm of an operation is the fastest at which message lengths, from launches that measured all of
// them in turns. What is common to a launch affects all its algorithms, and cancels in their ratio to the
// default of the same launch; launches are the unit of every claim.

/// What launches measured of one algorithm.
struct AlgorithmTimes {
    std::string word; ///< empty = the library's own choice
    int number = 0;
    std::string layer;                  ///< that reads the choice (TuningRule::layer); of the default empty
    std::vector<LaunchValues> launches; ///< of each launch of the group: message length -> seconds
};

/// An operation with its algorithms on one number of ranks.
struct AlgorithmGroup {
    std::string operation;
    int ranks = 0;
    bool simulated = false;              ///< one launch is enough
    std::size_t launches = 0;            ///< with values
    std::size_t disturbed = 0;           ///< launches where other work on the cores disturbed most values
    std::vector<AlgorithmTimes> members; ///< the first is the default
};

/// Requirements for a rule.
struct WinnerRule {
    double gain = 0.05;  ///< smallest, as a share
    double error = 0.05; ///< of all statements of a group together: the probability of any false one
};

/// A message length and the fastest algorithm there.
struct WinnerPoint {
    std::int64_t bytes = 0;
    /// For each member, the mean over launches of log(its time / the default's); none = not measured there.
    std::vector<std::optional<AgainstDefault>> members;
    std::size_t best = 0;   ///< the member of the smallest mean
    std::size_t chosen = 0; ///< the member whose region it is in
};

/// A range of measured lengths with one choice.
struct WinnerRegion {
    std::size_t first = 0; ///< numbers of points
    std::size_t last = 0;
    std::size_t member = 0; ///< that was chosen; 0 = the default
    /// That the rule covers: up to the measured lengths, and between two regions that hold up to the other's.
    std::int64_t bytes_low = 0;
    std::int64_t bytes_high = 0;
    std::int64_t from_low = 0; ///< the neighbouring measured length below; 0 = none
    /// The fastest algorithm in it, also where the default is kept.
    std::size_t candidate = 0;
    Statement statement = {};      ///< of the candidate against the default
    WhyNot why_not = WhyNot::none; ///< none = a rule
    /// Members that cannot be distinguished from the candidate at any length of a rule.
    std::vector<std::size_t> as_fast = {};

    /// Time of the default / time of the candidate - 1.
    [[nodiscard]] double gain() const { return 1 / statement.ratio - 1; }
};

/// Two neighbouring lengths of two regions are so different that a length between them is worth measuring.
struct OpenBorder {
    std::int64_t bytes = 0; ///< to be measured
    std::size_t below = 0;  ///< members
    std::size_t above = 0;
    /// To be measured there with the default: these two, and those close to the fastest on either side,
    /// because their time may jump in between.
    std::vector<std::size_t> members;
};

struct AlgorithmWinners {
    const AlgorithmGroup* of = nullptr; ///< not null
    std::vector<WinnerPoint> points;    ///< ascending
    std::vector<WinnerRegion> regions;  ///< of all points, ascending
    std::vector<OpenBorder> open_borders;
    /// One algorithm for all measured lengths that is slower nowhere; member 0 and the reason where there is
    /// none.
    WinnerRegion for_all;
    std::vector<DefaultIs> default_is;
    std::vector<AlgorithmEffect> effects;     ///< of each member
    [[nodiscard]] bool keeps_default() const; ///< no region has a rule
};

/// Pure: the same values give the same findings.
///
/// A launch's time at a length that it did not measure lies on the line between its neighbours, in
/// logarithms, where these are within about an octave; an algorithm that no launch measured there never
/// counts as the fastest. A length counts where half of the launches have a time. At each length the fastest
/// has the smallest mean ratio; the default wins where that gain is too small. Regions are found over all
/// lengths together: the least loss against the fastest, where each border costs something, so that
/// algorithms that take turns within their noise are one region. A region shorter than an octave joins the
/// default unless its gain is more than four times what is asked for; simulations have no noise and keep it.
///
/// A region's gain is the mean over launches of the median over its lengths (weighted by the octaves they
/// stand for); its interval is Student's, with an equal share of the error for each algorithm at each length.
[[nodiscard]] AlgorithmWinners judge_algorithms(const AlgorithmGroup& group, const WinnerRule& rule = {});

/// The rules of several groups: a rule of each region, ascending operation, ranks, bytes. Between two numbers
/// of ranks of one operation that were measured one after the other a rule holds, too, where both have the
/// same algorithm.
[[nodiscard]] std::vector<TuningRule> tuning_rules(const std::vector<AlgorithmWinners>& winners);
/// The same, where only one algorithm per operation can be chosen: for all lengths, also those that were not
/// measured.
[[nodiscard]] std::vector<TuningRule> rules_for_all_lengths(const std::vector<AlgorithmWinners>& winners);

} // namespace skampi
