// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "analysis/models/growth_model.hpp"
#include "analysis/models/jump_cause.hpp"
#include "analysis/trust/doubt.hpp"
#include "analysis/trust/headline.hpp"
#include "analysis/trust/value_error.hpp"
#include "contest/contest.hpp"
#include "contest/contract.hpp"
#include "contest/guideline.hpp"

#include <string_view>

namespace skampi {

// Names of the enumerators of findings in JSON: those of the code. docs/data-formats.md lists them.

[[nodiscard]] std::string_view to_text(Comparable);
[[nodiscard]] std::string_view to_text(MessageSize);
[[nodiscard]] std::string_view to_text(Verdict);
[[nodiscard]] std::string_view to_text(Why);
[[nodiscard]] std::string_view to_text(Place::Kind);
[[nodiscard]] std::string_view to_text(ContestDoubtKind);
[[nodiscard]] std::string_view to_text(PromisedQuantity);
[[nodiscard]] std::string_view to_text(NotMeasured);
[[nodiscard]] std::string_view to_text(GuidelineKind);
[[nodiscard]] std::string_view to_text(TermLength);
[[nodiscard]] std::string_view to_text(ErrorSource);
[[nodiscard]] std::string_view to_text(CauseKind);
[[nodiscard]] std::string_view to_text(HeadlineKind);
[[nodiscard]] std::string_view to_text(ErrorKind);
[[nodiscard]] std::string_view to_text(DoubtKind);
[[nodiscard]] std::string_view to_text(Settled);
/// "s", "B/s", "B"
[[nodiscard]] std::string_view to_text(HeadlineUnit);
/// As formulas: "p log2 p", "p and ceil(log2 p)".
[[nodiscard]] std::string_view to_text(Growth);
[[nodiscard]] std::string_view to_text(GrowthForm);

} // namespace skampi
