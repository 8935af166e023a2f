#pragma once

#include "analysis/comparison/database_comparison.hpp"
#include "document/figure_names.hpp"
#include "document/model.hpp"
#include "subject/content.hpp"

#include <string>
#include <vector>

namespace skampi {

/// The standard comparisons of operations within one run (paper, appendix A, section 6); no subsections when
/// the data allow none.
[[nodiscard]] Section operations_compared(const Subject& subject, FigureNames& names);

/// The comparisons that a content file asks for: any suites of any databases over one another, each with the
/// first.
/// @throws InputError as curves_of()
[[nodiscard]] Section own_comparisons(const Content& content, const std::vector<Subject>& subjects,
                                      FigureNames& names);

/// Two databases as a whole: the verdict, what makes it doubtful, and the tables; no subsections.
[[nodiscard]] Section comparison_statement(const DatabaseComparison& comparison);
/// One suite: what its arguments say, each by itself and together, and some of them in a table; nothing where
/// nothing is compared.
[[nodiscard]] std::vector<Block> suite_statement(const DatabaseComparison& comparison,
                                                 const DatabaseComparison::Suite& suite);

/// The statements and each suite: those that differ most are also on a few pages.
[[nodiscard]] Section databases_compared(const Subject& reference, const std::vector<const Subject*>& others,
                                         const std::vector<DatabaseComparison>& comparisons,
                                         FigureNames& names);

} // namespace skampi
