#pragma once

#include "merge/run_group.hpp"

#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

namespace skampi {

/// Which runs of the inputs are merged.
struct RunSelection {
    std::vector<std::string> runs; ///< their uuids; empty = all
    std::string series_of;         ///< uuid of a run: only runs of its series; empty = all
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
    bool force = false;     ///< merge runs that do not belong together
    bool overwrite = false; ///< replace an existing output
};

/// Reads the command line.
/// @param out where --help and --version are printed
/// @return none if there is nothing left to do (--help, --version)
/// @throws InputError when it is wrong
[[nodiscard]] std::optional<MergeOptions> parse_options(int argc, const char* const* argv, std::ostream& out);

} // namespace skampi
