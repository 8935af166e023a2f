// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <optional>
#include <string>

namespace skampi {

/// Exclusive use of something named by a path, among all processes that take the same lock file, on local and
/// (where they support locks) network file systems. The kernel frees the lock when its process ends, however
/// it ends; a lock file left behind by a killed process means nothing. Child processes don't inherit the lock
/// beyond exec.
class FileLock {
public:
    /// Takes the lock or throws at once; never waits. The lock file is created and says who holds it.
    /// @param path of the lock file, "x.db.lock"    @param subject what it guards, for messages: "x.db"
    /// @throws SystemError naming the holder (host, process, since when), or why there can be no lock file
    /// @throws InputError when a link or a file that is no lock has that name
    FileLock(const std::string& path, const std::string& subject);
    FileLock(FileLock&& other) noexcept;
    FileLock& operator=(FileLock&&) = delete;
    ~FileLock(); ///< removes the lock file and frees the lock

    /// Who holds a lock: "host node7, process 4711, since 2026-11-21T10:00:00Z". None if the lock is free.
    [[nodiscard]] static std::optional<std::string> holder(const std::string& path);

    /// The lock file of something: its real path, so that all its names and links share one lock.
    [[nodiscard]] static std::string path_for(const std::string& subject,
                                              const std::string& ending = ".lock");

private:
    std::string path_;
    int descriptor_ = -1;
};

} // namespace skampi
