#pragma once

namespace skampi {

/// Fact of a run that was merged by force: the differences for which the merge would have been refused.
inline constexpr const char* fact_merged_by_force = "merged by force although";

} // namespace skampi
