// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "options.hpp"
#include "spec/parameter_file.hpp"
#include "supervisor/job_view.hpp"
#include "supervisor/supervisor.hpp"

#include <set>
#include <string>

namespace skampi {

/// The work of `skampi-run compare` and of other commands with variants: launches them in turns, and at the
/// end lets skampi-report say which is faster. The variants are those of the command line, else those of
/// the plan. Without `compare` a fixed number of rounds is made (--launches, or --runs of a daemon).
/// @param awaited suites: the session ends when each of them is decided as a whole; empty = when nothing is
/// open
/// @return exit status of run_session(), 1 where only the report failed
/// @throws InputError for variants that cannot be compared
[[nodiscard]] int launch_variants(const Options& options, const ParameterFile& plan,
                                  const SuperviseOptions& common, JobView& view,
                                  const std::set<std::string>& awaited = {});

/// Lets skampi-report write the result to standard output and to the file that -o names.
/// @return whether it did
[[nodiscard]] bool report_result(const Options& options, const std::string& database, JobView& view);

/// The line for scripts about the newest session of a file, for any exit status: after a signal STOPPED and
/// the file; FAILED and the status if there is no session, or its input was refused.
[[nodiscard]] std::string session_summary_line(const std::string& database, int exit_status);

} // namespace skampi
