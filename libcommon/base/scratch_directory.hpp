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
    /// Beside a path, so that what it holds can be renamed to that path.
    /// @throws SystemError when it cannot be made
    explicit ScratchDirectory(const std::string& beside);
    ScratchDirectory(const ScratchDirectory&) = delete;
    ScratchDirectory& operator=(const ScratchDirectory&) = delete;
    ~ScratchDirectory();

    [[nodiscard]] const std::string& path() const { return path_; }

private:
    std::string path_;
};

/// The directories that a process made and that are there still, below TMPDIR and beside the path (empty =
/// none).
[[nodiscard]] std::vector<std::filesystem::path> scratch_directories(const std::string& beside, pid_t maker);
/// Removes them after the process was killed.
void remove_scratch_directories(const std::string& beside, pid_t maker);

} // namespace skampi
