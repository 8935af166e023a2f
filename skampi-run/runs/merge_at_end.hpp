#pragma once

#include "model/suite.hpp"
#include "plan/run_options.hpp"

#include <span>
#include <string>

namespace skampi {

/// "results.merged.db" for "results.db": beside it.
[[nodiscard]] std::string merged_database_path(const std::string& database);

/// What a run leaves to be done when it has ended and all is stored (@POSTPROC): skampi-merge merges the raw
/// runs of the series of the database's newest ended run into merged_database_path(). With fewer than two
/// runs there is nothing to merge. Of the files there only a merged database is replaced; the database is
/// only read. Takes longest_merge_s at most, and never throws: the run is what it is, whatever becomes of
/// this.
/// @return what to tell of it, one line; empty = nothing was to be done
[[nodiscard]] std::string merge_series(const std::string& database) noexcept;

inline constexpr double longest_merge_s = 240; ///< a supervisor takes 300 s without news for a hang

/// merge_series() where the plan asks for it, and words on standard error; nothing after a run that was not
/// stored whole. @param status how the run ended
void merge_at_end(const RunOptions& options, std::span<const OperationInfo> operations, int status) noexcept;

} // namespace skampi
