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

/// Whether a suite of the reference counts for what is said of the whole: local operations such as memcpy say
/// nothing of message passing, and are left to themselves where the reference measures anything else.
[[nodiscard]] bool in_answer(const Subject& reference, const Curve& curve);

/// Whether a judgement of one against the other says something: jobs of other sizes in one file, or in three
/// files or more that differ in nothing else, were run to see how times grow with the number of ranks.
/// @param all of the report
[[nodiscard]] bool are_rivals(const Subject& reference, const Subject& other,
                              const std::vector<Subject>& all);

/// Each rival of the reference with it, in their order: the last one where it is the baseline, else the
/// first.
[[nodiscard]] std::vector<Contest> judge_subjects(const std::vector<Subject>& subjects, bool baseline);

} // namespace skampi
