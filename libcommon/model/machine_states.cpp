// SPDX-License-Identifier: LGPL-2.1-or-later
#include "model/machine_states.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>

namespace skampi {

namespace {

/// A launch's observations of one state.
struct StateSample {
    std::size_t run = 0;
    double log_signal = 0; ///< median
    double share = 0;      ///< of what the launch observed
};

bool before(const StateSample& a, const StateSample& b) {
    return a.log_signal != b.log_signal ? a.log_signal < b.log_signal : a.run < b.run;
}

/// For all launches, ascending.
std::vector<StateSample> state_samples(std::vector<Observation> observations) {
    std::ranges::sort(observations, [](const Observation& a, const Observation& b) {
        return a.run != b.run ? a.run < b.run : a.signal < b.signal;
    });
    std::vector<StateSample> samples;
    for (std::size_t run_begin = 0, run_end = 0; run_begin < observations.size(); run_begin = run_end) {
        while (run_end < observations.size() && observations[run_end].run == observations[run_begin].run)
            ++run_end;
        for (std::size_t begin = run_begin, end = begin + 1; begin < run_end; begin = end++) {
            while (end < run_end && observations[end].signal < mode_ratio * observations[end - 1].signal)
                ++end;
            samples.push_back({observations[begin].run, std::log(observations[(begin + end - 1) / 2].signal),
                               static_cast<double>(end - begin) / static_cast<double>(run_end - run_begin)});
        }
    }
    std::ranges::sort(samples, before);
    return samples;
}

/// The samples that may make a state: those with more than half of a launch, and those near samples of
/// several launches, with a twentieth of all or one launch's worth together.
std::vector<StateSample> lasting(const std::vector<StateSample>& ascending) {
    constexpr double smallest_share = 0.05;
    constexpr double rounding = 1e-9;
    double launches = 0;
    for (const StateSample& each : ascending)
        launches += each.share;
    const double enough = std::min(1.0, smallest_share * launches) - rounding;
    const double reach = std::log(mode_ratio) / 2;
    std::vector<StateSample> found;
    std::size_t begin = 0;
    std::size_t end = 0;
    double near = 0;
    for (const StateSample& middle : ascending) {
        for (; end < ascending.size() && ascending[end].log_signal <= middle.log_signal + reach; ++end)
            near += ascending[end].share;
        for (; ascending[begin].log_signal + reach < middle.log_signal; ++begin)
            near -= ascending[begin].share;
        // Samples of one launch differ by about the reach or more, so two samples are of two launches.
        if (middle.share > 0.5 || (end - begin > 1 && near >= enough))
            found.push_back(middle);
    }
    return found;
}

/// Student's t with three degrees of freedom: the probability of a value beyond t.
double beyond(double t) {
    const double u = t / std::numbers::sqrt3;
    return 0.5 - (u / (1 + u * u) + std::atan(u)) / std::numbers::pi;
}

/// The prior for the spread within a state: few launches may agree by chance.
struct UsualSpread {
    double deviation = 0; ///< of the logarithms
    double launches = 0;  ///< as many launches' worth of knowledge
};
constexpr UsualSpread usual_spread{0.06, 4};
/// For the launches that exclude a single one. It may be a small part of their difference.
constexpr UsualSpread usual_agreement{0.02, 1};

/// Divides samples into states.
class StateSearch {
public:
    StateSearch(std::span<const StateSample> ascending, const StateRule& rule)
        : samples_(ascending)
        , rule_(rule)
        , sums_(ascending.size() + 1)
        , next_run_(ascending.size(), ascending.size()) {
        for (std::size_t i = 0; i < ascending.size(); ++i) {
            const StateSample& each = ascending[i];
            // From the first, so that few digits are lost.
            const double x = each.log_signal - ascending.front().log_signal;
            sums_[i + 1] = {sums_[i].weight + each.share, sums_[i].first + each.share * x,
                            sums_[i].second + each.share * x * x};
        }
        for (std::size_t i = ascending.size(); i-- > 1;)
            next_run_[i - 1] = ascending[i].run != ascending[i - 1].run ? i : next_run_[i];
    }

    /// Where the states begin, without the first; none = there is one.
    [[nodiscard]] std::vector<std::size_t> best_cuts() const;

private:
    struct Sums {
        double weight = 0;
        double first = 0;
        double second = 0;
    };
    struct Part {
        std::size_t begin = 0;
        std::size_t end = 0;
        [[nodiscard]] double samples() const { return static_cast<double>(end - begin); }
    };

    [[nodiscard]] double weight(Part part) const { return sums_[part.end].weight - sums_[part.begin].weight; }
    /// Relative to the first sample.
    [[nodiscard]] double centre(Part part) const {
        return (sums_[part.end].first - sums_[part.begin].first) / weight(part);
    }
    [[nodiscard]] double squares(Part part) const {
        const double first = sums_[part.end].first - sums_[part.begin].first;
        return std::max(0.0,
                        sums_[part.end].second - sums_[part.begin].second - first * first / weight(part));
    }
    [[nodiscard]] bool is_of_one_launch(Part part) const { return next_run_[part.begin] >= part.end; }

    /// From a cut to the next one.
    [[nodiscard]] Part part(std::span<const std::size_t> cuts, std::size_t i) const {
        return {i > 0 ? cuts[i - 1] : 0, i < cuts.size() ? cuts[i] : samples_.size()};
    }
    [[nodiscard]] double criterion(std::span<const std::size_t> cuts) const;
    [[nodiscard]] bool are_states(std::span<const std::size_t> cuts) const;
    [[nodiscard]] std::vector<std::size_t> with_best_cut(const std::vector<std::size_t>& cuts) const;
    [[nodiscard]] bool are_separate(Part low, Part high) const;
    [[nodiscard]] bool has_valley(Part low, Part high) const;
    [[nodiscard]] bool tails_reach(Part larger, Part smaller) const;

    std::span<const StateSample> samples_;
    const StateRule& rule_;
    std::vector<Sums> sums_;
    std::vector<std::size_t> next_run_; ///< the next sample of another launch
};

/// The logarithm of the likelihood of the classification, less what each further state is charged.
double StateSearch::criterion(std::span<const std::size_t> cuts) const {
    constexpr double charge = 1.2; // of Schwarz, and a little more: the cut is the best of many
    constexpr double lost_degrees =
        2.5; // with which chance finds two states equally often among few and many
    const double all = sums_.back().weight;
    double within = usual_spread.launches * usual_spread.deviation * usual_spread.deviation;
    double likelihood = 0;
    for (std::size_t i = 0; i <= cuts.size(); ++i) {
        const Part here = part(cuts, i);
        within += squares(here);
        likelihood += weight(here) * std::log(weight(here) / all);
    }
    return likelihood - (all + usual_spread.launches - lost_degrees) / 2 * std::log(within) -
           charge * static_cast<double>(cuts.size()) * std::log(all);
}

bool StateSearch::are_states(std::span<const std::size_t> cuts) const {
    for (std::size_t i = 0; i < cuts.size(); ++i)
        if (!are_separate(part(cuts, i), part(cuts, i + 1)))
            return false;
    return true;
}

bool StateSearch::are_separate(Part low, Part high) const {
    constexpr double rounding = 1e-9;
    const bool low_is_larger = weight(low) >= weight(high);
    const Part larger = low_is_larger ? low : high;
    const Part smaller = low_is_larger ? high : low;
    double least_ratio = rule_.least_ratio;
    if (is_of_one_launch(smaller)) {
        constexpr double most_of_a_launch = 0.5;
        const double others = static_cast<double>(launches_that_agree) - most_of_a_launch;
        if (!rule_.lone || weight(smaller) <= most_of_a_launch || weight(larger) < others)
            return false;
        least_ratio = std::max(least_ratio, least_ratio_of_lone);
    }
    return centre(high) - centre(low) > std::log(least_ratio) - rounding && has_valley(low, high) &&
           !tails_reach(larger, smaller);
}

/// Whether few launches lie in the middle third between two centres.
bool StateSearch::has_valley(Part low, Part high) const {
    constexpr double most = 0.45; // of the launches of the smaller one
    const double origin = samples_.front().log_signal;
    const double third = (centre(high) - centre(low)) / 3;
    const auto begin = samples_.begin() + static_cast<std::ptrdiff_t>(low.begin);
    const auto end = samples_.begin() + static_cast<std::ptrdiff_t>(high.end);
    const auto between =
        std::ranges::lower_bound(begin, end, origin + centre(high) - third, {}, &StateSample::log_signal) -
        std::ranges::upper_bound(begin, end, origin + centre(low) + third, {}, &StateSample::log_signal);
    return static_cast<double>(between) <= most * std::min(low.samples(), high.samples());
}

/// Whether the tails of the larger component could reach as many launches as the smaller one has: at least
/// one in 250 to 1,000 times, by Chernoff's bound of a Poisson distribution, with tails as heavy as those of
/// Student's t with three degrees of freedom.
bool StateSearch::tails_reach(Part larger, Part smaller) const {
    const bool lone = is_of_one_launch(smaller);
    const UsualSpread& usual = lone ? usual_agreement : usual_spread;
    const double improbable = lone ? 5 : 7; // logarithms
    // With few launches the spread is uncertain.
    const double uncertain = 1 + (lone ? 2 : 0.5) / larger.samples();
    const double variance = (squares(larger) + usual.launches * usual.deviation * usual.deviation) /
                            (std::max(weight(larger) - 1, 0.0) + usual.launches);
    constexpr double scale_of_t = 0.8; // of the deviation, as that of samples is
    const double nearest =
        (larger.begin < smaller.begin ? samples_[smaller.begin] : samples_[smaller.end - 1]).log_signal -
        samples_.front().log_signal;
    const double distance = std::fabs(nearest - centre(larger));
    const double found = smaller.samples();
    const double expected =
        (larger.samples() + found) * beyond(distance / (std::sqrt(variance) * scale_of_t * uncertain));
    return found <= expected || found * std::log(found / expected) - found + expected < improbable;
}

/// The cuts and the one that fits best with them; none if no further cut is possible.
std::vector<std::size_t> StateSearch::with_best_cut(const std::vector<std::size_t>& cuts) const {
    std::vector<std::size_t> best;
    double of_best = -std::numeric_limits<double>::infinity();
    for (std::size_t at = 1; at < samples_.size(); ++at) {
        const auto place = std::ranges::lower_bound(cuts, at);
        if (samples_[at].log_signal == samples_[at - 1].log_signal || (place != cuts.end() && *place == at))
            continue;
        std::vector<std::size_t> with = cuts;
        with.insert(with.begin() + (place - cuts.begin()), at);
        if (const double found = criterion(with); found > of_best) {
            of_best = found;
            best = std::move(with);
        }
    }
    return best;
}

std::vector<std::size_t> StateSearch::best_cuts() const {
    constexpr std::size_t most_states = 6;
    std::vector<std::size_t> best;
    std::vector<std::size_t> cuts; // three states may fit where two do not
    while (cuts.size() + 1 < most_states && !(cuts = with_best_cut(cuts)).empty())
        if (are_states(cuts) && criterion(cuts) > criterion(best))
            best = cuts;
    return best;
}

} // namespace

std::vector<double> state_bounds(std::vector<Observation> observations, const StateRule& rule) {
    const std::vector<StateSample> samples = lasting(state_samples(std::move(observations)));
    std::vector<double> bounds;
    for (const std::size_t at : StateSearch(samples, rule).best_cuts())
        bounds.push_back(std::exp(std::midpoint(samples[at - 1].log_signal, samples[at].log_signal)));
    return bounds;
}

std::size_t state_of(double signal, std::span<const double> bounds) {
    return static_cast<std::size_t>(std::ranges::upper_bound(bounds, signal) - bounds.begin());
}

double fastest_signal(std::vector<Observation> observations) {
    const std::vector<StateSample> samples = lasting(state_samples(std::move(observations)));
    return samples.empty() ? 0 : std::exp(samples.front().log_signal);
}

} // namespace skampi
