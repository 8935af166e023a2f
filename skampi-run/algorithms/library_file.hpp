// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace skampi {

/// The file that holds a function of this process, such as one of the MPI library, without a copy of it.
class LibraryFile {
public:
    /// @param function its address. Where it is in no file that can be read, bytes() and name() are empty
    explicit LibraryFile(const void* function);
    LibraryFile(const LibraryFile&) = delete;
    LibraryFile& operator=(const LibraryFile&) = delete;
    ~LibraryFile();

    [[nodiscard]] std::string_view bytes() const;
    /// Path, size and time of the last change: another library has another name.
    [[nodiscard]] const std::string& name() const { return name_; }

private:
    void* mapped_ = nullptr;
    std::size_t size_ = 0;
    std::string name_;
};

} // namespace skampi
