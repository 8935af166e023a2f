// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "merge/merge_way.hpp"
#include "model/run.hpp"
#include "model/series.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace skampi {

/// How much an input file holds about a run, most first.
enum class Origin {
    raw,    ///< a run as it was measured
    merged, ///< one of the runs of a merged database, with the values stored there
    csv,    ///< a file that is no database, with few facts about the run
};

/// Fact of a merged run that is one of several in its file: MergeGroup::key.
inline constexpr const char* fact_merged_group = "merged group";

/// One run that is to be merged.
struct SourceRun {
    Run run; ///< of a merged database: the facts of the merged run, with the uuid of the source
    std::string file;
    Origin origin = Origin::raw;
    std::int64_t points = 0; ///< finished measurements
    std::size_t input = 0;   ///< which input file
    std::int64_t stored = 0; ///< id, in that file, of the run or of the merged run that holds it
    bool own_start = true;   ///< false: its own start is unknown, and started_utc is that of the merged run
    bool own_end = true;     ///< false: its own end is unknown, and ended_utc is that of the merged run
    /// The kind of file that a run in a merged database was imported from; empty = it came from a database.
    std::string imported_from = {};
};

/// Runs that belong together: launches of one series, as far as their facts are known. Each run is compared
/// with everything known about the runs before it. Two runs that differ are therefore never joined by a third
/// one with fewer facts.
class RunGroup {
public:
    /// The differences between a run and those taken in, one text each; empty = it belongs to them.
    [[nodiscard]] std::vector<std::string> differences(const SourceRun& run) const;
    void take_in(const SourceRun& run);

private:
    Series known_;
};

/// Runs that are to be merged with one another.
struct MergeGroup {
    std::string key; ///< "ranks = 4"; empty where there is one group
    std::vector<SourceRun> runs;
};

/// Groups runs by a field of Run, by "host", "library" or the name of a setting. Groups are in the order of
/// their texts (numbers by size); runs within a group keep their order.
/// @param key empty = one group
/// @throws InputError for an unknown key
[[nodiscard]] std::vector<MergeGroup> grouped_by(const std::string& key, std::vector<SourceRun> runs);

/// A table of the differences between runs: for each field its texts, and the files that have each of them.
/// Empty = they belong together.
[[nodiscard]] std::string difference_table(const std::vector<SourceRun>& runs);

/// A line for each text with the files that have it; of many files the first ones and the number of others.
[[nodiscard]] std::string files_by_text(const std::map<std::string, std::vector<std::string>>& files);

/// Adds to Run::forced_differences, each difference once.
void add_force(Run& merged, const std::string& difference);

/// Whether a run has ended. An imported run has no end and counts as ended; so does a merge of imported runs.
[[nodiscard]] bool has_ended(const Run& run);
/// Whether it was read from a file that is no database.
[[nodiscard]] bool is_imported(const Run& run);

/// The runs in an order that does not depend on the order given: the oldest first, runs of the same second by
/// number of launch, and those with an unknown start last. A run found in several files is taken once, from
/// the file that holds most about it.
/// @param notes gets a line for each run found more than once
[[nodiscard]] std::vector<SourceRun> in_canonical_order(std::vector<SourceRun> runs,
                                                        std::vector<std::string>& notes);

/// Whether the runs were made in a row within a day (LaunchesInTime::of_one_session()); false where one does
/// not say when it was made, or was simulated.
[[nodiscard]] bool of_one_session(const std::vector<SourceRun>& runs);

/// The run row of a merged database, and of a report on several launches: what the runs have in common.
/// Fields in which they differ are differs_between_runs, parts of the description
/// (description_parts) all their texts, each with its launches. It has ended when all runs have.
/// @param runs in canonical order, not empty
/// @param forced noted in the facts
[[nodiscard]] Run merged_run(const std::vector<SourceRun>& runs, const MergeWay& way, bool forced = false);

/// Where the runs describe themselves differently: "@NETWORK: NET2 (2 launches), NETXYZ (1)".
[[nodiscard]] std::vector<std::string> differing_descriptions(const std::vector<SourceRun>& runs);

/// Run::sources by uuid.
[[nodiscard]] std::map<std::string, MergedSource> merged_sources(const Run& merged);

/// Whether a uuid is one of merged_run(): version 8, derived from the uuids of the runs. Merging the same
/// runs gives the same uuid.
[[nodiscard]] bool is_merged_uuid(std::string_view uuid);

} // namespace skampi
