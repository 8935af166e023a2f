// SPDX-License-Identifier: LGPL-2.1-or-later
#include "algorithms/library_file.hpp"

#include <dlfcn.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace skampi {

LibraryFile::LibraryFile(const void* function) {
    Dl_info info{};
    if (dladdr(function, &info) == 0 || info.dli_fname == nullptr)
        return;
    const int file = open(info.dli_fname, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return;
    struct stat status {};
    if (fstat(file, &status) == 0 && status.st_size > 0) {
        size_ = static_cast<std::size_t>(status.st_size);
        void* const mapped = mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, file, 0);
        if (mapped != MAP_FAILED) {
            mapped_ = mapped;
            name_ = fmt::format("{} {} {}.{:09}", info.dli_fname, status.st_size, status.st_mtim.tv_sec,
                                status.st_mtim.tv_nsec);
        }
    }
    close(file);
}

LibraryFile::~LibraryFile() {
    if (mapped_ != nullptr)
        munmap(mapped_, size_);
}

std::string_view LibraryFile::bytes() const {
    return mapped_ == nullptr ? std::string_view()
                              : std::string_view(static_cast<const char*>(mapped_), size_);
}

} // namespace skampi
