// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "model/run.hpp"

#include <cstdlib>
#include <map>
#include <string>
#include <utility>

namespace skampi {

/// The variable in which a supervisor gives its jobs the series that it expects (Series::hash): stored
/// with their runs, it lets the next supervisor count them, though its launcher may make them another one.
inline constexpr const char* expected_series_variable = "SKAMPI_EXPECTED_SERIES";

/// The variable that holds what was typed, for all processes of a command (command_fact()).
inline constexpr const char* command_variable = "SKAMPI_COMMAND";

/// The variable that holds its name (name_of_process): no fact of a run.
inline constexpr const char* supervisor_variable = "SKAMPI_SUPERVISOR";

/// Facts of a run that its supervisor gave this process.
inline std::map<std::string, std::string> told_by_supervisor() {
    std::map<std::string, std::string> facts;
    for (const auto& [variable, fact] : {std::pair(expected_series_variable, fact_expected_series),
                                         std::pair(command_variable, fact_command)})
        if (const char* const told = std::getenv(variable))
            facts[fact] = told;
    return facts;
}

} // namespace skampi
