#pragma once

#include "terminal/progress_kind.hpp"

#include <cstdio>
#include <string>

namespace skampi {

/// Takes a bar off its line of the terminal.
constexpr const char* clear_line = "\r\x1b[K";

/// Whether a bar is drawn on the terminal behind an output.
[[nodiscard]] bool shows_bar(ProgressKind kind, std::FILE* out);

/// "[###.....]  82 %  suite 4/9 MPI_Bcast  0:12 left", less than the terminal is wide.
/// @param done 0..1   @param place the text that is cut where there is little room
[[nodiscard]] std::string bar_line(double done, const std::string& place, const std::string& left,
                                   int columns);

} // namespace skampi
