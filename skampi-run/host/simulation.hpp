// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <map>
#include <string>
#include <vector>

namespace skampi {

/// The description of a simulated cluster.
struct Simulation {
    std::string platform;                        ///< path of the file that describes the cluster
    std::string network;                         ///< in short, from the file
    std::map<std::string, std::string> settings; ///< what times depend on: part of the run's series
};

/// From SimGrid's command line: smpimain PROGRAM [OPTION]... PLATFORM [ARGUMENT]... Among the settings are
/// the algorithms chosen, and instead of the platform file's name, which may change, its network and the hash
/// of its content.
/// Options about how and where the simulation runs are excluded; if an option is given twice, the last one
/// counts.
[[nodiscard]] Simulation simulation_of(const std::vector<std::string>& command_line);

/// The network in the text of a platform file: "n0-63 (FAT_TREE 2;8,8;1,4;1,2), 1.25GBps, 2us" for a cluster,
/// the first ones if there are several; "12 hosts" without one. A long text is cut.
[[nodiscard]] std::string network_in_short(const std::string& platform_text);

/// For this process; empty on a real cluster.
[[nodiscard]] Simulation own_simulation();

} // namespace skampi
