#pragma once

#include "analysis/history/line_noise.hpp"

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace skampi {

/// What one run adds to a line.
struct LineValue {
    double value = 0; ///< above 0
    /// The machine in that run: what its probe took, and its core clock. 0 = not known.
    double probe_s = 0;
    double core_speed = 0;
};

/// With so many runs at a new level, at least, a step is looked for: less is no lasting one.
inline constexpr std::size_t least_between_changes = 5;
/// Of fewer runs no step is looked for: they say too little of the noise.
inline constexpr std::size_t least_for_a_step = 24;

/// Looks at a line after every run and says how much speaks for a lasting step up to now.
///
/// An e-detector in the form of Shiryaev and Roberts (Shin, Ramdas & Rinaldo 2024): the sum, over the places
/// at which a step may have been, of the likelihood ratios between such a step and none. Its expectation
/// grows by one with each run without a step, so it reaches R on average once in R runs or more; the
/// expectation holds for one line and for the mean of several. The ratio of a place is that of a normal
/// mixture over the sizes of steps; its statistic is the generalised least squares estimate of the step in
/// clipped deviations from the level before, with an autoregression of first order whose correlation, like
/// the scale, is estimated from the values before that place. Values that alternate between two states are
/// compared within their state. Where probe and core clock explain part of the noise, half the weight is
/// that of values without this part.
///
/// A change so large that no noise comes into question needs none of this, and the clipping would hide it
/// where single runs are far away or a state lasted for some runs: the newest five values or more lie all on
/// one side of the level, at least twice as far as anything that lasted before. Where two states alternate,
/// that is asked of the state that is nearer to the newest values, too.
class StepDetector {
public:
    StepDetector();
    /// Takes the value of another run. Call look() next.
    void add(const LineValue& value);
    /// The correlation of neighbouring runs by the values alone, and from how many; none = too few.
    struct Correlation {
        double found = 0;
        double count = 0;
    };
    [[nodiscard]] std::optional<Correlation> correlation() const;
    /// @param usual what other lines of the same runs say of the correlation
    void look(const UsualCorrelation& usual);
    [[nodiscard]] std::size_t size() const { return values_.size(); }
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
    /// The way back to the level before the last accepted step, if the newest three values lie there and the
    /// new level has too few values for another step to be looked for: that level was known already. The step
    /// was no lasting one, and the usual level is again the one before it.
    std::optional<Step> come_back();

private:
    struct View;
    [[nodiscard]] View view() const;

    std::vector<double> values_;          ///< logarithms
    std::vector<double> probes_, speeds_; ///< logarithms; NaN = not known
    std::size_t begin_ = 0;               ///< of the present level
    std::size_t before_ = 0;              ///< of the level before that
    struct Accepted {
        double strength = 0;
        std::size_t begin = 0; ///< begin_ and before_ before it
        std::size_t before = 0;
    };
    std::optional<Accepted> accepted_; ///< the last step, while come_back() may take it back
    std::size_t back_at_ = 0;          ///< where the last step came back: no later one is before it
    double log_evidence_;
    double strength_ = 0;
    UsualCorrelation usual_;
    std::shared_ptr<const View> view_; ///< of the present values; none = too few
    std::size_t after_ = 0;            ///< values behind the most probable place
    std::size_t beyond_ = 0;           ///< newest values beyond all that lasted before; 0 = fewer than five
    bool by_adjusted_ = false;         ///< the machine's part left out
};

} // namespace skampi
