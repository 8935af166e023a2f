// SPDX-License-Identifier: LGPL-2.1-or-later
#include "job/series_collector.hpp"

#include "host/core_probe.hpp"
#include "skalib/statistics.hpp"

#include <algorithm>
#include <utility>

namespace skampi {
namespace {

constexpr int result_tag = 4713;

template <typename Extremes, typename Visit>
void for_each_list(Extremes& extremes, const Visit& visit) {
    visit(extremes.reported_s);
    visit(extremes.late);
    visit(extremes.slowness);
    visit(extremes.span_s);
}

} // namespace

std::vector<double> SeriesExtremes::packed() const {
    std::vector<double> row = {trouble, warm_up_span_s, slow_agreements};
    for_each_list(*this, [&](const auto& list) { row.insert(row.end(), list.begin(), list.end()); });
    return row;
}

void SeriesExtremes::unpack(const std::vector<double>& row) {
    auto next = row.begin();
    trouble = *next++;
    warm_up_span_s = *next++;
    slow_agreements = *next++;
    for_each_list(*this, [&](auto& list) {
        std::copy_n(next, list.size(), list.begin());
        next += std::ssize(list);
    });
}

SeriesCollector::SeriesCollector(const Suite& suite, const Prepared& prepared, RankSeries& series,
                                 const SeriesEnvironment& environment)
    : suite_(suite)
    , prepared_(prepared)
    , series_(series)
    , failed_(environment.failed)
    , traffic_(prepared.team->get(), environment.waiting)
    , speeds_(series.take_speeds()) {}

bool SeriesCollector::last_rank_counts() const {
    return suite_.reported_time == ReportedTime::max && prepared_.starts_together();
}

std::vector<double>& SeriesCollector::reported() {
    return last_rank_counts() ? series_.times().elapsed_s : series_.times().duration_s;
}

SeriesExtremes SeriesCollector::extremes(double trouble) {
    const SeriesOrder& order = series_.order();
    SeriesExtremes mine{.trouble = trouble,
                        .warm_up_span_s = series_.warm_up_span_s(),
                        .slow_agreements = series_.times().slow_agreements(),
                        .reported_s = reported(),
                        .late = series_.times().late,
                        .slowness = {},
                        .span_s = {}};
    for (const skalib::CoreSpeed& speed : speeds_)
        mine.slowness.push_back(-speed.throughput); // the slowest rank's is the largest then
    const bool spans = !last_rank_counts() && prepared_.starts_together() &&
                       order.synchronization == Synchronization::window;
    for (std::size_t b = 0; spans && b < series_.result().batches.size(); ++b) {
        const auto begin =
            series_.times().elapsed_s.begin() + static_cast<std::ptrdiff_t>(b) * order.per_batch;
        mine.span_s.push_back(skalib::upper_median({begin, begin + order.per_batch}));
    }
    return mine;
}

void SeriesCollector::reduce(double trouble) {
    largest_ = extremes(trouble);
    std::vector<double> counts;
    if (notices_disturbance)
        for (const Disturbance& disturbance : series_.ledger()) {
            counts.push_back(static_cast<double>(disturbance.involuntary_switches));
            counts.push_back(static_cast<double>(disturbance.migrations));
        }
    sums_ = counts;
    if (prepared_.team->size() == 1)
        return;
    const std::vector<double> mine = largest_.packed();
    std::vector<double> largest = mine;
    failed_.note(
        traffic_.reduce(mine.data(), largest.data(), static_cast<int>(mine.size()), MPI_DOUBLE, MPI_MAX),
        "MPI_Reduce");
    if (!counts.empty())
        failed_.note(traffic_.reduce(counts.data(), sums_.data(), static_cast<int>(counts.size()), MPI_DOUBLE,
                                     MPI_SUM),
                     "MPI_Reduce");
    largest_.unpack(largest);
}

void SeriesCollector::fetch() {
    if (is_empty())
        return;
    if (suite_.reported_time == ReportedTime::mean && prepared_.starts_together())
        fetch_mean();
    else if (!last_rank_counts())
        fetch_reported();
    if (suite_.node_times && prepared_.team->size() > 1)
        gather_node_times();
}

/// Of the ranks' own durations. Among pairs an odd last rank does nothing, and does not count.
void SeriesCollector::fetch_mean() {
    std::vector<double> mine = series_.times().duration_s;
    const int all = prepared_.team->size();
    const int ranks = prepared_.operation->messages_per == MessagesPer::pair ? all / 2 * 2 : all;
    if (all > 1 && prepared_.team->rank() >= ranks)
        std::ranges::fill(mine, 0.0);
    largest_.reported_s = mine;
    if (all > 1) {
        failed_.note(traffic_.reduce(mine.data(), largest_.reported_s.data(), static_cast<int>(mine.size()),
                                     MPI_DOUBLE, MPI_SUM),
                     "MPI_Reduce");
        for (double& time_s : largest_.reported_s)
            time_s /= ranks;
    }
}

/// From the rank whose time is the operation's.
void SeriesCollector::fetch_reported() {
    const Communicator& team = *prepared_.team;
    const std::vector<double>& mine = reported();
    const int timed = prepared_.starts_together() ? suite_.root : 0;
    const auto count = static_cast<int>(mine.size());
    if (team.rank() == timed && timed != 0)
        failed_.note(MPI_Send(mine.data(), count, MPI_DOUBLE, 0, result_tag, team.get()), "MPI_Send");
    else if (prepared_.keeps_time() && timed != 0)
        failed_.note(MPI_Recv(largest_.reported_s.data(), count, MPI_DOUBLE, timed, result_tag, team.get(),
                              MPI_STATUS_IGNORE),
                     "MPI_Recv");
    else
        largest_.reported_s = mine;
}

void SeriesCollector::gather_node_times() {
    const std::vector<double>& mine = series_.times().duration_s;
    if (prepared_.keeps_time())
        node_times_.resize(mine.size() * static_cast<std::size_t>(prepared_.team->size()));
    const auto made = static_cast<int>(mine.size());
    failed_.note(traffic_.gather(mine.data(), node_times_.data(), made), "MPI_Gather");
}

void SeriesCollector::fill_disturbance(Batch& batch, std::size_t b) const {
    if (notices_disturbance) {
        batch.involuntary_switches = static_cast<std::int64_t>(sums_[2 * b]);
        batch.migrations = static_cast<std::int64_t>(sums_[2 * b + 1]);
    }
    if (!speeds_.empty()) { // look_every batches lie between two looks
        const std::size_t before = b / static_cast<std::size_t>(series_.order().look_every);
        batch.core_clock_hz = speeds_.front().clock_hz;
        batch.core_throughput =
            throughput_as_stored(-std::max(largest_.slowness[before], largest_.slowness[before + 1]));
    }
    batch.dirty = interrupted(batch);
}

void SeriesCollector::fill(const std::vector<int>& numbers) {
    std::vector<std::pair<int, std::size_t>> places; // with the numbers that they are stored under
    for (std::size_t place = 0; place < numbers.size(); ++place)
        places.emplace_back(numbers[place], place);
    std::ranges::sort(places);
    SeriesResult& result = series_.result();
    result.span_s = largest_.span_s;
    const std::size_t made = series_.times().duration_s.size();
    const auto per_batch = static_cast<std::size_t>(series_.order().per_batch);
    for (std::size_t b = 0; b < result.batches.size(); ++b) {
        Batch& batch = result.batches[b];
        fill_disturbance(batch, b);
        for (const auto& [number, place] : places)
            batch.node_durations.push_back({number, {}});
        for (std::size_t i = b * per_batch; i < (b + 1) * per_batch; ++i) {
            if (largest_.late[i] > 0) {
                ++batch.late;
                continue;
            }
            batch.duration_s.push_back(to_picoseconds(largest_.reported_s[i]));
            for (std::size_t node = 0; node < places.size(); ++node)
                batch.node_durations[node].duration_s.push_back(
                    to_picoseconds(node_times_[places[node].second * made + i]));
        }
    }
}

} // namespace skampi
