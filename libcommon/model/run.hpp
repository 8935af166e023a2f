// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "model/fields.hpp"
#include "model/session_place.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace skampi {

/// The parts of its host that a rank is bound to, each by its number in hwloc; -1 = unknown, or the rank is
/// bound to several.
struct Seat {
    int socket = -1;
    int numa = -1;
    int l3 = -1;
    int l2 = -1;
    int core = -1;
    bool operator==(const Seat&) const = default;
};

/// One rank of a run and where it ran. A merged run has one for each place that a rank had in its runs.
struct RankFacts {
    int rank = 0;
    std::string processor; ///< MPI_Get_processor_name, unique by host (give_hosts_unique_names)
    std::int64_t pid = 0;
    std::string cpus_allowed;  ///< "0-3,8"
    int cpu = -1;              ///< where it was when the last suite ended
    double clock_offset_s = 0; ///< its clock minus rank 0's by the last estimate; 0 = none was needed
    double clock_drift = 0;    ///< seconds per second that its clock gains on rank 0's
    double clock_bound_s = 0;  ///< how far its idea of rank 0's clock may be off; 0 = it reads the same clock
    std::string pages;         ///< kinds of pages its buffers got: "4k", "huge", "4k, huge", ...
    int runs = 1;              ///< merged: how many of the runs had this rank at this place
    Seat seat;                 ///< what it is bound to
};

/// What a merged run keeps about one of its runs.
struct MergedSource {
    std::string uuid = {};
    std::string file = {};        ///< it was read from
    std::string started_utc = {}; ///< empty = unknown
    bool own_start = true;      ///< false: its own start is unknown, and started_utc is that of a merged run
    int launch = 0;             ///< as in Run
    double measuring_share = 0; ///< as in Run
    std::string ended_utc = {}; ///< empty = it has not ended, or the time is unknown
    std::string imported_from = {};                 ///< kind of file that it is from; empty = a database
    std::string user = {}, node = {}, network = {}; ///< as in Run
};

/// A fact with different texts in the runs of a merged run, or that some of them do not have.
struct DifferingFact {
    std::string name;
    int values = 0; ///< how many of the texts are kept: the first ones in alphabetical order
    std::array<std::string, 3> value = {};
    bool more_values = false;
    bool unknown_of_some = false;
    bool operator==(const DifferingFact&) const = default;
};

/// A difference between the runs of a merged run for which merging would have been refused without --force.
struct ForcedDifference {
    std::string text;
    bool operator==(const ForcedDifference&) const = default;
};

/// What a rank's core lost to other work, while the rank read its clock again and again.
struct CoreDetours {
    int rank = 0;
    double watched_s = 0;
    double lost_s = 0;
    std::int64_t detours = 0;
    double longest_s = 0;
    [[nodiscard]] double lost_share() const {
        return watched_s > 0 && lost_s < watched_s ? lost_s / watched_s : 0;
    }
};

/// The hardware of rank 0's host; 0 = unknown, in a merged run also where its runs differ.
struct HostSizes {
    int hardware_threads = 0; ///< online
    int cores = 0;
    std::int64_t l1_bytes = 0; ///< of the smallest data cache of this level
    std::int64_t l2_bytes = 0;
    std::int64_t l3_bytes = 0;
    bool operator==(const HostSizes&) const = default;
};

/// What a reader needs to know to trust a run. Everything that is plain text and only printed stands in
/// `facts` (name -> text): "mpi library", "mpi standard", "compiler", "kernel", "cpu model", "governor",
/// "env MPICH_...", "slurm job id", "network file system", "measuring share", ...
struct Run {
    std::string uuid;
    std::string kind = "raw";   ///< "raw" or "merged"
    int launch = 0;             ///< number of this launch within its series, from 0
    SessionPlace session_place; ///< of a launch of variants in turns
    std::string tool_version;
    std::string parameter_file; ///< its name
    std::string parameter_text; ///< its whole text
    std::string plan_hash;      ///< of the measurement part: equal = same plan (defaults resolved)
    std::string user, machine, node, network, comment; ///< @USER ...
    std::string variant;                               ///< a name of the user's choice; empty = the usual one
    std::string mpi_library;                           ///< first line of MPI_Get_library_version
    std::string host;                                  ///< rank 0's host name
    std::string placement;                             ///< which ranks ran where (placement_text)
    std::string binding;  ///< to how many cores each rank was bound (binding_text)
    std::string launcher; ///< "Hydra", "Slurm", "Open MPI", ...; empty = not known
    int ranks = 0;
    bool absolute = false;
    double clock_resolution_s = 0;
    double clock_cost_s = 0;
    double reference_probe_s = 0; ///< P0 of adjusted values; 0 = none
    double lowest_probe_s = 0;    ///< of the measurements' probes in its mode; 0 = none
    double highest_probe_s = 0;
    double reference_core_speed = 0; ///< G0, of core_speed()
    /// The throughput of the slowest core in the mode of P0, on this host, in this run; 0 = not known.
    double reference_core_throughput = 0;
    std::string started_utc;    ///< 2026-11-21T10:00:00Z
    std::string ended_utc;      ///< empty = not ended
    double measuring_share = 0; ///< of the wall time inside measured operations and their warm-up
    int merged_runs = 0;        ///< merged: how many
    std::string merged_grid;    ///< merged: grid_name() of its arguments; raw: empty
    HostSizes host_sizes;
    std::map<std::string, std::string> facts;
    /// Environment variables that change the MPI library's behaviour: name -> value (kept_environment).
    std::map<std::string, std::string> settings;
    std::vector<RankFacts> rank_facts;
    std::vector<MergedSource> sources;          ///< merged: its runs in canonical order (in_canonical_order)
    std::vector<DifferingFact> differing_facts; ///< merged: those that are not in `facts`, by name
    std::vector<ForcedDifference> forced_differences; ///< merged
    std::vector<CoreDetours> detours;                 ///< of `skampi-run links`, of its members
};

/// A section of the parameter file in which users describe what they measure on. Runs that differ in it may
/// be launches of one series.
struct DescriptionPart {
    const char* section;
    const char* name;
    std::string Run::*text;
};
inline constexpr std::array<DescriptionPart, 3> description_parts{{
    {"@USER", "user", &Run::user},
    {"@NODE", "node", &Run::node},
    {"@NETWORK", "network", &Run::network},
}};

/// Run::mpi_library of functions that were measured without MPI.
inline constexpr const char* library_without_mpi = "none (functions without MPI)";

/// The text of a field in a merged run whose runs have different texts.
inline constexpr const char* differs_between_runs = "differs between the runs";

/// Run::parameter_file of a run without one.
inline constexpr const char* built_in_parameter_file = "built-in quick file";

/// Names of facts that programs read, too.
inline constexpr const char* fact_simulation = "simulated";  ///< what was; of no run on a real machine
inline constexpr const char* fact_hypervisor = "hypervisor"; ///< of rank 0's host; of no host without one
/// The kind of file that a run was read from, if not a database.
inline constexpr const char* fact_read_from = "read from";
/// What of such a file was no row, cut off or of another program, with the first line of each.
inline constexpr const char* fact_passed_over = "passed over";
inline constexpr const char* fact_file_size = "file size at its end, bytes"; ///< in use when the run ended
inline constexpr const char* fact_expected_series = "series that its supervisor expected"; ///< Series::hash
/// The command that made it, one word per line (command_fact()).
inline constexpr const char* fact_command = "command";
/// Name of the setting that is not a variable but names the user's own program.
inline constexpr const char* program_setting = "program";
inline constexpr const char* fact_samples = "single measurements"; ///< what became of them

/// Of a suite: the largest share by which a straight line between two neighbouring points may miss the curve,
/// by the estimate of refinement (SKaLib eq. 3.5), and the points: "4096 and 8192".
inline constexpr const char* fact_interpolation_error = "interpolation error at most";
inline constexpr const char* fact_interpolation_worst = "interpolation worst between";

/// Of a suite: which ranks measured it where; "a: 0-1 | b: 0-1" if it continued elsewhere.
inline constexpr const char* fact_measured_on = "measured on";
/// Separates the places in such a fact.
inline constexpr std::string_view between_places = " | ";

/// Of a suite of ping-pongs: the rank that rank 0 exchanged messages with, the part of the machine that the
/// two share (relation_text), and how many ranks were tried if not all. A suite that continued elsewhere has
/// one for each place: "1 | 5".
inline constexpr const char* fact_partner = "partner";
inline constexpr const char* fact_partner_place = "partner's place";
inline constexpr const char* fact_partner_search = "partner search";

/// Of a suite of collectives with another order of ranks: the run's rank that is the root.
inline constexpr const char* fact_root_rank = "root's rank";

// Of a suite with an algorithm of the library (Suite::algorithm):
inline constexpr const char* fact_algorithm_layer = "algorithm layer";   ///< "mpich", "open mpi tuned", ...
inline constexpr const char* fact_algorithm_number = "algorithm number"; ///< the library's, of its word
inline constexpr const char* fact_algorithm_read_back =
    "algorithm read back"; ///< from its variable, of all ranks
inline constexpr const char* fact_algorithm_refused = "algorithm refused"; ///< at how many arguments, and why
/// "differs from default at 3 of 16 lengths", "never differs", "not seen to differ; ...", "refused by the
/// library: TEXT"
inline constexpr const char* fact_algorithm_effect = "algorithm effect";
/// Of the suite with the library's own choice: that choice, "scattered from 32 to 8192, ..."
inline constexpr const char* fact_default_is = "default is";

/// Of a suite: half of the width of values' intervals between launches, by the value, that the user asked for
/// (skampi-run --until).
inline constexpr const char* fact_until = "known between launches to";
/// Of a suite of such a launch: the standard error within it that was small enough beside the scatter between
/// launches, where the plan asks for less.
inline constexpr const char* fact_enough_error = "standard error within the launch";

/// Fact of a suite that had no time for all arguments of its first pass: how many of them are missing.
inline constexpr const char* fact_left_out = "arguments without time";

// Facts of a run that count what became of its batches. All their names begin with "ledger: ".

inline constexpr const char* ledger_prefix = "ledger: ";

/// By a clock that is never set.
inline constexpr const char* fact_suites_ns = "ledger: ns in all suites";
inline constexpr const char* fact_batches = "ledger: batches";
/// Of these: a rank lost its core.
inline constexpr const char* fact_batches_interrupted = "ledger: batches disturbed";
/// Of these: something worked on another hardware thread of a rank's core.
inline constexpr const char* fact_batches_on_shared_cores = "ledger: batches on shared cores";

/// Single measurements that were discarded because a rank began them too late.
inline constexpr const char* fact_windows_missed = "ledger: windows missed, discarded";

/// Something that happened: crash, hang, retry, warning, MPI error, disturbance.
struct Event {
    std::string time_utc;
    /// "warning", "crash", "hang", "mpi-error", "retry", "signal", "info", event_unused_setting
    std::string kind;
    std::string suite; ///< name; empty = the whole run
    std::string text;
};

/// The texts of a fact in which the runs of a merged run differ; null = they do not differ in it.
[[nodiscard]] inline const DifferingFact* differing_fact(const Run& run, std::string_view name) {
    const auto found = std::ranges::find(run.differing_facts, name, &DifferingFact::name);
    return found == run.differing_facts.end() ? nullptr : &*found;
}
/// Whether a run, or some of its runs, has a fact with any text.
[[nodiscard]] inline bool has_fact(const Run& run, const char* name) {
    return run.facts.contains(name) || differing_fact(run, name) != nullptr;
}

/// Whether SimGrid simulated the cluster: launches do not differ.
[[nodiscard]] inline bool is_simulated(const Run& run) {
    return has_fact(run, fact_simulation);
}

// --- fields

/// The fields of RankFacts: one list, from which all else derives (model/fields.hpp).
template <MaybeConst<RankFacts> Row, typename Visitor>
void for_each_field(Row& rank, Visitor&& field) {
    field({"rank", "number of the rank"}, rank.rank);
    field(
        {"processor",
         "name of its host (MPI_Get_processor_name); the second host of the same name is NAME (2), and so on"},
        rank.processor);
    field({"pid", "process id, by which the rank of a crashed process is found"}, rank.pid);
    field({"cpus_allowed", "hardware threads that it may use: 0-3,8"}, rank.cpus_allowed);
    field({"cpu", "hardware thread that it used when the last suite ended; -1 = unknown"}, rank.cpu);
    field({"clock_offset_s", "its clock minus the clock of rank 0, last estimate; 0 = they share one clock"},
          rank.clock_offset_s);
    field({"clock_drift", "seconds that its clock gains per second on the clock of rank 0"},
          rank.clock_drift);
    field(
        {"clock_bound_s",
         "largest error of its estimate of rank 0's clock when the last suite ended; 0 = they share one clock"},
        rank.clock_bound_s);
    field(
        {"pages",
         "page kinds of its buffers: 4k, huge, huge in part, separated by commas; the fact pages has those of each suite"},
        rank.pages);
    field({"runs", "merged: number of runs that had this rank at this place"}, rank.runs);
    field({"socket", "number of the socket that it is bound to; -1 = unknown, or bound to several"},
          rank.seat.socket);
    field({"numa_node", "NUMA node that it is bound to, likewise"}, rank.seat.numa);
    field({"l3_cache", "L3 cache that it is bound to, likewise"}, rank.seat.l3);
    field({"l2_cache", "L2 cache that it is bound to, likewise"}, rank.seat.l2);
    field({"core", "core that it is bound to, likewise"}, rank.seat.core);
}

template <MaybeConst<MergedSource> Row, typename Visitor>
void for_each_field(Row& source, Visitor&& field) {
    field({"uuid", "run.uuid of the run that was merged"}, source.uuid);
    field({"file", "file that it was read from"}, source.file);
    field({"started_utc", "its start, in UTC; empty = unknown"}, source.started_utc);
    field(
        {"own_start", "0 = its own start is unknown, started_utc is that of a merged run it was taken from"},
        source.own_start);
    field({"launch", "its run.launch"}, source.launch);
    field({"measuring_share", "its run.measuring_share"}, source.measuring_share);
    field({"ended_utc", "its end, in UTC; empty = it has not ended, or the time is unknown"},
          source.ended_utc);
    field({"imported_from", "kind of file that it was imported from; empty = it came from a database"},
          source.imported_from);
    field({"user", "its run.user"}, source.user);
    field({"node", "its run.node"}, source.node);
    field({"network", "its run.network"}, source.network);
}

template <MaybeConst<DifferingFact> Row, typename Visitor>
void for_each_field(Row& fact, Visitor&& field) {
    field({"name", "name of the fact"}, fact.name);
    field({"kept_values", "number of values in value_1 to value_3"}, fact.values);
    field({"value_1", "first of the values of the merged runs, in alphabetical order"}, fact.value[0]);
    field({"value_2", "second"}, fact.value[1]);
    field({"value_3", "third"}, fact.value[2]);
    field({"more_values", "1 = the runs have further values"}, fact.more_values);
    field({"unknown_of_some", "1 = some of the runs lack the fact"}, fact.unknown_of_some);
}

template <MaybeConst<ForcedDifference> Row, typename Visitor>
void for_each_field(Row& difference, Visitor&& field) {
    field({"text", "what differs, in words"}, difference.text);
}

template <MaybeConst<CoreDetours> Row, typename Visitor>
void for_each_field(Row& core, Visitor&& field) {
    field({"rank", "whose core it is"}, core.rank);
    field({"watched_s", "time in which the rank read its clock again and again"}, core.watched_s);
    field({"lost_s", "of it in other work: the sum of detours, each less a usual step"}, core.lost_s);
    field({"detours", "number of long gaps between two readings"}, core.detours);
    field({"longest_s", "the longest of them"}, core.longest_s);
}

template <MaybeConst<HostSizes> Row, typename Visitor>
void for_each_field(Row& host, Visitor&& field) {
    field({"hardware_threads", "of rank 0's host, online; 0 = unknown"}, host.hardware_threads);
    field({"cores", "of rank 0's host; 0 = unknown"}, host.cores);
    field({"l1_bytes", "smallest L1 data cache of rank 0's host; 0 = unknown"}, host.l1_bytes);
    field({"l2_bytes", "smallest L2 cache, likewise"}, host.l2_bytes);
    field({"l3_bytes", "smallest L3 cache, likewise"}, host.l3_bytes);
}

/// The fields of Run: one list, from which all else derives (model/fields.hpp).
template <MaybeConst<Run> Row, typename Visitor>
void for_each_field(Row& run, Visitor&& field) {
    field({"uuid", "identity of the run in all files"}, run.uuid);
    field({"kind", "raw, merged"}, run.kind);
    field({"launch", "number of this launch within its series, from 0"}, run.launch);
    for_each_field(run.session_place, field);
    field({"tool_version", "version of the program that measured"}, run.tool_version);
    field({"parameter_file", "name of the parameter file"}, run.parameter_file);
    field({"parameter_text", "its whole text"}, run.parameter_text);
    field({"plan_hash", "hash of what is measured; runs with equal hashes have the same plan", in_series},
          run.plan_hash);
    field({"user", "@USER"}, run.user);
    field({"machine", "@MACHINE", in_series}, run.machine);
    field({"node", "@NODE"}, run.node);
    field({"network", "@NETWORK"}, run.network);
    field({"comment", "@COMMENT"}, run.comment);
    field({"variant", "name that the user chose (--variant); empty = none", in_series}, run.variant);
    field({"mpi_library", "first line of MPI_Get_library_version", in_series}, run.mpi_library);
    field({"host", "host of rank 0"}, run.host);
    field({"placement", "ranks of each host; has no host names where @MACHINE names the machine", in_series},
          run.placement);
    field({"binding", "number of cores that each rank is bound to", in_series}, run.binding);
    field({"launcher", "program that started rank 0; empty = unknown", in_series}, run.launcher);
    field({"ranks", "number of ranks", in_series}, run.ranks);
    field({"absolute", "1 = the overhead was not subtracted (@ABSOLUTE)"}, run.absolute);
    field({"clock_resolution_s", "measured resolution of the clock"}, run.clock_resolution_s);
    field({"clock_cost_s", "time of one clock reading"}, run.clock_cost_s);
    field(
        {"reference_probe_s",
         "probe time that adjusted values refer to, from the first run of this plan in the same mode; 0 = none"},
        run.reference_probe_s);
    field(
        {"lowest_probe_s",
         "lowest probe time of a measurement in that mode, in this run or an earlier one of the plan; 0 = none"},
        run.lowest_probe_s);
    field({"highest_probe_s", "highest probe time, likewise"}, run.highest_probe_s);
    field(
        {"reference_core_speed",
         "core speed that adjusted values refer to, in additions per second of the slowest rank's core; 0 = none"},
        run.reference_core_speed);
    field(
        {"reference_core_throughput",
         "in additions per cycle: what the fastest 1 % of the batches reached on the core of the slowest rank of this host in the mode of the reference probe; 0 = none"},
        run.reference_core_throughput);
    field({"started_utc", "start, in UTC"}, run.started_utc);
    field({"ended_utc", "end, in UTC; NULL = still running, or interrupted"}, EmptyIsNull(run.ended_utc));
    field({"measuring_share", "share of the wall time spent in measured operations and their warm-up"},
          run.measuring_share);
    field({"merged_runs", "merged: number of runs; raw: 0"}, run.merged_runs);
    field({"merged_grid", "merged: arguments that it has: union, first, common; raw: empty"},
          run.merged_grid);
    for_each_field(run.host_sizes, field);
}

/// The fields of Event: one list, from which all else derives (model/fields.hpp).
template <MaybeConst<Event> Row, typename Visitor>
void for_each_field(Row& event, Visitor&& field) {
    field({"time_utc", "when it happened, in UTC"}, event.time_utc);
    field({"kind", "warning, crash, hang, mpi-error, retry, signal, info"}, event.kind);
    field({"suite", "name of the suite; empty = the whole run"}, event.suite);
    field({"text", "description for readers"}, event.text);
}

} // namespace skampi
