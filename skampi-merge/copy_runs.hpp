// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "merge_runs.hpp"

namespace skampi {

/// Copies the selected runs of all inputs as they are, each once, with their single measurements, sessions
/// and tuning files. With options.anonymise the names of users and hosts, paths, commands of launchers and
/// process numbers are replaced, each by the same name everywhere; names chosen in parameter files stay.
/// @throws InputError where no run is selected, and as merge_runs()
[[nodiscard]] MergeOutcome copy_runs(const MergeOptions& options);

} // namespace skampi
