// SPDX-License-Identifier: LGPL-2.1-or-later
#include "contest/outliers.hpp"

#include "skalib/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace skampi {

namespace {

constexpr double far = 6; ///< deviations

/// For distances from the middle. Of few values their median is smaller.
double deviation_of(std::vector<double> distances) {
    const auto count = static_cast<double>(distances.size());
    return skalib::deviation_by_mad * skalib::median(std::move(distances)) * count / (count - 0.8);
}

std::vector<double> distances_of(const std::vector<double>& values) {
    std::vector<double> distances;
    for (const double value : values)
        distances.push_back(std::fabs(value));
    return distances;
}

std::vector<double> about_middle(std::vector<double> values) {
    const double middle = skalib::median(values);
    for (double& value : values)
        value -= middle;
    return values;
}

bool few(const std::vector<bool>& out) {
    constexpr std::ptrdiff_t fifth = 5;
    return std::ranges::count(out, true) * fifth <= std::ssize(out);
}

} // namespace

std::vector<bool> outliers(const std::vector<double>& values, std::size_t least, std::size_t fitted) {
    std::vector<bool> out(values.size(), false);
    if (values.size() < least + fitted)
        return out;
    const std::vector<double> rests = about_middle(values);
    std::vector<double> distances = distances_of(rests);
    std::ranges::sort(distances);
    distances.erase(distances.begin(), distances.begin() + static_cast<std::ptrdiff_t>(fitted));
    const double deviation = deviation_of(std::move(distances));
    for (std::size_t i = 0; i < rests.size(); ++i)
        out[i] = deviation > 0 && std::fabs(rests[i]) > far * deviation;
    return few(out) ? out : std::vector<bool>(out.size(), false);
}

std::array<std::vector<bool>, 2> outliers_of_sides(std::vector<double> first, std::vector<double> second,
                                                   std::size_t least) {
    const std::array<std::vector<double>, 2> sides{about_middle(std::move(first)),
                                                   about_middle(std::move(second))};
    std::vector<double> both = sides[0];
    both.insert(both.end(), sides[1].begin(), sides[1].end());
    const double deviation_of_both = deviation_of(distances_of(both));
    std::array<std::vector<bool>, 2> out;
    std::array<double, 2> beyond{}; // for each side, the distant values
    for (std::size_t side = 0; side < sides.size(); ++side) {
        out[side].assign(sides[side].size(), false);
        const double deviation = sides[side].size() < least
                                     ? 0
                                     : std::max(deviation_of(distances_of(sides[side])), deviation_of_both);
        beyond[side] = deviation > 0 ? far * deviation : std::numeric_limits<double>::infinity();
    }
    for (const double sign : {1.0, -1.0}) {
        double before = 0;
        double behind = std::numeric_limits<double>::infinity(); // the first gap of both
        std::ranges::sort(both, {}, [sign](double rest) { return sign * rest; });
        const double gap = std::min(beyond[0], beyond[1]);
        for (const double rest : both)
            if (sign * rest > 0) {
                if (sign * rest - before > gap) {
                    behind = sign * rest;
                    break;
                }
                before = sign * rest;
            }
        for (std::size_t side = 0; side < sides.size(); ++side)
            for (std::size_t i = 0; i < sides[side].size(); ++i)
                out[side][i] =
                    out[side][i] || (sign * sides[side][i] > beyond[side] && sign * sides[side][i] >= behind);
    }
    const bool are_few = std::ranges::all_of(out, few);
    for (std::vector<bool>& side : out)
        if (!are_few)
            side.assign(side.size(), false);
    return out;
}

} // namespace skampi
