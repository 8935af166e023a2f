#pragma once

#include "merge/merge_suite.hpp"
#include "merge/merged_plan.hpp"
#include "merge/run_group.hpp"
#include "store/database.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace skampi {

/// The input files. Some are kept open; beyond those they are opened anew whenever another one is read.
class Inputs {
public:
    explicit Inputs(std::vector<std::string> paths);

    [[nodiscard]] std::size_t size() const { return paths_.size(); }
    [[nodiscard]] const std::string& path(std::size_t input) const { return paths_[input]; }
    /// Whether all stay open, so that nothing is won by reading much of one at once.
    [[nodiscard]] bool all_stay_open() const;

    /// Hands the opened file to a function and returns what that returns.
    template <typename Use>
    auto read(std::size_t input, Use&& use) {
        return use(std::as_const(opened(input)));
    }

private:
    Database& opened(std::size_t input);

    std::vector<std::string> paths_;
    std::vector<std::optional<Database>> open_;
    std::optional<Database> last_; ///< of those that are not kept open
    std::size_t last_input_ = 0;
};

/// All runs in the inputs; of a merged one the runs it was made of.
/// @param series_of uuid of a run: only runs of its series; empty = all
/// @param warnings gets a line for each run that is not complete
/// @throws InputError for a merged run that does not hold the values of its runs
[[nodiscard]] std::vector<SourceRun> runs_in(Inputs& inputs, const std::string& series_of,
                                             std::vector<std::string>& warnings);

/// @throws InputError where a run is in two files with different values
void refuse_contradicting_copies(Inputs& inputs, const std::vector<SourceRun>& runs);

/// The suites of all runs, and where each run has them.
struct Plan {
    MergedPlan merged;
    std::vector<std::vector<SuiteId>> ids; ///< per run, by place in the plan
};
[[nodiscard]] Plan make_plan(Inputs& inputs, const std::vector<SourceRun>& runs);

/// What all runs measured in some suites of the plan, [suite - first][run]; each file is read once.
[[nodiscard]] std::vector<std::vector<SuiteCurve>> read_suites(Inputs& inputs,
                                                               const std::vector<SourceRun>& runs,
                                                               const Plan& plan, std::size_t first,
                                                               std::size_t count);

[[nodiscard]] std::vector<Event> events_worth_keeping(Inputs& inputs, const std::vector<SourceRun>& runs);

} // namespace skampi
