#include "analysis/history/machine_share.hpp"

#include "analysis/history/line_noise.hpp"
#include "skalib/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

namespace skampi {

namespace {

/// Logarithms beside a step: how much they shift there, and how they vary within both sides.
struct Shift {
    double size = 0;
    double error = 0;
    std::vector<double> deviations; ///< from the median of their side

    Shift(const std::vector<double>& before, const std::vector<double>& behind) {
        const auto deviate = [&](const std::vector<double>& side) {
            std::vector<double> scratch = side;
            const double level = skalib::median_in_place(scratch);
            for (const double each : side)
                deviations.push_back(each - level);
            return level;
        };
        const double old_level = deviate(before);
        size = deviate(behind) - old_level;
        const LineNoise noise = noise_of(deviations);
        const double n = static_cast<double>(before.size());
        const double m = static_cast<double>(behind.size());
        constexpr double of_medians = 1.571; // their variance, by that of means
        error = noise.scale *
                std::sqrt(of_medians * (1 / n + 1 / m) * (1 + noise.correlation) / (1 - noise.correlation));
    }
};

std::optional<Shift> shift_of(const LineOverRuns& line, std::size_t at, std::size_t begin, std::size_t end,
                              const std::function<double(const LineValue&)>& logarithm) {
    constexpr std::size_t reach = 64;
    std::vector<double> before;
    std::vector<double> behind;
    for (std::size_t i = std::max(begin, at - std::min(at, reach)); i < std::min(end, at + reach); ++i) {
        const double each = logarithm(line.values[i]);
        if (!std::isfinite(each))
            return std::nullopt;
        (i < at ? before : behind).push_back(each);
    }
    if (std::min(before.size(), behind.size()) < least_between_changes)
        return std::nullopt;
    return Shift(before, behind);
}

/// The least slope that the values within both sides allow: noise of the probe itself makes it look smaller
/// than it is, so that it may be larger.
double least_slope(const Shift& machine, const Shift& values) {
    double xx = 0;
    double xy = 0;
    double yy = 0;
    const LineNoise of_machine = noise_of(machine.deviations);
    const LineNoise of_values = noise_of(values.deviations);
    double count = 0;
    for (std::size_t i = 0; i < values.deviations.size(); ++i) {
        const double x = machine.deviations[i];
        const double y = values.deviations[i];
        if (std::fabs(x) > most_deviation * of_machine.scale ||
            std::fabs(y) > most_deviation * of_values.scale)
            continue;
        xx += x * x;
        xy += x * y;
        yy += y * y;
        ++count;
    }
    if (!(xx > 0) || count < 4)
        return 0;
    const double slope = xy / xx;
    const double error = std::sqrt(std::max(0.0, yy - slope * xy) / (count - 3) / xx);
    return std::clamp(slope - 2 * error, 0.0, 1.0);
}

} // namespace

std::optional<MachineShare> machine_share(const LineOverRuns& line, std::size_t at, std::size_t begin,
                                          std::size_t end, int sign) {
    constexpr double least_change = 0.005;
    constexpr double significant = 3; // standard errors
    const auto values =
        shift_of(line, at, begin, end, [&](const LineValue& each) { return sign * std::log(each.value); });
    if (!values)
        return std::nullopt;
    std::optional<Shift> machine;
    bool by_speed = false;
    const auto take = [&](bool clock, const std::function<double(const LineValue&)>& logarithm) {
        auto shift = shift_of(line, at, begin, end, logarithm);
        if (shift && std::fabs(shift->size) > std::max(least_change, significant * shift->error) &&
            (!machine || std::fabs(shift->size) > std::fabs(machine->size))) {
            machine = std::move(shift);
            by_speed = clock;
        }
    };
    take(false, [](const LineValue& each) { return std::log(each.probe_s); });
    take(true, [](const LineValue& each) { return -std::log(each.core_speed); });
    if (!machine)
        return std::nullopt;
    // A time grows with the machine's at most in proportion.
    const double least = least_slope(*machine, *values) * machine->size;
    const double most = machine->size;
    const auto [small, large] = std::minmax({values->size - least, values->size - most}); // copies
    constexpr double errors = 2;
    MachineShare share{std::exp(machine->size), by_speed, std::exp(small - errors * values->error),
                       std::exp(large + errors * values->error), false};
    share.explained = share.low <= 1 && share.high >= 1 && machine->size * values->size > 0;
    return share;
}

} // namespace skampi
