#pragma once

#include "analysis/trust/doubt.hpp"

#include <string>
#include <vector>

namespace skampi {

/// With a capital and a full stop. @pre not empty
[[nodiscard]] std::string as_sentence(std::string text);

/// A doubt as a part of a sentence: "1 of 27 values was disturbed by other work on the cores".
/// @param with_total whether it says of how many
[[nodiscard]] std::string doubt_text(const Doubt& doubt, bool with_total = true);

/// "MPI_Bcast took 4.1 ms at 8 B, 3900 times as long as at 2 KiB (1.05 µs)"; of a longer message "as long as
/// 4 of 2 KiB (4.2 µs)"
[[nodiscard]] std::string contradiction_text(const Contradiction& contradiction);
/// A doubt as sentences, the value that it makes most wrong first.
[[nodiscard]] std::string doubt_sentences(const Doubt& doubt);

/// Parts of sentences for all of them; each says of how many values or suites where that is new.
[[nodiscard]] std::vector<std::string> doubt_texts(const std::vector<Doubt>& doubts);
/// The same joined by semicolons; empty = none.
[[nodiscard]] std::string doubts_text(const std::vector<Doubt>& doubts);

} // namespace skampi
