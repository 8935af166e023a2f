// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "contest/algorithm_groups.hpp"
#include "contest/contract.hpp"
#include "contest/guideline.hpp"
#include "contest/session_contest.hpp"
#include "document/content.hpp"
#include "document/figure_names.hpp"
#include "document/model.hpp"
#include "document/sections/rivals.hpp"
#include "launches/single_times.hpp"
#include "launches/subject.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace skampi {

struct DocumentOptions {
    std::string title;      ///< empty = made from the run
    bool baseline = false;  ///< the last subject is the baseline of all others
    bool box_plots = false; ///< of the single measurements, with every suite
    Content content = {};   ///< which chapters, in which order, and comparisons of one's own
    /// The single measurements of a suite, where they are kept; none = not requested.
    SingleTimesOf single_times_of = {};
    /// The comparisons of these subjects, if they exist already; null = they are made here.
    const std::vector<Contest>* comparisons = nullptr;
    /// The session whose variants the subjects are; null = none.
    const SessionContest* turns = nullptr;
    /// The algorithms of the one database shown; null = it measured none.
    const AlgorithmFindings* algorithms = nullptr;
    /// What the subjects are judged by; null = no contract.
    const std::vector<PromiseFinding>* contract = nullptr;
};

/// For the tables on a first page.
constexpr std::size_t rows_on_first_page = 16;

/// What sections are made from: read and compared once, the same for all of them.
struct Material {
    const std::vector<Subject>& subjects; ///< at least one
    const DocumentOptions& options;
    const Rivals& contest;
    FigureNames& names;
    mutable std::optional<SelfConsistency> found_consistency = {}; ///< see consistency()

    /// The subject that is shown in full.
    [[nodiscard]] const Subject& subject() const { return subjects.front(); }
    /// The jobs of its study, by their numbers of ranks; mostly it alone.
    [[nodiscard]] std::vector<const Subject*> jobs() const {
        return contest.other_sizes.empty() ? std::vector{&subject()} : contest.sizes();
    }
    /// For these jobs, computed at the first call.
    [[nodiscard]] const SelfConsistency& consistency() const {
        if (!found_consistency)
            found_consistency = check_guidelines(jobs());
        return *found_consistency;
    }
};

/// A kind of section: a row in section_kinds.cpp.
struct SectionKind {
    std::string_view chapter;                        ///< the word by which a content file chooses it
    bool (*applies)(const Material&);                ///< whether the report can have it
    std::optional<Section> (*make)(const Material&); ///< none: there is nothing to say
    Rank rank;
    std::optional<Rank> compared = {}; ///< its rank where several sides are compared; none = the same
};

} // namespace skampi
