// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "plan/run_options.hpp"
#include "spec/parameter_file.hpp"

#include <string>

namespace skampi {

/// "results.merged.db" for "results.db": next to it.
[[nodiscard]] std::string merged_database_path(const std::string& database);

/// What a run leaves to be done when it has ended and all is stored (@POSTPROC): skampi-merge merges the raw
/// runs of the series of the database's newest ended run into merged_database_path(). With fewer than two
/// runs there is nothing to merge. Of the files there only a merged database is replaced; the database is
/// only read. Takes longest_merge_s at most, and never throws: the run stays as it is, whatever happens to
/// this.
/// @return what to tell of it, one line; empty = nothing was to be done
[[nodiscard]] std::string merge_series(const std::string& database) noexcept;

inline constexpr double longest_merge_s = 240; ///< a supervisor takes 300 s without news for a hang

/// The database whose series the plan wants merged at the end; empty = none. Asked while the plan is at hand:
/// a parameter file that is a pipe cannot be read twice.
[[nodiscard]] std::string database_to_merge(const RunOptions& options, const ParameterFile& plan);

/// merge_series() with words on standard error; nothing after a run that was not stored whole.
/// @param database database_to_merge()  @param status how the run ended
void merge_at_end(const RunOptions& options, const std::string& database, int status) noexcept;

} // namespace skampi
