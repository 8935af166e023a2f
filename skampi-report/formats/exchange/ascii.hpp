// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "launches/subject.hpp"

#include <string>

namespace skampi {

/// The run as skampi.out, the ASCII form of the first SKaMPI: @ header lines, then per suite a rule, its name
/// in
/// /*@in..._NAME.ski*/, description lines with #, and rows `argument time error count time error count [node
/// times]`: the first three over all single measurements, the second three after the cut, times in
/// microseconds, and #eol. All rows of a suite have as many columns as its line of titles: where a rank has
/// no time at an argument stands "nan".
[[nodiscard]] std::string ascii_report(const Subject& subject);

} // namespace skampi
