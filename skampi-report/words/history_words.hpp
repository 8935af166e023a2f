// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "analysis/history/history.hpp"
#include "analysis/history/history_gate.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace skampi {

// How a report speaks of runs over time.

/// An event with its series.
struct PlacedEvent {
    const HistorySeries* series = nullptr;
    const HistoryEvent* event = nullptr;
};
/// Of all series, the newest first.
[[nodiscard]] std::vector<PlacedEvent> newest_first(const History& history);

/// What changed last, or that nothing did.
[[nodiscard]] std::string history_answer(const History& history);
/// "MPI library: MPICH 4.0.2 → MPICH 4.1.0"
[[nodiscard]] std::string fact_change_text(const FactChange& change);
/// What changed at an event, the nearest first; says so where no recorded fact did.
[[nodiscard]] std::string what_changed(const HistoryEvent& event, std::size_t most);
/// The lines that step at an event: "MPI_Bcast, 8 B and 3 more".
[[nodiscard]] std::string what_stepped(const HistoryEvent& event);
/// " (16 ranks)" where there are several series
[[nodiscard]] std::string series_in_brackets(const History& history, const HistorySeries& series);
/// "from 2026-11-21 10:00 to 2026-11-23 10:00"; within a minute there is only one moment
[[nodiscard]] std::string from_to(const std::string& first, const std::string& last);
[[nodiscard]] std::string note_sentence(const HistoryNote& note);
/// "56 %" of HistoryLine::scatter()
[[nodiscard]] std::string scatter_text(double scatter);
/// "+10 % (8 to 12 %)"
[[nodiscard]] std::string drift_text(const Drift& drift);
/// A line of what --fail-if prints.
/// @param before the finding of the line before; null = there is none. Of one event, the first line has the
/// time and what changed
[[nodiscard]] std::string finding_line(const HistoryFinding& finding, const HistoryFinding* before = nullptr);

} // namespace skampi
