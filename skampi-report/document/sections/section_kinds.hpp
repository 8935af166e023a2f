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
/// The suites of a pattern, each in full, its families of curves, and a table of suites without a plot.
[[nodiscard]] std::optional<Section> pattern_section(const Material& material, Pattern pattern);
/// All values of all suites with a plot; suites without one have theirs in a table with their pattern.
[[nodiscard]] std::optional<Section> values_section(const Material& material);
/// The run, the runs it was merged from, its ranks, events and parameter file.
[[nodiscard]] std::optional<Section> facts_section(const Material& material);
/// Suites that the runs shown measured with different numbers of ranks; in short, of many only some.
[[nodiscard]] std::optional<Section> ranks_section(const Material& material);
[[nodiscard]] std::optional<Section> ranks_in_short(const Material& material);
/// What the times mean and how they were measured.
[[nodiscard]] std::optional<Section> method_section(const Material& material);
/// The method on half a page.
[[nodiscard]] std::optional<Section> method_in_short(const Material& material);
/// All suites: a plot and some values of each.
[[nodiscard]] std::optional<Section> suites_in_short(const Material& material);
/// All suites: a line and a small plot of each.
[[nodiscard]] std::optional<Section> suites_on_paper(const Material& material);
/// All suites: a line of a table for each.
[[nodiscard]] std::optional<Section> suites_on_screen(const Material& material);

/// The sections of a report, in its order.
[[nodiscard]] std::span<const SectionKind> sections_in_full();
/// The sections of a report on a few pages of paper, in its order.
[[nodiscard]] std::span<const SectionKind> sections_on_paper();
/// The sections of a report as text, in its order.
[[nodiscard]] std::span<const SectionKind> sections_in_short();
/// The sections of a report on one screen, in its order.
[[nodiscard]] std::span<const SectionKind> sections_on_screen();

/// The words by which a content file chooses chapters, in the order of the report.
[[nodiscard]] std::vector<std::string> chapter_names();

} // namespace skampi
