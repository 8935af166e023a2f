#pragma once

#include <string>
#include <vector>

namespace skampi {

/// A run of a series as its file has it.
struct PlaceOfRun {
    std::string file;
    double started_s = 0; ///< as its date says, seconds since 1970
    bool merged = false;  ///< a merged run stands anywhere in its file: only its date tells its place
};

/// When runs began, as far as dates can be right: no run begins in the future, nor before one that its file
/// holds before it. The fewest dates are taken for wrong; such a run began with the one before it in its
/// file, else in the reading, else with the first right one. A file most of whose dates contradict its order
/// was sorted otherwise: then dates count.
/// @param runs in the order of reading
[[nodiscard]] std::vector<double> right_starts(const std::vector<PlaceOfRun>& runs, double now_s);

} // namespace skampi
