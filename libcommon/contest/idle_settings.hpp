// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "contest/session_contest.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace skampi {

/// A variable that a variant of a session changes without effect, according to the MPI library itself.
struct IdleSetting {
    enum class Why {
        unknown,    ///< the library has no such variable; of UCX_*: UCX wrote that nothing used it
        same_value, ///< it holds the same for the reference
    };
    std::size_t variant = 0; ///< its place in the session, above 0
    std::string name;
    Why why = Why::unknown;
    std::string value; ///< that both hold
};
[[nodiscard]] std::string_view to_text(IdleSetting::Why value);

/// Those of all variants, without variables that the library does not report, such as other libraries'.
[[nodiscard]] std::vector<IdleSetting> idle_settings(const SessionLaunches& launches);

/// Variables that a variant changes and for which the library holds another value than for the reference: it
/// has read them.
[[nodiscard]] std::vector<std::string> settings_read(const SessionLaunches& launches, std::size_t variant);

/// Variables that a variant changes and that the library does not report: those of a layer below (UCX_TLS),
/// or of an operating system.
[[nodiscard]] std::vector<std::string> settings_not_asked(const SessionLaunches& launches,
                                                          std::size_t variant);

/// Whether all changes of a variant are idle, so that it equals the reference.
[[nodiscard]] bool is_idle(const SessionLaunches& launches, std::size_t variant);

/// Whether all compared variants ran with the reference's settings.
[[nodiscard]] bool all_idle(const SessionContest& session);

} // namespace skampi
