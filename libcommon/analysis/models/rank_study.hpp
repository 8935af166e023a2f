// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "analysis/models/growth_model.hpp"
#include "launches/study.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace skampi {

/// A form that fits on all numbers of ranks but one: a library may take another algorithm there.
struct FormButOne {
    GrowthModel model; ///< of the others
    std::int64_t ranks = 0;
    double value_s = 0; ///< measured on these
};

/// Over ranks: what fits all numbers of them, and what fits all but one of them far better (misses by a fifth
/// at most), or at all. The most ranks are never left out: there another form may begin.
struct RankGrowth {
    std::optional<GrowthModel> model; ///< none: too few numbers of ranks
    std::optional<FormButOne> but_one;
};
[[nodiscard]] RankGrowth rank_growth(const Curve& curve);

/// How an operation grows with the number of ranks.
struct Scaling {
    const Curve* curve = nullptr;           ///< over ranks; of the study
    std::optional<GrowthModel> model;       ///< none: too few numbers of ranks
    const Measurement* first = nullptr;     ///< on the fewest ranks
    const Measurement* last = nullptr;      ///< on the most
    std::optional<FormButOne> but_one = {}; ///< as in RankGrowth
};
/// Of each operation of such a study the curves with the shortest and the longest message; in their order.
[[nodiscard]] std::vector<Scaling> scalings(const Subject& study);

} // namespace skampi
