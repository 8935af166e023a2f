// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "analysis/history/line_noise.hpp"

#include <cstddef>
#include <limits>
#include <optional>
#include <vector>

namespace skampi {

/// With so many runs at a new level, at least, a step is looked for: less is no lasting one.
inline constexpr std::size_t least_between_changes = 5;
/// Of fewer runs no step is looked for: they say too little of the noise.
inline constexpr std::size_t least_for_a_step = 24;

/// Looks at a line after every run and says how much speaks for a lasting step up to now: an e-detector in
/// the form of Shiryaev and Roberts (Shin, Ramdas & Rinaldo 2024). What it sums, and what a step must be
/// besides, is in docs/appendix-statistics.md.
class StepDetector {
public:
    /// Takes the value of another run, above 0. Call look() next.
    void add(double value);
    /// The correlation of neighbouring runs by the values alone, and from how many; none = too few.
    struct Correlation {
        double found = 0;
        double count = 0;
    };
    [[nodiscard]] std::optional<Correlation> correlation() const;
    /// @param usual what other lines of the same runs say of the correlation
    void look(const UsualCorrelation& usual);
    /// Whether there are enough values to look for a step.
    [[nodiscard]] bool ready() const { return values_.size() >= least_for_a_step; }
    /// The natural logarithm of the sum; -infinity = nothing speaks for a step.
    [[nodiscard]] double log_evidence() const { return log_evidence_; }

    struct Step {
        std::size_t at = 0;  ///< the first value behind it
        double strength = 0; ///< in standard errors
    };
    /// The step that the evidence is for. None where the values do not stay at the new level (five of them
    /// do, the newest among these), or where a gradual change describes them as well.
    [[nodiscard]] std::optional<Step> step() const;
    /// From now on the level behind this place is the usual one.
    void accept(const Step& step);

private:
    /// The level and the noise of the present values, but for the last ones.
    struct Level {
        double level = 0;
        LineNoise noise;
    };
    [[nodiscard]] Level level_without(std::size_t last) const;
    [[nodiscard]] std::vector<double> white(const Level& level) const;

    std::vector<double> values_;  ///< logarithms
    std::size_t begin_ = 0;       ///< of the present level
    std::size_t before_ = 0;      ///< of the level before that
    std::vector<double> present_; ///< since begin_, of two states that alternate each without its level
    std::vector<double> earlier_; ///< deviations of the level before
    UsualCorrelation usual_;
    double log_evidence_ = -std::numeric_limits<double>::infinity();
    double strength_ = 0;
    std::size_t after_ = 0;  ///< values behind the most probable place; 0 = none
    std::size_t beyond_ = 0; ///< newest values beyond all that lasted before; 0 = fewer than five
};

} // namespace skampi
