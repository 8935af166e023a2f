// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "contest/contest.hpp"
#include "launches/subject.hpp"

#include "words/text_and_command.hpp"

#include <span>
#include <string>
#include <vector>

namespace skampi {

/// The databases against one another: with a baseline all against it, else against the first.
struct Rivals {
    const Subject* reference = nullptr;
    std::vector<const Subject*> others;
    std::vector<Contest> comparisons;        ///< one per other
    std::vector<const Subject*> other_sizes; ///< jobs of the reference's study, on other numbers of ranks
    /// The reference with these, by their numbers of ranks.
    [[nodiscard]] std::vector<const Subject*> sizes() const;
};
/// @param known the contests where they are made already; null = they are made here
[[nodiscard]] Rivals contest_of(const std::vector<Subject>& subjects, bool baseline,
                                const std::vector<Contest>* known = nullptr);

/// The beginning of a comparison's first page: the answers, the most serious doubt, and what to do next.
[[nodiscard]] TextAndCommand comparison_answer(const std::vector<const Subject*>& subjects,
                                               std::span<const Contest> contests);

} // namespace skampi
