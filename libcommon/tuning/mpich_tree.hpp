#pragma once

#include "tuning/rule.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace skampi {

// MPICH's selection tree, of 4.0 to 4.3: MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE.

/// The tree that a library has built in, as a text: the file replaces all of it. It lies in the library's
/// file as a text that ends with a NUL byte. @return none = it is not there
[[nodiscard]] std::optional<std::string> find_mpich_tree(std::string_view library_file);

/// What MPICH does not check before a call meets it.
enum class MpichDoubt {
    missing_collective,     ///< its calls abort
    open_boolean,           ///< yes without no, or the reverse: what is missing aborts
    composition,            ///< meant for one kind of communicator; aborts on others
    length_without_meaning, ///< the test aborts, or counts something else than bytes
    test_without_meaning,   ///< aborts: the library asks it of other collectives alone
    number_too_large,       ///< above 2147483647
    whole_pages,            ///< MPICH reads beyond the end of a file of this size
};
[[nodiscard]] std::string_view to_text(MpichDoubt value);

/// A call, as the tree asks for it.
struct MpichCall {
    std::string_view operation; ///< "MPI_Bcast"
    std::int64_t ranks = 2;
    std::int64_t bytes = 0; ///< in our message length
    std::int64_t type_bytes = 1;
    bool intra = true;
    bool hierarchical = true; ///< of the communicator: comm_hierarchy=parent
    bool on_one_node = true;
    bool consecutive = true; ///< ranks of a node
    std::int64_t nodes = 1;  ///< 0 = not counted, as from 4.1 on of communicators that are not hierarchical
    bool multi_threaded = false;
    bool in_place = false;
    bool commutative = true;
    bool built_in = true; ///< the reduction
    bool regular = true;  ///< all blocks have the same length
};

class MpichTree {
public:
    struct Doubt {
        MpichDoubt what{};
        std::string where; ///< the collective
        int line = 0;      ///< 0 = of the whole file
    };

    /// Reads a file as MPICH does. @param name for messages
    /// @throws InputError naming the line, for what ends MPI_Init
    MpichTree(std::string_view text, const std::string& name);
    MpichTree(MpichTree&&) noexcept;
    ~MpichTree();

    [[nodiscard]] const std::vector<Doubt>& doubts() const;
    /// Collectives of another tree that this one lacks: their calls abort.
    [[nodiscard]] std::vector<std::string> lacks(const MpichTree& other) const;
    /// The name behind algorithm= (or composition=) that a call gets: "MPIR_Bcast_intra_binomial".
    /// @return none = the call aborts
    [[nodiscard]] std::optional<std::string> choice(const MpichCall& call) const;

private:
    struct Read;
    std::unique_ptr<Read> read_;
};

/// What MPICH calls an algorithm of an operation in its tree; empty = it takes parameters there, or is none.
[[nodiscard]] std::string mpich_leaf(std::string_view operation, std::string_view word);
/// The word of a leaf: "binomial", "nb"; empty = it is no leaf of the operation.
[[nodiscard]] std::string mpich_word(std::string_view operation, std::string_view leaf);

/// target.base_text with the rules put into it; nothing else is changed. What an algorithm does not serve
/// (other operators, in place, numbers of ranks that are no power of two) keeps its own choice. Sets
/// `written` and `why_not`; a rule that reaches beyond lengths that can be written is split in two.
/// @pre rules of an operation do not overlap
/// @throws InputError where the base is no tree
[[nodiscard]] std::string write_mpich_tree(const TuningTarget& target, std::vector<TuningRule>& rules);

} // namespace skampi
