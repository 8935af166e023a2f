// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "analysis/history/history.hpp"
#include "base/utc.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace skampi {

/// Which runs are new since a gate looked last.
struct NewRuns {
    std::size_t last = 1; ///< this many, ...
    std::optional<double> since_s =
        {}; ///< ... or, if given, those that began then or later, in seconds since 1970
};

/// What a condition says of a history.
struct HistoryFinding {
    enum class Kind {
        step,         ///< it was found with a new run
        too_few_runs, ///< no step is looked for in lines that a new run has
        too_old,      ///< the newest run
    };
    Kind kind = Kind::step;
    std::string condition = {};            ///< its text
    bool fails = true;                     ///< else it is a warning
    const HistorySeries* series = nullptr; ///< null = too old
    const HistoryLine* line = nullptr;     ///< of lines with too few runs the first
    std::size_t lines = 1;                 ///< that have too few
    const ChangePoint* step = nullptr;
    const HistoryEvent* event = nullptr; ///< the step's
    double age_s = 0;                    ///< too old
};

/// Conditions on the new runs (--fail-if). A gate (contest/gate.hpp) fails for each step beyond its limit
/// that is found with a new run, though with none before: each step is reported once, and that it was follows
/// from the runs alone. Lines of too few runs are a warning, unless that is a condition:
///
///     too few runs       new runs have lines of fewer than least_for_a_step
///     older than 26h     the newest run began longer ago (min, h, d)
///
/// The last N runs are those of the series with the newest run; of other series those that began behind the
/// run before these.
/// @throws InputError when a condition is none, or means no suite
[[nodiscard]] std::vector<HistoryFinding> check_history(const History& history,
                                                        const std::vector<std::string>& conditions,
                                                        const NewRuns& runs, double now_s = utc_now_s());

} // namespace skampi
