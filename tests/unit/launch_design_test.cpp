// SPDX-License-Identifier: GPL-2.0-or-later
#include "launches/launch_design.hpp"

#include "invented_curve.hpp"

#include <array>
#include <doctest/doctest.h>
#include <string>

using namespace skampi;

namespace {

constexpr double minute_s = 60;
constexpr double hour_s = 3600;

/// Launches of a minute each.
Subject made_at(const std::string& label, int launches, double first_s, double from_one_to_the_next_s) {
    Subject subject;
    subject.label = label;
    subject.run = test::invented_run(label);
    subject.curves.push_back(test::invented_curve(launches, 1, 0.01, 1, {1, 2}, label));
    for (int launch = 0; launch < launches; ++launch) {
        const double begin_s = first_s + launch * from_one_to_the_next_s;
        subject.launch_times[label + std::to_string(launch)] = {begin_s, begin_s + minute_s};
    }
    return subject;
}

std::array<bool, 2> in_a_row(const Subject& reference, const Subject& other) {
    const LaunchDesign design = launch_design(reference, other);
    return {design.sides[0].in_a_row, design.sides[1].in_a_row};
}

using Sides = std::array<bool, 2>;

} // namespace

TEST_CASE("launches are in a row where most begin soon after the one before, and sides do not alternate") {
    const Subject morning = made_at("a", 10, 0, minute_s);
    CHECK(in_a_row(morning, made_at("b", 10, hour_s, minute_s)) == Sides{true, true});
    CHECK(in_a_row(morning, made_at("b", 10, 2 * hour_s, 2 * hour_s)) == Sides{true, false});
    CHECK(in_a_row(morning, made_at("b", 10, minute_s / 2, minute_s)) == Sides{false, false});
    CHECK(launch_design(morning, made_at("b", 10, minute_s / 2, minute_s)).in_turns);
    // A night between two halves leaves the launches of each in a row.
    Subject two_days = made_at("b", 10, hour_s, minute_s);
    for (int launch = 5; launch < 10; ++launch) {
        LaunchTime& time = two_days.launch_times.at("b" + std::to_string(launch));
        time = {time.begin_s + 24 * hour_s, time.end_s + 24 * hour_s};
    }
    CHECK(in_a_row(morning, two_days) == Sides{true, true});
    CHECK(launch_design(morning, made_at("b", 10, hour_s, minute_s)).sides[1].length_s == 10 * minute_s);
}

TEST_CASE("launches of unknown time are taken for independent, simulated ones are") {
    const Subject morning = made_at("a", 10, 0, minute_s);
    Subject imported = made_at("b", 10, hour_s, minute_s);
    imported.launch_times.erase("b3");
    const LaunchDesign design = launch_design(morning, imported);
    CHECK(design.sides[1].unknown);
    CHECK_FALSE(design.sides[1].in_a_row);
    CHECK(design.sides[1].launches == 10);
    Subject simulated = made_at("b", 10, hour_s, minute_s);
    simulated.run->facts[fact_simulation] = "a cluster";
    CHECK(in_a_row(morning, simulated) == Sides{true, false});
    CHECK_FALSE(launch_design(morning, simulated).sides[1].unknown);
}

TEST_CASE("probes are measures of one thing on one machine with one library") {
    const Subject reference = made_at("a", 5, 0, minute_s);
    Subject other = made_at("b", 5, hour_s, minute_s);
    CHECK(launch_design(reference, other).by_probe);
    other.run->plan_hash = "another plan";
    CHECK(launch_design(reference, other).by_probe);
    other.run->mpi_library = "another library";
    CHECK(launch_design(reference, other).other_software);
    CHECK_FALSE(launch_design(reference, other).by_probe);
    other.run->mpi_library = reference.run->mpi_library;
    other.run->machine = "another machine";
    CHECK(launch_design(reference, other).other_machine);
    CHECK_FALSE(launch_design(reference, other).by_probe);
    other.run.reset(); // nothing is known
    CHECK(launch_design(reference, other).by_probe);
}
