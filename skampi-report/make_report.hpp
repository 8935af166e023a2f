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

/// The files that appear: the report, of a CUBE file its companion, the results of gates. None of a site, and
/// not standard output.
[[nodiscard]] std::vector<std::string> outputs(const Options& options);

/// @throws InputError when a file to be written would take the place of what the report is made from, or of
/// another one that is written
void refuse_confused_files(const Options& options);

} // namespace skampi
