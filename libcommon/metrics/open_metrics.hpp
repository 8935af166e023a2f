// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "launches/subject.hpp"

#include <string>

namespace skampi {

/// What a run measured as OpenMetrics 1.0 text without timestamps, as node_exporter's textfile collector
/// reads it, in base units: times and bandwidths with their errors, suites by state, flagged points, when it
/// ended.
/// @param all every point; else those of the headlines
[[nodiscard]] std::string open_metrics(const Subject& subject, bool all);

} // namespace skampi
