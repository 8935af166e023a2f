// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "document/model.hpp"

namespace skampi {

/// How much of a report is shown: a row of the table in cut.cpp.
enum class Room {
    screen,     ///< of a terminal: what decides
    pages,      ///< a few of them on paper
    suites,     ///< those that were asked for, on a terminal
    book,       ///< everything on paper
    everything, ///< in a file
};

/// Up to which rank it shows blocks and sections.
[[nodiscard]] Rank rank_of(Room room);

/// Keeps what there is room for: by rank, the most important rows of tables, and small plots if there are
/// many suites. Says at the end how to see the rest.
[[nodiscard]] Document cut(Document document, Room room);

} // namespace skampi
