#pragma once

#include <map>
#include <string>
#include <vector>

namespace skampi {

/// What a simulator was told of the cluster that it simulates.
struct Simulation {
    std::string platform;                        ///< path of the file that describes the cluster
    std::string network;                         ///< what the file says of it, in short
    std::map<std::string, std::string> settings; ///< what times depend on: part of the run's series
};

/// Of SimGrid's command line: smpimain PROGRAM [OPTION]... PLATFORM [ARGUMENT]... Among the settings are the
/// algorithms chosen, and instead of the platform file's name, which may change, its network and the hash of its
/// content.
/// What only says how and where the simulation runs is none of them; of an option given twice the last
/// counts.
[[nodiscard]] Simulation simulation_of(const std::vector<std::string>& command_line);

/// What the text of a platform file says of its network: "n0-63 (FAT_TREE 2;8,8;1,4;1,2), 1.25GBps, 2us" for a
/// cluster, of several the first ones; "12 hosts" where there is none. Cut where it is long.
[[nodiscard]] std::string network_in_short(const std::string& platform_text);

/// Of this process; nothing where the cluster is real.
[[nodiscard]] Simulation own_simulation();

} // namespace skampi
