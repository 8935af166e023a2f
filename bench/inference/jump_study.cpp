// SPDX-License-Identifier: GPL-2.0-or-later
// Whether jumps are found where they are, with their size, and none where there is none.
#include "invented_launches.hpp"
#include "study.hpp"

#include "analysis/models/curve_model.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace skampi::bench {

namespace {

struct Planted {
    std::int64_t last = 0; ///< argument of the old protocol
    double share = 0;      ///< of the time there
};

/// Latency and bandwidth, and steps.
std::function<double(double)> curve_with(std::vector<Planted> jumps) {
    return [jumps = std::move(jumps)](double m) {
        double time_s = 0.8e-6 + 1.1e-10 * m;
        for (const Planted& jump : jumps)
            if (m > static_cast<double>(jump.last))
                time_s += jump.share * (0.8e-6 + 1.1e-10 * static_cast<double>(jump.last));
        return time_s;
    };
}

skalib::RefinementLimits refined(std::int64_t end) {
    return {.scale = skalib::Scale::dynamic_log,
            .start = 1,
            .end = end,
            .stepwidth = 2,
            .max_steps = 100,
            .max_relative_error = 0.03};
}

struct Found {
    int planted = 0;
    int to_the_byte = 0;
    int size_right = 0;
    int false_ones = 0;
    int series = 0;
    int series_with_false = 0;
};

struct Case {
    std::string name;
    std::function<double(double)> time_s;
    std::vector<Planted> jumps = {};
    int launches = 10;
    Scatter scatter = {};
    skalib::RefinementLimits limits = refined(65536);
    bool hard = false; ///< points differ by more than a small jump: what is found has no goal
};

Found look_for_jumps(const Case& each, const StudyOptions& options) {
    Found found;
    std::mt19937_64 random(options.seed);
    for (int i = 0; i < options.series; ++i) {
        const CostModel model = curve_model(
            merged_curve(invented_launches(each.time_s, each.launches, each.limits, each.scatter, random)));
        ++found.series;
        int false_ones = 0;
        std::vector<bool> seen(each.jumps.size());
        for (const CostJump& jump : model.jumps) {
            const auto planted = std::ranges::find_if(each.jumps, [&](const Planted& one) {
                return jump.after <= one.last && jump.before > one.last;
            });
            const std::size_t place = static_cast<std::size_t>(planted - each.jumps.begin());
            if (planted == each.jumps.end() || seen[place]) {
                ++false_ones;
                continue;
            }
            seen[place] = true;
            found.to_the_byte += jump.before - jump.after == 1 ? 1 : 0;
            const double truth =
                each.time_s(static_cast<double>(jump.before)) / each.time_s(static_cast<double>(jump.after));
            // Of the time: a step of 10 % is known to 9 to 11 %.
            found.size_right += std::fabs((1 + jump.share) / truth - 1) <= 0.01 ? 1 : 0;
        }
        found.planted += static_cast<int>(each.jumps.size());
        found.false_ones += false_ones;
        found.series_with_false += false_ones > 0 ? 1 : 0;
    }
    return found;
}

double share(int part, int whole) {
    return whole == 0 ? 0 : static_cast<double>(part) / whole;
}

std::vector<Case> planted_cases() {
    const std::vector<Planted> one{{8192, 0.9}};
    const std::vector<Planted> several{{1000, 0.25}, {8192, 0.9}, {32768, -0.2}};
    const std::vector<Planted> small{{8192, 0.10}};
    return {
        {"a rise of 90 % at 8,192 B", curve_with(one), one},
        {"25 % up, 90 % up, 20 % down", curve_with(several), several},
        {"a rise of 10 %", curve_with(small), small},
        {"25, 90, -20 %, 3 of 10 launches 1.6 times slower",
         curve_with(several),
         several,
         10,
         {.launches_in_other_state = 3}},
        {"25, 90, -20 %, 5 launches", curve_with(several), several, 5},
        {"25, 90, -20 %, 5 % of values disturbed",
         curve_with(several),
         several,
         10,
         {.disturbed = 0.05, .disturbed_in_a_row = 2}},
        {"25, 90, -20 %, one launch", curve_with(several), several, 1},
        {.name = "25, 90, -20 %, a drift of 6 %",
         .time_s = curve_with(several),
         .jumps = several,
         .scatter = {.drift = 0.06},
         .hard = true},
        {.name = "25, 90, -20 %, one launch, a drift of 6 %",
         .time_s = curve_with(several),
         .jumps = several,
         .launches = 1,
         .scatter = {.drift = 0.06},
         .hard = true},
        {.name = "25, 90, -20 %, one launch, 3 % a point",
         .time_s = curve_with(several),
         .jumps = several,
         .launches = 1,
         .scatter = {.of_point = 0.03},
         .hard = true},
    };
}

std::vector<Case> smooth_cases() {
    const auto line = curve_with({});
    const auto root = [](double m) { return 1e-6 + 2e-9 * std::pow(m, 0.7); };
    const auto two_slopes = [](double m) {
        return 1e-6 + 1e-10 * std::min(m, 4096.0) + 5e-10 * std::max(0.0, m - 4096);
    };
    const auto gradual = [](double m) { return 1e-6 + 1e-10 * m * (1 + 1 / (1 + std::pow(8192 / m, 3))); };
    const Scatter states{.launches_in_other_state = 3};
    const Scatter disturbed{.disturbed = 0.05, .disturbed_in_a_row = 2};
    Scatter flagged = disturbed;
    flagged.flagged = true;
    return {
        {"a line", line},
        {"m^0.7", root},
        {"two slopes that meet", two_slopes},
        {"the price of a byte doubles about 8 KiB", gradual},
        {"a line, 3 of 10 launches 1.6 times slower", line, {}, 10, states},
        {"m^0.7, 3 of 10 launches 1.6 times slower", root, {}, 10, states},
        {"a line, 5 % of values disturbed", line, {}, 10, disturbed},
        {"m^0.7, 5 % of values disturbed", root, {}, 10, disturbed},
        {"a line, one launch", line, {}, 1},
        {"m^0.7, one launch", root, {}, 1},
        {"a line, one launch, 5 % of values disturbed and flagged", line, {}, 1, flagged},
    };
}

/// Times drift along each launch, or points differ by more than their errors say: what is measured late lies
/// among what was measured early.
std::vector<Case> drifting_cases() {
    std::vector<Case> cases;
    for (const auto& [shape, time_s] :
         {std::pair<const char*, std::function<double(double)>>{"a line", curve_with({})},
          {"m^0.7", [](double m) { return 1e-6 + 2e-9 * std::pow(m, 0.7); }}})
        for (const int launches : {1, 3, 5, 10})
            for (const auto& [what, scatter] :
                 {std::pair<const char*, Scatter>{"a drift of 6 %", {.drift = 0.06}},
                  {"drifts of 6 and -6 %", {.drift = 0.06, .drifts_differ = true}},
                  {"3 % a point", {.of_point = 0.03}},
                  {"a drift of 6 %, 3 % a point", {.of_point = 0.03, .drift = 0.06}}})
                cases.push_back({fmt::format("{}, {} launches, {}", shape, launches, what),
                                 time_s,
                                 {},
                                 launches,
                                 scatter});
    return cases;
}

} // namespace

std::vector<StudyRow> jump_study(const StudyOptions& options) {
    std::vector<StudyRow> rows;
    for (const Case& each : planted_cases()) {
        const Found found = look_for_jumps(each, options);
        rows.push_back({each.name + ": found to the byte", share(found.to_the_byte, found.planted),
                        each.hard ? 0 : 0.99, 1});
        rows.push_back({each.name + ": size within 1 % of the time", share(found.size_right, found.planted),
                        each.hard ? 0 : 0.95, 1});
        rows.push_back({each.name + ": false jumps in a series", share(found.series_with_false, found.series),
                        0, each.hard ? 0.05 : 0.005});
    }
    for (const Case& each : smooth_cases()) {
        const Found found = look_for_jumps(each, options);
        rows.push_back({"no jump: " + each.name, share(found.series_with_false, found.series), 0, 0.005});
    }
    for (const Case& each : drifting_cases()) {
        const Found found = look_for_jumps(each, options);
        rows.push_back({"no jump: " + each.name, share(found.series_with_false, found.series), 0, 0.05});
    }
    return rows;
}

} // namespace skampi::bench
