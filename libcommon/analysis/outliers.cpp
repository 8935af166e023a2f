#include "analysis/outliers.hpp"

#include "skalib/statistics.hpp"

#include <cmath>

namespace skampi {

std::vector<bool> outliers(const std::vector<double>& values, std::size_t least) {
    const auto count = static_cast<double>(values.size());
    std::vector<bool> out(values.size(), false);
    if (values.size() < least)
        return out;
    // Of a normal distribution the MAD is 1 / 1.4826 of the standard deviation, of few values less.
    constexpr double to_deviation = 1.4826;
    constexpr double far = 6;
    const double deviation = to_deviation * skalib::median_absolute_deviation(values) * count / (count - 0.8);
    const double middle = skalib::median(values);
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
