// SPDX-License-Identifier: LGPL-2.1-or-later
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
    TunedRegion region;
    std::int64_t first = 0; ///< length measured; 0 = there are no lengths
    std::int64_t last = 0;
};

/// A suite for each region that holds a whole element: its first length, that times 2, 4, ..., and its last
/// length. A region without an end goes on to 1 MiB, or two octaves. By operation, ascending lengths.
[[nodiscard]] std::vector<VerifySuite> verify_suites(std::vector<TunedRegion> regions);

[[nodiscard]] std::set<std::string> names_of(const std::vector<VerifySuite>& suites);

/// The parameter file of these suites.
[[nodiscard]] std::string verify_plan(const std::vector<VerifySuite>& suites);

} // namespace skampi
