// SPDX-License-Identifier: LGPL-2.1-or-later
#include "metrics/open_metrics.hpp"

#include "analysis/trust/headline.hpp"
#include "analysis/trust/value_error.hpp"

#include "base/text.hpp"
#include "base/utc.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>
#include <map>
#include <set>
#include <utility>

namespace skampi {

namespace {

using MetricLabels = std::vector<std::pair<const char*, std::string>>;

/// The samples of one name, all of them gauges.
class MetricFamily {
public:
    MetricFamily(std::string name, const std::string& help)
        : name_(std::move(name))
        , head_(fmt::format("# HELP {0} {1}\n# TYPE {0} gauge\n", name_, help)) {}

    void add(const MetricLabels& labels, double value) {
        std::string inside;
        for (const auto& [name, text] : labels)
            inside += fmt::format("{}{}=\"{}\"", inside.empty() ? "" : ",", name, for_metric_label(text));
        samples_ += fmt::format("{}{{{}}} {}\n", name_, inside, value);
    }
    void add(const MetricLabels& labels, const std::optional<double>& value) {
        if (value)
            add(labels, *value);
    }
    [[nodiscard]] std::string text() const { return samples_.empty() ? std::string() : head_ + samples_; }

private:
    std::string name_;
    std::string head_;
    std::string samples_;
};

/// The points with a time above zero, of which there are series: the headlines' or all.
std::vector<std::pair<const Curve*, const StoredMeasurement*>> metric_points(const Subject& subject,
                                                                             bool all) {
    std::set<const StoredMeasurement*> wanted;
    for (const Headline& headline : headlines(subject))
        wanted.insert(headline.point);
    std::vector<std::pair<const Curve*, const StoredMeasurement*>> points;
    for (const Curve& curve : subject.curves)
        for (const StoredMeasurement& point : curve.points)
            if (above_zero(point.measurement) && (all || wanted.contains(&point)))
                points.emplace_back(&curve, &point);
    return points;
}

} // namespace

std::string open_metrics(const Subject& subject, bool all) {
    MetricFamily time("skampi_operation_seconds", "Time of a call.");
    MetricFamily low("skampi_operation_low_seconds", "Lower end of the error of the time of a call.");
    MetricFamily high("skampi_operation_high_seconds", "Upper end of the error of the time of a call.");
    MetricFamily bandwidth("skampi_bandwidth_bytes_per_second", "Bytes that a call moves by its time.");
    MetricFamily suites("skampi_suite_state", "Number of suites in a state.");
    MetricFamily flagged("skampi_points_flagged", "Number of points with a flag.");
    MetricFamily newest("skampi_last_run_timestamp_seconds", "When the newest launch ended, or else began.");
    const MetricLabels machine{{"machine", subject.run ? subject.run->host : std::string()}};
    const auto with = [&](const MetricLabels& more) {
        MetricLabels labels = machine;
        std::ranges::copy(more, std::back_inserter(labels));
        return labels;
    };
    for (const auto& [curve, point] : metric_points(subject, all)) {
        const Measurement& m = point->measurement;
        const MetricLabels labels = with({{"suite", curve->suite().name},
                                          {"operation", curve->suite().operation.name},
                                          {"ranks", std::to_string(m.ranks)},
                                          {"argument", std::to_string(m.argument)}});
        const ValueError error = value_error(*point);
        time.add(labels, m.value_s);
        low.add(labels, error.low);
        high.add(labels, error.high);
        if (const double bytes = bytes_moved(*curve, m); bytes > 0)
            bandwidth.add(labels, bytes / m.value_s);
    }
    std::map<std::string, double> states;
    std::map<std::string, double> flags;
    for (const SuiteState state :
         {SuiteState::open, SuiteState::finished, SuiteState::failed, SuiteState::put_off})
        states[std::string(to_text(state))] = 0;
    for (const Flag flag : all_flags())
        flags[flag_words(static_cast<Flags>(flag))] = 0;
    for (const Curve& curve : subject.curves) {
        ++states[std::string(to_text(curve.stored.state))];
        for (const StoredMeasurement& point : curve.points)
            for (const Flag flag : all_flags())
                if (has(point.measurement.flags, flag))
                    ++flags[flag_words(static_cast<Flags>(flag))];
    }
    for (const auto& [state, count] : states)
        suites.add(with({{"state", state}}), count);
    for (const auto& [flag, count] : flags)
        flagged.add(with({{"flag", flag}}), count);
    std::optional<double> ended = subject.run ? utc_seconds(subject.run->ended_utc) : std::nullopt;
    if (!ended && subject.run)
        ended = utc_seconds(subject.run->started_utc);
    newest.add(machine, ended);
    std::string text;
    for (const MetricFamily* family : {&time, &low, &high, &bandwidth, &suites, &flagged, &newest})
        text += family->text();
    return text + "# EOF\n";
}

} // namespace skampi
