// SPDX-License-Identifier: LGPL-2.1-or-later
// Measures std::sort over the number of elements and prints a table.
//
// Against the installed library:
//   c++ -std=c++20 -O2 measure_a_function.cpp $(pkg-config --cflags --libs skalib) -o measure_a_function
#include <skalib/measure.hpp>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <random>
#include <vector>

int main() {
    std::mt19937_64 random(1);
    std::vector<double> shuffled(1 << 14);
    for (double& value : shuffled)
        value = std::uniform_real_distribution<>()(random);
    std::vector<double> work(shuffled.size());

    const auto sort = [&](std::int64_t elements) {
        std::copy_n(shuffled.begin(), elements, work.begin());
        std::sort(work.begin(), work.begin() + elements);
    };

    skalib::RefinementLimits arguments;
    arguments.end = static_cast<std::int64_t>(shuffled.size());
    arguments.max_steps = 40;
    arguments.max_relative_error = 0.05;

    skalib::RepetitionLimits limits;
    limits.max_relative_error = 0.02;
    limits.max_time_s = 0.1;

    std::printf("%10s %12s %12s %8s\n", "elements", "time [us]", "error [us]", "count");
    for (const skalib::Measured& point : skalib::measure_suite(sort, arguments, limits))
        std::printf("%10lld %12.4f %12.4f %8lld%s\n", static_cast<long long>(point.argument),
                    point.summary.cut_mean * 1e6, point.summary.cut_standard_error * 1e6,
                    static_cast<long long>(point.summary.count),
                    point.reason == skalib::StopReason::repeatable ? "" : "  not repeatable");
}
