#pragma once

#include "tuning/library_version.hpp"
#include "tuning/rule.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace skampi {

// Rules of Open MPI's component coll/tuned, of 4.1 and 5.0: OMPI_MCA_coll_tuned_dynamic_rules_filename.

/// From a length on this algorithm.
struct OpenMpiRow {
    std::int64_t length = 0; ///< in the unit that Open MPI compares for the operation (FiledOperation)
    int algorithm = 0;       ///< 0 = the library's own choice
    int fan = 0;
    std::int64_t segment_bytes = 0;
    int requests = 0; ///< most; of files of version 2
    int line = 0;     ///< in the file, from 1
    /// Whether a call is the same with both.
    [[nodiscard]] bool does_the_same(const OpenMpiRow& other) const {
        return algorithm == other.algorithm &&
               (algorithm == 0 ||
                (fan == other.fan && segment_bytes == other.segment_bytes && requests == other.requests));
    }
};

/// From a number of ranks on these rows.
struct OpenMpiBlock {
    int ranks = 0;
    std::vector<OpenMpiRow> rows;
    int line = 0;
};

/// What Open MPI reads without complaint although it is hardly meant.
enum class OpenMpiDoubt {
    numbers_left_over,      ///< behind the last collective: a count is too small
    lengths_not_ascending,  ///< look-up ends at the first larger one
    ranks_not_ascending,    ///< the same
    holds_for_fewer_ranks,  ///< the first block also holds for all smaller communicators
    repeated_collective,    ///< only the last one holds
    unknown_collective,     ///< the component has no rules for it
    border_without_meaning, ///< ranks of a call may see different lengths (Gather, Scatter), or none
    algorithm_out_of_range, ///< each call returns MPI_ERR_ARG
};
[[nodiscard]] std::string_view to_text(OpenMpiDoubt value);

struct OpenMpiRules {
    std::map<int, std::vector<OpenMpiBlock>> collectives; ///< by id
    struct Doubt {
        OpenMpiDoubt what{};
        int line = 0;
        bool operator==(const Doubt&) const = default;
    };
    std::vector<Doubt> doubts; ///< by line
};

/// Reads a file as the version does: numbers by fscanf's %li, so that 010 is 8 and all other characters are
/// skipped one by one; # ends a line; counts are believed.
/// @param name of the file, for messages
/// @throws InputError naming the line, for what makes Open MPI drop the whole file without a word
[[nodiscard]] OpenMpiRules read_open_mpi_rules(std::string_view text, const LibraryVersion& version,
                                               const std::string& name);

/// What Open MPI does for a call: the block of the nearest smaller or equal number of ranks, or the first
/// block; in it the last row before the first larger length.
/// @param bytes in our message length
/// @param type_bytes of an element: all that Scan and Exscan look at
/// @return algorithm 0 where it chooses itself
[[nodiscard]] OpenMpiRow open_mpi_choice(const OpenMpiRules& rules, std::string_view operation,
                                         std::int64_t ranks, std::int64_t bytes, std::int64_t type_bytes = 1);

/// The file for rules. Sets `written` and, where a rule cannot be written safely, `why_not`. A rule holds for
/// its numbers of ranks alone: blocks without a choice stand before and behind.
/// @pre rules of an operation do not overlap
[[nodiscard]] std::string write_open_mpi_rules(const TuningTarget& target, std::vector<TuningRule>& rules);

} // namespace skampi
