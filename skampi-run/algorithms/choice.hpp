// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace skampi {

/// From when on an algorithm that was chosen is used.
enum class Acts {
    call,         ///< from the next call on, on every communicator
    communicator, ///< on communicators that are made while it is chosen
    launch,       ///< only if it is chosen before the program starts
};
[[nodiscard]] std::string_view to_text(Acts acts);

/// What an algorithm works with. Elsewhere the library returns an error, or takes another one in silence.
enum class Need {
    nothing,
    two_ranks,
    power_of_two_ranks,
    even_ranks,
    in_place,        ///< MPI_IN_PLACE
    an_element_each, ///< at least as many elements as ranks, a built-in operator
    a_commutative_operator,
    a_segment_size,  ///< which is not set: without one it is another algorithm
    another_version, ///< this one crashes in it, with any arguments
};
[[nodiscard]] std::string_view to_text(Need need);

/// A variable of the MPI library and a value of it.
struct VariableValue {
    std::string variable;
    int number = 0;
    bool operator==(const VariableValue&) const = default;
};

/// One algorithm that can be chosen for an operation.
struct AlgorithmChoice {
    std::string operation = {}; ///< "MPI_Bcast"
    std::string layer =
        {}; ///< "mpich", "mpich shared memory", "open mpi tuned", "open mpi libnbc", "simgrid"
    std::string variable = {}; ///< "MPIR_CVAR_BCAST_INTRA_ALGORITHM"
    std::string word = {};     ///< the library's name for it; what Algorithm takes. Never "default"
    int number = 0;            ///< the variable's value for it
    Acts acts = Acts::call;
    Need need = Need::nothing;
    std::string note = {};                ///< what else a reader must know; mostly empty
    std::vector<VariableValue> with = {}; ///< written with it: so that nothing above or behind it decides
    bool operator==(const AlgorithmChoice&) const = default;
};

/// What an MPI library lets one choose.
struct AlgorithmList {
    std::string library;
    std::vector<AlgorithmChoice> choices; ///< by operation, in the order of the library
    bool may_be_incomplete = false;       ///< the library describes algorithms whose words could not be found
    /// Why none of the choices would act in this process, with what to type instead; empty = they do.
    std::string refusal;
};

/// The choices of an operation, in their order.
[[nodiscard]] std::vector<AlgorithmChoice> choices_of(const AlgorithmList& list, std::string_view operation);
/// The one with this word; null = there is none.
[[nodiscard]] const AlgorithmChoice* find_choice(const AlgorithmList& list, std::string_view operation,
                                                 std::string_view word);
/// What to say of a word that is none: `found "rinng", expected a word that ... (did you mean "ring"?)`.
[[nodiscard]] std::string unknown_word(const AlgorithmList& list, std::string_view operation,
                                       std::string_view word);
/// Whether so many ranks are what the algorithm needs; needs of another kind are met by any number.
[[nodiscard]] bool works_with(Need need, int ranks);
/// "it needs: an element for each rank, built-in operator; else it is recursive_doubling"
[[nodiscard]] std::string needs_text(const AlgorithmChoice& choice);
/// Whether the library takes another algorithm for calls of so many ranks and elements, and does not say so.
/// MPICH and SimGrid refuse what does not meet the need.
[[nodiscard]] bool is_replaced_in_silence(const AlgorithmChoice& choice, int ranks, std::int64_t elements);

/// Variables that a library wants in the environment of each launch, so that algorithms can be chosen in it.
/// They hold for the library's own choice, too: with them in all launches of a run, members of a group differ
/// in nothing but the algorithm.
/// @param library what it says of itself
[[nodiscard]] std::map<std::string, std::string> environment_for_algorithms(std::string_view library);

/// A choice as a text for other ranks, and back. @throws std::invalid_argument where the text is none
[[nodiscard]] std::string packed_choice(const AlgorithmChoice& choice);
[[nodiscard]] AlgorithmChoice unpacked_choice(std::string_view record);

} // namespace skampi
