// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "merge/merge_suite.hpp"
#include "merge/merged_plan.hpp"
#include "merge/run_group.hpp"
#include "options.hpp"
#include "store/connection.hpp"
#include "store/database.hpp"

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace skampi {

/// The contents of the input files. Each file is opened and read once; the measurements wait in a temporary
/// database until their suite is merged.
class Inputs {
public:
    /// Reads them all.
    /// @param selection for its series the files are opened once more
    /// @param output for messages; may be empty
    /// @param advanced called with the number of bytes read so far, and of all
    /// @throws InputError for a merged run without the values of its runs, and for a run selected that no
    /// file has
    Inputs(const std::vector<std::string>& paths, const RunSelection& selection, const std::string& output,
           const std::function<void(double bytes, double of)>& advanced);

    /// All runs; in place of a merged run, its sources.
    [[nodiscard]] const std::vector<SourceRun>& runs() const { return runs_; }
    /// The same, moved out.
    [[nodiscard]] std::vector<SourceRun> take_runs() { return std::move(runs_); }
    /// A line for each run that is not complete.
    [[nodiscard]] const std::vector<std::string>& warnings() const { return warnings_; }

    /// The suites of a run, or of the merged run that it is a source of, in the order of its plan. Their ids
    /// are not those of the file.
    [[nodiscard]] std::vector<StoredSuite> suites(const SourceRun& run) const;
    /// The uuids of all sources of the merged run that this run comes from; none for a raw run.
    [[nodiscard]] const std::set<std::string>& members(const SourceRun& run) const;
    /// Its events, except those that only inform.
    [[nodiscard]] std::vector<Event> events(const SourceRun& run) const;
    /// The finished measurements of one of these suites, by uuid of the run; for a raw run its own. They are
    /// loaded from this object on demand.
    [[nodiscard]] std::map<std::string, LazyCurve> curves(const SourceRun& run, SuiteId suite) const;

private:
    /// A run as it is in a file.
    struct Stored {
        std::int64_t number = 0;
        std::set<std::string> members; ///< uuids of all runs that it was merged from
    };
    void read_run(const Database& database, RunId id, const std::string& path, std::size_t input,
                  const Run& run);

    [[nodiscard]] const Stored& stored(const SourceRun& run) const {
        return stored_.at({run.input, run.stored});
    }

    std::unique_ptr<Connection> waiting_;
    std::vector<SourceRun> runs_;
    std::vector<std::string> warnings_;
    std::map<std::pair<std::size_t, RunId>, Stored> stored_; ///< by input file and id in it
};

/// The paths, each file once: of several names of a file the first in alphabetical order, so that the order
/// of the paths makes no difference.
/// @param notes gets a line for each name left out
[[nodiscard]] std::vector<std::string> each_file_once(const std::vector<std::string>& paths,
                                                      std::vector<std::string>& notes);

/// @throws InputError if a run is in two files with different values
void refuse_contradicting_copies(Inputs& inputs);

/// The suites of all runs, and their ids in each run.
struct Plan {
    MergedPlan merged;
    std::vector<std::vector<SuiteId>> ids; ///< per run, by place in the plan
};
[[nodiscard]] Plan make_plan(Inputs& inputs, const std::vector<SourceRun>& runs);

/// The curves of all runs for one suite of the plan.
/// @param inputs outlive it
[[nodiscard]] std::vector<LazyCurve> read_suite(Inputs& inputs, const std::vector<SourceRun>& runs,
                                                const Plan& plan, std::size_t place);

[[nodiscard]] std::vector<Event> events_worth_keeping(Inputs& inputs, const std::vector<SourceRun>& runs);

} // namespace skampi
