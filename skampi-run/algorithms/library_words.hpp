// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "mpi/control_variables.hpp"

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace skampi {

// MPICH 4.0 to 4.3 does not name the values of its variables. It has their words in three places: in the
// names of algorithms that its reader of selection files knows ("algorithm=MPIR_Bcast_intra_binomial"), in
// the text that describes a variable, where each stands before " - " but is often glued to the text before it
// ("...allreduce algorithmauto - Internal..."), and in its reader of the environment, which knows the number
// of each. So the words are cut off the descriptions and the library is asked: a process with such a word in
// its environment starts, and prints its number, or fails.

/// What a copy of this program said whose environment held these words: the numbers of the variables asked
/// for; none = it failed, so that one of the words is none.
using AskLibrary =
    std::function<std::optional<std::map<std::string, int>>(const std::map<std::string, std::string>&)>;

/// The words of variables, with their numbers.
struct LibraryWords {
    std::map<std::string, std::vector<std::pair<int, std::string>>> of_variable;
    /// Variables whose description has words that the library does not take, or has the same word twice.
    std::set<std::string> incomplete;
};

/// The words of algorithms in the bytes of a library, and those that all versions have.
[[nodiscard]] std::set<std::string> words_in_library(std::string_view bytes);

/// For each word of a description what it may be, the likeliest first: the longest known word that ends
/// there, shorter ones, then all of the text up to the blank before it.
[[nodiscard]] std::vector<std::vector<std::string>> word_places(std::string_view description,
                                                                const std::set<std::string>& known);

/// Asks for the words of all variables at once, so that it takes hardly more questions than the variable with
/// the most words has.
[[nodiscard]] LibraryWords find_words(const std::vector<ControlVariable>& variables,
                                      const std::set<std::string>& known, const AskLibrary& ask);

} // namespace skampi
