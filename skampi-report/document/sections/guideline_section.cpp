#include "document/sections/guideline_section.hpp"

#include "analysis/comparison.hpp"
#include "analysis/guideline.hpp"
#include "model/quantity.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace skampi {

namespace {

/// So that the two lengths of one sentence are told apart.
std::string length_text(std::int64_t bytes, std::int64_t other) {
    const auto distance = static_cast<double>(bytes > other ? bytes - other : other - bytes);
    return distance > 0 ? format_bytes_within(bytes, 0.1 * distance) : format_length(bytes);
}

std::string place_text(const Violation& violation) {
    return fmt::format("{} on {}", length_text(violation.message_bytes, violation.other_bytes),
                       count_of(violation.ranks, "rank"));
}

/// "57.0 µs with 64 KiB", "57.0 µs with 2 x 32 KiB"
std::string instead_text(const Violation& violation, GuidelineKind kind) {
    std::string text = format_time(violation.instead_s, 4, violation.unit);
    if (kind == GuidelineKind::split)
        text += " with 2 x " + length_text(violation.other_bytes, violation.message_bytes);
    else if (violation.other_bytes != violation.message_bytes)
        text += " with " + length_text(violation.other_bytes, violation.message_bytes);
    if (violation.other_ranks != violation.ranks)
        text += fmt::format(" on {}", violation.other_ranks);
    return text;
}

std::string summary(const SelfConsistency& consistency, std::size_t violated) {
    return fmt::format(
        "What a library should never be worse at than a program that uses its other functions: {} looked at, in {}, {}.",
        count_of(static_cast<std::int64_t>(consistency.guidelines.size()), "guideline"),
        count_of(static_cast<std::int64_t>(consistency.places), "place"),
        violated == 0 ? "none violated"
                      : fmt::format("{} violated, in {}", violated,
                                    count_of(static_cast<std::int64_t>(consistency.violations), "place")));
}

std::string certainty(const SelfConsistency& consistency, const Subject& subject) {
    if (consistency.over_launches)
        return "Violated is what is clear of the noise between the launches; the places together err with a probability of 5 %.";
    if (subject.run && is_simulated(*subject.run))
        return "Simulated launches do not differ: violated is what is clear of the repeatability of the values.";
    const std::size_t launches = subject.launches();
    if (launches >= launches_needed)
        return "The values of the single launches are not in the file: violated is what is clear of their repeatability, but launches differ by more.";
    return fmt::format(
        "Only {} the values: violated is what is clear of their repeatability, but launches differ by more; {} are needed to be sure.",
        launches == 1 ? "one launch stands behind" : fmt::format("{} launches stand behind", launches),
        launches_needed);
}

} // namespace

std::optional<Section> guideline_section(const Subject& subject, std::size_t most) {
    const SelfConsistency consistency = check_guidelines(subject);
    if (consistency.places == 0)
        return std::nullopt;
    std::vector<const GuidelineResult*> violated;
    for (const GuidelineResult& guideline : consistency.guidelines)
        if (!guideline.violations.empty())
            violated.push_back(&guideline);
    std::ranges::stable_sort(violated, std::ranges::greater(),
                             [](const GuidelineResult* each) { return each->worst().ratio_low; });
    Section section;
    section.title = "Self-consistency";
    section.blocks.push_back(Paragraph{summary(consistency, violated.size()), Tone::plain});
    section.blocks.push_back(
        Paragraph{certainty(consistency, subject),
                  consistency.over_launches || violated.empty() ? Tone::plain : Tone::remark});
    if (violated.empty())
        return section;
    Table table;
    const std::size_t rows = most == 0 ? violated.size() : std::min(most, violated.size());
    if (rows < violated.size())
        table.title = fmt::format("The worst {} of {} guidelines violated", rows, violated.size());
    table.header = {"guideline", "violated in", "worst at", "takes", "instead of", "ratio", "at least"};
    table.columns = {ColumnKind::prose, ColumnKind::text,   ColumnKind::prose, ColumnKind::number,
                     ColumnKind::prose, ColumnKind::number, ColumnKind::number};
    for (std::size_t i = 0; i < rows; ++i) {
        const Violation& worst = violated[i]->worst();
        table.rows.push_back({violated[i]->text,
                              fmt::format("{} of {}", violated[i]->violations.size(), violated[i]->places),
                              place_text(worst), format_time(worst.time_s, 4, worst.unit),
                              instead_text(worst, violated[i]->kind), format_ratio(worst.ratio),
                              format_ratio(worst.ratio_low)});
    }
    section.blocks.push_back(std::move(table));
    section.blocks.push_back(Paragraph{
        std::string(
            "m is the length of a message as the operation defines it (one rank's, or one to each rank), n the number of ranks. What is done in place of a function is taken at the shortest message measured that is long enough.") +
            (consistency.over_launches
                 ? " Times are geometric means over the launches that measured both sides, which may be fewer than those of the values elsewhere."
                 : ""),
        Tone::plain});
    return section;
}

} // namespace skampi
