// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <functional>
#include <sys/types.h>

namespace skampi {

/// How guarded work ended.
struct GuardedEnd {
    int status = 0; ///< its exit status, meaningful while signal is 0
    int signal = 0; ///< that ended it; 0 = it exited
};

/// Does the work in a child process and waits for it. When SIGINT, SIGTERM or SIGHUP arrives (unless
/// ignored), or when this process ends, the work is killed with all processes it has started. However it was
/// killed, `tidy_up` is then called with its process id, after the last of its processes has ended, so that
/// no process writes again what it removes. Work that ends by itself cleans up itself. Call it before the
/// process has threads or anything that must not exist twice.
/// @throws SystemError when no process can be started
[[nodiscard]] GuardedEnd guarded(const std::function<int()>& work, const std::function<void(pid_t)>& tidy_up);

/// Ends this process as the signal would have done, so that its parent sees what happened.
[[noreturn]] void end_by_signal(int signal);

} // namespace skampi
