#pragma once

#include "analysis/subject.hpp"
#include "document/sections/comparison_section.hpp"

#include <span>
#include <string>
#include <vector>

namespace skampi {

/// The databases against one another: with a baseline everybody against it, else against the first.
struct Contest {
    const Subject* reference = nullptr;
    std::vector<const Subject*> others;
    std::vector<DatabaseComparison> comparisons; ///< one per other
    std::vector<const Subject*> other_sizes;     ///< jobs in the file of the reference, on other ranks
};
[[nodiscard]] Contest contest_of(const std::vector<Subject>& subjects, bool baseline);

/// What the first page of a comparison says first: what makes it doubtful, and the verdicts.
[[nodiscard]] std::string comparison_answer(const std::vector<const Subject*>& subjects,
                                            std::span<const DatabaseComparison> comparisons);

/// All subjects against the baseline (the last one), or against the first.
[[nodiscard]] std::vector<DatabaseComparison> compare_subjects(const std::vector<Subject>& subjects,
                                                               bool baseline);

} // namespace skampi
