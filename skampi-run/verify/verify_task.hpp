// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "verify/tuning_use.hpp"
#include "verify/verified.hpp"

#include <memory>
#include <string>
#include <vector>

namespace skampi {

/// The parameter file of a verification: next to its database, so that all ranks read it.
[[nodiscard]] std::string verify_plan_path(const std::string& database);

/// What the newest session of a database says of its tuning file. @return null = there is no session
/// @param planned what verify_plan() got; empty = another plan was measured
[[nodiscard]] std::unique_ptr<const VerifiedFile> verified_file(const std::string& database,
                                                                std::vector<VerifySuite> planned);

/// What came of launching the library with and without a file in turns.
struct Verification {
    int status = 0; ///< of the session; 1 also where no launch has a run with the file
    std::unique_ptr<const VerifiedFile> file; ///< null where the status is above 1
    std::string not_read;                     ///< why_not_read()
    [[nodiscard]] bool passed() const { return file && not_read.empty() && file->passed(); }
};

/// Says on standard output what came out, or on standard error that the file was not read.
/// @return 0 passed; 1 not read, slower or faulty somewhere, or too few launches were complete; else the
/// status of the session
[[nodiscard]] int tell_verified(const std::string& path, const Verification& done);

} // namespace skampi
