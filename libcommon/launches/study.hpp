// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "launches/subject.hpp"
#include "model/series.hpp"

#include <vector>

namespace skampi {

// A study of how times grow with the number of ranks: jobs of one library on one machine, each with another
// number of them.

/// What runs of one study have in common: their series, but for the number of ranks, where these ran and what
/// was measured: suites are matched one by one.
[[nodiscard]] Series series_of_study(const Run& run);

/// Whether two subjects are of one study: in one file, or of one series but for the number of ranks and where
/// these ran. A comparison of the two would be meaningless.
[[nodiscard]] bool is_other_size(const Subject& reference, const Subject& other);

/// Whether several subjects, at least two, are one study.
[[nodiscard]] bool is_study(const std::vector<Subject>& subjects);

/// A curve of a study.
struct RankTwin {
    const Subject* subject = nullptr;
    const Curve* curve = nullptr;
};
/// The curves that measured one quantity on at least two numbers of ranks, each group by its numbers; several
/// machines may share a number.
[[nodiscard]] std::vector<std::vector<RankTwin>>
twins_over_ranks(const std::vector<const Subject*>& subjects);

/// The study as one subject with curves over the number of ranks: each group of twins gives one for every
/// argument at which all have a time. The subjects' own curves over ranks come first.
[[nodiscard]] Subject over_ranks(const std::vector<const Subject*>& subjects);

} // namespace skampi
