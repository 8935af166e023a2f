// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <concepts>
#include <string_view>
#include <type_traits>

namespace skampi {

// The fields of a stored struct are one list, `for_each_field(row, visitor)`, next to the struct. From it
// derive the table of the database with its comments (store/schema.cpp), the writing, reading and checksums
// of rows (store/row.hpp), the hash of a plan (spec/plan.cpp), the messages between ranks
// (model/record.hpp), JSON, CSV, the key of a series (model/series.hpp), and the comparison in tests. A new
// field is a member and a line of the list.

template <typename T, typename Of>
concept MaybeConst = std::same_as<std::remove_const_t<T>, Of>;

/// Further uses of a stored field; combine with |.
using FieldUses = unsigned;
constexpr FieldUses in_plan = 1u << 0;   ///< decides what is measured: part of the hash of a plan
constexpr FieldUses in_result = 1u << 1; ///< a column of the view `result` and of result CSV files
constexpr FieldUses in_series = 1u << 2; ///< part of the key of a series of runs
constexpr FieldUses of_point = 1u << 4;  ///< of a measurement: the same in all that were merged into one
/// With in_plan: only where it is not empty. Plans from before the field was there keep their hash.
constexpr FieldUses unless_empty = 1u << 3;

struct Field {
    const char* name;    ///< of its column, and of its member in JSON
    const char* meaning; ///< a comment in the schema of every database; may be empty
    FieldUses uses = 0;
    [[nodiscard]] constexpr bool is(FieldUses use) const { return (uses & use) != 0; }
};

/// Whether a field of a row is unknown: only suites have such fields (suite.hpp).
template <typename Row>
[[nodiscard]] constexpr bool is_unknown(const Row&, std::string_view) {
    return false;
}

// A visitor is called with a Field and the member, or with one of these wrappers where the type does not
// decide how it is stored. Members are const when the struct is.

/// Stored as comma-separated words.
template <typename T>
struct FlagWords {
    explicit FlagWords(T& member)
        : flags(member) {}
    T& flags;
};

/// Stored as comma-separated names.
template <typename T>
struct VariedNames {
    explicit VariedNames(T& member)
        : list(member) {}
    T& list;
};

/// The empty text is stored as NULL.
template <typename T>
struct EmptyIsNull {
    explicit EmptyIsNull(T& member)
        : text(member) {}
    T& text;
};

} // namespace skampi
