#pragma once

#include "analysis/subject/subject.hpp"

#include <cstddef>

namespace skampi {

/// Two curves in modes of the machine that both saw.
struct InCommonModes {
    Curve first;
    Curve second;
    std::size_t points =
        0; ///< of the first that say something else than those shown; 0 = the curves are empty
    std::size_t apart = 0;    ///< of these: the values shown are of different modes
    std::size_t states = 0;   ///< of the machine that those apart are of now
    bool by_one_rule = false; ///< found by in_common_launches(), which did not fall back
    /// What is compared: what is of one state, where there is any, else the curve as it is shown.
    [[nodiscard]] const Curve& first_or(const Curve& shown) const { return points > 0 ? first : shown; }
    [[nodiscard]] const Curve& second_or(const Curve& shown) const { return points > 0 ? second : shown; }
};
/// Where probes say that the values of two curves at an argument (between two of the second curve's, where it
/// lacks the argument) are of different modes, and both sides have launches in one mode, the values,
/// intervals and launches of that mode take their places: like is compared with like, whichever mode most
/// launches happened to hit. It is the state in which the sides with fewer launches have most of them, over
/// all these arguments together; where a side does not know that state, the next such one. What is of one
/// mode already is left alone.
[[nodiscard]] InCommonModes in_common_modes(const Curve& first, const Curve& second);

} // namespace skampi
