// SPDX-License-Identifier: LGPL-2.1-or-later
#include "base/scratch_directory.hpp"

#include "base/error.hpp"
#include "base/text.hpp"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string>
#include <unistd.h>
#include <vector>

namespace skampi {

namespace {

std::filesystem::path temporary_directory() {
    const char* wanted = std::getenv("TMPDIR");
    return wanted && *wanted ? std::filesystem::absolute(wanted) : "/tmp";
}

std::filesystem::path parent_of(const std::string& path) {
    return std::filesystem::absolute(path).parent_path();
}

/// How the names of a process's directories begin.
std::string name_of(pid_t maker) {
    return ".skampi-report-" + std::to_string(maker) + "-";
}

std::string make_directory(const std::filesystem::path& parent) {
    std::string path = (parent / (name_of(getpid()) + "XXXXXX")).string();
    if (!mkdtemp(path.data()))
        throw SystemError(printable(parent.string()) +
                          ": no temporary directory can be made there: " + std::strerror(errno));
    return path;
}

} // namespace

ScratchDirectory::ScratchDirectory()
    : path_(make_directory(temporary_directory())) {}

ScratchDirectory::ScratchDirectory(const std::string& near)
    : path_(make_directory(parent_of(near))) {}

ScratchDirectory::~ScratchDirectory() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
}

std::vector<std::filesystem::path> scratch_directories(const std::string& near, pid_t maker) {
    const std::string begin = name_of(maker);
    std::vector<std::filesystem::path> left;
    std::error_code error;
    std::vector<std::filesystem::path> parents{temporary_directory()};
    if (!near.empty())
        parents.push_back(parent_of(near));
    for (const std::filesystem::path& parent : parents)
        for (std::filesystem::directory_iterator entry(parent, error), end; !error && entry != end;
             entry.increment(error))
            if (entry->path().filename().string().starts_with(begin))
                left.push_back(entry->path());
    return left;
}

void remove_scratch_directories(const std::string& near, pid_t maker) {
    std::error_code error;
    for (const std::filesystem::path& each : scratch_directories(near, maker))
        std::filesystem::remove_all(each, error);
}

} // namespace skampi
