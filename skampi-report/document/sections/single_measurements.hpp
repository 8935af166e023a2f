#pragma once

#include "analysis/subject.hpp"
#include "document/figure_names.hpp"
#include "document/model.hpp"

#include <vector>

namespace skampi {

/// Box plots of the single measurements at some arguments, and below them their numbers; nothing where no
/// point has several.
[[nodiscard]] std::vector<Block> single_measurements_blocks(const Curve& curve, FigureNames& names);

} // namespace skampi
