#pragma once

#include "options.hpp"
#include "spec/parameter_file.hpp"

#include <optional>
#include <string>
#include <vector>

namespace skampi {

/// Name and text of the parameter file, or of the built-in quick one. @throws InputError
struct PlanText {
    std::string name;
    std::string text;
};
[[nodiscard]] PlanText read_plan_text(const std::string& file);

/// The plan, restricted to the suites the globs select (none = all), in the order of this launch.
/// @param launch shuffles the suites, the same everywhere for the same number; none = the file's order
/// @throws InputError, also when the globs select nothing
[[nodiscard]] ParameterFile read_plan(const PlanText& text, const std::vector<std::string>& globs,
                                      std::optional<int> launch);

/// Where results go: the option, else @OUTFILE, else skampi.db.
[[nodiscard]] std::string database_path(const Options& options, const ParameterFile& plan);

/// Puts numbers in place of Max_Value, and keeps arguments inside what memory, datatype and ranks allow.
/// @return what was changed, a sentence each (for the run's events)
[[nodiscard]] std::vector<std::string> fit_to_machine(ParameterFile& plan, int ranks_there);

} // namespace skampi
