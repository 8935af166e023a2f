// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "analysis/trust/value_error.hpp"
#include "launches/subject.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace skampi {

enum class HeadlineKind {
    latency,          ///< half of a round trip
    peak_bandwidth,   ///< message length by half of a round trip, where that is largest
    long_bandwidth,   ///< the same at the longest message, where the peak is not there
    half_peak_length, ///< n1/2: the shortest message with half of the peak bandwidth
    barrier,
    allreduce,
};

enum class HeadlineUnit { seconds, bytes_per_second, bytes };

/// What makes a headline's value doubtful, the gravest first.
enum class HeadlineDoubt {
    wrong_result,
    no_time, ///< there is none above zero
    unreliable,
    one_single_measurement,
    several_states, ///< of the machine: it has a value in each
    peak_elsewhere, ///< longer messages have no value: the peak may lie there
    disturbed,
    between_barriers,
    launches_apart,
    peak_timed_out, ///< every value among which the peak was sought timed out
};

/// One number people ask for first. Borrows the subject.
struct Headline {
    HeadlineKind kind = HeadlineKind::latency;
    std::int64_t message_bytes = 0; ///< of a latency or an Allreduce
    int ranks = 0;                  ///< of a Barrier or an Allreduce; 0 = not known

    const Curve* curve = nullptr;             ///< where it comes from; not null
    const StoredMeasurement* point = nullptr; ///< of the curve; null = made of several
    double factor = 1;                        ///< of a time: the value is this times the measured one

    HeadlineUnit unit = HeadlineUnit::seconds;
    double value = 0; ///< not a number where there is none above zero
    std::optional<double> low, high;
    ValueError error = {}; ///< of the point's time
    /// Of n1/2: the two arguments between which it lies.
    std::int64_t between = 0;
    std::int64_t and_argument = 0;

    // What makes it doubtful.
    Flags flags = 0;                       ///< of its points, those that do
    std::vector<double> in_other_states{}; ///< what it is in other states of the machine, in its unit
    bool among_timed_out = false;          ///< the peak is sought among values that all timed out
    /// A peak behind which values are missing: the true one may lie there, and be higher.
    bool may_go_on = false;
    bool at_longest = false; ///< the peak is at the last argument
    /// Whether a longer message may have a higher bandwidth than the peak.
    [[nodiscard]] bool may_be_exceeded() const { return at_longest || may_go_on; }
    double probe_s = 0; ///< of the machine's state that it is of; 0 = not known
    /// Its probe by that of the first headline, where the two are of different states of the machine.
    std::optional<double> probe_ratio = {};

    /// The argument at which a bandwidth is; none where the kind says it all.
    [[nodiscard]] std::optional<std::int64_t> peak_at() const;
    [[nodiscard]] std::optional<std::int64_t> argument() const; ///< of the point
    /// Whether it can be given as an answer: it has a value, of more than one single measurement, that is
    /// neither unreliable nor disturbed, nor a peak that may lie elsewhere.
    [[nodiscard]] bool is_answer() const;
    /// The gravest reason why it is doubtful; none = it is not. That a limit came before the error asked for
    /// is no such reason: its error says how well it is known.
    [[nodiscard]] std::optional<HeadlineDoubt> doubt() const;
    /// Half of its error's width as a share of the value; none where the error is not known, or so lopsided
    /// that one number would be wrong.
    [[nodiscard]] std::optional<double> relative_error() const;
    /// Whether both are the same quantity, of one subject or two.
    [[nodiscard]] bool is_same_quantity(const Headline& other) const;
};

/// Latency at 0 and 1 byte, peak bandwidth, that of the longest message and half-performance length (from the
/// half round trip of MPI_Send to MPI_Recv, or of the first operation whose time is a round trip), barrier,
/// Allreduce at 8 B and 1 MiB: those the subject has. The peak is sought among values that are neither
/// disturbed, unreliable, scattered nor interpolated as long as at least half of them are not.
[[nodiscard]] std::vector<Headline> headlines(const Subject& subject);

/// The point at which a curve has its peak bandwidth, sought as that of the headlines; null where no point
/// has a bandwidth.
[[nodiscard]] const StoredMeasurement* peak_bandwidth(const Curve& curve);

} // namespace skampi
