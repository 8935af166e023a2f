// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "contest/contest.hpp"
#include "document/content.hpp"
#include "document/figure_names.hpp"
#include "document/model.hpp"

#include <cstddef>
#include <limits>
#include <optional>
#include <span>
#include <vector>

namespace skampi {

struct Rivals;
struct SessionContest;

/// The table that decides: a row for each suite of the answer, a column for each class of message lengths and
/// one for all together; ranges of lengths that differ from their class are rows below their suite. No rows
/// where nothing is compared. @param most_rows of more suites those with the largest certain differences
[[nodiscard]] Table contest_table(const Contest& contest,
                                  std::size_t most_rows = std::numeric_limits<std::size_t>::max());
/// Many against one reference, the largest certain difference first: a column for each suite, at most four,
/// with what differs most there. @pre there are some
[[nodiscard]] Table contests_table(std::span<const Contest> contests, std::size_t most_rows);
/// As contest_table() of all variants of a session, one for each; of a session with one suite one for all.
[[nodiscard]] std::vector<Table>
session_tables(const SessionContest& session,
               std::size_t most_rows = std::numeric_limits<std::size_t>::max());
/// What the reference and each variant take: at the largest difference, the shortest and the longest message.
[[nodiscard]] Table times_of_variants(const SessionContest& session, std::size_t most_rows);
/// Facts, settings and states in which the two differ, side by side; no rows where nothing is known to.
[[nodiscard]] Table differences_table(const Contest& contest);

/// Databases against one another: statements, then plots of suites; those that differ most are on a few
/// pages, too.
[[nodiscard]] Section databases_compared(const Rivals& rivals, FigureNames& names);

/// Pairs of operations of one run: a table, and a plot for each pair.
[[nodiscard]] Section operations_compared(const Subject& subject, FigureNames& names);
/// A sentence for each pair that a content file, or --versus, asks for.
[[nodiscard]] std::vector<std::string> own_answers(const Content& content,
                                                   const std::vector<Subject>& subjects);
/// The same comparisons as tables and plots.
[[nodiscard]] Section own_comparisons(const Content& content, const std::vector<Subject>& subjects,
                                      FigureNames& names);

/// Small plots of the ratios of all suites over one axis; none where nothing can be drawn.
[[nodiscard]] std::optional<FigureBlock> ratios_block(const Rivals& rivals, FigureNames& names);
[[nodiscard]] std::optional<FigureBlock> session_ratios_block(const SessionContest& session,
                                                              FigureNames& names);

} // namespace skampi
