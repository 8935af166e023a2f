#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace skampi {

// Names of facts of a run that decide what a call of its MPI library costs.
inline constexpr const char* history_fact_library = "MPI library";
inline constexpr std::string_view history_fact_setting = "Setting "; ///< begin of them

/// One run as a place in time.
struct HistoryRun {
    std::string uuid;
    std::string file;
    std::string started_utc;
    double started_s = 0; ///< since 1970; in a history that of another run where its own cannot be right
    std::map<std::string, std::string> facts; ///< what may change performance: name for people -> text
    double probe_s = 0;                       ///< median of its values' probes; 0 = none
    std::string doubts = {};                  ///< run_doubts() of it
    double core_speed = 0;                    ///< median of its values' core_speed(); 0 = none
    /// Of its start: "2026-11-21 10:00".
    [[nodiscard]] std::string moment() const;
};

/// What a line's values are.
enum class LineUnit { time, bandwidth, bytes };

/// What one run adds to a history, small enough to be kept for years.
struct RunRecord {
    struct Headline {
        std::string name;
        std::string suite;
        LineUnit unit = LineUnit::time;
        double value = 0;
        std::string doubts = {};
        bool may_go_on = false; ///< as of the report's Headline
    };
    struct Time {
        std::int64_t argument = 0;
        std::string text; ///< "MPI_Bcast, 1 MiB"
        double value_s = 0;
    };
    struct Suite {
        std::string name;
        std::vector<Time> times; ///< those above zero, ascending argument
    };
    HistoryRun run;
    std::string plan_hash, machine, variant;
    int ranks = 0;
    bool is_trial = false; ///< of variants or algorithms: no run of a machine over time
    std::vector<std::string> launches; ///< uuids of those it was merged of; none = a launch itself
    std::vector<Headline> headlines;
    std::vector<Suite> suites;
};

} // namespace skampi
