#include "analysis/comparison/comparison_findings.hpp"

#include "skalib/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace skampi {

MessageSize size_of_message(std::int64_t bytes) {
    constexpr std::int64_t longest_small = 1024;
    constexpr std::int64_t longest_medium = std::int64_t{64} * 1024;
    return bytes <= longest_small    ? MessageSize::small
           : bytes <= longest_medium ? MessageSize::medium
                                     : MessageSize::large;
}

bool DatabaseComparison::Suite::judged() const {
    const std::size_t points = curves.judged();
    return whole.judged() || curves.faster() + curves.slower() > 0 ||
           (points > 0 && 2 * points >= curves.points.size());
}

std::vector<MessageSize> DatabaseComparison::Suite::sizes_alone() const {
    std::vector<MessageSize> sizes;
    if (!judged() || outcome() == Outcome::none)
        for (const auto& [size, pooled] : by_size)
            if (pooled.faster() || pooled.slower())
                sizes.push_back(size);
    return sizes;
}

Outcome DatabaseComparison::Suite::outcome() const {
    const std::size_t faster = curves.faster();
    const std::size_t slower = curves.slower();
    if (whole.faster())
        return slower > 0 ? Outcome::both : Outcome::faster;
    if (whole.slower())
        return faster > 0 ? Outcome::both : Outcome::slower;
    // Of points that cannot be judged nothing is known: they are on nobody's side.
    return skampi::outcome(faster, slower, curves.points.size());
}

double DatabaseComparison::Suite::ratio_found() const {
    if (whole.faster() || whole.slower())
        return whole.ratio;
    double log_sum = 0;
    for (const PointComparison& point : curves.points)
        log_sum += point.significant() ? std::log(point.ratio) : 0;
    return std::exp(log_sum / static_cast<double>(curves.faster() + curves.slower()));
}

Unjudged DatabaseComparison::Suite::reason() const {
    return whole.unjudged.value_or(Unjudged::few_launches);
}

bool both_simulated(const DatabaseComparison& comparison) {
    const auto simulated = [](const Subject& subject) { return subject.run && is_simulated(*subject.run); };
    return simulated(*comparison.reference) && simulated(*comparison.other);
}

double median_state(const DatabaseComparison& comparison, const Curve* DatabaseComparison::Suite::*side,
                    double Measurement::*state) {
    std::vector<double> values;
    for (const DatabaseComparison::Suite& suite : comparison.suites)
        for (const StoredMeasurement& point : (suite.*side)->points)
            if (const double value = point.measurement.*state; value > 0)
                values.push_back(value);
    return skalib::median(std::move(values));
}

std::pair<double, double> median_probes(const DatabaseComparison& comparison) {
    std::vector<double> reference;
    std::vector<double> other;
    for (const DatabaseComparison::Suite& suite : comparison.suites)
        for (const PointComparison& point : suite.curves.points)
            if (point.probe_ratio > 0) {
                reference.push_back(point.probe_s);
                other.push_back(point.probe_s * point.probe_ratio);
            }
    return {skalib::median(std::move(reference)), skalib::median(std::move(other))};
}

bool differs_by_5_percent(double a, double b) {
    return a > 0 && b > 0 && std::fabs(a - b) > 0.05 * std::min(a, b);
}

} // namespace skampi
