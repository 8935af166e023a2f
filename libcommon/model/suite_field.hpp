// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "model/fields.hpp"

namespace skampi {

struct Suite;

/// What a difference in a field means for a comparison of two suites.
enum class IfDifferent {
    same_quantity,        ///< nothing: both measure the same thing
    computed_differently, ///< the same thing, but its value is computed differently
    other_quantity,       ///< two things: their ratio says nothing about speed
};

/// The word that each field of Suite gives for comparisons (docs/decisions/comparable.md).
struct Comparing {
    IfDifferent meaning;
    /// Whether the field has a meaning for a suite: a ping-pong has no root. None = for all.
    bool (*applies)(const Suite&) = nullptr;
    /// The facts are compared instead of the plan: how many ranks took part in each point, how they were
    /// started, which rank was the partner.
    bool in_fact = false;
    /// It decides which time the values are: an unknown one never equals the other side's.
    bool kind_of_time = false;

    [[nodiscard]] constexpr Comparing of(bool (*suites)(const Suite&)) const {
        return {meaning, suites, in_fact, kind_of_time};
    }
};

constexpr Comparing same_quantity{IfDifferent::same_quantity};
constexpr Comparing computed_differently{IfDifferent::computed_differently};
constexpr Comparing other_quantity{IfDifferent::other_quantity};
constexpr Comparing other_quantity_in_fact{IfDifferent::other_quantity, nullptr, true};
constexpr Comparing other_time{IfDifferent::other_quantity, nullptr, false, true};

/// A field of Suite: it does not compile without its word.
struct SuiteField : Field {
    Comparing comparing;
    constexpr SuiteField(const char* field_name, const char* field_meaning, Comparing word,
                         FieldUses field_uses = 0)
        : Field{field_name, field_meaning, field_uses}
        , comparing(word) {}
};

} // namespace skampi
