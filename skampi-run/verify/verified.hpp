// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "contest/session_contest.hpp"
#include "verify/verify_plan.hpp"

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace skampi {

class Database;

/// What went wrong in the launches of a suite with the file, or in those without it.
struct VerifyFault {
    std::string suite;
    bool with_file = false;
    std::set<std::int64_t> wrong_at; ///< arguments at which the operation delivered wrong data
    std::string failure;             ///< why the suite failed; empty = it did not
};

/// A session of a tuning file: the library with it against the library without it.
struct VerifiedFile {
    /// @param measured two variants, the second has the file
    /// @param as_planned of verify_suites(); other suites are called by their names
    VerifiedFile(SessionLaunches measured, std::vector<VerifySuite> as_planned);
    VerifiedFile(const VerifiedFile&) = delete; // the findings refer to the launches
    VerifiedFile& operator=(const VerifiedFile&) = delete;
    ~VerifiedFile() = default;

    const SessionLaunches launches;
    const SessionContest session;
    const std::vector<VerifySuite> planned;
    std::vector<VerifyFault> faults; ///< in the order of the plan, those with the file first

    [[nodiscard]] const Contest& contest() const { return session.variants.front().contest; }
    /// Somewhere, by more than the margin of equality may be.
    [[nodiscard]] bool slower_somewhere() const;
    [[nodiscard]] bool faster_somewhere() const; ///< likewise, over all lengths of a suite
    [[nodiscard]] bool faulty_somewhere() const; ///< with the file
    [[nodiscard]] bool judged() const;           ///< some suite
    /// Judged, nowhere slower, and nothing is faulty.
    [[nodiscard]] bool passed() const { return judged() && !slower_somewhere() && !faulty_somewhere(); }
    [[nodiscard]] std::size_t open() const;                     ///< suites that more rounds may decide
    [[nodiscard]] std::vector<TunedRegion> slower() const;      ///< somewhere
    [[nodiscard]] std::vector<TunedRegion> unconfirmed() const; ///< not shown to be faster as a whole
    [[nodiscard]] std::vector<TunedRegion> faulty() const;      ///< fail, or deliver wrong data
};

/// Why the library is not known to have read a file, from what its control variables held in a launch with
/// it; empty = it has read it. MPICH shows no texts in them: there the launch came to its end with the file
/// in the environment, and MPICH starts no rank where it cannot read the file.
[[nodiscard]] std::string why_not_read(const TuningUse& use, const SessionLaunches& launches);

/// The faults that a session met, also of suites that have no times to compare.
[[nodiscard]] std::vector<VerifyFault> faults_of_session(const Database& database, const Session& session);

/// What came out: what is faulty; a line for each region with the gain over its lengths, with interval, and
/// for lengths of it that differ otherwise.
[[nodiscard]] std::string verified_text(const VerifiedFile& file);

} // namespace skampi
