// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "model/measurement.hpp"
#include "model/suite.hpp"

#include <limits>
#include <string>
#include <string_view>

namespace skampi {

/// One row of the view `result` and of result CSV files: which run, the fields of suite and measurement that
/// are in_result (the others are at their defaults), and what else is known about the value.
struct ResultRow {
    std::string run; ///< uuid
    Suite suite;
    Measurement measurement;
    int launches = 1; ///< that the value rests on
    /// Ends of the value's error, in seconds; not a number where it is not known.
    double low = std::numeric_limits<double>::quiet_NaN();
    double high = std::numeric_limits<double>::quiet_NaN();
    std::string error; ///< what it is: a name of ErrorKind; empty = not known
    double interval_confidence =
        0; ///< of an interval between launches; 0 = it has no level, or is no interval
    double half_round_trip_s = std::numeric_limits<double>::quiet_NaN(); ///< where the value is a round trip
    double bandwidth = std::numeric_limits<double>::quiet_NaN();         ///< bytes per second
    double bus_bandwidth = std::numeric_limits<double>::quiet_NaN();     ///< likewise (bus_bandwidth.hpp)
    std::string host;                                                    ///< these three of the run
    std::string mpi_library;
    std::string started_utc;
    std::string kind = "raw";
    std::string variant; ///< likewise
    int round = 0;       ///< of a session of variants in turns, from 1; 0 = none
};

/// Whether a column holds a setting of a suite that its file did not tell.
[[nodiscard]] inline bool is_unknown(const ResultRow& row, std::string_view column) {
    bool unknown = false;
    for_each_field(row.suite, [&](const SuiteField& field, const auto&) {
        unknown = unknown || (field.is(in_result) && column == field.name && is_unknown(row.suite, column));
    });
    return unknown;
}

/// The columns, in their order.
template <MaybeConst<ResultRow> Row, typename Visitor>
void for_each_field(Row& row, Visitor&& field) {
    field({"run", "uuid of the run"}, row.run);
    field({"suite", "name of the suite"}, row.suite.name);
    for_each_field(row.suite, [&field](const SuiteField& any, auto&& value) {
        if (any.is(in_result))
            field(any, value); // as of a suite: it may be unknown
    });
    for_each_field(row.measurement, [&field](const Field& any, auto&& value) {
        if (any.is(in_result))
            field(any, value);
    });
    field({"launches", "that the value rests on"}, row.launches);
    field({"low", "lower end of the error of the value, in seconds"}, row.low);
    field({"high", "upper end"}, row.high);
    field({"error", "what the error is: interval, range, repeatability, ..."}, row.error);
    field({"interval_confidence", "level of an interval; 0 = none can be given"}, row.interval_confidence);
    field({"half_round_trip_s", "where the value is a round trip"}, row.half_round_trip_s);
    field({"bandwidth", "in bytes per second"}, row.bandwidth);
    field({"bus_bandwidth", "in bytes per second; what a link carries, whatever the number of ranks"},
          row.bus_bandwidth);
    field({"host", "rank 0's"}, row.host);
    field({"mpi_library", ""}, row.mpi_library);
    field({"started_utc", ""}, row.started_utc);
    field({"kind", "of the run: raw or merged"}, row.kind);
    field({"variant", "of the run"}, row.variant);
    field({"round", "of its session of variants in turns; 0 = none"}, row.round);
}

} // namespace skampi
