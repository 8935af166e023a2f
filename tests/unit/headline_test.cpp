// SPDX-License-Identifier: GPL-2.0-or-later
#include "analysis/trust/headline.hpp"

#include "close_to.hpp"
#include "invented_subject.hpp"

#include <cmath>
#include <doctest/doctest.h>
#include <vector>

using namespace skampi;
using test::invented_subject;

namespace {

std::vector<HeadlineKind> kinds(const Subject& subject) {
    std::vector<HeadlineKind> all;
    for (const Headline& headline : headlines(subject))
        all.push_back(headline.kind);
    return all;
}

bool flagged(const Headline& headline, Flag flag) {
    return has(headline.flags, flag);
}

} // namespace

TEST_CASE("headlines are those the data allow, with their errors") {
    test::InventedMachine machine;
    const Subject subject = invented_subject(test::full_plan(machine));
    const std::vector<Headline> found = headlines(subject);
    REQUIRE(found.size() == 7);
    CHECK(found[0].kind == HeadlineKind::latency);
    CHECK(found[0].message_bytes == 0);
    CHECK(found[0].value == close_to(machine.one_way(0)));
    CHECK(*found[0].high == close_to(1.01 * machine.one_way(0)));
    CHECK(found[0].error.kind == ErrorKind::repeatability);
    CHECK(found[1].value == close_to(machine.one_way(1)));
    CHECK(found[2].kind == HeadlineKind::peak_bandwidth);
    CHECK(found[2].peak_at() == 4194304);
    CHECK(found[2].value == close_to(4194304 / machine.one_way(4194304)));
    CHECK(found[3].kind == HeadlineKind::half_peak_length);
    CHECK(found[3].unit == HeadlineUnit::bytes);
    // half of the peak: m / t(m) = peak / 2, first reached before the rendezvous
    const double half = found[2].value / 2;
    CHECK(found[3].value ==
          close_to(half * machine.latency_s / (1 - half * machine.seconds_per_byte)).epsilon(0.03));
    CHECK(found[4].kind == HeadlineKind::barrier);
    CHECK(found[4].ranks == 16);
    CHECK(found[5].kind == HeadlineKind::allreduce);
    CHECK(found[5].message_bytes == 8);
    CHECK(found[5].ranks == 16);
    CHECK(found[6].value == close_to(7 * machine.one_way(1048576)));
    CHECK(headlines(Subject{}).empty());
}

TEST_CASE("latency and bandwidth come from round trips only") {
    test::InventedMachine machine;
    Subject subject = invented_subject({test::full_plan(machine).front()});
    CHECK(kinds(subject).size() == 4);
    for (const Meaning meaning :
         {Meaning::window, Meaning::exchange, Meaning::one_sided, Meaning::one_way, Meaning::unknown}) {
        subject.curves[0].stored.suite.operation.meaning = meaning;
        CHECK(kinds(subject).empty());
    }
    // The first round trip there is, wherever it stands.
    subject.curves.push_back(invented_subject({test::full_plan(machine)[4]}).curves[0]);
    const std::vector<Headline> found = headlines(subject);
    REQUIRE(found.size() == 4);
    CHECK(found[0].curve == &subject.curves[1]);
    CHECK(found[0].value == close_to(1.5 * machine.one_way(0)));
}

TEST_CASE("doubtful values are marked, and the peak is sought among the others") {
    const Subject undoubted = invented_subject(test::full_plan({}));
    Subject subject = undoubted;
    std::vector<StoredMeasurement>& points = subject.curves[0].points;
    points[0].measurement.value_s = -2e-9;
    set(points[0].measurement.flags, Flag::unreliable);
    points[1].measurement.value_s = std::nan("");
    const std::size_t spike = points.size() - 2;
    const double peak = headlines(undoubted)[2].value;
    points[spike].measurement.value_s = 1e-6;
    set(points[spike].measurement.flags, Flag::disturbed);
    std::vector<Headline> found = headlines(subject);
    CHECK(std::isnan(found[0].value));
    CHECK_FALSE(found[0].low.has_value());
    CHECK(found[0].error.kind == ErrorKind::below_overhead);
    CHECK(found[0].flags == static_cast<Flags>(Flag::unreliable));
    CHECK(found[1].error.kind == ErrorKind::nothing_measured);
    CHECK(found[2].peak_at() == 4194304);
    CHECK(found[2].value == close_to(peak));
    CHECK(found[2].flags == 0);

    // With nothing else left the doubtful one is taken.
    for (StoredMeasurement& point : points)
        set(point.measurement.flags, Flag::disturbed);
    set(points[spike].measurement.flags, Flag::one_run);
    found = headlines(subject);
    CHECK(found[2].peak_at() == 2097152);
    CHECK(found[2].flags == (Flag::disturbed | Flag::one_run));
    CHECK(found[3].kind == HeadlineKind::long_bandwidth); // the peak is elsewhere
    CHECK(found[3].peak_at() == 4194304);
}

TEST_CASE("the best of a curve that ran out of time may not be its peak") {
    Subject subject = invented_subject(test::full_plan({}));
    std::vector<StoredMeasurement>& points = subject.curves[0].points;
    for (std::size_t i = points.size() / 2; i < points.size(); ++i)
        points[i].measurement.value_s = std::nan("");
    CHECK(headlines(subject)[2].kind == HeadlineKind::peak_bandwidth);
    CHECK(headlines(subject)[2].may_go_on);
    CHECK_FALSE(headlines(subject)[2].among_timed_out);
    CHECK(headlines(subject)[3].kind != HeadlineKind::half_peak_length); // the peak is not known
    for (StoredMeasurement& point : points)
        set(point.measurement.flags, Flag::timed_out);
    CHECK(headlines(subject)[2].may_go_on);
    CHECK(headlines(subject)[2].among_timed_out);
    CHECK(flagged(headlines(subject)[2], Flag::timed_out));
}

TEST_CASE("headlines hold the values of other states, and whether they are of another one than the first") {
    Subject subject = invented_subject(test::full_plan({}));
    for (Curve& curve : subject.curves)
        for (StoredMeasurement& point : curve.points)
            point.measurement.probe_s = curve.suite().operation.name == "MPI_Barrier" ? 2.2e-6 : 1e-6;
    std::vector<Headline> found = headlines(subject);
    REQUIRE(found.size() == 7);
    CHECK(found[4].probe_ratio.value() == close_to(2.2));
    for (const std::size_t i : {0, 1, 2, 3, 5, 6})
        CHECK_FALSE(found[i].probe_ratio.has_value());

    Curve& send = subject.curves[0];
    for (StoredMeasurement* point : {&send.points.front(), &send.points.back()}) {
        Measurement& shown = point->measurement;
        shown.modes = {{.mode = 0, .value_s = shown.value_s}, {.mode = 1, .value_s = 2 * shown.value_s}};
    }
    found = headlines(subject);
    REQUIRE(found[0].in_other_states.size() == 1);
    CHECK(found[0].in_other_states[0] == close_to(2 * found[0].value)); // half of round trips
    CHECK(found[1].in_other_states.empty());
    REQUIRE(found[2].in_other_states.size() == 1);
    CHECK(found[2].in_other_states[0] == close_to(found[2].value / 2));
}

TEST_CASE("half of the peak has the flags of all values that it comes from") {
    Subject subject = invented_subject({test::full_plan({}).front()});
    for (StoredMeasurement& point : subject.curves[0].points)
        set(point.measurement.flags, Flag::disturbed);
    subject.curves[0].points[1].measurement.flags = 0; // the only one that is not
    const std::vector<Headline> found = headlines(subject);
    REQUIRE(found.size() == 4);
    CHECK(found[2].peak_at() == 4194304);
    CHECK(flagged(found[2], Flag::disturbed));
    CHECK(found[3].kind == HeadlineKind::half_peak_length);
    CHECK(flagged(found[3], Flag::disturbed));
}

TEST_CASE("headlines carry the flags of values in several modes, and of launches far apart") {
    Subject subject = invented_subject(test::full_plan({}));
    set(subject.curves[0].points[1].measurement.flags, Flag::several_modes);
    set(subject.curves[0].points[1].measurement.flags, Flag::scattered);
    CHECK(headlines(subject)[1].flags == (Flag::several_modes | Flag::scattered));
}

TEST_CASE("a quantity is the same in two databases where its ranks and length are") {
    const Subject subject = invented_subject(test::full_plan({}));
    const Subject smaller = invented_subject(test::full_plan({}, 8));
    const std::vector<Headline> a = headlines(subject);
    const std::vector<Headline> b = headlines(smaller);
    REQUIRE(a.size() == b.size());
    CHECK(a[0].is_same_quantity(b[0]));
    CHECK_FALSE(a[0].is_same_quantity(b[1]));
    CHECK(a[2].is_same_quantity(b[2]));
    CHECK_FALSE(a[5].is_same_quantity(a[6]));
}

TEST_CASE("a disturbed, single or cut-off value is no answer") {
    Subject subject = invented_subject({test::full_plan({}).front()});
    std::vector<StoredMeasurement>& points = subject.curves[0].points;
    for (const Headline& headline : headlines(subject))
        CHECK(headline.is_answer());
    set(points[0].measurement.flags, Flag::disturbed);
    points[1].measurement.summary.count = 1;
    points.back().measurement.value_s = std::nan("");
    const std::vector<Headline> found = headlines(subject);
    for (const std::size_t i : {0, 1, 2})
        CHECK_FALSE(found[i].is_answer());
    CHECK(found[2].kind == HeadlineKind::peak_bandwidth);
}

TEST_CASE("a doubtful value has its gravest reason, and one whose time limit came first is not doubtful") {
    Subject subject = invented_subject({test::full_plan({}).front()});
    std::vector<StoredMeasurement>& points = subject.curves[0].points;
    const auto latency = [&] { return headlines(subject).at(1); };
    CHECK_FALSE(latency().doubt());
    set(points[1].measurement.flags, Flag::timed_out);
    set(points[1].measurement.flags, Flag::not_repeatable);
    CHECK_FALSE(latency().doubt());
    set(points[1].measurement.flags, Flag::scattered);
    CHECK(latency().doubt() == HeadlineDoubt::launches_apart);
    set(points[1].measurement.flags, Flag::disturbed);
    CHECK(latency().doubt() == HeadlineDoubt::disturbed);
    Measurement& measurement = points[1].measurement;
    measurement.modes = {{.mode = 0, .value_s = measurement.value_s}, {.mode = 1, .value_s = 5e-6}};
    CHECK(latency().doubt() == HeadlineDoubt::several_states);
    set(measurement.flags, Flag::wrong_result);
    CHECK(latency().doubt() == HeadlineDoubt::wrong_result);
}

TEST_CASE("an error is one share of the value unless it is lopsided") {
    Subject subject = invented_subject({test::full_plan({}).front()});
    StoredMeasurement& point = subject.curves[0].points[1];
    const double value_s = point.measurement.value_s;
    const auto error = [&](double low, double high) {
        point.merge = MergeFacts{};
        point.merge->runs = point.merge->measured_runs = 4;
        point.merge->value_kind = "median";
        point.merge->minimum_s = low * value_s;
        point.merge->maximum_s = high * value_s;
        return headlines(subject).at(1).relative_error();
    };
    CHECK(error(0.98, 1.02) == close_to(0.02));
    CHECK(error(0.97, 1.02) == close_to(0.03));
    CHECK(error(1, 1.008) == close_to(0.008)); // what is small may be lopsided
    CHECK_FALSE(error(0.99, 1.2));
    CHECK_FALSE(error(1, 1.2));
}
