#pragma once

#include <cstdio>
#include <optional>

namespace skampi {

/// Where somebody looks at what is written.
struct Terminal {
    int columns = 80;
};

/// The terminal behind an output (and behind standard error): its own, or, as launchers lead the ranks'
/// output through pipes, the one that the launcher writes to. Other ranks than those of the launcher's host
/// see none.
[[nodiscard]] std::optional<Terminal> terminal_behind(std::FILE* out);

} // namespace skampi
