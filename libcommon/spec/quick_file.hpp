// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <string_view>

namespace skampi {

/// The parameter file that is used where none is named: a short look at the MPI library, made for two ranks.
[[nodiscard]] std::string_view quick_parameter_file();

/// The same with half a second for a suite, for variants in turns: their rounds scatter because launches
/// differ, so more rounds are better than longer ones.
[[nodiscard]] std::string_view quick_parameter_file_in_turns();

/// With more ranks half a second is too short for the longest messages of some collectives.
inline constexpr int most_ranks_in_turns = 8;

} // namespace skampi
