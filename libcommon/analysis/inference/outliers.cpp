#include "analysis/inference/outliers.hpp"

#include "skalib/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace skampi {

std::vector<bool> outliers(const std::vector<double>& values, std::size_t least, std::size_t fitted) {
    const auto count = static_cast<double>(values.size() - std::min(fitted, values.size()));
    std::vector<bool> out(values.size(), false);
    if (values.size() < least + fitted)
        return out;
    // Of a normal distribution the MAD is 1 / 1.4826 of the standard deviation, of few values less.
    constexpr double to_deviation = 1.4826;
    constexpr double far = 6;
    const double middle = skalib::median(values);
    std::vector<double> distances;
    for (const double value : values)
        distances.push_back(std::fabs(value - middle));
    std::ranges::sort(distances);
    distances.erase(distances.begin(), distances.begin() + static_cast<std::ptrdiff_t>(fitted));
    const double deviation = to_deviation * skalib::median(std::move(distances)) * count / (count - 0.8);
    std::size_t found = 0;
    for (std::size_t i = 0; i < values.size(); ++i)
        if (deviation > 0 && std::fabs(values[i] - middle) > far * deviation) {
            out[i] = true;
            ++found;
        }
    constexpr std::size_t fifth = 5;
    return found * fifth <= values.size() ? out : std::vector<bool>(values.size(), false);
}

} // namespace skampi
