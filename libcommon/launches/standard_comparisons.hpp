// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "launches/comparable.hpp"
#include "launches/subject.hpp"

#include <vector>

namespace skampi {

/// A row of the paper's standard list of comparisons (appendix A, 6.1 - 6.15).
struct StandardPair {
    const Curve* first = nullptr;
    const Curve* second = nullptr;
    OnPurpose on_purpose;
};

/// Those of the standard list for which the subject has both suites with points, in the list's order.
[[nodiscard]] std::vector<StandardPair> standard_comparisons(const Subject& subject);

} // namespace skampi
