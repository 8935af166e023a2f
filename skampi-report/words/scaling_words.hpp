#pragma once

#include "analysis/models/rank_study.hpp"
#include "words/text_and_command.hpp"

#include <string>
#include <vector>

namespace skampi {

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
