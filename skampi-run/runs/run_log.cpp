// SPDX-License-Identifier: LGPL-2.1-or-later
#include "runs/run_log.hpp"

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/text.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <string_view>
#include <system_error>
#include <unistd.h>

namespace skampi {
namespace {

constexpr std::size_t uuid_shown = 8;

/// How a line begins: a time and a run. A 0 is any digit, an x any hexadecimal digit.
constexpr std::string_view line_begin = "0000-00-00T00:00:00Z xxxxxxxx ";

/// Whether a file begins as a log does, or as the piece of its first line that a full disk left.
bool begins_as_log(const std::string& path) {
    std::string begin(line_begin.size(), '\0');
    std::ifstream file(path, std::ios::binary);
    file.read(begin.data(), static_cast<std::streamsize>(begin.size()));
    begin.resize(static_cast<std::size_t>(file.gcount()));
    return std::equal(begin.begin(), begin.end(), line_begin.begin(), [](char found, char wanted) {
        const auto byte = static_cast<unsigned char>(found);
        return wanted == '0'   ? std::isdigit(byte) != 0
               : wanted == 'x' ? std::isxdigit(byte) != 0
                               : found == wanted;
    });
}

/// What is there that is no log of ours; empty = nothing, or a log. Pipes and devices are left to the first
/// writing: they hold nothing that could be spoilt.
std::string other_than_log(const std::string& path) {
    std::error_code error;
    const std::filesystem::file_status status = std::filesystem::symlink_status(path, error);
    if (std::filesystem::is_symlink(status))
        return "a link to another place";
    if (std::filesystem::is_regular_file(status) && !begins_as_log(path))
        return "a file that is no log of SKaMPI";
    return {};
}

/// Whether SQLite or SKaMPI gives such a name to a file next to a database, this one or another.
bool is_beside_a_database(std::string_view path) {
    constexpr auto endings =
        std::to_array<std::string_view>({"-wal", "-shm", "-journal", ".lock", ".skampi"});
    return std::ranges::any_of(endings, [&](std::string_view each) { return path.ends_with(each); });
}

std::string line_of(const std::string& run, const Event& event) {
    return fmt::format("{} {} {}{}: {}", event.time_utc, run, event.kind,
                       event.suite.empty() ? "" : fmt::format(" \"{}\"", printable(event.suite)),
                       printable(event.text));
}

} // namespace

RunLog::RunLog(std::string path, const std::string& database)
    : path_(std::move(path)) {
    if (!wanted())
        return;
    const std::string found = is_same_file(path_, database) ? "the database"
                              : is_beside_a_database(path_) ? "the name of a file next to a database"
                                                            : other_than_log(path_);
    if (!found.empty())
        throw InputError(
            fmt::format("@LOGFILE {}: found {}, expected a new file or a log that SKaMPI has written before",
                        printable(path_), found));
}

void RunLog::begin(const std::string& run_uuid) {
    run_ = run_uuid.substr(0, uuid_shown);
    there_.clear();
    broken_line_ = false;
    std::error_code error;
    if (!wanted() || !std::filesystem::is_regular_file(path_, error))
        return;
    std::ifstream file(path_);
    for (std::string line; std::getline(file, line);) {
        broken_line_ = file.eof(); // no newline behind it
        if (line.find(" " + run_ + " ") != std::string::npos)
            there_.insert(line);
    }
}

std::string RunLog::append(const std::vector<Event>& events) {
    std::string text(broken_line_ ? "\n" : "");
    const std::size_t begin = text.size();
    for (const Event& event : events)
        if (std::string line = line_of(run_, event); there_.insert(line).second)
            text += line + "\n";
    if (!wanted() || text.size() == begin)
        return {};
    broken_line_ = false;
    // Never blocks: a pipe without a reader is an error like a full disk.
    const int descriptor =
        ::open(path_.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC, 0666);
    int failed = descriptor < 0 ? errno : 0;
    for (std::string_view rest = text; failed == 0 && !rest.empty();) {
        const ssize_t written = ::write(descriptor, rest.data(), rest.size());
        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0)
            failed = errno;
        else
            rest.remove_prefix(static_cast<std::size_t>(written));
    }
    if (descriptor >= 0 && ::close(descriptor) != 0 && failed == 0)
        failed = errno;
    if (failed == 0)
        return {};
    std::string why = fmt::format("the log {} cannot be written ({}); the run continues without it",
                                  printable(path_), std::strerror(failed));
    path_.clear();
    return why;
}

} // namespace skampi
