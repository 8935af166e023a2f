#pragma once

#include "model/fields.hpp"

namespace skampi {

struct Suite;

/// What it means for a comparison that two suites differ in a field.
enum class IfDifferent {
    same_quantity,        ///< nothing: both measure the same thing
    computed_differently, ///< the same thing, but the value is formed another way
    other_quantity,       ///< two things: a ratio of them says nothing about speed
};

/// The word that each field of Suite gives for comparisons (docs/decisions/comparable.md).
struct Comparing {
    IfDifferent meaning;
    /// Whether the field has a meaning for a suite: a ping-pong has no root. None = for all.
    bool (*applies)(const Suite&) = nullptr;
    /// What was so in fact is compared instead of what was asked for: how many ranks took part in each point,
    /// how they were started, which rank was the partner.
    bool in_fact = false;
    /// It says which time the values are: one that nobody told is not that of the other side.
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
