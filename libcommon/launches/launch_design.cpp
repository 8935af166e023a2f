// SPDX-License-Identifier: LGPL-2.1-or-later
#include "launches/launch_design.hpp"

#include "model/series.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace skampi {

namespace {

bool simulated(const Subject& subject) {
    return subject.run && is_simulated(*subject.run);
}

} // namespace

SideInTime side_in_time(const Subject& subject) {
    SideInTime side{.launches = subject.launches()};
    if (!subject.run || simulated(subject) || side.launches < 2)
        return side;
    side.unknown = subject.launch_times.size() < side.launches;
    if (side.unknown)
        return side;
    std::vector<LaunchTime> times;
    for (const auto& [uuid, time] : subject.launch_times)
        times.push_back(time);
    const LaunchesInTime found = launches_in_time(std::move(times));
    side.in_a_row = found.in_a_row();
    side.length_s = found.length_s;
    return side;
}

namespace {

bool made_in_turns(const Subject& reference, const Subject& other) {
    std::vector<std::pair<double, bool>> begins;
    for (const Subject* side : {&reference, &other})
        for (const auto& [uuid, time] : side->launch_times)
            begins.emplace_back(time.begin_s, side == &other);
    std::ranges::sort(begins);
    std::size_t changes = 0;
    for (std::size_t i = 1; i < begins.size(); ++i)
        changes += begins[i].second != begins[i - 1].second ? 1 : 0;
    const std::size_t fewer = std::min(reference.launch_times.size(), other.launch_times.size());
    return fewer > 1 && changes >= fewer;
}

bool on_other_machines(const Subject& reference, const Subject& other) {
    if (!reference.run || !other.run)
        return false;
    using Texts = std::set<std::string>; // empty = not known
    const auto machine = [](const Run& run) { return run.machine.empty() ? Texts() : Texts{run.machine}; };
    const auto cpus = [](const Run& run) {
        Texts models;
        if (const auto fact = run.facts.find("cpu model"); fact != run.facts.end())
            models.insert(fact->second);
        if (const DifferingFact* const fact = differing_fact(run, "cpu model"))
            models.insert(fact->value.begin(), fact->value.begin() + fact->values);
        return models;
    };
    const auto differ = [](const Texts& a, const Texts& b) { return !a.empty() && !b.empty() && a != b; };
    return differ(machine(*reference.run), machine(*other.run)) ||
           differ(cpus(*reference.run), cpus(*other.run));
}

/// Other library, settings, placement, ...: what makes other series but the plan.
bool with_other_software(const Subject& reference, const Subject& other) {
    return reference.run && other.run &&
           !Series(*reference.run).forget("plan_hash").differences(Series(*other.run)).empty();
}

} // namespace

LaunchDesign launch_design(const Subject& reference, const Subject& other) {
    LaunchDesign design{.sides = {side_in_time(reference), side_in_time(other)}};
    design.in_turns = made_in_turns(reference, other);
    design.other_machine = on_other_machines(reference, other);
    design.other_software = with_other_software(reference, other);
    if (design.in_turns)
        for (SideInTime& side : design.sides)
            side.in_a_row = false;
    design.by_probe =
        !design.other_machine && !design.other_software && !simulated(reference) && !simulated(other);
    return design;
}

} // namespace skampi
