// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <cstdio>
#include <optional>
#include <string>

namespace skampi {

/// A terminal that shows the output.
struct Terminal {
    int columns = 80;
};

/// The terminal behind an output (and behind standard error): its own, or, as launchers lead the ranks'
/// output through pipes, the one that the launcher writes to. Other ranks than those of the launcher's host
/// see none.
/// @param out standard output or standard error under a launcher; else any
[[nodiscard]] std::optional<Terminal> terminal_behind(std::FILE* out);

/// How progress is shown (--progress).
enum class ProgressKind {
    automatic, ///< a bar on a terminal
    bar,
    json, ///< one JSON object a line on standard output
    off,
};

/// Takes a bar off its line of the terminal.
constexpr const char* clear_line = "\r\x1b[K";

/// The output whose terminal gets a bar: this one, or standard error where only that is a terminal; null = no
/// terminal gets one.
[[nodiscard]] std::FILE* output_of_bar(ProgressKind kind, std::FILE* out);
/// Whether results are written as lines for programs: to files and pipes, unless other output was requested.
[[nodiscard]] bool writes_lines(ProgressKind kind, std::FILE* out);

/// "[###.....]  82 %  suite 4/9 MPI_Bcast  0:12 left", less than the terminal is wide.
/// @param done 0..1   @param place the text that is cut where there is little room
[[nodiscard]] std::string bar_line(double done, const std::string& place, const std::string& left,
                                   int columns);

} // namespace skampi
