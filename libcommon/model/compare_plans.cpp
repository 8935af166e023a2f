// SPDX-License-Identifier: LGPL-2.1-or-later
#include "model/compare_plans.hpp"

#include "base/text.hpp"
#include "model/field_text.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace skampi {

namespace {

struct FieldOfSuite {
    SuiteField field;
    std::string text;
    std::string quantity; ///< the same text for what measures the same
    [[nodiscard]] bool applies_to(const Suite& suite) const {
        return field.comparing.applies == nullptr || field.comparing.applies(suite);
    }
};

bool contains(OnPurpose fields, std::string_view name) {
    return std::ranges::find(fields, name) != fields.end();
}

/// Bytes are moved alike, whatever they are called; only reductions look at what they mean.
bool is_plain_byte(const Suite& suite) {
    constexpr std::array<std::string_view, 6> bytes{"MPI_BYTE",          "MPI_CHAR",   "MPI_SIGNED_CHAR",
                                                    "MPI_UNSIGNED_CHAR", "MPI_INT8_T", "MPI_UINT8_T"};
    return !reduces(suite) && std::ranges::find(bytes, suite.datatype) != bytes.end();
}

std::vector<FieldOfSuite> fields_of(const Suite& suite) {
    std::vector<FieldOfSuite> fields;
    for_each_field(suite, [&](const SuiteField& field, const auto& value) {
        const std::string text = field_text(value);
        const bool is_byte = std::string_view(field.name) == "datatype" && is_plain_byte(suite);
        fields.push_back({field, text, is_byte ? "MPI_BYTE" : text});
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
        else if (known_of_first && own[i].quantity != other[i].quantity)
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
                   (is_unknown(suite, each.field.name) ? std::string(unknown_text) : each.quantity) + '\n';
    return key;
}

std::map<std::string, std::string> planned_quantity(const Suite& suite) {
    std::map<std::string, std::string> known;
    for (const FieldOfSuite& each : fields_of(suite))
        if (each.field.comparing.meaning == IfDifferent::other_quantity && !each.field.comparing.in_fact &&
            each.applies_to(suite)) {
            // An unknown kind of time counts as a kind of its own.
            if (!is_unknown(suite, each.field.name))
                known[each.field.name] = to_valid_utf8(each.quantity);
            else if (each.field.comparing.kind_of_time)
                known[each.field.name] = unknown_text;
        }
    return known;
}

std::vector<std::string> plan_differences(const std::vector<Suite>& first, const std::vector<Suite>& second) {
    std::vector<std::string> found;
    for (const Suite& suite : first) {
        const auto twin = std::ranges::find(second, suite.name, &Suite::name);
        std::string keys = twin == second.end() ? "only in the first" : "";
        if (twin != second.end()) {
            const std::vector<FieldOfSuite> own = fields_of(suite);
            const std::vector<FieldOfSuite> other = fields_of(*twin);
            for (std::size_t i = 0; i < own.size(); ++i)
                if (own[i].field.is(in_plan) && own[i].text != other[i].text)
                    keys += (keys.empty() ? "" : "; ") + std::string(own[i].field.name) + " " + own[i].text +
                            " and " + other[i].text;
        }
        if (!keys.empty())
            found.push_back(printable("suite " + suite.name + ": " + keys));
    }
    for (const Suite& suite : second)
        if (std::ranges::find(first, suite.name, &Suite::name) == first.end())
            found.push_back(printable("suite " + suite.name + ": only in the second"));
    return found;
}

} // namespace skampi
