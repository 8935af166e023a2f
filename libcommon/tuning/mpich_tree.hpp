// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "tuning/rule.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace skampi {

// MPICH's selection tree, of 4.0 to 5.0: MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE.

/// The tree that a library has built in, as a text: the file replaces all of it. It lies in the library's
/// file as a text that ends with a NUL byte. @return none = it is not there
[[nodiscard]] std::optional<std::string> find_mpich_tree(std::string_view library_file);

/// What a tree says of a collective, without what it means.
struct MpichBranch {
    std::uint64_t content = 0;      ///< the same text has the same
    std::set<std::int64_t> borders; ///< largest lengths that tests of lengths name, in our message length
};
/// By the collective's word in the tree ("bcast").
using MpichBranches = std::map<std::string, MpichBranch>;

/// Reads which collectives a tree has and which lengths their tests name. Whether MPICH knows the tests it
/// says itself when it reads the file.
/// @param ranks for tests of all ranks' lengths together @param name for messages
/// @throws InputError naming the line of what is no JSON; for what is no tree, and deeper than MPICH reads
[[nodiscard]] MpichBranches read_mpich_branches(std::string_view text, const std::string& name,
                                                std::int64_t ranks);

/// What MPICH calls an algorithm of an operation in its tree; empty = it takes parameters there, or is none.
[[nodiscard]] std::string mpich_leaf(std::string_view operation, std::string_view word);

/// target.base_text with the rules put into it; nothing else is changed. What an algorithm does not serve
/// (other operators, in place, numbers of ranks that are no power of two) keeps its own choice. Sets
/// `written` and `why_not`; a rule that reaches beyond lengths that can be written is split in two.
/// @pre rules of an operation do not overlap
/// @throws InputError where the base is no tree
[[nodiscard]] std::string write_mpich_tree(const TuningTarget& target, std::vector<TuningRule>& rules);

} // namespace skampi
