// SPDX-License-Identifier: GPL-2.0-or-later
#include "close_to.hpp"
#include "merge/run_modes.hpp"

#include <doctest/doctest.h>
#include <initializer_list>

using namespace skampi;

namespace {

Measurement with_probe(std::int64_t argument, double value_s, double probe_s, Flags flags = 0) {
    Measurement m;
    m.argument = argument;
    m.value_s = m.adjusted_s = value_s;
    m.standard_error_s = value_s / 100;
    m.summary.count = 100;
    m.probe_s = probe_s;
    m.flags = flags;
    return m;
}

LazyCurve curve(std::vector<Measurement> measurements) {
    LazyCurve made;
    for (const Measurement& m : measurements)
        made.add(m);
    made.load = [measurements = std::move(measurements)](std::size_t place) { return measurements[place]; };
    return made;
}

constexpr auto disturbed = static_cast<Flags>(Flag::disturbed);

} // namespace

TEST_CASE("a value is doubtful when it is disturbed or unreliable, or timed out with a large error") {
    CHECK_FALSE(is_doubtful(with_probe(1, 1, 1)));
    CHECK_FALSE(is_doubtful(with_probe(1, 1, 1, static_cast<Flags>(Flag::not_repeatable))));
    CHECK(is_doubtful(with_probe(1, 1, 1, disturbed)));
    Measurement short_value = with_probe(1, 1, 1, static_cast<Flags>(Flag::unreliable));
    CHECK(is_doubtful(short_value)); // its overhead is in doubt
    short_value.overhead_s = 2;
    CHECK_FALSE(is_doubtful(short_value));
    short_value.overhead_error_s = 0.6; // it cannot be told from zero
    CHECK(is_doubtful(short_value));
    Measurement timed_out = with_probe(1, 1, 1, static_cast<Flags>(Flag::timed_out));
    CHECK_FALSE(is_doubtful(timed_out));
    timed_out.standard_error_s = 0.06;
    CHECK(is_doubtful(timed_out));
    CHECK_FALSE(
        probes_in_doubt(curve({with_probe(1, 1, 1, disturbed), with_probe(2, 1, 1)}))); // not most of them
    CHECK(probes_in_doubt(
        curve({with_probe(1, 1, 1, disturbed), with_probe(2, 1, 1, disturbed), with_probe(3, 1, 1)})));
    const auto unreliable = static_cast<Flags>(Flag::unreliable); // too short, and its probe is right
    CHECK_FALSE(probes_in_doubt(curve({with_probe(1, 1, 1, unreliable), with_probe(2, 1, 1, unreliable)})));
}

TEST_CASE("a run's most frequent mode is interpolated between its arguments, never beyond them") {
    const LazyCurve run =
        curve({with_probe(1, 10, 1), with_probe(2, 90, 5), with_probe(3, 30, 1), with_probe(5, 50, 1)});
    const std::vector<double> bounds{2};
    RunModes modes(run, bounds);
    CHECK(modes.mode() == 0);
    CHECK(modes.places() == std::vector<std::uint32_t>{0, 2, 3});
    std::vector<RunValue> values;
    for (const std::int64_t argument : {0, 2, 4, 6})
        modes.append_values(argument, 7, values);
    REQUIRE(values.size() == 2);
    CHECK(values[0].run == 7);
    CHECK(values[0].mode == 1); // measured, in the other mode
    CHECK(values[0].measurement.value_s == 90);
    CHECK(values[1].interpolated);
    CHECK(values[1].mode == 0);
    CHECK(values[1].measurement.value_s == 40);
    CHECK(values[1].count() == 100);
}

TEST_CASE("a probe near those of its run is of the run's mode, though it lies beyond the bound") {
    const LazyCurve run = curve({with_probe(1, 10, 1), with_probe(2, 20, 1.1), with_probe(3, 30, 1.15)});
    const std::vector<double> bounds{1.12};
    const RunModes modes(run, bounds);
    CHECK(modes.mode() == 0);
    CHECK(modes.places().size() == 3);
    CHECK(modes.mode_of_probe(1.5) == 0); // 1.1 is not 1.4 times below it
    CHECK(modes.mode_of_probe(1.6) == 1);
}

TEST_CASE("an argument measured without a value is not interpolated") {
    Measurement wrong = with_probe(2, 20, 1);
    set(wrong.flags, Flag::wrong_result);
    const LazyCurve run = curve({with_probe(1, 10, 1), wrong, with_probe(3, 30, 1)});
    RunModes modes(run, {});
    std::vector<RunValue> values;
    modes.append_values(2, 0, values);
    CHECK(values.empty());
}

TEST_CASE("a secondary mode is a value of its own, unless the run has a value in that mode already") {
    Measurement m = with_probe(1, 10, 1);
    m.modes = {{.mode = 0, .value_s = 10, .probe_s = 1, .count = 100},
               {.mode = 1, .value_s = 30, .probe_s = 4, .count = 25},
               {.mode = 2, .value_s = 33, .probe_s = 5, .count = 9}};
    m.node_times = {{0, 10, 1}};
    const LazyCurve run = curve({m});
    CHECK(run.secondary_probes.size() == 2);
    const std::vector<double> bounds{2};
    RunModes modes(run, bounds);
    std::vector<RunValue> values;
    modes.append_values(1, 0, values);
    REQUIRE(values.size() == 2);
    CHECK_FALSE(values[0].secondary);
    CHECK(values[0].duplicates.size() == 1);
    CHECK(values[1].secondary);
    CHECK(values[1].mode == 1);
    CHECK(values[1].measurement.value_s == 30);
    CHECK(values[1].measurement.standard_error_s == close_to(0.6)); // twice 1 %: a quarter as many
    CHECK(values[1].count() == 25);
    CHECK(values[1].measurement.node_times.empty());
}

TEST_CASE("doubtful launches are excluded while enough others exist, not with weights by count") {
    const LazyCurve good = curve({with_probe(1, 1, 1)});
    const LazyCurve bad = curve({with_probe(1, 1, 1, disturbed)});
    const MergeWay equal;
    CHECK(excludes_doubtful(std::vector<LazyCurve>{good, good, good, bad, bad, bad, bad}, equal));
    CHECK(excludes_doubtful(std::vector<LazyCurve>{good, good, bad}, equal));
    CHECK_FALSE(excludes_doubtful(std::vector<LazyCurve>{good, bad}, equal));
    CHECK_FALSE(excludes_doubtful(std::vector<LazyCurve>{good, good, good, bad},
                                  {.weights = skalib::Weights::count}));
}

TEST_CASE("launches that are left out for how they began do not decide which mode is shown") {
    const LazyCurve slow = curve({with_probe(1, 1, 60)});
    const LazyCurve slow_between_barriers =
        curve({with_probe(1, 1, 60, static_cast<Flags>(Flag::unsynchronised))});
    const LazyCurve fast = curve({with_probe(1, 1, 10)});
    const std::vector<LazyCurve> runs{slow_between_barriers, slow_between_barriers, slow, fast, fast};
    const std::vector<double> bounds{30};
    std::vector<RunModes> modes;
    for (const LazyCurve& run : runs)
        modes.emplace_back(run, bounds);
    REQUIRE_FALSE(most_between_barriers(runs));
    CHECK(most_common_mode(runs, modes, 2, false, false) == 0);
    CHECK(most_common_mode(runs, modes, 2, false, true) == 1);
}

TEST_CASE("a probe above the lower quartile of its mode by 8 % was slowed; far beyond it is an outlier") {
    const std::vector<LazyCurve> runs{
        curve({with_probe(1, 1, 100), with_probe(2, 1, 100), with_probe(3, 1, 100), with_probe(4, 1, 100),
               with_probe(5, 1, 107), with_probe(6, 1, 109), with_probe(7, 1, 150, disturbed),
               with_probe(8, 1, 150)})};
    const std::vector<RunModes> run_modes{{runs[0], {}}};
    const std::vector<UsualProbes> usual = usual_probes(runs, run_modes, 1);
    REQUIRE(usual.size() == 1);
    CHECK(usual[0].low_s == 100);
    CHECK(usual[0].high_s == close_to(119.25));
    std::vector<RunValue> values;
    for (const double probe_s : {107.0, 109.0, 170.0})
        values.push_back({0, with_probe(1, 1, probe_s, disturbed)});
    values.push_back({0, with_probe(1, 1, 170)}); // neither doubtful nor timed out
    compare_probes(values, usual);
    CHECK_FALSE(values[0].slowed);
    CHECK(values[1].slowed);
    CHECK(values[1].left_out == LeftOut::no);
    CHECK(values[2].left_out == LeftOut::outlier);
    CHECK(values[3].left_out == LeftOut::no);
    SUBCASE("with four others in the mode a value without other doubts is one, too, above and below") {
        values.push_back({0, with_probe(1, 1, 70)});
        for (const double probe_s : {101.0, 99.0})
            values.push_back({0, with_probe(1, 1, probe_s)});
        compare_probes(values, usual);
        CHECK(values[3].left_out == LeftOut::outlier);
        CHECK(values[4].left_out == LeftOut::outlier);
        CHECK(values[5].left_out == LeftOut::no);
    }
    std::vector<RunValue> alone{{0, with_probe(1, 1, 170, disturbed)}};
    compare_probes(alone, usual);
    CHECK(alone[0].left_out == LeftOut::no); // the mode has no other value
}

TEST_CASE("suites are shown in the state that their launches met most, all together") {
    using States = std::vector<MetState>;
    const std::vector<States> suites{
        {{0.40e-6, 3}, {1.4e-6, 2}}, {{0.41e-6, 3}, {1.5e-6, 2}}, {{0.39e-6, 2}, {1.4e-6, 3}}};
    const double common_s = common_state_s(suites);
    CHECK(common_s == 0.40e-6);
    CHECK(shown_mode(suites[0], 0, common_s) == 0);
    CHECK(shown_mode(suites[2], 1, common_s) == 0);
    CHECK(shown_mode(suites[2], 1, 0) == 1); // of no state
    CHECK(common_state_s(std::vector<States>{{{1.4e-6, 2}}, {{0.4e-6, 2}}}) == 0.4e-6);
    CHECK(common_state_s(std::vector<States>{{{1.4e-6, 2}, {0.4e-6, 2}}}) == 0); // one suite has its own
    CHECK(common_state_s({}) == 0);
    CHECK(common_state_s(std::vector<States>{{}, {{0, 0}}}) == 0);
}

TEST_CASE("a suite that hardly met the state of the others keeps its own") {
    using States = std::vector<MetState>;
    const double fast_s = 0.4e-6;
    CHECK(shown_mode(States{{fast_s, 1}, {1.4e-6, 3}}, 1, fast_s) == 1);
    CHECK(shown_mode(States{{fast_s, 4}, {1.4e-6, 6}}, 1, fast_s) == 1); // six have a level, four have none
    CHECK(shown_mode(States{{fast_s, 5}, {1.4e-6, 6}}, 1, fast_s) == 0);
    CHECK(shown_mode(States{{fast_s, 5}, {1.4e-6, 11}}, 1, fast_s) == 1);
    CHECK(shown_mode(States{{1.4e-6, 11}}, 0, fast_s) == 0); // it never met it
    CHECK(shown_mode({}, 0, fast_s) == 0);
}

TEST_CASE(
    "the states of a suite are those of its launches, without the doubtful ones and those of another start") {
    const auto late = static_cast<Flags>(Flag::unsynchronised);
    const std::vector<LazyCurve> runs{curve({with_probe(1, 1, 1)}), curve({with_probe(1, 1, 1.1)}),
                                      curve({with_probe(1, 5, 5)}), curve({with_probe(1, 5, 5, late)}),
                                      curve({with_probe(1, 5, 5, disturbed)})};
    const std::vector<double> bounds{2};
    std::vector<RunModes> modes;
    for (const LazyCurve& run : runs)
        modes.emplace_back(run, bounds);
    const std::vector<MetState> states = suite_states(runs, modes, 2, true, false);
    REQUIRE(states.size() == 2);
    CHECK(states[0].launches == 2);
    CHECK(states[0].probe_s == close_to(1.05));
    CHECK(states[1].launches == 1);
}
