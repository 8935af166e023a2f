// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "model/fields.hpp"
#include "model/suite.hpp"

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace skampi {

/// Of a tuning file.
enum class TuningFormat { open_mpi_rules, mpich_tree, environment, smpi_cfg };

/// Why a rule is not in the file, so that the library's own choice holds there.
enum class WhyNot {
    none,              ///< it is in the file
    default_is_best,   ///< the default is the fastest, or nothing is faster by the gain that was asked for
    undecided,         ///< something may be faster, and the interval does not exclude equal times
    few_launches,      ///< fewer than launches_for_a_rule
    short_region,      ///< shorter than an octave, and its gain is not large
    no_length_rules,   ///< ranks could choose differently by length: one choice for all, or none
    one_choice_only,   ///< this format holds one choice per operation, and another region is not served by it
    length_too_large,  ///< a border above what the format's numbers hold
    unknown_operation, ///< the format has no such operation
    unknown_algorithm, ///< the library does not list the algorithm, or the format cannot name it
    other_layer,       ///< another layer of the library decides before this file is asked
    restricted,        ///< the algorithm does not serve all calls in the region (power of two, in place, ...)
    not_faster_when_checked, ///< verification found it slower than the default, or not faster
    faulty_when_checked      ///< in verification the operation failed with it or delivered wrong data
};
[[nodiscard]] std::string_view to_text(WhyNot value);
template <>
[[nodiscard]] std::optional<WhyNot> from_text<WhyNot>(std::string_view text);
template <>
[[nodiscard]] std::vector<std::string_view> all_names<WhyNot>();

/// A claim beyond one launch needs so many.
constexpr int launches_for_a_rule = 5;

/// Whether a file can say what this layer of a library is to choose.
[[nodiscard]] bool is_layer_of_files(std::string_view layer);

/// Of rules for all lengths, and of the last rule of an operation.
constexpr std::int64_t any_length = std::numeric_limits<std::int64_t>::max();

/// For an operation, numbers of ranks and message lengths: an algorithm that is faster than the library's
/// own choice, or why there is none.
struct TuningRule {
    std::string operation; ///< "MPI_Bcast"
    std::string layer;     ///< of the library: "mpich", "open mpi tuned", "simgrid"
    std::int64_t ranks_low = 0;
    std::int64_t ranks_high = 0;
    std::int64_t bytes_low = 0;  ///< in our message length (docs/operations.md), like all lengths here
    std::int64_t bytes_high = 0; ///< inclusive; any_length = all above bytes_low
    std::string algorithm;       ///< its word; empty = the library's own choice
    int number = 0;              ///< the value of the library's variable
    /// Time of the default / time of the algorithm - 1: 0.18 = 18 % faster.
    double gain = 0;
    std::optional<double> gain_low; ///< interval; none = it has none
    std::optional<double> gain_high;
    int launches = 0; ///< that it rests on
    /// The two measured lengths between which bytes_low lies; 0 and bytes_low where nothing shorter was
    /// measured.
    std::int64_t from_bytes_low = 0;
    std::int64_t from_bytes_high = 0;
    bool written = false; ///< in the file
    WhyNot why_not = WhyNot::none;
    bool operator==(const TuningRule&) const = default;
};

/// "all lengths", "4 KiB and more", "4 KiB to 16 KiB", "4 KiB"; of no message "every call".
[[nodiscard]] std::string lengths_text(std::int64_t low, std::int64_t high);
/// " for all lengths", " from 4 KiB on", " from 4 KiB to 16 KiB", " at 4 KiB"; of no message empty.
[[nodiscard]] std::string where_text(std::int64_t low, std::int64_t high);

/// "18 % faster (15 to 21 %)", "2.03 times faster (1.90 to 2.16)".
[[nodiscard]] std::string gain_text(const TuningRule& rule);

/// By verification.
[[nodiscard]] bool was_refuted(const TuningRule& rule);
/// Faster, and left out because of the format of the file or of the library that reads it.
[[nodiscard]] bool has_no_form(const TuningRule& rule);

/// For what a file is written, and where its rules come from.
struct TuningTarget {
    std::string library; ///< as MPI_Get_library_version returns it
    std::string layer;   ///< as TuningRule::layer
    std::string database;
    std::string run;       ///< uuid of the newest run that the rules rest on
    std::string hosts;     ///< kind of the hosts, number of them
    std::string placement; ///< of the ranks
    std::string ranks;     ///< numbers of ranks that were measured: "16, 64"
    std::string created_utc;
    std::size_t launches = 0;  ///< of the operation that other work disturbed in most launches
    std::size_t disturbed = 0; ///< of these
    double gain = 0.05;        ///< smallest that was asked for, as a share
    int verified_ranks = 0;    ///< on which launches with and without the file confirmed its rules; 0 = none
    std::string base_text;     ///< MPICH: the tree that the rules are put into; empty = that of the library
    std::string path;          ///< of the file, for the line that a user types
    /// A tuning file that was in use and that this one comes instead of; it was not used while algorithms
    /// were measured. Then a file without rules is a file, too: the library's own choice instead of the
    /// other's.
    std::string replaces;
};

/// A written tuning file, as a database records it.
struct TuningFile {
    std::string run; ///< uuid of the newest run that its rules rest on
    std::string path;
    std::string format; ///< "open mpi rules", "mpich tree", "environment", "smpi.cfg"
    std::string library;
    std::string created_utc;
    std::string text;
    std::vector<TuningRule> rules; ///< also those that are not written
};

// --- fields (model/fields.hpp)

template <MaybeConst<TuningRule> Row, typename Visitor>
void for_each_field(Row& rule, Visitor&& field) {
    field({"operation", "name of the operation"}, rule.operation);
    field({"layer", "of the library: mpich, open mpi tuned, simgrid"}, rule.layer);
    field({"ranks_low", "smallest number of ranks"}, rule.ranks_low);
    field({"ranks_high", "largest number of ranks"}, rule.ranks_high);
    field({"bytes_low", "smallest message length, as measurement.message_bytes counts it"}, rule.bytes_low);
    field({"bytes_high", "largest message length, inclusive; 9223372036854775807 = all above"},
          rule.bytes_high);
    field({"algorithm", "word of the algorithm; empty = the library's own choice"}, rule.algorithm);
    field({"number", "value of the library's variable"}, rule.number);
    field({"gain", "time of the default / time of the algorithm - 1"}, rule.gain);
    field({"gain_low", "interval of the gain; NULL = it has none"}, rule.gain_low);
    field({"gain_high", "interval of the gain; NULL = it has none"}, rule.gain_high);
    field({"launches", "number of launches that it rests on"}, rule.launches);
    field({"from_bytes_low", "bytes_low lies above this measured length; 0 = nothing shorter was measured"},
          rule.from_bytes_low);
    field({"from_bytes_high", "bytes_low lies at or below this measured length"}, rule.from_bytes_high);
    field({"written", "1 = in the file; 0 = the library's own choice holds there"}, rule.written);
    field({"why_not", "why it is not in the file"}, rule.why_not);
}

template <MaybeConst<TuningFile> Row, typename Visitor>
void for_each_field(Row& file, Visitor&& field) {
    field({"run", "run.uuid of the newest run that its rules rest on"}, file.run);
    field({"path", "of the file; empty = none was written: the default was kept"}, file.path);
    field({"format", "open mpi rules, mpich tree, environment, smpi.cfg"}, file.format);
    field({"library", "MPI library that it is for"}, file.library);
    field({"created_utc", "when it was written"}, file.created_utc);
    field({"text", "the file"}, file.text);
}

} // namespace skampi
