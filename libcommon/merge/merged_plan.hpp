// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "store/database.hpp"

#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace skampi {

/// The suites of several runs that belong together: the plan of the merged run, and the state of each
/// suite.
class MergedPlan {
public:
    struct PlannedSuite {
        /// As its first run planned it. Its facts are those that all runs with the suite share. It is
        /// finished only if all of them finished it; else SuiteMerge::unfinished did not, and state and
        /// reason are those of the worst.
        StoredSuite stored;

    private:
        friend class MergedPlan;
        std::string file; ///< of the first run
    };

    /// How a run's suite of the plan's name measures something else, or that it has none of a family of imported
    /// suites: their names hold what the text states of them. Empty = it does not.
    [[nodiscard]] std::string difference(const std::vector<StoredSuite>& suites) const;

    /// Takes in the suites of one more run, or of a merged run of so many launches.
    /// @param file it was read from, for messages
    /// @param counted_elsewhere of a merged run, by suite: the launches that did not end it, but are taken
    /// from files of their own and not among its launches here
    /// @return where it has each suite of the plan: their ids by place in the plan, 0 = it lacks the suite
    /// @throws InputError where it has a suite that measures something else under the same name
    std::vector<SuiteId> add(const std::vector<StoredSuite>& suites, const std::string& file,
                             int launches = 1, const std::map<std::string, int>& counted_elsewhere = {});

    [[nodiscard]] const std::vector<PlannedSuite>& suites() const { return suites_; }

private:
    /// The first suite of the plan that a difference is of, and the difference.
    [[nodiscard]] std::pair<const PlannedSuite*, std::string>
    first_difference(const std::vector<StoredSuite>& suites) const;

    std::vector<PlannedSuite> suites_;
    std::map<std::string, std::size_t> places_;
};

/// Marks a planned suite without a value in any run: it failed if all runs ended it.
void no_value(StoredSuite& suite);

/// The events of several runs that a reader must know, each once.
class MergedEvents {
public:
    void add(std::vector<Event> events);
    [[nodiscard]] std::vector<Event>& events() { return events_; }

private:
    std::vector<Event> events_;
    std::set<std::tuple<std::string, std::string, std::string>> known_;
};

} // namespace skampi
