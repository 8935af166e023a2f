#pragma once

namespace skampi {

/// The variable by which a supervisor tells its jobs which series it expects of them (Series::hash): stored
/// with their runs, it lets the next supervisor count them, though its launcher may make them another one.
inline constexpr const char* expected_series_variable = "SKAMPI_EXPECTED_SERIES";

} // namespace skampi
