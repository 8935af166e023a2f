#include "document/sections/comparison_section.hpp"

#include "analysis/subject/common_modes.hpp"
#include "analysis/subject/standard_comparisons.hpp"
#include "document/sections/comparison_tables.hpp"
#include "model/quantity.hpp"
#include "words/comparison_words.hpp"
#include "words/section_words.hpp"
#include "words/suite_words.hpp"
#include "words/verdict_words.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>
#include <set>
#include <utility>

namespace skampi {

namespace {

std::string curve_label(const Curve& curve) {
    const OperationInfo& operation = curve.suite().operation;
    return operation.title.empty() ? operation.name : operation.title;
}

std::string variation_text(const StandardPair& pair) {
    return pair.first->suite().varied == Varied::nodes ? " (over the number of nodes)" : "";
}

/// "MPI_Reduce and MPI_Scan (over the number of nodes)"
std::string pair_title(const StandardPair& pair) {
    const Suite& first = pair.first->suite();
    const Suite& second = pair.second->suite();
    return (first.operation == second.operation
                ? fmt::format("{} with {} and with {}", curve_label(*pair.first),
                              format_bytes(first.message_bytes), format_bytes(second.message_bytes))
                : fmt::format("{} and {}", curve_label(*pair.first), curve_label(*pair.second))) +
           variation_text(pair);
}

/// What the two are called, apart from each other.
std::pair<std::string, std::string> pair_labels(const StandardPair& pair) {
    std::pair labels(curve_label(*pair.first), curve_label(*pair.second));
    if (labels.first == labels.second) {
        labels.first += ", " + format_bytes(pair.first->suite().message_bytes);
        labels.second += ", " + format_bytes(pair.second->suite().message_bytes);
    }
    return labels;
}

/// At how many arguments they are compared in all.
std::size_t family_of(const std::vector<StandardPair>& pairs) {
    std::size_t family = 0;
    for (const StandardPair& pair : pairs)
        family += common_arguments(*pair.first, *pair.second);
    return family;
}

void add_warning(std::vector<Block>& blocks, std::string text) {
    if (!text.empty())
        blocks.push_back(Paragraph{std::move(text), Tone::warning});
}

/// That two suites of a report are compared in another state of the machine than that of the values shown, or
/// in two states.
void add_states(std::vector<Block>& blocks, const InCommonModes& common, const CurveComparison& comparison,
                const std::string& first, const std::string& second) {
    if (common.points > 0)
        blocks.push_back(
            Paragraph{common_state_sentence(common.points, common.states,
                                            count_of(comparison.points.size(), "argument"), first, second),
                      Tone::plain});
    add_warning(blocks, other_states_sentence(comparison));
}

} // namespace

Section operations_compared(const Subject& subject, FigureNames& names) {
    Section section;
    section.title = "Comparisons";
    section.blocks.push_back(
        Paragraph{"These comparisons are between operations of one run. Ratios are paired launch by launch. "
                  "Significance is judged over launches, never over the single measurements of one launch.",
                  Tone::plain});
    const std::vector<StandardPair> pairs = standard_comparisons(subject);
    const std::size_t family = family_of(pairs);
    for (const StandardPair& pair : pairs) {
        Section part;
        part.title = shortened(pair_title(pair), 100);
        const auto& [first, second] = pair_labels(pair);
        const InCommonModes common = in_common_modes(*pair.first, *pair.second);
        const Curve& first_curve = common.first_or(*pair.first);
        const Curve& second_curve = common.second_or(*pair.second);
        const CurveComparison comparison =
            compare(first_curve, second_curve, Pairing::same_launches, family, pair.on_purpose);
        part.blocks.push_back(Paragraph{comparison_sentence(comparison, first, second), Tone::plain});
        add_states(part.blocks, common, comparison, first, second);
        add_warning(part.blocks, other_meaning_sentence(*pair.first, first, *pair.second, second));
        const bool comparable = !comparison.comparability.other_at_every_point();
        if (comparable && drawable(first_curve) && drawable(second_curve))
            part.blocks.push_back(FigureBlock{
                overlay_figure(names.next(), {&first_curve, &second_curve},
                               {shortened(first, 28), shortened(second, 28)}, {&comparison}),
                fmt::format("Time, and time of {} divided by time of {}.{}", shortened(second, 60),
                            shortened(first, 60),
                            meaning_of(*pair.first) == Meaning::round_trip &&
                                    meaning_of(*pair.second) == Meaning::round_trip && !pair.first->halved
                                ? " Round trips."
                                : "")});
        if (!comparison.points.empty())
            part.blocks.push_back(points_table(first_curve, comparison, first, second));
        section.subsections.push_back(std::move(part));
    }
    return section;
}

Table operations_table(const Subject& subject) {
    Table table;
    table.header = {"operation", "compared with", "time ratio", "mean", "arguments", "significant"};
    table.columns = {ColumnKind::prose,  ColumnKind::prose,  ColumnKind::prose, // may say why there is none
                     ColumnKind::number, ColumnKind::number, ColumnKind::text};
    const std::vector<StandardPair> pairs = standard_comparisons(subject);
    const std::size_t family = family_of(pairs);
    std::vector<std::size_t> few; // launches of those that have too few
    for (const StandardPair& pair : pairs) {
        const auto& [first, second] = pair_labels(pair);
        const InCommonModes common = in_common_modes(*pair.first, *pair.second);
        const CurveComparison comparison =
            compare(common.first_or(*pair.first), common.second_or(*pair.second), Pairing::same_launches,
                    family, pair.on_purpose);
        ComparisonCells cells = comparison_cells(comparison);
        table.rows.push_back({shortened(second, 70) + variation_text(pair), shortened(first, 70),
                              std::move(cells.ratio), std::move(cells.mean), std::move(cells.arguments),
                              std::move(cells.significant)});
        if (comparison.judged() == 0 && comparison.unjudged().contains(Unjudged::few_launches))
            few.push_back(comparison.launches);
    }
    table.notes.emplace_back(operations_note);
    if (!few.empty()) {
        const auto [least, most] = std::ranges::minmax(few);
        table.notes.push_back(few_launches_sentence(least, most));
    }
    if (few.size() == table.rows.size())
        for (std::vector<std::string>& row : table.rows)
            row.back().clear();
    leave_out_empty_columns(table);
    return table;
}

Section own_comparisons(const Content& content, const std::vector<Subject>& subjects, FigureNames& names) {
    Section section;
    section.title = "Further comparisons";
    const auto owner = [&](const Curve* curve) {
        return &*std::ranges::find_if(subjects, [&](const Subject& subject) {
            return std::ranges::any_of(subject.curves, [&](const Curve& each) { return &each == curve; });
        });
    };
    const auto pairing = [&](const Curve* a, const Curve* b) {
        return owner(a) == owner(b)                   ? Pairing::same_launches
               : shared_launches({a}, {b}).shared > 0 ? Pairing::overlapping
                                                      : Pairing::independent;
    };
    std::size_t family = 0;
    for (const Content::Comparison& wanted : content.comparisons) {
        const std::vector<const Curve*> curves = curves_of(wanted, subjects);
        for (std::size_t i = 1; i < curves.size(); ++i)
            family += common_arguments(*curves[0], *curves[i]);
    }
    for (const Content::Comparison& wanted : content.comparisons) {
        const std::vector<const Curve*> curves = curves_of(wanted, subjects);
        std::vector<std::string> labels;
        for (std::size_t i = 0; i < curves.size(); ++i)
            labels.push_back(shortened(!wanted.curves[i].label.empty() ? wanted.curves[i].label
                                       : subjects.size() == 1
                                           ? title_of(*curves[i])
                                           : owner(curves[i])->label + ": " + title_of(*curves[i]),
                                       40));
        Section part;
        part.title = shortened(wanted.title, 100);
        std::vector<InCommonModes> common(1); // of each curve with the first
        for (std::size_t i = 1; i < curves.size(); ++i)
            common.push_back(in_common_modes(*curves[0], *curves[i]));
        if (std::ranges::all_of(curves, [](const Curve* curve) { return drawable(*curve); })) {
            // Of more than two the first may share another state with each: they are drawn as they are shown.
            const bool aligned = curves.size() == 2 && common[1].points > 0;
            const bool as_shown = !aligned && std::ranges::any_of(common, [](const InCommonModes& each) {
                return each.points > 0;
            });
            part.blocks.push_back(FigureBlock{
                aligned ? overlay_figure(names.next(), {&common[1].first, &common[1].second}, labels)
                        : overlay_figure(names.next(), curves, labels),
                fmt::format("Time, and time divided by that of {}{}.", labels.front(),
                            as_shown ? ", of the states of the machine in which the suites are shown" : "")});
        }
        for (std::size_t i = 1; i < curves.size(); ++i) {
            const Curve& first = common[i].first_or(*curves[0]);
            const Curve& second = common[i].second_or(*curves[i]);
            const CurveComparison comparison = compare(first, second, pairing(curves[0], curves[i]), family);
            add_warning(part.blocks,
                        other_fields_sentence(comparability(*curves[0], *curves[i], two_operations),
                                              labels[0], labels[i]));
            part.blocks.push_back(
                Paragraph{comparison_sentence(comparison, labels[0], labels[i]), Tone::plain});
            add_states(part.blocks, common[i], comparison, labels[0], labels[i]);
            add_warning(part.blocks, other_meaning_sentence(*curves[0], labels[0], *curves[i], labels[i]));
            if (!comparison.points.empty())
                part.blocks.push_back(points_table(first, comparison, labels[0], labels[i]));
        }
        section.subsections.push_back(std::move(part));
    }
    return section;
}

Section comparison_statement(const DatabaseComparison& comparison, bool in_short) {
    Section part;
    part.title = fmt::format("{} against {}", shortened(comparison.other->label, 40),
                             shortened(comparison.reference->label, 40));
    if (!in_short) {
        std::string text;
        for (const std::string& first :
             {other_ranks(comparison), launches_in_common(comparison), other_state(comparison)})
            text += first + (first.empty() ? "" : " ");
        part.blocks.push_back(Paragraph{text + verdict(comparison), Tone::plain});
    }
    for (const ComparisonDoubt& doubt : comparison.doubts)
        part.blocks.push_back(Paragraph{doubt_sentence(comparison, doubt), Tone::warning});
    if (Table winners = winners_table(comparison); !in_short && !winners.rows.empty())
        part.blocks.push_back(std::move(winners));
    if (Table suites = suites_table(comparison, in_short); !suites.rows.empty())
        part.blocks.push_back(std::move(suites));
    if (Table different = differences_table(comparison); !different.rows.empty())
        part.blocks.push_back(std::move(different));
    return part;
}

std::vector<Block> suite_statement(const DatabaseComparison& comparison,
                                   const DatabaseComparison::Suite& suite) {
    if (suite.curves.points.empty())
        return {};
    const std::string& reference = comparison.reference->label;
    const std::string& other = comparison.other->label;
    if (suite.curves.counting().empty())
        return {Paragraph{comparison_sentence(suite.curves, reference, other), Tone::plain}};
    return {Paragraph{comparison_sentence(suite.curves, reference, other) + " " +
                          pooled_sentence(suite.whole, other),
                      Tone::plain},
            points_table(*suite.reference, suite.curves, reference, other)};
}

namespace {

/// A suite of the reference with those of the others that measure the same quantity.
struct Overlay {
    std::vector<const Curve*> curves; ///< the reference's first; none = there is nothing to draw
    std::vector<std::string> labels;
    std::vector<const CurveComparison*> comparisons; ///< of the others with the reference's
};

/// Those of other ranks are drawn as a family over these, other quantities not at all.
bool can_be_overlaid(const Curve& curve, const Curve& twin) {
    return drawable(twin) && comparability(curve, twin).kind() != Comparable::other_quantity;
}

using Comparisons = std::vector<DatabaseComparison>;

Overlay overlay_of(const Curve& curve, const Subject& reference, const std::vector<const Subject*>& others,
                   const Comparisons& comparisons) {
    Overlay overlay{{&curve}, {reference.label}, {}};
    for (const Subject* other : others)
        if (const Curve* twin = matching_curve(*other, curve); twin && can_be_overlaid(curve, *twin)) {
            overlay.curves.push_back(twin);
            overlay.labels.push_back(other->label);
            overlay.comparisons.push_back(nullptr);
            for (const DatabaseComparison& comparison : comparisons)
                for (const DatabaseComparison::Suite& suite : comparison.suites)
                    if (suite.reference == &curve && suite.other == twin)
                        overlay.comparisons.back() = &suite.curves;
        }
    if (overlay.curves.size() < 2 || !drawable(curve))
        overlay.curves.clear();
    return overlay;
}

std::vector<const DatabaseComparison::Suite*> comparisons_of(const Comparisons& comparisons,
                                                             const Curve& curve) {
    std::vector<const DatabaseComparison::Suite*> found;
    for (const DatabaseComparison& comparison : comparisons)
        for (const DatabaseComparison::Suite& suite : comparison.suites)
            if (suite.reference == &curve)
                found.push_back(&suite);
    return found;
}

/// How many suites a short report leaves out, and why.
struct LeftOut {
    std::int64_t smaller = 0;
    std::int64_t none = 0;
    std::int64_t not_judged = 0;

    void add(const std::vector<const DatabaseComparison::Suite*>& suites) {
        ++(std::ranges::any_of(suites, &DatabaseComparison::Suite::differs)  ? smaller
           : std::ranges::any_of(suites, &DatabaseComparison::Suite::judged) ? none
                                                                             : not_judged);
    }

    /// Empty where none are.
    [[nodiscard]] std::string text() const {
        std::vector<std::string> reasons;
        for (const auto& [count, reason] :
             {std::pair(smaller, "with a smaller difference"), std::pair(none, "without a difference"),
              std::pair(not_judged, "that could not be judged")})
            if (count > 0)
                reasons.push_back(fmt::format("{} {}", count, reason));
        return reasons.empty() ? ""
                               : fmt::format("Suites not drawn here: {}. An HTML file (-o report.html) "
                                             "and --full show all suites, --suite selects some.",
                                             enumeration(reasons));
    }
};

/// The suites that a short report draws.
std::vector<const Curve*> most_remarkable(const Comparisons& comparisons) {
    std::vector<const DatabaseComparison::Suite*> different;
    for (const DatabaseComparison& comparison : comparisons)
        for (const DatabaseComparison::Suite& suite : comparison.suites)
            if (suite.differs())
                different.push_back(&suite);
    constexpr std::size_t most = 4;
    leave_most_remarkable(different, most);
    std::vector<const Curve*> curves;
    for (const DatabaseComparison::Suite* suite : different)
        curves.push_back(suite->reference);
    return curves;
}

} // namespace

Section databases_compared(const Subject& reference, const std::vector<const Subject*>& others,
                           const Comparisons& comparisons, FigureNames& names, bool in_short) {
    Section section;
    section.title = "Comparison of databases";
    const bool simulated =
        std::ranges::all_of(comparisons, [](const DatabaseComparison& each) { return both_simulated(each); });
    section.blocks.push_back(Paragraph{judging_method(reference, simulated), Tone::plain});
    for (const DatabaseComparison& comparison : comparisons)
        section.subsections.push_back(comparison_statement(comparison, in_short));
    const std::vector<const Curve*> remarkable = most_remarkable(comparisons);
    LeftOut left_out;
    for (const Curve& curve : reference.curves) {
        const Overlay overlay = overlay_of(curve, reference, others, comparisons);
        if (overlay.curves.empty())
            continue;
        if (in_short && std::ranges::find(remarkable, &curve) == remarkable.end()) {
            left_out.add(comparisons_of(comparisons, curve));
            continue;
        }
        Section part;
        part.title = shortened(title_of(curve), 90);
        part.blocks.push_back(
            FigureBlock{overlay_figure(names.next(), overlay.curves, overlay.labels, overlay.comparisons),
                        fmt::format("Time in {}, and its ratio to that in {}.", enumeration(overlay.labels),
                                    overlay.labels.front())});
        for (const DatabaseComparison& comparison : comparisons)
            for (const DatabaseComparison::Suite& suite : comparison.suites)
                if (suite.reference == &curve && can_be_overlaid(curve, *suite.other))
                    std::ranges::move(suite_statement(comparison, suite), std::back_inserter(part.blocks));
        section.subsections.push_back(std::move(part));
    }
    if (std::string text = left_out.text(); !text.empty())
        section.subsections.back().blocks.push_back(Paragraph{std::move(text), Tone::remark});
    return section;
}

} // namespace skampi
