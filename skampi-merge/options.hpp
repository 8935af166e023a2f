#pragma once

#include "merge/run_group.hpp"

#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

namespace skampi {

/// What skampi-merge was asked for.
struct MergeOptions {
    std::vector<std::string> inputs; ///< databases and result CSV files
    std::string output;
    MergeWay way;
    std::string series_of;  ///< uuid of a run: only runs of its series are merged; empty = all
    bool force = false;     ///< merge runs that do not belong together
    bool overwrite = false; ///< replace an existing output
};

/// Reads the command line.
/// @param out where --help and --version are printed
/// @return none when there is nothing to do any more (--help, --version)
/// @throws InputError when it is wrong
[[nodiscard]] std::optional<MergeOptions> parse_options(int argc, const char* const* argv, std::ostream& out);

} // namespace skampi
