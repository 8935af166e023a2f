#include "model/machine_states.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <numbers>
#include <numeric>

namespace skampi {

namespace {

/// A launch's observations of one state.
struct Stay {
    std::size_t run = 0;
    double log_signal = 0; ///< median
    double share = 0;      ///< of what the launch observed
};

bool before(const Stay& a, const Stay& b) {
    return a.log_signal != b.log_signal ? a.log_signal < b.log_signal : a.run < b.run;
}

/// Of all launches, ascending.
std::vector<Stay> stays_of(std::vector<Observation> observations) {
    std::ranges::sort(observations, [](const Observation& a, const Observation& b) {
        return a.run != b.run ? a.run < b.run : a.signal < b.signal;
    });
    std::vector<Stay> stays;
    for (std::size_t run_begin = 0, run_end = 0; run_begin < observations.size(); run_begin = run_end) {
        while (run_end < observations.size() && observations[run_end].run == observations[run_begin].run)
            ++run_end;
        for (std::size_t begin = run_begin, end = begin + 1; begin < run_end; begin = end++) {
            while (end < run_end && observations[end].signal < mode_ratio * observations[end - 1].signal)
                ++end;
            stays.push_back({observations[begin].run, std::log(observations[(begin + end - 1) / 2].signal),
                             static_cast<double>(end - begin) / static_cast<double>(run_end - run_begin)});
        }
    }
    std::ranges::sort(stays, before);
    return stays;
}

/// The stays that may make a state: those of more than half of a launch, and those near which several
/// launches were, for a twentieth of all or one launch's worth together.
std::vector<Stay> lasting(const std::vector<Stay>& ascending) {
    constexpr double smallest_share = 0.05;
    constexpr double rounding = 1e-9;
    double launches = 0;
    for (const Stay& each : ascending)
        launches += each.share;
    const double enough = std::min(1.0, smallest_share * launches) - rounding;
    const double reach = std::log(mode_ratio) / 2;
    std::vector<Stay> found;
    std::size_t begin = 0;
    std::size_t end = 0;
    double near = 0;
    for (const Stay& middle : ascending) {
        for (; end < ascending.size() && ascending[end].log_signal <= middle.log_signal + reach; ++end)
            near += ascending[end].share;
        for (; ascending[begin].log_signal + reach < middle.log_signal; ++begin)
            near -= ascending[begin].share;
        // A launch's stays lie further apart than the reach, or nearly: two are two launches'.
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

/// What is known of the spread within a state before any launch is seen: few launches agree by chance.
struct UsualSpread {
    double deviation = 0; ///< of the logarithms
    double launches = 0;  ///< as many launches' worth of knowledge
};
constexpr UsualSpread usual_spread{0.06, 4};
/// Of the launches that exclude a lone one. It may be a small part of what they differ by.
constexpr UsualSpread usual_agreement{0.02, 1};

/// A part of the stays as a mixture of one to three components.
class Mixture {
public:
    Mixture(std::span<const Stay> ascending, const StateRule& rule)
        : stays_(ascending)
        , rule_(rule)
        , sums_(ascending.size() + 1)
        , next_run_(ascending.size(), ascending.size()) {
        for (std::size_t i = 0; i < ascending.size(); ++i) {
            const Stay& each = ascending[i];
            // From the first, so that few digits are lost.
            const double x = each.log_signal - ascending.front().log_signal;
            sums_[i + 1] = {sums_[i].weight + each.share, sums_[i].first + each.share * x,
                            sums_[i].second + each.share * x * x};
        }
        for (std::size_t i = ascending.size(); i-- > 1;)
            next_run_[i - 1] = ascending[i].run != ascending[i - 1].run ? i : next_run_[i];
    }

    /// Where its components begin, without the first; none = one component.
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
        [[nodiscard]] double stays() const { return static_cast<double>(end - begin); }
    };

    [[nodiscard]] double weight(Part part) const { return sums_[part.end].weight - sums_[part.begin].weight; }
    /// Relative to the first stay.
    [[nodiscard]] double centre(Part part) const {
        return (sums_[part.end].first - sums_[part.begin].first) / weight(part);
    }
    [[nodiscard]] double squares(Part part) const {
        const double first = sums_[part.end].first - sums_[part.begin].first;
        return std::max(0.0,
                        sums_[part.end].second - sums_[part.begin].second - first * first / weight(part));
    }
    [[nodiscard]] bool is_of_one_launch(Part part) const { return next_run_[part.begin] >= part.end; }

    [[nodiscard]] double criterion(std::span<const Part> parts) const;
    [[nodiscard]] bool are_states(std::span<const Part> parts) const;
    [[nodiscard]] bool are_apart(Part low, Part high) const;
    [[nodiscard]] bool has_valley(Part low, Part high) const;
    [[nodiscard]] bool tails_reach(Part larger, Part smaller) const;
    [[nodiscard]] std::vector<std::size_t> largest_gaps() const;

    std::span<const Stay> stays_;
    const StateRule& rule_;
    std::vector<Sums> sums_;
    std::vector<std::size_t> next_run_; ///< the next stay of another launch
};

/// The logarithm of the likelihood of the classification, less what each further component is charged.
double Mixture::criterion(std::span<const Part> parts) const {
    constexpr double charge = 1.2; // of Schwarz, and a little more: the cut is the best of many
    constexpr double lost_degrees =
        2.5; // with which chance finds two states equally often among few and many
    const double all = sums_.back().weight;
    double within = usual_spread.launches * usual_spread.deviation * usual_spread.deviation;
    double likelihood = 0;
    for (const Part part : parts) {
        within += squares(part);
        likelihood += weight(part) * std::log(weight(part) / all);
    }
    return likelihood - (all + usual_spread.launches - lost_degrees) / 2 * std::log(within) -
           charge * static_cast<double>(parts.size() - 1) * std::log(all);
}

bool Mixture::are_states(std::span<const Part> parts) const {
    for (std::size_t i = 1; i < parts.size(); ++i)
        if (!are_apart(parts[i - 1], parts[i]))
            return false;
    return true;
}

bool Mixture::are_apart(Part low, Part high) const {
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
bool Mixture::has_valley(Part low, Part high) const {
    constexpr double most = 0.45; // of the launches of the smaller one
    const double origin = stays_.front().log_signal;
    const double third = (centre(high) - centre(low)) / 3;
    const auto begin = stays_.begin() + static_cast<std::ptrdiff_t>(low.begin);
    const auto end = stays_.begin() + static_cast<std::ptrdiff_t>(high.end);
    const auto between =
        std::ranges::lower_bound(begin, end, origin + centre(high) - third, {}, &Stay::log_signal) -
        std::ranges::upper_bound(begin, end, origin + centre(low) + third, {}, &Stay::log_signal);
    return static_cast<double>(between) <= most * std::min(low.stays(), high.stays());
}

/// Whether the tails of the larger component could reach as many launches as the smaller one has: at least
/// one in 250 to 1,000 times, by Chernoff's bound of a Poisson distribution, with tails as heavy as those of
/// Student's t with three degrees of freedom.
bool Mixture::tails_reach(Part larger, Part smaller) const {
    const bool lone = is_of_one_launch(smaller);
    const UsualSpread& usual = lone ? usual_agreement : usual_spread;
    const double improbable = lone ? 5 : 7; // logarithms
    // Of few launches the spread is uncertain.
    const double uncertain = 1 + (lone ? 2 : 0.5) / larger.stays();
    const double variance = (squares(larger) + usual.launches * usual.deviation * usual.deviation) /
                            (std::max(weight(larger) - 1, 0.0) + usual.launches);
    constexpr double scale_of_t = 0.8; // of the deviation, as that of samples is
    const double nearest =
        (larger.begin < smaller.begin ? stays_[smaller.begin] : stays_[smaller.end - 1]).log_signal -
        stays_.front().log_signal;
    const double distance = std::fabs(nearest - centre(larger));
    const double found = smaller.stays();
    const double expected =
        (larger.stays() + found) * beyond(distance / (std::sqrt(variance) * scale_of_t * uncertain));
    return found <= expected || found * std::log(found / expected) - found + expected < improbable;
}

/// Where stays begin that lie far above the one before them: the only places where a component may begin.
std::vector<std::size_t> Mixture::largest_gaps() const {
    constexpr std::size_t most = 64; // all would cost the square of the launches
    std::vector<std::size_t> found;
    const auto gap = [&](std::size_t at) { return stays_[at].log_signal - stays_[at - 1].log_signal; };
    for (std::size_t at = 1; at < stays_.size(); ++at)
        if (gap(at) > 0)
            found.push_back(at);
    std::ranges::stable_sort(found, std::greater{}, gap);
    found.resize(std::min(found.size(), most));
    std::ranges::sort(found);
    return found;
}

std::vector<std::size_t> Mixture::best_cuts() const {
    const std::size_t end = stays_.size();
    const std::vector<std::size_t> gaps = largest_gaps();
    std::vector<std::size_t> best;
    if (gaps.empty())
        return best;
    const Part all{0, end};
    double best_criterion = criterion({&all, 1});
    const auto try_parts = [&](std::span<const Part> parts) {
        const double found = criterion(parts);
        if (found <= best_criterion || !are_states(parts))
            return;
        best_criterion = found;
        best.clear();
        for (const Part part : parts.subspan(1))
            best.push_back(part.begin);
    };
    for (auto one = gaps.begin(); one != gaps.end(); ++one) {
        try_parts(std::array{Part{0, *one}, Part{*one, end}});
        for (auto other = one + 1; other != gaps.end(); ++other)
            try_parts(std::array{Part{0, *one}, Part{*one, *other}, Part{*other, end}});
    }
    return best;
}

/// Adds the bounds within a part of the stays.
void add_bounds(std::span<const Stay> ascending, const StateRule& rule, std::vector<double>& bounds) {
    std::vector<std::size_t> cuts = Mixture(ascending, rule).best_cuts();
    if (cuts.empty())
        return;
    cuts.push_back(ascending.size());
    std::size_t begin = 0;
    for (const std::size_t end : cuts) {
        if (begin > 0)
            bounds.push_back(
                std::exp(std::midpoint(ascending[begin - 1].log_signal, ascending[begin].log_signal)));
        add_bounds(ascending.subspan(begin, end - begin), rule, bounds);
        begin = end;
    }
}

} // namespace

std::vector<double> state_bounds(std::vector<Observation> observations, const StateRule& rule) {
    std::vector<double> bounds;
    add_bounds(lasting(stays_of(std::move(observations))), rule, bounds);
    return bounds;
}

std::size_t state_of(double signal, std::span<const double> bounds) {
    return static_cast<std::size_t>(std::ranges::upper_bound(bounds, signal) - bounds.begin());
}

double fastest_signal(std::vector<Observation> observations) {
    const std::vector<Stay> stays = lasting(stays_of(std::move(observations)));
    return stays.empty() ? 0 : std::exp(stays.front().log_signal);
}

std::vector<std::optional<std::size_t>> launch_states(std::span<const double> probes_s) {
    std::vector<Observation> observations;
    for (std::size_t launch = 0; launch < probes_s.size(); ++launch)
        if (probes_s[launch] > 0)
            observations.push_back({launch, probes_s[launch]});
    const double fastest_s = fastest_signal(observations);
    std::erase_if(observations, [&](const Observation& each) { return lost_core(each.signal, fastest_s); });
    const std::vector<double> bounds = state_bounds(std::move(observations), {});
    std::vector<std::optional<std::size_t>> states(probes_s.size());
    for (std::size_t launch = 0; launch < probes_s.size(); ++launch)
        if (probes_s[launch] > 0 && !lost_core(probes_s[launch], fastest_s))
            states[launch] = state_of(probes_s[launch], bounds);
    return states;
}

} // namespace skampi
