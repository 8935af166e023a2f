// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <fmt/format.h>
#include <string>

namespace skampi {

/// Hands out names for figures: "f001", "f002", ...
class FigureNames {
public:
    [[nodiscard]] std::string next() { return fmt::format("f{:03}", ++count_); }

private:
    int count_ = 0;
};

} // namespace skampi
