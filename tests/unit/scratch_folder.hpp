// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <unistd.h>
#include <vector>

/// A folder of one test's own, gone with all its files when the test ends.
class ScratchFolder {
public:
    ScratchFolder() {
        // In memory where that is possible: tests should not wait for a disk that others keep busy.
        const bool in_memory = !std::getenv("TMPDIR") && access("/dev/shm", W_OK) == 0;
        std::string name =
            ((in_memory ? std::filesystem::path("/dev/shm") : std::filesystem::temp_directory_path()) /
             "skampi-test-XXXXXX")
                .string();
        if (!mkdtemp(name.data()))
            throw std::runtime_error("cannot create " + name);
        path_ = name;
    }
    ScratchFolder(ScratchFolder&&) = delete;
    ~ScratchFolder() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }

    [[nodiscard]] const std::filesystem::path& path() const { return path_; }
    /// Of what is in it, sorted.
    [[nodiscard]] std::vector<std::string> names() const {
        std::vector<std::string> found;
        for (const auto& entry : std::filesystem::directory_iterator(path_))
            found.push_back(entry.path().filename().string());
        std::sort(found.begin(), found.end());
        return found;
    }
    [[nodiscard]] std::string operator/(const std::string& name) const { return (path_ / name).string(); }

private:
    std::filesystem::path path_;
};
