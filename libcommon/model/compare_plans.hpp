// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "model/suite.hpp"

#include <array>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace skampi {

// Whether two suites can be compared: from the list of fields of Suite, where each field says what a
// difference in it means for a comparison (docs/decisions/comparable.md).

/// A field in which two suites differ.
struct FieldDifference {
    std::string_view field; ///< name of its column
    std::string first;      ///< its texts, as they are stored
    std::string second;
    bool operator==(const FieldDifference&) const = default;
};

/// The relation of two suites, the worst last.
enum class Comparable {
    same_quantity,
    unknown,              ///< no known difference, but one side lacks fields
    computed_differently, ///< one quantity, computed in two ways: reports say so first
    other_quantity,       ///< two quantities: never judged, never pooled, their ratio is meaningless
};

struct Comparability {
    std::vector<FieldDifference> other_quantity;
    std::vector<FieldDifference> computed_differently;
    std::vector<std::string_view> unknown; ///< fields unknown on one side
    [[nodiscard]] Comparable kind() const;
    /// They differ in more than the facts of each point: number of ranks and start.
    [[nodiscard]] bool other_at_every_point() const;
};

/// Names of fields in which two curves differ on purpose: these are not compared.
using OnPurpose = std::span<const std::string_view>;
inline constexpr std::array<std::string_view, 3> two_operations{"operation", "pattern", "meaning"};
inline constexpr std::array<std::string_view, 1> two_lengths{"message_bytes"};

/// Two suites as they were planned. A field that means nothing for one of the operations is not compared.
[[nodiscard]] Comparability compare_plans(const Suite& first, const Suite& second, OnPurpose on_purpose = {});

/// The same without fields that facts can replace (SuiteField::Comparing::in_fact).
[[nodiscard]] Comparability compare_plans_without_facts(const Suite& first, const Suite& second,
                                                        OnPurpose on_purpose = {});

/// All that must be equal where suites of one subject are combined: the same for suites that measure one
/// quantity in one way.
[[nodiscard]] std::string quantity_key(const Suite& suite, OnPurpose on_purpose);

/// The texts of the fields that make another quantity and that only the plan holds, by name. An unknown one
/// is left out, or unknown_text if it decides which time the values are.
[[nodiscard]] std::map<std::string, std::string> planned_quantity(const Suite& suite);

/// How two plans differ, a text for each suite that only one of them has, or that has other keys:
/// "suite Bcast: end_argument 65536 and 32768".
[[nodiscard]] std::vector<std::string> plan_differences(const std::vector<Suite>& first,
                                                        const std::vector<Suite>& second);

/// In texts, for an unknown field.
inline constexpr std::string_view unknown_text = "unknown";

} // namespace skampi
