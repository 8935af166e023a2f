#include "analysis/doubt.hpp"

#include "analysis/comparison.hpp"
#include "model/forced_merge.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace skampi {

std::vector<Doubt> run_doubts(const Subject& subject) {
    std::vector<Doubt> found;
    if (!subject.ended)
        found.push_back({DoubtKind::interrupted});
    if (subject.run && subject.run->facts.contains(fact_merged_by_force))
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
    const std::array<std::pair<DoubtKind, std::int64_t>, 11> of_values{{
        {DoubtKind::wrong_result, trust.wrong_result},
        {DoubtKind::no_value, trust.no_value},
        {DoubtKind::not_above_zero, trust.not_above_zero},
        // A value below what can be measured is flagged unreliable, too.
        {DoubtKind::unreliable, trust.unreliable - trust.not_above_zero},
        {DoubtKind::disturbed, trust.disturbed},
        {DoubtKind::several_states, trust.several_modes},
        {DoubtKind::between_barriers, trust.unsynchronised},
        {DoubtKind::not_settled, trust.values_not_settled},
        {DoubtKind::one_launch, trust.one_launch},
        {DoubtKind::few_launches, trust.few_launches},
        {DoubtKind::launches_apart, trust.scattered},
    }};
    for (const auto& [kind, count] : of_values)
        if (count > 0) // without a value nothing can settle
            found.push_back(
                {kind, count, trust.points - (kind == DoubtKind::not_settled ? trust.no_value : 0)});
    if (!launches || (subject.run && is_simulated(*subject.run))) // simulated launches do not differ
        return found;
    const auto count = static_cast<std::int64_t>(trust.launches);
    if (trust.launches <= 1)
        found.push_back({DoubtKind::only_one_launch, count});
    else if (trust.launches < launches_needed)
        found.push_back({DoubtKind::no_interval, count});
    return found;
}

} // namespace skampi
