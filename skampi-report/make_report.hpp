// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "options.hpp"

#include <string>
#include <vector>

namespace skampi {

/// What came of the work, for standard error and the exit status.
struct ReportOutcome {
    Written written;                   ///< its `missing`: also what could not be read
    std::vector<std::string> warnings; ///< what is strange, and was kept
    std::vector<std::string> failed;   ///< gates that hold, one line each
    std::vector<std::string> open;     ///< gates that more launches would decide, likewise
};

/// Exit status where no gate holds and not all are decided.
constexpr int gate_open_status = 4;

/// Reads what the options name and writes the report, whole or not at all, or renews a site.
/// @throws InputError, StoreError, SystemError
[[nodiscard]] ReportOutcome make_report(const Options& options);

/// The files and folders that appear: the report, what is written next to it, the results of gates; of a site
/// the folders that it keeps. Not standard output.
[[nodiscard]] std::vector<std::string> outputs(const Options& options);
/// The files that a report is made from. Empty names are none.
[[nodiscard]] std::vector<std::string> inputs(const Options& options);

} // namespace skampi
