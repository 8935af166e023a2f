// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "commands/commands.hpp"
#include "supervisor/job_view.hpp"
#include "verify/tuning_use.hpp"
#include "verify/verify_task.hpp"

#include <string>

namespace skampi {

/// MPICH's selection tree, as the library in use has it; empty = it has none.
[[nodiscard]] std::string tree_of_library();

/// Who is to use a tuning file: jobs of this launcher.
[[nodiscard]] TuningUser tuning_user(const Options& options, const JobProgram& program);

/// Launches the library with and without a tuning file in turns. @pre options.database
/// @throws InputError where no rule of the file changes anything with this number of ranks
[[nodiscard]] Verification launch_with_and_without(Options options, const JobProgram& program,
                                                   const TuningUse& use, JobView& view);

} // namespace skampi
