#pragma once

#include "contest/contest.hpp"
#include "launches/session_launches.hpp"

#include <cstddef>
#include <optional>
#include <vector>

namespace skampi {

// Which variant of a session is faster, from launches in turns: what a round shares, whatever it is, is in
// both launches of a pair and falls out of their ratio.

/// A look at a session.
struct SessionLook {
    int number = 0;   ///< from 1; 0 = none yet
    int looks = 1;    ///< in all
    int rounds = 0;   ///< that are looked at
    double share = 1; ///< of the session's error that its statements have
};

/// Of all arguments, or of a class of lengths: what a session is to decide.
[[nodiscard]] bool is_asked(const Statement& statement);

/// A variant against the reference.
struct VariantContest {
    std::size_t place = 0;  ///< in session.variants, above 0
    std::size_t rounds = 0; ///< in which both it and the reference were launched
    std::size_t failed = 0; ///< in which it gave no run
    Contest contest =
        {}; ///< of a suite whose difference depends on the machine's state two, the faster first
    [[nodiscard]] std::size_t open() const; ///< statements on all arguments, or on a class of lengths
    [[nodiscard]] bool found_any() const;   ///< a difference, also of single lengths
    /// In each suite as a whole. @pre a race ends on that
    [[nodiscard]] bool slower_everywhere() const;
};

struct SessionContest {
    const SessionLaunches* of = nullptr; ///< not null
    SessionLook look = {};
    bool simulated = false;                    ///< all are: one round is enough
    std::vector<VariantContest> variants = {}; ///< all but the reference
    [[nodiscard]] std::size_t open() const;
    [[nodiscard]] bool found_any() const;
    /// After so many rounds all but what outliers contradict would be decided; none = it is not known of
    /// each, or nothing is open.
    [[nodiscard]] std::optional<std::size_t> rounds_to_decide() const;
};

/// Rounds that have all their launches, or their failures.
[[nodiscard]] int complete_rounds(const SessionLaunches& launches);

/// All looks at a session (rounds_of_looks()). Each has a share of the error in proportion to its rounds:
/// with few of them little can be decided, whatever the share. A fixed number of rounds is looked at once.
[[nodiscard]] std::vector<SessionLook> looks_of(const Session& session);

/// The look that is due. Of a session that goes on it is the last one reached, since any further one would
/// have an error of its own. Of one that has ended it is that at its last round; where no look decided that
/// it ends, all error that is left is for this one.
[[nodiscard]] SessionLook look_due(const SessionLaunches& launches);

/// Judges the first rounds of a session, all its variants together. Pure: the same launches give the same
/// findings.
[[nodiscard]] SessionContest judge_session(const SessionLaunches& launches, const SessionLook& look);

} // namespace skampi
