#pragma once

#include "analysis/doubt.hpp"

#include <string>
#include <vector>

namespace skampi {

/// A doubt as a part of a sentence: "1 of 27 values was disturbed by other work on the cores".
/// @param with_total whether it says of how many
[[nodiscard]] std::string doubt_text(const Doubt& doubt, bool with_total = true);

/// Parts of sentences for all of them; each says of how many values or suites where that is new.
[[nodiscard]] std::vector<std::string> doubt_texts(const std::vector<Doubt>& doubts);
/// The same joined by semicolons; empty = none.
[[nodiscard]] std::string doubts_text(const std::vector<Doubt>& doubts);

} // namespace skampi
