// SPDX-License-Identifier: GPL-2.0-or-later
#include "analysis/models/cost_model.hpp"
#include "close_to.hpp"
#include "skalib/refinement.hpp"

#include <algorithm>
#include <cmath>
#include <doctest/doctest.h>
#include <functional>
#include <limits>
#include <random>

using namespace skampi;

namespace {

std::vector<CostPoint> sample(const std::function<double(double)>& time_s, double noise, unsigned seed,
                              std::int64_t largest = 4194304) {
    std::mt19937 random(seed);
    std::normal_distribution<double> normal;
    std::vector<CostPoint> points;
    for (std::int64_t m = 1; m <= largest; m *= 2)
        for (const std::int64_t argument : {m, m + m / 2})
            if (argument <= largest && (points.empty() || argument > points.back().argument)) {
                const double time = time_s(static_cast<double>(argument));
                points.push_back({argument, time * (1 + noise * normal(random)), time * noise});
            }
    return points;
}

double straight_line(double m) {
    return 1e-6 + 1e-10 * m;
}

double two_protocols(double m) {
    return m <= 8192 ? 1e-6 + 2e-10 * m : 5e-6 + 1e-10 * m;
}

double three_protocols(double m) {
    return m <= 1024 ? 1e-6 + 1e-10 * m : m <= 65536 ? 3e-6 + 2e-10 * m : 4e-5 + 1e-10 * m;
}

double measured_at(const std::vector<CostPoint>& points, std::int64_t argument) {
    return std::ranges::find(points, argument, &CostPoint::argument)->time_s;
}

/// Launches that measured the very times of these points.
LaunchTimes copies(const std::vector<CostPoint>& points, std::size_t launches) {
    std::vector<double> times_s;
    for (const CostPoint& point : points)
        times_s.push_back(point.time_s);
    return {std::vector<std::vector<double>>(launches, times_s), 0, false};
}

} // namespace

TEST_CASE("a straight line with noise is one segment with the line's coefficients, for every seed") {
    int more = 0;
    for (unsigned seed = 1; seed <= 200; ++seed) {
        const CostModel model = fit_cost_model(sample(straight_line, 0.02, seed));
        more += model.segments.size() > 1 ? 1 : 0;
        CHECK(model.jumps.empty());
        REQUIRE_FALSE(model.segments.empty());
        CHECK(model.segments.front().first == 1);
        CHECK(model.segments.back().last == 4194304);
    }
    CHECK(more <= 4); // 2 %
    const CostModel model = fit_cost_model(sample(straight_line, 0.02, 1));
    REQUIRE(model.segments.size() == 1);
    CHECK(model.segments[0].alpha_s == close_to(1e-6).epsilon(0.02));
    CHECK(model.segments[0].beta_s == close_to(1e-10).epsilon(0.02));
    CHECK(model.segments[0].points == 44);
    CHECK(model.noise == close_to(0.02).epsilon(0.5));
}

TEST_CASE("the breakpoint of two protocols is found exactly and its jump is measured") {
    for (unsigned seed = 1; seed <= 50; ++seed) {
        const std::vector<CostPoint> points = sample(two_protocols, 0.02, seed);
        const CostModel model = fit_cost_model(points);
        REQUIRE(model.segments.size() == 2);
        CHECK(model.segments[0].last == 8192);
        CHECK(model.segments[1].first == 12288);
        CHECK(model.segments[0].beta_s == close_to(2e-10).epsilon(0.1));
        CHECK(model.segments[1].alpha_s == close_to(5e-6).epsilon(0.05));
        REQUIRE(model.jumps.size() == 1);
        CHECK(model.jumps[0].after == 8192);
        CHECK(model.jumps[0].before == 12288);
        // From one measured time to the other, with what the time grows by in between.
        const double before_s = measured_at(points, 8192);
        const double behind_s = measured_at(points, 12288);
        CHECK(model.jumps[0].time_s == close_to(behind_s - before_s).epsilon(1e-9));
        CHECK(model.jumps[0].share == close_to(behind_s / before_s - 1).epsilon(1e-9));
    }
}

TEST_CASE("three protocols give three segments: their number is found") {
    for (unsigned seed = 1; seed <= 50; ++seed) {
        const CostModel model = fit_cost_model(sample(three_protocols, 0.015, seed));
        REQUIRE(model.segments.size() == 3);
        CHECK(model.segments[0].last == 1024);
        CHECK(model.segments[1].last == 65536);
    }
}

TEST_CASE("lines that meet bend without a jump") {
    const auto bend = [](double m) {
        return m <= 16384 ? 1e-6 + 1e-10 * m : 1e-6 + 16384e-10 + 4e-10 * (m - 16384);
    };
    const CostModel model = fit_cost_model(sample(bend, 0.005, 3));
    REQUIRE(model.segments.size() == 2);
    CHECK(model.jumps.empty());
}

TEST_CASE("the best partition is the one an exhaustive search finds") {
    // Few points, so that every way to cut them can be tried with the same cost.
    const std::vector<CostPoint> points = sample(two_protocols, 0.03, 9, 65536);
    std::vector<CostPoint> few;
    for (std::size_t i = 0; i < points.size(); i += 2)
        few.push_back(points[i]);
    const CostModel model = fit_cost_model(few);
    const auto cost_of = [&](const std::vector<std::size_t>& cuts) {
        double cost = 0;
        std::size_t begin = 0;
        for (std::size_t i = 0; i <= cuts.size(); ++i) {
            const std::size_t end = i < cuts.size() ? cuts[i] : few.size();
            double w = 0, wx = 0, wy = 0, wxx = 0, wxy = 0;
            for (std::size_t p = begin; p < end; ++p) {
                const auto x = static_cast<double>(few[p].argument);
                const double y = few[p].time_s, weight = 1 / (y * y);
                w += weight, wx += weight * x, wy += weight * y, wxx += weight * x * x, wxy += weight * x * y;
            }
            const double beta =
                end - begin == 1 ? 0 : std::max(0.0, (w * wxy - wx * wy) / (w * wxx - wx * wx));
            const double alpha = (wy - beta * wx) / w;
            for (std::size_t p = begin; p < end; ++p) {
                const double fitted = alpha + beta * static_cast<double>(few[p].argument);
                cost += std::pow((few[p].time_s - fitted) / few[p].time_s / model.noise, 2);
            }
            cost += 6 * std::log(static_cast<double>(few.size()));
            begin = end;
        }
        return cost;
    };
    double best = std::numeric_limits<double>::infinity();
    std::vector<std::size_t> best_cuts;
    const std::size_t n = few.size();
    for (std::uint32_t mask = 0; mask < (1u << (n - 1)); ++mask) {
        std::vector<std::size_t> cuts;
        std::size_t last = 0;
        bool allowed = true;
        for (std::size_t i = 1; i < n; ++i)
            if ((mask >> (i - 1)) & 1u) {
                allowed = allowed && (i - last >= 3 || (last == 0 && n >= 8));
                cuts.push_back(i);
                last = i;
            }
        if (!allowed || (n - last < 3 && n < 8))
            continue;
        const double cost = cost_of(cuts);
        if (cost < best) {
            best = cost;
            best_cuts = cuts;
        }
    }
    REQUIRE(model.segments.size() == best_cuts.size() + 1);
    for (std::size_t i = 0; i < best_cuts.size(); ++i)
        CHECK(model.segments[i + 1].first == few[best_cuts[i]].argument);
}

TEST_CASE("ten thousand points are fitted while one waits") {
    std::mt19937 random(3);
    std::normal_distribution<double> normal;
    std::vector<CostPoint> points;
    for (std::int64_t m = 0; m < 1000000; m += 100) {
        const double time_s = three_protocols(static_cast<double>(m)) * (1 + 0.02 * normal(random));
        points.push_back({m, time_s, 0.02 * time_s});
    }
    const CostModel model = fit_cost_model(points);
    REQUIRE(model.segments.size() == 3);
    CHECK(model.segments[0].last == 1000);
    CHECK(model.segments[1].last == 65500);
}

TEST_CASE("a limit just below the last argument is found, with one point or two behind it") {
    // A broadcast that changes its algorithm at 64 KiB, looked at closely.
    for (const std::size_t behind : {1u, 2u}) {
        std::vector<CostPoint> points;
        for (std::int64_t m = 1; m <= 32768; m *= 2)
            points.push_back({m, 20e-6 + 2e-9 * static_cast<double>(m), 0});
        for (const std::int64_t m : {49152, 57344, 61440, 63488, 65000, 65524, 65533})
            points.push_back({m, 20e-6 + 2e-9 * static_cast<double>(m), 0});
        points.push_back({65536, 57e-6, 0});
        if (behind == 2)
            points.push_back({65540, 57e-6, 0});
        // One launch may have been disturbed there; three have not.
        CHECK(fit_cost_model(points, copies(points, 1)).jumps.empty());
        const CostModel model = fit_cost_model(points, copies(points, 3));
        REQUIRE(model.segments.size() == 2);
        CHECK(model.segments[0].last == 65533);
        CHECK(model.segments[0].worst_error < 1e-6);
        CHECK(model.segments[1].points == behind);
        CHECK_FALSE(model.segments[1].is_fitted()); // nothing is claimed of so few points
        CHECK(std::isnan(model.segments[1].worst_error));
        CHECK(std::isnan(model.segments[1].alpha_error_s));
        CHECK(std::isnan(model.segments[1].beta_error_s));
        REQUIRE(model.jumps.size() == 1);
        CHECK(model.jumps[0].after == 65533);
        CHECK(model.jumps[0].before == 65536);
        CHECK(model.jumps[0].share == close_to(57 / 151.07 - 1).epsilon(0.001));
    }
}

TEST_CASE("a jump up between two neighbouring bytes is one, with a single point behind it, too") {
    std::vector<CostPoint> points;
    for (std::int64_t m = 1; m <= 65536; m *= 2)
        points.push_back({m, 20e-6 + 2e-9 * static_cast<double>(m), 0});
    points.push_back({65537, 180e-6, 0});
    const CostModel model = fit_cost_model(points, copies(points, 3));
    REQUIRE(model.jumps.size() == 1);
    CHECK(model.jumps[0].after == 65536);
    CHECK(model.jumps[0].before == 65537);
}

TEST_CASE("a small jump is listed where the fit is exact, and none is found in a noisy bend") {
    const auto step = [](double m) { return m <= 8192 ? 1e-6 + 1e-10 * m : 1.05e-6 + 1.03e-10 * m; };
    const CostModel exact = fit_cost_model(sample(step, 0, 1));
    REQUIRE(exact.jumps.size() == 1);
    CHECK(exact.jumps[0].after == 8192);
    const auto bend = [](double m) {
        return m <= 16384 ? 1e-6 + 1e-10 * m : 1e-6 + 4e-10 * m - 3e-10 * 16384;
    };
    int called_jumps = 0;
    int found_bends = 0;
    for (unsigned seed = 1; seed <= 200; ++seed) {
        const CostModel model = fit_cost_model(sample(bend, 0.02, seed));
        called_jumps += model.jumps.empty() ? 0 : 1;
        found_bends += model.segments.size() > 1 ? 1 : 0;
    }
    CHECK(found_bends > 190);
    CHECK(called_jumps <= 6);
}

TEST_CASE("of a thousand bends at most two are called jumps, with little noise and few points, too") {
    const auto bend = [](double m) {
        return m <= 16384 ? 1e-6 + 1e-10 * m : 1e-6 + 4e-10 * m - 3e-10 * 16384;
    };
    const auto step = [](double m) { return m <= 8192 ? straight_line(m) : 1.05 * straight_line(m); };
    for (const double noise : {0.005, 0.01, 0.02}) {
        CAPTURE(noise);
        int called_jumps = 0;
        for (unsigned seed = 1; seed <= 1000; ++seed) {
            std::vector<CostPoint> powers_of_two;
            for (const CostPoint& point : sample(bend, noise, seed))
                if ((point.argument & (point.argument - 1)) == 0)
                    powers_of_two.push_back(point);
            called_jumps += fit_cost_model(powers_of_two).jumps.empty() ? 0 : 1;
        }
        CHECK(called_jumps <= 2);
    }
    // Small jumps are found where the noise is smaller.
    int found = 0;
    for (unsigned seed = 1; seed <= 200; ++seed)
        found += fit_cost_model(sample(step, 0.005, seed)).jumps.size() == 1 ? 1 : 0;
    CHECK(found >= 196);
}

TEST_CASE("the errors of the coefficients are those of repeated measurements") {
    std::vector<double> alphas;
    std::vector<double> betas;
    double alpha_error_s = 0;
    double beta_error_s = 0;
    constexpr int trials = 300;
    for (unsigned seed = 1; seed <= trials; ++seed) {
        const CostModel model = fit_cost_model(sample(straight_line, 0.02, seed));
        if (model.segments.size() != 1)
            continue;
        alphas.push_back(model.segments[0].alpha_s);
        betas.push_back(model.segments[0].beta_s);
        alpha_error_s += model.segments[0].alpha_error_s;
        beta_error_s += model.segments[0].beta_error_s;
    }
    const auto deviation = [](const std::vector<double>& values) {
        double sum = 0, squares = 0;
        for (const double value : values)
            sum += value, squares += value * value;
        const auto n = static_cast<double>(values.size());
        return std::sqrt(squares / n - sum / n * (sum / n));
    };
    REQUIRE(alphas.size() > 290);
    const auto n = static_cast<double>(alphas.size());
    CHECK(deviation(alphas) / (alpha_error_s / n) == close_to(1).epsilon(0.15));
    CHECK(deviation(betas) / (beta_error_s / n) == close_to(1).epsilon(0.15));
}

TEST_CASE("where refinement chases noise that the points' errors do not state, one launch shows no jumps") {
    int jumps = 0;
    for (unsigned seed = 1; seed <= 200; ++seed) {
        std::mt19937 random(seed);
        std::normal_distribution<double> normal;
        skalib::Refinement refinement({.scale = skalib::Scale::dynamic_log,
                                       .start = 1,
                                       .end = 65536,
                                       .stepwidth = 2,
                                       .max_steps = 100,
                                       .max_relative_error = 0.03});
        std::vector<CostPoint> points;
        while (const std::optional<std::int64_t> m = refinement.next()) {
            const double time_s =
                (1e-6 + 2e-9 * std::pow(static_cast<double>(*m), 0.7)) * (1 + 0.03 * normal(random));
            points.push_back({*m, time_s, 0.002 * time_s});
            refinement.add(*m, time_s, 0.002 * time_s);
        }
        std::ranges::sort(points, {}, &CostPoint::argument);
        jumps += fit_cost_model(points, copies(points, 1)).jumps.empty() ? 0 : 1;
    }
    CHECK(jumps <= 10);
}

TEST_CASE("one outlier is no segment of its own") {
    std::vector<CostPoint> points = sample(straight_line, 0.01, 5);
    points[20].time_s *= 3;
    const CostModel model = fit_cost_model(points);
    for (std::size_t i = 1; i + 1 < model.segments.size(); ++i)
        CHECK(model.segments[i].points >= 3);
    CHECK(model.segments.front().points >= 3);
    CHECK(model.segments.back().points >= 3);
}

TEST_CASE("a falling curve is fitted by a constant, never by a negative price per byte") {
    const CostModel model =
        fit_cost_model(sample([](double m) { return 1e-5 / (1 + 0.01 * std::log2(m)); }, 0, 1));
    for (const CostSegment& segment : model.segments)
        CHECK(segment.beta_s >= 0);
}

TEST_CASE("too few points, or none that can be used, give no model") {
    CHECK(fit_cost_model({}).segments.empty());
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const double infinity = std::numeric_limits<double>::infinity();
    CHECK(fit_cost_model(std::vector<CostPoint>{{1, 1e-6, 0}, {2, 1e-6, 0}}).segments.empty());
    CHECK(fit_cost_model(
              std::vector<CostPoint>{{1, nan, 0}, {2, -1, 0}, {3, 0, 0}, {4, infinity, 0}, {5, 1e-6, 0}})
              .segments.empty());
    CHECK(fit_cost_model(std::vector<CostPoint>{{1, nan, 0}, {2, 1e-6, 0}, {3, 1e-6, 0}, {4, 1e-6, 0}})
              .segments.size() == 1);
}

TEST_CASE("arguments that lie too close together for a price have a constant") {
    constexpr std::int64_t long_message = std::int64_t{1} << 40;
    std::vector<CostPoint> points;
    for (std::int64_t i = 0; i < 5; ++i)
        points.push_back({long_message + i, 1e-6 * (i % 2 == 0 ? 1 : 1.01), 0});
    const CostModel model = fit_cost_model(points, copies(points, 3));
    REQUIRE(model.segments.size() == 1);
    CHECK(model.segments[0].beta_s == 0);
    CHECK(model.segments[0].alpha_s == close_to(1e-6).epsilon(0.01));
}

TEST_CASE("an argument of zero and equal times are fitted") {
    std::vector<CostPoint> points;
    for (std::int64_t m = 0; m < 10; ++m)
        points.push_back({m, 1e-6, 0});
    const CostModel model = fit_cost_model(points);
    REQUIRE(model.segments.size() == 1);
    CHECK(model.segments[0].alpha_s == close_to(1e-6));
    CHECK(model.segments[0].beta_s == doctest::Approx(0));
    CHECK(model.segments[0].worst_error < 1e-9);
}

TEST_CASE("the worst error is the largest distance of a point from its line, by the time measured") {
    std::vector<CostPoint> points;
    for (std::int64_t m = 0; m < 5; ++m) // too few for two segments
        points.push_back({m, 2e-6, 0});
    points[2].time_s = 2.5e-6;
    const CostModel model = fit_cost_model(points);
    REQUIRE(model.segments.size() == 1);
    // A constant, by symmetry; each weighs as the inverse of its square: (4 / 2 + 1 / 2.5) / (4 / 4 + 1
    // / 6.25)
    CHECK(model.segments[0].at(2) * 1e6 == close_to(2.4 / 1.16));
    CHECK(model.segments[0].worst_error == close_to(1 - 2.4 / 1.16 / 2.5));
}

TEST_CASE("the noise is the middle distance of points from the line through their neighbours") {
    // Distances 0.5 of 10, 1 of 11 and 0.5 of 10, each by what they scatter when all three points do.
    const std::vector<CostPoint> even{{0, 10, 0}, {1, 10, 0}, {2, 11, 0}, {3, 10, 0}, {4, 10, 0}};
    CHECK(fit_cost_model(even).noise == close_to(1.4826 * 0.040129).epsilon(1e-5));
    // Not in the middle of its neighbours: 12 where 12.5 lies on the line.
    const std::vector<CostPoint> uneven{{0, 10, 0}, {1, 12, 0}, {4, 20, 0}};
    CHECK(fit_cost_model(uneven).noise == close_to(1.4826 * 0.033315).epsilon(1e-5));
    // Where the points' own errors are larger they count, the one in the middle.
    const std::vector<CostPoint> own{{0, 10, 1}, {1, 12, 3.6}, {4, 20, 8}};
    CHECK(fit_cost_model(own).noise == close_to(0.3));
    // No measurement is better.
    const std::vector<CostPoint> exact{{0, 10, 0}, {1, 12, 0}, {4, 18, 0}};
    CHECK(fit_cost_model(exact).noise == close_to(0.005));
}

TEST_CASE("what shifts launches as a whole is in the errors of the coefficients") {
    // Five launches that differ by a factor: a standard deviation of sqrt(2.5) % of all coefficients.
    const std::vector<CostPoint> points = sample(two_protocols, 0, 1);
    LaunchTimes launches;
    for (const double factor : {0.98, 0.99, 1.0, 1.01, 1.02}) {
        std::vector<double>& launch = launches.times_s.emplace_back();
        for (const CostPoint& point : points)
            launch.push_back(factor * point.time_s);
    }
    // What a launch did not measure is at its distance from the others.
    launches.times_s[0][3] = launches.times_s[0][30] = std::nan("");
    const CostModel model = fit_cost_model(points, launches);
    REQUIRE(model.segments.size() == 2);
    for (const CostSegment& segment : model.segments) {
        CHECK(segment.errors.source == ErrorSource::between_launches);
        CHECK(segment.errors.launches == 5);
        CHECK(segment.errors.reach == close_to(2.7764).epsilon(1e-4)); // Student's t, 4 degrees
        // Half of what a median of five has more variance than a mean, 5 pi / 11.
        const double error = std::sqrt(2.5e-4 / 5 * 0.5 * (1 + 5 * std::acos(-1) / 11));
        CHECK(segment.alpha_error_s == close_to(error * segment.alpha_s).epsilon(1e-6));
        CHECK(segment.beta_error_s == close_to(error * segment.beta_s).epsilon(1e-6));
    }
}

TEST_CASE("one launch states no interval, and a simulation that of its scatter") {
    const std::vector<CostPoint> points = sample(straight_line, 0.02, 1);
    LaunchTimes one = copies(points, 1);
    const CostModel model = fit_cost_model(points, one);
    REQUIRE(model.segments.size() == 1);
    CHECK(model.segments[0].errors.source == ErrorSource::along_curve);
    CHECK(model.segments[0].errors.launches == 0);
    CHECK(std::isnan(model.segments[0].errors.reach));
    one.identical = true;
    const CostSegment simulated = fit_cost_model(points, one).segments.at(0);
    CHECK(simulated.errors.source == ErrorSource::simulation);
    CHECK(simulated.errors.reach == close_to(2.0181).epsilon(1e-4)); // Student's t, 42 degrees
    CHECK(simulated.alpha_error_s == model.segments[0].alpha_error_s);
}

TEST_CASE("a jump is where most launches that measured on both sides jump, and as large as they say") {
    const std::vector<CostPoint> points = sample(two_protocols, 0, 1);
    const auto behind = [&](std::size_t i) { return points[i].argument > 8192; };
    LaunchTimes launches = copies(points, 10);
    // All launches take 1.6 times as long as before in three of ten: each has the jump within itself.
    for (std::size_t launch = 0; launch < 3; ++launch)
        for (double& time_s : launches.times_s[launch])
            time_s *= 1.6;
    const CostModel model = fit_cost_model(points, launches);
    REQUIRE(model.jumps.size() == 1);
    CHECK(model.jumps[0].launches == 10);
    CHECK(model.jumps[0].agreeing == 10);
    CHECK(model.jumps[0].share == close_to(3.5904 / 2.6384).epsilon(1e-6));
    CHECK(model.jumps[0].time_s == close_to(3.5904e-6).epsilon(1e-6));

    // Values that launches of another level measured behind it make no jump: none saw one.
    LaunchTimes separate = copies(points, 10);
    for (std::size_t launch = 0; launch < 10; ++launch)
        for (std::size_t i = 0; i < points.size(); ++i)
            if (behind(i) != (launch < 5))
                separate.times_s[launch][i] = std::nan("");
    CHECK(fit_cost_model(points, separate).jumps.empty());

    // Nor if only half of them saw one.
    LaunchTimes half = copies(points, 10);
    for (std::size_t launch = 0; launch < 5; ++launch)
        for (std::size_t i = 0; i < points.size(); ++i)
            if (behind(i))
                half.times_s[launch][i] = 1e-6 + 2e-10 * static_cast<double>(points[i].argument);
    CHECK(fit_cost_model(points, half).jumps.empty());
}

TEST_CASE("the share of a jump is that of measured times, however steep its lines are") {
    // Before the jump a line that begins far below 0: at the middle of the gap it would be about 0.
    std::vector<CostPoint> points;
    for (std::int64_t m = 1000; m < 1020; ++m)
        points.push_back({m, 1e-9 * static_cast<double>(m - 990), 0});
    for (std::int64_t m = 1020; m < 1040; ++m)
        points.push_back({m, 1e-7, 0});
    const CostModel model = fit_cost_model(points);
    REQUIRE(model.jumps.size() == 1);
    CHECK(model.jumps[0].share < 3); // 29 to 100 ns
    CHECK(model.jumps[0].share > 2);
}
