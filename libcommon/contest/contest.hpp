// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "contest/statement.hpp"

#include <cstddef>
#include <optional>
#include <vector>

namespace skampi {

/// Two databases.
[[nodiscard]] Contest judge_databases(const Subject& reference, const Subject& subject,
                                      const ContestRule& rule = {});

/// Two suites: of the same launches, or of two subjects.
/// @param places over how many statements the error is shared; 0 = those of this suite
[[nodiscard]] SuiteContest judge_suites(const Curve& reference, const Curve& subject, Pairing pairing,
                                        std::optional<OnPurpose> on_purpose, std::size_t places = 0,
                                        const ContestRule& rule = {});

/// Whether a suite of the reference counts for the overall answer: local operations such as memcpy say
/// nothing about message passing, and are excluded where the reference measures anything else.
[[nodiscard]] bool in_answer(const Subject& reference, const Curve& curve);

/// Whether a comparison of the two is meaningful: jobs of other sizes in one file, or in three or more files
/// without other differences, were run to see how times grow with the number of ranks.
/// @param all of the report
[[nodiscard]] bool are_rivals(const Subject& reference, const Subject& other,
                              const std::vector<Subject>& all);

/// Each rival with the reference, in their order; the reference is the last subject if that is the baseline,
/// else the first.
[[nodiscard]] std::vector<Contest> judge_subjects(const std::vector<Subject>& subjects, bool baseline);

} // namespace skampi
