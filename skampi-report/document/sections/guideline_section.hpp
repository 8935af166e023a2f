// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "contest/guideline.hpp"
#include "document/model.hpp"
#include "launches/subject.hpp"

#include <optional>

namespace skampi {

/// Which self-consistent performance guidelines do not hold within the jobs of a study, mostly one: a row for
/// each guideline, the worst first, with its worst place. If none is violated, one line; no section if
/// nothing could be checked.
/// @param found in these jobs  @param first of them
[[nodiscard]] std::optional<Section> guideline_section(const SelfConsistency& found, const Subject& first);

} // namespace skampi
