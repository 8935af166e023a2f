// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "model/kinds.hpp"
#include "model/suite_field.hpp"
#include "skalib/refinement.hpp"
#include "skalib/repetition.hpp"
#include "skalib/statistics.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace skampi {

/// How the ranks of a collective start together (keyword Synchronization).
enum class Synchronization {
    window,        ///< at an agreed global time (clock offset and drift known)
    barrier,       ///< the paper's: MPI_Barrier before and after, its time subtracted
    dissemination, ///< the same with our own dissemination barrier
    /// MPI_Barrier before, outside of the time: each rank's own duration, without its wait for the others
    barrier_before,
};

/// Which time of a collective is reported (keyword Reported_Time).
enum class ReportedTime {
    max,  ///< until the last rank has left
    root, ///< rank 0's own
    mean, ///< the mean of the ranks' own durations
};

/// How message buffers are used between single measurements (keyword Buffers).
enum class BufferPolicy {
    warm,      ///< separate send and receive, page-aligned, first-touched, reused, huge pages where granted
    warm_4k,   ///< the same on small pages
    cycled,    ///< a different place each time, through an area larger than the caches
    cold,      ///< caches emptied before each single measurement
    rewritten, ///< the sender writes the whole buffer before each single measurement
};

/// What is kept of the single measurements (keyword Samples).
enum class SampleStorage { all, summary };

/// Names of the enumerators in parameter files, the database and CSV: "ping-pong", "message length",
/// "Dynamic_log", "warm-4k", ... (one table per enum in enum_names.cpp, read in both directions).
[[nodiscard]] std::string_view to_text(Pattern);
[[nodiscard]] std::string_view to_text(Meaning);
[[nodiscard]] std::string_view to_text(Varied);
[[nodiscard]] std::string_view to_text(Synchronization);
[[nodiscard]] std::string_view to_text(ReportedTime);
[[nodiscard]] std::string_view to_text(BufferPolicy);
[[nodiscard]] std::string_view to_text(SampleStorage);
[[nodiscard]] std::string_view to_text(Parameter);
[[nodiscard]] std::string_view to_text(skalib::Scale);
[[nodiscard]] std::string_view to_text(skalib::ValueKind);
[[nodiscard]] std::string_view to_text(skalib::ErrorEstimator);
/// The enumerator of a name, exactly as to_text() gives it; none for any other text.
template <typename Enum>
[[nodiscard]] std::optional<Enum> from_text(std::string_view text);
/// All names of an enum, in the enum's order.
template <typename Enum>
[[nodiscard]] std::vector<std::string_view> all_names();

/// The description of an operation for all but the measuring code.
struct OperationInfo {
    int type = 0;      ///< the seeds' type number; 0 = by name only
    std::string name;  ///< unique: "MPI_Bcast", "MPI_Send-MPI_Recv"
    std::string title; ///< for people: "MPI_Send to MPI_Recv"
    Pattern pattern = Pattern::simple;
    std::vector<Varied> varied; ///< the variations that make sense, the usual one first
    /// That it has; not stored, so empty where it was read from a database.
    std::vector<Parameter> parameters = {};
    bool integers_only = false; ///< MPI allows no other datatypes but bytes; not stored either
    Meaning meaning = Meaning::unknown;
    bool single_element = false; ///< messages are one element, for any length requested; not stored
    /// What Varied::argument varies, as its function calls it: "threads"; empty = argument.
    std::string argument_name = {};
    std::string argument_unit = {}; ///< behind its values; empty = none
    std::string does = {};          ///< "combines one message of each rank on the root"; empty = unknown
    bool operator==(const OperationInfo&) const = default;
};

/// In how many directions messages move at once: a bandwidth is that of one.
[[nodiscard]] constexpr double directions_of(Meaning meaning) {
    return meaning == Meaning::exchange ? 2 : 1;
}

/// Whether message lengths mean something for an operation: unknown ones, those that can be varied over the
/// length, and one-sided ones, which move at least an element. A barrier has none.
[[nodiscard]] inline bool has_message_length(const OperationInfo& operation) {
    return operation.varied.empty() || operation.meaning == Meaning::one_sided ||
           std::ranges::find(operation.varied, Varied::message_length) != operation.varied.end();
}

/// Algorithm = default, which is stored empty.
inline constexpr std::string_view default_algorithm = "default";
/// Algorithm = all, in a parameter file: default and every algorithm that the library offers. The machine
/// where the run begins makes a suite of each.
inline constexpr std::string_view every_algorithm = "all";

/// Measurements of one operation over one varied parameter, as planned.
struct Suite {
    std::string name;   ///< unique in its run
    std::string family; ///< the block's name; differs from name where a list multiplied the block
    OperationInfo operation;
    Varied varied = Varied::none;
    skalib::RefinementLimits arguments; ///< arguments.end is meaningless while end_is_max
    bool end_is_max = false;            ///< End_Argument = Max_Value: memory, or number of ranks, decides
    skalib::RepetitionLimits repetition;
    std::optional<double> max_suite_time_s; ///< Time_Suite
    bool node_times = false;
    std::int64_t message_bytes = 256; ///< Default_Message_length, used unless varied
    std::int64_t chunks = 0;          ///< Default_Chunks; 0 = one per worker
    int ranks = 0;                    ///< Nodes, used unless varied; 0 = all
    Synchronization synchronization = Synchronization::window;
    ReportedTime reported_time = ReportedTime::max;
    std::string algorithm; ///< Algorithm: a word of the MPI library; empty = the library's own choice
    skalib::ValueKind value = skalib::ValueKind::cut_mean;
    BufferPolicy buffers = BufferPolicy::warm;
    SampleStorage samples = SampleStorage::all;
    int passes = 4;        ///< over the arguments, in alternating direction
    std::string partner;   ///< Partner: "nearest", "rank 3", "other node", ...; empty = farthest
    std::string join;      ///< Join: "node" or "round-robin"; empty = ranks join by number
    bool absolute = false; ///< @ABSOLUTE: the overhead is not subtracted
    std::string datatype = "MPI_BYTE";
    std::string reduction; ///< empty = the operation reduces nothing
    int root = 0;
    bool in_place = false;
    std::string file; ///< File: path of the file that MPI I/O works on; empty = the operation has none
    /// Columns with unknown values, separated by commas: in a file that another program wrote. Their members
    /// mean nothing. (knows(), forget_settings())
    std::string unknown_fields = {};
};

// --- unknown fields

/// Whether a field of a suite is known.
[[nodiscard]] bool knows(const Suite& suite, std::string_view field);
/// Whether a field can be unknown: all but those that a suite must have.
[[nodiscard]] bool is_setting(std::string_view field);
/// Makes every setting unknown: every field except those that a suite must have: its names, its operation,
/// what is varied, and the smallest and largest argument.
void forget_settings(Suite& suite);
/// Makes a field known. @pre it is one
void learn(Suite& suite, std::string_view field);
/// Makes all fields unknown that are unknown of either of two suites.
void forget_unknown(Suite& suite, const Suite& other);

[[nodiscard]] inline bool is_unknown(const Suite& suite, std::string_view field) {
    return !suite.unknown_fields.empty() && !knows(suite, field);
}

/// Whether its arguments grow by factors; if unknown, message lengths do.
[[nodiscard]] inline bool on_log_scale(const Suite& suite) {
    return knows(suite, "scale") ? skalib::is_log(suite.arguments.scale)
                                 : suite.varied == Varied::message_length;
}

// --- for which suites a field has a meaning

[[nodiscard]] inline bool cuts_values(const Suite& suite) {
    return suite.value == skalib::ValueKind::cut_mean;
}
[[nodiscard]] inline bool has_fixed_length(const Suite& suite) {
    return suite.varied != Varied::message_length && has_message_length(suite.operation);
}
[[nodiscard]] inline bool has_fixed_chunks(const Suite& suite) {
    return suite.varied != Varied::chunks && suite.operation.pattern == Pattern::master_worker;
}
[[nodiscard]] inline bool has_fixed_ranks(const Suite& suite) {
    return suite.varied != Varied::nodes;
}
/// Its ranks are started together, and one of several times can be reported.
[[nodiscard]] inline bool starts_together(const Suite& suite) {
    return suite.operation.pattern == Pattern::collective;
}
[[nodiscard]] inline bool has_partner(const Suite& suite) {
    return suite.operation.pattern == Pattern::ping_pong;
}
[[nodiscard]] inline bool reduces(const Suite& suite) {
    return !suite.reduction.empty();
}
[[nodiscard]] inline bool has_root(const Suite& suite) {
    constexpr std::array<std::string_view, 11> names{
        "MPI_Bcast",  "MPI_Reduce",  "MPI_Gather",  "MPI_Gatherv",  "MPI_Scatter",   "MPI_Scatterv",
        "MPI_Ibcast", "MPI_Ireduce", "MPI_Igather", "MPI_Iscatter", "Gather-Waitall"};
    return suite.root != 0 || std::ranges::find(names, suite.operation.name) != names.end();
}

// --- fields

/// The fields of Suite: one list, from which all else derives (model/fields.hpp), each with its word for
/// comparisons.
template <MaybeConst<Suite> Row, typename Visitor>
void for_each_field(Row& suite, Visitor&& visitor) {
    const auto field = [&visitor](const SuiteField& any, auto&& member) {
        visitor(any, std::forward<decltype(member)>(member));
    };
    field({"name", "unique in its run", same_quantity}, suite.name);
    field({"family",
           "name of its block in the parameter file; differs from name where a list multiplied the block",
           same_quantity},
          suite.family);
    field({"type", "number of the operation; 0 = the operation has only a name", same_quantity, in_result},
          suite.operation.type);
    field({"operation", "name of the operation", other_quantity, in_plan | in_result}, suite.operation.name);
    field({"title", "name of the operation for readers", same_quantity}, suite.operation.title);
    field({"does",
           "what the operation does: the rest of a sentence that begins with its name; empty = unknown",
           same_quantity},
          suite.operation.does);
    field({"pattern", "ping-pong, master-worker, collective, simple", other_quantity, in_result},
          suite.operation.pattern);
    field({"meaning", "what the time of a call is: round trip, exchange, window of messages, ...",
           other_quantity, in_result},
          suite.operation.meaning);
    field({"possible_variations", "parameters that can be varied, separated by commas", same_quantity},
          VariedNames(suite.operation.varied));
    field({"varied", "parameter that is varied: none, message length, nodes, chunks, argument",
           other_quantity, in_plan | in_result},
          suite.varied);
    field({"argument_name",
           "what is varied where that is an argument of one's own function; empty = argument", other_quantity,
           in_result},
          suite.operation.argument_name);
    field({"argument_unit", "unit of such an argument; empty = none", other_quantity, in_result},
          suite.operation.argument_unit);
    field({"scale", "Fixed_linear, Fixed_log, Dynamic_linear, Dynamic_log", same_quantity, in_plan},
          suite.arguments.scale);
    field({"start_argument", "smallest argument", same_quantity, in_plan}, suite.arguments.start);
    field({"end_argument", "largest argument", same_quantity, in_plan}, suite.arguments.end);
    field({"end_is_max", "1 = the memory or the number of ranks sets the largest argument", same_quantity,
           in_plan},
          suite.end_is_max);
    field({"stepwidth", "factor on log scales, distance on linear scales", same_quantity, in_plan},
          suite.arguments.stepwidth);
    field({"multiple_of", "arguments are rounded to multiples of it", same_quantity, in_plan},
          suite.arguments.multiple_of);
    field({"min_distance", "smallest distance between refined arguments", same_quantity, in_plan},
          suite.arguments.min_distance);
    field({"max_distance", "largest distance between neighbouring arguments; NULL = no limit", same_quantity,
           in_plan},
          suite.arguments.max_distance);
    field({"max_steps", "largest number of arguments; NULL = no limit", same_quantity, in_plan},
          suite.arguments.max_steps);
    field({"refinement_relative_error", "refinement ends when linear interpolation is this accurate",
           same_quantity, in_plan},
          suite.arguments.max_relative_error);
    field({"min_count", "smallest number of repetitions", same_quantity, in_plan},
          suite.repetition.min_count);
    field({"max_count", "largest number of repetitions; NULL = no limit", same_quantity, in_plan},
          suite.repetition.max_count);
    field({"max_relative_error", "standard error wanted, as a share of the value", same_quantity, in_plan},
          suite.repetition.max_relative_error);
    field({"cut_quantile", "share of the single measurements cut off at each end",
           computed_differently.of(cuts_values), in_plan},
          suite.repetition.cut_quantile);
    field({"max_time_s", "time limit of one measurement; NULL = no limit", same_quantity, in_plan},
          suite.repetition.max_time_s);
    field({"error_estimator", "trimmed, classic", same_quantity, in_plan}, suite.repetition.estimator);
    field({"max_suite_time_s", "time limit of the suite; NULL = no limit", same_quantity, in_plan},
          suite.max_suite_time_s);
    field({"node_times", "1 = the times of all ranks are kept", same_quantity, in_plan}, suite.node_times);
    field({"message_bytes", "message length unless varied, in bytes", other_quantity.of(has_fixed_length),
           in_plan},
          suite.message_bytes);
    field({"chunks", "number of chunks unless varied; 0 = one per worker",
           other_quantity.of(has_fixed_chunks), in_plan},
          suite.chunks);
    field({"ranks", "number of ranks unless varied; 0 = all", other_quantity_in_fact.of(has_fixed_ranks),
           in_plan},
          suite.ranks);
    field({"synchronization", "window, barrier, dissemination, barrier-before",
           other_quantity_in_fact.of(starts_together), in_plan | in_result},
          suite.synchronization);
    field({"reported_time",
           "max = largest time of all ranks, root = time of the root, mean = mean of all ranks",
           other_time.of(starts_together), in_plan | in_result},
          suite.reported_time);
    field({"algorithm", "algorithm of the MPI library, in its own word; empty = the library's own choice",
           other_quantity.of(starts_together), in_plan | in_result | unless_empty},
          suite.algorithm);
    field({"value_kind", "cut_mean, lower, median, minimum", computed_differently, in_plan | in_result},
          suite.value);
    field({"buffers", "warm, warm-4k, cycled, cold, rewritten", other_quantity, in_plan | in_result},
          suite.buffers);
    field({"samples", "single measurements kept: all, summary = none", same_quantity, in_plan},
          suite.samples);
    field({"passes", "number of passes over the arguments", same_quantity, in_plan}, suite.passes);
    field(
        {"partner",
         "ping-pong partner of rank 0: nearest, rank 3, same socket, other socket, other node; empty = farthest",
         other_quantity_in_fact.of(has_partner), in_plan},
        suite.partner);
    field({"join_order", "order in which ranks join collectives: node, round-robin; empty = by rank",
           other_quantity.of(starts_together), in_plan},
          suite.join);
    field({"absolute", "1 = the overhead is not subtracted", computed_differently, in_plan | in_result},
          suite.absolute);
    field({"datatype", "MPI datatype", other_quantity, in_plan | in_result}, suite.datatype);
    field({"reduction", "MPI reduction operator; empty = the operation reduces nothing",
           other_quantity.of(reduces), in_plan | in_result},
          suite.reduction);
    field({"root", "position of the root in the order in which ranks join", other_quantity.of(has_root),
           in_plan | in_result},
          suite.root);
    field({"in_place", "1 = MPI_IN_PLACE", other_quantity, in_plan | in_result}, suite.in_place);
    field({"file", "path of the file that MPI I/O works on; empty = the operation has none", same_quantity,
           in_plan | unless_empty},
          suite.file);
    field({"unknown_fields",
           "columns with unknown values, separated by commas: NULL here; in files of other programs",
           same_quantity},
          suite.unknown_fields);
}

} // namespace skampi
