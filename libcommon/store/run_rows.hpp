// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "model/stored.hpp"
#include "store/checksum.hpp"
#include "store/connection.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace skampi {

/// Compares the checksum in a row with that of what was read. @throws StoreError where they differ
void compare_checksums(const Connection& connection, std::int64_t stored, std::int64_t computed,
                       const std::string& what);

/// The rows of runs and suites, with their facts, ranks, events and clock estimates.
class RunRows {
public:
    /// @param connection outlives this
    explicit RunRows(const Connection& connection)
        : connection_(connection) {}

    // --- writing; checksums are made by seal_run() and seal_suite()
    [[nodiscard]] RunId insert_run(const Run& run) const;
    void replace_run(RunId id, const Run& run) const;
    void insert_event(RunId run, const Event& event) const;
    [[nodiscard]] SuiteId insert_suite(RunId run, int ordinal, const Suite& suite) const;
    void replace_suite(SuiteId id, const Suite& suite, SuiteState state) const;
    void replace_suite_facts(SuiteId id, const std::map<std::string, std::string>& facts) const;
    void add_clock_estimates(SuiteId id, const std::vector<ClockEstimate>& estimates) const;
    /// Counts what belongs to a run or suite and makes its checksum. Does nothing where there is none.
    void seal_run(RunId id) const;
    void seal_suite(SuiteId id) const;

    // --- reading
    /// Whether all runs that were ever stored are there. @throws StoreError where one is missing
    void check_inventory() const;
    [[nodiscard]] Run run(RunId id) const;
    [[nodiscard]] std::vector<Event> events(RunId id) const; ///< in the order they happened
    [[nodiscard]] StoredSuite suite(SuiteId id) const;
    [[nodiscard]] std::vector<StoredSuite> suites(RunId id) const; ///< plan order
    /// "uuid of the run, name" of a suite, by which its measurements know it.
    [[nodiscard]] const std::string& identity_of(SuiteId suite) const;
    /// After a change was undone: a number may mean another suite the next time.
    void forget_identities() const { identities_.clear(); }

private:
    /// A suite without its facts and clock estimates, and what its row says of its checksum.
    struct SuiteRow {
        StoredSuite stored;
        std::int64_t measurements = 0;
        std::int64_t checksum = 0;
    };

    void take_into_inventory(const std::string& run_uuid) const;
    void insert_facts(const char* table, const char* key, std::int64_t id,
                      const std::map<std::string, std::string>& facts) const;
    [[nodiscard]] std::map<std::string, std::string> facts(const char* table, const char* key,
                                                           std::int64_t id) const;
    void replace_parts(RunId id, const Run& run) const;
    template <typename Row>
    void replace_rows(const char* table, RunId id, const std::vector<Row>& rows) const;
    template <typename Row>
    [[nodiscard]] std::vector<Row> rows_of(const char* table, RunId id) const;
    [[nodiscard]] std::vector<ClockEstimate> clock_estimates(SuiteId id) const;
    [[nodiscard]] Run run_row(RunId id, std::int64_t& checksum) const;
    [[nodiscard]] RunParts parts_of(RunId id) const;
    /// @param which "WHERE id = ?"
    [[nodiscard]] std::vector<SuiteRow> suite_rows(std::string_view which, std::int64_t id) const;
    void read_parts(StoredSuite& suite) const;

    const Connection& connection_;
    mutable std::map<SuiteId, std::string> identities_; ///< of suites; they never change
};

} // namespace skampi
