// SPDX-License-Identifier: LGPL-2.1-or-later
#include "analysis/trust/trust.hpp"

#include "analysis/trust/value_error.hpp"
#include "contest/estimate.hpp"
#include "skalib/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

namespace skampi {

namespace {

/// What is known of the errors between launches.
class ErrorsBetweenLaunches {
public:
    void add(const Curve& curve, const StoredMeasurement& point, Trust& trust) {
        if (!above_zero(point.measurement))
            return;
        const Settled state = settled(curve, point);
        std::int64_t& counter = state == Settled::settled     ? trust.settled
                                : state == Settled::unsettled ? trust.unsettled
                                                              : trust.settled_unknown;
        ++counter;
        const std::optional<double> asked = error_asked_for(curve);
        if (asked)
            asked_.insert(*asked);
        half_widths_.insert(half_width_asked_for(curve));
        if (const std::optional<double> error = error_between_launches(point)) {
            errors_.push_back(*error);
            if (state != Settled::unknown)
                launches_.push_back(point.merge->runs * (*error / *asked) * (*error / *asked));
        }
    }
    void finish(Trust& trust) {
        if (asked_.size() == 1)
            trust.error_asked_for = *asked_.begin();
        if (half_widths_.size() == 1)
            trust.half_width_asked_for = *half_widths_.begin();
        if (!errors_.empty())
            trust.error_between_launches = skalib::median(std::move(errors_));
        std::ranges::sort(launches_);
        constexpr double most_points = 0.9;
        if (trust.unsettled > 0 && !launches_.empty())
            trust.launches_to_settle = std::ceil(skalib::quantile(launches_, most_points));
    }

private:
    std::set<double> asked_;
    std::set<std::optional<double>> half_widths_;
    std::vector<double> errors_;
    std::vector<double> launches_; ///< per point, that would settle it
};

std::optional<double> span_of_launches_s(const Subject& subject, std::size_t launches) {
    if (launches < 2 || subject.launch_times.size() < launches)
        return std::nullopt;
    double begin_s = std::numeric_limits<double>::infinity();
    double end_s = -begin_s;
    for (const auto& [uuid, time] : subject.launch_times) {
        begin_s = std::min(begin_s, time.begin_s);
        end_s = std::max(end_s, time.end_s);
    }
    return end_s - begin_s;
}

/// Of a file without its launches' values (a merged CSV) what the merged values say of single measurements.
MeasuredByLaunches measured_by_launches(const Curve& curve) {
    MeasuredByLaunches measured = curve.by_launches;
    if (measured.single_measurements > 0)
        return measured;
    for (const StoredMeasurement& point : curve.points)
        measured.discarded += point.measurement.discarded;
    measured.single_measurements = curve.single_measurements() + measured.discarded;
    return measured;
}

} // namespace

Trust assess(const Subject& subject) {
    Trust trust;
    trust.launches = subject.launches();
    trust.launches_merged =
        subject.run && subject.run->merged_runs > 0 ? static_cast<std::size_t>(subject.run->merged_runs) : 1;
    trust.span_s = span_of_launches_s(subject, trust.launches);
    std::vector<double> deviations;
    ErrorsBetweenLaunches between;
    for (const Curve& curve : subject.curves) {
        trust.unfinished += curve.unfinished;
        trust.suites_open += curve.stored.state == SuiteState::open ? 1 : 0;
        trust.suites_failed +=
            curve.stored.state == SuiteState::failed || curve.stored.state == SuiteState::put_off ? 1 : 0;
        trust.single_measurements += curve.single_measurements();
        const MeasuredByLaunches measured = measured_by_launches(curve);
        trust.discarded += measured.discarded;
        trust.discarded_of += measured.single_measurements;
        trust.launch_values += measured.values;
        trust.launch_values_disturbed += measured.disturbed;
        for (const StoredMeasurement& point : curve.points) {
            const Measurement& measurement = point.measurement;
            ++trust.points;
            const auto count = [&](Flag flag, std::int64_t& counter) {
                if (has(measurement.flags, flag))
                    ++counter;
            };
            count(Flag::not_repeatable, trust.not_repeatable);
            count(Flag::timed_out, trust.timed_out);
            const bool by_limit = !is_repeatable(measurement.flags);
            trust.stopped_by_limit += by_limit ? 1 : 0;
            trust.values_stopped_by_limit += by_limit && has_value(measurement) ? 1 : 0;
            if (!by_limit && !has(measurement.flags, Flag::unreliable) && above_zero(measurement))
                ++(std::isfinite(measurement.standard_error_s) ? trust.repeatable
                                                               : trust.repeatability_unknown);
            between.add(curve, point, trust);
            count(Flag::unreliable, trust.unreliable);
            trust.overhead_in_doubt +=
                has(measurement.flags, Flag::unreliable) && !is_short_for_measuring(measurement) ? 1 : 0;
            count(Flag::disturbed, trust.disturbed);
            count(Flag::several_modes, trust.several_modes);
            trust.within_one_state += has(measurement.flags, Flag::several_modes) && point.merge &&
                                              (measurement.modes.size() > 1 || !has_value(measurement))
                                          ? 1
                                          : 0;
            count(Flag::unsynchronised, trust.unsynchronised);
            count(Flag::wrong_result, trust.wrong_result);
            count(Flag::scattered, trust.scattered);
            trust.of_other_states = trust.of_other_states || (point.merge && measurement.modes.size() > 1);
            const bool without = !has_value(measurement) && !has(measurement.flags, Flag::wrong_result);
            const bool of_others = point.merge && !measurement.modes.empty();
            trust.no_value += without && !of_others ? 1 : 0;
            trust.not_in_state += without && of_others ? 1 : 0;
            trust.not_above_zero += has_value(measurement) && !above_zero(measurement) ? 1 : 0;
            trust.one_launch += point.merge && point.merge->runs == 1 && trust.launches > 1 ? 1 : 0;
            trust.few_launches += point.merge && point.merge->runs > 1 &&
                                          point.merge->runs < static_cast<int>(launches_needed) &&
                                          trust.launches_merged >= launches_needed
                                      ? 1
                                      : 0;
            skalib::RunningStatistics launches;
            for (const auto& [uuid, value] : launch_values(curve, measurement.argument))
                launches.add(value);
            if (launches.count() > 1 && launches.mean() > 0)
                deviations.push_back(std::sqrt(launches.variance()) / launches.mean());
        }
    }
    between.finish(trust);
    if (!deviations.empty())
        trust.noise_between_launches = skalib::median(std::move(deviations));
    return trust;
}

bool Trust::rests_on_undisturbed() const {
    return launches_merged > 1 && 3 * launch_values_disturbed >= 2 * launch_values &&
           3 * disturbed <= points && launch_values > 0;
}

NoiseState noise_state(const Subject& subject, const Trust& trust) {
    if (subject.run && is_simulated(*subject.run) && trust.launches > 0)
        return NoiseState::simulated;
    if (trust.noise_between_launches)
        return trust.launches < launches_needed ? NoiseState::few_launches : NoiseState::known;
    if (trust.launches > 1)
        return NoiseState::not_in_file;
    if (!subject.run)
        return NoiseState::no_launch;
    return is_simulated(*subject.run) ? NoiseState::simulated : NoiseState::one_launch;
}

double largest_clock_bound_s(const Run& run) {
    double largest_s = 0;
    for (const RankFacts& rank : run.rank_facts)
        largest_s = std::max(largest_s, rank.clock_bound_s);
    return largest_s;
}

} // namespace skampi
