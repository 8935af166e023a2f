// SPDX-License-Identifier: LGPL-2.1-or-later
#include "skalib/clock.hpp"
#include "skalib/merge.hpp"
#include "skalib/refinement.hpp"
#include "skalib/repetition.hpp"
#include "skalib/skalib.h"

#include <algorithm>
#include <exception>
#include <new>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

struct skalib_repetition {
    skalib::RepetitionControl control;
};
struct skalib_refinement {
    skalib::Refinement refinement;
};

namespace {

// C asks for it after the call that failed, as with errno: the only state that outlives one.
thread_local std::string last_error;

static_assert(int{SKALIB_TIME_LIMIT} == static_cast<int>(skalib::StopReason::time_limit) &&
              int{SKALIB_DYNAMIC_LOG} == static_cast<int>(skalib::Scale::dynamic_log) &&
              int{SKALIB_COMMON} == static_cast<int>(skalib::Grid::common) &&
              int{SKALIB_MINIMUM} == static_cast<int>(skalib::MergedValue::minimum) &&
              int{SKALIB_BY_PRECISION} == static_cast<int>(skalib::Weights::precision));

/// @return an enum skalib_error
template <typename Work>
int guarded(Work&& work) {
    last_error.clear();
    try {
        work();
        return SKALIB_OK;
    } catch (const std::bad_alloc&) {
        last_error = "no memory";
        return SKALIB_IMPOSSIBLE;
    } catch (const std::exception& error) {
        last_error = error.what();
        return SKALIB_BAD_INPUT;
    }
}

template <typename... Pointers>
void need(const Pointers*... pointers) {
    const bool any_null = (... || (pointers == nullptr));
    if (any_null)
        throw std::invalid_argument("found a null pointer, expected none");
}

template <typename Enum>
Enum enumerator(int number, Enum last) {
    if (number < 0 || number > static_cast<int>(last))
        throw std::invalid_argument("found " + std::to_string(number) + ", expected a number of the enum");
    return static_cast<Enum>(number);
}

/// 0 and less = none.
template <typename Number>
std::optional<Number> limit(Number number) {
    return number > 0 ? std::optional(number) : std::nullopt;
}

std::span<const double> values_of(const double* values, std::size_t count) {
    if (count > 0)
        need(values);
    return {values, count};
}

skalib_summary to_c(const skalib::Summary& s) {
    return {s.count,      s.mean_all,   s.standard_error_all,
            s.cut_count,  s.cut_mean,   s.cut_standard_error,
            s.minimum,    s.quartile25, s.median,
            s.quartile75, s.maximum};
}

skalib_interval to_c(const skalib::Interval& interval) {
    return {interval.low, interval.high, interval.confidence};
}

skalib_merged_point to_c(const skalib::MergedPoint& point) {
    return {point.argument,
            point.value,
            point.standard_error,
            static_cast<std::int64_t>(point.runs),
            static_cast<std::int64_t>(point.chosen),
            point.minimum,
            point.maximum,
            to_c(point.interval)};
}

skalib::WeightedValue weighted(const skalib_point& point) {
    return {point.value, point.standard_error, point.count};
}

std::vector<skalib::CurvePoint> curve_of(const skalib_curve& curve) {
    if (curve.count > 0)
        need(curve.points);
    std::vector<skalib::CurvePoint> points;
    for (const skalib_point& point : std::span(curve.points, curve.count)) {
        if (!points.empty() && point.argument <= points.back().argument)
            throw std::invalid_argument("found arguments that do not ascend, expected each once, ascending");
        points.push_back({point.argument, weighted(point), {}, false});
    }
    return points;
}

} // namespace

extern "C" {

const char* skalib_last_error() {
    return last_error.c_str();
}

double skalib_steady_seconds() {
    return skalib::steady_seconds();
}

void skalib_measure_clock(double* resolution_s, double* cost_s) {
    const skalib::ClockFacts facts = skalib::measure_clock(skalib::steady_seconds);
    if (resolution_s != nullptr)
        *resolution_s = facts.resolution_s;
    if (cost_s != nullptr)
        *cost_s = facts.cost_s;
}

std::int64_t skalib_block_size(double duration_s, double target_s) {
    return skalib::block_size(duration_s, target_s);
}

int skalib_summarise(const double* values, std::size_t count, double cut_quantile, skalib_summary* summary) {
    return guarded([&] {
        need(summary);
        *summary = to_c(skalib::summarise(values_of(values, count), cut_quantile));
    });
}

int skalib_median_interval(const double* values, std::size_t count, double confidence,
                           skalib_interval* interval) {
    return guarded([&] {
        need(interval);
        *interval = to_c(skalib::median_interval(values_of(values, count), confidence));
    });
}

void skalib_usual_repetition(skalib_repetition_limits* limits) {
    const skalib::RepetitionLimits usual;
    *limits = {usual.min_count,    usual.max_count.value_or(0),  usual.max_relative_error,
               usual.cut_quantile, usual.max_time_s.value_or(0), 0};
}

skalib_repetition* skalib_repetition_create(const skalib_repetition_limits* limits,
                                            double clock_resolution_s) {
    skalib_repetition* made = nullptr;
    guarded([&] {
        need(limits);
        const skalib::RepetitionLimits wanted{.min_count = limits->min_count,
                                              .max_count = limit(limits->max_count),
                                              .max_relative_error = limits->max_relative_error,
                                              .cut_quantile = limits->cut_quantile,
                                              .max_time_s = limit(limits->max_time_s),
                                              .estimator = limits->classic != 0
                                                               ? skalib::ErrorEstimator::classic
                                                               : skalib::ErrorEstimator::trimmed};
        made = new skalib_repetition{skalib::RepetitionControl(wanted, clock_resolution_s)};
    });
    return made;
}

void skalib_repetition_free(skalib_repetition* repetition) {
    delete repetition;
}

int skalib_repetition_add(skalib_repetition* repetition, double value_s, std::int64_t calls) {
    return guarded([&] {
        need(repetition);
        repetition->control.add(value_s, calls);
    });
}

void skalib_repetition_set_time_used(skalib_repetition* repetition, double time_s) {
    repetition->control.set_time_used(time_s);
}

std::int64_t skalib_repetition_wanted(const skalib_repetition* repetition) {
    return repetition->control.wanted();
}

int skalib_repetition_reason(const skalib_repetition* repetition) {
    return static_cast<int>(repetition->control.reason());
}

void skalib_repetition_summary(const skalib_repetition* repetition, skalib_summary* summary) {
    *summary = to_c(repetition->control.summary());
}

void skalib_usual_refinement(skalib_refinement_limits* limits, std::int64_t start, std::int64_t end) {
    const skalib::RefinementLimits usual;
    *limits = {static_cast<int>(usual.scale), start, end, 0, usual.multiple_of, usual.min_distance, 0, 0,
               usual.max_relative_error};
}

skalib_refinement* skalib_refinement_create(const skalib_refinement_limits* limits) {
    skalib_refinement* made = nullptr;
    guarded([&] {
        need(limits);
        const skalib::RefinementLimits wanted{.scale = enumerator(limits->scale, skalib::Scale::dynamic_log),
                                              .start = limits->start,
                                              .end = limits->end,
                                              .stepwidth = limits->stepwidth,
                                              .multiple_of = limits->multiple_of,
                                              .min_distance = limits->min_distance,
                                              .max_steps = limit(limits->max_steps),
                                              .max_relative_error = limits->max_relative_error,
                                              .max_distance = limit(limits->max_distance)};
        made = new skalib_refinement{skalib::Refinement(wanted)};
    });
    return made;
}

void skalib_refinement_free(skalib_refinement* refinement) {
    delete refinement;
}

int skalib_refinement_next(const skalib_refinement* refinement, std::int64_t* argument) {
    const std::optional<std::int64_t> next = refinement->refinement.next();
    if (next)
        *argument = *next;
    return next ? 1 : 0;
}

int skalib_refinement_add(skalib_refinement* refinement, std::int64_t argument, double value,
                          double standard_error) {
    return guarded([&] {
        need(refinement);
        refinement->refinement.add(argument, value, standard_error);
    });
}

void skalib_refinement_exclude(skalib_refinement* refinement, std::int64_t argument) {
    refinement->refinement.exclude(argument);
}

int skalib_weighted_median(const skalib_point* points, std::size_t count, std::size_t* index) {
    return guarded([&] {
        need(points, index);
        std::vector<skalib::WeightedValue> values;
        for (const skalib_point& point : std::span(points, count))
            values.push_back(weighted(point));
        *index = skalib::weighted_median(values);
    });
}

int skalib_merge_curves(const skalib_curve* runs, std::size_t run_count, int grid, int value, int weights,
                        skalib_merged_point* merged, std::size_t room, std::size_t* count) {
    return guarded([&] {
        need(runs, count);
        std::vector<std::vector<skalib::CurvePoint>> curves;
        for (const skalib_curve& run : std::span(runs, run_count))
            curves.push_back(curve_of(run));
        const std::vector<skalib::MergedPoint> points = skalib::merge_curves(
            curves, enumerator(grid, skalib::Grid::common), enumerator(value, skalib::MergedValue::minimum),
            enumerator(weights, skalib::Weights::precision));
        *count = points.size();
        for (std::size_t i = 0; merged != nullptr && i < std::min(room, points.size()); ++i)
            merged[i] = to_c(points[i]);
    });
}

} // extern "C"
