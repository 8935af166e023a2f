// SPDX-License-Identifier: LGPL-2.1-or-later
#include "laboratory/series_watch.hpp"

#include <utility>

namespace skampi {

SeriesWatch::SeriesWatch(const SeriesOrder& order, Eyes eyes)
    : order_(order)
    , eyes_(std::move(eyes)) {}

void SeriesWatch::probe() {
    const double begin_s = eyes_.clock();
    last_probe_s_ = eyes_.probe();
    probing_s_ += eyes_.clock() - begin_s;
    ++probes_;
}

void SeriesWatch::close_with_probe(std::vector<Batch>& batches) {
    probe();
    for (; since_probe_ < batches.size(); ++since_probe_)
        batches[since_probe_].probe_after_s = last_probe_s_;
}

void SeriesWatch::look() {
    const double begin_s = eyes_.clock();
    speeds_.push_back(eyes_.look());
    looking_s_ += eyes_.clock() - begin_s;
}

void SeriesWatch::begin(bool over) {
    probing_ = order_.probe_every > 0 && order_.batches > 0 && !over;
    if (!probing_)
        return;
    probe();
    look();
}

void SeriesWatch::add(std::vector<Batch>& batches) {
    const auto made = std::ssize(batches);
    if (probing_ && made % order_.look_every == 0)
        look();
    if (order_.probe_every > 0 && made % order_.probe_every == 0)
        close_with_probe(batches);
}

void SeriesWatch::finish(std::vector<Batch>& batches) {
    if (probing_ && std::ssize(batches) % order_.look_every != 0)
        look();
    if (order_.probe_every > 0 && since_probe_ < batches.size())
        close_with_probe(batches);
}

double SeriesWatch::probe_cost_s() const {
    return probes_ == 0 ? 0 : probing_s_ / static_cast<double>(probes_);
}

std::vector<skalib::CoreSpeed> SeriesWatch::take_speeds() {
    return skalib::at_fastest_clock(std::move(speeds_));
}

} // namespace skampi
