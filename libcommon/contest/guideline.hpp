// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "contest/statement.hpp"
#include "launches/subject.hpp"

#include <compare>
#include <cstdint>
#include <string>
#include <vector>

namespace skampi {

// Self-consistent performance guidelines (Träff, Gropp & Thakur, IEEE TPDS 21(5), 2010; Hunold,
// Carpen-Amarie, Lübbe & Träff, Euro-Par 2016): a library should never be slower than a program that does the
// same with the library's other functions.

/// The reason for a guideline.
enum class GuidelineKind {
    replacement,    ///< other functions in place of this one: Allreduce by Reduce and Bcast
    longer_message, ///< a longer message costs no less
    split,          ///< a message costs no more than two of half its length
    more_ranks,     ///< the same on more ranks costs no less
};

/// One place at which a guideline does not hold.
struct Violation {
    std::string suite; ///< of the function that is too slow
    int ranks = 0;
    std::int64_t message_bytes = 0;
    /// The length of the message in its place; for a replacement by several functions, the first one's.
    std::int64_t other_bytes = 0;
    int other_ranks = 0;
    TimeUnit unit = TimeUnit::automatic; ///< of that suite
    /// The function against its replacement, whose time is reference_s; slower.
    Statement statement;
    [[nodiscard]] double time_s() const { return statement.ratio * statement.reference_s; }
};

/// The length of a message in terms of that of the function replaced.
enum class TermLength {
    same,     ///< m
    all,      ///< n m: what all ranks' messages are together
    one_part, ///< m / n
};

/// A function that stands for another one.
struct GuidelineTerm {
    std::string operation;
    TermLength length = TermLength::same;
    auto operator<=>(const GuidelineTerm&) const = default;
};

/// "MPI_Allreduce(m) <= MPI_Reduce(m) + MPI_Bcast(m)"; m is the message length as the operations define it
/// (docs/operations.md), n the number of ranks.
struct Guideline {
    GuidelineKind kind = GuidelineKind::replacement;
    std::string function;
    std::vector<GuidelineTerm> instead; ///< the functions of a replacement
    auto operator<=>(const Guideline&) const = default;
};

struct GuidelineResult {
    Guideline guideline;
    std::size_t places = 0;                       ///< looked at
    std::vector<Violation> violations;            ///< in the order of the places
    [[nodiscard]] const Violation& worst() const; ///< @pre there are any
};

struct SelfConsistency {
    std::vector<GuidelineResult> guidelines; ///< those with at least one place
    std::size_t places = 0;                  ///< of all of them
    std::size_t violations = 0;
    /// The guidelines that are violated anywhere, the worst first.
    [[nodiscard]] std::vector<const GuidelineResult*> violated() const;
};

/// Checks every guideline wherever the suites of one subject allow: they measure the same quantity in the
/// same way (quantity_key), except for the operation and the message length, on the same number of ranks.
/// For replacements the shortest measured message that is long enough is used, at most twice as long as
/// needed: a program could pad its message, so nothing is interpolated. They are only
/// compared where the reported time is that of the last rank, for these times add up to a bound and those of
/// a root do not.
///
/// Violated means that the lower end of the ratio's interval is above 1. The interval is from the ratios
/// within each launch (estimate_pairs()); with too few launches there is none. All places together have an
/// error of 5 % (Bonferroni). The clock's step is part of the interval.
[[nodiscard]] SelfConsistency check_guidelines(const Subject& subject);
/// The same for each job of a study: all their places together have an error of 5 %.
[[nodiscard]] SelfConsistency check_guidelines(const std::vector<const Subject*>& jobs);

} // namespace skampi
