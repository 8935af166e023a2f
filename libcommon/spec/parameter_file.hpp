#pragma once

#include "model/session.hpp"
#include "model/suite.hpp"
#include "skalib/clock.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace skampi {

/// A parameter file, all defaults filled in.
struct ParameterFile {
    std::string name; ///< as in messages
    std::string text; ///< the whole file
    std::string user, machine, node, network,
        comment;         ///< free text, several lines, outer blank lines removed
    std::string outfile; ///< @OUTFILE; empty = not given
    std::string logfile; ///< @LOGFILE; empty = none
    std::int64_t memory_bytes = std::int64_t{1} << 28; ///< @MEMORY per rank, for message buffers
    bool absolute = false;
    bool postproc = false; ///< @POSTPROC: merge when a run ends
    /// @RESOLUTION: the wished resolution (SKaLib 3.1) as a share of what is timed.
    double resolution = skalib::usual_resolution;
    std::vector<Suite> suites;     ///< in the file's order, lists multiplied out
    std::vector<Variant> variants; ///< @VARIANTS; empty = none
};

} // namespace skampi
