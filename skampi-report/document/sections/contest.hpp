#pragma once

#include "analysis/comparison/database_comparison.hpp"
#include "analysis/subject/subject.hpp"
#include "words/text_and_command.hpp"

#include <span>
#include <string>
#include <vector>

namespace skampi {

/// The databases against one another: with a baseline everybody against it, else against the first.
struct Contest {
    const Subject* reference = nullptr;
    std::vector<const Subject*> others;
    std::vector<DatabaseComparison> comparisons; ///< one per other
    std::vector<const Subject*> other_sizes;     ///< jobs of the reference's study, on other numbers of ranks
    /// The reference with these, by their numbers of ranks.
    [[nodiscard]] std::vector<const Subject*> sizes() const;
};
/// @param known the comparisons where they are made already; null = they are made here
[[nodiscard]] Contest contest_of(const std::vector<Subject>& subjects, bool baseline,
                                 const std::vector<DatabaseComparison>* known = nullptr);

/// What the first page of a comparison says first: what makes it doubtful, and the verdicts.
[[nodiscard]] TextAndCommand comparison_answer(const std::vector<const Subject*>& subjects,
                                               std::span<const DatabaseComparison> comparisons);

} // namespace skampi
