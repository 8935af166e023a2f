// SPDX-License-Identifier: GPL-2.0-or-later
#include "formats/data/benchmark_json.hpp"

#include "analysis/trust/value_error.hpp"
#include "formats/data/json_text.hpp"
#include "skalib/statistics.hpp"

#include "base/text.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace skampi {

namespace {

/// Calls back with each point that has a time above zero, and its name.
template <typename Take>
void for_each_benchmark(const Subject& subject, const Take& take) {
    for (const Curve& curve : subject.curves)
        for (const StoredMeasurement& point : curve.points)
            if (above_zero(point.measurement))
                take(to_valid_utf8(curve.suite().name) +
                         (curve.suite().varied == Varied::none
                              ? std::string()
                              : fmt::format("/{}", point.measurement.argument)),
                     curve, point);
}

} // namespace

std::string bencher_json(const Subject& subject) {
    nlohmann::ordered_json all = nlohmann::ordered_json::object();
    for_each_benchmark(
        subject, [&](const std::string& name, const Curve& curve, const StoredMeasurement& point) {
            const auto metric = [](double value, const std::optional<double>& low,
                                   const std::optional<double>& high, const auto& of_time) {
                nlohmann::ordered_json json{{"value", of_time(value)}};
                if (low && *low > 0 && high) {
                    json["lower_value"] = std::min(of_time(*low), of_time(*high));
                    json["upper_value"] = std::max(of_time(*low), of_time(*high));
                }
                return json;
            };
            const double value_s = point.measurement.value_s;
            const ValueError error = value_error(point);
            all[name]["latency"] =
                metric(value_s, error.low, error.high, [](double time_s) { return 1e9 * time_s; });
            if (const double bytes = bytes_moved(curve, point.measurement); bytes > 0)
                all[name]["bandwidth"] =
                    metric(value_s, error.low, error.high, [bytes](double time_s) { return bytes / time_s; });
        });
    return json_text(all, 1) + "\n";
}

std::string hyperfine_json(const Subject& subject) {
    nlohmann::ordered_json results = nlohmann::ordered_json::array();
    for_each_benchmark(
        subject, [&](const std::string& name, const Curve& curve, const StoredMeasurement& point) {
            const std::vector<double> times_s = times_of_launches(curve, point.measurement);
            skalib::RunningStatistics statistics;
            for (const double time_s : times_s)
                statistics.add(time_s);
            std::vector<double> sorted = times_s;
            std::ranges::sort(sorted);
            results.push_back(
                {{"command", name},
                 {"mean", statistics.mean()},
                 {"stddev", times_s.size() > 1 ? nlohmann::ordered_json(std::sqrt(statistics.variance()))
                                               : nlohmann::ordered_json(nullptr)},
                 {"median", skalib::quantile(sorted, 0.5)},
                 {"user", 0},
                 {"system", 0},
                 {"min", sorted.front()},
                 {"max", sorted.back()},
                 {"times", times_s},
                 {"exit_codes", std::vector<int>(times_s.size(), 0)},
                 {"parameters", {{"argument", std::to_string(point.measurement.argument)}}}});
        });
    return json_text(nlohmann::ordered_json{{"results", std::move(results)}}, 1) + "\n";
}

} // namespace skampi
