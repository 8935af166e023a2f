#pragma once

#include <span>
#include <string>
#include <string_view>

namespace skampi {

/// ` (did you mean "X"?)` for the known name nearest to what was written, by edit distance without regard to
/// case; empty when none is near. The first of equally near names is taken.
[[nodiscard]] std::string did_you_mean(std::string_view written, std::span<const std::string_view> known);

} // namespace skampi
