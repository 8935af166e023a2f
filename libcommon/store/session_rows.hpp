// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "model/session.hpp"
#include "store/connection.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace skampi {

/// The rows of sessions, with their variants and failures. Each change makes the session's checksum.
class SessionRows {
public:
    /// @param connection outlives this
    explicit SessionRows(const Connection& connection)
        : connection_(connection) {}

    void insert(const Session& session) const;
    /// Changes the fields of a session; its variants stay as they are.
    void change(const std::string& uuid, const std::function<void(Session&)>& make) const;
    void insert_failure(const std::string& uuid, const SessionFailure& failure) const;

    [[nodiscard]] std::vector<Session> all() const; ///< oldest first
    [[nodiscard]] std::vector<SessionFailure> failures(const std::string& uuid) const;

private:
    [[nodiscard]] std::int64_t id_of(const std::string& uuid) const;
    [[nodiscard]] Session read(std::int64_t id, std::int64_t& checksum) const;
    [[nodiscard]] std::vector<SessionFailure> failures_of(std::int64_t id) const;
    void seal(std::int64_t id) const;

    const Connection& connection_;
};

} // namespace skampi
