#include "merge/merge_suite.hpp"

#include "model/adjusted.hpp"
#include "skalib/curve.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <optional>
#include <set>

namespace skampi {
namespace {

bool has_value(const Measurement& measurement) {
    return std::isfinite(measurement.value_s) && measurement.summary.count > 0;
}

double known_lerp(double a, double b, double share) {
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
        return std::llround(std::lerp(static_cast<double>(left), static_cast<double>(right), share));
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

Measurement lerp(const Measurement& a, const Measurement& b, double share, std::int64_t argument) {
    Measurement between = share < 0.5 ? a : b; // mode, its share: not to be mixed
    between.argument = argument;
    for (const auto member : {&Measurement::value_s, &Measurement::standard_error_s, &Measurement::overhead_s,
                              &Measurement::overhead_error_s, &Measurement::adjusted_s, &Measurement::alone_s,
                              &Measurement::computation_s})
        between.*member = std::lerp(a.*member, b.*member, share);
    between.probe_s = known_lerp(a.probe_s, b.probe_s, share);
    between.core_clock_hz = known_lerp(a.core_clock_hz, b.core_clock_hz, share);
    between.summary = lerp(a.summary, b.summary, share);
    between.flags = a.flags | b.flags;
    between.modes.clear();
    between.node_times = lerp(a.node_times, b.node_times, share);
    between.discarded = 0;
    between.time_used_s = 0;
    return between;
}

/// One run's measurements that have a value.
class Curve {
    using Points = std::vector<const Measurement*>;

public:
    explicit Curve(const std::vector<Measurement>& measurements) {
        for (const Measurement& measurement : measurements)
            if (has_value(measurement))
                points_.push_back(&measurement);
    }
    [[nodiscard]] const Points& points() const { return points_; }

    [[nodiscard]] const Measurement* measured(std::int64_t argument) const {
        const auto place = place_of(argument);
        return place && place->at_point() ? *place->left : nullptr;
    }
    /// @pre the argument lies within the range
    [[nodiscard]] Measurement at(std::int64_t argument) const {
        const auto place = place_of(argument);
        assert(place);
        return place->at_point() ? **place->left
                                 : lerp(**place->left, **place->right, place->share, argument);
    }

private:
    [[nodiscard]] std::optional<skalib::CurvePlace<Points::const_iterator>>
    place_of(std::int64_t argument) const {
        return skalib::place_on_curve(points_.begin(), points_.end(), argument,
                                      [](const Measurement* point) { return point->argument; });
    }

    Points points_;
};

/// The median over the runs of the median within each; 0 where a run lacks it, so that all are treated alike.
double reference(std::span<const Curve> curves, double Measurement::*member) {
    std::vector<double> of_runs;
    for (const Curve& curve : curves) {
        if (curve.points().empty())
            continue;
        std::vector<double> of_run;
        for (const Measurement* point : curve.points()) {
            if (!(point->*member > 0))
                return 0;
            of_run.push_back(point->*member);
        }
        of_runs.push_back(lower_median(std::move(of_run)));
    }
    return lower_median(std::move(of_runs));
}

std::vector<skalib::CurvePoint> curve_points(const std::vector<Measurement>& measurements) {
    std::vector<skalib::CurvePoint> points;
    for (const Measurement& m : measurements)
        points.push_back(
            {m.argument,
             {m.value_s, m.standard_error_s, has_value(m) ? static_cast<double>(m.summary.count) : 0},
             {}});
    return points;
}

/// NaN (not known of some runs) is passed over.
double smallest(double a, double b) {
    return std::fmin(a, b);
}
double largest(double a, double b) {
    return std::fmax(a, b);
}

class PointMerger {
public:
    PointMerger(std::span<const SuiteCurve> runs, std::span<const Curve> curves, const MergedSuite& suite,
                skalib::Weights weights)
        : runs_(runs)
        , curves_(curves)
        , suite_(suite)
        , weights_(weights) {}

    [[nodiscard]] MergedMeasurement merge(const skalib::MergedPoint& point) const {
        const std::int64_t argument = point.argument;
        MergedMeasurement merged;
        Measurement& m = merged.measurement;
        m = curves_[point.chosen].at(argument);
        m.value_s = point.value;
        m.standard_error_s = point.standard_error;
        m.flags &= ~(Flag::interpolated | Flag::one_run);
        if (point.chosen_interpolated)
            set(m.flags, Flag::interpolated);
        if (point.runs == 1)
            set(m.flags, Flag::one_run);

        skalib::Summary& summary = m.summary;
        m.discarded = 0;
        m.time_used_s = 0;
        double lowest_probe_s = std::numeric_limits<double>::infinity();
        double highest_probe_s = 0;
        std::ptrdiff_t disturbed = 0;
        std::ptrdiff_t unsynchronised = 0;
        const Measurement* planned = nullptr;
        std::vector<skalib::WeightedValue> adjusted_values;
        for (std::size_t run = 0; run < runs_.size(); ++run) {
            if (!point.sources[run])
                continue;
            const Measurement own = curves_[run].at(argument);
            summary.minimum = smallest(summary.minimum, own.summary.minimum);
            summary.maximum = largest(summary.maximum, own.summary.maximum);
            m.discarded += own.discarded;
            disturbed += has(own.flags, Flag::disturbed) ? 1 : 0;
            unsynchronised += has(own.flags, Flag::unsynchronised) ? 1 : 0;
            m.time_used_s += own.time_used_s;
            if (own.probe_s > 0) {
                lowest_probe_s = smallest(lowest_probe_s, own.probe_s);
                highest_probe_s = largest(highest_probe_s, own.probe_s);
            }
            adjusted_values.push_back({adjusted_of(own), own.standard_error_s,
                                       weights_ == skalib::Weights::equal ? 1 : point.sources[run]->weight});
            if (planned == nullptr)
                planned = curves_[run].measured(argument);
        }
        summary.count = std::llround(point.count);
        if (highest_probe_s >= mode_ratio * lowest_probe_s)
            set(m.flags, Flag::several_modes);
        // A few such runs do not move a median; half of them do.
        if (2 * disturbed >= std::ssize(adjusted_values))
            set(m.flags, Flag::disturbed);
        if (2 * unsynchronised >= std::ssize(adjusted_values))
            set(m.flags, Flag::unsynchronised);
        m.adjusted_s = adjusted_values[skalib::weighted_median(adjusted_values)].value;
        // What was planned at this argument is not a matter of interpolation.
        if (planned != nullptr) {
            m.message_bytes = planned->message_bytes;
            m.ranks = planned->ranks;
            m.chunks = planned->chunks;
            m.messages = planned->messages;
        }
        merged.facts = facts_of(point);
        return merged;
    }

private:
    [[nodiscard]] double adjusted_of(const Measurement& own) const {
        if (suite_.reference_probe_s == 0 && suite_.reference_clock_hz == 0)
            return own.adjusted_s; // nothing to compute with: what the run says itself
        const bool same_mode = in_one_mode(own.probe_s, suite_.reference_probe_s);
        return adjusted_value(own, same_mode ? suite_.reference_probe_s : 0, suite_.reference_clock_hz);
    }

    [[nodiscard]] MergeFacts facts_of(const skalib::MergedPoint& point) const {
        MergeFacts facts;
        facts.runs = static_cast<int>(point.runs);
        facts.minimum_s = point.minimum;
        facts.maximum_s = point.maximum;
        facts.mad_s = point.mad;
        facts.between_runs_error_s = point.between_runs_error;
        facts.interval_low_s = point.median_interval.low;
        facts.interval_high_s = point.median_interval.high;
        facts.interval_confidence = point.median_interval.confidence;
        for (std::size_t run = 0; run < runs_.size(); ++run) {
            Source source;
            source.run = runs_[run].run;
            source.database = runs_[run].file;
            if (const auto& value = point.sources[run]) {
                source.value_s = value->value;
                source.standard_error_s = value->standard_error;
                source.count = value->weight;
                source.interpolated = point.source_interpolated[run];
                source.chosen = run == point.chosen;
            }
            facts.sources.push_back(std::move(source));
        }
        return facts;
    }

    std::span<const SuiteCurve> runs_;
    std::span<const Curve> curves_;
    const MergedSuite& suite_;
    skalib::Weights weights_;
};

/// A measurement that says that its operation is wrong, and nothing else.
MergedMeasurement without_value(const Measurement& wrong, std::span<const SuiteCurve> runs) {
    MergedMeasurement merged;
    merged.measurement = wrong;
    merged.measurement.modes.clear();
    merged.measurement.node_times.clear();
    for (const SuiteCurve& run : runs)
        merged.facts.sources.push_back({run.run, run.file, std::nullopt, 0, 0, false, false});
    return merged;
}

} // namespace

double lower_median(std::vector<double> values) {
    if (values.empty())
        return 0;
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>((values.size() - 1) / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

MergedSuite merge_suite(std::span<const SuiteCurve> runs, skalib::Grid grid, skalib::MergedValue value,
                        skalib::Weights weights) {
    MergedSuite suite;
    std::vector<Curve> curves;
    std::vector<std::vector<skalib::CurvePoint>> points;
    for (const SuiteCurve& run : runs) {
        curves.emplace_back(run.measurements);
        points.push_back(curve_points(run.measurements));
    }
    suite.reference_probe_s = reference(curves, &Measurement::probe_s);
    suite.reference_clock_hz = reference(curves, &Measurement::core_clock_hz);

    const PointMerger merger(runs, curves, suite, weights);
    std::set<std::int64_t> merged;
    for (const skalib::MergedPoint& point : skalib::merge_curves(points, grid, value, weights)) {
        suite.points.push_back(merger.merge(point));
        suite.abstained += runs.size() - point.runs;
        merged.insert(suite.points.back().measurement.argument);
    }
    for (const SuiteCurve& run : runs)
        for (const Measurement& m : run.measurements) {
            if (!has(m.flags, Flag::wrong_result))
                continue;
            ++suite.wrong_results;
            if (!has_value(m) && merged.insert(m.argument).second) {
                suite.points.push_back(without_value(m, runs));
                suite.abstained += runs.size();
            }
        }
    std::sort(suite.points.begin(), suite.points.end(),
              [](const MergedMeasurement& a, const MergedMeasurement& b) {
                  return a.measurement.argument < b.measurement.argument;
              });
    return suite;
}

} // namespace skampi
