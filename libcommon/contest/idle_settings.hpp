#pragma once

#include "contest/session_contest.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace skampi {

/// A variable that a variant of a session changes and that changes nothing, as the MPI library itself told.
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

/// Those of all variants. What the library does not tell of, as other libraries' variables, is not among
/// them.
[[nodiscard]] std::vector<IdleSetting> idle_settings(const SessionLaunches& launches);

/// Variables that a variant changes and of which the library holds another value than for the reference: it
/// has read them.
[[nodiscard]] std::vector<std::string> settings_read(const SessionLaunches& launches, std::size_t variant);

/// Variables that a variant changes and of which the library told nothing: those of what it is built on
/// (UCX_TLS), or of an operating system.
[[nodiscard]] std::vector<std::string> settings_not_asked(const SessionLaunches& launches,
                                                          std::size_t variant);

/// Whether all that makes a variant another one than the reference is idle: both are the same.
[[nodiscard]] bool is_idle(const SessionLaunches& launches, std::size_t variant);

/// Whether no variant that is compared ran other settings than the reference.
[[nodiscard]] bool all_idle(const SessionContest& session);

} // namespace skampi
