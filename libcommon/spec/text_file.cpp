// SPDX-License-Identifier: LGPL-2.1-or-later
#include "spec/text_file.hpp"

#include "base/error.hpp"
#include "base/text.hpp"

#include <array>
#include <cerrno>
#include <cstdio>
#include <fmt/format.h>
#include <memory>
#include <sys/stat.h>
#include <system_error>

namespace skampi {

namespace {

/// Larger than any parameter file: a device or a database named by mistake must not fill the memory.
constexpr std::size_t largest_text = std::size_t{16} << 20;

struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
};

[[noreturn]] void fail(const std::string& path, const std::string& what) {
    throw InputError(fmt::format("{}: {}, expected a readable text file", printable(path), what));
}

std::string reason(int error) {
    return std::generic_category().message(error);
}

} // namespace

std::string read_text_file(const std::string& path) {
    const std::unique_ptr<std::FILE, Close> file(std::fopen(path.c_str(), "rbe"));
    if (!file)
        fail(path, reason(errno));
    struct stat status {};
    if (fstat(fileno(file.get()), &status) != 0)
        fail(path, reason(errno));
    if (S_ISDIR(status.st_mode))
        fail(path, "is a directory");
    std::string text;
    std::array<char, 65536> part{};
    while (const std::size_t count = std::fread(part.data(), 1, part.size(), file.get())) {
        text.append(part.data(), count);
        if (text.size() > largest_text)
            fail(path, fmt::format("is larger than {} MiB", largest_text >> 20));
    }
    if (std::ferror(file.get()) != 0)
        fail(path, reason(errno));
    return text;
}

} // namespace skampi
