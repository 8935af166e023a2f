#pragma once

#include "analysis/subject.hpp"
#include "document/model.hpp"

#include <optional>

namespace skampi {

/// Which self-consistent performance guidelines do not hold within a subject: a row for each one, the worst
/// first, with its worst place. None violated is one line; no section where nothing could be looked at.
/// @param most rows; 0 = all
[[nodiscard]] std::optional<Section> guideline_section(const Subject& subject, std::size_t most = 0);

} // namespace skampi
