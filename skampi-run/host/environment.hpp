// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <cstdlib>
#include <map>
#include <optional>
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
    std::map<std::string, std::string> settings;  ///< what the MPI library acts on: part of the run's series
    std::map<std::string, std::string> job_facts; ///< about the job: scheduler, launcher
    std::vector<std::string> unknown;             ///< of the settings, those that the library does not have
};

/// Picks what a library may read, by the prefix of its names, and some facts of the job. All other variables,
/// and names that sound like secrets, are never stored. Variables that launchers set differently for each job
/// are no settings.
/// @param control_variables all that the library has, by all of their names; empty = not known. Of
/// these, MPICH_X and MPIR_PARAM_X are called MPIR_CVAR_X, as the library means them
[[nodiscard]] Environment kept_environment(const std::vector<Variable>& variables,
                                           const std::set<std::string>& control_variables);

/// The control variable (MPI_T) of MPICH or Open MPI that an environment variable sets; empty = by its name
/// it sets none.
[[nodiscard]] std::string control_variable_of(const std::string& name);

/// Whether a name sounds like a secret's: TOKEN, PASSWORD, JWT, ...
[[nodiscard]] bool sounds_secret(std::string_view name);

/// The environment of this process.
[[nodiscard]] std::vector<Variable> own_environment();

/// Variables that this process' environment has while it lives.
class EnvironmentWith {
public:
    explicit EnvironmentWith(const std::map<std::string, std::string>& variables) {
        for (const auto& [name, value] : variables) {
            const char* const now = std::getenv(name.c_str());
            before_[name] = now != nullptr ? std::optional<std::string>(now) : std::nullopt;
            setenv(name.c_str(), value.c_str(), 1);
        }
    }
    EnvironmentWith(const EnvironmentWith&) = delete;
    EnvironmentWith& operator=(const EnvironmentWith&) = delete;
    ~EnvironmentWith() {
        for (const auto& [name, value] : before_)
            value ? setenv(name.c_str(), value->c_str(), 1) : unsetenv(name.c_str());
    }

private:
    std::map<std::string, std::optional<std::string>> before_;
};

} // namespace skampi
