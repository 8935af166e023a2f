// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <optional>
#include <string>
#include <sys/types.h>

namespace skampi {

/// A file of /proc; empty when it cannot be read, or its process is gone. No stream: it would throw when a
/// process goes between opening and reading.
[[nodiscard]] std::string read_proc_file(const std::string& path);

/// What Linux reports about a process (proc(5), /proc/PID/stat).
struct ProcessStat {
    std::string name; ///< at most 15 bytes
    char state = '?'; ///< 'Z' and 'X' have ended
    pid_t parent = 0;
    std::string start; ///< clock ticks since boot: distinguishes a process from a later one with its number
};

/// Empty when the process is gone or cannot be read.
[[nodiscard]] std::optional<ProcessStat> read_process(pid_t pid);

/// A name of a process that no other process has, on any host: what the kernel calls its present start, the
/// name space of process numbers, number and start of the process. Empty when one of these is unknown.
[[nodiscard]] std::string name_of_process(pid_t pid);

enum class Living { yes, no, unknown };

/// Whether the process of that name still runs. Unknown where that cannot be seen from here: on another host,
/// in another name space, or where /proc does not say.
[[nodiscard]] Living is_living(const std::string& name_of_process);

} // namespace skampi
