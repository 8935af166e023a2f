// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "contest/algorithm_groups.hpp"
#include "contest/contest.hpp"
#include "contest/contract.hpp"
#include "contest/session_contest.hpp"
#include "document/content.hpp"
#include "formats/format.hpp"
#include "launches/read_subjects.hpp"
#include "launches/single_times.hpp"
#include "store/database.hpp"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace skampi {

/// What a report on databases shows.
struct RunOptions {
    std::vector<std::string> databases; ///< or Cube statistics files; the baseline, if any, is the last
    std::vector<std::string> suites;    ///< globs of their names; empty = all
    std::vector<std::string> runs;      ///< uuids or groups; empty = as read_subjects() chooses
    const Format* format = nullptr;     ///< null for a site and an extract
    std::string title;
    std::string content;                  ///< a content file; empty = none
    std::vector<std::string> versus = {}; ///< suites to compare with the first of them
    std::string reference;     ///< a database whose reference adjusted values refer to; empty = the first's
    bool box_plots = false;    ///< of the single measurements
    bool raw = false;          ///< of .csv the rows of all runs, as they are stored
    bool full = false;         ///< on a terminal and on paper all that there is
    bool compares = false;     ///< the databases, or runs of one, against one another
    bool has_baseline = false; ///< the last database is the baseline of all others
    std::vector<std::string> fail_if; ///< gates, as they were given
    std::string contract = {};        ///< file of promises; empty = none
    double gain = 0.05;               ///< smallest that an algorithm must have, as a share
};

/// What databases hold, read when it is asked for: runs and series, a study over ranks, the variants of a
/// session with what its rounds say, or algorithms.
class RunSource : public ReportSource {
public:
    /// @param options outlive it @throws StoreError, InputError
    explicit RunSource(const RunOptions& options);

    Document document(Medium medium) override;
    std::string csv(std::size_t most_bytes) override;
    std::string json() override;
    const std::vector<Subject>& subjects() override;
    const Subject& only_subject(const char* ending) override;
    const AlgorithmFindings* algorithms() override { return algorithms_.get(); }
    const Database& only_database() override;

    /// The subjects as readers see them: data files hold whole round trips, in units of their own.
    const std::vector<Subject>& shown();
    /// Whether a file holds them is found by asking.
    [[nodiscard]] SingleTimesOf single_times_of();
    /// Made once, for gates, data and document.
    const std::vector<Contest>& comparisons();
    /// What the rounds of the newest session say; null = the databases are no session's, or too few variants
    /// of it were launched.
    [[nodiscard]] const SessionContest* turns() const { return turns_ ? &*turns_ : nullptr; }

    /// What the subjects keep of the contract, made once; empty = there is none.
    const std::vector<PromiseFinding>& promises();

private:
    void read_turns();
    void read_variants();
    [[nodiscard]] bool shows_studies() const;
    void read();
    void reduce_all();

    const RunOptions& options_;
    Content content_;
    std::vector<Database> databases_;
    std::vector<std::string> links_; ///< databases of pairs of nodes, for a contract
    std::optional<SessionLaunches> session_;
    std::optional<SessionContest> turns_;                 ///< of the session; none = the report shows none
    std::unique_ptr<const AlgorithmFindings> algorithms_; ///< null = the report shows none
    std::vector<Subject> subjects_;
    std::vector<Subject> adapted_; ///< to what the content file asks for; empty = nothing
    std::optional<std::vector<Contest>> comparisons_;
    std::vector<Promise> contract_;
    std::optional<std::vector<PromiseFinding>> promises_;
};

} // namespace skampi
