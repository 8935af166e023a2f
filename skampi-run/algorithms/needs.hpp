// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "algorithms/choice.hpp"

#include <string>
#include <string_view>

namespace skampi {

/// What is known of an algorithm besides its name: no library says it.
struct Caution {
    Need need = Need::nothing;
    std::string_view note;
};

/// From a table with the source of each row. An algorithm that is not in it may have needs all the same.
[[nodiscard]] Caution caution_of(const AlgorithmChoice& choice);

} // namespace skampi
