// SPDX-License-Identifier: LGPL-2.1-or-later
#include "own_functions/local_laboratory.hpp"

#include "host/core_probe.hpp"
#include "host/host_facts.hpp"
#include "plan/argument_meaning.hpp"

#include <algorithm>
#include <cassert>
#include <exception>
#include <fmt/format.h>
#include <new>
#include <unistd.h>
#include <utility>

namespace skampi {
namespace {

/// What a user's part throws, as text; empty = nothing. An allocation that fails says so.
template <typename Part>
std::string thrown_by(const Part& part) noexcept {
    try {
        part();
        return {};
    } catch (const std::bad_alloc&) {
        return "no memory";
    } catch (const std::exception& error) {
        const std::string text = error.what();
        return text.empty() ? "an exception without a text" : text;
    } catch (...) {
        return "something that is not a std::exception";
    }
}

} // namespace

LocalLaboratory::LocalLaboratory(const std::vector<Suite>& plan, const std::vector<Function>& functions,
                                 std::function<bool()> stop, skalib::Clock clock)
    : plan_(plan)
    , functions_(functions)
    , stop_(std::move(stop))
    , clock_(std::move(clock))
    , epoch_s_(clock_()) {}

LocalLaboratory::~LocalLaboratory() {
    (void)tear_down();
}

std::string LocalLaboratory::tear_down() noexcept {
    std::string problem;
    if (std::exchange(ready_, false) && function_->teardown)
        problem = thrown_by([&] { function_->teardown(); });
    return problem;
}

std::string LocalLaboratory::prepare(int suite, std::int64_t argument) {
    if (suite == suite_ && argument == arguments_.argument && ready_)
        return {};
    if (const std::string problem = tear_down(); !problem.empty())
        throw LaboratoryError(fmt::format("clearing up after {} threw: {}", function_->name, problem));
    const Suite& planned = plan_[static_cast<std::size_t>(suite)];
    if (suite != suite_) {
        facts_.clear();
        verified_.clear();
        buffers_ = Buffers(planned.buffers);
        suite_began_ = host_moment({getpid()});
        suite_began_s_ = now();
        suite_ = suite;
        function_ = &*std::ranges::find(functions_, planned.operation.name, &Function::name);
    }
    if (const std::string problem = thrown_by([&] { set_up(planned, argument); }); !problem.empty())
        return fmt::format("setting up {} threw: {}", function_->name, problem);
    if (const std::string problem = thrown_by([&] { check(argument); }); !problem.empty()) {
        (void)tear_down();
        throw LaboratoryError(fmt::format("checking {} threw: {}", function_->name, problem));
    }
    return {};
}

void LocalLaboratory::set_up(const Suite& suite, std::int64_t argument) {
    const ArgumentMeaning meaning = meaning_of(suite, argument, 1);
    arguments_ = {argument, meaning.message_bytes, meaning.chunks};
    if (function_->wants_buffers) {
        const auto reserve = [&](std::int64_t bytes) {
            buffers_.reserve(static_cast<std::size_t>(bytes), static_cast<std::size_t>(bytes));
        };
        if (verified_.empty()) // all arguments use the same pages
            reserve(meaning_of(suite, suite.arguments.end, 1).message_bytes);
        reserve(meaning.message_bytes);
        arguments_.source = buffers_.send();
        arguments_.target = buffers_.receive();
        if (!buffers_.pages().empty()) {
            pages_.insert(buffers_.pages());
            facts_["pages"] = buffers_.pages();
        }
    }
    if (function_->setup)
        function_->setup(arguments_);
    ready_ = true;
}

/// Once for each argument: later visits learn nothing new.
void LocalLaboratory::check(std::int64_t argument) {
    const auto [known, is_new] = verified_.try_emplace(argument, true);
    if (is_new && function_->check) {
        function_->call(arguments_);
        known->second = function_->check(arguments_);
        if (function_->between)
            function_->between(arguments_);
    }
    delivered_right_ = known->second;
}

void LocalLaboratory::timed_loop(const Loop& loop, std::vector<double>& durations_s) {
    const std::function<void(const Arguments&)>& call = loop.call;
    const std::int64_t block = loop.block;
    const bool empty = loop.empty;
    const bool acts = buffers_.acts_between_calls() && !empty;
    const auto inverse_block = 1.0 / static_cast<double>(block);
    for (std::int64_t i = 0; i < loop.count; ++i) {
        if (acts) {
            buffers_.between_calls();
            if (function_->wants_buffers) {
                arguments_.source = buffers_.send();
                arguments_.target = buffers_.receive();
            }
        }
        const double begin_s = clock_();
        for (std::int64_t k = 0; k < block; ++k)
            call(arguments_);
        durations_s.push_back((clock_() - begin_s) * inverse_block);
        if (function_->between && !empty)
            function_->between(arguments_);
    }
}

SeriesResult LocalLaboratory::series(const SeriesOrder& order) {
    assert(ready_);
    SeriesResult result;
    if (const std::string problem = thrown_by([&] { run_series(order, result); }); !problem.empty()) {
        (void)tear_down();
        throw LaboratoryError(fmt::format("{} threw: {}", function_->name, problem));
    }
    return result;
}

void LocalLaboratory::run_series(const SeriesOrder& order, SeriesResult& result) {
    // The empty call goes the same way, so that what is subtracted is what was added.
    const std::function<void(const Arguments&)> nothing = [](const Arguments&) {};
    Loop loop{order.empty ? nothing : function_->call, order.empty};
    const double begin_s = clock_();
    const auto time_over = [&] { return stop_() || time_is_over(order, std::ssize(result.batches), now()); };
    SeriesWatch watch(order, {.clock = clock_,
                              .probe = [&] { return core_probe(clock_, time_over); },
                              .look = [&] { return skalib::core_speed(clock_); }});
    std::vector<double> warm;
    for (std::int64_t& calls = result.warm_up_calls; calls < order.warm_up; calls += loop.count) {
        if (time_over() || warm_up_is_over(order, calls, clock_() - begin_s))
            break;
        loop.count = next_warm_up_calls(order, calls);
        timed_loop(loop, warm);
    }
    if (!warm.empty()) // the fastest: an interruption must not decide how the rest is planned
        result.warm_up_call_s = std::ranges::min(warm);

    watch.begin(time_over());
    loop.count = order.per_batch;
    loop.block = order.block;
    DisturbanceMeter meter;
    for (std::int64_t b = 0; b < order.batches && !time_over(); ++b) {
        Batch batch;
        batch.block = order.block;
        batch.synchronization = order.synchronization;
        batch.start_s = now();
        batch.probe_before_s = watch.last_probe_s();
        meter.lap();
        timed_loop(loop, batch.duration_s);
        const Disturbance disturbance = meter.lap();
        batch.involuntary_switches = disturbance.involuntary_switches;
        batch.migrations = disturbance.migrations;
        for (double& duration_s : batch.duration_s)
            duration_s = to_picoseconds(duration_s);
        result.batches.push_back(std::move(batch));
        watch.add(result.batches);
    }
    watch.finish(result.batches);
    const double end_s = clock_();
    if (!result.batches.empty())
        result.batches.back().steal_ticks = steal_.lap(end_s);
    result.inside_s = end_s - begin_s - watch.away_s();
    result.probe_cost_s = watch.probe_cost_s();
    judge_cores(order, watch, result.batches);
}

void LocalLaboratory::judge_cores(const SeriesOrder& order, SeriesWatch& watch, std::vector<Batch>& batches) {
    const std::vector<skalib::CoreSpeed> speeds = watch.take_speeds();
    for (std::size_t b = 0; b < batches.size(); ++b) {
        Batch& batch = batches[b];
        batch.dirty = interrupted(batch);
        if (watch.is_probing()) { // look_every batches lie between two looks
            const std::size_t before = b / static_cast<std::size_t>(order.look_every);
            batch.core_clock_hz = speeds[before].clock_hz;
            batch.core_throughput =
                throughput_as_stored(std::min(speeds[before].throughput, speeds[before + 1].throughput));
        }
    }
}

std::map<std::string, std::string> LocalLaboratory::suite_facts() {
    std::map<std::string, std::string> facts = facts_;
    facts.merge(host_facts_since(suite_began_, now() - suite_began_s_, {getpid()}));
    return facts;
}

std::vector<RankFacts> LocalLaboratory::end_suite() {
    if (const std::string problem = tear_down(); !problem.empty())
        throw LaboratoryError(fmt::format("clearing up after {} threw: {}", function_->name, problem));
    RankFacts mine = own_rank_facts(0, host_name());
    mine.pages = fmt::format("{}", fmt::join(pages_, ", "));
    return {mine};
}

} // namespace skampi
