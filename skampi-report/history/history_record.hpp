// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "analysis/history/history.hpp"

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace skampi {

/// Reads the runs of a database one after the other: its raw runs, else its merged ones. Those without a time
/// above zero are passed over.
/// @param suites globs; empty = all
/// @param named called with the name of each suite, selected or not
/// @return how many runs have no start and are passed over for it
/// @throws StoreError, InputError
std::size_t for_each_record(const std::string& path, const std::vector<std::string>& suites,
                            const std::function<void(const std::string&)>& named,
                            const std::function<void(RunRecord&&)>& take);

/// Records as a text to be kept, and back. Texts that are no UTF-8 get replacement characters.
[[nodiscard]] std::string to_text(const std::vector<RunRecord>& records);
/// @return none where the text is not of this form
[[nodiscard]] std::optional<std::vector<RunRecord>> records_from_text(std::string_view text);

/// Reads the runs of these files one after the other and keeps of each the headlines and some points of every
/// suite: the smallest, a middle and the largest argument that most runs have. Of a file that holds raw runs
/// these are taken, else its merged ones; a run found in several files once. Then finds the steps.
/// @param suites globs; empty = all
/// @throws StoreError, InputError where no run has a value, or a glob means no suite
[[nodiscard]] History read_history(const std::vector<std::string>& paths,
                                   const std::vector<std::string>& suites);

} // namespace skampi
