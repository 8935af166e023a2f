#pragma once

#include "analysis/comparison/comparison_findings.hpp"

#include <vector>

namespace skampi {

[[nodiscard]] DatabaseComparison compare_databases(const Subject& reference, const Subject& other);

/// Whether a suite of the reference counts for what is said of the databases: local operations such as memcpy
/// say nothing of message passing, and are left to themselves where the reference measures anything else.
[[nodiscard]] bool in_verdict(const DatabaseComparison& comparison, const Curve& reference);

/// Whether a judgement of one against the other says something: jobs of other sizes in one file, or in three
/// files or more that differ in nothing else, were run to see how times grow with the number of ranks. Who
/// names two files wants them compared, where any suite can be.
/// @param all of the report
[[nodiscard]] bool are_rivals(const Subject& reference, const Subject& other,
                              const std::vector<Subject>& all);

/// Each rival of the reference with it, in their order: the last one where it is the baseline, else the
/// first.
[[nodiscard]] std::vector<DatabaseComparison> compare_subjects(const std::vector<Subject>& subjects,
                                                               bool baseline);

} // namespace skampi
