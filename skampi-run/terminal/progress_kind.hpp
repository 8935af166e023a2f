#pragma once

namespace skampi {

/// How progress is shown (--progress).
enum class ProgressKind {
    automatic, ///< a bar on a terminal, otherwise nothing
    bar,
    json, ///< one JSON object a line on standard output
    off,
};

} // namespace skampi
