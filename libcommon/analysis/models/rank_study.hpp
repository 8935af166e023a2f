#pragma once

#include "analysis/models/growth_model.hpp"
#include "analysis/subject/subject.hpp"
#include "model/series.hpp"

#include <optional>
#include <vector>

namespace skampi {

// A study of how times grow with the number of ranks: jobs of one library on one machine, each with another
// number of them.

/// What runs of one study have in common: their series, but for the number of ranks, where these ran and what
/// was measured: suites are matched one by one.
[[nodiscard]] Series series_of_study(const Run& run);

/// Whether two subjects are of one study: in one file, or of one series but for the number of ranks and where
/// these ran. A judgement of one against the other would say nothing.
[[nodiscard]] bool is_other_size(const Subject& reference, const Subject& other);

/// Whether several subjects, at least two, are one study.
[[nodiscard]] bool is_study(const std::vector<Subject>& subjects);

/// A curve of a study.
struct RankTwin {
    const Subject* subject = nullptr;
    const Curve* curve = nullptr;
};
/// The curves that measured one quantity on at least two numbers of ranks, each group by its numbers; of one
/// number there may be several, of several machines.
[[nodiscard]] std::vector<std::vector<RankTwin>>
twins_over_ranks(const std::vector<const Subject*>& subjects);

/// The study as one subject, whose curves are over the number of ranks: of each group of twins one for every
/// argument at which all have a time. The curves over ranks that the subjects hold themselves come first.
[[nodiscard]] Subject over_ranks(const std::vector<const Subject*>& subjects);

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
