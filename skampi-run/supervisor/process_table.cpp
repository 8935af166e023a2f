// SPDX-License-Identifier: LGPL-2.1-or-later
#include "supervisor/process_table.hpp"

#include "base/process.hpp"

#include <charconv>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>

namespace skampi {

namespace {

bool has_mark(pid_t pid, const std::string& entry) {
    const std::string environment = read_proc_file("/proc/" + std::to_string(pid) + "/environ");
    std::string_view rest = environment;
    while (!rest.empty()) {
        const std::size_t end = rest.find('\0');
        if (rest.substr(0, end) == entry)
            return true;
        if (end == std::string_view::npos)
            break;
        rest.remove_prefix(end + 1);
    }
    return false;
}

/// With their parents.
std::map<pid_t, pid_t> living_processes() {
    std::map<pid_t, pid_t> result;
    std::error_code ignored;
    for (const auto& entry : std::filesystem::directory_iterator("/proc", ignored)) {
        const std::string name = entry.path().filename().string();
        pid_t pid = 0;
        const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), pid);
        if (error != std::errc() || end != name.data() + name.size())
            continue;
        if (const std::optional<ProcessStat> stat = read_process(pid);
            stat && stat->state != 'Z' && stat->state != 'X')
            result.emplace(pid, stat->parent);
    }
    return result;
}

} // namespace

std::vector<ProcessEntry> processes_of(const std::pair<std::string, std::string>& mark,
                                       const std::string& program) {
    const std::map<pid_t, pid_t> living = living_processes();
    const pid_t self = ::getpid();
    std::set<pid_t> spared{0};
    for (pid_t pid = self; spared.insert(pid).second;) {
        const auto found = living.find(pid);
        if (found == living.end())
            break;
        pid = found->second;
    }
    const auto descends_from_us = [&living, self](pid_t pid) {
        // Bounded, because the table is no snapshot: parents may have been replaced while it was read.
        for (std::size_t steps = 0; steps < living.size(); ++steps) {
            const auto found = living.find(pid);
            if (found == living.end())
                return false;
            if (found->second == self)
                return true;
            pid = found->second;
        }
        return false;
    };

    const std::string entry = mark.first + "=" + mark.second;
    std::vector<ProcessEntry> result;
    for (const auto& [pid, parent] : living) {
        if (spared.contains(pid) || !(descends_from_us(pid) || has_mark(pid, entry)))
            continue;
        std::error_code error;
        const std::filesystem::path executable =
            std::filesystem::read_symlink("/proc/" + std::to_string(pid) + "/exe", error);
        result.push_back({.pid = pid, .runs_program = !error && executable == program});
    }
    return result;
}

void reap_orphans(pid_t except) {
    const pid_t self = ::getpid();
    std::error_code ignored;
    for (const auto& entry : std::filesystem::directory_iterator("/proc", ignored)) {
        const std::string name = entry.path().filename().string();
        pid_t pid = 0;
        const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), pid);
        if (error != std::errc() || end != name.data() + name.size() || pid == except)
            continue;
        if (const std::optional<ProcessStat> stat = read_process(pid);
            stat && stat->state == 'Z' && stat->parent == self)
            ::waitpid(pid, nullptr, WNOHANG);
    }
}

} // namespace skampi
