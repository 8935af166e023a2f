// SPDX-License-Identifier: LGPL-2.1-or-later
#include "merge/merge_way.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace skampi {

namespace {

template <typename Choice>
struct ChoiceName {
    Choice choice;
    std::string_view name;
};

constexpr std::array<ChoiceName<skalib::Grid>, 3> grids{
    {{skalib::Grid::union_, "union"}, {skalib::Grid::first, "first"}, {skalib::Grid::common, "common"}}};
constexpr std::array<ChoiceName<skalib::Weights>, 3> weights{{{skalib::Weights::precision, "precision"},
                                                              {skalib::Weights::equal, "equal"},
                                                              {skalib::Weights::count, "count"}}};
constexpr std::array<ChoiceName<skalib::MergedValue>, 3> values{{{skalib::MergedValue::median, "median"},
                                                                 {skalib::MergedValue::mean, "mean"},
                                                                 {skalib::MergedValue::minimum, "min"}}};

template <typename Table, typename Choice>
std::string_view name_in(const Table& table, Choice choice) {
    return std::find_if(table.begin(), table.end(), [&](const auto& row) { return row.choice == choice; })
        ->name;
}

} // namespace

std::string_view grid_name(skalib::Grid grid) {
    return name_in(grids, grid);
}
std::string_view weights_name(skalib::Weights value) {
    return name_in(weights, value);
}
std::string_view value_name(skalib::MergedValue value) {
    return name_in(values, value);
}

std::string way_text(const MergeWay& way) {
    return fmt::format("--grid {} --value {} --weights {}{}", grid_name(way.grid), value_name(way.value),
                       weights_name(way.weights), way.modes ? "" : " --modes off");
}

} // namespace skampi
