#include "analysis/trust.hpp"

#include "analysis/comparison.hpp"
#include "skalib/statistics.hpp"

#include "merge/run_group.hpp"
#include "model/quantity.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

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

std::vector<std::string> run_doubts(const Subject& subject) {
    std::vector<std::string> found;
    if (!subject.ended)
        found.push_back("the measurements were interrupted or still go on");
    if (subject.run && subject.run->facts.contains(fact_merged_by_force))
        found.push_back("the runs differ from one another and were merged by force");
    bool suites_told = false;
    const auto of_suites = [&](SuiteState state, const char* singular, const char* plural) {
        const auto count =
            std::ranges::count(subject.curves, state, [](const Curve& curve) { return curve.stored.state; });
        if (count == 0)
            return;
        const std::string all =
            fmt::format(" of {}", count_of(static_cast<std::int64_t>(subject.curves.size()), "suite"));
        found.push_back(
            fmt::format("{}{} {}", count, suites_told ? "" : all, count == 1 ? singular : plural));
        suites_told = true;
    };
    of_suites(SuiteState::failed, "failed", "failed");
    of_suites(SuiteState::put_off, "was put off", "were put off");
    of_suites(SuiteState::open, "is not finished", "are not finished");
    return found;
}

} // namespace skampi
