#pragma once

#include "analysis/models/jump_cause.hpp"
#include "analysis/subject/subject.hpp"
#include "document/model.hpp"

#include <optional>
#include <string>

namespace skampi {

/// One suite in full: introduction, plot, the facts of the paper's appendix B, cost model, flags, modes, node
/// times. For curves that can be drawn.
/// @param subject that has it  @param figure_id of its plot
[[nodiscard]] Section suite_section(const Subject& subject, const Curve& curve, const std::string& figure_id,
                                    const JumpCauses& causes);

} // namespace skampi
