// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "algorithms/choice.hpp"
#include "spec/parameter_file.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace skampi {

/// Name and text of a parameter file.
struct PlanText {
    std::string name;
    std::string text;
};
/// @param file empty = the built-in quick one   @param in_turns its short form
/// @throws InputError, also for a result database
[[nodiscard]] PlanText read_plan_text(const std::string& file, bool in_turns = false);

/// The plan, restricted to the suites the globs select (none = all), in the file's order.
/// @param operations all that Type may name
/// @throws InputError, also when the globs select nothing
[[nodiscard]] ParameterFile read_plan(const PlanText& text, std::span<const OperationInfo> operations,
                                      const std::vector<std::string>& globs);

/// Where results go: the option, else @OUTFILE, else skampi.db. @throws InputError for a directory
[[nodiscard]] std::string database_path(const std::optional<std::string>& option, const ParameterFile& plan);

/// Where message lengths must end, in whole elements, and why.
struct MessageLimit {
    std::int64_t bytes = 0;
    std::string reason;
    bool by_memory = false; ///< as Max_Value asks; else the limit is what calls can express
};
/// The limit of a suite's operation on so many ranks, by @MEMORY and the bytes of an element.
using LimitOfSuite =
    std::function<MessageLimit(const Suite& suite, int ranks, std::int64_t memory_bytes, int type_bytes)>;

/// Puts numbers in place of Max_Value, and keeps arguments inside what memory, datatype and ranks allow.
/// @return what was changed, a sentence each (for the run's events)
[[nodiscard]] std::vector<std::string> fit_to_machine(ParameterFile& plan, int ranks_there,
                                                      const LimitOfSuite& limit_of_suite);

/// Makes a suite of each word that the library offers in place of `Algorithm = all`, the library's own choice
/// first, and refuses words that it does not have and algorithms that cannot work with a suite's ranks or
/// buffers. After fit_to_machine().
/// @return what `all` leaves out and why, one sentence each   @throws InputError
[[nodiscard]] std::vector<std::string> resolve_algorithms(ParameterFile& plan, const AlgorithmList& offered,
                                                          int ranks_there);
[[nodiscard]] bool asks_for_algorithms(const ParameterFile& plan);

} // namespace skampi
