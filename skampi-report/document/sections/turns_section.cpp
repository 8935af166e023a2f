#include "document/sections/turns_section.hpp"

#include "analysis/subject/common_modes.hpp"
#include "document/sections/family_section.hpp"
#include "drawing/figure.hpp"
#include "model/machine_state.hpp"
#include "words/section_words.hpp"
#include "words/suite_words.hpp"
#include "words/turns_names.hpp"
#include "words/turns_tables.hpp"
#include "words/turns_verdict.hpp"
#include "words/turns_words.hpp"
#include "words/value_words.hpp"
#include "words/verdict_words.hpp"

#include "base/text.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <functional>
#include <iterator>
#include <limits>
#include <memory>
#include <set>
#include <utility>

namespace skampi {

namespace {

constexpr std::array columns_of_sizes{MessageSize::small, MessageSize::medium, MessageSize::large};

/// none = open, or faster and slower
std::optional<Tint> tint_of(const TurnsStatement& statement) {
    const bool faster = statement.span ? statement.span->low < 1 : statement.faster();
    const bool slower = statement.span ? statement.span->high > 1 : statement.slower();
    if (statement.open() || (faster && slower))
        return std::nullopt;
    return faster ? Tint::better : slower ? Tint::worse : Tint::same;
}

/// @param statement null = there is none
void add_cell(Table& table, const TurnsStatement* statement) {
    std::vector<std::string>& row = table.rows.back();
    row.push_back(statement ? turns_cell(*statement) : std::string("-"));
    if (const std::optional<Tint> tint = statement ? tint_of(*statement) : std::nullopt)
        table.tints.push_back({table.rows.size() - 1, row.size() - 1, *tint});
}

/// A suite of a variant: a row of a table.
struct Row {
    const TurnsVariant* variant;
    const TurnsSuite* suite;
};

/// What is in one table: the suites of a variant, or the variants of a session with one suite.
struct TableOf {
    const TurnsVariant* variant = nullptr; ///< none = all
    std::vector<Row> rows;

    [[nodiscard]] std::string row_name(const Turns& turns, const Row& row) const {
        return (variant ? shortened_name(title_of(*row.suite->reference), 36)
                        : variant_name(turns, row.variant->place)) +
               state_text(*row.suite);
    }
    [[nodiscard]] const char* rows_are() const { return variant ? "suite" : "variant"; }
};

std::vector<TableOf> tables_of(const Turns& turns) {
    std::vector<TableOf> tables;
    std::set<const Curve*> suites;
    for (const TurnsVariant& variant : turns.variants) {
        TableOf& table = tables.emplace_back(TableOf{&variant, {}});
        for (const TurnsSuite& suite : variant.suites)
            if (suite.compared) {
                table.rows.push_back({&variant, &suite});
                suites.insert(suite.reference);
            }
    }
    if (suites.size() != 1 || tables.size() == 1)
        return tables;
    TableOf all;
    for (TableOf& table : tables)
        std::ranges::move(table.rows, std::back_inserter(all.rows));
    return {std::move(all)};
}

/// Whether lengths stand in the table of ranges that a statement is about.
bool hides_lengths(const TurnsSuite& suite, const TurnsStatement& statement) {
    return std::ranges::any_of(
        suite.ranges, [&](const TurnsRange& range) { return suite.is_about(statement, range.from); });
}

Table differences_table(const Turns& turns, TableOf of, std::size_t most_rows) {
    Table table;
    if (of.rows.empty())
        return table;
    table.title = of.variant ? turns_title(turns, *of.variant) : turns_title(turns, *of.rows.front().suite);
    if (of.rows.size() > most_rows) {
        table.title += fmt::format("; {} of {} {}s", most_rows, of.rows.size(), of.rows_are());
        std::ranges::stable_sort(of.rows, std::greater{}, [](const Row& row) {
            double largest = 0;
            for (const TurnsStatement& each : row.suite->statements)
                largest = std::max(largest, certain_effect(each));
            return largest;
        });
        of.rows.resize(most_rows);
    }
    table.header = {of.rows_are()};
    std::vector<MessageSize> sizes;
    for (const MessageSize size : columns_of_sizes)
        if (std::ranges::any_of(of.rows, [&](const Row& row) { return row.suite->of_size(size) != nullptr; }))
            sizes.push_back(size);
    for (const MessageSize size : sizes)
        table.header.push_back(size_text(size));
    table.header.insert(table.header.end(), {"all together", "rounds"});
    table.columns.assign(table.header.size(), ColumnKind::prose);
    table.columns.front() = ColumnKind::text;
    table.columns.back() = ColumnKind::number;
    table.details = 1;
    for (const Row& row : of.rows) {
        table.rows.push_back({of.row_name(turns, row)});
        const auto add = [&](const TurnsStatement* statement) {
            add_cell(table, statement);
            if (statement && !statement->span && hides_lengths(*row.suite, *statement))
                table.rows.back().back() +=
                    statement->equal && !statement->different() ? " elsewhere *" : " *";
        };
        for (const MessageSize size : sizes)
            add(row.suite->of_size(size));
        add(&row.suite->statements.front());
        const auto [fewest, most] = std::ranges::minmax(row.suite->statements, {}, &TurnsStatement::rounds);
        table.rows.back().push_back(fewest.rounds == most.rounds
                                        ? std::to_string(most.rounds)
                                        : fmt::format("{} to {}", fewest.rounds, most.rounds));
    }
    return table;
}

/// What the median over a class of lengths hides, the surest and largest first.
Table ranges_table(const Turns& turns, const TableOf& of, std::size_t most_rows) {
    std::vector<std::pair<Row, const TurnsRange*>> ranges;
    for (const Row& row : of.rows)
        for (const TurnsRange& range : row.suite->ranges)
            ranges.emplace_back(row, &range);
    std::ranges::stable_sort(ranges, std::greater{},
                             [](const auto& each) { return certain_effect(each.second->statement); });
    Table table;
    if (ranges.empty())
        return table;
    table.title = turns_ranges_title(turns, of.variant);
    if (ranges.size() > most_rows) {
        table.title += fmt::format("; the {} largest of {}", most_rows, ranges.size());
        ranges.resize(most_rows);
    }
    table.header = {of.rows_are(), "lengths", "difference", "rounds"};
    table.columns = {ColumnKind::text, ColumnKind::prose, ColumnKind::prose, ColumnKind::number};
    table.details = 1;
    for (const auto& [row, range] : ranges) {
        table.rows.push_back(
            {of.row_name(turns, row), turns_lengths(*row.suite, *range) + edges_text(*row.suite, *range)});
        add_cell(table, &range->statement);
        table.rows.back().back() = turns_cell(*range);
        table.rows.back().push_back(std::to_string(range->statement.rounds));
    }
    for (const Row& row : of.rows) {
        const std::vector<const TurnsRange*> others =
            points_without_difference(*row.suite, turns.of->session.margin);
        const bool in_table = std::ranges::any_of(ranges, [&](const auto& each) {
            return each.first.variant == row.variant &&
                   each.first.suite->reference == row.suite->reference; // in whatever state
        });
        if (in_table && !others.empty())
            table.rows.push_back({of.row_name(turns, row), other_lengths_text(*row.suite, others.size()),
                                  no_difference_text(others), ""});
    }
    return table;
}

/// A suite of the reference with those of the variants that measure the same quantity.
Family curves_of_variants(const Curve& curve, const Contest& contest) {
    Family family{title_of(curve), {}};
    if (!drawable(curve))
        return family;
    family.members.emplace_back(curve, shortened(contest.reference->label, 40));
    for (const Subject* other : contest.others) {
        const Curve* twin = matching_curve(*other, curve);
        if (!twin || !drawable(*twin) || comparability(curve, *twin).kind() == Comparable::other_quantity)
            continue;
        // Most launches of each may have met another state: of two variants both are shown in one.
        family.members.emplace_back(*twin, shortened(other->label, 40));
        if (contest.others.size() > 1)
            continue;
        if (InCommonModes common = in_common_modes(curve, *twin); common.points > 0) {
            family.members.front().curve = std::make_shared<const Curve>(std::move(common.first));
            family.members.back().curve = std::make_shared<const Curve>(std::move(common.second));
        }
    }
    return family;
}

Figure times_only(Figure figure) {
    std::erase_if(figure.panels, [](const Panel& panel) { return panel.y.quantity == AxisQuantity::ratio; });
    figure.columns = 1;
    figure.width_cm = 11;
    return figure;
}

} // namespace

std::vector<Table> turns_tables(const Turns& turns, std::size_t most_rows) {
    std::vector<Table> tables;
    if (turns.look.number == 0 || turns.variants.empty())
        return tables;
    const std::vector<TableOf> all = tables_of(turns);
    const std::size_t most = std::max<std::size_t>(1, most_rows / all.size());
    for (const TableOf& of : all)
        for (Table& table : std::array{differences_table(turns, of, most), ranges_table(turns, of, most)})
            if (!table.rows.empty())
                tables.push_back(std::move(table));
    if (!tables.empty())
        tables.front().notes.push_back(turns_note(turns));
    return tables;
}

namespace {

/// Variants whose rounds with a suite were judged in the same state of the machine, or in whatever state.
struct TimesOfSuite {
    const Curve* reference;
    std::string state;                     ///< state_text()
    std::vector<Row> rows;                 ///< not empty
    std::vector<const TurnsRange*> points; ///< of the first row, as far as most of its rounds have them
};

/// In the order of the reference.
std::vector<TimesOfSuite> times_of_suites(const Turns& turns) {
    std::vector<TimesOfSuite> all;
    for (const Curve& curve : turns.of->variants.front().curves)
        for (const TurnsVariant& variant : turns.variants)
            for (const TurnsSuite& suite : variant.suites) {
                if (!suite.compared || suite.reference != &curve)
                    continue;
                auto found = std::ranges::find_if(all, [&](const TimesOfSuite& each) {
                    const TurnsSuite& known = *each.rows.front().suite;
                    return each.reference == &curve && each.state == state_text(suite) &&
                           (!suite.state || in_one_mode(known.state->probe_s, suite.state->probe_s));
                });
                if (found == all.end())
                    found = all.insert(found, {&curve, state_text(suite), {}, {}});
                found->rows.push_back({&variant, &suite});
            }
    for (TimesOfSuite& each : all) {
        const std::vector<TurnsRange>& points = each.rows.front().suite->points;
        std::size_t most = 0;
        for (const TurnsRange& point : points)
            most = std::max(most, point.statement.rounds);
        for (const TurnsRange& point : points)
            if (2 * point.statement.rounds >= most)
                each.points.push_back(&point);
    }
    std::erase_if(all, [](const TimesOfSuite& each) { return each.points.empty(); });
    return all;
}

/// Where a variant differs most and most surely; null = nowhere.
const TurnsRange* largest_difference(const TimesOfSuite& of) {
    const TurnsRange* largest = nullptr;
    for (const Row& row : of.rows)
        for (const TurnsRange& point : row.suite->points)
            if (certain_effect(point.statement) > (largest ? certain_effect(largest->statement) : 0))
                largest = &point;
    return largest;
}

/// What the reference took at an argument, times the ratio of a variant; empty where one is not known.
/// @param suite of the variant; null = of the reference
std::string time_in_turns(const TimesOfSuite& of, std::int64_t argument, const TurnsSuite* suite) {
    const auto reference = std::ranges::find(of.points, argument, &TurnsRange::from);
    if (reference == of.points.end())
        return {};
    StoredMeasurement point;
    point.measurement.argument = argument;
    point.measurement.value_s = (*reference)->reference_s;
    point.measurement.summary.count = 1;
    if (suite) {
        const auto found = std::ranges::find(suite->points, argument, &TurnsRange::from);
        if (found == suite->points.end())
            return {};
        point.measurement.value_s *= found->statement.ratio;
    }
    return argument == of.points.front()->from ? time_at(*of.reference, point)
                                               : time_at_last(*of.reference, point);
}

/// @param suite of a variant; null = of the reference
std::vector<std::string> times_row(const TimesOfSuite& of, const std::string& name,
                                   const std::string& variant, const TurnsSuite* suite) {
    const TurnsRange* const largest = largest_difference(of);
    return {name, variant, largest && of.points.size() > 2 ? time_in_turns(of, largest->from, suite) : "",
            time_in_turns(of, of.points.front()->from, suite),
            of.points.size() > 1 ? time_in_turns(of, of.points.back()->from, suite) : ""};
}

} // namespace

Table times_of_variants(const Turns& turns, std::size_t most_rows) {
    Table table;
    table.title = turns_times_title(turns);
    table.header = {"suite", "", "largest difference", "at the smallest", "at the largest"};
    table.columns = {ColumnKind::prose, ColumnKind::text, ColumnKind::number, ColumnKind::number,
                     ColumnKind::number};
    std::vector<const Curve*> shown;
    for (const TimesOfSuite& of : times_of_suites(turns)) {
        if (!table.rows.empty() && table.rows.size() + 1 + of.rows.size() > most_rows)
            break;
        std::string name = shortened_name(title_of(*of.reference), 48) + of.state;
        const auto made = static_cast<std::size_t>(turns.look.rounds);
        const std::size_t rounds = of.rows.front().suite->rounds();
        const bool alike =
            std::ranges::all_of(of.rows, [&](const Row& row) { return row.suite->rounds() == rounds; });
        if (alike && rounds < made && !turns.simulated)
            name += of.rows.front().suite->state ? ", " + count_of(rounds, "pair")
                                                 : fmt::format(", {} of {} rounds", rounds, made);
        table.rows.push_back(times_row(of, name, reference_name(turns), nullptr));
        for (const Row& row : of.rows)
            table.rows.push_back(times_row(of, "", variant_name(turns, row.variant->place), row.suite));
        if (std::ranges::find(shown, of.reference) == shown.end())
            shown.push_back(of.reference);
    }
    if (std::string times = times_note(shown); !times.empty())
        table.notes.push_back(std::move(times));
    table.notes.push_back(turns_times_note(turns));
    leave_out_empty_columns(table);
    return table;
}

std::optional<Section> turns_section(const Material& material) {
    const Turns& turns = *material.options.turns;
    if (turns.look.number == 0)
        return std::nullopt;
    Section section{"Variants in turns", {}, {}};
    section.blocks.emplace_back(Paragraph{turns_answer(turns)});
    for (Table& table : turns_tables(turns, std::numeric_limits<std::size_t>::max()))
        section.blocks.emplace_back(std::move(table));
    for (std::string& warning : turns_warnings(turns))
        section.blocks.emplace_back(Paragraph{std::move(warning), Tone::warning});
    for (std::string& remark : turns_remarks(turns))
        section.blocks.emplace_back(Paragraph{std::move(remark), Tone::remark});
    add_known(section, {turns_method(turns)});
    add_known(section, turns_next_step(turns), Tone::remark);
    add_known(section, turns_command(turns));
    return section;
}

std::optional<Section> turns_on_paper(const Material& material) {
    const Turns& turns = *material.options.turns;
    if (turns.look.number == 0)
        return std::nullopt;
    Section section{"Variants in turns", {}, {}};
    const auto rows = [](const std::vector<Table>& tables) {
        std::size_t all = 0;
        for (const Table& table : tables)
            all += table.rows.size();
        return all;
    };
    if (std::vector<Table> all = turns_tables(turns, std::numeric_limits<std::size_t>::max());
        rows(all) > rows(turns_tables(turns, rows_on_first_page)))
        std::ranges::move(all, std::back_inserter(section.blocks));
    add_known(section, {turns_method(turns)});
    add_known(section, turns_command(turns));
    return section;
}

std::optional<Section> variants_section(const Material& material) {
    const Contest& contest = material.contest;
    Section section{"Times of the variants", {Paragraph{variants_introduction, Tone::plain}}, {}};
    for (const Curve& curve : contest.reference->curves) {
        const Family family = curves_of_variants(curve, contest);
        if (family.members.size() < 2)
            continue;
        std::vector<const Curve*> curves;
        std::vector<std::string> labels;
        for (const FamilyMember& member : family.members) {
            curves.push_back(member.curve.get());
            labels.push_back(member.label);
        }
        Section part;
        part.title = shortened(family.name, 90);
        part.blocks.emplace_back(
            FigureBlock{times_only(overlay_figure(material.names.next(), curves, labels)),
                        fmt::format("Time of {}.", enumeration(labels))});
        if (Table times = family_table(family); !times.rows.empty())
            part.blocks.emplace_back(std::move(times));
        section.subsections.push_back(std::move(part));
    }
    if (section.subsections.empty())
        return std::nullopt;
    return section;
}

} // namespace skampi
