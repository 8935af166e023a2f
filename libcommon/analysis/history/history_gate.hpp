#pragma once

#include "contest/gate.hpp"
#include "analysis/history/history.hpp"

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace skampi {

/// Which runs are new since a gate looked last.
struct NewRuns {
    std::size_t last = 1; ///< this many, ...
    std::optional<double> since_s =
        {}; ///< ... or, if given, those that began then or later, in seconds since 1970
};

/// What a gate on a history has to say of a line.
struct HistoryGateFinding {
    enum class Kind {
        step,           ///< it fails: a step was found with a new run
        explained,      ///< such a step, but the machine explains it
        too_few_runs,   ///< of the series: no step is looked for in any of its lines
        too_few_values, ///< of the line
    };
    Kind kind = Kind::step;
    std::string gate = {}; ///< its text
    std::string series = {};
    std::string line = {};   ///< empty = all of the series
    std::size_t runs = 0;    ///< too few: how many there are
    std::string before = {}; ///< step: the values as texts
    std::string after = {};
    double ratio = 1;         ///< by which the step makes the operation take longer
    double machine_ratio = 1; ///< explained: by which the machine became slower
    std::string since_utc = {};
    const HistoryEvent* event = nullptr; ///< the step's, in the history; null = not known
    [[nodiscard]] bool fails() const { return kind == Kind::step; }
};

/// Gates on the new runs: a gate fails for each line in which a step is found with one of them, though with
/// none before: each step is reported once, and that it was follows from the runs alone. `[SUITES] > 1.1`
/// means the ratio of times behind and before, `significantly slower` its direction (every step is
/// significant). Steps that the machine explains and lines with too few runs make no gate fail.
///
/// The last N runs are those of the series with the newest run; of other series those that began since then,
/// give or take half the usual time between runs.
/// @throws InputError when a gate means no suite
[[nodiscard]] std::vector<HistoryGateFinding> check_history(const History& history,
                                                            std::span<const Gate> gates, const NewRuns& runs);

} // namespace skampi
