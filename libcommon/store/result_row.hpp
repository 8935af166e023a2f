#pragma once

#include "model/measurement.hpp"
#include "model/suite.hpp"

#include <string>

namespace skampi {

/// One row of the view `result` and of result CSV files: which run, and the fields of suite and measurement
/// that are in_result; the others are at their defaults.
struct ResultRow {
    std::string run; ///< uuid
    Suite suite;
    Measurement measurement;
};

/// The columns, in their order.
template <MaybeConst<ResultRow> Row, typename Visitor>
void for_each_field(Row& row, Visitor&& field) {
    field({"run", "uuid of the run"}, row.run);
    field({"suite", "name of the suite"}, row.suite.name);
    const auto if_in_result = [&field](const Field& any, auto&& value) {
        if (any.is(in_result))
            field(any, value);
    };
    for_each_field(row.suite, if_in_result);
    for_each_field(row.measurement, if_in_result);
}

} // namespace skampi
