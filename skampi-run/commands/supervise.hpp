// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "commands/commands.hpp"
#include "spec/parameter_file.hpp"
#include "supervisor/job_view.hpp"
#include "supervisor/supervisor.hpp"

#include <string>
#include <vector>

namespace skampi {

// What the commands that launch jobs have in common.

/// Whether jobs are simulations: another program, of another library.
[[nodiscard]] bool is_simulated(const Options& options);

/// What all jobs of a plan are launched with.
[[nodiscard]] SuperviseOptions supervise_options(const Options& options, const JobProgram& program,
                                                 const ParameterFile& plan);

/// The parameter file, fitted to the machine.
[[nodiscard]] ParameterFile plan_of_jobs(const Options& options, const JobProgram& program);

/// Nothing that is read is written. @param outputs written in addition to the result file, the log and -o
/// @throws InputError
void check_files(const Options& options, const ParameterFile& plan, std::vector<std::string> outputs = {});

/// Lets a view show what jobs say, and warns of what the machine lacks for them.
void show_jobs(SuperviseOptions& wanted, const Options& options, const ParameterFile& plan, JobView& view);

} // namespace skampi
