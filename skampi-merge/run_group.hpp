#pragma once

#include "model/run.hpp"
#include "options.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace skampi {

/// How much an input file tells of a run, best first.
enum class Origin {
    raw,    ///< a run as it was measured
    merged, ///< one of the runs a merged database was made of: its values, as stored there
    csv,    ///< a result CSV: no facts about the run
};

/// One run that is to be merged.
struct SourceRun {
    Run run; ///< of a merged database: its facts, with uuid of the run it was made of
    std::string file;
    Origin origin = Origin::raw;
    std::int64_t points = 0; ///< finished measurements
    std::size_t input = 0;   ///< which input file
    std::int64_t stored = 0; ///< id, in that file, of the run or of the merged run that holds it
};

/// Why two runs do not belong together, a text for each difference; empty = they are launches of one series.
/// A CSV agrees with everything.
[[nodiscard]] std::vector<std::string> differences(const SourceRun& a, const SourceRun& b);

/// The runs in an order that depends on nothing but themselves: those with facts first, then the oldest
/// first. A run found in several files is taken once, from where most is known of it.
/// @param notes gets a line for each run found more than once
[[nodiscard]] std::vector<SourceRun> in_canonical_order(std::vector<SourceRun> runs,
                                                        std::vector<std::string>& notes);

/// The run row of the merged database.
/// @param runs in canonical order, not empty
[[nodiscard]] Run merged_run(const std::vector<SourceRun>& runs, const MergeOptions& options);

/// Whether a uuid is one that merged_run() makes: version 8, from the uuids of the runs merged, so that
/// merging the same runs gives the same uuid.
[[nodiscard]] bool is_merged_uuid(std::string_view uuid);

} // namespace skampi
