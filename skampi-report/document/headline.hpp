#pragma once

#include "analysis/subject.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace skampi {

/// One number people ask for first.
struct Headline {
    std::string name;
    std::string place; ///< at which argument a peak is: "304.4 KiB"; empty = the name says it all
    std::string unit;  ///< of value, low and high: "s", "B/s", "B"
    double value = 0;  ///< not a number where there is none above zero
    std::optional<double> low, high;
    std::string value_text;
    std::string error_text;
    std::string suite;                    ///< where it comes from
    double probe_s = 0;                   ///< of the machine's state that it is of; 0 = not known
    std::optional<std::int64_t> argument; ///< of the suite's point that it is; none = made of several
    /// Of error_text what belongs to the value wherever it stands: "flagged disturbed; 10.41 ms in another
    /// state of the machine"; empty = nothing.
    std::string doubts = {};
    /// A peak behind which values are missing: the true one may lie there, and be higher.
    bool may_go_on = false;
    /// "Peak bandwidth (at 304.4 KiB)"
    [[nodiscard]] std::string title() const;
    /// "8.79 GB/s at 304.4 KiB"
    [[nodiscard]] std::string value_with_place() const;
};

/// Latency at 0 and 1 byte, peak bandwidth and half-performance length (from the half round trip of MPI_Send
/// to MPI_Recv, or of the first operation whose time is a round trip), barrier, Allreduce at 8 B and 1 MiB:
/// those the subject has. A doubtful value says so in front of its error; the peak is sought among values
/// that are neither disturbed, unreliable, scattered nor interpolated as long as there are any. Behind its
/// error a value tells what it is in other states of the machine that were seen there, and where it is of
/// another state than the first value by a probe.
[[nodiscard]] std::vector<Headline> headlines(const Subject& subject);

} // namespace skampi
