// SPDX-License-Identifier: LGPL-2.1-or-later
#include "base/replaced_directory.hpp"

#include "base/scratch_directory.hpp"

#include "base/error.hpp"
#include "base/text.hpp"

#include <cstdio>
#include <fcntl.h>
#include <system_error>

namespace skampi {

namespace fs = std::filesystem;

namespace {

/// Where a former report waits in the scratch directory until the new one has its place.
constexpr const char* former_name = "former";

} // namespace

fs::path report_directory(const std::string& output) {
    const fs::path path = fs::absolute(output).lexically_normal();
    return path.has_filename() ? path : path.parent_path(); // "report.html/"
}

bool exchange_at_once(const fs::path& a, const fs::path& b) {
    return renameat2(AT_FDCWD, a.c_str(), AT_FDCWD, b.c_str(), RENAME_EXCHANGE) == 0;
}

void replace_directory(const fs::path& finished, const fs::path& output, const fs::path& scratch,
                       const Exchange& exchange) {
    const bool replaces = fs::exists(output);
    if (replaces && exchange(finished, output))
        return;
    const fs::path former = scratch / former_name;
    std::error_code error;
    if (replaces) {
        fs::rename(output, former, error);
        if (error)
            throw SystemError(printable(output.string()) + ": cannot be replaced: " + error.message());
    }
    fs::rename(finished, output, error);
    if (error) {
        const std::string reason = error.message();
        if (replaces)
            fs::rename(former, output, error);
        throw SystemError(printable(output.string()) + ": cannot be written: " + reason);
    }
}

void restore_replaced(const std::string& output, pid_t maker) {
    const fs::path path = report_directory(output);
    std::error_code error;
    for (const fs::path& scratch : scratch_directories(path.string(), maker))
        if (fs::exists(scratch / former_name, error) && !fs::exists(path, error))
            fs::rename(scratch / former_name, path, error);
}

} // namespace skampi
