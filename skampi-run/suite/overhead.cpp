// SPDX-License-Identifier: LGPL-2.1-or-later
#include "suite/overhead.hpp"

#include "model/machine_state.hpp"
#include "model/pattern.hpp"

#include <algorithm>
#include <cmath>

namespace skampi {
namespace {

constexpr double cut_quantile = 0.25;
/// Series of empty calls of one key, with minutes between them, agreed within a factor of two.
constexpr double alike_within = 3;
/// Undisturbed empty calls lie within a few times the fastest, however ranks start; an interruption takes a
/// thousand times as long.
constexpr double interrupted_from = 10;
/// A step of the clock more or less is no interruption of calls that take hardly one.
constexpr double steps_of_slack = 10;
/// The slowest barrier of a library took ten times as long as our own, the loop around it less; the shortest
/// interruption of one takes a thousand times as long.
constexpr double longest_in_agreements = 100;

/// Keeps those that were not interrupted, judged by the fastest one.
void leave_out_interrupted(std::vector<double>& values_s, std::vector<skalib::Origin>& origins,
                           double step_s) {
    const double longest_s = interrupted_from * std::ranges::min(values_s) + steps_of_slack * step_s;
    std::size_t left = 0;
    for (std::size_t i = 0; i < values_s.size(); ++i)
        if (values_s[i] <= longest_s) {
            values_s[left] = values_s[i];
            origins[left++] = origins[i];
        }
    values_s.resize(left);
    origins.resize(left);
}

bool differs(const Overhead& overhead, const std::vector<Overhead>& others, double clock_resolution_s) {
    std::vector<double> comparable_s;
    for (const Overhead& other : others)
        if (!(other.probe_s > 0 && overhead.probe_s > 0) || in_one_mode(other.probe_s, overhead.probe_s))
            comparable_s.push_back(other.value_s);
    if (comparable_s.empty())
        return false;
    const double usual_s = skalib::median(std::move(comparable_s));
    return std::abs(overhead.value_s - usual_s) > clock_resolution_s &&
           (overhead.value_s > alike_within * usual_s || usual_s > alike_within * overhead.value_s);
}

} // namespace

OverheadKey overhead_key(const Suite& suite, int ranks, Synchronization synchronization, std::int64_t block) {
    OverheadKey key{.pattern = suite.operation.pattern, .ranks = ranks, .block = block};
    if (row_of(key.pattern).starts_together) { // the others start in one way, and rank 0 keeps their time
        key.synchronization = synchronization;
        key.reported_time = suite.reported_time;
        key.root = suite.root;
        key.join = join_order(suite);
    }
    return key;
}

Overhead overhead_of(const OverheadKey& key, const SeriesOfEmptyCalls& calls, const ModesSeen& modes,
                     std::int64_t enough, const std::vector<Overhead>& others, double clock_resolution_s) {
    const std::vector<Batch>& batches = calls.batches;
    const skalib::RepetitionLimits limits{.min_count = enough, .max_count = std::nullopt};
    const Preference preference{modes.mode,
                                batches.empty() ? key.synchronization : batches.front().synchronization};
    ChosenValues chosen = choose_values(limits, batches, modes.split, modes.known, preference);
    if (chosen.values_s.empty())
        return {.doubtful = true};
    const double step_s = clock_resolution_s / static_cast<double>(key.block);
    leave_out_interrupted(chosen.values_s, chosen.origins, step_s);
    const skalib::Summary summary = skalib::summarise(chosen.values_s, cut_quantile, chosen.origins);
    Overhead overhead{.value_s = summary.cut_mean, .error_s = summary.cut_standard_error};
    if (calls.agreement_s > 0 && overhead.value_s > longest_in_agreements * calls.agreement_s)
        return {.doubtful = true};
    overhead.probe_s = typical_probe_s(chosen.used);
    const bool communicates =
        row_of(key.pattern).starts_together && key.synchronization != Synchronization::window;
    overhead.doubtful = chosen.mode().undisturbed < enough || std::ssize(chosen.values_s) < enough ||
                        (communicates && chosen.chosen != static_cast<std::size_t>(modes.mode)) ||
                        differs(overhead, others, step_s);
    return overhead;
}

} // namespace skampi
