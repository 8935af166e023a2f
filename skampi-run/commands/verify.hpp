#pragma once

#include "commands/commands.hpp"
#include "verify/tuning_use.hpp"

#include <string>

namespace skampi {

/// MPICH's selection tree, as the library in use has it; empty = it has none.
[[nodiscard]] std::string tree_of_library();

/// Who is to use a tuning file: jobs of this launcher.
[[nodiscard]] TuningUser tuning_user(const Options& options, const JobProgram& program);

} // namespace skampi
