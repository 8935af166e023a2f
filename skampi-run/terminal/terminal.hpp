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
[[nodiscard]] std::optional<Terminal> terminal_behind(std::FILE* out);

/// How progress is shown (--progress).
enum class ProgressKind {
    automatic, ///< a bar on a terminal, otherwise nothing
    bar,
    json, ///< one JSON object a line on standard output
    off,
};

/// Takes a bar off its line of the terminal.
constexpr const char* clear_line = "\r\x1b[K";

/// Whether a bar is drawn on the terminal behind an output.
[[nodiscard]] bool shows_bar(ProgressKind kind, std::FILE* out);

/// "[###.....]  82 %  suite 4/9 MPI_Bcast  0:12 left", less than the terminal is wide.
/// @param done 0..1   @param place the text that is cut where there is little room
[[nodiscard]] std::string bar_line(double done, const std::string& place, const std::string& left,
                                   int columns);

} // namespace skampi
