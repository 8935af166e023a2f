#include "host/launcher.hpp"

#include <algorithm>
#include <array>
#include <fstream>
#include <sstream>
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

struct Process {
    std::string name;
    long parent = 0;
};

/// Without a name where nothing can be told of it.
Process read_process(long process) {
    std::ifstream file("/proc/" + std::to_string(process) + "/stat");
    std::string stat;
    std::getline(file, stat);
    const std::size_t open = stat.find('(');
    const std::size_t close = stat.rfind(')');
    if (open == std::string::npos || close == std::string::npos)
        return {};
    Process read{stat.substr(open + 1, close - open - 1), 0};
    std::istringstream rest(stat.substr(close + 1));
    char state = 0;
    rest >> state >> read.parent;
    return read;
}

} // namespace

std::vector<Launcher> launchers() {
    constexpr int farthest = 8; // generations: scripts and debuggers may stand between launcher and rank
    std::vector<Launcher> found;
    long process = getppid();
    for (int generation = 0; generation < farthest && process > 1; ++generation) {
        const Process here = read_process(process);
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
