#include "job/known_modes.hpp"

#include "model/adjusted.hpp"

#include <algorithm>

namespace skampi {
namespace {

/// Undisturbed cores were seen within 2 % of their best, shared ones at 40 to 92 % of it.
constexpr double shared_below = 0.96;

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
        mode.lowest_s = std::min(mode.lowest_s, lowest_s);
    mode.highest_s = std::max(mode.highest_s, highest_s);
    mode.throughput = mode.judged_by = std::max(mode.throughput, throughput);
}

void KnownModes::learn(const Batch& batch) {
    if (!(batch.core_throughput > 0) || !(batch.probe_before_s > 0))
        return;
    Mode& mode = mode_of(batch.probe_before_s);
    mode.throughput = std::max(mode.throughput, batch.core_throughput);
    if (shared_below * mode.throughput > mode.judged_by) {
        if (mode.judged_by > 0)
            ++judgement_;
        mode.judged_by = mode.throughput;
    }
}

void KnownModes::settle(double probe_s) {
    if (alone_ || !(probe_s > 0))
        return;
    Mode& mode = mode_of(probe_s);
    mode.lowest_s = std::min(mode.lowest_s, probe_s);
    mode.highest_s = std::max(mode.highest_s, probe_s);
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
