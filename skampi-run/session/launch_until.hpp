// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "model/precision.hpp"
#include "options.hpp"
#include "plan/due_suites.hpp"
#include "store/database.hpp"
#include "supervisor/job_view.hpp"
#include "supervisor/supervisor.hpp"

#include <string>

namespace skampi {

// Launches of one plan until the values are known between launches as well as the user asked for.

/// @param series what is known of the launches' series: newer ones that agree decide which it is
/// @param after only runs behind this one
[[nodiscard]] LaunchesSoFar launches_so_far(const std::string& database, const Series& series,
                                            const Precision& precision, RunId after = 0);

/// The work of `skampi-run -n N --until 2%`: launches until each suite is settled, or no time is left; then
/// lets skampi-report say what was found, or writes it as lines for programs, and ends with the line for
/// scripts
/// ("SKAMPI: OK launches=14 points=105 settled=98"). What the database holds of the plan counts, so an
/// interruption changes nothing; with --fresh only new launches do.
/// @param precision asked for
/// @return 0 settled, or its time is over; else that of supervise(), or 1 where only the report failed
[[nodiscard]] int launch_until(const Options& options, const Precision& precision,
                               const SuperviseOptions& common, JobView& view);

} // namespace skampi
