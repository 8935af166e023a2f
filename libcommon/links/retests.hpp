// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "links/link_findings.hpp"
#include "links/pair_steps.hpp"

#include <cstdint>
#include <vector>

namespace skampi {

/// The pairs to measure again, at most two for each member and some: the slowest pairs, pairs of slow nodes
/// with partners that are not slow, and of each class a few that are not slow, with which to compare.
[[nodiscard]] std::vector<MemberPair> pairs_to_retest(const LengthFinding& finding, std::int64_t seed);

} // namespace skampi
