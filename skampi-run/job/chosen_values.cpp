#include "job/chosen_values.hpp"

#include "model/adjusted.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace skampi {
namespace {

void subtract(skalib::Summary& summary, double overhead_s) {
    for (double* value : {&summary.mean_all, &summary.cut_mean, &summary.lower, &summary.minimum,
                          &summary.quartile25, &summary.median, &summary.quartile75, &summary.maximum})
        *value -= overhead_s;
}

} // namespace

ChosenValues choose_values(const Suite& suite, const std::vector<Batch>& batches,
                           const skalib::ModeSplit& split, const KnownModes& known, int preferred_mode) {
    ChosenValues chosen;
    chosen.modes.resize(split.count());
    std::int64_t total = 0;
    for (const Batch& batch : batches) {
        chosen.discarded += batch.late;
        const auto count = static_cast<std::int64_t>(batch.duration_s.size());
        std::optional<std::size_t> mode = 0;
        if (batch.probe_before_s > 0)
            mode = split.mode(batch.probe_before_s, batch.probe_after_s);
        if (!mode) {
            chosen.discarded += count;
            continue;
        }
        ChosenValues::Mode& members = chosen.modes[*mode];
        members.batches.push_back(&batch);
        members.count += count;
        members.undisturbed += disturbed(batch, known) ? 0 : count;
        total += count;
    }

    const std::int64_t enough = suite.repetition.min_count;
    chosen.chosen = static_cast<std::size_t>(std::max(preferred_mode, 0));
    if (chosen.chosen >= chosen.modes.size() ||
        chosen.modes[chosen.chosen].count < std::min(enough, 1 + total / 2))
        chosen.chosen = static_cast<std::size_t>(
            std::ranges::max_element(chosen.modes, {}, &ChosenValues::Mode::count) - chosen.modes.begin());
    const ChosenValues::Mode& mode = chosen.mode();
    chosen.disturbed = mode.undisturbed < std::min(enough, mode.count);
    if (!chosen.disturbed)
        chosen.discarded += mode.count - mode.undisturbed;
    // No more than asked for, although replacing disturbed ones may have brought more; the undisturbed ones
    // first.
    const std::int64_t most = suite.repetition.max_count.value_or(std::numeric_limits<std::int64_t>::max());
    for (const bool wanted_disturbed : {false, true})
        for (const Batch* batch : mode.batches) {
            const std::int64_t room = most - std::ssize(chosen.values_s);
            if (disturbed(*batch, known) != wanted_disturbed || (wanted_disturbed && !chosen.disturbed) ||
                room <= 0)
                continue;
            const auto count = std::min<std::int64_t>(room, std::ssize(batch->duration_s));
            chosen.used.push_back(batch);
            chosen.values_s.insert(chosen.values_s.end(), batch->duration_s.begin(),
                                   batch->duration_s.begin() + count);
            chosen.blocks.insert(chosen.blocks.end(), static_cast<std::size_t>(count), batch->block);
        }
    return chosen;
}

void evaluate(const Suite& suite, const ChosenValues& chosen, const skalib::Summary& summary,
              const Overhead& overhead, const KnownModes& known, double reference_clock_hz,
              double clock_resolution_s, Measurement& m) {
    m.summary = summary;
    m.overhead_s = suite.absolute ? 0 : overhead.value_s;
    m.overhead_error_s = suite.absolute ? 0 : overhead.error_s;
    subtract(m.summary, m.overhead_s);
    m.value_s = m.summary.value(suite.value);
    const double error_s = suite.repetition.estimator == skalib::ErrorEstimator::trimmed
                               ? m.summary.cut_standard_error
                               : m.summary.standard_error_all;
    m.standard_error_s = std::hypot(error_s, m.overhead_error_s);
    if (chosen.values_s.empty()) {
        m.value_s = m.standard_error_s = std::numeric_limits<double>::quiet_NaN();
        m.summary = skalib::Summary::unknown();
    }
    m.discarded = chosen.discarded;

    const auto mean_probe_s = [](const std::vector<const Batch*>& batches) {
        double sum_s = 0;
        for (const Batch* batch : batches)
            sum_s += (batch->probe_before_s + batch->probe_after_s) / 2;
        return sum_s / static_cast<double>(std::max<std::size_t>(batches.size(), 1));
    };
    const ChosenValues::Mode& mode = chosen.mode();
    std::int64_t total = 0;
    for (const ChosenValues::Mode& any : chosen.modes)
        total += any.count;
    m.mode = static_cast<int>(chosen.chosen);
    m.mode_share = total > 0 ? static_cast<double>(mode.count) / static_cast<double>(total) : 1;
    m.probe_s = mean_probe_s(chosen.used);
    // Whatever meets the chain of multiplications makes it slower, never faster.
    m.core_clock_hz = 0;
    for (const Batch* batch : chosen.used)
        m.core_clock_hz = std::max(m.core_clock_hz, batch->core_clock_hz);

    m.modes.clear();
    for (std::size_t i = 0; i < chosen.modes.size(); ++i) {
        const ChosenValues::Mode& any = chosen.modes[i];
        if (any.count == 0)
            continue;
        double value_s = m.value_s;
        if (i != chosen.chosen || std::ssize(chosen.values_s) != any.count) {
            std::vector<double> values_s;
            for (const Batch* batch : any.batches)
                values_s.insert(values_s.end(), batch->duration_s.begin(), batch->duration_s.end());
            value_s =
                skalib::summarise(values_s, suite.repetition.cut_quantile).value(suite.value) - m.overhead_s;
        }
        m.modes.push_back({static_cast<int>(i), static_cast<double>(any.count) / static_cast<double>(total),
                           value_s, mean_probe_s(any.batches), any.count});
    }

    const double reference_s = known.reference(m.probe_s).value_or(0);
    m.adjusted_s = adjusted_value(m, reference_s, reference_clock_hz);

    std::int64_t smallest_block = std::numeric_limits<std::int64_t>::max();
    for (const Batch* batch : mode.batches)
        smallest_block = std::min(smallest_block, batch->block);
    Flags flags =
        m.flags & (static_cast<Flags>(Flag::wrong_result) | static_cast<Flags>(Flag::unsynchronised));
    if (chosen.disturbed && mode.undisturbed < mode.count)
        set(flags, Flag::disturbed);
    if (m.modes.size() > 1)
        set(flags, Flag::several_modes);
    if (!chosen.values_s.empty() &&
        (m.value_s <= 0 || m.value_s * static_cast<double>(smallest_block) < clock_resolution_s))
        set(flags, Flag::unreliable);
    m.flags = flags;
}

std::vector<NodeTime> node_times_of(const Suite& suite, const ChosenValues& chosen, double overhead_s) {
    std::vector<std::vector<double>> per_rank;
    for (const Batch* batch : chosen.used) {
        per_rank.resize(std::max(per_rank.size(), batch->node_duration_s.size()));
        for (std::size_t r = 0; r < batch->node_duration_s.size(); ++r)
            per_rank[r].insert(per_rank[r].end(), batch->node_duration_s[r].begin(),
                               batch->node_duration_s[r].end());
    }
    std::vector<NodeTime> times;
    for (std::size_t r = 0; r < per_rank.size(); ++r) {
        const skalib::Summary summary = skalib::summarise(per_rank[r], suite.repetition.cut_quantile);
        times.push_back(
            {static_cast<int>(r), summary.value(suite.value) - overhead_s, summary.cut_standard_error});
    }
    return times;
}

} // namespace skampi
