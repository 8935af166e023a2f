// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "analysis/history/history.hpp"
#include "document/model.hpp"

#include <string>

namespace skampi {

/// Runs over time as a document: on the first page what changed last and every step with what changed there,
/// then the lines with their steps.
/// @param brief only headlines and lines that have a step are drawn, each figure by itself (for characters)
[[nodiscard]] Document build_history_document(const History& history, const std::string& title, bool brief);

} // namespace skampi
