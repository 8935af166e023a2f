#pragma once

#include "analysis/subject/common_modes.hpp"

namespace skampi {

/// Two curves of one machine and one software, with the launches of both chosen by one rule.
///
/// Each file was merged by itself: where the probes of one show two states and those of the other three, or
/// where one has enough undisturbed launches to leave the others out, the values shown rest on unlike choices
/// of alike launches, and differ (docs/decisions/launches-in-a-row.md). Here the states are those of the
/// probes of all launches (state_bounds()), and in a state doubtful values, else those beside a raised probe,
/// are left out on both sides or on neither, as enough_without() says of both. It is the state in which the
/// sides with fewer launches have most of them, over all arguments together; where a side did not meet it,
/// the next such one. Arguments at which the choice is the one shown stay as they are.
///
/// in_common_modes() where a launch has no probe.
[[nodiscard]] InCommonModes in_common_launches(const Curve& first, const Curve& second);

} // namespace skampi
