// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "laboratory/laboratory.hpp"
#include "store/database.hpp"
#include "suite/suite_run.hpp"

#include <map>
#include <optional>
#include <string>

namespace skampi {

using Facts = std::map<std::string, std::string>;

/// A suite of a run whose measurement has begun: stores what is found out about it, and how it ends.
class SuiteRecord {
public:
    /// @param database must outlive this
    SuiteRecord(Database& database, RunId run, StoredSuite stored);

    /// @param here which ranks run where now
    /// @param given_up_in round in which its session gave up windows; none = it did not, or the plan asks for
    /// them
    /// @param planned facts of what is due of it, where a supervisor planned that
    /// @return what the laboratory needs to know of its former starts
    [[nodiscard]] Facts begin(const std::string& here, std::optional<int> given_up_in, const Facts& planned);
    /// Who takes part, before anything that was measured of them.
    void keep_ranks(Laboratory& laboratory);
    /// What came of it. @param findings on its algorithm
    void keep_outcome(const SuiteOutcome& outcome, const Facts& findings, Laboratory& laboratory);
    /// @param retries how often a suite with an error of MPI is begun anew
    void end(const SuiteOutcome& outcome, int retries);

    [[nodiscard]] const StoredSuite& stored() const { return stored_; }
    [[nodiscard]] const Suite& suite() const { return stored_.suite; }
    [[nodiscard]] bool has_fact(const std::string& name) const { return facts_.contains(name); }

private:
    void add_event(const std::string& kind, const std::string& text);
    void begin_values_anew();
    void keep_laboratory_facts(Laboratory& laboratory, bool at_end);
    void keep_curve(const SuiteOutcome& outcome);
    void keep_refusals(const SuiteOutcome& outcome);

    Database& database_;
    RunId run_;
    StoredSuite stored_;
    Facts facts_;
};

} // namespace skampi
