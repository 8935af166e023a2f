#include "analysis/subject/comparable.hpp"

#include "base/text.hpp"
#include "model/field_text.hpp"
#include "model/placement.hpp"
#include "model/session_start.hpp"

#include <algorithm>
#include <set>

namespace skampi {

namespace {

struct FieldOfSuite {
    SuiteField field;
    std::string text;
    [[nodiscard]] bool applies_to(const Suite& suite) const {
        return field.comparing.applies == nullptr || field.comparing.applies(suite);
    }
};

bool contains(OnPurpose fields, std::string_view name) {
    return std::ranges::find(fields, name) != fields.end();
}

std::vector<FieldOfSuite> fields_of(const Suite& suite) {
    std::vector<FieldOfSuite> fields;
    for_each_field(suite, [&](const SuiteField& field, const auto& value) {
        fields.push_back({field, field_text(value)});
    });
    return fields;
}

/// In texts, for a field that nobody told.
constexpr std::string_view not_told = "unknown";

/// Takes a field that one side does not know. Where it says which time the values are, that makes another
/// quantity: what is known to be one kind of time is compared with times of that kind alone.
void add_unknown(const SuiteField& field, std::string own, std::string other, Comparability& found) {
    if (field.comparing.kind_of_time)
        found.other_quantity.push_back({field.name, std::move(own), std::move(other)});
    else
        found.unknown.emplace_back(field.name);
}

Comparability compare_suites(const Suite& first, const Suite& second, OnPurpose on_purpose, bool with_facts) {
    Comparability found;
    const std::vector<FieldOfSuite> own = fields_of(first);
    const std::vector<FieldOfSuite> other = fields_of(second);
    const bool two = first.operation.name != second.operation.name;
    for (std::size_t i = 0; i < own.size(); ++i) {
        const Comparing& comparing = own[i].field.comparing;
        const bool on_first = own[i].applies_to(first);
        const bool on_second = own[i].applies_to(second);
        if (comparing.meaning == IfDifferent::same_quantity || (with_facts && comparing.in_fact) ||
            (two ? !on_first || !on_second : !on_first && !on_second) ||
            contains(on_purpose, own[i].field.name))
            continue;
        const bool told_of_first = !is_unknown(first, own[i].field.name);
        const bool told_of_second = !is_unknown(second, own[i].field.name);
        if (told_of_first != told_of_second)
            add_unknown(own[i].field, told_of_first ? own[i].text : std::string(not_told),
                        told_of_second ? other[i].text : std::string(not_told), found);
        else if (told_of_first && own[i].text != other[i].text)
            (comparing.meaning == IfDifferent::other_quantity ? found.other_quantity
                                                              : found.computed_differently)
                .push_back({own[i].field.name, own[i].text, other[i].text});
    }
    return found;
}

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
    const auto told = [](const std::set<Synchronization>& starts) {
        return starts.empty() ? std::string(not_told) : texts_of(starts);
    };
    const bool both_have_points = !first.points.empty() && !second.points.empty();
    if (own.empty() != other.empty() && both_have_points)
        found.other_quantity.push_back({"synchronization", told(own), told(other)});
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

/// The rank that was found, where one was; a suite that went on elsewhere has several.
std::string partner_found(const Curve& curve) {
    const auto fact = curve.stored.facts.find(fact_partner);
    return fact == curve.stored.facts.end() ? std::string() : fact->second;
}

/// Where both found their partners by one rule the rule is the quantity: which rank is the farthest may
/// change from launch to launch.
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

Comparable Comparability::kind() const {
    return !other_quantity.empty()         ? Comparable::other_quantity
           : !computed_differently.empty() ? Comparable::computed_differently
           : !unknown.empty()              ? Comparable::unknown
                                           : Comparable::same_quantity;
}

bool Comparability::other_at_every_point() const {
    return std::ranges::any_of(other_quantity, [](const FieldDifference& each) {
        return each.field != "ranks" && each.field != "synchronization";
    });
}

Comparability compare_plans(const Suite& first, const Suite& second, OnPurpose on_purpose) {
    return compare_suites(first, second, on_purpose, false);
}

Comparability comparability(const Curve& first, const Curve& second, OnPurpose on_purpose) {
    Comparability found = compare_suites(first.suite(), second.suite(), on_purpose, true);
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

std::string quantity_key(const Suite& suite, OnPurpose on_purpose) {
    std::string key;
    for (const FieldOfSuite& each : fields_of(suite))
        if (each.field.comparing.meaning != IfDifferent::same_quantity && each.applies_to(suite) &&
            !contains(on_purpose, each.field.name))
            key += std::string(each.field.name) + '=' +
                   (is_unknown(suite, each.field.name) ? std::string(not_told) : each.text) + '\n';
    return key;
}

std::map<std::string, std::string> known_quantity(const Curve& curve) {
    const Suite& suite = curve.suite();
    std::map<std::string, std::string> known;
    for (const FieldOfSuite& each : fields_of(suite))
        if (each.field.comparing.meaning == IfDifferent::other_quantity && !each.field.comparing.in_fact &&
            each.applies_to(suite)) {
            // Which time it is counts as known: another than those that are told.
            if (!is_unknown(suite, each.field.name))
                known[each.field.name] = to_valid_utf8(each.text);
            else if (each.field.comparing.kind_of_time)
                known[each.field.name] = not_told;
        }
    if (const int ranks = ranks_of(curve); ranks > 0)
        known["ranks"] = std::to_string(ranks);
    if (const std::set<Synchronization> starts = starts_of(curve); starts.size() == 1)
        known["synchronization"] = texts_of(starts);
    else if (starts.empty() && starts_together(suite))
        known["synchronization"] = not_told;
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
        if (compare_plans(wanted, suite).kind() != Comparable::other_quantity) {
            only = &candidate;
            ++candidates;
        }
    }
    return candidates == 1 ? only : nullptr;
}

} // namespace skampi
