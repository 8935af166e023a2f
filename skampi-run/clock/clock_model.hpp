// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <cstddef>
#include <deque>

namespace skampi {

/// How a local clock maps to the global one: linear in time.
struct ClockModel {
    double offset_s = 0;    ///< global - local at reference
    double drift = 0;       ///< seconds per second
    double reference_s = 0; ///< local time at which offset_s held
    [[nodiscard]] double to_global(double local_s) const {
        return local_s + offset_s + drift * (local_s - reference_s);
    }
    [[nodiscard]] double to_local(double global_s) const {
        return reference_s + (global_s - reference_s - offset_s) / (1 + drift);
    }
};

/// The result of one exchange of messages: at local_s the global clock was offset_s ahead of the local one,
/// and certainly by no more than bound_s more or less (Cristian 1989).
struct ClockSight {
    double local_s = 0;
    double offset_s = 0;
    double bound_s = 0;
};

/// The largest relative drift of two clocks: 1e-4 for oscillators, and 5e-4 each for the adjustment to the
/// time of day.
constexpr double largest_drift = 1e-3;

/// The model of a clock against the global one, from its last sights. The model is the regression of offsets
/// over time, weighted by their bounds, as JK and HCA3 have it (Hunold & Carpen-Amarie 2015, 2018). The bound
/// is not statistical: it is the distance from the model to the farthest of all straight lines that pass
/// every sight within its bound. It holds while the drift changes by no more than wander(). Pure.
class ClockHistory {
public:
    /// How a new sight agrees with the previous model.
    struct Check {
        double age_s = 0;       ///< since the sight before; 0 = there was none, nothing was checked
        double deviation_s = 0; ///< of the former model from this sight
        double predicted_s = 0; ///< the largest that was possible, this sight's own bound included
        bool held = true;       ///< the deviation was not larger
        /// By more than any drift explains: the local clock was set. Older sights no longer count.
        bool was_set = false;
    };

    /// Where a check does not hold, wander() becomes large enough for what was seen, and twice that.
    /// @pre later than all before it, unless the clock was set
    Check add(const ClockSight& sight);

    [[nodiscard]] const ClockModel& model() const { return model_; }
    /// How far the model may be off at a local time that is not before the last sight's.
    [[nodiscard]] double bound_s(double local_s) const;
    /// The growth of the bound there, in seconds per second; later never faster.
    [[nodiscard]] double growth(double local_s) const;
    /// The possible change of the drift since a sight, in seconds per second.
    [[nodiscard]] double wander() const { return wander_; }
    [[nodiscard]] std::size_t sights() const { return sights_.size(); }
    [[nodiscard]] double baseline_s() const; ///< from the first sight that counts to the last

private:
    struct Range {
        double low_s = 0;
        double high_s = 0;
    };
    /// A straight line that bounds all possible offsets.
    struct Limit {
        double at_s = 0;
        double offset_s = 0;
        double slope = 0;
        [[nodiscard]] double at(double local_s) const { return offset_s + slope * (local_s - at_s); }
    };
    [[nodiscard]] Limit highest(double local_s) const;
    [[nodiscard]] Limit lowest(double local_s) const;
    [[nodiscard]] Range possible(double local_s) const;
    [[nodiscard]] double bound_of(const ClockSight& sight) const;
    void fit();

    std::deque<ClockSight> sights_;
    ClockModel model_;
    double wander_ = 1e-7; ///< for a good clock, from temperature and the adjustment to the time of day
};

} // namespace skampi
