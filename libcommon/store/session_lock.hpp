// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "store/file_lock.hpp"

#include <optional>
#include <string>

namespace skampi {

/// The name of the file that is locked while a command launches a session into a database.
inline constexpr const char* session_lock_ending = ".session.lock";

/// Held by a command that launches a session into a database, also between its launches: this process and
/// those that it starts are the only ones that write there. Within one, another may be held on another
/// database (tune verifies): the process belongs to the outer session again afterwards.
class SessionLock {
public:
    /// @throws as FileLock
    explicit SessionLock(const std::string& database);
    SessionLock(const SessionLock&) = delete;
    SessionLock& operator=(const SessionLock&) = delete;
    ~SessionLock();

private:
    FileLock lock_;
    std::optional<std::string> outer_; ///< database of the session that the process belonged to
};

/// Makes this process one of the session's: a launcher may have passed no environment to it.
void join_session_at(const std::string& database);

/// @throws SystemError where a session that this process is none of is launched into a database
void refuse_outside_session(const std::string& database);

} // namespace skampi
