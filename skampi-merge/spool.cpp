#include "spool.hpp"

#include "base/error.hpp"
#include "base/text.hpp"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <unistd.h>

namespace skampi {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t written_at_once = std::size_t{1} << 20;

} // namespace

Spool::Spool(const std::string& beside)
    : named_(beside) {
    std::error_code failed;
    const fs::path folder = beside.empty() ? fs::temp_directory_path(failed) : fs::path(beside).parent_path();
    if (failed)
        throw SystemError("the folder for temporary files: " + failed.message());
    if (beside.empty())
        named_ = folder.string();
    descriptor_ = open(folder.empty() ? "." : folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    if (descriptor_ >= 0)
        return;
    // A file system that has no files without a name, or none may be made here, which this says.
    file_.emplace(beside.empty() ? (folder / "skampi-merge").string() : beside);
    descriptor_ = open(file_->temporary_path().c_str(), O_RDWR | O_CLOEXEC);
    if (descriptor_ < 0)
        fail("write");
}

Spool::~Spool() {
    if (descriptor_ >= 0)
        close(descriptor_);
}

void Spool::fail(const char* doing) const {
    throw SystemError(printable(named_) + ": cannot " + doing +
                      " a temporary file beside it: " + std::strerror(errno));
}

void Spool::write_out() {
    std::string_view rest = waiting_;
    while (!rest.empty()) {
        const ssize_t written = ::write(descriptor_, rest.data(), rest.size());
        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0)
            fail("write");
        rest.remove_prefix(static_cast<std::size_t>(written));
    }
    written_ += waiting_.size();
    waiting_.clear();
}

Spool::Piece Spool::add(std::string_view bytes) {
    const Piece piece{written_ + waiting_.size(), bytes.size()};
    waiting_ += bytes;
    if (waiting_.size() >= written_at_once)
        write_out();
    return piece;
}

std::string Spool::read(const Piece& piece) {
    if (piece.offset + piece.size > written_)
        write_out();
    std::string bytes(piece.size, '\0');
    std::size_t done = 0;
    while (done < bytes.size()) {
        const ssize_t got = pread(descriptor_, bytes.data() + done, bytes.size() - done,
                                  static_cast<off_t>(piece.offset + done));
        if (got < 0 && errno == EINTR)
            continue;
        if (got == 0)
            errno = EIO; // somebody cut it
        if (got <= 0)
            fail("read");
        done += static_cast<std::size_t>(got);
    }
    return bytes;
}

} // namespace skampi
