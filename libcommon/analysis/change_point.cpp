#include "analysis/change_point.hpp"

#include "skalib/statistics.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <optional>

namespace skampi {

namespace {

/// The standard normal distribution's quantile (Acklam's rational approximation, relative error 1e-9).
double normal_quantile(double p) {
    constexpr std::array a{-3.969683028665376e+01, 2.209460984245205e+02,  -2.759285104469687e+02,
                           1.383577518672690e+02,  -3.066479806614716e+01, 2.506628277459239e+00};
    constexpr std::array b{-5.447609879822406e+01, 1.615858368580409e+02, -1.556989798598866e+02,
                           6.680131188771972e+01, -1.328068155288572e+01};
    constexpr std::array c{-7.784894002430293e-03, -3.223964580411365e-01, -2.400758277161838e+00,
                           -2.549732539343734e+00, 4.374664141464968e+00,  2.938163982698783e+00};
    constexpr std::array d{7.784695709041462e-03, 3.224671290700398e-01, 2.445134137142996e+00,
                           3.754408661907416e+00};
    constexpr double tail = 0.02425;
    if (p > 0.5)
        return -normal_quantile(1 - p);
    if (p < tail) {
        const double q = std::sqrt(-2 * std::log(p));
        return (((((c[0] * q + c[1]) * q + c[2]) * q + c[3]) * q + c[4]) * q + c[5]) /
               ((((d[0] * q + d[1]) * q + d[2]) * q + d[3]) * q + 1);
    }
    const double q = p - 0.5;
    const double r = q * q;
    return (((((a[0] * r + a[1]) * r + a[2]) * r + a[3]) * r + a[4]) * r + a[5]) * q /
           (((((b[0] * r + b[1]) * r + b[2]) * r + b[3]) * r + b[4]) * r + 1);
}

double median_of(std::span<const double> values) {
    return skalib::median({values.begin(), values.end()});
}

/// Normal scores of the ranks (van der Waerden) among the values at these places; equal values share theirs.
void score_places(std::span<const double> values, std::vector<std::size_t>& places,
                  std::vector<double>& scores) {
    std::ranges::sort(places, [&](std::size_t a, std::size_t b) { return values[a] < values[b]; });
    for (std::size_t begin = 0, end = 0; begin < places.size(); begin = end) {
        while (end < places.size() && values[places[end]] == values[places[begin]])
            ++end;
        const double rank = 0.5 * static_cast<double>(begin + end + 1);
        const double score = normal_quantile(rank / static_cast<double>(places.size() + 1));
        for (std::size_t i = begin; i < end; ++i)
            scores[places[i]] = score;
    }
}

/// Each the median of itself and its neighbours, two on either side.
std::vector<double> smoothed(std::span<const double> values) {
    std::vector<double> smooth(values.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
        const std::size_t begin = i - std::min<std::size_t>(i, 2);
        smooth[i] = median_of(values.subspan(begin, std::min(values.size(), i + 3) - begin));
    }
    return smooth;
}

/// What parts the values of two states; none = there are not two that alternate.
std::optional<double> state_bound(std::span<const double> values) {
    constexpr double least_share = 0.05;
    constexpr std::size_t least_switches = 4; // fewer are steps up and down
    constexpr double least_distance = 3; // in deviations within the states; of one normal state it is 2.2
    std::vector<double> sorted(values.begin(), values.end());
    std::ranges::sort(sorted);
    const std::size_t n = sorted.size();
    const auto least =
        std::max<std::size_t>(3, static_cast<std::size_t>(least_share * static_cast<double>(n)));
    if (n < 2 * least)
        return std::nullopt;
    // Few outliers, however far away, are no state.
    for (double& value : sorted)
        value = std::clamp(value, sorted[least / 2], sorted[n - 1 - least / 2]);
    // Where the sum of squares within both parts is least (Otsu).
    std::vector<double> sums(n + 1);
    std::partial_sum(sorted.begin(), sorted.end(), sums.begin() + 1);
    std::size_t split = least;
    double most_between = -1;
    for (std::size_t i = least; i + least <= n; ++i) {
        const auto low = static_cast<double>(i);
        const auto high = static_cast<double>(n - i);
        const double distance = (sums[n] - sums[i]) / high - sums[i] / low;
        if (const double between = low * high * distance * distance; between > most_between) {
            most_between = between;
            split = i;
        }
    }
    const std::span<const double> low(sorted.data(), split);
    const std::span<const double> high(sorted.data() + split, n - split);
    const auto deviation = [](std::span<const double> part) {
        return (skalib::quantile(part, 0.75) - skalib::quantile(part, 0.25)) / 1.349;
    };
    if (!(skalib::quantile(high, 0.5) - skalib::quantile(low, 0.5) >
          least_distance * std::max(deviation(low), deviation(high))))
        return std::nullopt;
    const double bound = 0.5 * (low.back() + high.front());
    std::size_t switches = 0;
    const std::vector<double> smooth = smoothed(values);
    for (std::size_t i = 1; i < n; ++i)
        switches += (smooth[i] > bound) != (smooth[i - 1] > bound) ? 1 : 0;
    return switches < least_switches ? std::nullopt : std::optional(bound);
}

std::vector<double> scores_of(std::span<const double> values) {
    std::vector<double> scores(values.size());
    const std::optional<double> bound = state_bound(values);
    std::vector<std::size_t> low;
    std::vector<std::size_t> high;
    for (std::size_t i = 0; i < values.size(); ++i)
        (bound && values[i] > *bound ? high : low).push_back(i);
    score_places(values, low, scores);
    score_places(values, high, scores);
    return scores;
}

/// Variance of a mean of m scores times m, for large m: what they vary, and how long they stay.
double long_run_variance(std::span<const double> scores) {
    const std::size_t n = scores.size();
    const auto mean_square_difference = [&](std::size_t lag) {
        double sum = 0;
        for (std::size_t i = lag; i < n; ++i)
            sum += (scores[i] - scores[i - lag]) * (scores[i] - scores[i - lag]);
        return sum / static_cast<double>(n - lag);
    };
    // Of a first-order autoregression E (x[i] - x[i-k])^2 = 2 v (1 - phi^k).
    const double near = mean_square_difference(1);
    const double far = 0.5 * (mean_square_difference(3) + mean_square_difference(4));
    constexpr double most_correlated = 0.85;
    constexpr double rounding = 1e-12;
    double found = 0;
    for (int i = 0; i < 20 && near > rounding; ++i)
        found =
            std::clamp(1 - near / std::max(far, near) * (1 - 0.5 * (std::pow(found, 3) + std::pow(found, 4))),
                       0.0, most_correlated);
    // Few values say little of it: then it is taken for what launches usually share.
    constexpr double usual = 0.1;
    constexpr double weight_of_usual = 20;
    const auto weight = static_cast<double>(n);
    const double phi = (weight * found + weight_of_usual * usual) / (weight + weight_of_usual);
    // Nor do they say much of the variance, which is 1 where there is no step.
    constexpr double weight_of_one = 6;
    const double innovation = (weight * near / 2 + weight_of_one) / (weight + weight_of_one);
    return innovation * (1 + phi) / ((1 - phi) * (1 - phi));
}

struct Candidate {
    std::size_t at = 0;
    double strength = 0;
};

/// The most significant place in a stretch of values.
Candidate strongest(std::span<const double> values) {
    Candidate best;
    const std::size_t n = values.size();
    if (n < 2 * least_between_changes)
        return best;
    const std::vector<double> scores = scores_of(values);
    std::vector<double> sums(n + 1);
    std::partial_sum(scores.begin(), scores.end(), sums.begin() + 1);
    double best_difference = 0;
    for (std::size_t at = least_between_changes; at + least_between_changes <= n; ++at)
        for (std::size_t width = change_window; width >= 12; width /= 2) {
            const std::size_t before = std::min(at, width);
            const std::size_t after = std::min(n - at, width);
            const auto left = static_cast<double>(before);
            const auto right = static_cast<double>(after);
            const double difference =
                (sums[at + after] - sums[at]) / right - (sums[at] - sums[at - before]) / left;
            const double strength = std::fabs(difference) / std::sqrt(1 / left + 1 / right);
            if (strength > best.strength) {
                best = {at, strength};
                best_difference = difference;
            }
        }
    // What is left without this step says how much chance moves the means.
    std::vector<double> rest = scores;
    for (std::size_t i = best.at; i < n; ++i)
        rest[i] -= best_difference;
    best.strength /= std::sqrt(long_run_variance(rest));
    return best;
}

void search(std::span<const double> values, std::size_t begin, std::size_t end,
            std::vector<std::size_t>& found) {
    const Candidate best = strongest(values.subspan(begin, end - begin));
    if (!(best.strength >= change_threshold))
        return;
    search(values, begin, begin + best.at, found);
    found.push_back(begin + best.at);
    search(values, begin + best.at, end, found);
}

} // namespace

std::vector<ChangePoint> find_changes(std::span<const double> values) {
    std::vector<std::size_t> places;
    search(values, 0, values.size(), places);
    // A place was found with other steps in its stretch: between its neighbours it is seen more clearly.
    std::vector<ChangePoint> changes;
    for (std::size_t i = 0; i < places.size(); ++i) {
        const std::size_t begin = changes.empty() ? 0 : changes.back().at;
        const std::size_t end = i + 1 < places.size() ? places[i + 1] : values.size();
        const Candidate again = strongest(values.subspan(begin, end - begin));
        if (again.strength >= change_threshold)
            changes.push_back({begin + again.at, 0, 0, again.strength});
    }
    for (std::size_t i = 0; i < changes.size(); ++i) {
        const std::size_t at = changes[i].at;
        const std::size_t begin = std::max(i == 0 ? 0 : changes[i - 1].at, at - std::min(at, change_window));
        const std::size_t end =
            std::min(i + 1 < changes.size() ? changes[i + 1].at : values.size(), at + change_window);
        changes[i].before = median_of(values.subspan(begin, at - begin));
        changes[i].after = median_of(values.subspan(at, end - at));
    }
    return changes;
}

} // namespace skampi
