#pragma once

#include "analysis/subject.hpp"
#include "analysis/trust.hpp"

#include <cstdint>
#include <vector>

namespace skampi {

/// What makes the values of a run doubtful.
enum class DoubtKind {
    // the run as a whole
    interrupted, ///< its measurements were interrupted or still go on
    merged_by_force,
    suites_failed,
    suites_put_off,
    suites_open,
    // some of its values
    wrong_result,
    no_value,
    not_above_zero, ///< below what can be measured
    unreliable,
    disturbed,
    several_states, ///< of the machine
    between_barriers,
    not_settled,    ///< of those with a value
    one_launch,     ///< the value rests on one of several launches
    few_launches,   ///< or on two to four of five or more
    launches_apart, ///< the launches behind the value lie far apart
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

/// What makes a run doubtful whatever value of it is shown: that it was interrupted, was merged by force, or
/// has suites that failed or are open.
[[nodiscard]] std::vector<Doubt> run_doubts(const Subject& subject);

/// All doubts about the values of a subject, the gravest first; begins with run_doubts().
/// @param launches whether too few of them are a doubt
[[nodiscard]] std::vector<Doubt> doubts(const Subject& subject, const Trust& trust, bool launches);

} // namespace skampi
