#include "analysis/trust.hpp"

#include "analysis/comparison.hpp"
#include "skalib/statistics.hpp"

#include <algorithm>
#include <cmath>

namespace skampi {

Trust assess(const Subject& subject) {
    Trust trust;
    trust.launches = subject.launches();
    trust.launches_merged =
        subject.run && subject.run->merged_runs > 0 ? static_cast<std::size_t>(subject.run->merged_runs) : 1;
    std::vector<double> deviations;
    for (const Curve& curve : subject.curves) {
        trust.unfinished += curve.unfinished;
        trust.suites_open += curve.stored.state == SuiteState::open ? 1 : 0;
        trust.suites_failed +=
            curve.stored.state == SuiteState::failed || curve.stored.state == SuiteState::put_off ? 1 : 0;
        trust.single_measurements += curve.single_measurements();
        for (const StoredMeasurement& point : curve.points) {
            const Measurement& measurement = point.measurement;
            ++trust.points;
            trust.discarded += measurement.discarded;
            const auto count = [&](Flag flag, std::int64_t& counter) {
                if (has(measurement.flags, flag))
                    ++counter;
            };
            count(Flag::unsettled, trust.unsettled);
            count(Flag::timed_out, trust.timed_out);
            const bool not_settled = (measurement.flags & (Flag::unsettled | Flag::timed_out)) != 0;
            trust.not_settled += not_settled ? 1 : 0;
            trust.values_not_settled += not_settled && has_value(measurement) ? 1 : 0;
            count(Flag::unreliable, trust.unreliable);
            count(Flag::disturbed, trust.disturbed);
            count(Flag::several_modes, trust.several_modes);
            count(Flag::unsynchronised, trust.unsynchronised);
            count(Flag::wrong_result, trust.wrong_result);
            count(Flag::scattered, trust.scattered);
            trust.of_other_states = trust.of_other_states || (point.merge && measurement.modes.size() > 1);
            trust.no_value += has_value(measurement) || has(measurement.flags, Flag::wrong_result) ? 0 : 1;
            trust.not_above_zero += has_value(measurement) && !above_zero(measurement) ? 1 : 0;
            trust.one_launch += point.merge && point.merge->runs == 1 && trust.launches > 1 ? 1 : 0;
            trust.few_launches += point.merge && point.merge->runs > 1 &&
                                          point.merge->runs < static_cast<int>(launches_needed) &&
                                          trust.launches_merged >= launches_needed
                                      ? 1
                                      : 0;
            if (!has(measurement.flags, Flag::unsettled) && !has(measurement.flags, Flag::timed_out) &&
                !has(measurement.flags, Flag::unreliable) && above_zero(measurement))
                ++trust.settled;

            skalib::RunningStatistics launches;
            for (const auto& [uuid, value] : launch_values(curve, measurement.argument))
                launches.add(value);
            if (launches.count() > 1 && launches.mean() > 0)
                deviations.push_back(std::sqrt(launches.variance()) / launches.mean());
        }
    }
    if (!deviations.empty())
        trust.noise_between_launches = skalib::median(std::move(deviations));
    return trust;
}

NoiseState noise_state(const Subject& subject, const Trust& trust) {
    if (trust.noise_between_launches)
        return NoiseState::known;
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
