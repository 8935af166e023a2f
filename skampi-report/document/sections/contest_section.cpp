// SPDX-License-Identifier: GPL-2.0-or-later
#include "document/sections/contest_section.hpp"

#include "analysis/trust/trust.hpp"
#include "contest/estimate.hpp"
#include "contest/session_contest.hpp"
#include "document/sections/rivals.hpp"
#include "drawing/ratio_figure.hpp"
#include "launches/standard_comparisons.hpp"
#include "merge/run_group.hpp"
#include "model/quantity.hpp"
#include "model/series.hpp"
#include "words/contest_words.hpp"
#include "words/section_words.hpp"
#include "words/session_words.hpp"
#include "words/suite_words.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <functional>
#include <iterator>
#include <set>
#include <span>
#include <string_view>
#include <utility>

namespace skampi {

namespace {

std::optional<Tint> tint_of(const Statement& statement) {
    switch (statement.verdict) {
    case Verdict::faster:
        return Tint::better;
    case Verdict::slower:
        return Tint::worse;
    case Verdict::equal:
        return Tint::same;
    case Verdict::open:
    case Verdict::not_comparable:
        break;
    }
    return std::nullopt;
}

/// @param statement null = there is none
void add_cell(Table& table, const Statement* statement, const std::string& otherwise = "-") {
    std::vector<std::string>& row = table.rows.back();
    row.push_back(statement ? statement_text(*statement) : otherwise);
    if (const std::optional<Tint> tint = statement ? tint_of(*statement) : std::nullopt)
        table.tints.push_back({table.rows.size() - 1, row.size() - 1, *tint});
}

std::string launches_text(const Statement& statement) {
    return statement.reference == statement.subject
               ? std::to_string(statement.reference)
               : fmt::format("{}, {}", statement.reference, statement.subject);
}

/// A suite and what its row is called.
struct Row {
    const SuiteContest* suite = nullptr;
    std::string name;
};

double largest_effect(const Row& row) {
    const Statement* const largest = row.suite->largest();
    return largest ? largest->certain_effect() : 0;
}

/// @param rows_are "suite" or "variant"  @param counted "launches" or "rounds"
Table table_of(std::vector<Row> rows, const char* rows_are, const char* counted, std::size_t most_rows) {
    Table table;
    if (rows.empty())
        return table;
    if (rows.size() > most_rows) {
        table.title = fmt::format("; {} of {} {}s", most_rows, rows.size(), rows_are);
        std::ranges::stable_sort(rows, std::greater(), largest_effect);
        rows.resize(most_rows);
    }
    std::vector<MessageSize> sizes;
    for (const MessageSize size : {MessageSize::small, MessageSize::medium, MessageSize::large})
        if (std::ranges::any_of(rows, [&](const Row& row) { return row.suite->of_size(size) != nullptr; }))
            sizes.push_back(size);
    table.header = {rows_are};
    for (const MessageSize size : sizes)
        table.header.push_back(size_text(size));
    table.header.insert(table.header.end(), {"all together", counted});
    table.columns.assign(table.header.size(), ColumnKind::prose);
    table.columns.front() = ColumnKind::text;
    table.columns.back() = ColumnKind::number;
    table.details = 1;
    for (const Row& row : rows) {
        table.rows.push_back({row.name});
        for (const MessageSize size : sizes)
            add_cell(table, row.suite->of_size(size));
        add_cell(table, row.suite->whole(), suite_text(*row.suite));
        table.rows.back().push_back(row.suite->compared() ? launches_text(*row.suite->whole()) : "-");
        for (const Statement* range : row.suite->of_kind(Place::Kind::range)) {
            table.rows.push_back({"  but" + place_text(*row.suite, range->place)});
            for (const MessageSize size : sizes)
                if (&row.suite->around(range->place.from) == row.suite->of_size(size))
                    add_cell(table, range);
                else
                    table.rows.back().emplace_back();
            if (sizes.empty() || row.suite->of_size(size_of_message(range->place.from)) == nullptr)
                add_cell(table, range);
            else
                table.rows.back().emplace_back();
            table.rows.back().push_back(launches_text(*range));
        }
    }
    return table;
}

} // namespace

Table contest_table(const Contest& contest, std::size_t most_rows) {
    std::vector<Row> rows;
    for (const SuiteContest& suite : contest.suites)
        if (suite.in_answer && suite.subject)
            rows.push_back({&suite, suite_name(suite, 36)});
    const std::string_view length =
        rows.empty() ? "length" : length_word(rows.front().suite->subject->suite());
    Table table = table_of(std::move(rows), "suite", "launches", most_rows);
    table.title = fmt::format("Time of {} against that of {}, by {}{}", shortened(contest.subject->label, 30),
                              shortened(contest.reference->label, 30), length, table.title);
    table.notes.push_back(contest_note(contest));
    return table;
}

Table contests_table(std::span<const Contest> contests, std::size_t most_rows) {
    constexpr std::size_t most_suites = 4;
    std::vector<const Contest*> rows = largest_effect_first(contests);
    std::vector<const Curve*> suites; // those with the largest effects first
    const auto add = [&](const SuiteContest& suite) {
        if (suite.in_answer && suite.compared() && std::ranges::find(suites, suite.reference) == suites.end())
            suites.push_back(suite.reference);
    };
    for (const Contest* contest : rows)
        for (const auto& [suite, statement] : contest->effects())
            add(*suite);
    for (const Contest* contest : rows)
        std::ranges::for_each(contest->suites, add);
    Table table;
    table.title =
        fmt::format("Time against that of {}; {} of {} rows, {} of {} suites",
                    shortened(contests.front().reference->label, 30), std::min(most_rows, rows.size()),
                    rows.size(), std::min(most_suites, suites.size()), suites.size());
    rows.resize(std::min(most_rows, rows.size()));
    suites.resize(std::min(most_suites, suites.size()));
    table.header = {""};
    for (const Curve* suite : suites)
        table.header.push_back(shortened_name(title_of(*suite), 24));
    table.columns.assign(table.header.size(), ColumnKind::prose);
    table.columns.front() = ColumnKind::text;
    for (const Contest* contest : rows) {
        table.rows.push_back({shortened(contest->subject->label, 30)});
        for (const Curve* curve : suites) {
            const auto suite = std::ranges::find(contest->suites, curve, &SuiteContest::reference);
            const bool compared = suite != contest->suites.end() && suite->compared();
            const Statement* const largest = compared ? suite->largest() : nullptr;
            add_cell(table, largest || !compared ? largest : suite->whole());
            if (largest)
                table.rows.back().back() += place_text(*suite, largest->place);
        }
    }
    table.notes.push_back(contest_note(contests.front()));
    return table;
}

std::vector<Table> session_tables(const SessionContest& session, std::size_t most_rows) {
    std::vector<Table> tables;
    if (session.look.number == 0 || session.variants.empty())
        return tables;
    std::set<const Curve*> suites;
    std::vector<Row> all;
    for (const VariantContest& variant : session.variants)
        for (const SuiteContest& suite : variant.contest.suites)
            if (suite.compared()) {
                suites.insert(suite.reference);
                all.push_back(
                    {&suite, variant_name(session, variant.place) +
                                 (suite.state ? suite_name(suite).substr(
                                                    shortened_name(title_of(*suite.reference), 40).size())
                                              : "")});
            }
    const std::string reference = variant_name(session, 0);
    if (suites.size() == 1 && session.variants.size() > 1) {
        tables.push_back(table_of(std::move(all), "variant", "rounds", most_rows));
        tables.back().title =
            fmt::format("Time of {} against that of {}, launched in turns, by message length{}",
                        shortened_name(title_of(**suites.begin()), 40), reference, tables.back().title);
    } else {
        const std::size_t most = std::max<std::size_t>(1, most_rows / session.variants.size());
        for (const VariantContest& variant : session.variants) {
            std::vector<Row> rows;
            for (const SuiteContest& suite : variant.contest.suites)
                if (suite.compared())
                    rows.push_back({&suite, suite_name(suite, 36)});
            if (rows.empty())
                continue;
            tables.push_back(table_of(std::move(rows), "suite", "rounds", most));
            tables.back().title =
                fmt::format("Time of {} against that of {}, launched in turns, by message length{}",
                            variant_name(session, variant.place), reference, tables.back().title);
        }
    }
    if (!tables.empty())
        tables.front().notes.push_back(contest_note(session.variants.front().contest));
    return tables;
}

namespace {

/// A time that was not measured as such, in the words of its suite.
std::string time_text(const Curve& curve, double time_s) {
    return std::isfinite(time_s) ? format_time(time_s, 4, curve.units.time) : "";
}

} // namespace

Table times_of_variants(const SessionContest& session, std::size_t most_rows) {
    Table table;
    table.title = session.variants.size() == 1 ? "Times of both" : "Times of all variants";
    table.header = {"suite", "", "at the largest difference", "at the smallest", "at the largest"};
    table.columns = {ColumnKind::prose, ColumnKind::text, ColumnKind::number, ColumnKind::number,
                     ColumnKind::number};
    for (const VariantContest& variant : session.variants)
        for (const SuiteContest& suite : variant.contest.suites) {
            const std::vector<const Statement*> points = suite.of_kind(Place::Kind::point);
            if (points.empty() || table.rows.size() + 2 > most_rows)
                continue;
            const Statement* largest = nullptr;
            for (const Statement* point : points)
                if (point->certain_effect() > (largest ? largest->certain_effect() : 0))
                    largest = point;
            const auto cell = [&](const Statement* point, bool of_reference) {
                return !point ? std::string()
                              : fmt::format("{} {}", argument_text(*suite.reference, point->place.from),
                                            time_text(*suite.reference,
                                                      of_reference ? point->reference_s
                                                                   : point->reference_s * point->ratio));
            };
            for (const bool of_reference : {true, false})
                table.rows.push_back({of_reference ? suite_name(suite, 48) : "",
                                      variant_name(session, of_reference ? 0 : variant.place),
                                      points.size() > 2 ? cell(largest, of_reference) : "",
                                      cell(points.front(), of_reference),
                                      points.size() > 1 ? cell(points.back(), of_reference) : ""});
        }
    if (!table.rows.empty())
        table.notes.push_back(
            fmt::format("Times of {} are medians over the rounds used; those of variants are these "
                        "times multiplied by the ratio at that length.",
                        variant_name(session, 0)));
    leave_out_empty_columns(table);
    return table;
}

namespace {

/// At most `most`: as many of those that differ as there are, then others, both spread over all.
std::vector<const Statement*> most_telling(const std::vector<const Statement*>& points, std::size_t most) {
    std::set<const Statement*> chosen;
    for (const bool different : {true, false}) {
        std::vector<const Statement*> part;
        for (const Statement* point : points)
            if (point->different() == different)
                part.push_back(point);
        const std::size_t room = std::min(most - chosen.size(), part.size());
        for (std::size_t i = 0; i < room; ++i)
            chosen.insert(part[room == 1 ? 0 : i * (part.size() - 1) / (room - 1)]);
    }
    std::vector<const Statement*> rows;
    for (const Statement* point : points)
        if (chosen.contains(point))
            rows.push_back(point);
    return rows;
}

/// Some arguments of a suite side by side: those that differ, then others spread over the rest.
Table points_table(const SuiteContest& suite, const std::string& reference, const std::string& subject) {
    constexpr std::size_t most = 8;
    const std::vector<const Statement*> points = suite.of_kind(Place::Kind::point);
    Table table;
    if (points.size() > most)
        table.title = fmt::format("{} of {} arguments", most, points.size());
    table.header = {"at", shortened(reference, 28), shortened(subject, 28), "difference"};
    table.columns = {ColumnKind::number, ColumnKind::number, ColumnKind::number, ColumnKind::prose};
    for (const Statement* point : most_telling(points, most)) {
        const Curve& curve = *suite.reference;
        table.rows.push_back(
            {argument_text(curve, point->place.from), time_text(curve, point->reference_s),
             time_text(curve, point->reference_s * point->ratio) + (point->interpolated ? " *" : "")});
        add_cell(table, point);
    }
    if (std::ranges::any_of(points, &Statement::interpolated))
        table.notes.emplace_back("* interpolated between neighbours.");
    return table;
}

/// "8 of 10"
std::string launches_used(const Subject& subject) {
    const Trust trust = assess(subject);
    const std::string used = std::to_string(trust.launches);
    return trust.launches < trust.launches_merged ? fmt::format("{} of {}", used, trust.launches_merged)
                                                  : used;
}

/// A fact with another value in every launch, or that is shown elsewhere.
bool tells_of_one_launch(const std::string& name) {
    constexpr auto names = std::to_array<std::string_view>(
        {"load before", "steal ticks", "CPU share of other processes", "CPU 0 frequency, kHz",
         "mpi library, full text", fact_file_size, fact_expected_series, fact_samples});
    constexpr auto begins =
        std::to_array<std::string_view>({"ledger: ", "merged by", "env ", "slurm", "ended"});
    return std::ranges::find(names, name) != names.end() ||
           std::ranges::any_of(begins, [&](std::string_view begin) { return name.starts_with(begin); });
}

} // namespace

Table differences_table(const Contest& contest) {
    Table table;
    table.title = "What differs";
    table.header = {"what", shortened(contest.reference->label, 30), shortened(contest.subject->label, 30)};
    table.columns = {ColumnKind::text, ColumnKind::prose, ColumnKind::prose};
    if (!contest.reference->run || !contest.subject->run)
        return table;
    constexpr std::size_t most = 80;
    const auto add = [&](const std::string& what, const std::string& a, const std::string& b) {
        if (a != b)
            table.rows.push_back(
                {what, a.empty() ? "none" : shortened(a, most), b.empty() ? "none" : shortened(b, most)});
    };
    const Run& a = *contest.reference->run;
    const Run& b = *contest.subject->run;
    const auto both = [&](const std::map<std::string, std::string>& first,
                          const std::map<std::string, std::string>& second, auto&& wanted) {
        std::set<std::string> names;
        for (const auto* each : {&first, &second})
            for (const auto& [name, value] : *each)
                names.insert(name);
        const auto text_of = [](const std::map<std::string, std::string>& texts, const std::string& name) {
            const auto found = texts.find(name);
            return found == texts.end() ? std::string() : found->second;
        };
        for (const std::string& name : names)
            if (wanted(name))
                add(name, text_of(first, name), text_of(second, name));
    };
    // The difference of the plans is already shown; their hashes add nothing.
    const Series first = Series(a).forget("plan_hash");
    const Series second = Series(b).forget("plan_hash");
    const auto known_first = first.known();
    const auto known_second = second.known();
    both(known_first, known_second, [&](const std::string& name) {
        // An unknown fact differs from nothing; a setting that is not set does.
        return name.starts_with("setting ") ? first.has_settings() && second.has_settings()
                                            : known_first.contains(name) && known_second.contains(name);
    });
    add("host", a.host, b.host);
    add("version of skampi-run", a.tool_version, b.tool_version);
    const auto add_number = [&](const char* name, int left, int right) {
        if (left > 0 && right > 0)
            add(name, std::to_string(left), std::to_string(right));
    };
    add_number("hardware threads of the host", a.host_sizes.hardware_threads, b.host_sizes.hardware_threads);
    add_number("cores of the host", a.host_sizes.cores, b.host_sizes.cores);
    both(a.facts, b.facts, [&](const std::string& name) {
        return a.facts.contains(name) && b.facts.contains(name) && !tells_of_one_launch(name);
    });
    add("launches with values shown", launches_used(*contest.reference), launches_used(*contest.subject));
    return table;
}

// --- databases

namespace {

/// The answer, its doubts and its tables.
Section comparison_statement(const Contest& contest) {
    Section part;
    part.title = fmt::format("{} against {}", shortened(contest.subject->label, 40),
                             shortened(contest.reference->label, 40));
    part.blocks.push_back(Paragraph{contest_answer(contest), Tone::plain, {}, Rank::detail});
    for (const ContestDoubt& doubt : contest.doubts)
        part.blocks.push_back(Paragraph{doubt_sentence(contest, doubt), Tone::warning});
    if (Table table = contest_table(contest); !table.rows.empty()) {
        table.rank = Rank::detail; // the first page has it
        part.blocks.push_back(std::move(table));
    }
    if (Table different = differences_table(contest); !different.rows.empty())
        part.blocks.push_back(std::move(different));
    return part;
}

/// What is found of a suite, for below its plot.
std::vector<Block> suite_statement(const Contest& contest, const SuiteContest& suite) {
    const std::string& reference = contest.reference->label;
    const std::string& subject = contest.subject->label;
    if (!suite.compared())
        return {Paragraph{
            fmt::format("{} and {} cannot be compared: {}.", reference, subject, reason_text(suite.why)),
            Tone::plain}};
    return {Paragraph{fmt::format("All arguments together: {} ({} launches).", statement_text(*suite.whole()),
                                  launches_text(*suite.whole())),
                      Tone::plain},
            points_table(suite, reference, subject)};
}

/// A suite of the reference with those of the others that measure the same quantity.
struct Overlay {
    std::vector<const Curve*> curves; ///< the reference's first; fewer than two = there is nothing to draw
    std::vector<std::string> labels;
    std::vector<const SuiteContest*> contests; ///< of the others with the reference's
    std::vector<const Contest*> of;
};

Overlay overlay_of(const Curve& curve, const Rivals& rivals) {
    Overlay overlay{{&curve}, {rivals.reference->label}, {}, {}};
    for (const Contest& contest : rivals.comparisons)
        for (const SuiteContest& suite : contest.suites)
            if (suite.reference == &curve && suite.compared() && drawable(*suite.subject)) {
                overlay.curves.push_back(suite.subject);
                overlay.labels.push_back(contest.subject->label);
                overlay.contests.push_back(&suite);
                overlay.of.push_back(&contest);
            }
    if (!drawable(curve))
        overlay.curves.clear();
    return overlay;
}

/// The suites that a short report draws: the largest certain differences.
std::set<const Curve*> most_remarkable(const Rivals& rivals) {
    constexpr std::size_t most = 4;
    std::vector<std::pair<double, const Curve*>> all;
    for (const Contest& contest : rivals.comparisons)
        for (const auto& [suite, statement] : contest.effects())
            all.emplace_back(statement->certain_effect(), suite->reference);
    std::ranges::stable_sort(all, std::greater(), [](const auto& each) { return each.first; });
    std::set<const Curve*> chosen;
    for (const auto& [effect, curve] : all)
        if (chosen.size() < most)
            chosen.insert(curve);
    return chosen;
}

FigureBlock overlay_block(Figure figure, const std::string& times, const std::string& ratio) {
    const bool with_ratio = figure.panels.size() > 1;
    return {std::move(figure), times + (with_ratio ? ", and " + ratio : "") + "."};
}

} // namespace

Section databases_compared(const Rivals& rivals, FigureNames& names) {
    Section section;
    section.title = "Comparison of databases";
    for (const Contest& contest : rivals.comparisons)
        section.subsections.push_back(comparison_statement(contest));
    const std::set<const Curve*> remarkable = most_remarkable(rivals);
    for (const Curve& curve : rivals.reference->curves) {
        const Overlay overlay = overlay_of(curve, rivals);
        if (overlay.curves.size() < 2)
            continue;
        Section part;
        part.title = shortened(title_of(curve), 90);
        if (!remarkable.contains(&curve))
            part.rank = Rank::detail;
        part.blocks.push_back(overlay_block(
            overlay_figure(names.next(), overlay.curves, overlay.labels, overlay.contests),
            "Time in " + enumeration(overlay.labels), "its ratio to that in " + overlay.labels.front()));
        for (std::size_t i = 0; i < overlay.contests.size(); ++i)
            std::ranges::move(suite_statement(*overlay.of[i], *overlay.contests[i]),
                              std::back_inserter(part.blocks));
        section.subsections.push_back(std::move(part));
    }
    return section;
}

// --- operations of one run, and comparisons of one's own

namespace {

std::string curve_label(const Curve& curve) {
    const OperationInfo& operation = curve.suite().operation;
    return operation.title.empty() ? operation.name : operation.title;
}

std::string variation_text(const StandardPair& pair) {
    return pair.first->suite().varied == Varied::nodes ? " (over the number of nodes)" : "";
}

/// Different names for the two.
std::pair<std::string, std::string> pair_labels(const StandardPair& pair) {
    std::pair labels(curve_label(*pair.first), curve_label(*pair.second));
    if (labels.first == labels.second) {
        labels.first += ", " + format_bytes(pair.first->suite().message_bytes);
        labels.second += ", " + format_bytes(pair.second->suite().message_bytes);
    }
    return labels;
}

/// Pairs of a subject, judged together.
struct JudgedPair {
    StandardPair pair;
    SuiteContest contest;
};
std::vector<JudgedPair> judged_pairs(const Subject& subject) {
    const std::vector<StandardPair> pairs = standard_comparisons(subject);
    std::vector<JudgedPair> judged;
    const ContestRule of_each{ContestRule().error /
                                  static_cast<double>(std::max<std::size_t>(1, pairs.size())),
                              default_equal_margin};
    for (const StandardPair& pair : pairs)
        judged.push_back({pair, judge_suites(*pair.first, *pair.second, Pairing::same_launches,
                                             pair.on_purpose, 0, of_each)});
    return judged;
}

/// Times of two meanings, or starts, are not one quantity: noted with the difference.
std::string other_meaning_text(const Curve& first, const std::string& first_label, const Curve& second,
                               const std::string& second_label) {
    return meaning_of(first) == meaning_of(second)
               ? ""
               : fmt::format("The times have different meanings: a time of {} is {}, a time of {} is {}.",
                             first_label, meaning_noun(first), second_label, meaning_noun(second));
}

/// "MPI_Scan against MPI_Reduce: 12 % slower (10 to 14 %), from 2 MiB 30 % slower"
std::string pair_text(const SuiteContest& contest, const std::string& first, const std::string& second) {
    if (!contest.compared())
        return fmt::format("{} and {} cannot be compared: {}.", first, second, reason_text(contest.why));
    std::string text = fmt::format("{} against {}: {}", second, first, statement_text(*contest.whole()));
    for (const Statement* range : contest.of_kind(Place::Kind::range))
        text += fmt::format(";{} {}", place_text(contest, range->place), statement_text(*range));
    return text + ".";
}

void add_warning(std::vector<Block>& blocks, std::string text) {
    if (!text.empty())
        blocks.push_back(Paragraph{std::move(text), Tone::warning});
}

Table operations_table(const std::vector<JudgedPair>& pairs) {
    Table table;
    table.header = {"operation", "compared with", "all arguments together", "where it differs from that",
                    "launches"};
    table.columns = {ColumnKind::prose, ColumnKind::prose, ColumnKind::prose, ColumnKind::prose,
                     ColumnKind::number};
    for (const auto& [pair, contest] : pairs) {
        const auto& [first, second] = pair_labels(pair);
        table.rows.push_back({shortened(second, 70) + variation_text(pair), shortened(first, 70)});
        add_cell(table, contest.whole(), "not compared: " + reason_text(contest.why));
        std::vector<std::string> ranges;
        for (const Statement* range : contest.of_kind(Place::Kind::range))
            ranges.push_back(
                fmt::format("{}: {}", place_text(contest, range->place).substr(1), statement_text(*range)));
        table.rows.back().push_back(fmt::format("{}", fmt::join(ranges, "; ")));
        table.rows.back().push_back(contest.compared() ? launches_text(*contest.whole()) : "");
    }
    leave_out_empty_columns(table);
    return table;
}

} // namespace

Section operations_compared(const Subject& subject, FigureNames& names) {
    Section section;
    section.title = "Operations compared";
    const std::vector<JudgedPair> pairs = judged_pairs(subject);
    if (Table table = operations_table(pairs); !table.rows.empty())
        section.blocks.emplace_back(std::move(table));
    for (const auto& [pair, contest] : pairs) {
        const auto& [first, second] = pair_labels(pair);
        Section part;
        part.rank = Rank::reference;
        part.title = shortened(fmt::format("{} and {}{}", first, second, variation_text(pair)), 100);
        part.blocks.push_back(Paragraph{pair_text(contest, first, second), Tone::plain});
        add_warning(part.blocks, other_meaning_text(*pair.first, first, *pair.second, second));
        if (contest.compared() && drawable(*pair.first) && drawable(*pair.second))
            part.blocks.push_back(
                overlay_block(overlay_figure(names.next(), {pair.first, pair.second},
                                             {shortened(first, 28), shortened(second, 28)}, {&contest}),
                              "Time",
                              fmt::format("time of {} divided by time of {}", shortened(second, 60),
                                          shortened(first, 60))));
        if (contest.compared())
            part.blocks.push_back(points_table(contest, first, second));
        section.subsections.push_back(std::move(part));
    }
    return section;
}

namespace {

/// Curves of a comparison that a reader asked for, each but the first judged against the first.
struct OwnComparison {
    std::vector<const Curve*> curves;
    std::vector<std::string> labels;
    std::vector<SuiteContest> contests;
};

OwnComparison judge_own(const Content::Comparison& wanted, const std::vector<Subject>& subjects) {
    const auto owner = [&](const Curve* curve) {
        return &*std::ranges::find_if(subjects, [&](const Subject& subject) {
            return std::ranges::any_of(subject.curves, [&](const Curve& each) { return &each == curve; });
        });
    };
    OwnComparison own{curves_of(wanted, subjects), {}, {}};
    for (std::size_t i = 0; i < own.curves.size(); ++i) {
        const Curve* const curve = own.curves[i];
        own.labels.push_back(shortened(!wanted.curves[i].label.empty() ? wanted.curves[i].label
                                       : subjects.size() == 1          ? title_of(*curve)
                                                              : owner(curve)->label + ": " + title_of(*curve),
                                       40));
        if (i > 0)
            own.contests.push_back(judge_suites(*own.curves[0], *curve,
                                                owner(own.curves[0]) == owner(curve) ? Pairing::same_launches
                                                                                     : Pairing::independent,
                                                std::nullopt));
    }
    return own;
}

} // namespace

std::vector<std::string> own_answers(const Content& content, const std::vector<Subject>& subjects) {
    std::vector<std::string> answers;
    for (const Content::Comparison& wanted : content.comparisons) {
        const OwnComparison own = judge_own(wanted, subjects);
        for (std::size_t i = 0; i < own.contests.size(); ++i)
            answers.push_back(pair_text(own.contests[i], own.labels[0], own.labels[i + 1]));
    }
    return answers;
}

Section own_comparisons(const Content& content, const std::vector<Subject>& subjects, FigureNames& names) {
    Section section;
    section.title = "Further comparisons";
    for (const Content::Comparison& wanted : content.comparisons) {
        const auto [curves, labels, contests] = judge_own(wanted, subjects);
        std::vector<const SuiteContest*> drawn;
        for (const SuiteContest& contest : contests)
            drawn.push_back(&contest);
        std::vector<Row> rows;
        for (std::size_t i = 0; i < contests.size(); ++i)
            rows.push_back({&contests[i], labels[i + 1]});
        Section part;
        part.title = shortened(wanted.title, 100);
        Table table = table_of(std::move(rows), "operation", "launches", contests.size());
        table.title = fmt::format("Time against that of {}{}", labels.front(), table.title);
        part.blocks.emplace_back(std::move(table));
        if (std::ranges::all_of(curves, [](const Curve* curve) { return drawable(*curve); }))
            part.blocks.push_back(overlay_block(overlay_figure(names.next(), curves, labels, drawn), "Time",
                                                "time divided by that of " + labels.front()));
        for (std::size_t i = 1; i < curves.size(); ++i) {
            const Comparability both = comparability(*curves[0], *curves[i], two_operations);
            std::vector<FieldDifference> fields = both.other_quantity;
            fields.insert(fields.end(), both.computed_differently.begin(), both.computed_differently.end());
            if (!fields.empty())
                add_warning(part.blocks,
                            fmt::format("{} and {} also differ in {}: part of any difference may come from "
                                        "that.",
                                        labels[0], labels[i], fields_text(fields)));
            add_warning(part.blocks, other_meaning_text(*curves[0], labels[0], *curves[i], labels[i]));
            if (contests[i - 1].compared())
                part.blocks.push_back(points_table(contests[i - 1], labels[0], labels[i]));
        }
        section.subsections.push_back(std::move(part));
    }
    return section;
}

// --- small plots

namespace {

constexpr std::size_t most_ratio_plots = 30;

std::optional<FigureBlock> ratio_plots(std::vector<RatioPlot> plots, const std::vector<std::string>& labels,
                                       FigureNames& names, std::string caption) {
    std::ranges::stable_sort(plots, std::greater(), [](const RatioPlot& plot) {
        double largest = 0;
        for (const SuiteContest* suite : plot.against)
            if (const Statement* const found = suite ? suite->largest() : nullptr)
                largest = std::max(largest, found->certain_effect());
        return largest;
    });
    Figure figure = ratios_figure(names.next(), plots, labels, most_ratio_plots);
    if (figure.panels.empty())
        return std::nullopt;
    return FigureBlock{std::move(figure), std::move(caption)};
}

} // namespace

std::optional<FigureBlock> ratios_block(const Rivals& rivals, FigureNames& names) {
    std::vector<std::string> labels;
    for (const Contest& contest : rivals.comparisons)
        labels.push_back(shortened(contest.subject->label, 30));
    std::vector<RatioPlot> plots;
    for (const Curve& curve : rivals.reference->curves) {
        RatioPlot plot{&curve, {}};
        for (const Contest& contest : rivals.comparisons) {
            const auto suite = std::ranges::find(contest.suites, &curve, &SuiteContest::reference);
            plot.against.push_back(suite == contest.suites.end() ? nullptr : &*suite);
        }
        if (drawable(curve))
            plots.push_back(std::move(plot));
    }
    return ratio_plots(std::move(plots), labels, names,
                       ratios_caption(shortened(rivals.reference->label, 30)));
}

std::optional<FigureBlock> session_ratios_block(const SessionContest& session, FigureNames& names) {
    std::vector<RatioPlot> plots; // of the suites, in the order of the reference
    std::vector<std::string> labels;
    for (std::size_t place = 0; place < session.variants.size(); ++place) {
        labels.push_back(variant_name(session, session.variants[place].place));
        for (const SuiteContest& suite : session.variants[place].contest.suites) {
            if (!suite.compared() || !drawable(*suite.reference))
                continue;
            const std::string state = !suite.state          ? ""
                                      : suite.state->slower ? " in the slower state"
                                                            : " in the faster state";
            auto plot = std::ranges::find_if(plots, [&](const RatioPlot& each) {
                return each.reference == suite.reference && each.state == state;
            });
            if (plot == plots.end())
                plot = plots.insert(plots.end(), {suite.reference, {}, state});
            plot->against.resize(place, nullptr);
            plot->against.push_back(&suite);
        }
    }
    return ratio_plots(std::move(plots), labels, names, turns_ratios_caption(variant_name(session, 0)));
}

} // namespace skampi
