// SPDX-License-Identifier: LGPL-2.1-or-later
#include "store/session_lock.hpp"

#include "base/error.hpp"
#include "base/text.hpp"

#include <cstdlib>
#include <optional>
#include <string_view>

namespace skampi {

namespace {

/// Names the database of the session that a process belongs to.
constexpr const char* variable = "SKAMPI_SESSION_DATABASE";

} // namespace

SessionLock::SessionLock(const std::string& database)
    : lock_(FileLock::path_for(database, session_lock_ending), database) {
    if (const char* const outer = std::getenv(variable))
        outer_ = outer;
    join_session_at(database);
}

SessionLock::~SessionLock() {
    outer_ ? setenv(variable, outer_->c_str(), 1) : unsetenv(variable);
}

void join_session_at(const std::string& database) {
    setenv(variable, FileLock::path_for(database, "").c_str(), 1);
}

void refuse_outside_session(const std::string& database) {
    const char* const own = std::getenv(variable);
    if (own != nullptr && FileLock::path_for(database, "") == own)
        return;
    if (const std::optional<std::string> holder =
            FileLock::holder(FileLock::path_for(database, session_lock_ending)))
        throw SystemError(printable(database) + ": in use by a session (" + *holder +
                          "), also between its launches; wait for its end or use another file");
}

} // namespace skampi
