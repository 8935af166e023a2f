// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "launches/subject.hpp"

#include <string>
#include <vector>

namespace skampi {

// Times of launches as Extra-P reads them, modelled over ranks (p) and message lengths (m): those of the two
// that vary. A region is a suite.

struct ExtraPText {
    std::string text;
    std::vector<std::string> missing; ///< what is left out, one line each
    std::vector<std::string> notes;   ///< where Extra-P asks for more values of a parameter, or more launches
};

/// Its text format, in which all regions have the same points: those that the suites have in common.
/// @throws InputError where they have none
[[nodiscard]] ExtraPText extra_p_text(const std::vector<Subject>& subjects);

/// Its JSON lines: all points. @throws InputError where nothing varies
[[nodiscard]] ExtraPText extra_p_lines(const std::vector<Subject>& subjects);

} // namespace skampi
