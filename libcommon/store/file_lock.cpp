// SPDX-License-Identifier: LGPL-2.1-or-later
#include "store/file_lock.hpp"

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/text.hpp"
#include "base/utc.hpp"

#include <array>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <string_view>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace skampi {

namespace {

struct flock whole_file(short type) {
    struct flock range = {};
    range.l_type = type;
    range.l_whence = SEEK_SET;
    return range;
}

/// How the text of a lock file begins.
constexpr std::string_view text_begin = "host ";

std::string this_process() {
    std::array<char, 256> host{};
    if (gethostname(host.data(), host.size() - 1) != 0)
        host = {'?'};
    return std::string(text_begin) + std::string(host.data()) + ", process " + std::to_string(getpid()) +
           ", since " + utc_now();
}

std::string text_of(int descriptor) {
    std::array<char, 512> text{};
    const ssize_t size = pread(descriptor, text.data(), text.size(), 0);
    std::string holder(text.data(), size > 0 ? static_cast<std::size_t>(size) : 0);
    while (!holder.empty() && holder.back() == '\n')
        holder.pop_back();
    return holder.empty() ? "a process that has just begun" : printable(holder);
}

struct OpenedFile {
    int descriptor = -1;
    bool made = false; ///< it was not there before
};

OpenedFile open_or_make(const std::string& path) {
    constexpr int flags = O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC;
    for (;;) {
        if (const int made = open(path.c_str(), flags | O_CREAT | O_EXCL, 0666); made >= 0 || errno != EEXIST)
            return {made, made >= 0};
        // Its holder may remove it in between.
        if (const int found = open(path.c_str(), flags); found >= 0 || errno != ENOENT)
            return {found, false};
    }
}

bool is_still_named(int descriptor, const std::string& path) {
    struct stat ours = {};
    struct stat named = {};
    return fstat(descriptor, &ours) == 0 && lstat(path.c_str(), &named) == 0 && ours.st_dev == named.st_dev &&
           ours.st_ino == named.st_ino;
}

/// Whether a process that holds a lock has made a file, or was about to: it may have died before it said who
/// it is.
bool is_lock_file(int descriptor) {
    struct stat facts = {};
    std::array<char, text_begin.size()> begin{};
    const ssize_t size = pread(descriptor, begin.data(), begin.size(), 0);
    return fstat(descriptor, &facts) == 0 && S_ISREG(facts.st_mode) && size >= 0 &&
           text_begin.starts_with(std::string_view(begin.data(), static_cast<std::size_t>(size)));
}

} // namespace

FileLock::FileLock(const std::string& path, const std::string& subject)
    : path_(path) {
    refuse_link(path);
    for (;;) {
        const OpenedFile opened = open_or_make(path);
        descriptor_ = opened.descriptor;
        if (descriptor_ < 0)
            throw SystemError(printable(subject) + ": cannot write here: cannot create the lock file " +
                              printable(path) + ": " + std::strerror(errno));
        // A lock of the open file description: unlike the older kind it is not lost when some other part of
        // this process opens and closes the same file, and two locks in one process exclude each other.
        struct flock range = whole_file(F_WRLCK);
        if (fcntl(descriptor_, F_OFD_SETLK, &range) != 0) {
            const int reason = errno;
            const std::string holder = text_of(descriptor_);
            close(std::exchange(descriptor_, -1));
            if (reason == EAGAIN || reason == EACCES)
                throw SystemError(printable(subject) + ": in use by another process (" + holder +
                                  "); wait for its end or use another file");
            if (opened.made) // on a file system without locks no one else needs it
                unlink(path.c_str());
            throw SystemError(printable(subject) + ": cannot lock " + printable(path) + ": " +
                              std::strerror(reason));
        }
        // The former holder may have removed the file between our open and our lock: then we hold a lock that
        // no one else will ever see.
        if (is_still_named(descriptor_, path))
            break;
        close(std::exchange(descriptor_, -1));
    }
    if (!is_lock_file(descriptor_)) {
        close(std::exchange(descriptor_, -1));
        throw InputError(printable(path) + ": found a file that is no lock of SKaMPI, expected none");
    }
    const std::string text = this_process() + "\n";
    // Only information for others: on a full disk the lock holds without it.
    (void)!ftruncate(descriptor_, 0);
    (void)!pwrite(descriptor_, text.data(), text.size(), 0);
}

FileLock::FileLock(FileLock&& other) noexcept
    : path_(std::move(other.path_))
    , descriptor_(std::exchange(other.descriptor_, -1)) {}

FileLock::~FileLock() {
    if (descriptor_ < 0)
        return;
    // Removed while the lock is held: the next one to lock this inode sees that its name is gone.
    unlink(path_.c_str());
    close(descriptor_);
}

std::optional<std::string> FileLock::holder(const std::string& path) {
    const int descriptor = open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (descriptor < 0)
        return std::nullopt;
    struct flock range = whole_file(F_WRLCK);
    std::optional<std::string> holder;
    if (fcntl(descriptor, F_OFD_GETLK, &range) == 0 && range.l_type != F_UNLCK)
        holder = text_of(descriptor);
    close(descriptor);
    return holder;
}

std::string FileLock::path_for(const std::string& subject, const std::string& ending) {
    std::error_code ignored;
    // Absolute first: a relative name of a file that is not there yet would stay relative.
    const std::filesystem::path real =
        std::filesystem::weakly_canonical(std::filesystem::absolute(subject, ignored), ignored);
    return (real.empty() ? subject : real.string()) + ending;
}

} // namespace skampi
