#pragma once

#include "skalib/merge.hpp"

#include <iosfwd>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace skampi {

/// What skampi-merge was asked for.
struct MergeOptions {
    std::vector<std::string> inputs; ///< databases and result CSV files
    std::string output;
    skalib::Grid grid = skalib::Grid::union_;
    skalib::MergedValue value = skalib::MergedValue::median;
    skalib::Weights weights = skalib::Weights::equal;
    std::string series_of;  ///< uuid of a run: only runs of its series are merged; empty = all
    bool force = false;     ///< merge runs that do not belong together
    bool overwrite = false; ///< replace an existing output
};

/// The names of the choices, as on the command line: "union", "median", ...
[[nodiscard]] std::string_view grid_name(skalib::Grid grid);
[[nodiscard]] std::string_view value_name(skalib::MergedValue value);
[[nodiscard]] std::string_view weights_name(skalib::Weights weights);

/// Reads the command line.
/// @param out where --help and --version are printed
/// @return none when there is nothing to do any more (--help, --version)
/// @throws InputError when it is wrong
[[nodiscard]] std::optional<MergeOptions> parse_options(int argc, const char* const* argv, std::ostream& out);

} // namespace skampi
