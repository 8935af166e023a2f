#include "terminal/terminal.hpp"

#include "host/launcher.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <string>
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
    const bool led_through_launcher =
        descriptor == STDOUT_FILENO && (is_pipe(descriptor) || isatty(descriptor) != 0);
    if (!led_through_launcher || !terminal_of(above.back().process, STDERR_FILENO))
        return std::nullopt;
    return terminal_of(above.back().process, STDOUT_FILENO);
}

} // namespace skampi
