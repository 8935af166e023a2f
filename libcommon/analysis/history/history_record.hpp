// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace skampi {

/// One run as a place in time.
struct HistoryRun {
    std::string uuid = {};
    std::string file = {};
    std::string started_utc = {};
    double started_s = 0; ///< since 1970; in a history that of another run where its own cannot be right
    std::map<std::string, std::string> facts = {}; ///< what may change performance: name for people -> text
    double probe_s = 0;                            ///< median of its suites' probes; 0 = none
    std::string doubts = {};                       ///< of the run and its headlines
    bool merged = false;
    /// Of its start: "2026-11-21 10:00".
    [[nodiscard]] std::string moment() const;
};

/// What a line's values are.
enum class LineUnit { time, bandwidth, bytes };

/// A number of a run, with the name of the line over all runs that it belongs to.
struct HistoryValue {
    std::string line; ///< "MPI_Bcast, 1 MiB", "Latency"
    LineUnit unit = LineUnit::time;
    bool headline = false; ///< else the time at an argument
    std::int64_t argument = 0;
    double value = 0; ///< above 0
};

/// What one run adds to a history, small enough to be kept for years.
struct RunRecord {
    struct Suite {
        std::string name;
        std::string plan; ///< hash of what it measures: where it differs, it is another suite
        std::vector<HistoryValue> values;
        double probe_s = 0; ///< median of the probes of all values of the suite; 0 = none
    };
    HistoryRun run;
    std::string machine, variant;
    int ranks = 0;
    bool is_trial = false;             ///< of variants or algorithms: no run of a machine over time
    std::vector<std::string> launches; ///< uuids of those it was merged of; none = a launch itself
    std::vector<Suite> suites;
};

} // namespace skampi
