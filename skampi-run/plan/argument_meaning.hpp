// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "model/suite.hpp"

#include <cstdint>

namespace skampi {

/// What an argument of a suite stands for: how many ranks, how long the messages, how many chunks.
struct ArgumentMeaning {
    int ranks = 1;
    std::int64_t message_bytes = 0;
    std::int64_t chunks = 0;
};

/// @param ranks_there of the run
[[nodiscard]] ArgumentMeaning meaning_of(const Suite& suite, std::int64_t argument, int ranks_there);

} // namespace skampi
