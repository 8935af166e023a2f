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

/// What stands in a merged run instead of a text that its runs do not agree on.
inline constexpr const char* differs_between_runs = "differs between the runs";

/// How much an input file tells of a run, best first.
enum class Origin {
    raw,    ///< a run as it was measured
    merged, ///< one of the runs a merged database was made of: its values, as stored there
    csv,    ///< a file that is no database: few facts about the run, if any
};

/// The fact of a merged run that is one of several in its file: MergeGroup::key.
inline constexpr const char* fact_merged_group = "merged group";

/// The fact of a run that was merged by force: in what its runs differ, which would have been refused.
inline constexpr const char* fact_merged_by_force = "merged by force although";

/// One run that is to be merged.
struct SourceRun {
    Run run; ///< of a merged database: its facts, with uuid of the run it was made of
    std::string file;
    Origin origin = Origin::raw;
    std::int64_t points = 0; ///< finished measurements
    std::size_t input = 0;   ///< which input file
    std::int64_t stored = 0; ///< id, in that file, of the run or of the merged run that holds it
    bool own_start = true;   ///< false: started_utc is that of the merged run, whose first run it may be
    bool own_end = true;     ///< false: ended_utc is that of the merged run, as its own is not known
    /// Of a run in a merged database: the kind of file that was no database and from which it came there;
    /// empty = it came from a database.
    std::string imported_from = {};
};

/// Runs that belong together: launches of one series, as far as is known of them. Each is compared with what
/// all before it are known to be, so that two runs which differ are not brought together by a third of which
/// less is known.
class RunGroup {
public:
    /// Why a run does not belong to those taken in, a text for each difference; empty = it does.
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

/// Parts runs by one thing in which they differ: a field of Run, "host", "library" or the name of a setting.
/// Groups are in the order of their texts (numbers by size), runs within one keep theirs.
/// @param key empty = one group
/// @throws InputError for a key that is none
[[nodiscard]] std::vector<MergeGroup> grouped_by(const std::string& key, std::vector<SourceRun> runs);

/// In what runs differ, a line for each thing with the files by what they say of it; empty = they belong
/// together.
[[nodiscard]] std::string difference_table(const std::vector<SourceRun>& runs);

/// A line for each text with the files that say it, of many the first ones and how many more.
[[nodiscard]] std::string files_by_text(const std::map<std::string, std::vector<std::string>>& files);

/// Adds to the facts of a merged run in what its runs differ and were merged by force all the same.
void add_force(Run& merged, const std::string& difference);

/// Whether a run came to its end; a result CSV does not tell of an end, and counts as ended, as does what is
/// merged of such.
[[nodiscard]] bool has_ended(const Run& run);
/// Whether it was read from a file that is no database.
[[nodiscard]] bool is_imported(const Run& run);

/// The runs in an order that depends on nothing but themselves: the oldest first, of those that began within
/// a second by number of launch, and last those whose start is not known. A run found in several files is
/// taken once, from where most is known of it.
/// @param notes gets a line for each run found more than once
[[nodiscard]] std::vector<SourceRun> in_canonical_order(std::vector<SourceRun> runs,
                                                        std::vector<std::string>& notes);

/// The facts that runs have in common: the run row of a merged database, and of a report on several launches.
/// Texts that they do not agree on are differs_between_runs; it has ended when all of them have.
/// @param runs in canonical order, not empty  @param forced says so in the facts
[[nodiscard]] Run merged_run(const std::vector<SourceRun>& runs, const MergeWay& way, bool forced = false);

/// Whether a fact of a merged run is what merged_run() says of one of its runs.
[[nodiscard]] bool is_source_fact(std::string_view name);

/// What a merged run says of one of its runs.
struct ToldSource {
    std::string started_utc;    ///< empty = not known
    bool own_start = true;      ///< as of SourceRun
    int launch = 0;             ///< as of Run
    double measuring_share = 0; ///< as of Run; of a file of an earlier version that of the merged run
    std::string ended_utc;      ///< empty = it has not, or nobody knows when
    std::string imported_from;  ///< as of SourceRun
};

/// What a merged run says of its runs, by uuid, as far as its facts tell.
[[nodiscard]] std::map<std::string, ToldSource> told_sources(const Run& merged);

/// Whether a uuid is one that merged_run() makes: version 8, from the uuids of the runs merged, so that
/// merging the same runs gives the same uuid.
[[nodiscard]] bool is_merged_uuid(std::string_view uuid);

} // namespace skampi
