// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "launches/subject.hpp"
#include "merge/run_group.hpp"
#include "store/database.hpp"

#include <string>
#include <vector>

namespace skampi {

/// The group that a run was merged from, "ranks = 4"; empty = none.
[[nodiscard]] std::string group_of(const Run& run);

/// Makes a subject of one run as it is stored.
void show_run(const Database& database, RunId id, Run run, Subject& subject);

/// Makes a subject of launches of one series, merged suite by suite; all suites in one state of the machine
/// as far as enough launches met it (shown_mode()).
void show_series(const Database& database, std::vector<SourceRun> runs, Subject& subject);

} // namespace skampi
