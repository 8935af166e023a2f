#pragma once

#include "analysis/comparison/comparison.hpp"
#include "analysis/comparison/database_comparison.hpp"
#include "analysis/comparison/launch_scores.hpp"
#include "launches/common_modes.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace skampi {

// How a report speaks of two curves that are compared.

/// "too few usable launches"
[[nodiscard]] std::string reason_text(Unjudged reason);
/// The same of one reason; of several each with its number: "other numbers of ranks (3) and ...".
[[nodiscard]] std::string reasons_text(const UnjudgedCounts& counts);
/// "reported time" of reported_time
[[nodiscard]] std::string key_in_words(std::string_view field);
/// "partner (rank 1 and rank 2), root (0 and 1)"
[[nodiscard]] std::string fields_text(const std::vector<FieldDifference>& differences);

/// How times compare: "+5.2 %", "-4.9 %", "2.30 times"; of 0.4 "2.50 times as fast".
[[nodiscard]] std::string change_text(double ratio);
/// The difference that would be found, of a ratio or 1 by it: "4.1 %".
[[nodiscard]] std::string detectable_text(double ratio);
/// "1.02 - 1.10"; "-" without an interval
[[nodiscard]] std::string interval_text(std::optional<double> low, std::optional<double> high);

/// How the times compare at the arguments whose probes agree, and how many differences are significant.
[[nodiscard]] std::string comparison_sentence(const CurveComparison& comparison, const std::string& first,
                                              const std::string& second);
/// The same in the cells of a table.
struct ComparisonCells {
    std::string ratio;       ///< "0.935 - 1.10", or why there is none
    std::string mean;        ///< geometric
    std::string arguments;   ///< "89 of 124": those of one machine state, where there are any
    std::string significant; ///< "3 faster, 0 slower of 89"; "-" where none is judged
};
[[nodiscard]] ComparisonCells comparison_cells(const CurveComparison& comparison);
/// @param least, most launches with values of both, of the comparisons that are meant
[[nodiscard]] std::string few_launches_sentence(std::size_t least, std::size_t most);
/// What all arguments say together.
[[nodiscard]] std::string pooled_sentence(const PooledComparison& pooled, const std::string& second);
/// That points are compared in a machine state that both sides saw; empty where none is.
/// @param points that are compared, counted   @param states that the points in a common mode are of
[[nodiscard]] std::string common_state_sentence(std::size_t in_common_mode, std::size_t states,
                                                const std::string& points, const std::string& first,
                                                const std::string& second);
/// That points are compared in two machine states; empty where none is.
[[nodiscard]] std::string other_states_sentence(const CurveComparison& comparison);
/// That the times of two curves have different meanings; empty where they have one.
[[nodiscard]] std::string other_meaning_sentence(const Curve& first, const std::string& first_label,
                                                 const Curve& second, const std::string& second_label);
/// What differs in a comparison that a content file asks for; empty where nothing does.
[[nodiscard]] std::string other_fields_sentence(const Comparability& comparability, const std::string& first,
                                                const std::string& second);

} // namespace skampi
