#pragma once

#include "analysis/curve_model.hpp"
#include "analysis/subject.hpp"
#include "document/figure_names.hpp"
#include "document/model.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace skampi {

/// One suite in full: introduction, plot, the facts of the paper's appendix B, cost model, flags, modes, node
/// times. For curves that can be drawn.
/// @param figure_id of its plot
[[nodiscard]] Section suite_section(const Curve& curve, const std::string& figure_id);

/// Box plots of the single measurements at some arguments, and below them their numbers; nothing where no
/// point has several.
[[nodiscard]] std::vector<Block> single_measurements_blocks(const Curve& curve, FigureNames& names);

/// The values of a suite, a row for each argument, at most `most` of them (0 = all) spread over the
/// arguments: time, its error, bandwidth where there is one, flags. Arguments are exact: in bytes throughout
/// where binary units cannot say one of them.
[[nodiscard]] Table values_table(const Curve& curve, std::size_t most = 0);

/// Suites without a plot (nothing varied, one point, nothing measured): a row for each point that has a time
/// above zero and one for all others of the suite, and below them what came of suites without any such point.
/// @return tables that have rows
[[nodiscard]] std::vector<Table> tables_without_plot(const std::vector<const Curve*>& curves);

/// Which flags how many points have, in one line; none = nothing is flagged.
[[nodiscard]] std::optional<Paragraph> flag_summary(const Curve& curve);

} // namespace skampi
