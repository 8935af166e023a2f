// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "model/placement.hpp"
#include "model/run.hpp"

#include <map>
#include <string>
#include <vector>

namespace skampi {

/// What hwloc reports about this host. Built without it, or if it fails, there are no seats, and the fact
/// says so.
struct Topology {
    std::map<std::string, std::string> facts; ///< "topology", "caches", "SMT"
    HostSizes sizes;                          ///< without what is online
    std::map<int, Seat> seats;                ///< of each hardware thread, by the kernel's number
};
/// Read once.
[[nodiscard]] const Topology& host_topology();

/// What a rank is bound to that may use these hardware threads: the parts that all of them share.
[[nodiscard]] Seat common_seat(const std::map<int, Seat>& seats, const std::vector<int>& cpus);

} // namespace skampi
