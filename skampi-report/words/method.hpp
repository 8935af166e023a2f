// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "launches/measured_kinds.hpp"
#include "words/fact.hpp"

#include <string>
#include <vector>

namespace skampi {

/// A part of the chapter on the method.
struct MethodPart {
    std::string title;
    std::vector<std::string> paragraphs;
    std::vector<Fact> terms = {};          ///< each with what it means
    std::vector<std::string> details = {}; ///< paragraphs that a few pages have no room for
};

/// How the values were measured, as far as it concerns what was measured.
[[nodiscard]] std::vector<MethodPart> method_parts(const MeasuredKinds& kinds);

} // namespace skampi
