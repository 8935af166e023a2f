// SPDX-License-Identifier: GPL-2.0-or-later
#include "words/guideline_words.hpp"

#include "model/quantity.hpp"

#include <fmt/format.h>

namespace skampi {

namespace {

/// So that the two lengths of one sentence are distinct.
std::string length_text(std::int64_t bytes, std::int64_t other) {
    const auto distance = static_cast<double>(bytes > other ? bytes - other : other - bytes);
    return distance > 0 ? format_bytes_within(bytes, 0.1 * distance) : format_length(bytes);
}

std::string term_text(const GuidelineTerm& term) {
    switch (term.length) {
    case TermLength::same:
        return fmt::format("{}(m)", term.operation);
    case TermLength::all:
        return fmt::format("{}(n m)", term.operation);
    case TermLength::one_part:
        return fmt::format("{}(m/n)", term.operation);
    }
    return {};
}

} // namespace

std::string guideline_text(const Guideline& guideline) {
    const std::string& name = guideline.function;
    switch (guideline.kind) {
    case GuidelineKind::replacement: {
        std::vector<std::string> terms;
        for (const GuidelineTerm& term : guideline.instead)
            terms.push_back(term_text(term));
        return fmt::format("{}(m) <= {}", name, fmt::join(terms, " + "));
    }
    case GuidelineKind::longer_message:
        return fmt::format("{}(m) <= {}(more than m)", name, name);
    case GuidelineKind::split:
        return fmt::format("{}(m) <= 2 {}(m/2)", name, name);
    case GuidelineKind::more_ranks:
        return fmt::format("{} on n <= {} on more than n ranks", name, name);
    }
    return {};
}

std::string violation_place(const Violation& violation) {
    return fmt::format("{} on {}", length_text(violation.message_bytes, violation.other_bytes),
                       count_of(violation.ranks, "rank"));
}

std::string violation_instead(const Violation& violation, GuidelineKind kind) {
    std::string text = format_time(violation.statement.reference_s, 4, violation.unit);
    if (kind == GuidelineKind::split)
        text += " with 2 x " + length_text(violation.other_bytes, violation.message_bytes);
    else if (violation.other_bytes != violation.message_bytes)
        text += " with " + length_text(violation.other_bytes, violation.message_bytes);
    if (violation.other_ranks != violation.ranks)
        text += fmt::format(" on {}", violation.other_ranks);
    return text;
}

namespace {

/// What could be done instead: "two of 512 KiB", "MPI_Reduce and MPI_Bcast".
std::string instead_text(const Guideline& guideline, const Violation& violation) {
    switch (guideline.kind) {
    case GuidelineKind::replacement: {
        std::vector<std::string> names;
        for (const GuidelineTerm& term : guideline.instead)
            names.push_back(term.operation);
        return enumeration(names) + (names.size() > 1 ? " together" : "");
    }
    case GuidelineKind::longer_message:
        return "one of " + length_text(violation.other_bytes, violation.message_bytes);
    case GuidelineKind::split:
        return "two of " + length_text(violation.other_bytes, violation.message_bytes);
    case GuidelineKind::more_ranks:
        return "on " + count_of(violation.other_ranks, "rank");
    }
    return {};
}

} // namespace

std::string violation_sentence(const GuidelineResult& result, bool in_one_state) {
    const Violation& worst = result.worst();
    const std::string ratio = format_times(worst.statement.ratio);
    const std::string sentence =
        fmt::format("{} of {} takes {} as long as {}", result.guideline.function, violation_place(worst),
                    ratio, instead_text(result.guideline, worst));
    std::vector<std::string> notes;
    if (std::string low = format_times(worst.statement.low); low != ratio)
        notes.push_back("at least " + low);
    if (in_one_state)
        notes.emplace_back("in the machine state shown");
    return notes.empty() ? sentence + "." : fmt::format("{} ({}).", sentence, fmt::join(notes, "; "));
}

std::string guidelines_sentence(const SelfConsistency& consistency, std::size_t violated) {
    return fmt::format(
        "A function should never take longer than other functions of the library that do the same. {} "
        "checked in {}: {}.",
        count_of(consistency.guidelines.size(), "guideline"), count_of(consistency.places, "place"),
        violated == 0
            ? "none is violated"
            : fmt::format("{} violated, in {}", violated, count_of(consistency.violations, "place")));
}

std::string guideline_certainty(const Subject& subject) {
    return subject.run && is_simulated(*subject.run)
               ? "Simulated launches do not differ: a guideline is violated where the ratio exceeds the clock's step."
               : "A guideline is violated where the interval of the ratio over launches excludes 1. The probability of "
                 "any false violation is at most 5 %.";
}

} // namespace skampi
