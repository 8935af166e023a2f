#pragma once

#include "model/measurement.hpp"

#include <vector>

namespace skampi {

/// Tells the batches during which something else worked on a rank's core: its other hardware thread, often
/// for another virtual machine, which no counter of this one shows. It costs throughput, not clock. What a
/// core can do is not known beforehand: the best seen in each of the machine's modes is taken for it, since
/// ranks that share a core with each other are a mode of their own.
class CoreSharing {
public:
    /// @param alone the measurement has one rank, whose probe is another one
    void learn(bool alone, double probe_s, double throughput);
    void learn(bool alone, const Batch& batch) { learn(alone, batch.probe_before_s, batch.core_throughput); }
    /// Whether a rank's core did clearly less than the best seen; false where nothing is known.
    [[nodiscard]] bool shared(bool alone, const Batch& batch) const;
    /// The best throughput seen in a probe's mode; 0 = none.
    [[nodiscard]] double best(bool alone, double probe_s) const;
    /// Changes whenever a batch judged before may be judged otherwise now.
    [[nodiscard]] int judgement() const { return judgement_; }

private:
    struct Best {
        bool alone = false;
        double probe_s = 0;
        double throughput = 0;
        double judged_by = 0; ///< throughput at the last change of judgement
    };
    std::vector<Best> best_; ///< one for each mode
    int judgement_ = 0;
};

} // namespace skampi
