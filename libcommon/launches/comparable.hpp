// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include "launches/subject.hpp"
#include "model/compare_plans.hpp"

#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace skampi {

/// Compares two curves by their suites, or by the facts where these are known (numbers of ranks, start of the
/// ranks, partner found). compare_points() handles numbers of ranks and starts that differ at some points
/// only.
[[nodiscard]] Comparability comparability(const Curve& first, const Curve& second, OnPurpose on_purpose = {});

/// Why two points are two quantities although their curves are one: "ranks" or "synchronization"; empty = no
/// known reason.
[[nodiscard]] std::string_view compare_points(const Curve& first, const Measurement& first_point,
                                              const Curve& second, const Measurement& second_point);

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
