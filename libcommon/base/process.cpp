// SPDX-License-Identifier: LGPL-2.1-or-later
#include "base/process.hpp"

#include <array>
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <filesystem>
#include <sstream>
#include <system_error>
#include <unistd.h>

namespace skampi {
namespace {

/// How the name of a process seen from here begins: this start of this kernel, this name space.
std::string here() {
    std::string boot = read_proc_file("/proc/sys/kernel/random/boot_id");
    boot.resize(boot.find_last_not_of(" \n") + 1);
    std::error_code error;
    const std::string name_space = std::filesystem::read_symlink("/proc/self/ns/pid", error).string();
    if (boot.empty() || error)
        return {};
    return boot + " " + name_space + " ";
}

} // namespace

std::string read_proc_file(const std::string& path) {
    std::string text;
    const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return text;
    std::array<char, 16384> part;
    ssize_t count = 0;
    while ((count = ::read(file, part.data(), part.size())) > 0 || (count < 0 && errno == EINTR)) {
        if (count > 0)
            text.append(part.data(), static_cast<std::size_t>(count));
    }
    ::close(file);
    return text;
}

std::optional<ProcessStat> read_process(pid_t pid) {
    // "pid (name) state ppid ...", where the name may hold anything, parentheses as well.
    const std::string text = read_proc_file("/proc/" + std::to_string(pid) + "/stat");
    const std::size_t open = text.find('(');
    const std::size_t close = text.rfind(')');
    if (open == std::string::npos || close == std::string::npos || close < open)
        return std::nullopt;
    ProcessStat stat;
    stat.name = text.substr(open + 1, close - open - 1);
    std::istringstream fields(text.substr(close + 1));
    fields >> stat.state >> stat.parent;
    constexpr int between_parent_and_start = 17;
    std::string skipped;
    for (int i = 0; i < between_parent_and_start; ++i)
        fields >> skipped;
    if (!(fields >> stat.start))
        return std::nullopt;
    return stat;
}

std::string name_of_process(pid_t pid) {
    const std::string place = here();
    const std::optional<ProcessStat> stat = read_process(pid);
    return place.empty() || !stat ? std::string() : place + std::to_string(pid) + " " + stat->start;
}

Living is_living(const std::string& name_of_process) {
    const std::string place = here();
    if (place.empty() || !name_of_process.starts_with(place))
        return Living::unknown;
    std::istringstream rest(name_of_process.substr(place.size()));
    pid_t pid = 0;
    std::string start;
    if (!(rest >> pid >> start))
        return Living::unknown;
    const std::optional<ProcessStat> stat = read_process(pid);
    return stat && stat->start == start && stat->state != 'Z' && stat->state != 'X' ? Living::yes
                                                                                    : Living::no;
}

} // namespace skampi
