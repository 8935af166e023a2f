// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "document/figure_names.hpp"
#include "document/model.hpp"
#include "launches/subject.hpp"

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace skampi {

/// One curve of several that differ in a parameter.
struct FamilyMember {
    /// Belongs to its subject, unless points had to be left out of a copy.
    std::shared_ptr<const Curve> curve;
    std::string label;        ///< "Nodes = 4", "4 ranks"
    std::size_t left_out = 0; ///< points measured on another number of ranks than ranks_of() it
    FamilyMember(const Curve& of_subject, std::string name);
};

/// Curves that a list in the parameter file made of one block, or that jobs with different numbers of ranks
/// measured: over one another, and, where the number of ranks differs, over the ranks at chosen arguments.
struct Family {
    std::string name;
    std::vector<FamilyMember> members;
};

/// Those of a subject with at least two members that can be drawn and measure the same over the same
/// parameter, in the order of the plan.
[[nodiscard]] std::vector<Family> families(const Subject& subject, Pattern pattern);

/// Suites that several subjects measured with different numbers of ranks, whether their runs had different
/// numbers or the suites took part of them; empty where all have the same.
[[nodiscard]] std::vector<Family> families_of_ranks(const std::vector<const Subject*>& subjects);

/// Times at some arguments that all members have, a column for each.
[[nodiscard]] Table family_table(const Family& family);
/// @param study of curves over ranks, whose forms of growth are drawn; null = none
[[nodiscard]] Section family_section(const Family& family, FigureNames& names,
                                     const Subject* study = nullptr);

} // namespace skampi
