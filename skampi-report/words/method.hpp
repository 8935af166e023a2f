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
    std::vector<Fact> terms = {}; ///< each with what it means
};

/// How the values were measured, as far as it concerns what was measured.
[[nodiscard]] std::vector<MethodPart> method_parts(const MeasuredKinds& kinds);

/// The same on half a page.
[[nodiscard]] MethodPart method_in_brief(const MeasuredKinds& kinds);

} // namespace skampi
