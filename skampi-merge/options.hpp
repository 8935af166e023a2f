// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "merge/run_group.hpp"

#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

namespace skampi {

/// Which runs of the inputs are merged or copied.
struct RunSelection {
    std::vector<std::string> runs; ///< their uuids; empty = all
    std::string series_of;         ///< uuid of a run: only runs of its series; empty = all
    std::string since, before; ///< when they began, as run.started_utc or the begin of it; empty = any time
    /// Whether a run is meant, but for its series.
    [[nodiscard]] bool holds(const Run& run) const;
};

/// The command line of skampi-merge.
struct MergeOptions {
    std::vector<std::string> inputs; ///< databases and result CSV files
    std::string output;              ///< empty = describe the inputs, merge nothing
    std::string by;                  ///< key of the groups; empty = one group
    MergeWay way;
    RunSelection selection;
    std::string reference;  ///< a database whose reference adjusted values refer to; empty = the oldest run's
    std::string config;     ///< a file with options; empty = none
    bool copy = false;      ///< the runs as they are, in place of merging them
    bool anonymise = false; ///< copies have other names of users, hosts and files
    bool force = false;     ///< merge runs that do not belong together
    bool overwrite = false; ///< replace an existing output
};

/// Reads the command line.
/// @param out where --help and --version are printed
/// @return none if there is nothing left to do (--help, --version)
/// @throws InputError when it is wrong
[[nodiscard]] std::optional<MergeOptions> parse_options(int argc, const char* const* argv, std::ostream& out);

} // namespace skampi
