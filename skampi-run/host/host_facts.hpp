// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "model/run.hpp"
#include "spec/plan_text.hpp"

#include <map>
#include <string>
#include <vector>

namespace skampi {

/// A random version-4 UUID from the kernel.
[[nodiscard]] std::string make_uuid();
/// This host's name, as the kernel says it.
[[nodiscard]] std::string host_name();
/// Identifies the booted kernel: different for each host, even with equal names. Empty = not known.
[[nodiscard]] std::string boot_name();
/// Which CLOCK_MONOTONIC this process reads: the kernel since it was booted, and the time namespace, as which
/// containers may have a clock of their own. Processes with equal names read the same clock, unless a virtual
/// machine was copied while it ran. Empty = not known.
[[nodiscard]] std::string own_clock_name();
/// The facts of this process's rank. @param processor the name of its host, from the MPI library
[[nodiscard]] RankFacts own_rank_facts(int rank, const std::string& processor);
/// For the host of the calling rank.
[[nodiscard]] HostSizes host_sizes();
/// Facts that a reader needs to trust a run: compiler, kernel, CPU, governor.
[[nodiscard]] std::map<std::string, std::string> host_facts();
/// Cores that are online, and the memory.
[[nodiscard]] HostLimits host_limits();
/// Problems of the binding, in words: ranks that share a core, more ranks than cores, unbound ranks. Empty =
/// none.
/// @param library whose own remedy against shared cores is named  @param launcher whose option binds
[[nodiscard]] std::string binding_warning(const std::vector<RankFacts>& ranks, const std::string& library,
                                          const std::string& launcher);

} // namespace skampi
