// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "analysis/models/growth_model.hpp"
#include "analysis/models/jump_cause.hpp"
#include "analysis/models/rank_study.hpp"
#include "model/quantity.hpp"
#include "words/text_and_command.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace skampi {

// Fitted models as formulas, and what is to be said of their errors and jumps.

/// A coefficient with its standard error: "1.43 µs [3 %]", or, where that is larger than itself,
/// "-1.00 µs [2.0 µs]", or "not determined" where it is ten times as large. Without an error (0, or not
/// finite) the coefficient alone.
[[nodiscard]] std::string coefficient_text(double value_s, double error_s, TimeUnit unit, int digits = 3,
                                           bool with_error = true);
/// The same; without an error where only the scatter along the curve is known. Simulated times have none:
/// what a model misses there is not noise.
[[nodiscard]] std::string coefficient_text(double value_s, double error_s, const CoefficientErrors& errors,
                                           TimeUnit unit, int digits = 3, bool with_error = true);
/// Of its coefficients: as many as what it misses leaves certain.
[[nodiscard]] int digits_of(const GrowthModel& model);

/// "in brackets: standard error between 8 launches", or that it is unknown; empty of a simulation.
[[nodiscard]] std::string errors_text(const CoefficientErrors& errors);
/// The same of a model in pieces.
[[nodiscard]] std::string errors_text(const CostModel& model);

/// Every time lies on the model.
[[nodiscard]] bool is_exact(const GrowthModel& model);

/// "1.20 µs [2 %] + 310 ns [1 %] ceil(log2 p)"; "1.2 µs (p - 1)" where the constant takes back one rank.
[[nodiscard]] std::string formula(const GrowthModel& model, TimeUnit unit, bool with_errors = true);
/// "1.20 µs [2 %] + 310 ns [1 %] p; for each KiB 102 ns [3 %] p"
[[nodiscard]] std::string formula(const SurfaceModel& model, TimeUnit unit);
/// "p and a constant"
[[nodiscard]] std::string forms_text(const std::vector<GrowthForm>& forms);
/// "The data cannot distinguish it from p: measure on 128 ranks, too." @param ranks 0 = none would do
[[nodiscard]] std::string alike_sentence(const std::string& forms, std::int64_t ranks);
[[nodiscard]] std::string growth_sentence(const GrowthModel& model, TimeUnit unit);

/// "eager limit: MPI_Ssend-MPI_Recv jumps there, too"; empty where there is no evidence of a cause.
[[nodiscard]] std::string cause_text(const JumpCause& cause);
/// In how many launches a jump was found: "9 of 10".
[[nodiscard]] std::string confirmation_text(const CostJump& jump);

// How a report speaks of growth with the number of ranks p.

/// "log2 p", "p - 1", "no form fits" where the model does not fit.
[[nodiscard]] std::string growth_form_text(const GrowthModel& model);
/// "MPI_Bcast", "MPI_Bcast of 8 B"
[[nodiscard]] std::string scaling_name(const Scaling& scaling);
/// The forms that its points do not distinguish from the model's; empty where there are none. @pre has a
/// model
[[nodiscard]] std::string forms_alike(const Scaling& scaling);

/// The answer of a report on a study: how its operations grow, the most growing first; how far to trust it.
/// @param subjects on their numbers of ranks, at least one
[[nodiscard]] TextAndCommand study_answer(const std::vector<const Subject*>& subjects,
                                          const std::vector<Scaling>& scalings);

} // namespace skampi
