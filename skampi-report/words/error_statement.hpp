#pragma once

#include "model/measured_value.hpp"
#include "model/quantity.hpp"
#include "store/database.hpp"

#include <optional>
#include <string>

namespace skampi {

/// Error bar of a point: the interval between launches where the merge gives one, else value +- standard
/// error.
struct ErrorBar {
    double low = 0;
    double high = 0;
};
[[nodiscard]] ErrorBar error_bar(const StoredMeasurement& point);

/// "unsettled, several modes": flags as a reader of the report has them; empty for none.
[[nodiscard]] std::string flag_text(Flags flags);

/// What the error of a value means, said in words with the numbers.
struct ErrorStatement {
    std::optional<double> low; ///< in the unit of the value; none = nothing can be said
    std::optional<double> high;
    std::string numbers; ///< "± 1.2 ns", "1.20 µs to 1.31 µs"; may be empty
    std::string kind;    ///< "repeatability within this run", "96.9 % interval of the median of 6 launches"
    /// "± 1.2 ns (repeatability within this run)"
    [[nodiscard]] std::string text() const;
};

/// @param factor the value shown is this times the measured time (half of a round trip: 0.5)
[[nodiscard]] ErrorStatement error_statement(const StoredMeasurement& point,
                                             TimeUnit unit = TimeUnit::automatic, double factor = 1);

} // namespace skampi
