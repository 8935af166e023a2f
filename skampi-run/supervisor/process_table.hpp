// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <string>
#include <sys/types.h>
#include <utility>
#include <vector>

namespace skampi {

/// A process of this host as /proc shows it.
struct ProcessEntry {
    pid_t pid = 0;
    bool runs_program = false; ///< it executes the program asked about
};

/// Living processes that have this variable with this value in their environment, or descend from this
/// process; never this process itself or one it descends from. Those of other users are not seen.
/// @param mark name and value
/// @param program path of an executable file, for runs_program
[[nodiscard]] std::vector<ProcessEntry> processes_of(const std::pair<std::string, std::string>& mark,
                                                     const std::string& program);

/// Takes note of the ends of orphans that were handed to this process (PR_SET_CHILD_SUBREAPER), except of one
/// child.
void reap_orphans(pid_t except);

} // namespace skampi
