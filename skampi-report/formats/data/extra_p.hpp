// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "formats/exchange/report_text.hpp"
#include "launches/subject.hpp"

#include <string>
#include <vector>

namespace skampi {

// Times of launches as Extra-P reads them, modelled over ranks (p) and message lengths (m): those of the two
// that vary. A region is a suite. The notes say where Extra-P asks for more values of a parameter, or
// launches.

/// Its text format, in which all regions have the same points: those that the suites have in common.
/// @throws InputError where they have none
[[nodiscard]] ReportText extra_p_text(const std::vector<Subject>& subjects);

/// Its JSON lines: all points. @throws InputError where nothing varies
[[nodiscard]] ReportText extra_p_lines(const std::vector<Subject>& subjects);

} // namespace skampi
