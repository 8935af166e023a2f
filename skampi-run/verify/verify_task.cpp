// SPDX-License-Identifier: LGPL-2.1-or-later
#include "verify/verify_task.hpp"

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/text.hpp"
#include "model/quantity.hpp"
#include "store/database.hpp"

#include <filesystem>
#include <fmt/format.h>
#include <utility>

namespace skampi {

std::string verify_plan_path(const std::string& database) {
    return database + ".verify.skampi";
}

std::unique_ptr<const VerifiedFile> verified_file(const std::string& path, std::vector<VerifySuite> planned) {
    std::error_code error;
    if (!std::filesystem::is_regular_file(path, error))
        return nullptr;
    const Database database = Database::open(path);
    if (database.sessions().empty())
        return nullptr;
    auto file = std::make_unique<VerifiedFile>(read_session(database), std::move(planned));
    file->faults = faults_of_session(database, file->launches.session);
    return file;
}

int tell_verified(const std::string& path, const Verification& done) {
    constexpr int incomplete = static_cast<int>(ExitStatus::incomplete);
    if (!done.file)
        return done.status;
    if (!done.not_read.empty()) {
        write_standard_error(fmt::format("{}: not known to be read by the library: {}\n", printable(path),
                                         printable(done.not_read)));
        return incomplete;
    }
    const VerifiedFile& file = *done.file;
    const std::size_t open = file.judged() ? file.open() : 0;
    const std::string_view verdict =
        file.faulty_somewhere()   ? "do not use it: operations failed or delivered wrong data, as named above"
        : file.slower_somewhere() ? "slower at the lengths named above"
        : !file.judged()          ? "too few launches were complete to compare times"
                                  : "nowhere shown to be slower";
    write_standard_output(
        fmt::format("{}{}: the library reads it; {}{}\n", verified_text(file), printable(path), verdict,
                    open > 0 ? fmt::format("; {} undecided, which more --time or --rounds may decide",
                                           count_of(open, "line above is", "lines above are"))
                             : ""));
    return done.passed() ? static_cast<int>(ExitStatus::done) : incomplete;
}

} // namespace skampi
