#pragma once

namespace skampi {

/// Fact of a suite that had no time for all arguments of its first pass: how many of them are missing.
inline constexpr const char* fact_left_out = "arguments without time";

} // namespace skampi
