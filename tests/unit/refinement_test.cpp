// SPDX-License-Identifier: GPL-2.0-or-later
#include "close_to.hpp"
#include "skalib/refinement.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <doctest/doctest.h>
#include <functional>
#include <limits>
#include <random>
#include <stdexcept>
#include <utility>
#include <vector>

using namespace skalib;

namespace {

using CurveFunction = std::function<double(std::int64_t)>;
using Arguments = std::vector<std::int64_t>;

/// Measures until nothing is wanted; the arguments in the order they were wanted. Every value has the same
/// relative standard error.
Arguments run(Refinement& refinement, const CurveFunction& curve, double error = 0,
              std::size_t at_most = 20'000) {
    Arguments order;
    while (const auto argument = refinement.next()) {
        REQUIRE(refinement.next() == argument);
        REQUIRE_FALSE(refinement.points().contains(*argument));
        refinement.add(*argument, curve(*argument), error * std::abs(curve(*argument)));
        order.push_back(*argument);
        REQUIRE(order.size() <= at_most);
    }
    return order;
}

std::size_t refined(const Refinement& refinement) {
    return refinement.points().size() - refinement.first_pass().size();
}

CurveFunction straight(double alpha, double beta) {
    return [=](std::int64_t m) { return alpha + beta * static_cast<double>(m); };
}

/// The cost model of a library that changes its algorithm behind the argument last.
CurveFunction jump_behind(std::int64_t last, double height = 1) {
    return [=](std::int64_t m) { return 2 + 0.003 * static_cast<double>(m) + (m > last ? height : 0); };
}

/// Deterministic noise: the same argument gives the same value whenever it is measured.
CurveFunction noisy(CurveFunction curve, double relative, unsigned seed) {
    return [=](std::int64_t m) {
        std::mt19937_64 random(seed * 1'000'003ull + static_cast<std::uint64_t>(m));
        random.discard(5);
        return curve(m) * (1 + std::normal_distribution<double>(0, relative)(random));
    };
}

/// What a jump behind the argument last may cost.
double cost_of_jump(const Refinement& refinement, std::int64_t last, std::int64_t min_distance) {
    const Arguments& first = refinement.first_pass();
    const auto above = std::upper_bound(first.begin(), first.end(), last);
    return 1.5 *
           std::log2(static_cast<double>(*above - *std::prev(above)) / static_cast<double>(min_distance));
}

/// Distance of the two measured arguments around a jump behind the argument last.
std::int64_t width_around(const Refinement& refinement, std::int64_t last) {
    const auto above = refinement.points().upper_bound(last);
    REQUIRE(above != refinement.points().end());
    REQUIRE(above != refinement.points().begin());
    return above->first - std::prev(above)->first;
}

} // namespace

TEST_CASE("a logarithmic first pass has the powers of the step width and the end") {
    const Refinement powers({.start = 1, .end = 100, .stepwidth = 2});
    CHECK(powers.first_pass() == Arguments{1, 2, 4, 8, 16, 32, 64, 100});
    const Refinement exact({.start = 4, .end = 64, .stepwidth = 2});
    CHECK(exact.first_pass() == Arguments{4, 8, 16, 32, 64});
    const Refinement root({.start = 1, .end = 8, .stepwidth = std::sqrt(2.0)});
    CHECK(root.first_pass() == Arguments{1, 2, 3, 4, 6, 8});
}

TEST_CASE("a linear first pass has constant distances and the end") {
    const Refinement linear({.scale = Scale::fixed_linear, .start = 10, .end = 50, .stepwidth = 15});
    CHECK(linear.first_pass() == Arguments{10, 25, 40, 50});
    const Refinement from_zero({.scale = Scale::dynamic_linear, .start = 0, .end = 4, .stepwidth = 1});
    CHECK(from_zero.first_pass() == Arguments{0, 1, 2, 3, 4});
    const Refinement halves({.scale = Scale::fixed_linear, .start = 0, .end = 3, .stepwidth = 0.5});
    CHECK(halves.first_pass() == Arguments{0, 1, 2, 3});
}

TEST_CASE("a narrow range far from zero has a first pass like any other") {
    constexpr std::int64_t far = 1'000'000'000;
    const Refinement linear({.scale = Scale::fixed_linear, .start = far, .end = far + 3, .stepwidth = 1});
    CHECK(linear.first_pass() == Arguments{far, far + 1, far + 2, far + 3});
}

TEST_CASE("zero on a logarithmic scale is measured before the grid that starts at one multiple") {
    CHECK(Refinement({.start = 0, .end = 8}).first_pass() == Arguments{0, 1, 2, 4, 8});
    CHECK(Refinement({.start = 0, .end = 64, .multiple_of = 8}).first_pass() == Arguments{0, 8, 16, 32, 64});
    CHECK(Refinement({.start = 0, .end = 0}).first_pass() == Arguments{0});
    CHECK(Refinement({.start = 0, .end = 3, .multiple_of = 8}).first_pass() == Arguments{0});
}

TEST_CASE("every argument is a multiple, the first and the last, too") {
    const Refinement log({.start = 3, .end = 99, .stepwidth = 2, .multiple_of = 8});
    CHECK(log.first_pass() == Arguments{8, 16, 32, 64, 96});
    const Refinement one({.start = 3, .end = 9, .stepwidth = 2, .multiple_of = 8});
    CHECK(one.first_pass() == Arguments{8});
    const Refinement linear(
        {.scale = Scale::fixed_linear, .start = 5, .end = 29, .stepwidth = 10, .multiple_of = 4});
    CHECK(linear.first_pass() == Arguments{8, 20, 28});

    Refinement refinement({.start = 3, .end = 99'999, .multiple_of = 8, .max_relative_error = 0.001});
    run(refinement, jump_behind(3000));
    CHECK(refined(refinement) > 5);
    for (const auto& [argument, value] : refinement.points())
        CHECK(argument % 8 == 0);
    CHECK(refinement.points().begin()->first == 8);
    CHECK(refinement.points().rbegin()->first == 99'992);
}

TEST_CASE("a range is moved inwards to multiples, and has none where there is none") {
    const auto range = [](std::int64_t start, std::int64_t end, std::int64_t multiple) {
        const RefinementLimits inside =
            within_multiples({.start = start, .end = end, .multiple_of = multiple});
        return std::pair(inside.start, inside.end);
    };
    CHECK(range(3, 99, 8) == std::pair<std::int64_t, std::int64_t>(8, 96));
    CHECK(range(8, 96, 8) == std::pair<std::int64_t, std::int64_t>(8, 96));
    CHECK(range(0, 7, 8) == std::pair<std::int64_t, std::int64_t>(0, 0));
    CHECK(range(3, 5, 0) == std::pair<std::int64_t, std::int64_t>(3, 5));
    constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
    for (const auto& [start, end, multiple] :
         {std::array<std::int64_t, 3>{3, 5, 8}, {most - 1, most, most / 2 - 5}, {1, most - 1, most}}) {
        const auto [first, last] = range(start, end, multiple);
        CHECK(first > last);
        CHECK_THROWS_WITH_AS(Refinement({.start = start, .end = end, .multiple_of = multiple}),
                             doctest::Contains("there is no multiple of"), std::invalid_argument);
    }
}

TEST_CASE("no neighbours stay farther apart than the largest distance, though a line is straight") {
    for (const auto scale : {Scale::dynamic_log, Scale::dynamic_linear}) {
        RefinementLimits limits{.scale = scale,
                                .start = 1,
                                .end = 4096,
                                .stepwidth = scale == Scale::dynamic_log ? 2.0 : 1000.0,
                                .max_distance = 300};
        Refinement all(limits);
        run(all, straight(1, 1));
        std::int64_t before = all.points().begin()->first;
        for (const auto& [argument, value] : all.points()) {
            CHECK(argument - before <= 300);
            before = argument;
        }
        limits.max_distance.reset();
        Refinement without(limits);
        run(without, straight(1, 1));
        CHECK(without.points().size() == without.first_pass().size());
        CHECK(all.points().size() > without.points().size());
        // The bound on their number holds nevertheless.
        limits.max_distance = 300;
        limits.max_steps = 15;
        Refinement few(limits);
        run(few, straight(1, 1));
        CHECK(few.points().size() == 15);
    }
}

TEST_CASE("what interpolates badly comes before what is merely wide") {
    Refinement refinement({.start = 1, .end = 4096, .stepwidth = 2, .max_distance = 100});
    const CurveFunction curve = jump_behind(40);
    while (refinement.next() && refinement.points().size() < refinement.first_pass().size())
        refinement.add(*refinement.next(), curve(*refinement.next()));
    std::vector<std::int64_t> order;
    for (auto next = refinement.next(); next; next = refinement.next()) {
        order.push_back(*next);
        refinement.add(*next, curve(*next));
    }
    REQUIRE(order.size() > 10);
    CHECK(order.front() > 32);
    CHECK(order.front() < 64);
    const auto found = std::find_if(order.begin(), order.end(), [](std::int64_t m) { return m > 100; });
    REQUIRE(found != order.end());
    for (const std::int64_t at : {40, 41})
        CHECK(std::find(order.begin(), found, at) != found);
}

TEST_CASE("the first pass of a range is the one with the fewest measurements") {
    // (end - start) ln 2 / jumps of the manual.
    CHECK(best_stepwidth(Scale::dynamic_linear, 0, 10'000, 10) == 693);
    CHECK(best_stepwidth(Scale::dynamic_linear, 2, 4) == 1);
    CHECK(best_stepwidth(Scale::dynamic_linear, 5, 5) == 1);
    // By counting: a first pass of all arguments, and for each jump the halvings of its segment.
    const auto count = [](double ratio, double range, int jumps) {
        return std::log(range) / std::log(ratio) + jumps * std::log2(100 * (ratio - 1));
    };
    for (const std::int64_t end : {4, 64, 1000, 1300, 65536, 1 << 28})
        for (const int jumps : {1, 4, 8, 20}) {
            const double chosen = best_stepwidth(Scale::dynamic_log, 1, end, jumps);
            const double other = chosen == 2 ? std::sqrt(2.0) : 2;
            CHECK(count(chosen, static_cast<double>(end), jumps) <=
                  count(other, static_cast<double>(end), jumps));
        }
    CHECK(best_stepwidth(Scale::dynamic_log, 1, 1 << 20) == 2);
    CHECK(best_stepwidth(Scale::dynamic_log, 1024, 4096) == std::sqrt(2.0));
    CHECK(stepwidth_of({.scale = Scale::dynamic_linear, .start = 0, .end = 10'000, .stepwidth = -10}) == 693);
    CHECK(stepwidth_of({.start = 1024, .end = 4096, .stepwidth = 0}) == std::sqrt(2.0));
    CHECK(Refinement({.start = 64, .end = 256, .stepwidth = 0}).first_pass() ==
          Arguments{64, 91, 128, 181, 256});
}

TEST_CASE("where a curve is interpolated worst, and by how much, is known at the end") {
    Refinement refinement({.start = 1, .end = 1024, .min_distance = 16});
    CHECK_FALSE(refinement.worst_segment());
    CHECK(run(refinement, jump_behind(300)).size() > 11);
    const auto worst = refinement.worst_segment();
    REQUIRE(worst);
    CHECK(worst->begin <= 300);
    CHECK(worst->end > 300);
    CHECK(worst->end - worst->begin < 32);
    CHECK(worst->key == refinement.largest_key());
    CHECK(worst->key > 0.01);
    Refinement smooth({.start = 1, .end = 1024});
    run(smooth, straight(1, 1));
    REQUIRE(smooth.worst_segment());
    CHECK(smooth.worst_segment()->key < 1e-12);
}

TEST_CASE("one argument is one measurement") {
    Refinement refinement({.start = 7, .end = 7});
    CHECK(run(refinement, straight(1, 1)) == Arguments{7});
    CHECK(refinement.largest_key() == 0);
}

TEST_CASE("fixed scales measure the first pass and nothing else, whatever max_steps says") {
    for (const auto scale : {Scale::fixed_log, Scale::fixed_linear}) {
        Refinement refinement({.scale = scale, .start = 1, .end = 32, .stepwidth = 2, .max_steps = 3});
        CHECK(run(refinement, jump_behind(10)) == refinement.first_pass());
    }
}

TEST_CASE("a straight line needs no refinement") {
    for (const auto scale : {Scale::dynamic_log, Scale::dynamic_linear})
        for (const std::int64_t start : {0, 1, 5}) {
            Refinement refinement({.scale = scale,
                                   .start = start,
                                   .end = 1 << 20,
                                   .stepwidth = scale == Scale::dynamic_log ? 2.0 : 50'000.0,
                                   .max_relative_error = 1e-6});
            run(refinement, straight(3, 0.01));
            CHECK(refined(refinement) == 0);
            CHECK(refinement.largest_key() <= 1e-6);
        }
}

TEST_CASE("the largest key is infinite while the first pass is open") {
    Refinement refinement({.start = 1, .end = 4});
    CHECK(std::isinf(refinement.largest_key()));
    refinement.add(1, 1);
    refinement.add(4, 1);
    CHECK(std::isinf(refinement.largest_key()));
    refinement.add(2, 1);
    CHECK(refinement.largest_key() == 0);
}

TEST_CASE("the key is equation 3.5") {
    // Segments 10-20-30-40 with values 1, 2, 5, 6.
    Refinement refinement({.scale = Scale::fixed_linear, .start = 10, .end = 40, .stepwidth = 10});
    refinement.add(10, 1);
    refinement.add(20, 2);
    refinement.add(30, 5);
    refinement.add(40, 6);
    // Middle: D1 = 3 - 5, D2 = 4 - 2, so min(2/2, 2/5, 10/20) = 0.4.
    // Left border: D2 = -1 - 1, so min(2/2, 10/10) = 1. Right border: D1 = 8 - 6, so min(2/5, 10/30) = 1/3.
    CHECK(refinement.largest_key() == close_to(1));
    refinement.add(10, -1); // on the line of its neighbour
    CHECK(refinement.largest_key() == close_to(1.0 / 3));
}

TEST_CASE("a segment is divided at its middle as the scale sees it") {
    const auto bend = [](std::int64_t m) {
        return m <= 100 ? 1.0 : 1.0 + 0.1 * static_cast<double>(m - 100);
    };
    Refinement log(
        {.scale = Scale::dynamic_log, .start = 100, .end = 400, .stepwidth = 4, .max_relative_error = 0.01});
    const Arguments order = run(log, [](std::int64_t m) { return m > 100 ? 2.0 : 1.0; });
    REQUIRE(order.size() > 2);
    CHECK(order[2] == 200);

    Refinement linear({.scale = Scale::dynamic_linear, .start = 100, .end = 400, .stepwidth = 1000});
    const Arguments linear_order = run(linear, bend);
    REQUIRE(linear_order.size() > 2);
    CHECK(linear_order[2] == 250);
}

TEST_CASE("bends at measured arguments cost no more than a jump: points on the line end the refinement") {
    // Figure 3.3: the neighbours of a ramp from 64 to 128 see a jump there, the values in between do not.
    const auto ramp = [](std::int64_t m) {
        return 10 + 10 * std::clamp((static_cast<double>(m) - 64) / 64, 0.0, 1.0);
    };
    const auto bend = [](std::int64_t m) {
        return m <= 64 ? 10.0 : 10 + 4 * (static_cast<double>(m) / 64 - 1);
    };
    for (const CurveFunction& curve : {CurveFunction(ramp), CurveFunction(bend)})
        for (const double allowed : {0.05, 0.01, 1e-6}) {
            Refinement refinement({.start = 16, .end = 512, .max_relative_error = allowed});
            run(refinement, curve);
            INFO("error allowed ", allowed, " refined ", refined(refinement));
            CHECK(static_cast<double>(refined(refinement)) <= cost_of_jump(refinement, 64, 1));
        }
}

TEST_CASE("two jumps that leave the point between them on the line are both found") {
    for (const auto scale : {Scale::dynamic_log, Scale::dynamic_linear})
        for (const double height : {0.4, 3.0, 30.0}) {
            const RefinementLimits limits{.scale = scale,
                                          .start = 1,
                                          .end = 1 << 16,
                                          .stepwidth = scale == Scale::dynamic_log ? 2.0 : 4096.0,
                                          .max_relative_error = 0.005};
            // Both in the segment that holds 6000, one on each side of where it is divided.
            Refinement one_jump(limits);
            const Arguments order = run(one_jump, jump_behind(6000, 30));
            const std::int64_t cut = order[one_jump.first_pass().size()];
            const auto above =
                std::upper_bound(one_jump.first_pass().begin(), one_jump.first_pass().end(), cut);
            const std::int64_t begin = *std::prev(above);
            const std::int64_t end = *above;
            const double second = height * static_cast<double>(end - cut) / static_cast<double>(cut - begin);
            const std::int64_t first_last = begin + (cut - begin) / 3;
            const std::int64_t second_last = cut + (end - cut) / 3;

            Refinement refinement(limits);
            run(refinement, [&](std::int64_t m) {
                return 2 + 0.003 * static_cast<double>(m) + (m > first_last ? height : 0) +
                       (m > second_last ? second : 0);
            });
            INFO("scale ", static_cast<int>(scale), " cut at ", cut, " height ", height, " made ",
                 refined(refinement));
            CHECK(width_around(refinement, first_last) == 1);
            CHECK(width_around(refinement, second_last) == 1);
            CHECK(static_cast<double>(refined(refinement)) <=
                  cost_of_jump(refinement, first_last, 1) + cost_of_jump(refinement, second_last, 1));
        }
}

TEST_CASE("steps as regular as the grid are found") {
    for (const auto scale : {Scale::dynamic_log, Scale::dynamic_linear})
        for (const std::int64_t period : {8192, 16'384}) {
            Arguments lasts;
            for (std::int64_t last = 40'960; last < 1 << 18; last += period)
                lasts.push_back(last);
            Refinement refinement({.scale = scale,
                                   .start = 64,
                                   .end = 1 << 18,
                                   .stepwidth = scale == Scale::dynamic_log ? 2.0 : 32'768.0,
                                   .min_distance = 64,
                                   .max_relative_error = 0.01});
            run(refinement, [&](std::int64_t m) {
                const auto steps = std::lower_bound(lasts.begin(), lasts.end(), m) - lasts.begin();
                return 20 + 0.001 * static_cast<double>(m) + 0.005 * static_cast<double>(period * steps);
            });
            std::size_t located = 0;
            double cost = 0;
            for (const std::int64_t last : lasts) {
                located += width_around(refinement, last) <= 64;
                cost += cost_of_jump(refinement, last, 64);
            }
            INFO("scale ", static_cast<int>(scale), " period ", period);
            CHECK(located == lasts.size());
            CHECK(static_cast<double>(refined(refinement)) <= cost);
        }
}

TEST_CASE("a jump close to a measured argument is found though the line from beyond meets that before it") {
    // Below 65'400 one line, above it another; they cross where the refinement comes by.
    const RefinementLimits limits{
        .start = 64, .end = 1 << 18, .min_distance = 64, .max_relative_error = 0.01};
    const auto curve = [](double crossing) {
        return [=](std::int64_t m) {
            const double slope = m <= 65'400 ? 2.3e-3 : 1.7e-3;
            return 140 + slope * (static_cast<double>(m) - crossing);
        };
    };
    Refinement elsewhere(limits);
    for (const std::int64_t crossing : run(elsewhere, curve(50'000)))
        if (crossing > 32'768 && crossing < 60'000) {
            Refinement refinement(limits);
            run(refinement, curve(static_cast<double>(crossing)));
            INFO("crossing at ", crossing);
            CHECK(width_around(refinement, 65'400) <= 64);
        }
}

TEST_CASE("what the values' errors explain is not refined, what stands out from them is") {
    // All on one line but one value.
    const auto wants = [](double off, double error, double allowed) {
        Refinement refinement({.start = 16, .end = 4096, .max_relative_error = allowed});
        for (const std::int64_t m : refinement.first_pass()) {
            const double value = 10 + 0.01 * static_cast<double>(m);
            refinement.add(m, m == 256 ? value + off : value, error);
        }
        return refinement.next().has_value();
    };
    CHECK(wants(1, 0, 0.01));
    CHECK_FALSE(wants(1, 0.8, 0.01));
    CHECK(wants(1, 0.1, 0.01));
    CHECK_FALSE(wants(1, 0.1, 0.5)); // far from explained, but good enough
}

TEST_CASE("the largest key leaves out what the values' errors explain") {
    Refinement refinement({.scale = Scale::fixed_linear, .start = 10, .end = 30, .stepwidth = 10});
    refinement.add(10, 1, 0.1);
    refinement.add(20, 2, 0.1);
    refinement.add(30, 4, 0.1);
    // At a border there is one prediction: 1 off, and its standard error is sqrt(1 + 4 + 1) * 0.1.
    CHECK(refinement.largest_key() == close_to(0.5));
    refinement.add(30, 4, 0.3); // now sqrt(1 + 4 + 9) * 0.1 = 0.37, and 1 is less than three of them
    CHECK(refinement.largest_key() == 0);
}

TEST_CASE("with noise as large as the error allowed jumps that stand out are found at the cost of jumps") {
    constexpr double noise = 0.01;
    constexpr unsigned samples = 100;
    std::size_t located = 0;
    std::size_t within = 0;
    for (unsigned seed = 0; seed < samples; ++seed) {
        const std::int64_t last = 300 + 1097 * seed;
        Refinement refinement({.start = 1, .end = 1 << 20, .max_relative_error = noise});
        run(refinement, noisy(jump_behind(last, 0.25 * jump_behind(last)(last)), noise, seed), noise);
        located += width_around(refinement, last) == 1;
        within += static_cast<double>(refined(refinement)) <= cost_of_jump(refinement, last, 1);
    }
    CHECK(located >= 98);
    CHECK(within >= 95);
}

TEST_CASE("noise above the error allowed costs next to nothing when the values' errors are known") {
    std::size_t most = 0;
    std::size_t total = 0;
    constexpr unsigned samples = 60;
    for (unsigned seed = 0; seed < samples; ++seed) {
        Refinement refinement({.start = 1, .end = 1 << 20, .max_relative_error = 0.01});
        run(refinement, noisy(straight(2, 0.003), 0.05, seed), 0.05);
        most = std::max(most, refined(refinement));
        total += refined(refinement);
    }
    CHECK(total < samples);
    CHECK(most < 30);
}

TEST_CASE("a jump is narrowed to the smallest distance in logarithmically many steps") {
    for (const auto scale : {Scale::dynamic_log, Scale::dynamic_linear})
        for (const std::int64_t min_distance : {1, 4, 64})
            for (const std::int64_t multiple_of : {1, 8})
                for (const std::int64_t last : {1000, 1500, 1024, 5000, 16'384, 60'000, 65'535, 99'000})
                    for (const double height : {1.0, 20.0, 300.0}) {
                        // Seen from the far end of its segment a smaller jump is within the error allowed.
                        constexpr double allowed = 0.003;
                        if (height < allowed * jump_behind(last)(2 * last))
                            continue;
                        RefinementLimits limits{.scale = scale,
                                                .start = 1,
                                                .end = 1 << 18,
                                                .stepwidth = scale == Scale::dynamic_log ? 2.0 : 20'000.0,
                                                .multiple_of = multiple_of,
                                                .min_distance = min_distance,
                                                .max_relative_error = allowed};
                        Refinement refinement(limits);
                        const Arguments& first = refinement.first_pass();
                        const auto above = std::upper_bound(first.begin(), first.end(), last);
                        const std::int64_t segment = *above - *std::prev(above);
                        run(refinement, jump_behind(last, height));
                        const std::int64_t smallest = std::max(min_distance, multiple_of);
                        INFO("scale ", static_cast<int>(scale), " min_distance ", min_distance,
                             " multiple_of ", multiple_of, " jump behind ", last, " of ", height);
                        // Two parts of a segment of less than twice the distance would be nearer than it.
                        CHECK(width_around(refinement, last) < 2 * smallest);
                        CHECK(static_cast<double>(refined(refinement)) <=
                              1.5 * std::log2(static_cast<double>(segment) / static_cast<double>(smallest)) +
                                  2);
                    }
}

TEST_CASE("a segment of whole smallest distances is divided down to exactly one of them around a jump") {
    for (const auto scale : {Scale::dynamic_log, Scale::dynamic_linear})
        for (const std::int64_t multiple_of : {1, 8, 24})
            for (std::int64_t last = 1000; last < 60'000; last += 1777) {
                Refinement refinement({.scale = scale,
                                       .start = 48,
                                       .end = 48 << 11,
                                       .stepwidth = scale == Scale::dynamic_log ? 2.0 : 4800.0,
                                       .multiple_of = multiple_of,
                                       .min_distance = 48,
                                       .max_relative_error = 0.003});
                run(refinement, noisy(jump_behind(last, 0.4 * jump_behind(last)(last)), 0.0003, 9));
                INFO("scale ", static_cast<int>(scale), " multiple_of ", multiple_of, " jump behind ", last);
                CHECK(width_around(refinement, last) == 48);
            }
}

TEST_CASE("a jump in the first or the last segment is found too") {
    for (const std::int64_t last : {10, 25, 10'000, 16'000}) {
        Refinement refinement({.scale = Scale::dynamic_log,
                               .start = 8,
                               .end = 16'384,
                               .stepwidth = 4,
                               .max_relative_error = 0.003});
        run(refinement, jump_behind(last));
        INFO("jump behind ", last);
        CHECK(width_around(refinement, last) == 1);
        CHECK(refined(refinement) <= 24);
    }
}

TEST_CASE("noise below the error allowed neither hides a jump nor is chased") {
    std::size_t most = 0;
    std::size_t total = 0;
    constexpr unsigned samples = 60;
    for (unsigned seed = 0; seed < samples; ++seed) {
        const std::int64_t last = 3000 + 997 * seed;
        Refinement refinement({.start = 1, .end = 1 << 20, .min_distance = 16, .max_relative_error = 0.03});
        run(refinement, noisy(jump_behind(last, 0.3 * jump_behind(last)(last)), 0.01, seed));
        INFO("seed ", seed);
        CHECK(width_around(refinement, last) < 32);
        most = std::max(most, refined(refinement));
        total += refined(refinement);
    }
    // 12 halvings are what the jump itself needs.
    CHECK(total / samples < 30);
    CHECK(most < 60);
}

TEST_CASE("noise far above the error allowed stays bounded by the relative width") {
    // By equation 3.5 alone no segment narrower than 5 % of its argument is divided.
    for (unsigned seed = 0; seed < 5; ++seed) {
        Refinement refinement({.start = 1, .end = 1 << 22, .max_relative_error = 0.05});
        run(refinement, noisy(straight(2, 1e-5), 0.5, seed));
        CHECK(refined(refinement) < 1200);
    }
}

TEST_CASE("what is straight around a jump is left alone") {
    Refinement refinement({.start = 1, .end = 1 << 20, .max_relative_error = 0.003});
    run(refinement, jump_behind(10'000));
    for (const auto& [argument, value] : refinement.points())
        if (argument < 8192 || argument > 16'384)
            CHECK(
                std::binary_search(refinement.first_pass().begin(), refinement.first_pass().end(), argument));
}

TEST_CASE("three jumps are all found") {
    const auto curve = [](std::int64_t m) {
        return 1 + 1e-4 * static_cast<double>(m) + (m > 777 ? 1 : 0) + (m > 12'345 ? 2 : 0) +
               (m > 400'000 ? 30 : 0);
    };
    Refinement refinement({.start = 1, .end = 1 << 20, .max_relative_error = 0.01});
    run(refinement, curve);
    for (const std::int64_t last : {777, 12'345, 400'000})
        CHECK(width_around(refinement, last) == 1);
    CHECK(refined(refinement) < 70);
}

TEST_CASE("a smooth curve is refined until interpolation is as good as wanted") {
    const auto curve = [](std::int64_t m) { return 1 + std::pow(static_cast<double>(m), 1.5) * 1e-3; };
    Refinement refinement({.start = 1, .end = 1 << 16, .stepwidth = 4, .max_relative_error = 0.01});
    run(refinement, curve);
    CHECK(refinement.largest_key() <= 0.01);
    double worst = 0;
    for (std::int64_t m = 1; m <= 1 << 16; ++m) {
        const auto right = refinement.points().lower_bound(m);
        if (right->first == m)
            continue;
        const auto left = std::prev(right);
        const double share =
            static_cast<double>(m - left->first) / static_cast<double>(right->first - left->first);
        worst = std::max(worst, std::abs(std::lerp(left->second, right->second, share) / curve(m) - 1));
    }
    CHECK(worst < 0.01);
    CHECK(refined(refinement) < 100);
}

TEST_CASE("the number of arguments never exceeds max_steps, the first pass included") {
    Refinement refinement({.start = 1, .end = 1 << 16, .max_steps = 25, .max_relative_error = 1e-6});
    const auto bent = [](std::int64_t m) { return std::sqrt(static_cast<double>(m)); };
    run(refinement, bent);
    CHECK(refinement.points().size() == 25);
    CHECK(refinement.largest_key() > 1e-6);

    Refinement short_of({.start = 1, .end = 1 << 16, .max_steps = 5, .max_relative_error = 1e-6});
    CHECK(run(short_of, bent) == Arguments{1, 1 << 4, 1 << 8, 1 << 12, 1 << 16}); // evenly spread
    CHECK(Refinement({.start = 1, .end = 1 << 16, .max_steps = 2}).first_pass() == Arguments{1, 1 << 16});
    CHECK(Refinement({.start = 1, .end = 1 << 16, .max_steps = 1}).first_pass() == Arguments{1});
}

TEST_CASE("the smallest distance holds in the first pass, too, between all but the first and the last") {
    const double root = std::sqrt(2.0);
    CHECK(Refinement({.start = 0, .end = 8, .stepwidth = root, .min_distance = 2}).first_pass() ==
          Arguments{0, 2, 4, 6, 8});
    CHECK(Refinement({.start = 0, .end = 7, .stepwidth = 2, .min_distance = 4}).first_pass() ==
          Arguments{0, 7});
    CHECK(Refinement({.start = 5, .end = 7, .min_distance = 4}).first_pass() == Arguments{5, 7});
    CHECK(Refinement({.scale = Scale::fixed_log, .start = 1, .end = 8, .stepwidth = 2, .min_distance = 4})
              .first_pass() == Arguments{1, 2, 4, 8});
}

TEST_CASE("a jump that an earlier refinement located is found with two measurements, and a new one as well") {
    const RefinementLimits limits{.start = 1, .end = 1 << 20, .max_relative_error = 0.01};
    Refinement first(limits);
    run(first, jump_behind(300'000, 1000));
    const std::vector<SegmentError> jumps = first.located_jumps();
    REQUIRE(jumps.size() == 1);
    CHECK(jumps.front().begin == 300'000);
    CHECK(jumps.front().end == 300'001);

    Refinement again(limits);
    again.look_at({7, 300'000, 300'001, 1 << 21}); // one that the limits do not allow among them
    run(again, jump_behind(300'000, 1000));
    CHECK(again.located_jumps().size() == 1);
    CHECK(again.points().size() <= again.first_pass().size() + 6);
    CHECK(again.points().size() + 10 < first.points().size());

    Refinement elsewhere(limits);
    elsewhere.look_at({300'000, 300'001});
    run(elsewhere, jump_behind(5000, 100));
    REQUIRE(elsewhere.located_jumps().size() == 1);
    CHECK(elsewhere.located_jumps().front().begin == 5000);
}

TEST_CASE("arguments without a value count against max_steps") {
    Refinement refinement({.start = 1, .end = 1 << 16, .max_steps = 25, .max_relative_error = 1e-6});
    int proposed = 0;
    for (auto argument = refinement.next(); argument; argument = refinement.next()) {
        REQUIRE(++proposed <= 25);
        if (proposed > 17 && proposed % 2 == 0) // 17 of the first pass
            refinement.exclude(*argument);
        else
            refinement.add(*argument, std::sqrt(static_cast<double>(*argument)));
    }
    CHECK(proposed == 25);
    CHECK(refinement.points().size() == 21);
}

TEST_CASE("a prediction that may be right by its error counts where the error is small against the miss") {
    // The line through 10 and 20 misses 30 by half a standard error of 1, the one through 34 and 30 misses 20
    // by 2.5 or by 1.9, dozens of its own. The last segment is too narrow to be divided.
    for (const double missed : {2.5, 1.9}) {
        CAPTURE(missed);
        Refinement refinement({.scale = Scale::dynamic_linear,
                               .start = 10,
                               .end = 34,
                               .stepwidth = 10,
                               .min_distance = 4,
                               .max_relative_error = 0.004});
        REQUIRE(refinement.first_pass() == Arguments{10, 20, 30, 34});
        refinement.add(10, 99.5, 1);
        refinement.add(20, 100, 0.01);
        refinement.add(30, 100, 0.01);
        refinement.add(34, 100 - missed / 2.5, 0.01);
        if (missed > 2)
            CHECK_FALSE(refinement.next());
        else
            CHECK(refinement.next() == 24); // a smallest distance from 20
    }
}

TEST_CASE("with few steps the largest error goes first") {
    // A jump by a factor of 40 and a small one: the large one is narrowed before anything else is looked at.
    const auto curve = [](std::int64_t m) { return (m > 3000 ? 40.0 : 1.0) + (m > 100'000 ? 4.0 : 0); };
    Refinement refinement({.start = 1, .end = 1 << 20, .max_relative_error = 0.01});
    for (const std::int64_t m : refinement.first_pass())
        refinement.add(m, curve(m));
    for (int i = 0; i < 3; ++i) {
        const auto argument = refinement.next();
        REQUIRE(argument.has_value());
        CHECK(*argument > 2048);
        CHECK(*argument < 4096);
        refinement.add(*argument, curve(*argument));
    }
}

TEST_CASE("no two arguments of the refinement are nearer than the smallest distance") {
    Refinement refinement(
        {.start = 100, .end = 100'000, .stepwidth = 3, .min_distance = 37, .max_relative_error = 1e-4});
    run(refinement, noisy(jump_behind(7000), 0.02, 3));
    CHECK(refined(refinement) > 50);
    std::int64_t last = -1000;
    for (const auto& [argument, value] : refinement.points()) {
        CHECK(argument - last >= 37);
        last = argument;
    }
}

TEST_CASE("replaying the points in any order goes on where the run was") {
    std::mt19937_64 random(12);
    constexpr double noise = 0.01;
    const CurveFunction curve = noisy(jump_behind(2500), noise, 5);
    const RefinementLimits limits{
        .start = 0, .end = 1 << 18, .multiple_of = 4, .max_steps = 60, .max_relative_error = 0.01};
    for (const double error : {0.0, noise / 4, noise}) {
        Refinement uninterrupted(limits);
        const Arguments order = run(uninterrupted, curve, error);
        CHECK(refined(uninterrupted) > 5);

        for (std::size_t done = 0; done <= order.size(); ++done) {
            Arguments stored(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(done));
            std::shuffle(stored.begin(), stored.end(), random);
            Refinement resumed(limits);
            for (const std::int64_t argument : stored)
                resumed.add(argument, curve(argument), error * curve(argument));
            const Arguments rest = run(resumed, curve, error);
            CHECK(rest == Arguments(order.begin() + static_cast<std::ptrdiff_t>(done), order.end()));
            CHECK(resumed.points() == uninterrupted.points());
            CHECK(resumed.largest_key() == uninterrupted.largest_key());
        }
    }
}

TEST_CASE("an argument given again replaces its former value") {
    Refinement refinement({.start = 1, .end = 4});
    for (const std::int64_t m : {1, 2, 4})
        refinement.add(m, 1);
    refinement.add(2, 7);
    CHECK(refinement.points().at(2) == 7);
    CHECK(refinement.points().size() == 3);
    CHECK(refinement.largest_key() > 0);
}

TEST_CASE("an excluded argument is never proposed again and the rest is measured without it") {
    Refinement refinement({.start = 1, .end = 16});
    refinement.exclude(16); // out of memory
    const Arguments order = run(refinement, straight(1, 1));
    CHECK(order == Arguments{1, 2, 4, 8});

    SUBCASE("a failing region costs a few proposals, not one for every argument") {
        Refinement failing({.start = 1, .end = 1 << 20, .max_relative_error = 0.001});
        int failures = 0;
        while (const auto argument = failing.next()) {
            if (*argument > 9000 && *argument < 16'000) {
                failing.exclude(*argument);
                ++failures;
            } else {
                failing.add(*argument, jump_behind(12'000)(*argument));
            }
            REQUIRE(failures < 40);
        }
        CHECK(failures >= 1);
    }
}

TEST_CASE("values of zero and below do not stop the refinement from ending") {
    Refinement refinement({.start = 0, .end = 4096, .max_relative_error = 0.01});
    run(refinement, [](std::int64_t m) { return m < 100 ? 0.0 : -1.0; });
    CHECK(width_around(refinement, 99) == 1);
    Refinement zeros({.start = 0, .end = 4096});
    run(zeros, [](std::int64_t) { return 0.0; });
    CHECK(refined(zeros) == 0);
}

TEST_CASE("thousands of points are chosen quickly") {
    Refinement refinement({.scale = Scale::dynamic_linear,
                           .start = 0,
                           .end = 1 << 30,
                           .stepwidth = 1 << 24,
                           .max_steps = 3000,
                           .max_relative_error = 1e-9});
    run(refinement, [](std::int64_t m) { return 1 + std::pow(static_cast<double>(m), 1.3); });
    CHECK(refinement.points().size() == 3000);
}

TEST_CASE("the largest arguments do not overflow") {
    constexpr std::int64_t huge = std::numeric_limits<std::int64_t>::max();
    Refinement refinement({.start = 1, .end = huge, .stepwidth = 16, .max_steps = 40});
    run(refinement, [](std::int64_t m) { return std::sqrt(static_cast<double>(m)); });
    CHECK(refinement.points().rbegin()->first == huge);
    CHECK(refinement.points().begin()->first == 1);
}

TEST_CASE("impossible limits are refused by name") {
    const auto message = [](const RefinementLimits& limits) -> std::string {
        try {
            const Refinement refinement(limits);
        } catch (const std::invalid_argument& error) {
            return error.what();
        }
        return "accepted";
    };
    CHECK(message({}) == "accepted");
    CHECK(message({.start = -1}).find("start") == 0);
    CHECK(message({.start = 2, .end = 1}).find("end") == 0);
    CHECK(message({.stepwidth = 1}).find("stepwidth") == 0);
    CHECK(message({.scale = Scale::fixed_linear, .stepwidth = -0.5}).find("stepwidth") == 0);
    CHECK(message({.scale = Scale::fixed_linear, .end = 1 << 30, .stepwidth = 1}).find("stepwidth") == 0);
    CHECK(message({.multiple_of = -1}).find("multiple_of") == 0);
    CHECK(message({.min_distance = -1}).find("min_distance") == 0);
    CHECK(message({.max_distance = 0}).find("max_distance") == 0);
    CHECK(message({.max_steps = 0}).find("max_steps") == 0);
    CHECK(message({.max_distance = 1}) == "accepted");
    CHECK(message({.max_steps = 1}) == "accepted");
    CHECK(message({.max_relative_error = -1}).find("max_relative_error") == 0);
    Refinement refinement({});
    CHECK_THROWS_AS(refinement.add(1, std::nan("")), std::invalid_argument);
    CHECK_THROWS_AS(refinement.add(1, 1, std::nan("")), std::invalid_argument);
    CHECK_THROWS_AS(refinement.add(1, 1, -0.1), std::invalid_argument);
    CHECK(refinement.points().empty());
}
