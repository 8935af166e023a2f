#pragma once

#include "analysis/comparison/database_comparison.hpp"
#include "words/text_and_command.hpp"

#include <string>

namespace skampi {

// How a report speaks of two databases as wholes.

/// Where it is slower or faster and by how much, the largest difference first; what the machine explains; or
/// what is missing to know.
[[nodiscard]] std::string verdict(const DatabaseComparison& comparison);

/// That the two ran on different numbers of ranks; empty where they did not.
[[nodiscard]] std::string other_ranks(const DatabaseComparison& comparison);
/// That both sides hold the same launches; empty where they don't.
[[nodiscard]] std::string launches_in_common(const DatabaseComparison& comparison);
/// At how many points of the verdict the machine was in another state on one side, or that it is another
/// machine of another speed; empty where it was not, as far as its probes know. And at how many a state that
/// both saw is compared instead of the values shown.
[[nodiscard]] std::string other_state(const DatabaseComparison& comparison);
[[nodiscard]] std::string doubt_sentence(const DatabaseComparison& comparison, const ComparisonDoubt& doubt);

/// " above 64 KiB", " up to 8 KiB", " at 8 B"
[[nodiscard]] std::string range_text(const DatabaseComparison::Suite& suite, const RatioRange& range);

/// What decides what is uncertain, with its command; empty where nothing is known to.
[[nodiscard]] TextAndCommand comparison_next_step(const DatabaseComparison& comparison);

/// "to 1 KiB"
[[nodiscard]] std::string size_text(MessageSize size);
/// A cell of the table that decides: "+5.2 %", "2.30 times", "none (4.1 %)", "open".
[[nodiscard]] std::string cell_text(const PooledComparison& pooled);
/// Its last cell: the faster side. @param with_reason of a suite that is not judged, why it is not
[[nodiscard]] std::string winner_text(const DatabaseComparison& comparison,
                                      const DatabaseComparison::Suite& suite, bool with_reason);
/// Its title.
[[nodiscard]] std::string winners_title(const DatabaseComparison& comparison);
/// What the words in its cells mean.
[[nodiscard]] std::string winners_note(const DatabaseComparison& comparison);
/// The cell for all arguments together: that it differs in parts, where a whole has no difference.
[[nodiscard]] std::string whole_text(const DatabaseComparison& comparison,
                                     const DatabaseComparison::Suite& suite);

/// What ratios are, and when a difference counts as significant.
/// @param simulated the others are, too, as the reference is
[[nodiscard]] std::string judging_method(const Subject& reference, bool simulated);

} // namespace skampi
