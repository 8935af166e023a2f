#pragma once

#include "analysis/database_comparison.hpp"

#include <string>
#include <vector>

namespace skampi {

/// A condition under which a comparison fails (--fail-if): for acceptance tests and continuous integration.
///
///     [SUITES] > 1.1                   the ratio at some argument is above 1.1
///     [SUITES] significantly > 1.1     its whole interval over the launches is
///     [SUITES] significantly slower    the same as significantly > 1
///
/// likewise with < and faster. SUITES is a name or a pattern; without it all suites are meant but local
/// operations such as memcpy (unless there are no others): these say nothing of message passing. A ratio is
/// the time of the other database by that of the baseline (or of the first). On significance a gate looks at
/// the arguments and, of each suite, at all of them together, which finds a shift that no argument shows; of
/// comparisons of equals at most 5 % fail.
struct Gate {
    std::string text;   ///< as it was given
    std::string suites; ///< a glob; empty = all
    bool above = true;  ///< fails above the limit, else below it
    double limit = 1;
    bool significantly = false;
};

/// @throws InputError naming the text and what was expected
[[nodiscard]] Gate parse_gate(const std::string& text);

enum class GateOutcome {
    passed,
    failed, ///< at some argument, or all together
    open,   ///< nothing failed, but at some argument nothing is known: this is no success either
};

/// What one gate says of one suite in one comparison.
struct GateResult {
    const Gate* gate = nullptr;
    const DatabaseComparison* comparison = nullptr;
    const Curve* reference = nullptr;
    const DatabaseComparison::Suite* suite = nullptr; ///< none: the other side has nothing of it
    std::vector<const PointComparison*> failed;       ///< ascending argument
    bool failed_as_a_whole = false; ///< so do all arguments together; only where significance is asked for
    std::size_t wanted = 0;         ///< arguments at which the reference has a time
    std::size_t checked = 0;        ///< of these, arguments the gate could say something of
    /// At some argument nothing is known: the other side has no time there, or one of another quantity, or
    /// the condition asks for significance and the point is not judged. This is no success.
    [[nodiscard]] bool open() const { return checked == 0 || checked < wanted; }
    [[nodiscard]] GateOutcome outcome() const;
    [[nodiscard]] bool passed() const { return outcome() == GateOutcome::passed; }
    /// Why nothing is known where the other side has a time.
    [[nodiscard]] UnjudgedCounts unknown() const;
};

/// Whether the gate can say something of a point: of significance where it is judged, else where the two
/// measure one quantity.
[[nodiscard]] bool knows(const Gate& gate, const PointComparison& point);

/// Checks all gates, in their order, on the references' suites that have a time.
/// @param gates,comparisons the results point into them
/// @throws InputError when a gate means no suite of any comparison; when it speaks of significance and both
/// sides of a comparison hold launches in common; and when these are all that both hold, which passes any
/// gate
[[nodiscard]] std::vector<GateResult> check_gates(const std::vector<Gate>& gates,
                                                  const std::vector<DatabaseComparison>& comparisons);

} // namespace skampi
