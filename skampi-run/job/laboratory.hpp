#pragma once

#include "model/measurement.hpp"
#include "model/suite.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace skampi {

/// Some batches in a row, carried out by all ranks without any decision in between.
struct SeriesOrder {
    std::int64_t warm_up = 0;   ///< calls before the first batch, never stored
    std::int64_t block = 1;     ///< calls per single measurement
    std::int64_t per_batch = 1; ///< single measurements per batch
    std::int64_t batches = 0;
    std::int64_t probe_every = 0;                              ///< batches between two probes; 0 = no probes
    Synchronization synchronization = Synchronization::window; ///< collective pattern only
    double window_s = 0;      ///< distance of two starts, with Synchronization::window
    bool empty = false;       ///< the same loop with an empty operation: the overhead
    bool alone = false;       ///< overlap: the operation without its computation
    double computation_s = 0; ///< overlap: computation in each call
};

struct SeriesResult {
    double warm_up_call_s = 0; ///< fastest call of the warm-up; 0 = no warm-up
    double probe_cost_s = 0;   ///< wall time of one probe
    double inside_s = 0;       ///< wall time in batches and warm-up
    std::vector<Batch> batches;
    std::string error; ///< an MPI call failed: rank, call and text; empty = none
};

/// What a suite needs from the outside world, as rank 0 sees it. The real one commands all ranks; tests use
/// one with invented times.
class Laboratory {
public:
    virtual ~Laboratory() = default;

    /// Wall time in seconds on the run's time line.
    [[nodiscard]] virtual double now() = 0;
    /// Makes everything ready for one argument of a suite of the plan: ranks, buffers, communicators;
    /// verifies the operation's data once. @return what makes it impossible; empty = ready
    [[nodiscard]] virtual std::string prepare(int suite, std::int64_t argument) = 0;
    /// Whether the data received in the last prepare() were right.
    [[nodiscard]] virtual bool delivered_right() const = 0;
    /// The messages that a call of what was prepared last moves; 0 = not told.
    [[nodiscard]] virtual double messages() const = 0;
    /// Whether what was prepared last shows overlap: it computes for SeriesOrder::computation_s.
    [[nodiscard]] virtual bool computes() const = 0;
    /// Carries out a series with what was prepared last.
    [[nodiscard]] virtual SeriesResult series(const SeriesOrder& order) = 0;
    /// What was found out about the suite being measured: partner, barrier exit skew, clock error, ...
    [[nodiscard]] virtual std::map<std::string, std::string> suite_facts() = 0;
    /// A signal asks to end after the current measurement.
    [[nodiscard]] virtual bool stop_wanted() = 0;
};

/// How long things should take in a laboratory; a simulated one has no states and no noise to wait for.
struct Tempo {
    double clock_resolution_s = 10e-9;
    double block_s = 4e-6;     ///< shortest timed block: clock cost and step stay below 1 % of it
    double batch_s = 250e-6;   ///< far below a scheduler slice, so that most batches see no interruption
    double visit_s = 5e-3;     ///< shortest stay at an argument in one pass
    double warm_up_s = 100e-6; ///< after every change of argument, up to max_warm_up calls
    std::int64_t max_warm_up = 256;
    std::int64_t min_warm_up = 3;
    double probe_share = 0.02;         ///< of the time, at most
    std::int64_t overhead_batches = 8; ///< of 32 empty single measurements each
};

} // namespace skampi
