// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "clock/global_clock.hpp"
#include "host/disturbance.hpp"
#include "job/prepared.hpp"
#include "job/probe.hpp"
#include "laboratory/laboratory.hpp"
#include "laboratory/series_watch.hpp"
#include "mpi/check.hpp"
#include "patterns/timed_loop.hpp"

#include <functional>
#include <limits>
#include <optional>
#include <vector>

namespace skampi {

/// What stays known of a team from one series to the next.
struct KnownOfTeam {
    double fastest_barrier_s = std::numeric_limits<double>::infinity();
    std::optional<double> way_there; ///< of its probes, in this suite; none = not looked for
};

/// What a rank's series needs from the outside.
struct SeriesEnvironment {
    GlobalClock& clock;
    double epoch_s = 0;                ///< on this rank's clock, when the run's time line began
    const std::function<bool()>& stop; ///< asked on rank 0
    FirstError& failed;
    Waiting waiting = Waiting::busy;
};

/// One rank's part of a series (SeriesOrder): warm-up, then batches with probes between them. All ranks of
/// the team do this at once; what they saw is brought together afterwards (SeriesCollector).
class RankSeries {
public:
    RankSeries(const SeriesOrder& order, Prepared& prepared, const SeriesEnvironment& environment,
               KnownOfTeam& known);
    void carry_out();

    [[nodiscard]] const SeriesOrder& order() const { return order_; }
    [[nodiscard]] LocalTimes& times() { return times_; }
    /// Per batch, what the operating system did to this rank.
    [[nodiscard]] const std::vector<Disturbance>& ledger() const { return ledger_; }
    /// Of this rank's core at each look, at one clock.
    [[nodiscard]] std::vector<skalib::CoreSpeed> take_speeds() { return watch_.take_speeds(); }
    /// SeriesResult::warm_up_span_s of this rank; 0 = not asked.
    [[nodiscard]] double warm_up_span_s() const;
    /// Without what other ranks saw. Its single measurements are in times().
    [[nodiscard]] SeriesResult& result() { return result_; }

private:
    void warm_up();
    void find_way_there();
    void batches();
    /// @return false: the series is to end before this batch
    bool batch();
    void end();
    [[nodiscard]] double probe() const;
    [[nodiscard]] bool time_over() const;
    [[nodiscard]] bool windows_hopeless() const;
    [[nodiscard]] TimedLoop loop(Start start) const;
    [[nodiscard]] CallFunction side_of_call() const;

    const SeriesOrder& order_;
    Prepared& prepared_;
    SeriesEnvironment environment_;
    KnownOfTeam& known_;
    const GlobalClock& clock_;
    Prober prober_;
    Start start_;
    SeriesWatch watch_;
    bool over_ = false; ///< agreed
    double begin_s_ = 0;
    double fastest_first_s_ = std::numeric_limits<double>::infinity(); ///< of calls that follow a barrier
    std::int64_t late_ = 0;                                            ///< windows that this rank missed
    DisturbanceMeter meter_;
    std::vector<Disturbance> ledger_;
    LocalTimes times_;
    SeriesResult result_;
};

/// How the single measurements of a series begin.
[[nodiscard]] Start start_of(const SeriesOrder& order, const Prepared& prepared);

} // namespace skampi
