// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "model/measurement.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace skampi {

/// The machine's modes as known from a run and the earlier runs in its file: which probes belong to one,
/// the reference probe P0 its adjusted values refer to, and what the cores can do in it.
///
/// The cores: other work may use a rank's core, on its other hardware thread, without any counter of this
/// machine showing it (another virtual machine). It costs throughput, not clock. What a core can do is not
/// known beforehand, so it is estimated as what one batch in a hundred reached, and at least two of twenty
/// and more (not the best, which is a slip of the clock: docs/decisions/shared-cores.md); in each mode,
/// since ranks that share a core with each other are a mode.
class KnownModes {
public:
    /// @param alone the measurement has one rank, whose probe is another one and never refers to anything
    KnownModes() = default;
    explicit KnownModes(bool alone)
        : alone_(alone) {}

    /// A mode that an earlier run of the file has seen on this host.
    /// @param lowest_s, highest_s of its measurements' probes   @param throughput of its slowest core; 0 =
    /// not known
    void know(double reference_s, double lowest_s, double highest_s, double throughput);
    /// A batch's probe and throughput.
    void learn(const Batch& batch);
    /// The typical probe of a measurement: it widens its mode, and is the reference of one that has none.
    void settle(double probe_s);

    /// The reference in the mode of a probe; none = no probe, or no reference in its mode.
    [[nodiscard]] std::optional<double> reference(double probe_s) const;
    /// Whether a rank's core did clearly less than it can; false if not known.
    [[nodiscard]] bool shared(const Batch& batch) const;
    /// Changes whenever the judgement of an earlier batch may change.
    [[nodiscard]] int judgement() const { return judgement_; }

    struct Mode {
        double lowest_s = 0;
        double highest_s = 0;
        double reference_s = 0;                      ///< 0 = none yet
        std::map<double, std::int64_t> reached = {}; ///< batches of this run by throughput
        double of_earlier_runs = 0;                  ///< the most that cores could do in one of them
        double throughput = 0;                       ///< what cores can do, in this run or an earlier one
        double judged_by = 0;                        ///< throughput at the last change of judgement

        /// From this run only; 0 = nothing was measured.
        [[nodiscard]] double own_throughput() const;
        void judge();
        /// To a probe of its measurements; never so far that it reaches into another mode.
        void widen(double probe_s);
    };
    /// The mode a probe belongs to: the nearest with a probe that differs by less than mode_ratio; null =
    /// none.
    [[nodiscard]] const Mode* find(double probe_s) const;

private:
    Mode& mode_of(double probe_s);

    bool alone_ = false;
    std::vector<Mode> modes_;
    int judgement_ = 0;
};

/// The values of such a batch are replaced by others while the limits allow: a rank was interrupted (see
/// interrupted()), or something else worked on a rank's core.
[[nodiscard]] inline bool disturbed(const Batch& batch, const KnownModes& known) {
    return batch.dirty || known.shared(batch);
}

} // namespace skampi
