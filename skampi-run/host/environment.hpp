#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace skampi {

/// A variable of the environment.
using Variable = std::pair<std::string, std::string>;

/// What is kept of the environment of a job.
struct Environment {
    std::map<std::string, std::string> settings; ///< what the MPI library acts on: part of the run's series
    std::map<std::string, std::string> told;     ///< about the job: scheduler, launcher
    std::vector<std::string>
        unknown; ///< names that look like settings of the library, which has none of them
};

/// Picks what is on the list of names that may be stored; whatever is not stays out of every file. What
/// sounds like a secret is never stored, on the list or not. What launchers set by themselves, differently
/// for each job, is none of the settings.
/// @param control_variables all that the library has (MPI_T); empty = it does not tell. MPICH's are settings
/// only if they are among them; MPICH_X and MPIR_PARAM_X are called MPIR_CVAR_X, as the library means them
[[nodiscard]] Environment kept_environment(const std::vector<Variable>& variables,
                                           const std::set<std::string>& control_variables);

/// The control variable (MPI_T) of MPICH or Open MPI that an environment variable sets; empty = by its name
/// it sets none.
[[nodiscard]] std::string control_variable_of(const std::string& name);

/// Whether a name sounds like a secret's: TOKEN, PASSWORD, JWT, ...
[[nodiscard]] bool sounds_secret(std::string_view name);

/// The environment of this process.
[[nodiscard]] std::vector<Variable> own_environment();

} // namespace skampi
