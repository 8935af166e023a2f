// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "merge/run_group.hpp"
#include "model/machine_state.hpp"

#include <string>
#include <vector>

namespace skampi {

// The state of the machine that adjusted values are reduced to is stored with a run (Run::reference_probe_s,
// Run::reference_core_speed) and taken over by later ones, merges and reports
// (docs/decisions/one-reference.md).

/// The reference states that runs store, each once: first those of `preferred` with the machine, library and
/// placement of the runs and any measurements.
/// @param preferred of a file that was named
/// @param runs in canonical order, not empty
[[nodiscard]] std::vector<MachineState> stored_references(const std::vector<SourceRun>& runs,
                                                          const std::vector<Run>& preferred = {});
/// Whether one run's reference holds for another: they differ only in what they measured.
[[nodiscard]] bool share_reference(const Run& a, const Run& b);

/// The runs of a database that store a reference. @throws InputError where none does
[[nodiscard]] std::vector<Run> runs_with_reference(const std::string& path);

} // namespace skampi
