// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace skampi {

/// ` (did you mean "X"?)` or ` (did you mean "X" or "Y"?)` for the known names nearest to what was written,
/// as a whole or to a part of them, without regard to case and to `*`; at most three, empty when none is
/// near.
[[nodiscard]] std::string did_you_mean(std::string_view written, std::span<const std::string_view> known);

} // namespace skampi
