// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "skalib/merge.hpp"

#include <string>
#include <string_view>

namespace skampi {

/// How values are merged.
struct MergeWay {
    skalib::Grid grid = skalib::Grid::union_;
    skalib::MergedValue value = skalib::MergedValue::median;
    skalib::Weights weights = skalib::Weights::precision;
    bool modes = true; ///< within the modes of the machine; false = all together, as SKaLib does
};
/// SKaLib's (3.4): the weighted median by count, on the first run's grid, without modes.
inline constexpr MergeWay way_of_skalib{skalib::Grid::first, skalib::MergedValue::median,
                                        skalib::Weights::count, false};
/// The names of the choices, as on the command line: "union", "median", ...
[[nodiscard]] std::string_view grid_name(skalib::Grid grid);
[[nodiscard]] std::string_view value_name(skalib::MergedValue value);
[[nodiscard]] std::string_view weights_name(skalib::Weights weights);
/// "--grid union --value median ...", as given to skampi-merge.
[[nodiscard]] std::string way_text(const MergeWay& way);

} // namespace skampi
