#pragma once

#include "store/import/importer.hpp"

#include <string>
#include <vector>

namespace skampi {

[[nodiscard]] bool looks_like_osu(const std::string& text);

/// Reads the output of the OSU micro-benchmarks 5.x to 7.x, as each program prints it, one or several in a
/// file. osu_latency tells half of a round trip: the round trip is stored, and the suite's facts say so. Of
/// bandwidth the time per message is stored. The number of ranks is not in these files, except where two
/// are certain; the count only with -f.
/// @throws InputError `name:line:column: what was found, what was expected`
[[nodiscard]] std::vector<ImportedRun> parse_osu(const std::string& name, const std::string& text);

} // namespace skampi
