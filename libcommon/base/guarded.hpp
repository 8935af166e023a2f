#pragma once

#include <functional>
#include <sys/types.h>

namespace skampi {

/// How guarded work ended.
struct GuardedEnd {
    int status = 0; ///< its exit status, meaningful while signal is 0
    int signal = 0; ///< that ended it; 0 = it left by itself
};

/// Does the work in a process of its own and waits for it. When SIGINT, SIGTERM or SIGHUP arrives (as far as
/// they are not ignored) the work is killed with all it has started; so it is when this process goes. However
/// it was killed, `tidy_up` is then called with its process id, after the last of its processes has gone:
/// nobody writes any more what it removes. Work that leaves by itself tidies up for itself.
/// To be called before the process has threads or anything it must not have twice.
/// @throws SystemError when no process can be started
[[nodiscard]] GuardedEnd guarded(const std::function<int()>& work, const std::function<void(pid_t)>& tidy_up);

/// Ends this process as the signal would have done, so that its parent sees what happened.
[[noreturn]] void end_by_signal(int signal);

} // namespace skampi
