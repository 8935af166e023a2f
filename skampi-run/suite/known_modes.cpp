// SPDX-License-Identifier: LGPL-2.1-or-later
#include "suite/known_modes.hpp"

#include "model/machine_state.hpp"

#include <algorithm>

namespace skampi {
namespace {

/// With less than this share of what cores can do, 70 % of batches were off by more than 3 %, half of these
/// by more than 10 %; of the others one in eight and one in twelve.
constexpr double shared_below = 0.97;

/// A look that the clock flatters is one in ten thousand.
constexpr double reached_by = 0.01; // of the batches

/// From so many batches on at least two must have reached it: a hundredth of few would be the best one. With
/// fewer there may be only one undisturbed batch, and a slip of the clock is unlikely.
constexpr std::int64_t enough_for_two = 20;

} // namespace

const KnownModes::Mode* KnownModes::find(double probe_s) const {
    const Mode* nearest = nullptr;
    double nearest_ratio = mode_ratio;
    for (const Mode& mode : modes_) {
        const double ratio = std::max({1.0, probe_s / mode.highest_s, mode.lowest_s / probe_s});
        if (ratio < nearest_ratio) {
            nearest = &mode;
            nearest_ratio = ratio;
        }
    }
    return nearest;
}

KnownModes::Mode& KnownModes::mode_of(double probe_s) {
    if (const Mode* known = find(probe_s))
        return modes_[static_cast<std::size_t>(known - modes_.data())];
    modes_.push_back({.lowest_s = probe_s, .highest_s = probe_s});
    return modes_.back();
}

void KnownModes::know(double reference_s, double lowest_s, double highest_s, double throughput) {
    if (!(reference_s > 0))
        return;
    Mode& mode = mode_of(reference_s);
    if (mode.reference_s == 0)
        mode.reference_s = reference_s;
    if (lowest_s > 0)
        mode.widen(lowest_s);
    mode.widen(highest_s);
    mode.of_earlier_runs = std::max(mode.of_earlier_runs, throughput);
    mode.judge();
    mode.judged_by = mode.throughput;
}

void KnownModes::Mode::widen(double probe_s) {
    const double lowest = std::min(lowest_s, probe_s);
    const double highest = std::max(highest_s, probe_s);
    if (highest > mode_ratio * mode_ratio * lowest)
        return; // its measurement met another mode, too
    lowest_s = lowest;
    highest_s = highest;
}

double KnownModes::Mode::own_throughput() const {
    std::int64_t all = 0;
    for (const auto& [value, batches] : reached)
        all += batches;
    const double wanted = std::max(all < enough_for_two ? 1.0 : 2.0, reached_by * static_cast<double>(all));
    std::int64_t so_far = 0;
    for (auto best = reached.rbegin(); best != reached.rend(); ++best) {
        so_far += best->second;
        if (static_cast<double>(so_far) >= wanted)
            return best->first;
    }
    return 0;
}

void KnownModes::Mode::judge() {
    throughput = std::max(own_throughput(), of_earlier_runs);
}

void KnownModes::learn(const Batch& batch) {
    if (!(batch.core_throughput > 0) || !(batch.probe_before_s > 0))
        return;
    Mode& mode = mode_of(batch.probe_before_s);
    ++mode.reached[batch.core_throughput];
    mode.judge();
    constexpr double another = 1 - (1 - shared_below) / 2;
    if (mode.throughput * another > mode.judged_by || mode.judged_by * another > mode.throughput) {
        if (mode.judged_by > 0)
            ++judgement_;
        mode.judged_by = mode.throughput;
    }
}

void KnownModes::settle(double probe_s) {
    if (alone_ || !(probe_s > 0))
        return;
    Mode& mode = mode_of(probe_s);
    mode.widen(probe_s);
    if (mode.reference_s == 0)
        mode.reference_s = probe_s;
}

std::optional<double> KnownModes::reference(double probe_s) const {
    const Mode* mode = probe_s > 0 && !alone_ ? find(probe_s) : nullptr;
    return mode != nullptr && mode->reference_s > 0 ? std::optional(mode->reference_s) : std::nullopt;
}

bool KnownModes::shared(const Batch& batch) const {
    if (!(batch.core_throughput > 0) || !(batch.probe_before_s > 0))
        return false;
    const Mode* mode = find(batch.probe_before_s);
    return mode != nullptr && batch.core_throughput < shared_below * mode->throughput;
}

} // namespace skampi
