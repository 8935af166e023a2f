// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <sys/types.h>

namespace skampi {

/// Exchanges two directories atomically, or does nothing and returns false.
using Exchange = std::function<bool(const std::filesystem::path&, const std::filesystem::path&)>;
/// By rename(2); some file systems (and older kernels over a network) do not support it.
[[nodiscard]] bool exchange_at_once(const std::filesystem::path& a, const std::filesystem::path& b);

/// The directory of a name given by a user: absolute, without a trailing slash.
[[nodiscard]] std::filesystem::path report_directory(const std::string& output);

/// Moves a finished directory from the scratch directory to its place, replacing a former one. If the two
/// cannot be exchanged atomically, the former one is moved away first; should the process die then,
/// restore_replaced() moves it back.
/// @throws SystemError naming the output if that fails; the former report is then still in its place
void replace_directory(const std::filesystem::path& finished, const std::filesystem::path& output,
                       const std::filesystem::path& scratch, const Exchange& exchange = exchange_at_once);

/// Moves the former report back that a killed process had moved away. Call it before the scratch directories
/// of that process are removed.
void restore_replaced(const std::string& output, pid_t maker);

} // namespace skampi
