// SPDX-License-Identifier: LGPL-2.1-or-later
#include "merge/interpolation.hpp"

#include "merge/pooling.hpp"

#include <cmath>
#include <cstddef>
#include <vector>

namespace skampi {

namespace {

double lerp_if_known(double a, double b, double share) {
    return a > 0 && b > 0 ? std::lerp(a, b, share) : 0;
}

std::vector<NodeTime> lerp(const std::vector<NodeTime>& a, const std::vector<NodeTime>& b, double share) {
    if (a.size() != b.size())
        return {};
    std::vector<NodeTime> between;
    for (std::size_t i = 0; i < a.size(); ++i) {
        if (a[i].rank != b[i].rank)
            return {};
        between.push_back({a[i].rank, std::lerp(a[i].value_s, b[i].value_s, share),
                           std::lerp(a[i].standard_error_s, b[i].standard_error_s, share)});
    }
    return between;
}

skalib::Summary lerp(const skalib::Summary& a, const skalib::Summary& b, double share) {
    skalib::Summary between;
    const auto count = [share](std::int64_t left, std::int64_t right) {
        return whole_count(std::lerp(static_cast<double>(left), static_cast<double>(right), share));
    };
    between.count = count(a.count, b.count);
    between.cut_count = count(a.cut_count, b.cut_count);
    for (const auto member :
         {&skalib::Summary::mean_all, &skalib::Summary::standard_error_all, &skalib::Summary::cut_mean,
          &skalib::Summary::cut_standard_error, &skalib::Summary::lower, &skalib::Summary::minimum,
          &skalib::Summary::quartile25, &skalib::Summary::median, &skalib::Summary::quartile75,
          &skalib::Summary::maximum})
        between.*member = std::lerp(a.*member, b.*member, share);
    return between;
}

} // namespace

Measurement interpolate(const Measurement& left, const Measurement& right, double share,
                        std::int64_t argument) {
    Measurement between = share < 0.5 ? left : right;
    between.argument = argument;
    for (const auto member : {&Measurement::value_s, &Measurement::standard_error_s, &Measurement::overhead_s,
                              &Measurement::overhead_error_s, &Measurement::adjusted_s, &Measurement::alone_s,
                              &Measurement::computation_s})
        between.*member = std::lerp(left.*member, right.*member, share);
    for (const auto member : {&Measurement::probe_s, &Measurement::way_there, &Measurement::core_clock_hz,
                              &Measurement::core_throughput})
        between.*member = lerp_if_known(left.*member, right.*member, share);
    between.summary = lerp(left.summary, right.summary, share);
    between.flags = left.flags | right.flags;
    between.modes.clear();
    between.node_times = lerp(left.node_times, right.node_times, share);
    between.discarded = 0;
    between.time_used_s = 0;
    return between;
}

} // namespace skampi
