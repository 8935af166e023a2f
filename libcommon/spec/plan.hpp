#pragma once

#include "model/suite.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace skampi {

/// The arguments of a suite on a machine, Max_Value and the start of a Chunks suite resolved: lengths end at
/// max_message_bytes (whole elements of the datatype), nodes at the number of ranks, chunks at 16 per worker
/// and begin, unless the file says otherwise, at one per worker. Ends that are given are capped by the same
/// (chunks excepted). Where even the start does not fit, or there are
/// fewer ranks than the suite wants, nothing can be measured: none.
/// @param ranks of the run   @param max_message_bytes what @MEMORY allows for this operation's buffers
[[nodiscard]] std::optional<skalib::RefinementLimits> resolved_arguments(const Suite& suite, int ranks,
                                                                         std::int64_t max_message_bytes);

/// All of a suite that decides what is measured, but its name: one `key=value` per line, in a fixed order.
/// What a suite varies makes its default length, chunks or ranks meaningless, and these are left out.
[[nodiscard]] std::string suite_text(const Suite& suite);

} // namespace skampi
