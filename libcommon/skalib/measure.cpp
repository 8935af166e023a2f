// SPDX-License-Identifier: LGPL-2.1-or-later
#include "skalib/measure.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <stdexcept>
#include <vector>

namespace skalib {
namespace {

using Call = std::function<void()>;

/// Time per call of a block of calls.
double time_block(const Call& call, std::int64_t calls, const Clock& clock) {
    const double begin = clock();
    for (std::int64_t i = 0; i < calls; ++i)
        call();
    const double end = clock();
    return (end - begin) / static_cast<double>(calls);
}

/// The clock, and what is measured about it once for all arguments.
struct Timer {
    Clock clock;
    ClockFacts clock_facts;
    std::int64_t least_calls = 1; ///< in a block
    double block_s = 0;           ///< a block is at least this long
};

Timer examine(const MeasureOptions& options, const RepetitionLimits& limits) {
    const ClockFacts facts = measure_clock(options.clock);
    if (options.resolution_s) // and long enough to be seen at all
        return {options.clock, facts, calls_for_resolution(facts, *options.resolution_s), facts.resolution_s};
    return {options.clock, facts, 1, shortest_block_s(facts, limits.max_relative_error)};
}

void require_possible(const MeasureOptions& options) {
    if (!options.clock)
        throw std::invalid_argument("clock must be a function");
    if (options.resolution_s && !(*options.resolution_s > 0 && std::isfinite(*options.resolution_s)))
        throw std::invalid_argument("resolution_s must be above 0");
    if (options.max_suite_time_s && !(*options.max_suite_time_s >= 0))
        throw std::invalid_argument("max_suite_time_s must be at least 0");
}

/// Small operations take up to some hundred calls until caches and branch predictors are settled, long ones a
/// few.
void warm_up(const Call& call, const Clock& clock, double until_s) {
    constexpr int least_calls = 3;
    constexpr int most_calls = 256;
    constexpr double enough_s = 200e-6;
    const double begin = clock();
    for (int calls = 0; calls < most_calls; ++calls) {
        const double now = clock();
        if (now >= until_s || (calls >= least_calls && now - begin >= enough_s))
            return;
        call();
    }
}

/// Calls per single measurement, by blocks that grow until they are long enough to be timed themselves.
std::int64_t calls_per_block(const Call& call, const Timer& timer, double until_s) {
    std::int64_t calls = timer.least_calls;
    for (;;) {
        const double each_s = time_block(call, calls, timer.clock);
        const double took_s = each_s * static_cast<double>(calls);
        constexpr std::int64_t most_calls = std::int64_t{1} << 20;
        if (took_s >= timer.block_s / 4 || calls >= most_calls || timer.clock() >= until_s)
            return std::max(calls, block_size(each_s, timer.block_s));
        calls *= 2;
    }
}

struct Overhead {
    double value_s = 0;
    double error_s = 0;
};

/// Time per call of an empty callable in blocks of this size: the clock's share and the call's own.
Overhead overhead(std::int64_t calls, const Clock& clock) {
    const Call nothing = [] {};
    std::vector<double> tries;
    for (int i = 0; i < 11; ++i)
        tries.push_back(time_block(nothing, calls, clock));
    // A quarter is cut off at each end: an interrupt in one of them must not be subtracted from every value.
    const Summary summary = summarise(tries, 0.25);
    return {summary.cut_mean, summary.cut_standard_error};
}

Summary without_overhead(Summary summary, const Overhead& overhead) {
    for (double* place : {&summary.mean_all, &summary.cut_mean, &summary.lower, &summary.minimum,
                          &summary.quartile25, &summary.median, &summary.quartile75, &summary.maximum})
        *place -= overhead.value_s;
    for (double* error : {&summary.standard_error_all, &summary.cut_standard_error})
        *error = std::hypot(*error, overhead.error_s);
    return summary;
}

using Overheads = std::map<std::int64_t, Overhead>; ///< by calls in a block

/// @param end_s by the clock: no later, even if the limits allow it
Measured measure_in(const Timer& timer, const Call& call, RepetitionLimits limits, Overheads& overheads,
                    double end_s = std::numeric_limits<double>::infinity()) {
    const double begin_s = timer.clock();
    if (end_s < begin_s + limits.max_time_s.value_or(std::numeric_limits<double>::infinity()))
        limits.max_time_s = std::max(0.0, end_s - begin_s);
    const double until_s =
        limits.max_time_s ? begin_s + *limits.max_time_s : std::numeric_limits<double>::infinity();
    warm_up(call, timer.clock, until_s);
    const std::int64_t calls = calls_per_block(call, timer, until_s);
    auto known = overheads.find(calls);
    if (known == overheads.end())
        known = overheads.emplace(calls, overhead(calls, timer.clock)).first;

    RepetitionControl control(limits, timer.clock_facts.resolution_s);
    // At least one, even if no time is left: without any there is no value.
    for (std::int64_t wanted = std::max<std::int64_t>(1, control.wanted()); wanted > 0;
         wanted = control.wanted()) {
        for (std::int64_t i = 0; i < wanted; ++i) {
            control.add(time_block(call, calls, timer.clock), calls);
            if (limits.max_time_s && timer.clock() >= until_s)
                break;
        }
        control.set_time_used(timer.clock() - begin_s);
    }
    return {0, without_overhead(control.summary(), known->second), control.reason(), known->second.value_s,
            known->second.error_s};
}

} // namespace

Measured measure(const std::function<void()>& call, const RepetitionLimits& limits, const Clock& clock) {
    return measure(call, limits, MeasureOptions{.clock = clock});
}

Measured measure(const std::function<void()>& call, const RepetitionLimits& limits,
                 const MeasureOptions& options) {
    const RepetitionControl checked(limits); // an impossible limit is refused before anything is called
    require_possible(options);
    Overheads overheads;
    return measure_in(examine(options, limits), call, limits, overheads);
}

std::vector<Measured> measure_suite(const std::function<void(std::int64_t)>& call,
                                    const RefinementLimits& arguments, const RepetitionLimits& limits,
                                    const Clock& clock) {
    return measure_suite(call, arguments, limits, MeasureOptions{.clock = clock});
}

std::vector<Measured> measure_suite(const std::function<void(std::int64_t)>& call,
                                    const RefinementLimits& arguments, const RepetitionLimits& limits,
                                    const MeasureOptions& options) {
    const RepetitionControl checked(limits);
    require_possible(options);
    Refinement refinement(arguments);
    const Timer timer = examine(options, limits);
    const double end_s = options.max_suite_time_s ? timer.clock() + *options.max_suite_time_s
                                                  : std::numeric_limits<double>::infinity();
    auto first_to_come = refinement.first_pass().size();
    Overheads overheads;
    std::map<std::int64_t, Measured> measured;
    while (const auto argument = refinement.next()) {
        double argument_end_s = end_s;
        if (options.max_suite_time_s) {
            const double now_s = timer.clock();
            if (now_s >= end_s)
                break;
            if (first_to_come > 0)
                argument_end_s = now_s + (end_s - now_s) / static_cast<double>(first_to_come--);
        }
        Measured at = measure_in(
            timer, [&] { call(*argument); }, limits, overheads, argument_end_s);
        at.argument = *argument;
        refinement.add(*argument, at.summary.cut_mean, at.summary.cut_standard_error);
        measured.emplace(*argument, at);
    }
    std::vector<Measured> ascending;
    for (auto& [argument, at] : measured)
        ascending.push_back(at);
    return ascending;
}

} // namespace skalib
