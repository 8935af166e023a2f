// SPDX-License-Identifier: LGPL-2.1-or-later
#include "merge/pooling.hpp"

#include <cmath>
#include <limits>

namespace skampi {

namespace {

// A NaN, unknown for some launches, is ignored.
double smallest(double a, double b) {
    return std::fmin(a, b);
}
double largest(double a, double b) {
    return std::fmax(a, b);
}

} // namespace

void pool(std::span<const skalib::Summary* const> launches, skalib::Summary& pooled) {
    constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
    long double count = 0;
    long double sum = 0;
    long double cut_count = 0;
    long double cut_sum = 0;
    bool mean_known = true;
    pooled.minimum = pooled.maximum = unknown;
    for (const skalib::Summary* own : launches) {
        count += static_cast<long double>(own->count);
        sum += static_cast<long double>(own->count) * own->mean_all;
        cut_count += static_cast<long double>(own->cut_count);
        cut_sum += static_cast<long double>(own->cut_count) * own->cut_mean;
        // A table of another program has no mean; it reads as 0.
        mean_known = mean_known && std::isfinite(own->mean_all) && own->mean_all != 0;
        pooled.minimum = smallest(pooled.minimum, own->minimum);
        pooled.maximum = largest(pooled.maximum, own->maximum);
    }
    pooled.count = whole_count(static_cast<double>(count));
    pooled.cut_count = whole_count(static_cast<double>(cut_count));
    pooled.mean_all = pooled.standard_error_all = pooled.cut_mean = pooled.cut_standard_error = unknown;
    if (cut_count > 0) {
        long double cut_variance = 0;
        for (const skalib::Summary* own : launches) {
            const long double cut_share = static_cast<long double>(own->cut_count) / cut_count;
            cut_variance += cut_share * cut_share * own->cut_standard_error *
                            static_cast<long double>(own->cut_standard_error);
        }
        pooled.cut_mean = static_cast<double>(cut_sum / cut_count);
        pooled.cut_standard_error = static_cast<double>(std::sqrt(cut_variance));
    }
    if (!mean_known || !(count > 0))
        return;
    const long double mean = sum / count;
    long double squares = 0;
    for (const skalib::Summary* own : launches) {
        const auto n = static_cast<long double>(own->count);
        squares += n * (n - 1) * own->standard_error_all * own->standard_error_all +
                   n * (own->mean_all - mean) * (own->mean_all - mean);
    }
    // The mean of equal values must not leave [minimum, maximum] by rounding.
    pooled.mean_all = largest(pooled.minimum, smallest(pooled.maximum, static_cast<double>(mean)));
    pooled.standard_error_all =
        count > 1 ? static_cast<double>(std::sqrt(squares / (count * (count - 1)))) : 0;
}

std::int64_t whole_count(double count) {
    // The largest int64 is no double: the next double above it is, and does not fit any more.
    constexpr double beyond = 0x1p63;
    return count >= beyond ? std::numeric_limits<std::int64_t>::max() : std::llround(count);
}

} // namespace skampi
