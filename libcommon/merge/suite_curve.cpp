// SPDX-License-Identifier: LGPL-2.1-or-later
#include "merge/suite_curve.hpp"

#include "model/machine_state.hpp"
#include "model/machine_states.hpp"
#include "model/measured_value.hpp"
#include "skalib/statistics.hpp"

#include <algorithm>
#include <cmath>

namespace skampi {

namespace {

/// As a share of the value. A launch that timed out counts as long as its own error is small against the
/// differences between launches. (Halves of five sessions of 50 to 60 launches on a quiet machine, nearly all
/// timed out at errors of 1 %: their medians differed by 1.26 % without these launches, by 0.88 % with them.)
constexpr double coarse_error = 0.05;

/// 0 = it made none.
double usual_probe_s(const LazyCurve& run) {
    std::vector<double> probes_s;
    for (const PointHeader& m : run.headers)
        if (m.measured && m.probe_s > 0)
            probes_s.push_back(m.probe_s);
    return skalib::lower_median(std::move(probes_s));
}

/// Includes doubtful values: no round trip is too short by chance.
double fastest_probe_s(std::span<const LazyCurve> runs) {
    std::vector<Observation> observations;
    for (std::size_t run = 0; run < runs.size(); ++run)
        for (const PointHeader& m : runs[run].headers)
            if (m.measured && m.probe_s > 0)
                observations.push_back({run, m.probe_s});
    return fastest_signal(std::move(observations));
}

} // namespace

std::vector<LazyCurve> judged_by_probes(std::span<const LazyCurve> runs) {
    const double fastest_s = fastest_probe_s(runs);
    const auto is_lost = [&](const auto& each) { return lost_core(each.probe_s, fastest_s); };
    const auto lacks_probe = [](const PointHeader& m) { return m.measured && !(m.probe_s > 0); };
    if (!(fastest_s > 0) || std::ranges::none_of(runs, [&](const LazyCurve& run) {
            return std::ranges::any_of(run.headers, is_lost) ||
                   std::ranges::any_of(run.headers, lacks_probe) ||
                   std::ranges::any_of(run.secondary_probes, is_lost);
        }))
        return {};
    std::vector<LazyCurve> judged;
    judged.reserve(runs.size());
    for (const LazyCurve& run : runs) {
        LazyCurve& own = judged.emplace_back(
            LazyCurve{run.run, run.file, run.headers, run.secondary_probes, fastest_s, {}});
        own.load = [&run](std::size_t place) { return run.load(place); };
        std::erase_if(own.secondary_probes, is_lost);
        const double usual_s = usual_probe_s(run);
        for (PointHeader& m : own.headers) {
            if (lacks_probe(m))
                m.probe_s = usual_s;
            m.lost_core = m.measured && is_lost(m);
            m.measured = m.measured && !m.lost_core;
        }
    }
    return judged;
}

bool is_doubtful(const Measurement& m) {
    return has(m.flags, Flag::disturbed) ||
           (has(m.flags, Flag::unreliable) && !is_less_than_its_overhead(m)) ||
           (has(m.flags, Flag::timed_out) && !(m.standard_error_s <= coarse_error * m.value_s));
}

bool probes_in_doubt(const LazyCurve& run) {
    const auto values = std::ranges::count_if(run.headers, &PointHeader::measured);
    const auto in_doubt = std::ranges::count_if(
        run.headers, [](const PointHeader& m) { return m.measured && m.probe_in_doubt(); });
    return 2 * in_doubt > values;
}

bool is_secondary(const Measurement& m, const ModeValue& mode) {
    return mode.mode != m.mode && mode.count > 0 && std::isfinite(mode.value_s);
}

PointHeader header_of(const Measurement& m) {
    return {m.argument,    m.message_bytes, m.chunks, m.value_s,    m.probe_s,     m.way_there,
            core_speed(m), m.ranks,         m.flags,  has_value(m), is_doubtful(m)};
}

void LazyCurve::add(const Measurement& m) {
    for (const ModeValue& mode : m.modes)
        if (is_secondary(m, mode))
            secondary_probes.push_back({headers.size(), mode.probe_s});
    headers.push_back(header_of(m));
}

std::vector<LazyCurve> lazy_curves(std::span<const SuiteCurve> runs) {
    std::vector<LazyCurve> curves;
    curves.reserve(runs.size());
    for (const SuiteCurve& run : runs) {
        LazyCurve& curve = curves.emplace_back();
        curve.run = run.run;
        curve.file = run.file;
        for (const Measurement& m : run.measurements)
            curve.add(m);
        curve.load = [&run](std::size_t place) { return run.measurements[place]; };
    }
    return curves;
}

} // namespace skampi
