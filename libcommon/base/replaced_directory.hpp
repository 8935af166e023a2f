#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <sys/types.h>

namespace skampi {

/// Two directories change places at once, or nothing happens and false is returned.
using Exchange = std::function<bool(const std::filesystem::path&, const std::filesystem::path&)>;
/// By rename(2); some file systems (and older kernels over a network) cannot.
[[nodiscard]] bool exchange_at_once(const std::filesystem::path& a, const std::filesystem::path& b);

/// The directory that a name given by a user means: absolute, without a slash at its end.
[[nodiscard]] std::filesystem::path report_directory(const std::string& output);

/// Puts a finished directory, which lies in the scratch directory, where its report belongs, in the place of
/// a former one if there is one. Where the two cannot change places at once the former one is put aside
/// first; what happens if the process dies then is put right by restore_replaced().
/// @throws SystemError naming the output when it cannot be done; the former report is where it was
void replace_directory(const std::filesystem::path& finished, const std::filesystem::path& output,
                       const std::filesystem::path& scratch, const Exchange& exchange = exchange_at_once);

/// Puts the former report back that a killed process had put aside. To be called before the scratch
/// directories of this process are removed.
void restore_replaced(const std::string& output, pid_t maker);

} // namespace skampi
