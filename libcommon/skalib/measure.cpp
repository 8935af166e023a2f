#include "skalib/measure.hpp"

#include <algorithm>
#include <limits>
#include <map>
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

/// The clock, and what is found out of it once for all arguments.
struct Timer {
    Clock clock;
    ClockFacts clock_facts;
    double block_s = 0; ///< a block this long hides the clock's cost and resolution below the error allowed
};

Timer examine(const Clock& clock, const RepetitionLimits& limits) {
    const ClockFacts facts = measure_clock(clock);
    return {clock, facts, (facts.resolution_s + facts.cost_s) / limits.max_relative_error};
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
    std::int64_t calls = 1;
    for (;;) {
        const double each_s = time_block(call, calls, timer.clock);
        const double took_s = each_s * static_cast<double>(calls);
        constexpr std::int64_t most_calls = std::int64_t{1} << 20;
        if (took_s >= timer.block_s / 4 || calls >= most_calls || timer.clock() >= until_s)
            return std::max(calls, block_size(each_s, timer.block_s));
        calls *= 2;
    }
}

/// Time per call of an empty callable in blocks of this size: the clock's share and the call's own.
double overhead(std::int64_t calls, const Clock& clock) {
    const Call nothing = [] {};
    std::vector<double> tries;
    // A median of a few: an interrupt in one of them must not be subtracted from every value.
    for (int i = 0; i < 11; ++i)
        tries.push_back(time_block(nothing, calls, clock));
    return summarise(tries, 0).median;
}

Summary without_overhead(Summary summary, double overhead_s) {
    for (double* place : {&summary.mean_all, &summary.cut_mean, &summary.lower, &summary.minimum,
                          &summary.quartile25, &summary.median, &summary.quartile75, &summary.maximum})
        *place -= overhead_s;
    return summary;
}

Measured measure_in(const Timer& timer, const Call& call, const RepetitionLimits& limits,
                    std::map<std::int64_t, double>& overheads) {
    const double begin_s = timer.clock();
    const double until_s =
        limits.max_time_s ? begin_s + *limits.max_time_s : std::numeric_limits<double>::infinity();
    warm_up(call, timer.clock, until_s);
    const std::int64_t calls = calls_per_block(call, timer, until_s);
    const auto known = overheads.find(calls);
    const double overhead_s = known != overheads.end()
                                  ? known->second
                                  : overheads.emplace(calls, overhead(calls, timer.clock)).first->second;

    RepetitionControl control(limits, timer.clock_facts.resolution_s);
    for (std::int64_t wanted = control.wanted(); wanted > 0; wanted = control.wanted()) {
        for (std::int64_t i = 0; i < wanted; ++i) {
            control.add(time_block(call, calls, timer.clock), calls);
            if (limits.max_time_s && timer.clock() >= until_s)
                break;
        }
        control.set_time_used(timer.clock() - begin_s);
    }
    return {0, without_overhead(control.summary(), overhead_s), control.reason()};
}

} // namespace

Measured measure(const std::function<void()>& call, const RepetitionLimits& limits, const Clock& clock) {
    const RepetitionControl checked(limits); // an impossible limit is refused before anything is called
    std::map<std::int64_t, double> overheads;
    return measure_in(examine(clock, limits), call, limits, overheads);
}

std::vector<Measured> measure_suite(const std::function<void(std::int64_t)>& call,
                                    const RefinementLimits& arguments, const RepetitionLimits& limits,
                                    const Clock& clock) {
    const RepetitionControl checked(limits);
    Refinement refinement(arguments);
    const Timer timer = examine(clock, limits);
    std::map<std::int64_t, double> overheads;
    std::map<std::int64_t, Measured> measured;
    while (const auto argument = refinement.next()) {
        Measured at = measure_in(
            timer, [&] { call(*argument); }, limits, overheads);
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
