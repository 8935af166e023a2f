#include "analysis/inference/launch_design.hpp"

#include "base/utc.hpp"
#include "model/series.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <utility>

namespace skampi {

namespace {

/// From the first launch's start to the last one's end.
struct SpanOfLaunches {
    double begin_s = 0;
    double end_s = 0;
    [[nodiscard]] double length_s() const { return end_s - begin_s; }
};

/// None where the run does not say, or was not on a real machine.
std::optional<SpanOfLaunches> session_of(const Subject& subject) {
    if (!subject.run || is_simulated(*subject.run))
        return std::nullopt;
    const std::optional<double> begin_s = utc_seconds(subject.run->started_utc);
    const std::optional<double> end_s = utc_seconds(subject.run->ended_utc);
    if (!begin_s || !end_s || *end_s < *begin_s)
        return std::nullopt;
    return SpanOfLaunches{*begin_s, *end_s};
}

/// None where not all launches are known, and of more launches than are few.
std::optional<LaunchesInARow> in_a_row(const SpanOfLaunches& session, const Subject& subject) {
    const std::size_t launches = subject.launches();
    if (launches < 2 || launches >= launches_to_tell_likeness || subject.launch_times.size() < launches)
        return std::nullopt;
    std::vector<LaunchTime> times;
    for (const auto& [uuid, time] : subject.launch_times)
        times.push_back(time);
    const LaunchesInTime found = launches_in_time(std::move(times));
    if (!found.in_a_row())
        return std::nullopt;
    return LaunchesInARow{false, launches, found.close == found.pairs, session.length_s()};
}

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
    LaunchDesign design;
    design.other_machine = on_other_machines(reference, other);
    design.other_software = with_other_software(reference, other);
    const std::optional<SpanOfLaunches> a = session_of(reference);
    const std::optional<SpanOfLaunches> b = session_of(other);
    design.in_turns = made_in_turns(reference, other);
    if (a && b && !design.in_turns) {
        if (const auto side = in_a_row(*a, reference))
            design.in_a_row.push_back(*side);
        if (auto side = in_a_row(*b, other)) {
            side->of_other = true;
            design.in_a_row.push_back(*side);
        }
    }
    const auto simulated = [](const Subject& subject) { return subject.run && is_simulated(*subject.run); };
    const auto times_unknown = [&](const Subject& subject) {
        const std::size_t launches = subject.launches();
        return subject.run && !simulated(subject) && launches > 1 && launches < launches_to_tell_likeness &&
               subject.launch_times.size() < launches;
    };
    design.reference_times_unknown = times_unknown(reference);
    design.other_times_unknown = times_unknown(other);
    if (!design.in_turns && !design.other_machine && !simulated(reference) && !simulated(other))
        design.state = design.other_software ? StateUse::clock_alone : StateUse::covariates;
    return design;
}

} // namespace skampi
