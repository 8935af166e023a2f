#pragma once

#include "verify/tuning_use.hpp"

#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace skampi {

/// Lengths that are measured with and without a tuning file.
struct VerifySuite {
    std::string name;
    /// What the suite speaks of: the lengths of a rule, or, of a control, those between two rules.
    TunedRegion region;
    /// The file has no rule there: a difference is not that of a rule.
    bool control = false;
    std::int64_t first = 0; ///< length measured; 0 = there are no lengths
    std::int64_t last = 0;
    double factor = 2; ///< from one length to the next
    double time_s = 5; ///< limit, in each launch
};

/// A suite for each region of a file, dense, with lengths that a tuner hardly used, but for the shortest: an
/// offset is drawn from the seed, and the steps are no fractions of an octave. And a few lengths below,
/// between and above the regions of an operation, where there are any, kept clear of their borders: the
/// control. By operation, ascending lengths.
[[nodiscard]] std::vector<VerifySuite> verify_suites(const TuningUse& use, std::int64_t seed);

/// The names of those that decide: without controls, whose lengths are rarely known to be equal.
[[nodiscard]] std::set<std::string> suites_of_rules(const std::vector<VerifySuite>& suites);

/// The parameter file of these suites.
[[nodiscard]] std::string verify_plan(const std::vector<VerifySuite>& suites);

/// For a file a seed of its own, so that the same command makes the same plan and goes on.
[[nodiscard]] std::int64_t seed_of(const TuningUse& use);

} // namespace skampi
