// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "analysis/trust/trust.hpp"
#include "launches/shared_cores.hpp"
#include "launches/subject.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace skampi {

/// What makes the values of a run doubtful.
enum class DoubtKind {
    // the run as a whole
    shared_cores, ///< more ranks (count) than cores (of): the scheduler's times
    /// More ranks (count) than cores (of), but not than hardware threads: they slow one another.
    shared_threads,
    one_rank,    ///< no message of it goes to another rank
    interrupted, ///< its measurements were interrupted or still go on
    merged_by_force,
    suites_failed,
    suites_put_off,
    suites_open,
    // some of its values
    wrong_result,
    no_value,
    not_in_state,      ///< without a value, because no launch that has one was in the machine state shown
    not_above_zero,    ///< below what can be measured
    unreliable,        ///< too short for what measuring it costs
    overhead_in_doubt, ///< long enough, but what is subtracted was disturbed
    disturbed,
    several_states, ///< of the machine
    between_barriers,
    not_repeatable, ///< of those with a value: within a run, a limit came before the error asked for
    one_launch,     ///< the value rests on one of several launches
    few_launches,   ///< or on two to four of five or more
    launches_apart, ///< the launches behind the value lie far apart
    // how far its values are known between launches
    unsettled, ///< of those whose error between launches is known: it is above what was asked for
    // some of the launches, which are left out
    other_state, ///< of the machine
    other_start, ///< between barriers instead of in windows, or the other way round
    lost_core,   ///< at some arguments or all a rank waited for a core
    /// Values of single launches: other work disturbed most, and the values shown rest on the others.
    launches_disturbed,
    // all of its values
    only_one_launch,
    no_interval, ///< too few launches for an interval
};

struct Doubt {
    DoubtKind kind = DoubtKind::interrupted;
    std::int64_t count = 0; ///< suites, values or launches that it concerns; 0 = it has no number
    std::int64_t of = 0;    ///< of so many
    bool operator==(const Doubt&) const = default;
};

/// What else worked on the cores of the ranks where no rank lost its core.
enum class Neighbours {
    none,      ///< ranks lost their cores, or hardly anything was there
    processes, ///< of the same host, on other hardware threads of the cores
    machines   ///< other virtual machines of the host
};
/// At least half of the batches of a run had them, and at most one in twenty was interrupted.
[[nodiscard]] Neighbours neighbours_of(const Run& run);

/// What makes all values of a run doubtful: that its ranks share cores or it has one only,
/// that it was interrupted, was merged by force, or has suites that failed or are open.
[[nodiscard]] std::vector<Doubt> run_doubts(const Subject& subject);

/// All doubts about the values of a subject; begins with run_doubts().
/// @param launches whether too few of them, and the error between them, are doubts
[[nodiscard]] std::vector<Doubt> doubts(const Subject& subject, const Trust& trust, bool launches);

/// In the order of how much they say about how far the values can be trusted: by their weight times the share
/// of values, suites or launches that they concern.
[[nodiscard]] std::vector<Doubt> gravest_first(std::vector<Doubt> doubts);
/// The first of these; none of none.
[[nodiscard]] std::optional<Doubt> gravest(const std::vector<Doubt>& doubts);

} // namespace skampi
