// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "contest/contest.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace skampi {

/// A condition under which a comparison fails (--fail-if): for acceptance tests and continuous integration.
///
///     [SUITES] > 1.1                   slower by more than 10 %
///     [SUITES] significantly slower    slower at all
///
/// likewise with < and faster; "significantly" before a sign changes nothing. SUITES is a name or a pattern;
/// without it all suites count except local operations such as memcpy (unless there are no others): these say
/// nothing about message passing. A ratio is the time of the other database divided by that of the baseline
/// (or of the first).
///
/// A gate is a test of non-inferiority, on a suite as a whole, its classes of message lengths, and ranges
/// that differ from their class: it fails where an interval lies beyond the limit, passes where all intervals
/// lie within it, and is open otherwise. No interval can exclude every difference: a gate on any difference
/// passes where one of `margin` is excluded.
struct Gate {
    std::string text;   ///< as it was given
    std::string suites; ///< a glob; empty = all
    bool above = true;  ///< fails above the limit, else below it
    double limit = 1;
    double margin = 1; ///< what must be excluded to pass: the limit, or default_margin for any difference
    [[nodiscard]] bool beyond(double ratio) const { return above ? ratio > limit : ratio < limit; }
};

/// A gate on any difference passes where one of a tenth is excluded.
constexpr double default_margin = 1.1;

/// @throws InputError naming the text and what was expected
[[nodiscard]] Gate parse_gate(const std::string& text);

enum class GateOutcome {
    passed,
    failed, ///< at a range, or as a whole
    open,   ///< not failed, but not known to be within the limit: no success either
};

/// A gate's result for a statement.
struct GateFinding {
    const Statement* statement = nullptr; ///< not null
    GateOutcome outcome = GateOutcome::open;
    std::optional<std::size_t> launches = {}; ///< if open: so many of each side would decide it
    /// The greatest ratio (for a gate below its limit, the least) that is not excluded; none = not judged.
    std::optional<double> not_excluded = {};
};

/// The result of one gate for one suite in one contest.
struct GateResult {
    const Gate* gate = nullptr;
    const Contest* contest = nullptr;
    const SuiteContest* suite = nullptr;
    std::vector<GateFinding> findings = {};
    std::size_t wanted = 0; ///< arguments at which the reference has a time
    std::size_t there = 0;  ///< of these, arguments at which the other side has one of the same quantity
    [[nodiscard]] GateOutcome outcome() const;
    [[nodiscard]] bool passed() const { return outcome() == GateOutcome::passed; }
    /// The finding that decides: if failed, the farthest beyond the limit; if open, the one that takes most
    /// launches; if passed, the nearest to the limit; null where there is none.
    [[nodiscard]] const GateFinding* decisive() const;
    [[nodiscard]] Why why() const; ///< if open
};

/// Checks all gates, in their order, on the references' suites that have a time.
/// @param gates,contests the results point into them
/// @throws InputError when a gate selects no suite of any contest, and when both sides of one share launches,
/// which would be compared with themselves
[[nodiscard]] std::vector<GateResult> check_gates(const std::vector<Gate>& gates,
                                                  const std::vector<Contest>& contests);

} // namespace skampi
