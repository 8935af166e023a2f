#pragma once

#include "analysis/subject/subject.hpp"

#include <array>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace skampi {

// Whether two curves can be compared: a use of the list of fields of Suite, each of which says what it means
// for a comparison that two suites differ in it (docs/decisions/comparable.md).

/// A field in which two suites differ.
struct FieldDifference {
    std::string_view field; ///< name of its column
    std::string first;      ///< its texts, as they are stored
    std::string second;
    bool operator==(const FieldDifference&) const = default;
};

/// What two curves have in common, the worst last.
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

/// Two curves: their suites, but where it is known what was so in fact (numbers of ranks, start of the ranks,
/// partner found) that instead. Numbers of ranks and starts that differ at some points only are left to
/// compare_points().
[[nodiscard]] Comparability comparability(const Curve& first, const Curve& second, OnPurpose on_purpose = {});

/// What makes two points two quantities though their curves are one: "ranks" or "synchronization"; empty =
/// nothing does, as far as is known.
[[nodiscard]] std::string_view compare_points(const Curve& first, const Measurement& first_point,
                                              const Curve& second, const Measurement& second_point);

/// All that must be equal where suites of one subject are put together: the same for suites that measure one
/// quantity in one way.
[[nodiscard]] std::string quantity_key(const Suite& suite, OnPurpose on_purpose);

/// What a curve measures, as far as it is known: the texts of its fields that would make another quantity, by
/// name. Two curves that have one text each for a field, and not the same, cannot be compared.
[[nodiscard]] std::map<std::string, std::string> known_quantity(const Curve& curve);

/// How the ranks of a measurement were started, where they were started together: as its suite asks, or
/// between barriers where windows could not be kept. None where they need no common start, or where it is not
/// known.
[[nodiscard]] std::optional<Synchronization> start_of(const Curve& curve, const Measurement& measurement);

/// Whether two numbers of ranks are known (above 0) and not the same.
[[nodiscard]] bool ranks_differ(int ranks, int other_ranks);

/// The curve of a subject to compare one with: same name, operation and variation; else the only one that
/// measures the same quantity. @return null where there is none
[[nodiscard]] const Curve* matching_curve(const Subject& subject, const Curve& curve);

} // namespace skampi
