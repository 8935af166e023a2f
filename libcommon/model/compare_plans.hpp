#pragma once

#include "model/suite.hpp"

#include <array>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace skampi {

// Whether two suites can be compared: a use of the list of fields of Suite, each of which says what it means
// for a comparison that two suites differ in it (docs/decisions/comparable.md).

/// A field in which two suites differ.
struct FieldDifference {
    std::string_view field; ///< name of its column
    std::string first;      ///< its texts, as they are stored
    std::string second;
    bool operator==(const FieldDifference&) const = default;
};

/// What two suites have in common, the worst last.
enum class Comparable {
    same_quantity,
    unknown,              ///< the same as far as is known: one side does not say all
    computed_differently, ///< one quantity whose value is formed in two ways: this is said first
    other_quantity,       ///< two quantities: never judged, never pooled, and a ratio means nothing
};

struct Comparability {
    std::vector<FieldDifference> other_quantity;
    std::vector<FieldDifference> computed_differently;
    std::vector<std::string_view> unknown; ///< fields that one side does not know
    [[nodiscard]] Comparable kind() const;
    /// They differ in more than what each point knows of itself: number of ranks and start.
    [[nodiscard]] bool other_at_every_point() const;
};

/// Names of fields in which two curves differ on purpose: these are not compared.
using OnPurpose = std::span<const std::string_view>;
inline constexpr std::array<std::string_view, 3> two_operations{"operation", "pattern", "meaning"};
inline constexpr std::array<std::string_view, 1> two_lengths{"message_bytes"};

/// Two suites as they were planned. A field that has no meaning for one of two operations is not compared.
[[nodiscard]] Comparability compare_plans(const Suite& first, const Suite& second, OnPurpose on_purpose = {});

/// The same without what can be known in fact (SuiteField::Comparing::in_fact).
[[nodiscard]] Comparability compare_plans_without_facts(const Suite& first, const Suite& second,
                                                        OnPurpose on_purpose = {});

/// All that must be equal where suites of one subject are put together: the same for suites that measure one
/// quantity in one way.
[[nodiscard]] std::string quantity_key(const Suite& suite, OnPurpose on_purpose);

/// The texts of the fields that would make another quantity and that a plan alone tells, by name: an unknown
/// one is left out, or not_told where it says which time the values are.
[[nodiscard]] std::map<std::string, std::string> planned_quantity(const Suite& suite);

/// In texts, for a field that nobody told.
inline constexpr std::string_view not_told = "unknown";

} // namespace skampi
