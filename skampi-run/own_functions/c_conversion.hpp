// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "model/kinds.hpp"

#include <string>
#include <vector>

namespace skampi {

// What both C interfaces take alike.

/// A text of C; null is the empty one.
[[nodiscard]] inline std::string text_from_c(const char* text) {
    return text == nullptr ? "" : text;
}

/// The bits of enum skampi_varied and enum skampi_mpi_varied.
enum VariedBit : unsigned { length_bit = 1, nodes_bit = 2, chunks_bit = 4, argument_bit = 8 };

/// What can be varied, the usual one first. @param bits a sum of them; 0 = nothing
[[nodiscard]] inline std::vector<Varied> varied_from_c(unsigned bits) {
    std::vector<Varied> varied;
    if ((bits & length_bit) != 0)
        varied.push_back(Varied::message_length);
    if ((bits & nodes_bit) != 0)
        varied.push_back(Varied::nodes);
    if ((bits & chunks_bit) != 0)
        varied.push_back(Varied::chunks);
    if ((bits & argument_bit) != 0)
        varied.push_back(Varied::argument);
    if (varied.empty())
        varied.push_back(Varied::none);
    return varied;
}

} // namespace skampi
