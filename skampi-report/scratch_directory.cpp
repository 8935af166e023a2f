#include "scratch_directory.hpp"

#include "base/error.hpp"
#include "base/text.hpp"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>

namespace skampi {

namespace {

std::string make_directory(const std::filesystem::path& parent) {
    std::string path = (parent / ".skampi-report-XXXXXX").string();
    if (!mkdtemp(path.data()))
        throw SystemError(fmt::format("{}: no temporary directory can be made there: {}",
                                      printable(parent.string()), std::strerror(errno)));
    return path;
}

} // namespace

ScratchDirectory::ScratchDirectory() {
    const char* wanted = std::getenv("TMPDIR");
    path_ = make_directory(wanted && *wanted ? std::filesystem::absolute(wanted) : "/tmp");
}

ScratchDirectory::ScratchDirectory(const std::string& beside)
    : path_(make_directory(std::filesystem::absolute(beside).parent_path())) {}

ScratchDirectory::~ScratchDirectory() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
}

} // namespace skampi
