// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <filesystem>
#include <string>
#include <sys/types.h>
#include <vector>

namespace skampi {

/// A directory only we may enter, removed with all it holds at the end.
class ScratchDirectory {
public:
    /// Below TMPDIR, or /tmp. @throws SystemError when it cannot be made
    ScratchDirectory();
    /// Next to a path, so that its contents can be renamed to that path.
    /// @throws SystemError when it cannot be made
    explicit ScratchDirectory(const std::string& near);
    ScratchDirectory(const ScratchDirectory&) = delete;
    ScratchDirectory& operator=(const ScratchDirectory&) = delete;
    ~ScratchDirectory();

    [[nodiscard]] const std::string& path() const { return path_; }

private:
    std::string path_;
};

/// The directories of a process that still exist, below TMPDIR and next to the path `near` (empty =
/// none).
[[nodiscard]] std::vector<std::filesystem::path> scratch_directories(const std::string& near, pid_t maker);
/// Removes them after the process was killed.
void remove_scratch_directories(const std::string& near, pid_t maker);

} // namespace skampi
