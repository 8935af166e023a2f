// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "job/prepared.hpp"
#include "job/rank_series.hpp"
#include "laboratory/laboratory.hpp"
#include "mpi/check.hpp"

#include <vector>

namespace skampi {

/// Of what the ranks of a team saw of a series, the largest of all is kept, place by place. Every rank has
/// as many of each.
struct SeriesExtremes {
    double trouble = 0; ///< of a rank in trouble, the larger the lower it is; 0 = none
    double warm_up_span_s = 0;
    double slow_agreements = 0;     ///< share      ///< 0 = not asked
    std::vector<double> reported_s; ///< per single measurement
    std::vector<double> late;       ///< per single measurement: 1 = the window was missed
    std::vector<double> slowness;   ///< of the core at each look: its throughput, negated
    std::vector<double> span_s;     ///< per batch, where asked: until a usual call had ended

    /// All of it in a row, to be sent.
    [[nodiscard]] std::vector<double> packed() const;
    /// Takes it from a row of its own shape.
    void unpack(const std::vector<double>& row);
};

/// Brings what the ranks of a team saw of a series to rank 0: a reduction, one more of what the operating
/// system did to the ranks, a message where the root's time is reported, and a gather where node times are
/// wanted. Each step is collective over the team.
class SeriesCollector {
public:
    SeriesCollector(const Suite& suite, const Prepared& prepared, RankSeries& series,
                    const SeriesEnvironment& environment);

    /// @param trouble of this rank, see SeriesExtremes
    void reduce(double trouble);
    /// Rank 0, after reduce().
    [[nodiscard]] const SeriesExtremes& largest() const { return largest_; }
    /// What comes from single ranks. Nothing without a single measurement.
    void fetch();
    /// Rank 0: all of it in the result's batches.
    /// @param ranks of the team in the run, by place; empty without node times
    void fill(const std::vector<int>& numbers);
    [[nodiscard]] bool has_node_times() const { return !node_times_.empty(); }
    [[nodiscard]] bool is_empty() const { return series_.times().duration_s.empty(); }

private:
    [[nodiscard]] bool last_rank_counts() const;
    [[nodiscard]] std::vector<double>& reported();
    [[nodiscard]] SeriesExtremes extremes(double trouble);
    void fetch_mean();
    void fetch_reported();
    void gather_node_times();
    void fill_disturbance(Batch& batch, std::size_t b) const;

    const Suite& suite_;
    const Prepared& prepared_;
    RankSeries& series_;
    FirstError& failed_;
    ControlTraffic traffic_;
    std::vector<skalib::CoreSpeed> speeds_;
    SeriesExtremes largest_;
    std::vector<double> sums_;       ///< per batch: switches, migrations
    std::vector<double> node_times_; ///< rank 0: of all single measurements, place by place
};

} // namespace skampi
