#pragma once

#include "analysis/turns/turns.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace skampi {

// The words of the tables of a session.

/// A cell of the table: "4.1 % faster (3.2 to 5.0 %)", "equal", "open".
[[nodiscard]] std::string turns_cell(const TurnsStatement& statement);
/// "4.1 % faster (3.2 to 5.0 %)"; without brackets where these would say the same. @pre it is judged
[[nodiscard]] std::string slower_with_interval(const TurnsStatement& statement);
/// The same of a range; of one whose arguments differ by more and less "1.68 to 2.25 times faster (1.53 to
/// 2.39)". @param place before the brackets  @pre it is judged
[[nodiscard]] std::string slower_with_interval(const TurnsRange& range, const std::string& place = {});
/// Of a range in a table; also "none found (8.9 % faster to 5.1 % slower)".
[[nodiscard]] std::string turns_cell(const TurnsRange& range);
/// A cell whose median would be that of no length: "40 % faster to 3.8 % slower".
[[nodiscard]] std::string turns_cell(const RatioSpan& span);
/// "2 variants in 8 rounds"; empty before the first round
[[nodiscard]] std::string turns_launches(const Turns& turns);
/// Title of the table of the variants' times.
[[nodiscard]] std::string turns_times_title(const Turns& turns);
/// Where the times of that table come from.
[[nodiscard]] std::string turns_times_note(const Turns& turns);
/// Title of the table of a variant, and what the words in its cells mean.
[[nodiscard]] std::string turns_title(const Turns& turns, const TurnsVariant& variant);
/// The same of the table of all variants of a session with one suite.
[[nodiscard]] std::string turns_title(const Turns& turns, const TurnsSuite& suite);
[[nodiscard]] std::string turns_note(const Turns& turns);
/// By which differences are sorted: |log ratio| at the bound of its interval that is nearer to no difference;
/// 0 where none is decided.
[[nodiscard]] double certain_effect(const TurnsStatement& statement);
/// "16 KiB", "16 KiB to 64 KiB"
[[nodiscard]] std::string turns_lengths(const TurnsSuite& suite, const TurnsRange& range);
/// " (none found at 8192 B and 16 KiB)": the next lengths on either side of a range, where no difference was
/// found; empty = at none of these
[[nodiscard]] std::string edges_text(const TurnsSuite& suite, const TurnsRange& range);
/// "the other 14"; "all 54" where it has no others
[[nodiscard]] std::string other_lengths_text(const TurnsSuite& suite, std::size_t count);
/// "none found (8.1 % faster to 12 % slower)". @pre all are judged
[[nodiscard]] std::string no_difference_text(const std::vector<const TurnsRange*>& points);
/// Title of the table of a variant's ranges. @param variant null = all
[[nodiscard]] std::string turns_ranges_title(const Turns& turns, const TurnsVariant* variant);

} // namespace skampi
