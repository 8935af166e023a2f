#include "model/compare_plans.hpp"

#include "base/text.hpp"
#include "model/field_text.hpp"

#include <algorithm>
#include <utility>

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

/// Takes a field that is unknown on one side. A field that decides which time the values are then makes
/// another quantity: a known kind of time is compared only with the same kind.
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
        const bool known_of_first = !is_unknown(first, own[i].field.name);
        const bool known_of_second = !is_unknown(second, own[i].field.name);
        if (known_of_first != known_of_second)
            add_unknown(own[i].field, known_of_first ? own[i].text : std::string(unknown_text),
                        known_of_second ? other[i].text : std::string(unknown_text), found);
        else if (known_of_first && own[i].text != other[i].text)
            (comparing.meaning == IfDifferent::other_quantity ? found.other_quantity
                                                              : found.computed_differently)
                .push_back({own[i].field.name, own[i].text, other[i].text});
    }
    return found;
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

Comparability compare_plans_without_facts(const Suite& first, const Suite& second, OnPurpose on_purpose) {
    return compare_suites(first, second, on_purpose, true);
}

std::string quantity_key(const Suite& suite, OnPurpose on_purpose) {
    std::string key;
    for (const FieldOfSuite& each : fields_of(suite))
        if (each.field.comparing.meaning != IfDifferent::same_quantity && each.applies_to(suite) &&
            !contains(on_purpose, each.field.name))
            key += std::string(each.field.name) + '=' +
                   (is_unknown(suite, each.field.name) ? std::string(unknown_text) : each.text) + '\n';
    return key;
}

std::map<std::string, std::string> planned_quantity(const Suite& suite) {
    std::map<std::string, std::string> known;
    for (const FieldOfSuite& each : fields_of(suite))
        if (each.field.comparing.meaning == IfDifferent::other_quantity && !each.field.comparing.in_fact &&
            each.applies_to(suite)) {
            // An unknown kind of time counts as a kind of its own.
            if (!is_unknown(suite, each.field.name))
                known[each.field.name] = to_valid_utf8(each.text);
            else if (each.field.comparing.kind_of_time)
                known[each.field.name] = unknown_text;
        }
    return known;
}

} // namespace skampi
