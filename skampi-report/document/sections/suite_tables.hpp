// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "analysis/models/cost_model.hpp"
#include "analysis/models/jump_cause.hpp"
#include "document/model.hpp"
#include "launches/subject.hpp"

#include <cstddef>
#include <vector>

namespace skampi {

/// How much of a nonblocking operation the computation hid, at most a dozen arguments.
[[nodiscard]] Table overlap_table(const Curve& curve);
/// The pieces of a cost model, a row for each.
[[nodiscard]] Table model_table(const Curve& curve, const CostModel& model);
/// Where a curve jumps, by how much, in how many launches, and why if there is evidence.
[[nodiscard]] Table jumps_table(const Curve& curve, const CostModel& model, const JumpCauses& causes);

/// The values of a suite, a row for each argument; powers of two, the ends and both sides of jumps are the
/// most important. Time, its error, bandwidth, time in another state, adjusted time and letters of the flags
/// (flag_legend()): these columns may be empty. Arguments are exact: in bytes throughout where binary units cannot say one of them.
[[nodiscard]] Table values_table(const Curve& curve, const std::vector<CostJump>& jumps = {});

} // namespace skampi
