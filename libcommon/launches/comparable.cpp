// SPDX-License-Identifier: LGPL-2.1-or-later
#include "launches/comparable.hpp"

#include "model/placement.hpp"
#include "model/session_start.hpp"

#include <algorithm>
#include <set>

namespace skampi {

namespace {

std::set<Synchronization> starts_of(const Curve& curve) {
    std::set<Synchronization> starts;
    for (const StoredMeasurement& point : curve.points)
        if (const std::optional<Synchronization> start = start_of(curve, point.measurement))
            starts.insert(*start);
    return starts;
}

std::string texts_of(const std::set<Synchronization>& starts) {
    std::string text;
    for (const Synchronization start : starts)
        text += (text.empty() ? "" : ",") + std::string(to_text(start));
    return text;
}

void compare_starts(const Curve& first, const Curve& second, Comparability& found) {
    if (!starts_together(first.suite()) || !starts_together(second.suite()))
        return;
    const std::set<Synchronization> own = starts_of(first);
    const std::set<Synchronization> other = starts_of(second);
    const auto text = [](const std::set<Synchronization>& starts) {
        return starts.empty() ? std::string(unknown_text) : texts_of(starts);
    };
    const bool both_have_points = !first.points.empty() && !second.points.empty();
    if (own.empty() != other.empty() && both_have_points)
        found.other_quantity.push_back({"synchronization", text(own), text(other)});
    else if (own.empty() || other.empty())
        found.unknown.emplace_back("synchronization");
    else if (std::ranges::none_of(own, [&](Synchronization start) { return other.contains(start); }))
        found.other_quantity.push_back({"synchronization", texts_of(own), texts_of(other)});
}

void compare_ranks(const Curve& first, const Curve& second, Comparability& found) {
    if (!has_fixed_ranks(first.suite()) || !has_fixed_ranks(second.suite()))
        return;
    const int own = ranks_of(first);
    const int other = ranks_of(second);
    if (ranks_differ(own, other))
        found.other_quantity.push_back({"ranks", std::to_string(own), std::to_string(other)});
    else if (own != other)
        found.unknown.emplace_back("ranks");
}

/// The rank found, if any; a suite that continued elsewhere has several.
std::string partner_found(const Curve& curve) {
    const auto fact = curve.stored.facts.find(fact_partner);
    return fact == curve.stored.facts.end() ? std::string() : fact->second;
}

/// Where both found their partners by one rule, the rule decides: the farthest rank may change from launch to
/// launch.
void compare_partners(const Curve& first, const Curve& second, Comparability& found) {
    if (!has_partner(first.suite()) || !has_partner(second.suite()))
        return;
    const std::string own = partner_text(partner_choice(first.suite()));
    const std::string other = partner_text(partner_choice(second.suite()));
    const std::string own_rank = partner_found(first);
    const std::string other_rank = partner_found(second);
    const bool known = !own_rank.empty() && !other_rank.empty();
    if (known && own_rank == other_rank)
        return;
    const auto unknown = [](const Curve& curve) {
        return is_unknown(curve.suite(), "partner") && partner_found(curve).empty();
    };
    if (unknown(first) || unknown(second))
        found.unknown.emplace_back("partner");
    else if (own != other)
        found.other_quantity.push_back({"partner", own, other});
    else if (known)
        found.computed_differently.push_back({"partner", "rank " + own_rank, "rank " + other_rank});
}

} // namespace

Comparability comparability(const Curve& first, const Curve& second, OnPurpose on_purpose) {
    Comparability found = compare_plans_without_facts(first.suite(), second.suite(), on_purpose);
    compare_ranks(first, second, found);
    compare_starts(first, second, found);
    compare_partners(first, second, found);
    return found;
}

std::string_view compare_points(const Curve& first, const Measurement& first_point, const Curve& second,
                                const Measurement& second_point) {
    // Over the number of ranks one is as good as any other between two neighbours.
    if (has_fixed_ranks(first.suite()) && ranks_differ(first_point.ranks, second_point.ranks))
        return "ranks";
    const std::optional<Synchronization> own = start_of(first, first_point);
    const std::optional<Synchronization> other = start_of(second, second_point);
    return own && other && *own != *other ? "synchronization" : std::string_view();
}

std::map<std::string, std::string> known_quantity(const Curve& curve) {
    const Suite& suite = curve.suite();
    std::map<std::string, std::string> known = planned_quantity(suite);
    if (const int ranks = ranks_of(curve); ranks > 0)
        known["ranks"] = std::to_string(ranks);
    if (const std::set<Synchronization> starts = starts_of(curve); starts.size() == 1)
        known["synchronization"] = texts_of(starts);
    else if (starts.empty() && starts_together(suite))
        known["synchronization"] = unknown_text;
    if (const PartnerChoice choice = partner_choice(suite);
        has_partner(suite) && !is_unknown(suite, "partner"))
        known["partner"] = partner_text(choice);
    return known;
}

std::optional<Synchronization> start_of(const Curve& curve, const Measurement& measurement) {
    const Suite& suite = curve.suite();
    if (!starts_together(suite))
        return std::nullopt;
    if (is_unknown(suite, "synchronization"))
        return std::nullopt;
    return gave_up_windows(suite, measurement) ? Synchronization::barrier : suite.synchronization;
}

bool ranks_differ(int ranks, int other_ranks) {
    return ranks > 0 && other_ranks > 0 && ranks != other_ranks;
}

const Curve* matching_curve(const Subject& subject, const Curve& curve) {
    const Suite& wanted = curve.suite();
    const Curve* only = nullptr;
    std::size_t candidates = 0;
    for (const Curve& candidate : subject.curves) {
        const Suite& suite = candidate.suite();
        if (suite.operation.name != wanted.operation.name || suite.varied != wanted.varied)
            continue;
        if (suite.name == wanted.name)
            return &candidate;
        if (comparability(curve, candidate).kind() != Comparable::other_quantity) { // "all ranks" may be 2
            only = &candidate;
            ++candidates;
        }
    }
    return candidates == 1 ? only : nullptr;
}

} // namespace skampi
