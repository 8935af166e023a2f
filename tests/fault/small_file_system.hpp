// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <string>
#include <sys/mount.h>

/// A file system in memory with room for few files, mounted on a folder. Needs the right to mount one.
class SmallFileSystem {
public:
    SmallFileSystem(const std::string& folder, int kilobytes)
        : folder_(folder) {
        mounted_ = mount("tmpfs", folder.c_str(), "tmpfs", 0, size(kilobytes).c_str()) == 0;
    }
    SmallFileSystem(SmallFileSystem&&) = delete;
    ~SmallFileSystem() {
        if (mounted_)
            (void)umount2(folder_.c_str(), MNT_DETACH);
    }
    [[nodiscard]] bool mounted() const { return mounted_; }
    /// @return whether it has that size now
    [[nodiscard]] bool resize(int kilobytes) const {
        return mount("tmpfs", folder_.c_str(), "tmpfs", MS_REMOUNT, size(kilobytes).c_str()) == 0;
    }

private:
    static std::string size(int kilobytes) { return "size=" + std::to_string(kilobytes) + "k"; }

    std::string folder_;
    bool mounted_ = false;
};
