#pragma once

#include "model/run.hpp"

#include <cstdlib>
#include <map>
#include <string>
#include <utility>

namespace skampi {

/// The variable by which a supervisor tells its jobs which series it expects of them (Series::hash): stored
/// with their runs, it lets the next supervisor count them, though its launcher may make them another one.
inline constexpr const char* expected_series_variable = "SKAMPI_EXPECTED_SERIES";

/// The variable by which it tells them its --launch: reports print commands that launch as it did.
inline constexpr const char* launch_words_variable = "SKAMPI_LAUNCH";

/// The variable by which skampi-run tune tells them what it was told, for the same purpose.
inline constexpr const char* tune_words_variable = "SKAMPI_TUNE";

/// The variable by which it tells them who it is (name_of_process): no fact of a run.
inline constexpr const char* supervisor_variable = "SKAMPI_SUPERVISOR";

/// Facts of a run that its supervisor told this process.
inline std::map<std::string, std::string> told_by_supervisor() {
    std::map<std::string, std::string> facts;
    for (const auto& [variable, fact] : {std::pair(expected_series_variable, fact_expected_series),
                                         std::pair(launch_words_variable, fact_launch_words),
                                         std::pair(tune_words_variable, fact_tune_words)})
        if (const char* const told = std::getenv(variable))
            facts[fact] = told;
    return facts;
}

} // namespace skampi
