// SPDX-License-Identifier: LGPL-2.1-or-later
#include "host/launcher.hpp"

#include "base/process.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <unistd.h>

namespace skampi {
namespace {

struct Known {
    std::string_view process; ///< how its name begins
    const char* launcher;
};
constexpr auto known = std::to_array<Known>({
    {"hydra_", "Hydra"},
    {"mpiexec.hydra", "Hydra"},
    {"pmi_proxy", "Hydra"},
    {"slurmstepd", "Slurm"},
    {"orted", "Open MPI"},
    {"orterun", "Open MPI"},
    {"prted", "Open MPI"},
    {"prterun", "Open MPI"},
    {"mpirun", "Open MPI"},
    {"mpiexec.openmpi", "Open MPI"},
    {"mpiexec", "Open MPI"},
    {"palsd", "PALS"},
    {"aprun", "ALPS"},
    {"jsmd", "JSM"},
    {"smpirun", "SimGrid"},
});

} // namespace

std::vector<Launcher> launchers() {
    constexpr int farthest = 8; // generations: scripts and debuggers may stand between launcher and rank
    std::vector<Launcher> found;
    pid_t process = getppid();
    for (int generation = 0; generation < farthest && process > 1; ++generation) {
        const ProcessStat here = read_process(process).value_or(ProcessStat{});
        const auto* const launcher = std::ranges::find_if(
            known, [&](const Known& each) { return here.name.starts_with(each.process); });
        if (launcher != known.end())
            found.push_back({process, launcher->launcher});
        else if (!found.empty())
            break;
        process = here.parent;
    }
    return found;
}

std::string launcher_name() {
    const std::vector<Launcher> found = launchers();
    return found.empty() ? std::string() : found.front().name;
}

} // namespace skampi
