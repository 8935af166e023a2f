// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "model/precision.hpp"
#include "model/session.hpp"
#include "model/suite.hpp"
#include "skalib/clock.hpp"

#include <cstdint>
#include <set>
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
    std::vector<Suite> suites; ///< in the file's order, lists multiplied out
    /// plan_hash() of the file as it was written, where suites were made of `Algorithm = all` since: which
    /// there are is known on the machine only. Empty = it has none such.
    std::string hash_as_written = {};
    std::vector<Variant> variants; ///< @VARIANTS; empty = none
    Precision precision = {};      ///< @LAUNCHES
    /// Families of suites whose file says `Synchronization = window`: a session does not choose barriers for
    /// them.
    std::set<std::string> families_in_windows = {};
};

} // namespace skampi
