#pragma once

#include "skalib/refinement.hpp"
#include "skalib/repetition.hpp"
#include "skalib/statistics.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace skampi {

/// The coordination shape a measurement plugs into (paper 2.1).
enum class Pattern { ping_pong, master_worker, collective, simple };

/// The parameter a suite varies (keyword Variation).
enum class Varied { none, message_length, nodes, chunks };

/// How the ranks of a collective start together (keyword Synchronization).
enum class Synchronization {
    window,        ///< at an agreed global time (clock offset and drift known)
    barrier,       ///< the paper's: MPI_Barrier before and after, its time subtracted
    dissemination, ///< the same with our own dissemination barrier
};

/// Which time of a collective is reported (keyword Reported_Time).
enum class ReportedTime {
    max,  ///< until the last rank has left
    root, ///< rank 0's own
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

/// What only some operations have: the keywords of the same names.
enum class Parameter { datatype, reduction, root, in_place };

/// Names of the enumerators in parameter files, the database and CSV: "ping-pong", "message length",
/// "Dynamic_log", "warm-4k", ... (one table per enum in enum_names.cpp, read in both directions).
[[nodiscard]] std::string_view to_text(Pattern);
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

/// What everybody but the measuring code needs to know of an operation.
struct OperationInfo {
    int type = 0;      ///< the seeds' type number; 0 = by name only
    std::string name;  ///< unique: "MPI_Bcast", "MPI_Send-MPI_Recv"
    std::string title; ///< for people: "MPI_Send to MPI_Recv"
    Pattern pattern = Pattern::simple;
    std::vector<Varied> varied; ///< the variations that make sense, the usual one first
    /// That it has; not stored, so empty where it was read from a database.
    std::vector<Parameter> parameters = {};
    bool integers_only = false; ///< MPI allows no other datatypes but bytes; not stored either
    bool operator==(const OperationInfo&) const = default;
};

/// Measurements of one operation over one varied parameter, as planned.
struct Suite {
    std::string name;   ///< unique in its run
    std::string family; ///< the block's name; differs from name where a list multiplied the block
    OperationInfo operation;
    Varied varied = Varied::none;
    skalib::RefinementLimits arguments; ///< arguments.end is meaningless while end_is_max
    bool end_is_max = false;            ///< End_Argument = Max_Value: memory, or number of ranks, decides
    std::optional<std::int64_t> max_distance; ///< Max_Distance: read and kept; without effect, as in SKaLib
    skalib::RepetitionLimits repetition;
    std::optional<double> max_suite_time_s; ///< Time_Suite
    bool node_times = false;
    std::int64_t message_bytes = 256; ///< Default_Message_length, used unless varied
    std::int64_t chunks = 0;          ///< Default_Chunks; 0 = one per worker
    int ranks = 0;                    ///< Nodes, used unless varied; 0 = all
    Synchronization synchronization = Synchronization::window;
    ReportedTime reported_time = ReportedTime::max;
    skalib::ValueKind value = skalib::ValueKind::cut_mean;
    BufferPolicy buffers = BufferPolicy::warm;
    SampleStorage samples = SampleStorage::all;
    int passes = 4;               ///< over the arguments, in alternating direction
    bool nearest_partner = false; ///< Partner = nearest: ping-pong with the smallest latency
    bool absolute = false;        ///< @ABSOLUTE: the overhead is kept in
    std::string datatype = "MPI_BYTE";
    std::string reduction; ///< empty = the operation reduces nothing
    int root = 0;
    bool in_place = false;
};

} // namespace skampi
