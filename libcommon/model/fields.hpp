#pragma once

#include <concepts>
#include <type_traits>

namespace skampi {

// The fields of a stored struct are one list, `for_each_field(row, visitor)`, beside the struct. From it
// derive the table of the database with its comments (store/schema.cpp), writing and reading of rows and
// their checksums (store/row.hpp), the hash of a plan (spec/plan.cpp), what ranks tell each other
// (model/record.hpp), JSON, CSV, the key of a series (model/series.hpp), and the comparison in tests. A new
// field is a member and a line of the list.

template <typename T, typename Of>
concept MaybeConst = std::same_as<std::remove_const_t<T>, Of>;

/// What a field is used for beside being stored; several with |.
using FieldUses = unsigned;
constexpr FieldUses in_plan = 1u << 0; ///< decides what is measured: part of the hash of a plan
/// The same where it is set, that is, not 0, empty or none; plans without it have the hash they had before
/// there was such a field.
constexpr FieldUses in_plan_where_set = 1u << 3;
constexpr FieldUses in_result = 1u << 1; ///< a column of the view `result` and of result CSV files
/// Came after files had been written without it: 0, empty or not a number there. It enters a row's checksum
/// only where it is something else, so that the checksums of older rows stay as they are.
constexpr FieldUses came_later = 1u << 8;
// With came_later, of a table that had grown before:
constexpr FieldUses since_version_4 = 1u << 9;
constexpr FieldUses since_version_5 = 1u << 10;
constexpr FieldUses since_version_7 = 1u << 11;
constexpr FieldUses since_any_version = since_version_4 | since_version_5 | since_version_7;
constexpr FieldUses in_series = 1u << 2; ///< part of the key of a series of runs

struct Field {
    const char* name;    ///< of its column, and of its member in JSON
    const char* meaning; ///< a comment in the schema of every database; may be empty
    FieldUses uses = 0;
    [[nodiscard]] constexpr bool is(FieldUses use) const { return (uses & use) != 0; }
};

// A visitor is called with a Field and the member, or one of these around it where the type does not say how
// it is stored. Members are const when the struct is.

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
