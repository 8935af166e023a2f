// SPDX-License-Identifier: GPL-2.0-or-later
#include "analysis/finding_names.hpp"
#include "analysis/models/growth_model.hpp"
#include "analysis/models/operation_surface.hpp"
#include "close_to.hpp"
#include "contains.hpp"
#include "words/growth_words.hpp"

#include "../tool/invented_results.hpp"

#include <cmath>
#include <doctest/doctest.h>
#include <functional>
#include <limits>
#include <random>

using namespace skampi;

namespace {

std::vector<CostPoint> times_over_ranks(const std::function<double(std::int64_t)>& time_s, std::int64_t most,
                                        double noise = 0, unsigned seed = 1) {
    std::mt19937 random(seed);
    std::normal_distribution<double> normal;
    std::vector<CostPoint> points;
    for (std::int64_t p = 2; p <= most; p += p < 20 ? 1 : p / 8) {
        const double time = time_s(p);
        points.push_back({p, time * (1 + noise * normal(random)), noise * time});
    }
    return points;
}

/// The formula with the scatter along the curve, as if nothing else were in the errors.
std::string with_errors(GrowthModel model) {
    model.errors = {ErrorSource::between_launches, 8};
    return formula(model, TimeUnit::automatic);
}

std::string of_simulation(GrowthModel model) {
    model.errors.source = ErrorSource::simulation;
    return formula(model, TimeUnit::automatic);
}

double ceil_log2(std::int64_t p) {
    return std::ceil(std::log2(static_cast<double>(p)));
}

std::vector<SurfacePoint> sample_surface(const std::function<double(std::int64_t, double)>& time_s,
                                         double noise = 0, unsigned seed = 1) {
    std::mt19937 random(seed);
    std::normal_distribution<double> normal;
    std::vector<SurfacePoint> points;
    for (const std::int64_t bytes : {8, 1024, 65536})
        for (std::int64_t p = 2; p <= 64; p += p < 20 ? 1 : p / 8) {
            const double time = time_s(p, static_cast<double>(bytes));
            points.push_back({p, bytes, time * (1 + noise * normal(random)), noise * time});
        }
    return points;
}

} // namespace

TEST_CASE("the growth of collective algorithms is found with its coefficients") {
    // A message takes 2 us and 1 us more for its bytes.
    const double step = 3e-6;
    const auto ring =
        fit_growth(times_over_ranks([&](std::int64_t p) { return static_cast<double>(p - 1) * step; }, 64));
    REQUIRE(ring.has_value());
    CHECK(ring->growth == Growth::linear);
    CHECK(ring->alpha_s * 1e6 == close_to(-3));
    CHECK(ring->beta_s * 1e6 == close_to(3));
    CHECK(ring->alike.empty());
    CHECK(ring->first == 2);
    CHECK(ring->at(1000) * 1e6 == close_to(2997));
    const auto tree = fit_growth(times_over_ranks([&](std::int64_t p) { return ceil_log2(p) * step; }, 64));
    CHECK(tree->growth == Growth::ceil_log2);
    CHECK(tree->beta_s * 1e6 == close_to(3));
    CHECK(tree->gamma_s == 0);
    CHECK(tree->worst_error < 1e-9);
    // Recursive doubling: the floor of log2 p steps, and two more where p is no power of two.
    const auto doubling = fit_growth(times_over_ranks(
        [&](std::int64_t p) {
            return (std::floor(std::log2(static_cast<double>(p))) + ((p & (p - 1)) != 0 ? 2 : 0)) * step;
        },
        64));
    CHECK(doubling->growth == Growth::ceil_log2); // one step is the tree's, the other the penalty
    CHECK(doubling->beta_s * 1e6 == close_to(3));
    CHECK(doubling->gamma_s * 1e6 == close_to(3));
    CHECK(of_simulation(*doubling) == "3.000 µs ceil(log2 p), and +3.000 µs where p is no power of two");
    const auto all = fit_growth(
        times_over_ranks([&](std::int64_t p) { return 1e-6 + 2e-9 * static_cast<double>(p * p); }, 64));
    CHECK(all->growth == Growth::quadratic);
    CHECK(of_simulation(*all) == "1.000 µs + 2.000 ns p^2");
    const auto sorting = fit_growth(times_over_ranks(
        [&](std::int64_t p) {
            return 1e-6 + 1e-7 * static_cast<double>(p) * std::log2(static_cast<double>(p));
        },
        64));
    CHECK(sorting->growth == Growth::p_log2);
    CHECK(fit_growth(times_over_ranks([&](std::int64_t) { return 2e-6; }, 64))->growth == Growth::constant);
    CHECK(fit_growth(
              times_over_ranks([&](std::int64_t p) { return 1e-6 * std::log2(static_cast<double>(p)); }, 64))
              ->growth == Growth::log2);
}

TEST_CASE("a binomial Gather has rounds and moves the data of all ranks, and both are found") {
    // Rounds of 3 us, and of every other rank a message: few bytes, middling ones, many.
    for (const double message_s : {0.05e-6, 0.5e-6, 3e-6}) {
        CAPTURE(message_s);
        const auto time_s = [&](std::int64_t p) {
            return 3e-6 * ceil_log2(p) + message_s * static_cast<double>(p - 1);
        };
        for (const std::int64_t most : {16, 64, 256}) {
            const auto tree = fit_growth(times_over_ranks(time_s, most));
            CHECK(tree->growth == Growth::linear);
            CHECK(to_text(tree->form()) == "p and ceil(log2 p)");
            CHECK(tree->delta_s * 1e6 == close_to(3).epsilon(0.001));
            CHECK(tree->beta_s * 1e6 == close_to(message_s * 1e6).epsilon(0.001));
            CHECK(tree->alpha_s * 1e6 == close_to(-message_s * 1e6).epsilon(0.001));
            CHECK(tree->gamma_s == 0);
            CHECK(tree->at(1000) * 1e6 == close_to(time_s(1000) * 1e6).epsilon(0.001));
        }
        // Few points under noise may do without one of the two, and then say so.
        int untold = 0;
        for (unsigned seed = 1; seed <= 50; ++seed) {
            const auto few = fit_growth(times_over_ranks(time_s, 8, 0.05, seed));
            REQUIRE(few.has_value());
            const bool both = to_text(few->form()) == "p and ceil(log2 p)";
            untold +=
                !both && std::ranges::find(few->alike, GrowthForm{Growth::linear, true}) == few->alike.end()
                    ? 1
                    : 0;
            for (const GrowthForm& form : few->alike)
                CHECK(form != few->form());
        }
        CHECK(untold <= 20); // where a price below zero would fit best
        int found = 0;
        for (unsigned seed = 1; seed <= 50; ++seed)
            found += fit_growth(times_over_ranks(time_s, 64, 0.02, seed))->delta_s > 0 ? 1 : 0;
        CHECK(found >= 45);
    }
    GrowthModel model;
    model.growth = Growth::linear;
    model.beta_s = 5e-7;
    model.delta_s = 3e-6;
    CHECK(formula(model, TimeUnit::automatic) == "500 ns p + 3.00 µs ceil(log2 p)");
    // What has one of them alone is not given the other.
    int wrong = 0;
    for (unsigned seed = 1; seed <= 200; ++seed) {
        const auto ring = [](std::int64_t p) { return 3e-6 * static_cast<double>(p - 1); };
        const auto tree = [](std::int64_t p) { return 3e-6 * ceil_log2(p); };
        wrong += fit_growth(times_over_ranks(ring, 64, 0.02, seed))->delta_s > 0 ? 1 : 0;
        wrong += fit_growth(times_over_ranks(tree, 64, 0.02, seed))->delta_s > 0 ? 1 : 0;
    }
    CHECK(wrong <= 20);
}

TEST_CASE("rounds that cost more from one to the next are ceil(log2 p) and its square") {
    // As SMPI's broadcast of 1 KiB: in the k-th round the root's messages queue behind k others.
    const auto time_s = [](std::int64_t p) {
        return 1.7e-6 * ceil_log2(p) + 0.86e-6 * ceil_log2(p) * ceil_log2(p);
    };
    std::vector<CostPoint> powers;
    for (std::int64_t p = 2; p <= 64; p *= 2)
        powers.push_back({p, time_s(p), 0});
    for (const std::vector<CostPoint>& points : {powers, times_over_ranks(time_s, 64)}) {
        const auto model = fit_growth(points);
        REQUIRE(model.has_value());
        CHECK(model->form() == GrowthForm{Growth::ceil_log2_squared, true});
        CHECK(to_text(model->form()) == "ceil(log2 p)^2 and ceil(log2 p)");
        CHECK(model->beta_s * 1e6 == close_to(0.86));
        CHECK(model->delta_s * 1e6 == close_to(1.7));
        CHECK(std::fabs(model->alpha_s) < 1e-12);
        CHECK(model->worst_error < 1e-9);
        CHECK(model->at(256) * 1e6 == close_to(time_s(256) * 1e6));
    }
    const auto square =
        fit_growth(times_over_ranks([](std::int64_t p) { return 1e-6 * ceil_log2(p) * ceil_log2(p); }, 64));
    CHECK(square->form() == GrowthForm{Growth::ceil_log2_squared, false});
}

TEST_CASE("a form is never below 0 on one rank: what fits with a negative constant alone is not named") {
    // Cheap inside a host, and a step beyond it.
    const auto hosts = [](std::int64_t p) {
        return p <= 4 ? 0.7e-6 * ceil_log2(p) : 10e-6 * (ceil_log2(p) - 1);
    };
    std::vector<CostPoint> points;
    for (std::int64_t p = 2; p <= 64; p *= 2)
        points.push_back({p, hosts(p), 0});
    const auto model = fit_growth(points);
    REQUIRE(model.has_value());
    CHECK_FALSE(model->is_negative_on_one_rank());
    CHECK(model->worst_error > 0.25); // no form fits
    std::mt19937 random(3);
    std::normal_distribution<double> normal;
    for (int series = 0; series < 100; ++series) {
        std::vector<CostPoint> some;
        for (std::int64_t p = 2; p <= 256; p *= 2)
            some.push_back({p, std::exp(normal(random)) * 1e-6, 0});
        CHECK_FALSE(fit_growth(some)->is_negative_on_one_rank());
    }
}

TEST_CASE("noise is not taken for growth, and hides no growth that is large against it") {
    int wrong = 0;
    for (unsigned seed = 1; seed <= 200; ++seed) {
        wrong += fit_growth(times_over_ranks([](std::int64_t) { return 2e-6; }, 64, 0.02, seed))->growth !=
                         Growth::constant
                     ? 1
                     : 0;
        const auto ring = fit_growth(times_over_ranks(
            [](std::int64_t p) { return 1e-6 * static_cast<double>(p - 1); }, 64, 0.02, seed));
        wrong += ring->growth != Growth::linear ? 1 : 0;
        CHECK(ring->beta_s * 1e6 == close_to(1).epsilon(0.03));
    }
    CHECK(wrong <= 20); // 5 %: the menu has eleven other models
}

TEST_CASE("a constant is not taken for growth on a few numbers of ranks, and growth is found there") {
    // The points' own errors are too small, as those of one launch are.
    std::mt19937 random(11);
    std::normal_distribution<double> normal;
    int constants_growing = 0;
    int growth_found = 0;
    constexpr int series = 300;
    for (int i = 0; i < series; ++i) {
        std::vector<CostPoint> constant;
        std::vector<CostPoint> growing;
        for (const std::int64_t p : {2, 4, 8, 16, 32}) {
            const double time_s = 5e-6 * (1 + 0.03 * normal(random));
            constant.push_back({p, time_s, 1e-8});
            growing.push_back({p, time_s * (1 + 0.2 * static_cast<double>(p)), 1e-8});
        }
        constants_growing += fit_growth(constant)->growth != Growth::constant ? 1 : 0;
        growth_found += fit_growth(growing)->growth != Growth::constant ? 1 : 0;
    }
    CHECK(constants_growing <= series / 20);
    CHECK(growth_found >= 0.95 * series);
}

TEST_CASE("coefficients lie within their standard errors as often as those promise") {
    // Of 2 in 3 values each, as of any normal error.
    int growths = 0;
    int constants = 0;
    int per_byte = 0;
    constexpr int trials = 300;
    for (unsigned seed = 1; seed <= trials; ++seed) {
        const auto ring = fit_growth(times_over_ranks(
            [](std::int64_t p) { return 4e-6 + 1e-6 * static_cast<double>(p); }, 64, 0.02, seed));
        REQUIRE(ring->growth == Growth::linear);
        growths += std::fabs(ring->beta_s - 1e-6) < ring->beta_error_s ? 1 : 0;
        constants += std::fabs(ring->alpha_s - 4e-6) < ring->alpha_error_s ? 1 : 0;
        const auto both = fit_surface(sample_surface(
            [](std::int64_t p, double m) { return static_cast<double>(p) * (2e-6 + 1e-9 * m); }, 0.02, seed));
        per_byte += both->per_byte.growth == Growth::linear &&
                            std::fabs(both->per_byte.beta_s - 1e-9) < both->per_byte.beta_error_s
                        ? 1
                        : 0;
    }
    for (const int within : {growths, constants, per_byte}) {
        CHECK(within > 0.6 * trials);
        CHECK(within < 0.8 * trials);
    }
}

TEST_CASE(
    "an error as large as its coefficient is shown, and a constant that takes back one rank is no price") {
    GrowthModel model;
    model.growth = Growth::linear;
    model.alpha_s = -1e-6;
    model.alpha_error_s = 2e-6;
    model.beta_s = 3e-6;
    model.beta_error_s = 3e-8;
    model.worst_error = 0.01;
    CHECK(formula(model, TimeUnit::automatic) == "2.00 µs + 3.00 µs (p - 1)"); // of one launch
    CHECK(with_errors(model) == "2.00 µs [100 %] + 3.00 µs [1 %] (p - 1)");
    CHECK_FALSE(model.is_negative_on_one_rank());
    model.alpha_s = -3e-6;
    CHECK(formula(model, TimeUnit::automatic) == "3.00 µs (p - 1)");
    CHECK_FALSE(model.is_negative_on_one_rank());
    model.alpha_s = -4e-6;
    CHECK(formula(model, TimeUnit::automatic) == "-4.00 µs + 3.00 µs p");
    CHECK(model.is_negative_on_one_rank());
    model.growth = Growth::log2;
    model.alpha_s = -1e-6;
    CHECK(model.is_negative_on_one_rank());
    model.alpha_s = model.alpha_error_s = 0;
    CHECK(with_errors(model) == "3.00 µs [1 %] log2 p");
    model.alpha_s = 1e-9; // of which its error leaves nothing
    model.alpha_error_s = 1e-7;
    CHECK(with_errors(model) == "3.00 µs [1 %] log2 p");
    model.alpha_s = model.alpha_error_s = 0;
    CHECK_FALSE(model.is_negative_on_one_rank());
}

TEST_CASE("forms that the points do not distinguish are named") {
    // Two to six ranks: p and p log2 p and all else look alike under 10 % noise.
    const std::vector<CostPoint> few =
        times_over_ranks([](std::int64_t p) { return 1e-6 * static_cast<double>(p); }, 6, 0.1, 3);
    const auto model = fit_growth(few);
    REQUIRE(model.has_value());
    CHECK_FALSE(model->alike.empty());
}

TEST_CASE("where a few ranks fit p and log2 p alike, the number of ranks that distinguishes them is named") {
    std::mt19937 random(5);
    std::normal_distribution<double> normal;
    std::vector<CostPoint> points;
    for (const std::int64_t p : {2, 3, 4, 5, 6}) {
        const double time_s = 10e-6 + 1e-6 * static_cast<double>(p);
        points.push_back({p, time_s * (1 + 0.02 * normal(random)), 0.02 * time_s});
    }
    const auto model = fit_growth(points);
    REQUIRE(model.has_value());
    REQUIRE_FALSE(model->alike.empty());
    REQUIRE(model->distinguishing_ranks > 6);
    CHECK(model->distinguishing_ranks <= 16 * 6);
    CHECK(contains(growth_sentence(*model, TimeUnit::automatic),
                   std::to_string(model->distinguishing_ranks) + " ranks"));
    // Exact times leave nothing to distinguish.
    const auto ring =
        fit_growth(times_over_ranks([](std::int64_t p) { return 3e-6 * static_cast<double>(p - 1); }, 64));
    CHECK(ring->alike.empty());
    CHECK(ring->distinguishing_ranks == 0);
}

TEST_CASE("no part of a surface is below 0 on one rank, even where the best line is") {
    // Messages inside a host cost a tenth: the best line has a negative latency.
    std::vector<SurfacePoint> points;
    for (const std::int64_t bytes : {8, 1024, 65536})
        for (const std::int64_t p : {2, 4, 8, 16, 32, 64}) {
            const double rounds = std::log2(static_cast<double>(p));
            const double step_s = 2e-6 + 1e-9 * static_cast<double>(bytes);
            points.push_back({p, bytes, step_s * (std::max(0.0, rounds - 2) + 0.1 * std::min(2.0, rounds))});
        }
    const auto model = fit_surface(points);
    REQUIRE(model.has_value());
    for (const GrowthModel* part : {&model->latency, &model->per_byte}) {
        CHECK_FALSE(part->is_negative_on_one_rank());
        CHECK(part->beta_s >= 0);
    }
}

TEST_CASE("too few points give no model") {
    CHECK_FALSE(fit_growth({}).has_value());
    CHECK_FALSE(fit_growth(times_over_ranks([](std::int64_t) { return 1e-6; }, 5)).has_value());
    std::vector<CostPoint> points = times_over_ranks([](std::int64_t) { return 1e-6; }, 8);
    for (std::size_t i = 0; i < 3; ++i)
        points[i].time_s = i == 0 ? std::numeric_limits<double>::quiet_NaN() : -1e-9;
    CHECK_FALSE(fit_growth(points).has_value());
}

TEST_CASE("over ranks and lengths latency and price per byte are found, each in its form") {
    // 2 us for a message, 1 GB/s.
    const auto message = [](double m) { return 2e-6 + 1e-9 * m; };
    const auto ring = fit_surface(
        sample_surface([&](std::int64_t p, double m) { return static_cast<double>(p - 1) * message(m); }));
    REQUIRE(ring.has_value());
    CHECK(ring->latency.growth == Growth::linear);
    CHECK(ring->per_byte.growth == Growth::linear);
    CHECK(ring->latency.beta_s * 1e6 == close_to(2));
    CHECK(ring->per_byte.beta_s * 1e9 == close_to(1));
    CHECK(ring->at(100, 1000) * 1e6 == close_to(297));
    CHECK(ring->worst_error < 1e-9);
    CHECK(ring->latency.alike.empty());
    CHECK(ring->per_byte.alike.empty());
    CHECK(ring->first_bytes == 8);
    CHECK(ring->last_bytes == 65536);
    // Recursive doubling has a step more where p is no power of two.
    const auto doubling = fit_surface(sample_surface([&](std::int64_t p, double m) {
        return (ceil_log2(p) + ((p & (p - 1)) != 0 ? 1 : 0)) * message(m);
    }));
    CHECK(doubling->latency.growth == Growth::ceil_log2);
    CHECK(doubling->per_byte.growth == Growth::ceil_log2);
    CHECK(doubling->latency.gamma_s * 1e6 == close_to(2));
    CHECK(doubling->per_byte.gamma_s * 1e9 == close_to(1));
    // Scattered and gathered: the latency grows and the price of a byte hardly does.
    const auto scattered = fit_surface(
        sample_surface([](std::int64_t p, double m) { return ceil_log2(p) * 2e-6 + 2e-9 * m; }, 0.01, 3));
    CHECK(scattered->latency.growth == Growth::ceil_log2);
    CHECK(scattered->per_byte.growth == Growth::constant);
    CHECK(scattered->latency.beta_s * 1e6 == close_to(2).epsilon(0.01));
    CHECK(scattered->per_byte.alpha_s * 1e9 == close_to(2).epsilon(0.01));
}

TEST_CASE("one length, or too few numbers of ranks, are no surface") {
    std::vector<SurfacePoint> points =
        sample_surface([](std::int64_t p, double m) { return 1e-6 * static_cast<double>(p) + 1e-9 * m; });
    CHECK(fit_surface(points).has_value());
    std::vector<SurfacePoint> few;
    std::vector<SurfacePoint> one_length;
    for (const SurfacePoint& point : points) {
        if (point.ranks < 6)
            few.push_back(point);
        if (point.message_bytes == 1024)
            one_length.push_back(point);
    }
    CHECK_FALSE(fit_surface(few).has_value());
    CHECK_FALSE(fit_surface(one_length).has_value());
    CHECK_FALSE(fit_surface({}).has_value());
}

TEST_CASE("one surface is fitted to what was measured of ranks that joined in one order") {
    const auto surfaces = [](const std::string& join) {
        Subject subject;
        for (const std::int64_t bytes : {1024, 65536}) {
            Curve curve;
            curve.stored.suite = test::suite(
                "MPI_Bcast", test::operation(0, "MPI_Bcast", "", Pattern::collective, Varied::nodes),
                Varied::nodes, bytes);
            if (bytes > 1024)
                curve.stored.suite.join = join;
            for (const int ranks : {2, 4, 8, 16, 32}) {
                StoredMeasurement point;
                point.finished = true;
                point.measurement.argument = point.measurement.ranks = ranks;
                point.measurement.message_bytes = bytes;
                point.measurement.summary.count = 100;
                point.measurement.value_s = std::log2(ranks) * (1e-6 + 1e-10 * static_cast<double>(bytes));
                curve.points.push_back(point);
            }
            subject.curves.push_back(curve);
        }
        return operation_surfaces(subject).size();
    };
    CHECK(surfaces("") == 1);
    CHECK(surfaces("round-robin") == 0);
}

TEST_CASE("launches that differ as a whole are in the errors of growth and of surfaces") {
    const std::vector<CostPoint> points =
        times_over_ranks([](std::int64_t p) { return 4e-6 + 1e-6 * static_cast<double>(p); }, 64);
    const std::vector<SurfacePoint> surface_points =
        sample_surface([](std::int64_t p, double m) { return static_cast<double>(p) * (2e-6 + 1e-9 * m); });
    LaunchTimes launches;
    LaunchTimes of_surface;
    for (const double factor : {0.98, 0.99, 1.0, 1.01, 1.02}) {
        std::vector<double>& launch = launches.times_s.emplace_back();
        for (const CostPoint& point : points)
            launch.push_back(factor * point.time_s);
        std::vector<double>& other = of_surface.times_s.emplace_back();
        for (const SurfacePoint& point : surface_points)
            other.push_back(factor * point.time_s);
    }
    const double error = std::sqrt(2.5e-4 / 5 * 0.5 * (1 + 5 * std::acos(-1) / 11));
    const auto growth = fit_growth(points, launches);
    CHECK(growth->errors.source == ErrorSource::between_launches);
    CHECK(growth->errors.launches == 5);
    CHECK(growth->alpha_error_s == close_to(error * growth->alpha_s).epsilon(1e-6));
    CHECK(growth->beta_error_s == close_to(error * growth->beta_s).epsilon(1e-6));
    CHECK(growth->gamma_error_s == 0);
    CHECK(fit_growth(points)->errors.source == ErrorSource::along_curve);
    const auto surface = fit_surface(surface_points, of_surface);
    CHECK(surface->per_byte.errors.launches == 5);
    CHECK(surface->latency.beta_error_s == close_to(error * surface->latency.beta_s).epsilon(1e-6));
    CHECK(surface->per_byte.beta_error_s == close_to(error * surface->per_byte.beta_s).epsilon(1e-6));
}
