// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "tuning/library_version.hpp"
#include "tuning/rule.hpp"

#include <cstdint>
#include <map>
#include <set>
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
/// What makes correct programs fail, or a rule lose its meaning: what is expected instead. Empty = it does no
/// harm.
[[nodiscard]] std::string_view expected_instead_of(OpenMpiDoubt value);

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

/// The rows for an operation on so many ranks: of the block of the nearest smaller or equal number, or the
/// first block; empty = there is none.
[[nodiscard]] std::vector<OpenMpiRow> open_mpi_rows(const OpenMpiRules& rules, std::string_view operation,
                                                    std::int64_t ranks);

/// By operation, of those for which a row chooses an algorithm: the last length before each further row, in
/// our message length.
[[nodiscard]] std::map<std::string, std::set<std::int64_t>> open_mpi_borders(const OpenMpiRules& rules,
                                                                             std::int64_t ranks);

/// The file for rules. Sets `written` and, where a rule cannot be written safely, `why_not`. A rule holds for
/// its numbers of ranks alone: blocks without a choice stand before and behind.
/// @pre rules of an operation do not overlap
[[nodiscard]] std::string write_open_mpi_rules(const TuningTarget& target, std::vector<TuningRule>& rules);

} // namespace skampi
