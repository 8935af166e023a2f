// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "document/sections/material.hpp"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace skampi {

// Sections, each in a file of its name; none where there is nothing to say.

/// The machine, its hosts and network.
[[nodiscard]] std::optional<Section> machine_section(const Material& material);
/// All suites: a line of a table for each, then each in full with its plot, families of curves, and a table
/// of those without a plot.
[[nodiscard]] std::optional<Section> suites_section(const Material& material);
/// The run, the runs it was merged from, its ranks, events and parameter file.
[[nodiscard]] std::optional<Section> facts_section(const Material& material);
/// Suites that the runs shown measured with different numbers of ranks.
[[nodiscard]] std::optional<Section> ranks_section(const Material& material);
/// What the times mean and how they were measured.
[[nodiscard]] std::optional<Section> method_section(const Material& material);

/// The sections of a report, in its order.
[[nodiscard]] std::span<const SectionKind> section_kinds();

/// The words by which a content file chooses chapters, in the order of the report.
[[nodiscard]] std::vector<std::string> chapter_names();

} // namespace skampi
