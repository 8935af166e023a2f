// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <optional>

namespace skampi {

/// How well values are to be known: launches are repeated until they are.
struct Precision {
    double half_width = 0; ///< of a value's interval between launches, by the value; 0 = not asked for
    double share = 0.9;    ///< of the points of each suite
    std::optional<double> time_s = std::nullopt; ///< after which no launch begins; none = not given
    [[nodiscard]] bool asked_for() const { return half_width > 0; }
};

} // namespace skampi
