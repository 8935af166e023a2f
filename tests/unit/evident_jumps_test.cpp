// SPDX-License-Identifier: GPL-2.0-or-later
#include "merge/evident_jumps.hpp"
#include "merge/merge_suite.hpp"

#include "close_to.hpp"

#include <algorithm>
#include <doctest/doctest.h>
#include <initializer_list>
#include <random>

using namespace skampi;

namespace {

/// An eager limit at 8,192 bytes.
double time_s(std::int64_t bytes) {
    return (bytes <= 8192 ? 3e-6 : 5.7e-6) + 1e-11 * static_cast<double>(bytes);
}

SuiteCurve launch(const std::string& name, std::initializer_list<std::int64_t> arguments, double factor = 1) {
    SuiteCurve curve{name, "a.db", {}};
    for (const std::int64_t argument : arguments) {
        Measurement& m = curve.measurements.emplace_back();
        m.argument = m.message_bytes = argument;
        m.value_s = m.adjusted_s = factor * time_s(argument);
        m.standard_error_s = m.value_s / 1000;
        m.summary.count = 20;
    }
    return curve;
}

/// Two looked closely, three have only the first pass.
std::vector<SuiteCurve> five_launches() {
    return {launch("a", {4096, 8192, 8193, 9000, 16384}), launch("b", {4096, 8192, 8193, 9000, 16384}),
            launch("c", {4096, 8192, 16384}), launch("d", {4096, 8192, 16384}),
            launch("e", {4096, 8192, 16384})};
}

const MergedMeasurement& at(const MergedSuite& suite, std::int64_t argument) {
    return *std::ranges::find_if(
        suite.points, [&](const MergedMeasurement& point) { return point.measurement.argument == argument; });
}

} // namespace

TEST_CASE("a launch whose neighbours lie on both sides of a jump that others show abstains between them") {
    std::vector<SuiteCurve> launches = five_launches();
    std::mt19937 random(1);
    for (int order = 0; order < 5; ++order) {
        const MergedSuite merged = merge_suite(launches, {});
        for (const std::int64_t argument : {8193, 9000}) {
            const MergedMeasurement& point = at(merged, argument);
            CHECK(point.measurement.value_s == close_to(time_s(argument)).epsilon(1e-9));
            CHECK(point.facts.runs == 2);
            CHECK_FALSE(has(point.measurement.flags, Flag::interpolated));
        }
        CHECK(at(merged, 16384).facts.runs == 5);
        std::ranges::shuffle(launches, random);
    }
}

TEST_CASE("one launch that shows a step says nothing of the others, nor do two against most") {
    std::vector<SuiteCurve> launches = five_launches();
    launches.erase(launches.begin());
    CHECK(at(merge_suite(launches, {}), 9000).facts.runs == 4);
    // Two disturbed launches, and three that looked as closely and saw nothing.
    const auto even = [](const std::string& name, double behind) {
        SuiteCurve curve = launch(name, {100, 1000, 1001, 2000});
        curve.measurements[2].value_s *= behind;
        curve.measurements[3].value_s *= behind;
        return curve;
    };
    const std::vector<SuiteCurve> few{even("a", 1.15), even("b", 1.15), even("c", 1),
                                      even("d", 1),    even("e", 1),    launch("f", {100, 2000})};
    CHECK(at(merge_suite(few, {}), 1001).facts.runs == 6);
}

TEST_CASE("a curve that grows no faster than its argument is interpolated everywhere") {
    std::vector<SuiteCurve> launches;
    for (const char* name : {"a", "b", "c"}) {
        SuiteCurve& curve = launches.emplace_back(SuiteCurve{name, "a.db", {}});
        for (std::int64_t m = 1000; m <= 4000; m += 100) {
            Measurement& one = curve.measurements.emplace_back();
            one.argument = m;
            one.value_s = one.adjusted_s = 1e-9 * static_cast<double>(m);
            one.summary.count = 20;
        }
    }
    std::erase_if(launches[0].measurements, [](const Measurement& m) { return m.argument % 1000 != 0; });
    const MergedSuite merged = merge_suite(launches, {});
    CHECK(std::ranges::all_of(merged.points,
                              [](const MergedMeasurement& point) { return point.facts.runs == 3; }));
}

TEST_CASE("a jump lies between two arguments as soon as it may") {
    const std::vector<SuiteCurve> launches = five_launches();
    const std::vector<LazyCurve> curves = lazy_curves(launches);
    const std::vector<std::uint32_t> places{0, 1, 2, 3, 4};
    std::vector<ValuesInMode> values;
    for (const LazyCurve& curve : curves)
        values.push_back({curve.headers, std::span(places).first(curve.headers.size())});
    const EvidentJumps jumps(values);
    CHECK(jumps.between(4096, 16384));
    CHECK(jumps.between(8192, 8193));
    CHECK_FALSE(jumps.between(4096, 8192));
    CHECK_FALSE(jumps.between(8193, 9000));
    CHECK_FALSE(EvidentJumps({}).between(1, 2));
}
