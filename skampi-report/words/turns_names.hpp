#pragma once

#include "analysis/turns.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace skampi {

// What sentences about variants in turns call things.

/// Of the variant at a place in the session.
[[nodiscard]] std::string variant_name(const Turns& turns, std::size_t place);
[[nodiscard]] std::string reference_name(const Turns& turns);
[[nodiscard]] std::string turns_suite_name(const TurnsSuite& suite);
/// "a, b and c"; of many the first few and how many more.
[[nodiscard]] std::string few_names(const std::vector<std::string>& all);
/// "2.0 %"
[[nodiscard]] std::string margin_text(const Turns& turns);

} // namespace skampi
