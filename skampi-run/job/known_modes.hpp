#pragma once

#include "model/measurement.hpp"

#include <optional>
#include <vector>

namespace skampi {

/// What a run, and the runs before it in its file, know of the machine's modes: which probes belong to one,
/// the reference probe P0 its adjusted values refer to, and what the cores can do in it.
///
/// The cores: something else may work on a rank's core without any counter of this machine showing it - its
/// other hardware thread, for another virtual machine. It costs throughput, not clock. What a core can do is
/// not known beforehand, so the best seen is taken for it; in each mode, since ranks that share a core with
/// each other are a mode.
class KnownModes {
public:
    /// @param alone the measurement has one rank, whose probe is another one and never refers to anything
    KnownModes() = default;
    explicit KnownModes(bool alone)
        : alone_(alone) {}

    /// A mode that an earlier run of the file has seen on this host.
    /// @param lowest_s, highest_s of its measurements' probes   @param throughput best of its slowest core; 0
    /// = not known
    void know(double reference_s, double lowest_s, double highest_s, double throughput);
    /// A batch's probe and throughput.
    void learn(const Batch& batch);
    /// The mean probe of a measurement: it widens its mode, and is the reference of one that has none.
    void settle(double probe_s);

    /// The reference in the mode of a probe; none = no probe, or no reference in its mode.
    [[nodiscard]] std::optional<double> reference(double probe_s) const;
    /// Whether a rank's core did clearly less than the best seen; false where nothing is known.
    [[nodiscard]] bool shared(const Batch& batch) const;
    /// Changes whenever a batch judged before may be judged otherwise now.
    [[nodiscard]] int judgement() const { return judgement_; }

    struct Mode {
        double lowest_s = 0;
        double highest_s = 0;
        double reference_s = 0; ///< 0 = none yet
        double throughput = 0;
        double judged_by = 0; ///< throughput at the last change of judgement
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
