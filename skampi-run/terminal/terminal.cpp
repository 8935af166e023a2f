// SPDX-License-Identifier: LGPL-2.1-or-later
#include "terminal/terminal.hpp"

#include "base/utf8.hpp"
#include "host/launcher.hpp"

#include <algorithm>
#include <fcntl.h>
#include <fmt/format.h>
#include <string>
#include <string_view>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

namespace skampi {
namespace {

std::optional<Terminal> terminal_at(int descriptor) {
    if (isatty(descriptor) == 0)
        return std::nullopt;
    Terminal terminal;
    struct winsize size {};
    if (ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
        terminal.columns = size.ws_col;
    return terminal;
}

/// What another process has open there, if it is a terminal. Nothing else is opened: a pipe would have one
/// reader more.
std::optional<Terminal> terminal_of(long process, int descriptor) {
    const std::string path = fmt::format("/proc/{}/fd/{}", process, descriptor);
    struct stat found {};
    if (::stat(path.c_str(), &found) != 0 || !S_ISCHR(found.st_mode))
        return std::nullopt;
    const int opened = ::open(path.c_str(), O_RDONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
    if (opened < 0)
        return std::nullopt;
    const std::optional<Terminal> terminal = terminal_at(opened);
    ::close(opened);
    return terminal;
}

bool is_pipe(int descriptor) {
    struct stat found {};
    return ::fstat(descriptor, &found) == 0 && (S_ISFIFO(found.st_mode) || S_ISSOCK(found.st_mode));
}

} // namespace

std::optional<Terminal> terminal_behind(std::FILE* out) {
    const int descriptor = fileno(out);
    const std::vector<Launcher> above = launchers();
    // Open MPI makes the ranks' standard output a terminal even where its own goes to a file.
    if (above.empty())
        return isatty(STDERR_FILENO) != 0 ? terminal_at(descriptor) : std::nullopt;
    const bool led_through_launcher = (descriptor == STDOUT_FILENO || descriptor == STDERR_FILENO) &&
                                      (is_pipe(descriptor) || isatty(descriptor) != 0);
    if (!led_through_launcher || !terminal_of(above.back().process, STDERR_FILENO))
        return std::nullopt;
    return terminal_of(above.back().process, descriptor);
}

std::FILE* output_of_bar(ProgressKind kind, std::FILE* out) {
    if (kind != ProgressKind::automatic && kind != ProgressKind::bar)
        return nullptr;
    if (terminal_behind(out))
        return out;
    return kind == ProgressKind::automatic && terminal_behind(stderr) ? stderr : nullptr;
}

bool writes_lines(ProgressKind kind, std::FILE* out) {
    return kind == ProgressKind::automatic && !terminal_behind(out);
}

std::string bar_line(double done, const std::string& place, const std::string& left, int columns) {
    // A line as wide as the terminal would go on in the next one, which nothing clears.
    const auto room = static_cast<std::size_t>(std::max(columns - 1, 0));
    constexpr std::size_t longest_place = 60;
    constexpr std::size_t shortest_place = 24;
    const std::string end = left.empty() ? left : "  " + left;
    std::size_t width = 24;
    const auto room_for_place = [&] {
        const std::size_t others = std::string_view("[] ").size() + width + end.size();
        return std::min(longest_place, room - std::min(room, others));
    };
    if (room_for_place() < std::min(shortest_place, character_count(place)))
        width = 8;
    const auto filled = static_cast<std::size_t>(done * static_cast<double>(width));
    const std::string line = "[" + std::string(filled, '#') + std::string(width - filled, '.') + "] " +
                             std::string(first_characters(place, room_for_place())) + end;
    return std::string(first_characters(line, room));
}

} // namespace skampi
