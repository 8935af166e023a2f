#pragma once

#include "model/measurement.hpp"
#include "model/suite.hpp"

#include <limits>
#include <string>

namespace skampi {

/// One row of the view `result` and of result CSV files: which run, the fields of suite and measurement that
/// are in_result (the others are at their defaults), and what else is known about the value.
struct ResultRow {
    std::string run; ///< uuid
    Suite suite;
    Measurement measurement;
    int launches = 1; ///< that the value rests on
    /// Between launches; not a number where there is none.
    double interval_low_s = std::numeric_limits<double>::quiet_NaN();
    double interval_high_s = std::numeric_limits<double>::quiet_NaN();
    double interval_confidence = 0;
    double half_round_trip_s = std::numeric_limits<double>::quiet_NaN(); ///< where the value is a round trip
    double bandwidth = std::numeric_limits<double>::quiet_NaN();         ///< bytes per second
    std::string host;                                                    ///< these three of the run
    std::string mpi_library;
    std::string started_utc;
    std::string kind = "raw";
    std::string variant; ///< likewise
    int round = 0;       ///< of a session of variants in turns, from 1; 0 = none
};

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
    field({"interval_low_s", "between launches"}, row.interval_low_s);
    field({"interval_high_s", ""}, row.interval_high_s);
    field({"interval_confidence", "its level; 0 = none can be given"}, row.interval_confidence);
    field({"half_round_trip_s", "where the value is a round trip"}, row.half_round_trip_s);
    field({"bandwidth", "in bytes per second"}, row.bandwidth);
    field({"host", "rank 0's"}, row.host);
    field({"mpi_library", ""}, row.mpi_library);
    field({"started_utc", ""}, row.started_utc);
    field({"kind", "of the run: raw or merged"}, row.kind);
    field({"variant", "of the run"}, row.variant);
    field({"round", "of its session of variants in turns; 0 = none"}, row.round);
}

} // namespace skampi
