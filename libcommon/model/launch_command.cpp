#include "model/launch_command.hpp"

#include "base/text.hpp"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>
#include <sstream>
#include <string_view>

namespace skampi {

std::string binding_launcher(const std::string& launcher) {
    if (launcher == "Hydra")
        return "mpiexec -bind-to core -n {n}";
    if (launcher == "Open MPI")
        return "mpiexec --bind-to core -n {n}";
    if (launcher == "Slurm")
        return "srun --cpu-bind=cores -n {n}";
    return {};
}

std::string as_typed(const std::string& path) {
    const bool plain = std::ranges::all_of(path, [](unsigned char c) {
        return std::isalnum(c) != 0 ||
               std::string_view("/._-+,:=@%").find(static_cast<char>(c)) != std::string_view::npos;
    });
    return plain && !path.empty() ? path : printable(for_shell(path));
}

std::string launch_command(const Run& run, int ranks, std::size_t launches, const std::string& database,
                           bool bound) {
    if (run.ranks < 1 || run.mpi_library.empty() || run.mpi_library == library_without_mpi ||
        run.facts.contains(fact_read_from) || run.facts.contains(fact_simulation))
        return {};
    std::string command = fmt::format("skampi-run -n {}", ranks);
    if (launches > 1)
        command += fmt::format(" --launches {}", launches);
    if (const std::string launcher = binding_launcher(run.launcher); bound && !launcher.empty())
        command += " --launch " + for_shell(launcher);
    if (run.parameter_file != built_in_parameter_file && run.parameter_file != differs_between_runs)
        command += " " + as_typed(run.parameter_file);
    if (const auto selected = run.facts.find(fact_selected_suites); selected != run.facts.end()) {
        std::istringstream patterns(selected->second);
        for (std::string pattern; std::getline(patterns, pattern);)
            command += " --suite " + as_typed(pattern);
    }
    return command + " -d " + as_typed(database);
}

} // namespace skampi
