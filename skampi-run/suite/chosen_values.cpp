// SPDX-License-Identifier: LGPL-2.1-or-later
#include "suite/chosen_values.hpp"

#include "model/machine_state.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <optional>

namespace skampi {
namespace {

/// The fields of a summary that are times, without the errors.
std::array<double*, 8> times_of(skalib::Summary& summary) {
    return {&summary.mean_all,   &summary.cut_mean, &summary.lower,      &summary.minimum,
            &summary.quartile25, &summary.median,   &summary.quartile75, &summary.maximum};
}

void subtract(skalib::Summary& summary, double overhead_s) {
    for (double* const time_s : times_of(summary))
        *time_s -= overhead_s;
}

void leave_nothing_below_zero(skalib::Summary& summary) {
    for (double* const time_s : times_of(summary))
        *time_s = std::max(*time_s, 0.0);
}

/// The loop alone cannot take longer than with calls in it: an overhead beyond this factor was interrupted.
/// Below it, calls as short as the clock's steps may leave nothing.
constexpr double impossible_from = 3;

/// Disturbances make the chain of multiplications that measures the core clock slower, never faster: a clock
/// below this share of the fastest was disturbed.
constexpr double slowed_below = 0.9;

double usual_clock_hz(const std::vector<const Batch*>& batches) {
    double fastest_hz = 0;
    for (const Batch* batch : batches)
        fastest_hz = std::max(fastest_hz, batch->core_clock_hz);
    double sum_hz = 0;
    double values = 0;
    for (const Batch* batch : batches)
        if (batch->core_clock_hz >= slowed_below * fastest_hz) {
            const auto count = static_cast<double>(batch->duration_s.size());
            sum_hz += count * batch->core_clock_hz;
            values += count;
        }
    return values > 0 ? sum_hz / values : fastest_hz;
}

double mean_throughput(const std::vector<const Batch*>& batches) {
    double sum = 0;
    double values = 0;
    for (const Batch* batch : batches)
        if (batch->core_throughput > 0) {
            const auto count = static_cast<double>(batch->duration_s.size());
            sum += count * batch->core_throughput;
            values += count;
        }
    return values > 0 ? sum / values : 0;
}

/// Fewer single measurements do not show their scatter.
constexpr std::int64_t least_for_scatter = 4;

/// Whether the rest is the difference of two times that scatter more than it.
bool is_noise(const skalib::Summary& summary, double overhead_s, double left_s) {
    return overhead_s > left_s &&
           (summary.count < least_for_scatter || summary.quartile75 - summary.quartile25 > left_s);
}

/// From this share of the value on, an overhead is not small.
constexpr double small_share = 0.05;

/// Values far from shared cores are in doubt if they are less than one in so many: with a share below a tenth
/// 27 % were off by more than 8 %, up to a fifth 6 %, of the others 3 %
/// (docs/decisions/shared-cores.md).
constexpr std::int64_t doubtful_below_one_in = 5;

/// Batches this near to one on a shared core are left out: next to one a third was off by 5 % or more,
/// farther away one in twenty. A batch takes a quarter of it.
constexpr double near_s = 1e-3;

/// For each batch: whether one on a shared core is near. Other arguments lie between two passes.
std::vector<bool> near_to_shared(const std::vector<Batch>& batches, const KnownModes& known) {
    std::vector<bool> near(batches.size());
    const auto are_near = [&](std::size_t earlier, std::size_t later) {
        // What is between them begins with the batch behind the earlier one.
        return batches[earlier].pass == batches[later].pass &&
               batches[later].start_s - batches[earlier + 1].start_s < near_s;
    };
    for (std::size_t i = 0; i < batches.size(); ++i) {
        if (!known.shared(batches[i]))
            continue;
        for (std::size_t j = i; j-- > 0 && are_near(j, i);)
            near[j] = true;
        for (std::size_t j = i + 1; j < batches.size() && are_near(i, j); ++j)
            near[j] = true;
    }
    return near;
}

/// Values that scatter less than a step of the clock are rounded alike, however many there are: their mean
/// may be anywhere within half a step of the truth (a uniform distribution's standard deviation). Wider
/// scatter spreads over the steps and averages them.
double unresolved_error_s(const skalib::Summary& summary, double step_s) {
    return summary.quartile75 - summary.quartile25 < step_s ? step_s / std::sqrt(12.0) : 0;
}

constexpr double no_value = std::numeric_limits<double>::quiet_NaN();

/// In simulations local calls take no time: pure rounding is no time either.
constexpr double rounding_s = 5e-13;

double value_or_none(double value_s) {
    return value_s > -rounding_s ? std::max(value_s, 0.0) : no_value;
}

/// The preferred start if it has enough values, else the one with the most.
Synchronization kind_of(const std::map<Synchronization, std::int64_t>& count, Synchronization preferred,
                        std::int64_t enough) {
    std::int64_t most = 0;
    Synchronization majority = preferred;
    for (const auto& [kind, values] : count) {
        if (values > most) {
            most = values;
            majority = kind;
        }
    }
    const auto there = count.find(preferred);
    return there != count.end() && there->second >= enough ? preferred : majority;
}

} // namespace

std::int64_t ChosenValues::undisturbed_missing(std::int64_t enough) const {
    const Mode& seen = mode();
    if (disturbed)
        return enough - seen.undisturbed;
    if (!doubtful)
        return 0;
    // Each of them adds to both sides of the share.
    const std::int64_t for_share =
        (seen.count - doubtful_below_one_in * seen.far) / (doubtful_below_one_in - 1) + 1;
    return std::max(enough - seen.far, for_share);
}

double typical_probe_s(const std::vector<const Batch*>& batches) {
    std::vector<double> probes_s;
    for (const Batch* batch : batches)
        if (batch->probe_before_s > 0) {
            probes_s.push_back(batch->probe_before_s);
            probes_s.push_back(batch->probe_after_s);
        }
    if (probes_s.empty())
        return 0;
    std::ranges::sort(probes_s);
    const double low_s = probes_s[(probes_s.size() - 1) / 2];
    const double high_s = probes_s[probes_s.size() / 2];
    return in_one_mode(low_s, high_s) ? std::midpoint(low_s, high_s) : low_s;
}

ChosenValues choose_values(const skalib::RepetitionLimits& limits, const std::vector<Batch>& batches,
                           const skalib::ModeSplit& split, const KnownModes& known,
                           const Preference& preference) {
    const auto mode_of = [&](const Batch& batch, bool between_modes) -> std::optional<std::size_t> {
        if (batch.probe_before_s <= 0)
            return 0;
        if (between_modes)
            return split.mode(batch.probe_before_s);
        return split.mode(batch.probe_before_s, batch.probe_after_s);
    };
    const std::int64_t enough = limits.min_count;
    ChosenValues chosen;
    std::map<Synchronization, std::int64_t> usable; // single measurements
    std::map<Synchronization, std::int64_t> all;
    for (const Batch& batch : batches) {
        all[batch.synchronization] += std::ssize(batch.duration_s);
        usable[batch.synchronization] += mode_of(batch, false) ? std::ssize(batch.duration_s) : 0;
    }
    chosen.between_modes = std::ranges::all_of(usable, [](const auto& kind) { return kind.second == 0; }) &&
                           std::ranges::any_of(all, [](const auto& kind) { return kind.second > 0; });
    chosen.synchronization = kind_of(chosen.between_modes ? all : usable, preference.synchronization, enough);

    chosen.modes.resize(split.count());
    const std::vector<bool> near = near_to_shared(batches, known);
    const auto is_near = [&](const Batch& batch) {
        return near[static_cast<std::size_t>(&batch - batches.data())];
    };
    for (const Batch& batch : batches) {
        chosen.discarded += batch.late;
        const std::int64_t count = std::ssize(batch.duration_s);
        const std::optional<std::size_t> mode = mode_of(batch, chosen.between_modes);
        if (!mode || batch.synchronization != chosen.synchronization) {
            chosen.discarded += count;
            continue;
        }
        ChosenValues::Mode& members = chosen.modes[*mode];
        members.batches.push_back(&batch);
        members.count += count;
        const bool undisturbed = !chosen.between_modes && !disturbed(batch, known);
        members.undisturbed += undisturbed ? count : 0;
        members.far += undisturbed && !is_near(batch) ? count : 0;
    }

    chosen.chosen = static_cast<std::size_t>(std::max(preference.mode, 0));
    if (chosen.chosen >= chosen.modes.size() || chosen.modes[chosen.chosen].count < enough)
        chosen.chosen = static_cast<std::size_t>(
            std::ranges::max_element(chosen.modes, {}, &ChosenValues::Mode::count) - chosen.modes.begin());
    const ChosenValues::Mode& mode = chosen.mode();
    chosen.disturbed = mode.undisturbed < std::min(enough, mode.count);
    const bool enough_far = mode.far >= std::min(enough, mode.count);
    if (!chosen.disturbed)
        chosen.discarded += mode.count - (enough_far ? mode.far : mode.undisturbed);
    chosen.doubtful = !chosen.disturbed && (enough_far ? doubtful_below_one_in * mode.far < mode.count
                                                       : 2 * mode.undisturbed < mode.count);
    // No more than wanted, although replacing disturbed ones may have given more; the best first.
    enum class Kind { far, near, disturbed };
    const auto kind = [&](const Batch& batch) {
        return disturbed(batch, known) ? Kind::disturbed : is_near(batch) ? Kind::near : Kind::far;
    };
    const Kind last = chosen.disturbed ? Kind::disturbed : enough_far ? Kind::far : Kind::near;
    const std::int64_t most = limits.max_count.value_or(std::numeric_limits<std::int64_t>::max());
    for (const Kind wanted : {Kind::far, Kind::near, Kind::disturbed})
        for (const Batch* batch : mode.batches) {
            const std::int64_t room = most - std::ssize(chosen.values_s);
            if (wanted > last || kind(*batch) != wanted || room <= 0 || batch->duration_s.empty())
                continue;
            const auto count = std::min<std::int64_t>(room, std::ssize(batch->duration_s));
            chosen.used.push_back(batch);
            chosen.values_s.insert(chosen.values_s.end(), batch->duration_s.begin(),
                                   batch->duration_s.begin() + count);
            chosen.blocks.insert(chosen.blocks.end(), static_cast<std::size_t>(count), batch->block);
            chosen.origins.insert(chosen.origins.end(), static_cast<std::size_t>(count),
                                  {batch->pass, batch - batches.data()});
        }
    return chosen;
}

void evaluate(const Suite& suite, const ChosenValues& chosen, const skalib::Summary& summary,
              const Overhead& measured_overhead, const Yardstick& yardstick, Measurement& m) {
    m.summary = summary;
    const bool impossible = measured_overhead.value_s > impossible_from * summary.value(suite.value);
    const Overhead overhead = impossible ? Overhead{.doubtful = true} : measured_overhead;
    m.overhead_s = suite.absolute ? 0 : overhead.value_s;
    m.overhead_error_s = suite.absolute ? 0 : overhead.error_s;
    subtract(m.summary, m.overhead_s);
    m.value_s = m.summary.value(suite.value);
    const double error_s = suite.repetition.estimator == skalib::ErrorEstimator::trimmed
                               ? m.summary.standard_error(suite.value)
                               : m.summary.standard_error_all;
    std::int64_t smallest_block = std::numeric_limits<std::int64_t>::max();
    for (const Batch* batch : chosen.used)
        smallest_block = std::min(smallest_block, batch->block);
    const double step_s = yardstick.clock_resolution_s / static_cast<double>(smallest_block);
    m.standard_error_s = std::hypot(error_s, m.overhead_error_s, unresolved_error_s(m.summary, step_s));
    const double left_s = m.value_s; // by the overhead
    m.value_s =
        overhead.doubtful && is_noise(m.summary, m.overhead_s, left_s) ? no_value : value_or_none(left_s);
    if (!std::isnan(m.value_s))
        leave_nothing_below_zero(m.summary);
    if (chosen.values_s.empty()) {
        m.value_s = m.standard_error_s = no_value;
        m.summary = skalib::Summary::unknown();
    }
    m.discarded = chosen.discarded;

    const ChosenValues::Mode& mode = chosen.mode();
    std::int64_t total = 0;
    for (const ChosenValues::Mode& any : chosen.modes)
        total += any.count;
    m.mode = static_cast<int>(chosen.chosen);
    m.mode_share = total > 0 ? static_cast<double>(mode.count) / static_cast<double>(total) : 1;
    m.probe_s = typical_probe_s(chosen.used);
    m.core_clock_hz = usual_clock_hz(chosen.used);
    m.core_throughput = mean_throughput(chosen.used);

    m.modes.clear();
    for (std::size_t i = 0; i < chosen.modes.size(); ++i) {
        const ChosenValues::Mode& any = chosen.modes[i];
        if (any.count == 0)
            continue;
        // For the chosen mode the value reported, without its disturbed batches.
        const bool is_reported = i == chosen.chosen;
        double value_s = m.value_s;
        if (!is_reported) {
            std::vector<double> values_s;
            for (const Batch* batch : any.batches)
                values_s.insert(values_s.end(), batch->duration_s.begin(), batch->duration_s.end());
            value_s =
                skalib::summarise(values_s, suite.repetition.cut_quantile).value(suite.value) - m.overhead_s;
        }
        m.modes.push_back({static_cast<int>(i), static_cast<double>(any.count) / static_cast<double>(total),
                           value_or_none(value_s), is_reported ? m.probe_s : typical_probe_s(any.batches),
                           any.count});
    }

    const double reference_s = yardstick.known.reference(m.probe_s).value_or(0);
    const double share = probe_share(suite.operation.pattern);
    const double adjusted_s = adjusted_value(m.value_s, {m.probe_s, core_speed(m)}, {share, true},
                                             {reference_s, yardstick.reference_core_speed});
    m.adjusted_s = adjusted_s > 0 ? adjusted_s : m.value_s;

    Flags flags = m.flags & static_cast<Flags>(Flag::wrong_result);
    if ((chosen.disturbed && mode.undisturbed < mode.count) || chosen.doubtful)
        set(flags, Flag::disturbed);
    if (m.modes.size() > 1 || chosen.between_modes)
        set(flags, Flag::several_modes);
    if (!chosen.values_s.empty() && chosen.synchronization != suite.synchronization)
        set(flags, Flag::unsynchronised);
    const bool resolved = left_s > 0 && left_s >= step_s;
    const bool overhead_in_doubt =
        overhead.doubtful && !suite.absolute && !(m.overhead_s < small_share * left_s && m.overhead_s > 0);
    if (!chosen.values_s.empty() && (!resolved || m.overhead_s > left_s || overhead_in_doubt))
        set(flags, Flag::unreliable);
    m.flags = flags;
}

std::vector<NodeTime> node_times_of(const Suite& suite, const ChosenValues& chosen, double overhead_s) {
    struct TimesOfRank {
        std::vector<double> duration_s;
        std::vector<skalib::Origin> origins;
    };
    std::map<int, TimesOfRank> by_rank;
    for (const Batch* batch : chosen.used)
        for (const NodeDurations& node : batch->node_durations) {
            TimesOfRank& of_rank = by_rank[node.rank];
            of_rank.duration_s.insert(of_rank.duration_s.end(), node.duration_s.begin(),
                                      node.duration_s.end());
            of_rank.origins.insert(of_rank.origins.end(), node.duration_s.size(),
                                   {batch->pass, batch - chosen.used.front()});
        }
    std::vector<NodeTime> times;
    for (const auto& [rank, of_rank] : by_rank) {
        if (of_rank.duration_s.empty())
            continue;
        const skalib::Summary summary =
            skalib::summarise(of_rank.duration_s, suite.repetition.cut_quantile, of_rank.origins);
        times.push_back({rank, value_or_none(summary.value(suite.value) - overhead_s),
                         summary.standard_error(suite.value)});
    }
    return bounded_node_times(std::move(times));
}

std::vector<NodeTime> bounded_node_times(std::vector<NodeTime> times) {
    if (times.size() <= most_node_times)
        return times;
    std::ranges::stable_sort(times, [](const NodeTime& a, const NodeTime& b) {
        return std::isnan(b.value_s) ? !std::isnan(a.value_s) : a.value_s < b.value_s; // none at the end
    });
    std::vector<NodeTime> kept;
    for (std::size_t i = 0; i + 1 < most_node_times; ++i)
        kept.push_back(times[i * (times.size() - 1) / (most_node_times - 2)]);
    if (std::ranges::find(kept, 0, &NodeTime::rank) == kept.end())
        kept.push_back(*std::ranges::find(times, 0, &NodeTime::rank));
    std::ranges::sort(kept, {}, &NodeTime::rank);
    return kept;
}

} // namespace skampi
