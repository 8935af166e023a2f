#pragma once

#include "document/sections/material.hpp"

#include <optional>
#include <vector>

namespace skampi {

/// A table for each variant against the reference: a row for each suite, a column for each class of lengths.
/// @param most_rows of all together; of more suites those with differences come before others
[[nodiscard]] std::vector<Table> turns_tables(const Turns& turns, std::size_t most_rows);

/// What the variants take in each suite, of several states of the machine in each: the reference itself, and
/// below it the others by their ratios; at the first and the last argument, and where one differs most.
[[nodiscard]] Table times_of_variants(const Turns& turns, std::size_t most_rows);

/// What the first page does not say of a session of variants in turns: all its tables, and how it was
/// decided.
/// @pre material.options.turns
[[nodiscard]] std::optional<Section> turns_section(const Material& material);
/// The times of all variants in one plot for each suite, and in a table. Without ratios: of launches without
/// regard to their rounds these would say something else than the session.
/// @pre material.options.turns
[[nodiscard]] std::optional<Section> variants_section(const Material& material);

} // namespace skampi
