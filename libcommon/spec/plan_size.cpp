// SPDX-License-Identifier: LGPL-2.1-or-later
#include "spec/plan_size.hpp"

#include "base/error.hpp"
#include "base/text.hpp"
#include "model/measurement.hpp"
#include "model/pattern.hpp"
#include "model/placement.hpp"
#include "spec/plan.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <stdexcept>
#include <vector>

namespace skampi {

namespace {

/// Typical number of single measurements of an argument, within its limits.
double usual_count(const skalib::RepetitionLimits& limits) {
    const auto fewest = static_cast<double>(limits.min_count);
    const double several = 8 * fewest;
    return limits.max_count ? std::min(several, static_cast<double>(*limits.max_count)) : several;
}

/// Estimated time of one call: on a network of 1 us and 5 GB/s, with a tree of messages for collectives.
double usual_call_s(const Suite& suite, std::int64_t argument, int ranks) {
    constexpr double latency_s = 1e-6;
    constexpr double bytes_per_s = 5e9;
    const auto bytes =
        static_cast<double>(suite.varied == Varied::message_length ? argument : suite.message_bytes);
    const double participants =
        suite.varied == Varied::nodes ? static_cast<double>(argument) : ranks_of(suite, ranks);
    const double message_s = latency_s + bytes / bytes_per_s;
    const auto chunks = static_cast<double>(suite.varied == Varied::chunks ? argument : suite.chunks);
    if (const auto messages = row_of(suite.operation.pattern).messages)
        return message_s * messages(participants, chunks);
    return suite.varied == Varied::message_length ? bytes / bytes_per_s : latency_s;
}

/// Estimated time of one argument: warm-up and repetition of blocks of at least 4 us, and at least several
/// milliseconds in every pass. Emptying the caches writes 256 MiB.
double usual_argument_s(const Suite& suite, std::int64_t argument, int ranks) {
    constexpr double shortest_visit_s = 6e-3;
    constexpr double emptying_s = 40e-3;
    const double call_s =
        usual_call_s(suite, argument, ranks) + (suite.buffers == BufferPolicy::cold ? emptying_s : 0);
    const double warm_up_calls = call_s < 10e-6 ? 256 : 4;
    const double time_s = std::max(suite.passes * shortest_visit_s,
                                   suite.passes * warm_up_calls * call_s +
                                       usual_count(suite.repetition) * std::max(call_s, usual_block_s));
    return suite.repetition.max_time_s ? std::min(time_s, *suite.repetition.max_time_s) : time_s;
}

/// What an argument takes in the database: its row and those of its batches, and its single measurements.
double usual_argument_bytes(const Suite& suite, int ranks) {
    constexpr double row_bytes = 1000;
    constexpr double batch_bytes = 10; // of each single measurement
    constexpr double time_bytes = sizeof(float);
    if (suite.samples == SampleStorage::summary)
        return row_bytes;
    return row_bytes + usual_count(suite.repetition) *
                           (batch_bytes + time_bytes * (1 + (suite.node_times ? ranks_of(suite, ranks) : 0)));
}

/// The largest number of arguments: Max_Steps, or as many as fit between the first and the last.
std::int64_t most_points(const skalib::RefinementLimits& arguments, std::int64_t first_pass) {
    const std::int64_t distance = std::max({arguments.multiple_of, arguments.min_distance, std::int64_t{1}});
    const std::int64_t between = (arguments.end - arguments.start) / distance; // and both ends
    const std::int64_t most = arguments.max_steps.value_or(std::numeric_limits<std::int64_t>::max());
    return std::max(first_pass, between >= most ? most : std::min(most, between + 1));
}

/// Whether a run with so many ranks lacks the suite's partner.
bool lacks_partner(const Suite& suite, int ranks) {
    const PartnerChoice choice = partner_choice(suite);
    return suite.operation.pattern == Pattern::ping_pong && choice.rule == PartnerChoice::Rule::rank &&
           choice.rank >= ranks;
}

/// Whether the existence of the partner depends on where the launcher places the ranks.
bool partner_depends_on_placement(const Suite& suite) {
    const PartnerChoice::Rule rule = partner_choice(suite).rule;
    return suite.operation.pattern == Pattern::ping_pong &&
           (rule == PartnerChoice::Rule::same_socket || rule == PartnerChoice::Rule::other_socket ||
            rule == PartnerChoice::Rule::other_node);
}

std::optional<Obstacle> obstacle_of(const Suite& suite, int ranks, bool has_arguments) {
    if (!has_ranks(suite, ranks))
        return Obstacle::few_ranks;
    if (lacks_partner(suite, ranks))
        return Obstacle::no_partner;
    if (has_arguments)
        return std::nullopt;
    return suite.varied == Varied::nodes            ? Obstacle::few_ranks
           : suite.varied == Varied::message_length ? Obstacle::little_memory
                                                    : Obstacle::no_multiple;
}

} // namespace

SuiteSize size_of(const Suite& suite, int ranks, std::int64_t memory_bytes) {
    SuiteSize size;
    size.partner_by_placement = partner_depends_on_placement(suite);
    const auto arguments = resolved_arguments(suite, ranks, memory_bytes);
    size.obstacle = obstacle_of(suite, ranks, arguments.has_value());
    if (size.obstacle) {
        size.longest_s = 0;
        return size;
    }
    const std::vector<std::int64_t> first_pass = [&] {
        try {
            return skalib::Refinement(*arguments).first_pass();
        } catch (const std::invalid_argument& error) { // depends on the number of ranks
            throw InputError(fmt::format("suite {}: {}", printable(suite.name), error.what()));
        }
    }();
    const bool refined = skalib::is_dynamic(arguments->scale);
    size.start = arguments->start;
    size.end = arguments->end;
    size.end_by_memory = suite.end_is_max && suite.varied == Varied::message_length;
    size.first_points = static_cast<std::int64_t>(first_pass.size());
    size.most_points = refined ? most_points(*arguments, size.first_points) : size.first_points;

    for (const std::int64_t argument : first_pass)
        size.estimate_s += usual_argument_s(suite, argument, ranks);
    constexpr double usually_refined = 1.5;
    const auto first_points = static_cast<double>(size.first_points);
    const double points = std::min(usually_refined * first_points, static_cast<double>(size.most_points));
    size.estimate_s *= points / first_points;
    size.bytes = points * usual_argument_bytes(suite, ranks);
    size.longest_call_s = usual_call_s(suite, size.end, ranks);
    if (suite.repetition.max_time_s)
        size.longest_s = static_cast<double>(size.most_points) * *suite.repetition.max_time_s;
    if (suite.max_suite_time_s) {
        size.longest_s = std::min(size.longest_s.value_or(*suite.max_suite_time_s), *suite.max_suite_time_s);
        size.estimate_s = std::min(size.estimate_s, *suite.max_suite_time_s);
    }
    return size;
}

} // namespace skampi
