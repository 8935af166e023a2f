// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <string>
#include <vector>

namespace skampi {

/// A program above this one that started it as a rank.
struct Launcher {
    long process = 0;
    const char* name = ""; ///< whose: "Hydra", "Slurm", ...
};

/// The launchers that this process descends from without anything else in between, the nearest first; empty
/// where it was started in another way.
[[nodiscard]] std::vector<Launcher> launchers();
/// The nearest one's name; empty = none
[[nodiscard]] std::string launcher_name();

} // namespace skampi
