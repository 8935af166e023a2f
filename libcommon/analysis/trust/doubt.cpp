// SPDX-License-Identifier: LGPL-2.1-or-later
#include "analysis/trust/doubt.hpp"

#include "launches/library_name.hpp"

#include "contest/estimate.hpp"
#include "launches/launches_left_out.hpp"
#include "model/field_text.hpp"
#include "model/pattern.hpp"
#include "model/run.hpp"
#include "model/series.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>

namespace skampi {

namespace {

/// One of the run's counts (model/ledger.hpp).
std::int64_t number_in(const Run& run, const char* fact) {
    const auto found = run.facts.find(fact);
    return found == run.facts.end() ? 0 : integer_from(found->second).value_or(0);
}

} // namespace

Neighbours neighbours_of(const Run& run) {
    constexpr std::int64_t usual_from = 2;       // one of so many batches and more
    constexpr std::int64_t hardly_any_from = 20; // and fewer
    const std::int64_t batches = number_in(run, fact_batches);
    if (batches == 0 || usual_from * number_in(run, fact_batches_on_shared_cores) < batches ||
        hardly_any_from * number_in(run, fact_batches_interrupted) > batches)
        return Neighbours::none;
    return has_fact(run, fact_hypervisor) ? Neighbours::machines : Neighbours::processes;
}

namespace {

bool measures_messages_of_one_rank(const Subject& subject) {
    return subject.run && subject.run->ranks == 1 && !is_sequential(*subject.run) &&
           std::ranges::any_of(subject.curves, [](const Curve& curve) {
               return curve.suite().operation.pattern != Pattern::simple;
           });
}

} // namespace

std::vector<Doubt> run_doubts(const Subject& subject) {
    std::vector<Doubt> found;
    if (const std::optional<SharedCores> shared = subject.run ? shared_cores(*subject.run) : std::nullopt)
        found.push_back({DoubtKind::shared_cores, shared->ranks, shared->cores});
    if (const std::optional<SharedCores> shared = subject.run ? shared_threads(*subject.run) : std::nullopt)
        found.push_back({DoubtKind::shared_threads, shared->ranks, shared->cores});
    if (measures_messages_of_one_rank(subject))
        found.push_back({DoubtKind::one_rank});
    if (!subject.ended)
        found.push_back({DoubtKind::interrupted});
    if (subject.run && !subject.run->forced_differences.empty())
        found.push_back({DoubtKind::merged_by_force});
    constexpr std::array<std::pair<SuiteState, DoubtKind>, 3> states{{
        {SuiteState::failed, DoubtKind::suites_failed},
        {SuiteState::put_off, DoubtKind::suites_put_off},
        {SuiteState::open, DoubtKind::suites_open},
    }};
    for (const auto& [state, kind] : states)
        if (const auto count = std::ranges::count(subject.curves, state,
                                                  [](const Curve& curve) { return curve.stored.state; });
            count > 0)
            found.push_back({kind, count, std::ssize(subject.curves)});
    return found;
}

std::vector<Doubt> doubts(const Subject& subject, const Trust& trust, bool launches) {
    std::vector<Doubt> found = run_doubts(subject);
    struct OfValues {
        DoubtKind kind;
        std::int64_t count;
    };
    const std::array<OfValues, 13> of_values{{
        {DoubtKind::wrong_result, trust.wrong_result},
        {DoubtKind::no_value, trust.no_value},
        {DoubtKind::not_in_state, trust.not_in_state},
        {DoubtKind::not_above_zero, trust.not_above_zero},
        // A value below what can be measured is flagged unreliable, too.
        {DoubtKind::unreliable, trust.unreliable - trust.not_above_zero - trust.overhead_in_doubt},
        {DoubtKind::overhead_in_doubt, trust.overhead_in_doubt},
        {DoubtKind::disturbed, trust.disturbed},
        {DoubtKind::several_states, trust.several_modes - trust.within_one_state},
        {DoubtKind::between_barriers, trust.unsynchronised},
        {DoubtKind::not_repeatable, trust.values_stopped_by_limit},
        {DoubtKind::one_launch, trust.one_launch},
        {DoubtKind::few_launches, trust.few_launches},
        {DoubtKind::launches_apart, trust.scattered},
    }};
    for (const auto& [kind, count] : of_values)
        if (count > 0) // without a value nothing can be repeatable
            found.push_back(
                {kind, count,
                 trust.points -
                     (kind == DoubtKind::not_repeatable ? trust.no_value + trust.not_in_state : 0)});
    const auto add = [&](DoubtKind kind, std::size_t count, std::size_t of) {
        if (count > 0)
            found.push_back({kind, static_cast<std::int64_t>(count), static_cast<std::int64_t>(of)});
    };
    const LaunchesInStates states = launches_in_states(subject);
    add(DoubtKind::other_state, states.left_out(), states.launches());
    const LaunchesOfOtherStart starts = launches_of_other_start(subject);
    add(DoubtKind::other_start, starts.left_out, starts.launches);
    const LaunchesWithoutCore lost = launches_without_core(subject);
    add(DoubtKind::lost_core, lost.uuids.size(), lost.launches);
    if (trust.rests_on_undisturbed())
        found.push_back({DoubtKind::launches_disturbed, trust.launch_values_disturbed, trust.launch_values});
    if (!launches || (subject.run && is_simulated(*subject.run))) // simulated launches do not differ
        return found;
    if (trust.unsettled > 0)
        found.push_back({DoubtKind::unsettled, trust.unsettled, trust.settled + trust.unsettled});
    const auto count = static_cast<std::int64_t>(trust.launches);
    if (trust.launches <= 1)
        found.push_back({DoubtKind::only_one_launch, count});
    else if (trust.launches < launches_needed)
        found.push_back({DoubtKind::no_interval, count});
    return found;
}

namespace {

/// How much a doubt matters if it concerns everything: wrong values before values that are badly known, these
/// before values that could be known better.
double weight(DoubtKind kind) {
    switch (kind) {
    case DoubtKind::shared_cores:
    case DoubtKind::one_rank:
    case DoubtKind::merged_by_force:
        return 100;
    case DoubtKind::wrong_result:
    case DoubtKind::suites_failed:
        return 30;
    case DoubtKind::interrupted:
    case DoubtKind::suites_put_off:
    case DoubtKind::no_value:
    case DoubtKind::not_in_state:
        return 12;
    case DoubtKind::shared_threads: // and so all values are disturbed
        return 11;
    case DoubtKind::disturbed:
    case DoubtKind::not_above_zero:
    case DoubtKind::unreliable:
    case DoubtKind::overhead_in_doubt:
        return 10;
    case DoubtKind::suites_open:
    case DoubtKind::lost_core:
    case DoubtKind::launches_disturbed:
    case DoubtKind::other_state: // of the launches: half of them in another state is as bad as it can be
        return 8;
    case DoubtKind::several_states:
    case DoubtKind::between_barriers:
    case DoubtKind::launches_apart:
    case DoubtKind::other_start:
        return 6;
    case DoubtKind::only_one_launch:
        return 4;
    case DoubtKind::no_interval:
    case DoubtKind::one_launch:
        return 3;
    case DoubtKind::not_repeatable:
    case DoubtKind::few_launches:
        return 2;
    case DoubtKind::unsettled:
        return 1;
    }
    return 0;
}

/// Of the values or launches; of what concerns the run as a whole, such as more ranks than cores, 1.
double share(const Doubt& doubt) {
    return doubt.of > 0 ? std::min(1.0, static_cast<double>(doubt.count) / static_cast<double>(doubt.of)) : 1;
}

} // namespace

std::vector<Doubt> gravest_first(std::vector<Doubt> doubts) {
    std::ranges::stable_sort(doubts, std::ranges::greater(),
                             [](const Doubt& doubt) { return weight(doubt.kind) * share(doubt); });
    return doubts;
}

std::optional<Doubt> gravest(const std::vector<Doubt>& doubts) {
    return doubts.empty() ? std::nullopt : std::optional(gravest_first(doubts).front());
}

} // namespace skampi
