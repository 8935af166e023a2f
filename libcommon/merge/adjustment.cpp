#include "merge/adjustment.hpp"

#include "skalib/statistics.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>

namespace skampi {

namespace {

constexpr std::array shares_tried{0.0, 0.25, 0.5, 0.75, 1.0, -0.25, -0.5, -0.75, -1.0};
constexpr std::size_t shares_of_few = 5;        ///< the first ones; all are tried with
constexpr std::size_t many_launches = 20;       ///< launches or more
constexpr std::size_t fewest_launches = 5;      ///< that choose an adjustment at an argument
constexpr std::size_t neighbours_each_side = 4; ///< arguments whose scatter counts as well

/// Weight of the next argument, to the power of its distance: many launches need no neighbours.
double neighbour_weight(std::size_t launches) {
    return 1 / (1 + static_cast<double>(launches) / 15);
}

/// The scatter must fall to this share before the probe's two ways count apart. The scatter of few launches
/// is itself uncertain.
double required_reduction(std::size_t launches) {
    return 1 - 0.3 / std::sqrt(static_cast<double>(launches));
}

/// How much the launches at an argument scatter, for any shares of the probe. Adjusted values are affine in
/// the shares, value - there * u - back * v: the means and covariances of these three are enough.
class Scatter {
public:
    Scatter(const std::vector<const PointHeader*>& launches, bool by_core_clock,
            const ReferenceState& reference) {
        constexpr double small = 1.0 / 1024; // a share that leaves a positive value
        std::vector<std::array<double, 3>> rows;
        for (const PointHeader* launch : launches) {
            const auto with = [&](double there, double back) {
                return adjusted_by({{there, back}, by_core_clock}, *launch, reference);
            };
            const double value_s = with(0, 0);
            rows.push_back({value_s, (with(small, 0) - value_s) / small, (with(0, small) - value_s) / small});
        }
        const auto n = static_cast<double>(rows.size());
        for (const auto& row : rows)
            for (std::size_t i = 0; i < 3; ++i)
                mean_.at(i) += row.at(i) / n;
        for (const auto& row : rows)
            for (std::size_t i = 0; i < 3; ++i)
                for (std::size_t k = 0; k < 3; ++k)
                    covariance_.at(i).at(k) +=
                        (row.at(i) - mean_.at(i)) * (row.at(k) - mean_.at(k)) / std::max(n - 1, 1.0);
    }

    /// Standard deviation by mean; infinite where the mean is not above 0.
    [[nodiscard]] double with(const ProbeShares& shares) const {
        const std::array factors{1.0, shares.there, shares.back};
        double mean = 0;
        double variance = 0;
        for (std::size_t i = 0; i < 3; ++i) {
            mean += factors.at(i) * mean_.at(i);
            for (std::size_t k = 0; k < 3; ++k)
                variance += factors.at(i) * factors.at(k) * covariance_.at(i).at(k);
        }
        if (!(mean_[0] > 0))
            return 0; // no adjustment makes a difference
        return mean > 0 ? std::sqrt(std::max(variance, 0.0)) / mean : std::numeric_limits<double>::infinity();
    }

private:
    std::array<double, 3> mean_{};
    std::array<std::array<double, 3>, 3> covariance_{};
};

bool has_negative_share(const Adjustment& adjustment) {
    return adjustment.shares.there < 0 || adjustment.shares.back < 0;
}

bool has_two_shares(const Adjustment& adjustment) {
    return adjustment.shares.there != adjustment.shares.back;
}

/// The adjustments that are tried, in the order of preference among equally good ones: the usual one, equal
/// shares for both ways, different ones, and last those with a negative share.
std::vector<Adjustment> candidates(double usual_share, bool way_is_known) {
    std::vector<Adjustment> found{{{usual_share, usual_share}, true}};
    const std::span possible = std::span(shares_tried).first(usual_share > 0 ? shares_tried.size() : 1);
    const std::span usual = possible.first(std::min(shares_of_few, possible.size()));
    for (const bool by_core_clock : {true, false})
        for (const double share : usual)
            found.push_back({{share, share}, by_core_clock});
    for (const bool by_core_clock : {true, false})
        for (const double there : possible)
            for (const double back : possible)
                if (way_is_known && there != back)
                    found.push_back({{there, back}, by_core_clock});
    std::ranges::stable_partition(found, std::not_fn(has_negative_share));
    return found;
}

/// The scatter of the launches at one argument.
struct ArgumentScatter {
    std::int64_t argument = 0;
    std::size_t launches = 0;
    std::vector<double> by_candidate;
};

std::vector<ArgumentScatter> scatter_of(const UsableLaunches& launches,
                                        const std::vector<Adjustment>& candidates,
                                        const ReferenceState& reference) {
    std::vector<ArgumentScatter> found;
    for (const auto& [argument, here] : launches) {
        if (here.size() < fewest_launches)
            continue;
        const Scatter by_core_clock(here, true, reference);
        const Scatter by_probe_alone(here, false, reference);
        ArgumentScatter& scatter = found.emplace_back(ArgumentScatter{argument, here.size(), {}});
        for (const Adjustment& each : candidates)
            scatter.by_candidate.push_back(
                (each.by_core_clock ? by_core_clock : by_probe_alone).with(each.shares));
    }
    return found;
}

/// The scatter at an argument and its neighbours, by candidate.
std::vector<double> with_neighbours(const std::vector<ArgumentScatter>& scatter, std::size_t place) {
    std::vector<double> sum(scatter[place].by_candidate.size());
    const std::size_t end = std::min(place + neighbours_each_side + 1, scatter.size());
    for (std::size_t k = place - std::min(place, neighbours_each_side); k < end; ++k) {
        const std::size_t distance = k > place ? k - place : place - k;
        const double weight =
            std::pow(neighbour_weight(scatter[place].launches), static_cast<double>(distance));
        for (std::size_t i = 0; i < sum.size(); ++i)
            sum[i] += weight * scatter[k].by_candidate[i];
    }
    return sum;
}

} // namespace

const Adjustment& SuiteAdjustment::at(std::int64_t argument) const {
    const auto next = arguments.lower_bound(argument);
    return next != arguments.end() ? next->second : arguments.rbegin()->second;
}

UsableLaunches usable_launches(std::span<const LazyCurve> runs, std::span<const RunModes> run_modes,
                               std::size_t mode) {
    UsableLaunches usable;
    for (std::size_t run = 0; run < runs.size(); ++run)
        for (const PointHeader& m : runs[run].headers)
            if (m.measured && !m.doubtful && run_modes[run].mode_of_probe(m.probe_s) == mode)
                usable[m.argument].push_back(&m);
    return usable;
}

double correlation_of(const UsableLaunches& launches) {
    std::vector<std::vector<double>> series;
    for (const auto& [argument, here] : launches) {
        std::vector<double>& values_s = series.emplace_back();
        for (const PointHeader* launch : here)
            values_s.push_back(launch->value_s);
    }
    return skalib::serial_correlation(series);
}

std::map<std::int64_t, Adjustment> choose_adjustments(const UsableLaunches& launches, double usual_share,
                                                      const ReferenceState& reference) {
    const std::vector<Adjustment> tried = candidates(usual_share, reference.way_there > 0);
    const auto two_shares = std::ranges::find_if(tried, has_two_shares) - tried.begin();
    const auto negative = std::ranges::find_if(tried, has_negative_share) - tried.begin();
    const std::vector<ArgumentScatter> scatter = scatter_of(launches, tried, reference);
    std::map<std::int64_t, Adjustment> chosen;
    if (scatter.empty())
        chosen[0] = tried.front();
    const auto clearly_less = [](double a, double b) { return a < b * (1 - 1e-9); }; // not by rounding
    for (std::size_t i = 0; i < scatter.size(); ++i) {
        const std::size_t count = scatter[i].launches;
        const std::vector<double> near = with_neighbours(scatter, i);
        const auto end = count < many_launches ? near.begin() + negative : near.end();
        const auto one = std::min_element(near.begin(), near.begin() + two_shares, clearly_less);
        const auto two = std::min_element(near.begin() + two_shares, end, clearly_less);
        const bool two_needed = two != end && *two < required_reduction(count) * *one;
        chosen[scatter[i].argument] =
            tried[static_cast<std::size_t>((two_needed ? two : one) - near.begin())];
    }
    return chosen;
}

} // namespace skampi
