#include "analysis/history/step_detector.hpp"

#include "analysis/history/line_noise.hpp"
#include "analysis/history/two_states.hpp"
#include "skalib/statistics.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <memory>
#include <numeric>
#include <tuple>
#include <utility>

namespace skampi {

namespace {

constexpr double nothing = -std::numeric_limits<double>::infinity();
constexpr double certain = 50; // more than any number of runs and lines asks for
/// So many runs are remembered: what changes more slowly is no step.
constexpr std::size_t memory = 192;
constexpr std::size_t longest_after = 64;
/// Runs before a step, at least: the first of a line, and one behind another step, where the noise is known.
constexpr std::size_t least_before_first = 16;
constexpr std::size_t least_before_next = 10;
/// The values before a place that say what the noise is, at least; else earlier levels help.
constexpr std::size_t enough_for_noise = 48;

/// Values since the last step, and how those before it deviate from their level.
struct LevelStretch {
    std::vector<double> earlier;
    std::vector<double> values;
    std::size_t least_before = least_before_first;
    UsualCorrelation usual = {};

    /// The noise of the values but the last ones.
    [[nodiscard]] std::pair<double, LineNoise> level_and_noise(std::size_t without) const {
        std::vector<double> part(values.begin(), values.end() - static_cast<std::ptrdiff_t>(without));
        std::vector<double> scratch = part;
        const double level = skalib::median_in_place(scratch);
        std::vector<double> deviations;
        if (part.size() < enough_for_noise) {
            const std::size_t more = std::min(earlier.size(), 2 * enough_for_noise - part.size());
            deviations.assign(earlier.end() - static_cast<std::ptrdiff_t>(more), earlier.end());
        }
        for (const double each : part)
            deviations.push_back(each - level);
        return {level, noise_of(deviations, usual)};
    }
    /// How many of the last values the noise is estimated without, for a place before the last `after` ones.
    [[nodiscard]] std::size_t left_out(std::size_t after) const {
        for (const std::size_t group : {std::size_t{16}, std::size_t{32}, longest_after})
            if (after <= group && values.size() >= group + enough_for_noise)
                return group;
        return after;
    }
};

/// Values as independent ones, for steps at all places.
struct Whitened {
    LineNoise noise;
    std::vector<double> values;
    double sum_behind_first = 0; ///< of all but the first

    Whitened(const LevelStretch& stretch, std::size_t left_out) {
        double level = 0;
        std::tie(level, noise) = stretch.level_and_noise(left_out);
        std::vector<double> deviations = stretch.values;
        for (double& each : deviations)
            each -= level;
        values = whitened(deviations, noise);
        sum_behind_first = std::accumulate(values.begin() + 1, values.end(), 0.0);
    }

    /// The step's size in standard errors, as a normal deviate.
    /// @param sum of the last `after` - 1 values  @param more variance of the size than that of the noise
    [[nodiscard]] double deviate(std::size_t after, double sum, double more) const {
        const double shared = noise.correlation;
        const double rest = 1 - shared;
        const auto n = static_cast<double>(values.size());
        const auto m = static_cast<double>(after);
        const double aa = (1 - shared * shared) + (n - 1) * rest * rest;
        const double ab = rest * (1 + (m - 1) * rest);
        const double bb = 1 + (m - 1) * rest * rest;
        const double aw = std::sqrt(1 - shared * shared) * values[0] + rest * sum_behind_first;
        const double bw = values[values.size() - after] + rest * sum;
        const double information = bb - ab * ab / aa;
        const double size = (bw - ab * aw / aa) / information;
        const double variance =
            noise.spread * noise.spread / information + more / (noise.added * noise.added);
        // The correlation is estimated, too: what its error does to the size's error counts as fewer degrees.
        const double by_correlation = (m - 1) * rest / bb;
        const double degrees =
            1 / (1 / noise.degrees + by_correlation * by_correlation * (1 - shared * shared) / noise.weight);
        return as_normal(size / std::sqrt(variance), degrees);
    }
};

/// Numbers of values behind a place that are tried, and how many places each stands for.
constexpr auto afters = std::to_array<std::size_t>({5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15, 16, 18, 20,
                                                    22, 24, 26, 28, 30, 32, 36, 40, 44, 48, 52, 56, 60, 64});

struct Scan {
    double log_evidence = nothing;
    double strength = 0;
    std::size_t after = 0;
};

/// @param more see Whitened::deviate(), by the number of values behind the place
template <typename More>
Scan scan(const LevelStretch& stretch, const More& more) {
    // Steps are expected to be about this many standard errors large, in either direction.
    constexpr double usual_strength = 5.5;
    constexpr double prior = usual_strength * usual_strength;
    constexpr double most_strength = 30;
    Scan best;
    double evidence = 0;
    std::optional<Whitened> whitened;
    std::size_t left_out = 0;
    double sum = 0;
    std::size_t summed = 0;
    for (std::size_t i = 0; i < afters.size(); ++i) {
        const std::size_t after = afters[i];
        if (after + stretch.least_before > stretch.values.size())
            break;
        if (const std::size_t wanted = stretch.left_out(after); !whitened || wanted != left_out) {
            whitened.emplace(stretch, wanted);
            left_out = wanted;
            summed = 0;
            sum = 0;
        }
        for (; summed + 1 < after; ++summed)
            sum += whitened->values[whitened->values.size() - 1 - summed];
        const double z = std::min(most_strength, whitened->deviate(after, sum, more(after)));
        const double places = i == 0 ? 1 : static_cast<double>(after - afters[i - 1]);
        evidence += places * std::exp(0.5 * z * z * prior / (1 + prior)) / std::sqrt(1 + prior);
        if (z > best.strength)
            best = {nothing, z, after};
    }
    if (evidence > 0)
        best.log_evidence = std::log(evidence);
    return best;
}

/// How far values of a stretch lasted from their level, or are expected to by chance.
double farthest_usual(std::span<const double> values, double level, const LineNoise& noise) {
    const auto deviation = [level](double value) { return std::fabs(value - level); };
    std::vector<double> deviations(values.size());
    std::ranges::transform(values, deviations.begin(), deviation);
    std::ranges::sort(deviations);
    constexpr double most = 0.9; // few, however far away, are no level
    double farthest = skalib::quantile(deviations, most);
    for (const double each : smoothed(values))
        farthest = std::max(farthest, deviation(each));
    constexpr double by_chance = 2;
    const double together = std::sqrt((1 + noise.correlation) / (1 - noise.correlation));
    return std::max(farthest, by_chance * together * noise.scale);
}

/// How many of the newest values lie all on one side of a level, twice as far as anything that lasted there.
/// @param own its values before these  @param values all, of which the last ones are looked at
/// @return 0 = fewer than least_between_changes
std::size_t beyond_all(const LevelStretch& own, std::span<const double> values, std::size_t least_before) {
    constexpr double least_change = 0.05;
    constexpr double times_the_usual = 2;
    const std::size_t n = values.size();
    const auto [level, noise] = own.level_and_noise(0);
    const double side = values.back() > level ? 1 : -1;
    const auto distance = [&, level = level](std::size_t i) { return side * (values[i] - level); };
    std::size_t after = least_between_changes;
    double nearest = distance(n - 1);
    for (std::size_t i = n - after; i < n; ++i)
        nearest = std::min(nearest, distance(i));
    if (!(nearest > least_change))
        return 0;
    const double bound = std::max(least_change, times_the_usual * farthest_usual(own.values, level, noise));
    if (!(nearest > bound))
        return 0;
    while (n - after > least_before && distance(n - 1 - after) > bound)
        ++after;
    return after;
}

/// The same for all values before the newest ones, or, where these alternate between two states, for those of
/// the state that is nearer to the newest values, if they lie beyond it.
/// @param measured the values of the stretch with their states
std::size_t beyond_all_usual(const LevelStretch& stretch, std::span<const double> measured) {
    const std::size_t n = stretch.values.size();
    if (n < stretch.least_before + least_between_changes)
        return 0;
    const auto all_but_newest = [](std::span<const double> values) {
        return std::vector<double>(values.begin(),
                                   values.end() - static_cast<std::ptrdiff_t>(least_between_changes));
    };
    LevelStretch before = stretch;
    before.values = all_but_newest(stretch.values);
    if (const std::size_t after = beyond_all(before, stretch.values, stretch.least_before); after > 0)
        return after;
    std::vector<double> own = all_but_newest(measured);
    const std::optional<double> bound = state_bound(own);
    if (!bound)
        return 0;
    const bool high = measured.back() > *bound;
    std::erase_if(own, [&](double value) { return (value > *bound) != high; });
    before.earlier.clear();
    before.values = std::move(own);
    if (before.values.size() < least_before_next)
        return 0;
    const double level = skalib::median(before.values);
    return (measured.back() > level) == high ? beyond_all(before, measured, stretch.least_before) : 0;
}

/// A part of the noise that the machine explains, as a covariate in a regression.
struct Covariate {
    std::vector<double> values; ///< one for each of the stretch
    double slope_error = 0;

    /// What the slope's error adds to the variance of a step's size.
    [[nodiscard]] double variance(std::size_t after) const {
        const auto end = values.end() - static_cast<std::ptrdiff_t>(after);
        const double behind = std::accumulate(end, values.end(), 0.0) / static_cast<double>(after);
        const double before =
            std::accumulate(values.begin(), end, 0.0) / static_cast<double>(values.size() - after);
        const double shift = slope_error * (behind - before);
        return shift * shift;
    }
};

/// Takes the part that a covariate explains out of the values.
/// @return none where it does not explain a significant part of the values but the last ones
std::optional<Covariate> take_out(std::vector<double> covariate, std::vector<double>& values,
                                  std::size_t without) {
    constexpr double least_t = 3;
    const std::size_t n = values.size() - without;
    const auto centred = [&](std::vector<double> all) {
        std::vector<double> part(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(n));
        const double level = skalib::median_in_place(part);
        for (double& each : all)
            each -= level;
        return all;
    };
    covariate = centred(std::move(covariate));
    const std::vector<double> centred_values = centred(values);
    const std::span<const double> x(covariate.data(), n);
    const LineNoise of_covariate = noise_of(x);
    double slope = 0;
    double error = 0;
    std::vector<double> rest(centred_values.begin(), centred_values.begin() + static_cast<std::ptrdiff_t>(n));
    for (int round = 0; round < 3; ++round) { // each without what is far from the one before
        const LineNoise of_rest = noise_of(rest);
        double xx = 0;
        double xy = 0;
        double count = 0;
        double squares = 0;
        for (std::size_t i = 0; i < n; ++i) {
            if (std::fabs(x[i]) > most_deviation * of_covariate.scale ||
                std::fabs(rest[i]) > most_deviation * of_rest.scale)
                continue;
            xx += x[i] * x[i];
            xy += x[i] * centred_values[i];
            squares += rest[i] * rest[i];
            ++count;
        }
        if (!(xx > 0) || count < static_cast<double>(least_before_first))
            return std::nullopt;
        slope = xy / xx;
        error = std::sqrt(squares / (count - 2) / xx * (1 + of_rest.correlation) / (1 - of_rest.correlation));
        for (std::size_t i = 0; i < n; ++i)
            rest[i] = centred_values[i] - slope * x[i];
    }
    if (!(std::fabs(slope) > least_t * error))
        return std::nullopt;
    for (std::size_t i = 0; i < values.size(); ++i)
        values[i] -= slope * covariate[i];
    return Covariate{std::move(covariate), error};
}

/// Whitened values, and shapes of which they may be made.
class Shapes {
public:
    Shapes(std::vector<double> white, double correlation)
        : white_(std::move(white))
        , correlation_(correlation) {
        leave_out(std::vector<double>(white_.size(), 1.0)); // their level
    }
    /// From now on the values count without what this shape describes.
    void leave_out(std::vector<double> shape) {
        orthogonal(shape);
        const double length = std::sqrt(product(shape, shape));
        for (double& each : shape)
            each /= length;
        left_out_.push_back(std::move(shape));
    }
    /// By how much the sum of squares falls with this shape.
    [[nodiscard]] double gain(std::vector<double> shape) const {
        const double whole = product(shape, shape);
        orthogonal(shape);
        const double left = product(shape, shape);
        const double along = product(shape, white_);
        return left > 1e-9 * whole ? along * along / left : 0;
    }

private:
    static double product(std::span<const double> a, std::span<const double> b) {
        return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
    }
    void orthogonal(std::vector<double>& shape) const {
        whiten(shape, correlation_);
        for (const std::vector<double>& each : left_out_) {
            const double part = product(shape, each);
            for (std::size_t i = 0; i < shape.size(); ++i)
                shape[i] -= part * each[i];
        }
    }
    std::vector<double> white_;
    double correlation_;
    std::vector<std::vector<double>> left_out_;
};

/// Deviations from the level whose distance from their neighbours is clipped: a slow change is left as it is.
std::vector<double> without_outliers(std::span<const double> values, double level, const LineNoise& noise) {
    constexpr std::size_t reach = 3;
    std::vector<double> clean(values.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
        const std::size_t begin = i - std::min(i, reach);
        const auto part = values.subspan(begin, std::min(values.size(), i + reach + 1) - begin);
        std::vector<double> near(part.begin(), part.end());
        const double middle = skalib::median_in_place(near);
        const double most = most_deviation * noise.scale;
        clean[i] = middle - level + std::clamp(values[i] - middle, -most, most);
    }
    return clean;
}

} // namespace

StepDetector::StepDetector()
    : log_evidence_(nothing) {}

void StepDetector::accept(const Step& step) {
    accepted_ = {step.strength, begin_, before_};
    before_ = begin_;
    begin_ = step.at;
    log_evidence_ = nothing;
    after_ = beyond_ = 0;
}

/// The values since the last step within one state of the machine, and the same without what the machine
/// explains of their noise, where it explains some.
struct StepDetector::View {
    LevelStretch as_measured;
    std::optional<LevelStretch> adjusted;
    std::vector<Covariate> covariates;

    [[nodiscard]] double more(std::size_t after) const {
        double sum = 0;
        for (const Covariate& each : covariates)
            sum += each.variance(after);
        return sum;
    }
};

StepDetector::View StepDetector::view() const {
    const std::size_t first = values_.size() - std::min(values_.size(), memory);
    const auto remembered = [&](const std::vector<double>& all) {
        return std::vector<double>(all.begin() + static_cast<std::ptrdiff_t>(first), all.end());
    };
    std::vector<double> values = remembered(values_);
    std::vector<std::vector<double>> machine;
    for (const auto* all : {&probes_, &speeds_})
        if (std::vector<double> part = remembered(*all);
            std::ranges::none_of(part, [](double each) { return std::isnan(each); }))
            machine.push_back(std::move(part));
    // States of the machine show in its probe, else in the values.
    std::optional<double> bound;
    std::vector<double> states;
    if (!machine.empty() && (bound = state_bound(machine.front())))
        states = machine.front();
    else if ((bound = state_bound(values)))
        states = values;
    if (bound) {
        level_states(values, states, *bound);
        for (std::vector<double>& each : machine)
            level_states(each, states, *bound);
    }
    const auto begin = static_cast<std::ptrdiff_t>(std::max(begin_, first) - first);
    const auto before = static_cast<std::ptrdiff_t>(std::max(before_, first) - first);
    View view;
    LevelStretch& own = view.as_measured;
    own.values.assign(values.begin() + begin, values.end());
    own.earlier.assign(values.begin() + before, values.begin() + begin);
    std::vector<double> scratch = own.earlier;
    const double level = skalib::median_in_place(scratch);
    for (double& each : own.earlier)
        each -= level;
    own.least_before = begin_ == 0 ? least_before_first : least_before_next;

    const std::size_t without = own.left_out(least_between_changes);
    constexpr std::size_t enough_for_slopes = 24;
    if (machine.empty() || own.values.size() < without + enough_for_slopes)
        return view;
    LevelStretch adjusted{{}, own.values, least_before_first};
    for (std::size_t i = 0; i < machine.size(); ++i) {
        std::vector<double> covariate(machine[i].begin() + begin, machine[i].end());
        for (const Covariate& other : view.covariates) // only what the ones before do not say
            (void)take_out(other.values, covariate, without);
        if (auto taken = take_out(std::move(covariate), adjusted.values, without))
            view.covariates.push_back(std::move(*taken));
    }
    if (!view.covariates.empty())
        view.adjusted = std::move(adjusted);
    return view;
}

std::optional<StepDetector::Step> StepDetector::come_back() {
    constexpr std::size_t least_back = 3;
    constexpr double most_off = 0.25; // of the distance between the two levels
    const std::size_t here = values_.size() - begin_;
    if (!accepted_ || here < least_between_changes + least_back)
        return std::nullopt;
    if (here >= least_before_next + least_between_changes) { // it lasts
        accepted_.reset();
        return std::nullopt;
    }
    const auto values = [&](std::size_t from, std::size_t to) {
        return std::vector<double>(values_.begin() + static_cast<std::ptrdiff_t>(from),
                                   values_.begin() + static_cast<std::ptrdiff_t>(to));
    };
    const std::size_t back_at = values_.size() - least_back;
    const std::vector<double> before =
        values(std::max(accepted_->begin, begin_ - std::min(begin_, memory)), begin_);
    const double usual = skalib::median(before);
    const double distance = skalib::median(values(begin_, back_at)) - usual;
    if (!(std::fabs(distance) > 0))
        return std::nullopt;
    // As shares of the way from the usual level to the new one. Of two states the usual level is one, and
    // values may come back to the other one, if the new level lies beyond both.
    const auto way = [&](double value) { return (value - usual) / distance; };
    std::vector<double> ways(before.size());
    std::ranges::transform(before, ways.begin(), way);
    std::ranges::sort(ways);
    constexpr double few = 0.05; // that are far away are no state
    const double nearest = skalib::quantile(ways, 1 - few);
    const bool beyond_both = nearest < 0.5;
    const double farthest = beyond_both ? std::min(0.0, skalib::quantile(ways, few)) : 0;
    const double near = beyond_both ? std::max(0.0, nearest) : 0;
    for (std::size_t i = back_at; i < values_.size(); ++i)
        if (!(way(values_[i]) < near + most_off && way(values_[i]) > farthest - most_off))
            return std::nullopt;
    begin_ = accepted_->begin;
    before_ = accepted_->before;
    back_at_ = back_at;
    view_ = ready() ? std::make_shared<const View>(view()) : nullptr;
    return Step{back_at, std::exchange(accepted_, std::nullopt)->strength};
}

void StepDetector::add(const LineValue& value) {
    const auto logarithm = [](double each) {
        return each > 0 ? std::log(each) : std::numeric_limits<double>::quiet_NaN();
    };
    values_.push_back(std::log(value.value));
    probes_.push_back(logarithm(value.probe_s));
    speeds_.push_back(logarithm(value.core_speed));
    log_evidence_ = nothing;
    after_ = beyond_ = 0;
    view_ = ready() ? std::make_shared<const View>(view()) : nullptr;
}

void StepDetector::look(const UsualCorrelation& usual) {
    if (!view_)
        return;
    LevelStretch as_measured = view_->as_measured;
    as_measured.usual = usual;
    Scan best = scan(as_measured, [](std::size_t) { return 0.0; });
    by_adjusted_ = false;
    if (view_->adjusted) {
        const Scan other = scan(*view_->adjusted, [&](std::size_t after) { return view_->more(after); });
        by_adjusted_ = other.log_evidence > best.log_evidence;
        const double most = std::max(other.log_evidence, best.log_evidence);
        const double both =
            most + std::log(0.5 * (std::exp(other.log_evidence - most) + std::exp(best.log_evidence - most)));
        if (by_adjusted_)
            best = other;
        best.log_evidence = most > nothing ? both : nothing;
    }
    log_evidence_ = best.log_evidence;
    strength_ = best.strength;
    after_ = best.after;
    usual_ = usual;
    beyond_ = beyond_all_usual(as_measured, std::span(values_).last(as_measured.values.size()));
    if (beyond_ > 0)
        log_evidence_ = certain;
}

std::optional<StepDetector::Correlation> StepDetector::correlation() const {
    if (!view_)
        return std::nullopt;
    const LevelStretch& stretch = view_->as_measured;
    const std::size_t without = stretch.left_out(least_between_changes);
    constexpr std::size_t enough = 8;
    if (stretch.values.size() < without + enough)
        return std::nullopt;
    return Correlation{stretch.level_and_noise(without).second.found,
                       static_cast<double>(stretch.values.size() - without)};
}

namespace {

/// Whether the values stay at the new level.
bool stays(std::span<const double> values, std::size_t at) {
    constexpr std::size_t reach = 32;
    const std::size_t begin = at - std::min(at, reach);
    std::vector<double> before(values.begin() + static_cast<std::ptrdiff_t>(begin),
                               values.begin() + static_cast<std::ptrdiff_t>(at));
    std::vector<double> behind(values.begin() + static_cast<std::ptrdiff_t>(at), values.end());
    const double old_level = skalib::median_in_place(before);
    const double new_level = skalib::median_in_place(behind);
    const double bound = 0.5 * (old_level + new_level);
    const auto beyond = [&](double value) { return new_level > old_level ? value > bound : value < bound; };
    const auto count = std::count_if(values.begin() + static_cast<std::ptrdiff_t>(at), values.end(), beyond);
    return count >= static_cast<std::ptrdiff_t>(least_between_changes) && beyond(values.back());
}

/// How well the best gradual change describes whitened values.
double best_ramp(const Shapes& values, std::size_t n) {
    constexpr auto lengths = std::to_array<std::size_t>({32, 48, 96, 192, 384});
    double best = 0;
    std::vector<double> shape(n);
    for (const std::size_t length : lengths) {
        if (length > 2 * n)
            break;
        for (std::size_t middle = length / 4; middle < n + length / 4; middle += length / 8) {
            for (std::size_t i = 0; i < n; ++i)
                shape[i] = std::clamp((static_cast<double>(i) - static_cast<double>(middle)) /
                                              static_cast<double>(length) +
                                          0.5,
                                      0.0, 1.0);
            best = std::max(best, values.gain(shape));
        }
    }
    return best;
}

} // namespace

std::optional<StepDetector::Step> StepDetector::step() const {
    // In standard errors, besides a drift from the first to the last value.
    constexpr double least_beside_drift = 3.7;
    if (beyond_ > 0)
        return Step{std::max(values_.size() - beyond_, back_at_), strength_};
    if (after_ == 0)
        return std::nullopt;
    LevelStretch stretch = by_adjusted_ ? *view_->adjusted : view_->as_measured;
    stretch.usual = by_adjusted_ ? UsualCorrelation{} : usual_;
    const auto [level, noise] = stretch.level_and_noise(stretch.left_out(after_));
    const std::size_t n = stretch.values.size();
    const Shapes values(whitened(without_outliers(stretch.values, level, noise), noise), noise.correlation);
    Shapes without_drift = values;
    std::vector<double> line(n);
    std::iota(line.begin(), line.end(), 0.0);
    without_drift.leave_out(std::move(line));
    double best = 0;
    double best_beside_drift = 0;
    std::size_t at = 0;
    std::vector<double> shape(n);
    for (std::size_t after = 1; after + stretch.least_before <= n && after <= longest_after; ++after) {
        shape[n - after] = 1;
        if (after < least_between_changes || values_.size() - after < back_at_)
            continue;
        best = std::max(best, values.gain(shape));
        if (const double gain = without_drift.gain(shape); gain > best_beside_drift) {
            best_beside_drift = gain;
            at = n - after;
        }
    }
    if (at == 0 || !stays(stretch.values, at) ||
        as_normal(std::sqrt(best_beside_drift) / noise.spread, noise.degrees) < least_beside_drift ||
        best < best_ramp(values, n))
        return std::nullopt;
    return Step{values_.size() - n + at, strength_};
}

} // namespace skampi
