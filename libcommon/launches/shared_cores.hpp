// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "launches/subject.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace skampi {

/// Ranks of a host that do not have a core each.
struct SharedCores {
    std::string host;
    std::int64_t ranks = 0;
    std::int64_t cores = 0;        ///< that they may use
    std::int64_t cores_online = 0; ///< of rank 0's host; 0 = not known
    /// Whether they were bound so: the host has cores for all of them.
    [[nodiscard]] bool by_binding() const { return cores_online >= ranks; }
};
/// The host with the most ranks a core; none where each rank can have a core, or it is not known.
[[nodiscard]] std::optional<SharedCores> shared_cores(const Run& run);
/// For the first subject whose ranks share cores.
[[nodiscard]] std::optional<SharedCores> shared_cores(std::span<const Subject> subjects);
/// The host with the most ranks a core where each rank has a hardware thread, but not a core, of its own;
/// none where each has a core, or it is not known. `cores` are those that they use.
[[nodiscard]] std::optional<SharedCores> shared_threads(const Run& run);

} // namespace skampi
