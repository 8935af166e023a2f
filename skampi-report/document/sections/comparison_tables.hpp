#pragma once

#include "analysis/comparison/database_comparison.hpp"
#include "document/model.hpp"

#include <cstddef>
#include <limits>
#include <string>
#include <vector>

namespace skampi {

/// Some arguments of two curves side by side.
[[nodiscard]] Table points_table(const Curve& curve, const CurveComparison& comparison,
                                 const std::string& first, const std::string& second);

/// The table that decides: a row for each suite of the verdict, with small, medium and large messages and all
/// arguments together: "+5.2 %" or "2.30 times" where the other takes significantly longer, "-4.9 %" where it
/// takes less, "none (4.1 %)" where no difference was found and 4.1 % would have been, "open" where nothing
/// was judged. No rows where nothing is compared.
/// @param most_rows of more suites those with differences come before others
[[nodiscard]] Table winners_table(const DatabaseComparison& comparison,
                                  std::size_t most_rows = std::numeric_limits<std::size_t>::max());

/// Facts, settings and states in which the two differ, side by side; no rows where nothing is known to.
[[nodiscard]] Table differences_table(const DatabaseComparison& comparison);

/// The suites with their ratios.
[[nodiscard]] Table suites_table(const DatabaseComparison& comparison);

/// Leaves the suites that differ, and of the others those whose ratios are farthest from 1, in their order.
void leave_most_remarkable(std::vector<const DatabaseComparison::Suite*>& suites, std::size_t most);

} // namespace skampi
