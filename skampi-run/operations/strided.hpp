// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <cstdint>

namespace skampi {

/// A message in an array: blocks of equal length at equal distances, the last one shorter where the length
/// does not divide the number of elements. In elements.
struct Strided {
    std::int64_t begin = 0;
    std::int64_t block = 1;
    std::int64_t stride = 1;
    [[nodiscard]] std::int64_t at(std::int64_t element) const {
        return begin + element / block * stride + element % block;
    }
};

} // namespace skampi
