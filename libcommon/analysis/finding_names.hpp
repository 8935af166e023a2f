#pragma once

#include "analysis/comparable.hpp"
#include "analysis/comparison.hpp"
#include "analysis/database_comparison.hpp"
#include "analysis/growth_model.hpp"
#include "analysis/guideline.hpp"
#include "analysis/jump_cause.hpp"

#include <string_view>

namespace skampi {

// Names of the enumerators of findings in JSON: those of the code. docs/data-formats.md lists them.

[[nodiscard]] std::string_view to_text(Comparable);
[[nodiscard]] std::string_view to_text(Unjudged);
[[nodiscard]] std::string_view to_text(Outcome);
[[nodiscard]] std::string_view to_text(Effect::Where);
[[nodiscard]] std::string_view to_text(MessageSize);
[[nodiscard]] std::string_view to_text(VerdictKind);
[[nodiscard]] std::string_view to_text(ComparisonDoubtKind);
[[nodiscard]] std::string_view to_text(GuidelineKind);
[[nodiscard]] std::string_view to_text(TermLength);
[[nodiscard]] std::string_view to_text(ErrorSource);
[[nodiscard]] std::string_view to_text(CauseKind);
/// As formulas: "p log2 p", "p and ceil(log2 p)".
[[nodiscard]] std::string_view to_text(Growth);
[[nodiscard]] std::string_view to_text(GrowthForm);

} // namespace skampi
