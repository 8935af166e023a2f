#pragma once

#include "launches/subject.hpp"

#include <cstdint>
#include <string>

namespace skampi {

// How a report speaks of what a suite was asked to measure.

/// "32 KiB", "4 ranks", "7 chunks"; exact enough to be distinct from the curve's neighbouring arguments.
[[nodiscard]] std::string argument_text(const Curve& curve, std::int64_t argument);
/// Of a range: "1.5 to 2 KiB", "8554 to 15688 B", "512 B to 1 KiB".
[[nodiscard]] std::string arguments_text(const Curve& curve, std::int64_t from, std::int64_t to);

/// What a suite measures and what its times are, in a few sentences.
[[nodiscard]] std::string what_is_measured(const Curve& curve);

/// "rank 3 (farthest), crosses the network, from n1 to n2"; empty where no partner was found.
[[nodiscard]] std::string partner_text(const Curve& curve);
/// "node by node: all of one before the next"; empty where they join by their numbers.
[[nodiscard]] std::string joining_text(const Curve& curve);

[[nodiscard]] std::string pattern_name(Pattern pattern);
[[nodiscard]] std::string varied_text(const Suite& suite);
[[nodiscard]] std::string scale_text(skalib::Scale scale);
/// "mean of the middle 50 %"
[[nodiscard]] std::string value_formed(const Suite& suite);
[[nodiscard]] std::string buffers_text(BufferPolicy policy);
[[nodiscard]] std::string start_text(Synchronization synchronization);
/// The operation's datatype, reduction, root and MPI_IN_PLACE where they are not the usual ones; may be
/// empty.
[[nodiscard]] std::string parameters_text(const Curve& curve);

} // namespace skampi
