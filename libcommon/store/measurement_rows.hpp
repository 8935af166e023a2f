// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "model/stored.hpp"
#include "store/connection.hpp"
#include "store/run_rows.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace skampi {

/// The rows of measurements, with their modes, node times, sources and batches.
class MeasurementRows {
public:
    /// @param connection and suites outlive this
    MeasurementRows(const Connection& connection, const RunRows& suites)
        : connection_(connection)
        , suites_(suites) {}

    /// Where a measurement is, and how many batches belong to it.
    struct Place {
        SuiteId suite = 0;
        bool finished = false;
        std::int64_t batches = 0;
    };

    // --- writing; the suite's checksum is the caller's business
    /// Under its id; where that is 0 under a new one.
    [[nodiscard]] MeasurementId insert(SuiteId suite, const StoredMeasurement& stored) const;
    void replace(MeasurementId id, const StoredMeasurement& stored, const Place& place) const;
    /// Adds batches behind those of the place. @param argument of the measurement
    void insert_batches(MeasurementId id, const Place& place, std::int64_t argument,
                        const std::vector<Batch>& batches) const;
    void drop_batches(SuiteId suite, const StoredMeasurement& stored) const;

    // --- reading
    /// @throws StoreError when there is none
    [[nodiscard]] Place place_of(MeasurementId id) const;
    /// The measurement that a suite has at an argument.
    [[nodiscard]] std::optional<MeasurementId> at(SuiteId suite, std::int64_t argument) const;
    /// Ascending argument; the sources of one merged measurement are in memory at a time.
    void for_each(SuiteId suite, const std::function<void(StoredMeasurement&&)>& take) const;
    [[nodiscard]] std::vector<Batch> batches(MeasurementId id) const; ///< in the order made

private:
    struct Read;

    void insert_parts(MeasurementId id, const StoredMeasurement& stored) const;
    void insert_sources(MeasurementId id, const std::vector<Source>& sources) const;
    [[nodiscard]] std::vector<Source> sources_of(MeasurementId id) const;
    [[nodiscard]] std::vector<Read> rows_of(SuiteId suite) const;
    void compare_count(SuiteId suite, std::int64_t found) const;
    void read_parts(SuiteId suite, std::vector<Read>& rows) const;
    /// What its batches are part of: "uuid of the run, name of the suite, argument".
    [[nodiscard]] std::string identity_of(SuiteId suite, std::int64_t argument) const {
        return suites_.identity_of(suite) + '\n' + std::to_string(argument);
    }

    const Connection& connection_;
    const RunRows& suites_;
};

} // namespace skampi
