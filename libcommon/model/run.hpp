#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace skampi {

/// One rank of a run and where it ran.
struct RankFacts {
    int rank = 0;
    std::string processor; ///< MPI_Get_processor_name
    std::int64_t pid = 0;
    std::string cpus_allowed;  ///< "0-3,8"
    int cpu = -1;              ///< where it was when the last suite ended
    double clock_offset_s = 0; ///< its clock minus rank 0's by the last estimate; 0 = none was needed
    double clock_drift = 0;    ///< seconds per second that its clock gains on rank 0's
    std::string pages;         ///< kinds of pages its buffers got: "4k", "huge", "4k, huge", ...
};

/// What a reader needs to know to trust a run. Everything that is plain text and only printed stands in
/// `facts` (name -> text): "mpi library", "mpi standard", "compiler", "kernel", "cpu model", "governor",
/// "env MPICH_...", "slurm job id", "network file system", "measuring share", ...
struct Run {
    std::string uuid;
    std::string kind = "raw"; ///< "raw" or "merged"
    int launch = 0;           ///< number of this launch within its series, from 0
    std::string tool_version;
    std::string parameter_file; ///< its name
    std::string parameter_text; ///< its whole text
    std::string plan_hash;      ///< of the measurement part: equal = same plan (defaults resolved)
    std::string user, machine, node, network, comment; ///< @USER ...
    std::string mpi_library;                           ///< first line of MPI_Get_library_version
    std::string host;                                  ///< rank 0's host name
    int ranks = 0;
    bool absolute = false;
    double clock_resolution_s = 0;
    double clock_cost_s = 0;
    double reference_probe_s = 0; ///< P0 of adjusted values; 0 = none
    double lowest_probe_s = 0;    ///< of the measurements' probes in its mode; 0 = none
    double highest_probe_s = 0;
    double reference_clock_hz = 0; ///< G0
    /// Best of the slowest core in the mode of P0, on this host; 0 = none.
    double reference_core_throughput = 0;
    std::string started_utc;    ///< 2026-11-21T10:00:00Z
    std::string ended_utc;      ///< empty = not ended
    double measuring_share = 0; ///< of the wall time inside measured operations and their warm-up
    int merged_runs = 0;        ///< merged: how many
    std::map<std::string, std::string> facts;
    std::vector<RankFacts> rank_facts;
};

/// Something that happened: crash, hang, retry, warning, MPI error, disturbance.
struct Event {
    std::string time_utc;
    std::string kind;  ///< "warning", "crash", "hang", "mpi-error", "retry", "signal", "info"
    std::string suite; ///< name; empty = the whole run
    std::string text;
};

} // namespace skampi
