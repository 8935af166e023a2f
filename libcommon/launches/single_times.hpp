// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "launches/subject.hpp"

#include <cstdint>
#include <functional>
#include <vector>

namespace skampi {

class Database;

/// The single measurements of a suite at one argument, of all launches shown, including disturbed ones,
/// because the tail is of interest.
struct SingleTimes {
    std::int64_t argument = 0;
    std::vector<double> times_s; ///< ascending, not empty; in seconds per call, the overhead subtracted
};

/// Ascending argument; empty where none is kept: in merged databases, and with Samples = summary.
/// @param database the subject's  @param curve of the subject
[[nodiscard]] std::vector<SingleTimes> single_times(const Database& database, const Subject& subject,
                                                    const Curve& curve);

/// Asks for them.
using SingleTimesOf = std::function<std::vector<SingleTimes>(const Subject& subject, const Curve& curve)>;

} // namespace skampi
