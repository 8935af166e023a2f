// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "contest/contest.hpp"
#include "launches/session_launches.hpp"

#include <cstddef>
#include <optional>
#include <vector>

namespace skampi {

// Which variant of a session is faster, from launches in turns: what a round shares affects both launches of
// a pair and cancels in their ratio.

/// A look at a session.
struct SessionLook {
    int number = 0;   ///< from 1; 0 = none yet
    int looks = 1;    ///< in all
    int rounds = 0;   ///< that it uses
    double share = 1; ///< its statements' share of the session's error
};

/// All arguments, or a class of lengths: what a session must decide.
[[nodiscard]] bool is_asked(const Statement& statement);

/// A variant against the reference.
struct VariantContest {
    std::size_t place = 0;  ///< in session.variants, above 0
    std::size_t rounds = 0; ///< in which both it and the reference were launched
    std::size_t failed = 0; ///< in which it gave no run
    Contest contest =
        {}; ///< two for a suite whose difference depends on the machine's state, the faster first
    [[nodiscard]] std::size_t open() const; ///< about all arguments, or a class of lengths
    [[nodiscard]] bool found_any() const;   ///< a difference, also at single lengths
    /// In each suite as a whole. A race ends on that.
    [[nodiscard]] bool slower_everywhere() const;
};

struct SessionContest {
    const SessionLaunches* of = nullptr; ///< not null
    SessionLook look = {};
    bool simulated = false;                    ///< all are: one round is enough
    std::vector<VariantContest> variants = {}; ///< all but the reference
    [[nodiscard]] std::size_t open() const;
    [[nodiscard]] bool found_any() const;
    /// The rounds after which all would be decided, except what outliers contradict; none = not known for
    /// each, or nothing is open.
    [[nodiscard]] std::optional<std::size_t> rounds_to_decide() const;
};

/// Rounds in which each launch was made or failed.
[[nodiscard]] int complete_rounds(const SessionLaunches& launches);

/// All looks at a session (rounds_of_looks()). Each has a share of the error in proportion to its rounds: few
/// of them decide little, even with a large share. A fixed number has one look.
[[nodiscard]] std::vector<SessionLook> looks_of(const Session& session);

/// The look that is due. While a session goes on, the last one reached, since any other would have its own
/// error. When it has ended, the one at its last round; unless a look ended it, this one has all remaining
/// error.
[[nodiscard]] SessionLook look_due(const SessionLaunches& launches);

/// Judges the first rounds of a session, all its variants together. Pure: the same launches give the same
/// findings.
[[nodiscard]] SessionContest judge_session(const SessionLaunches& launches, const SessionLook& look);

} // namespace skampi
