// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "model/session.hpp"
#include "model/session_place.hpp"
#include "session/session_sums.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace skampi {

/// The result of a launch of a variant.
struct LaunchEnd {
    int exit_status = 0;  ///< of the supervisor of this launch
    bool has_run = false; ///< a run of this place ended
    std::string reason;   ///< why there is none
};

/// The outside world of a session. Tests bring their own.
class SessionHands {
public:
    SessionHands() = default;
    SessionHands(const SessionHands&) = delete;
    SessionHands& operator=(const SessionHands&) = delete;
    virtual ~SessionHands() = default;

    /// Launches a variant and waits for its end.
    virtual LaunchEnd launch(const Variant& variant, const SessionPlace& place) = 0;
    /// @return none = not known
    virtual std::optional<LookResult> look(const Session& session) = 0;
    /// When a round may begin follows from the begin of the session and of the newest launch before this
    /// process: seconds since 1970 (UTC), 0 = there is none.
    struct BeforeRound {
        int round = 0;
        double session_s = 0;
        double last_launch_s = 0;
    };
    /// Waits until the next round may begin. @return signal that came meanwhile; 0 = none
    virtual int wait_for_round(const BeforeRound& before) = 0;
    [[nodiscard]] virtual double now_s() = 0; ///< monotonic
    virtual void note(std::string_view text) = 0;
};

/// The definition of a session, without its variants.
struct SessionWish {
    Session session;    ///< without uuid and dates
    bool fresh = false; ///< an unfinished session in the file is not continued
    /// A session of this definition that has ended is not made again.
    bool once = false;
};

/// Makes the rounds of a session in a database, or goes on with the unfinished one of the same definition.
/// Each launch is a run; stored launches decide what is due, so that a kill at any place loses at most the
/// running launch, and none is counted twice.
/// @return 0 all is done; 1 done, but launches or suites failed; 2 a job refused its input; 3 fewer than two
/// variants can be launched; 128 + signal
/// @throws InputError where the file holds an unfinished session of another definition, SystemError where
/// another process launches a session into it now: it is locked by the file `database`.session.lock
[[nodiscard]] int run_session(const std::string& database, const SessionWish& wish, SessionHands& hands);

} // namespace skampi
