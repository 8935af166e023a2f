#include "merge/suite_curve.hpp"

#include "model/machine_state.hpp"

#include <algorithm>
#include <cmath>

namespace skampi {

namespace {

constexpr Flags doubtful_flags = Flag::disturbed | Flag::unreliable;

/// As a share of the value. A launch that timed out counts as long as its own error is small against the
/// differences between launches. (Halves of five sessions of 50 to 60 launches on a quiet machine, nearly all
/// timed out at errors of 1 %: their medians differed by 1.26 % without these launches, by 0.88 % with them.)
constexpr double coarse_error = 0.05;

} // namespace

bool is_doubtful(const Measurement& m) {
    return (m.flags & doubtful_flags) != 0 ||
           (has(m.flags, Flag::timed_out) && !(m.standard_error_s <= coarse_error * m.value_s));
}

bool is_doubtful(const LazyCurve& run) {
    const auto values = std::ranges::count_if(run.headers, &PointHeader::measured);
    const auto doubtful =
        std::ranges::count_if(run.headers, [](const PointHeader& m) { return m.measured && m.doubtful; });
    return 2 * doubtful > values;
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
