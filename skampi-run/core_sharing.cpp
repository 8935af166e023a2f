#include "core_sharing.hpp"

#include "model/adjusted.hpp"

#include <algorithm>

namespace skampi {
namespace {

/// Undisturbed cores were seen within 2 % of their best, shared ones at 40 to 92 % of it.
constexpr double shared_below = 0.96;

} // namespace

void CoreSharing::learn(bool alone, double probe_s, double throughput) {
    if (!(throughput > 0) || !(probe_s > 0))
        return;
    for (Best& known : best_)
        if (known.alone == alone && in_one_mode(known.probe_s, probe_s)) {
            known.throughput = std::max(known.throughput, throughput);
            if (shared_below * known.throughput > known.judged_by) {
                known.judged_by = known.throughput;
                ++judgement_;
            }
            return;
        }
    best_.push_back({alone, probe_s, throughput, throughput});
}

double CoreSharing::best(bool alone, double probe_s) const {
    for (const Best& known : best_)
        if (known.alone == alone && in_one_mode(known.probe_s, probe_s))
            return known.throughput;
    return 0;
}

bool CoreSharing::shared(bool alone, const Batch& batch) const {
    return batch.core_throughput > 0 &&
           batch.core_throughput < shared_below * best(alone, batch.probe_before_s);
}

} // namespace skampi
